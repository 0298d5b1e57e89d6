"""Many tables: `Batch`, the learners that environments adapt, threads, events, rewards, recorded games as arrays."""

from mahjong_env.batch.batch import Batch

__all__ = ["Batch"]
