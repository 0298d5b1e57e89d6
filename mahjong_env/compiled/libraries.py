"""Code libraries for kernels: parts that are only kept, and wholes that are linked, optimised and made machine code once.

Numba's own library optimises every function with all that it calls, and emits machine code for it. Most kernels are only
called by other kernels: all that is done with them is done again in what calls them.
"""

from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm
from numba.core import cgutils, errors
from numba.core.codegen import JITCodeLibrary

UNIT, ENTRY, PART = "mahjong_unit_", "mahjong_entry_", "mahjong_part_"
"""Prefixes of the symbols of kernels."""


class Part(JITCodeLibrary):
    """The LLVM module of one kernel, neither optimised nor made machine code, and the libraries it needs."""

    environment: Any = None
    """Python objects that the kernel uses, if it does: to print, or to raise an error with a message of its own."""

    def add_ir_module(self, ir_module: Any) -> None:
        self._text = cgutils.normalize_ir_text(str(ir_module))
        self._final_module.link_in(llvm.parse_assembly(self._text))

    def note_environment(self, environment: Any) -> None:
        """Keep the environment of the kernel, if it is more than declared."""
        if self._text.count(environment.env_name) > 1:
            self.environment = environment
        self._text = ""

    def finalize(self) -> None:
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """For functions that Numba compiles in its own way: with all that this kernel calls."""
        merged = self._final_module.clone()
        for library in closure(self)[1:]:
            module = library.module if isinstance(library, Part) else library._get_module_for_linking()
            merged.link_in(module, preserve=True)
        for symbols in (merged.functions, merged.global_variables):
            for symbol in symbols:
                if not symbol.is_declaration and symbol.linkage == llvm.Linkage.external:
                    symbol.linkage = "linkonce_odr"
        if any(function.is_declaration and function.name.startswith(UNIT) for function in merged.functions):
            raise errors.LoweringError("a kernel that needs others by their address can only be called by kernels")
        return merged

    @property
    def module(self) -> Any:
        """The module as it was lowered."""
        return self._final_module

    @property
    def needed(self) -> list[Any]:
        """The libraries of what it calls."""
        return self._linking_libraries


def closure(part: Part) -> list[Any]:
    """The library and all that it needs, each once."""
    found: dict[Any, None] = {part: None}
    waiting: list[Any] = [part]
    while waiting:
        one = waiting.pop()
        for library in one.needed if isinstance(one, Part) else ():
            if library not in found:
                found[library] = None
                waiting.append(library)
    return list(found)


class Whole(JITCodeLibrary):
    """A kernel that is called from outside, with everything it needs."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def link(self, part: Part, called: Iterable[str]) -> None:
        """Link a kernel's closure; all but the symbols `called` can then be inlined, specialised or dropped."""
        for library in closure(part):
            self._reload_init.update(library._reload_init)
            module = library.module if isinstance(library, Part) else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        outside = set(called)
        for symbols in (self._final_module.functions, self._final_module.global_variables):
            for symbol in symbols:
                name = symbol.name
                if not symbol.is_declaration and name not in outside and not name.startswith("llvm."):
                    symbol.linkage = "internal"

    def optimise(self) -> None:
        """Numba's passes, once for all that is linked."""
        self._optimize_final_module()
        self._final_module.verify()

    def load(self, object_code: bytes) -> None:
        """Take machine code from an earlier process."""
        self.enable_object_caching()
        self._set_compiled_object(object_code)
        self._finalize_final_module()

    def refuse_declared(self, prefix: str) -> None:
        """LoweringError where a function of that prefix is called and not there: LLVM would end the process."""
        for name in self.declared(prefix):
            raise errors.LoweringError(f"kernels call each other in a circle: {name}")

    def declared(self, prefix: str) -> list[str]:
        """The functions with that prefix that this library calls and hasn't got."""
        return [
            function.name
            for function in self._final_module.functions
            if function.is_declaration and function.name.startswith(prefix)
        ]

    def address(self, symbol: str) -> int:
        """The address of a function of this library."""
        return int(self._codegen._engine.get_function_address(symbol))


def announce_symbol(symbol: str, address: int) -> None:
    """Let machine code that is loaded from now on call this function by its name."""
    llvm.add_symbol(symbol, address)
