"""Errors that name the thing, the reason and what is allowed."""


class IllegalActionError(ValueError):
    """An action that can't be played now; the message says why and what is legal."""


class VariantError(ValueError):
    """A variant that can't be played; the message lists everything that is wrong with its definition, with file and line."""


class RulesError(RuntimeError):
    """The rules of a variant have left a game in a state from which nobody can go on; the message says which and where."""


class NoDealError(RuntimeError):
    """No deal was found that fits all that a seat knows of hidden tiles."""
