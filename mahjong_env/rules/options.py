"""Options of a variant as data: what each may be, and the small number that stands for it in a state."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Setting:
    """The values one option may take, and the small number that stands for each in the state."""

    about: str
    values: tuple[Any, ...]
    low: int | None = None
    high: int | None = None

    def code(self, name: str, value: Any) -> int:
        """The number kernels read for `value`; ValueError naming the option and what is allowed."""
        if self.low is not None and self.high is not None:
            if type(value) is int and self.low <= value <= self.high:
                return value
            if value in self.values and type(value) is not bool:
                return -1 - self.values.index(value)
        else:
            for code, allowed in enumerate(self.values):
                if value == allowed and type(value) is type(allowed):
                    return code
        raise ValueError(f"option {name}={value!r} is not possible; it takes {self.allowed()}")

    def value(self, code: int) -> Any:
        """What `code` gave the number for."""
        if self.low is None:
            return self.values[code]
        return code if code >= 0 else self.values[-1 - code]

    def parse(self, name: str, text: str) -> Any:
        """The value written as `text`: on/off words for a flag, a number, or a value's own name."""
        words = {"true": True, "on": True, "false": False, "off": False, "none": None}
        candidates: list[Any] = [text, words.get(text.lower(), text)]
        if text.lstrip("-").isdigit():
            candidates.append(int(text))
        for value in candidates:
            try:
                self.code(name, value)
            except ValueError:
                continue
            return value
        self.code(name, text)  # raises, naming what is allowed
        return text

    def allowed(self) -> str:
        """The values in words."""
        named = [repr(value) for value in self.values]
        if self.low is not None:
            named.insert(0, f"a whole number from {self.low} to {self.high}")
        return ", ".join(named)


def flag(default: bool, about: str) -> Any:
    """An option that is on or off; kernels read 1 or 0."""
    return field(default=default, metadata={"setting": Setting(about, (False, True))})


def choice(values: Sequence[Any], about: str, default: Any = None) -> Any:
    """An option with named values, the first being the default unless one is given; kernels read the value's place."""
    return field(default=values[0] if default is None else default, metadata={"setting": Setting(about, tuple(values))})


def number(default: Any, low: int, high: int, about: str, also: Sequence[Any] = ()) -> Any:
    """A whole number, not negative; kernels read it, or -1, -2, … for the values of `also`."""
    return field(default=default, metadata={"setting": Setting(about, tuple(also), low, high)})
