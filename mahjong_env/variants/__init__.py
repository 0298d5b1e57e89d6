"""The variants that come with the package, one file or folder each.

The package itself can be called: `mahjong_env.variants()` gives the names of all variants, those loaded from elsewhere too.
"""

import sys
from types import ModuleType

from mahjong_env.rules.registry import variant_names


class _Variants(ModuleType):
    """A module that lists variants when it is called, so that `mj.variants()` and its submodules can both be had."""

    def __call__(self) -> tuple[str, ...]:
        return variant_names()


sys.modules[__name__].__class__ = _Variants
