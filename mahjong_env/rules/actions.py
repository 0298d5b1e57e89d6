"""Verbs, and the flat numbering of a variant's actions.

Every verb of every game is here from the start, since a new kind of action is what breaks other people's variants. A
variant lists the verbs it uses; laid end to end they are its `Discrete` action space. An action's name is its verb and,
where the verb needs one, its argument: `"discard 3m"`, `"hu"`, `"void s"`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mahjong_env.tiles import TileSet

VERBS: dict[str, str] = {
    "pass": "none",
    "hu": "none",
    "discard": "kind",
    "chi": "place",
    "chi_set": "own",
    "bai": "own",
    "peng": "none",
    "dui": "none",
    "gang": "none",
    "self_gang": "kind",
    "open_gang": "none",
    "open_self_gang": "kind",
    "kai": "none",
    "declare": "none",
    "take": "none",
    "void": "suit",
    "swap": "kind",
}
"""What each verb takes: nothing, a tile kind, a suit, the claimed tile's place in its run, or a list of the variant's own."""

PLACES = ("low", "middle", "high")

(PASS, HU, DISCARD, CHI, CHI_SET, BAI, PENG, DUI, GANG, SELF_GANG, OPEN_GANG, OPEN_SELF_GANG, KAI, DECLARE, TAKE, VOID,
 SWAP) = range(len(VERBS))  # fmt: skip

OWN_VERB = len(VERBS)
"""The number of the first verb of a variant's own; the others follow in the order in which it states them."""

ADDED_GANG, ADDED_KAI = -SELF_GANG, -KAI
"""In `meld_verb`: a gang or a kai made by a fourth tile. It has no verb of its own, since the player says the same."""

TAKES = ("none", "kind", "suit", "place", "own")
"""What a verb can take."""


@dataclass(frozen=True)
class ActionSpace:
    """The actions of one variant: `names[action]` and its inverse `parse(name)`.

    `verbs` are laid end to end in the order given; `own_verbs` are those of the variant's own with what they take;
    `own_arguments` names the arguments of verbs that take a list of the variant's own.
    """

    tiles: TileSet
    verbs: tuple[str, ...]
    own_arguments: Mapping[str, Sequence[str]]
    own_verbs: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def takes(self) -> dict[str, str]:
        """What each verb takes, in order of the verbs' numbers."""
        return VERBS | dict(self.own_verbs)

    def arguments(self, verb: str) -> Sequence[str]:
        """The arguments `verb` can take, in order; one empty string for a verb that takes none."""
        listed = {"none": ("",), "kind": self.tiles.names, "suit": self.tiles.suits, "place": PLACES}
        return listed.get(self.takes[verb]) or self.own_arguments[verb]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every action, by number."""
        return tuple(f"{verb} {a}".strip() for verb in self.verbs for a in self.arguments(verb))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of every action, by name."""
        return {name: number for number, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def parse(self, name: str) -> int:
        """The action called `name`; ValueError naming what is wrong with it."""
        verb, _, argument = " ".join(name.split()).partition(" ")
        number = self.numbers.get(f"{verb} {argument}".strip())
        if number is not None:
            return number
        if verb not in self.verbs:
            raise ValueError(f"no verb {verb!r} in action {name!r}; verbs are {', '.join(self.verbs)}")
        allowed = ", ".join(a or "nothing" for a in self.arguments(verb))
        raise ValueError(f"{verb!r} can't take {argument or 'nothing'!r} in action {name!r}; it takes {allowed}")

    @cached_property
    def tables(self) -> dict[str, np.ndarray]:
        """What kernels read: the first action of each verb (-1 for one not used), each action's verb and argument, and the
        most kinds or arguments of one verb."""
        order = list(self.takes)
        first = np.full(len(order), -1, np.int16)
        verb_of: list[int] = []
        argument_of: list[int] = []
        for verb in self.verbs:
            first[order.index(verb)] = len(verb_of)
            verb_of += [order.index(verb)] * len(self.arguments(verb))
            argument_of += range(len(self.arguments(verb)))
        longest = max(self.tiles.kinds, *(len(self.arguments(verb)) for verb in self.verbs))
        return {
            "longest": np.array([longest], np.int64),
            "first_action": first,
            "verb_of": np.array(verb_of, np.int16),
            "argument_of": np.array(argument_of, np.int16),
        }
