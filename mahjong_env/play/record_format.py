"""The form of a record: its fields and their checks. Files are never trusted: a line has a limit of length and of decisions, every
field must be there and have its type, and a field that isn't known is refused.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from mahjong_env.rules.variant import Variant

MOST_BYTES = 1 << 20  # of a line; a hand of 150 decisions takes 2 KB, with its legal names 10 KB
MOST_DECISIONS = 4096
MOST_LETTERS = 80  # of a name
MOST_SHOWN = 500  # letters of an error: a wrong value may be as long as a line


class RecordError(ValueError):
    """A record that can't be read, or that the rules contradict; the message names the file's line and the decision."""


def parse_line(line: bytes, place: str) -> Any:
    """The JSON value of a line; RecordError if it is none."""
    try:
        return json.loads(line.decode(), object_pairs_hook=without_repeats)
    except UnicodeDecodeError:
        refuse(place, "not UTF-8")
    except RecursionError:
        refuse(place, "nested too deep")
    except json.JSONDecodeError as error:
        refuse(place, f"not JSON, or cut: {error.msg} at column {error.colno}")
    except ValueError as error:
        refuse(place, str(error))


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError if a name stands in it twice, of which a reader would keep just one."""
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a field stands there twice")
    return data


def refuse(place: str, why: str) -> NoReturn:
    """Raise a RecordError of one line."""
    message = f"{place}: {why}" if place else why
    raise RecordError(message if len(message) <= MOST_SHOWN else message[:MOST_SHOWN] + " …") from None


# --- fields -----------------------------------------------------------------------------------------------------------


def is_name(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_LETTERS


def is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 31


def is_names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_DECISIONS and all(map(is_name, value))


def is_chance(value: Any) -> bool:
    return is_name(value) or (isinstance(value, list) and len(value) <= MOST_DECISIONS and all(map(is_whole, value)))


def is_options(value: Any) -> bool:
    return isinstance(value, dict) and all(
        is_name(name) and (choice is None or isinstance(choice, bool) or is_whole(choice) or is_name(choice))
        for name, choice in value.items()
    )


A_NAME = f"a text of {MOST_LETTERS} letters at most"
FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "variant": (is_name, A_NAME),
    "version": (is_whole, "a whole number"),
    "preset": (is_name, A_NAME),
    "options": (is_options, "an object of options"),
    "dealer": (is_whole, "a seat"),
    "wall": (is_names, "a list of tile names"),
    "actions": (is_names, f"a list of {MOST_DECISIONS} action names at most"),
    "points": (lambda value: isinstance(value, list) and all(map(is_whole, value)), "a list of whole numbers"),
    "next_dealer": (lambda value: value is None or is_whole(value), "a seat or null"),
    "legal": (lambda value: isinstance(value, list) and all(map(is_names, value)), "a list of lists of action names"),
}
"""What a record's fields hold: a check, and what to say when it fails. Other chance comes on top, by its name."""

OPTIONAL = ("next_dealer", "legal")


def checked(data: Mapping[str, Any], name: str) -> Any:
    """A field's value; ValueError if it is missing or of another type."""
    if name not in data:
        raise ValueError(f"the field {name!r} is missing")
    fits, wanted = FIELDS[name]
    if not fits(data[name]):
        raise ValueError(f"{name} must be {wanted}, not {data[name]!r}")
    return data[name]


def check_version(variant: Variant, version: int) -> None:
    """ValueError unless the record was written by these rules."""
    if version != variant.version:
        raise ValueError(
            f"written by version {version} of the rules of {variant.name}; these are version {variant.version}"
        )


def check_legal(actions: Sequence[str], legal: Sequence[Sequence[str]] | None) -> None:
    """ValueError unless there is one list of legal names for each action, or none at all."""
    if legal is not None and len(legal) != len(actions):
        raise ValueError(f"legal has {len(legal)} lists for {len(actions)} actions")
