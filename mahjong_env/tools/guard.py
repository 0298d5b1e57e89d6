"""States that watch what kernels do to them, for plain mode: what machine code would do in silence raises an error.

Plain Python takes a negative index for one from the end, and small numbers wrap; compiled kernels write out of bounds or
into the next row. A guarded state refuses all of it, and a field that doesn't exist, naming the field.
"""

from typing import Any

import numpy as np


class GuardedArray(np.ndarray):
    """A field of a state; `field` is its name. Single numbers come out as Python's, which don't wrap."""

    field: str

    def __array_finalize__(self, parent: Any) -> None:
        self.field = getattr(parent, "field", "a field")

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        found = super().__getitem__(index)
        return found.item() if isinstance(found, np.generic) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        if isinstance(value, int | np.integer):
            check_room(self.field, self.dtype, int(value))
        super().__setitem__(index, value)

    def _check(self, index: Any) -> None:
        for place, one in enumerate(index if isinstance(index, tuple) else (index,)):
            if isinstance(one, int | np.integer) and not 0 <= one < self.shape[place]:
                raise IndexError(
                    f"index {int(one)} is outside of the state's field {self.field!r}, which has {self.shape[place]} there"
                )


def check_room(field: str, dtype: np.dtype, value: int) -> None:
    """OverflowError where a number is too large for its field."""
    room = np.iinfo(dtype)
    if not room.min <= value <= room.max:
        raise OverflowError(
            f"{value} doesn't fit into the state's field {field!r}, which holds {room.min} to {room.max}"
        )


class GuardedState(np.record):  # type: ignore[misc]  # final in NumPy's stubs alone
    """A state whose fields are guarded."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") or name in ("dtype", "getfield", "setfield", "view", "tobytes"):
            return super().__getattribute__(name)
        fields = np.void.__getattribute__(self, "dtype").fields
        if name not in fields:
            if not hasattr(np.record, name):
                raise AttributeError(f"the state, or its options, have no field {name!r}")
            return super().__getattribute__(name)
        return guarded(name, np.void.__getitem__(self, name))

    def __setattr__(self, name: str, value: Any) -> None:
        fields = np.void.__getattribute__(self, "dtype").fields
        if name not in fields:
            raise AttributeError(f"the state has no field {name!r}")
        kind = fields[name][0]
        if isinstance(value, int | np.integer) and kind.shape == ():
            check_room(name, kind, int(value))
        np.void.__setitem__(self, name, value)

    def __getitem__(self, name: Any) -> Any:
        return np.void.__getitem__(self, name)


def guarded(name: str, value: Any) -> Any:
    """A field's value: an array that watches over itself, a number of Python's, or the options."""
    if isinstance(value, np.void):
        return value.view((GuardedState, value.dtype)) if not isinstance(value, GuardedState) else value
    if isinstance(value, np.ndarray):
        watched = value.view(GuardedArray)
        watched.field = name
        return watched
    return value.item() if isinstance(value, np.generic) else value
