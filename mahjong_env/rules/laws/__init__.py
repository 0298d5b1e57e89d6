"""The laws of kernels, held against a variant's source when it is loaded, and errors of the compiler in plain words."""

from mahjong_env.rules.laws.explain import explain
from mahjong_env.rules.laws.kernels import Answer, Problem, Vocabulary, looks_compiled
from mahjong_env.rules.laws.statements import kernel_problems, own_functions, unused_answers

__all__ = [
    "Answer",
    "Problem",
    "Vocabulary",
    "explain",
    "kernel_problems",
    "looks_compiled",
    "own_functions",
    "unused_answers",
]
