"""What is asked of a variant, and which function answers."""

from typing import Any

from mahjong_env.rules import expert, greedy, hooks
from mahjong_env.rules.cycle import Cycle
from mahjong_env.rules.hooks import Question, asked_in
from mahjong_env.rules.variant import Variant

EVERY_GAME = (hooks.__name__, greedy.__name__, expert.__name__)
"""The modules whose questions every variant is asked."""


def questions_of(cycle: Cycle) -> dict[str, Question]:
    """Everything that is asked of a variant of this cycle, by name."""
    asked: dict[str, Question] = {}
    for module in EVERY_GAME:
        asked |= asked_in(module)
    return asked | dict(cycle.questions)


def answers_given(variant: Variant) -> dict[str, Any]:
    """The functions by which the variant, or what it is made from, answers questions."""
    given = answers_given(variant.base) if variant.base is not None else {}
    asked = questions_of(variant.cycle)
    return given | {name: vars(variant.module)[name] for name in asked if name in vars(variant.module)}


def all_answers(variant: Variant) -> tuple[dict[str, Any], dict[str, Any]]:
    """The compiled and the plain functions by which each question is answered, defaults included."""
    given = answers_given(variant)
    asked = questions_of(variant.cycle)
    found = {name: given.get(name, question.default) for name, question in asked.items()}
    compiled = {name: function for name, function in found.items() if asked[name].is_compiled}
    return compiled, {name: function for name, function in found.items() if not asked[name].is_compiled}
