"""Agents written against the public protocol alone (`mahjong_env.agents.view`), one file each; play one by `module:Class`."""
