"""Kernels as Python objects: compiled when they are called, kept on disk by their content.

A kernel is compiled in two ways. Called from another kernel it is only lowered (see `lowering`), and linked into whatever
is called from outside. Called from Python, or as a unit (`once`), it is linked with all that it calls, optimised, made
machine code and kept. Other kernels call a unit by its symbol, which is named by its content, so that its machine code is
not made again for each of them; the symbol is always there before any code that calls it.
"""

import pickle
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

from numba import _dynfunc, types
from numba.core import errors, registry, sigutils, typing
from numba.core.compiler import compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.datamodel import models, register_default
from numba.core.environment import Environment, lookup_environment
from numba.core.funcdesc import ExternalFunctionDescriptor
from numba.core.registry import CPUDispatcher

from mahjong_env.compiled.digest import content_key
from mahjong_env.compiled.dispatch import MARKER
from mahjong_env.compiled.failures import Failures
from mahjong_env.compiled.libraries import ENTRY, PART, UNIT, Whole, announce_symbol, closure
from mahjong_env.compiled.lowering import ENVIRONMENT, WRAPPER, Lowered, called_by_kernel, lower_kernel
from mahjong_env.kernel_cache import Store


class Machine:
    """The machine code of a unit or an entry point in this process, and the Python objects that it uses."""

    def __init__(self, library: Whole, returns: Any, symbol: str, environments: list[Any]):
        self.library, self.returns, self.symbol, self.environments = library, returns, symbol, environments
        for environment in environments:
            _codegen().set_env(environment.env_name, environment)
        if symbol.startswith(UNIT):
            announce_symbol(symbol, library.address(symbol))


class Compiler:
    """Makes machine code of kernels, or finds it in the store."""

    def __init__(self, store: Store):
        self.store = store
        self.units: dict[str, Machine] = {}
        self.announced: set[str] = set()
        self.failures = Failures()

    def machine_code(self, kernel: "Kernel", arguments: tuple[Any, ...], unit: bool) -> Machine:
        """From this process, from the store, or compiled now."""
        key = content_key(kernel.py_func, arguments) + ("00" if unit else "01")
        found = self.units.get(key) or self._stored(key)
        if found is None:
            waiting = f"mahjong-env: waiting for another process that compiles {kernel.__name__}"
            with self.store.lock(key, waiting):
                found = self._stored(key) or self._compile(key, kernel, arguments, unit)
        self.units[key] = found
        return found

    def _stored(self, key: str) -> Machine | None:
        data = self.store.get(key)
        if data is None:
            return None
        try:
            units, symbol, object_code, returns, constants = pickle.loads(data)
        except Exception:  # damaged, or written by something else: as if it were not there
            return None
        for unit in units:
            if unit not in self.units:
                found = self._stored(unit)
                if found is None:
                    return None
                self.units[unit] = found
        library = Whole(_codegen(), symbol)
        library.load(object_code)
        return Machine(library, returns, symbol, [_environment(name, objects) for name, objects in constants])

    def _compile(self, key: str, kernel: "Kernel", arguments: tuple[Any, ...], unit: bool) -> Machine:
        self._announce(arguments)
        symbol = (UNIT if unit else ENTRY) + key
        lowered = kernel.lowered(arguments, symbol)
        library = Whole(_codegen(), symbol)
        library.enable_object_caching()
        environments = [part.environment for part in closure(lowered.part) if getattr(part, "environment", None)]
        outside = {environment.env_name for environment in environments}
        if unit:
            outside |= {symbol}
        else:
            with registry.cpu_target.target_context.push_code_library(library):
                registry.cpu_target.target_context.create_cpython_wrapper(
                    library, lowered.descriptor, lowered.environment, lowered.call_helper, release_gil=True
                )
            outside |= {WRAPPER + symbol, ENVIRONMENT + symbol}
            environments.append(lowered.environment)
        library.link(lowered.part, outside)
        library.optimise()
        library.refuse_declared(PART)
        library._finalize_final_module()
        machine = Machine(library, lowered.returns, symbol, environments)
        self._keep(key, machine)
        return machine

    def _keep(self, key: str, machine: Machine) -> None:
        """Store the machine code, unless it holds what only this process has."""
        library = machine.library
        if library.has_dynamic_globals or library._reload_init or MARKER in str(machine.returns):
            return
        units = [name.removeprefix(UNIT) for name in library.declared(UNIT)]
        try:
            constants = [(environment.env_name, list(environment.consts)) for environment in machine.environments]
            data = pickle.dumps((units, machine.symbol, library._get_compiled_object(), machine.returns, constants))
        except Exception:  # a constant that can't be pickled
            return
        self.store.put(key, data)

    def _announce(self, arguments: tuple[Any, ...]) -> None:
        """Say once on stderr that kernels are being compiled, so that a silent minute isn't taken for a hang."""
        for kind in arguments:
            record = getattr(kind, "dtype", kind)
            if isinstance(record, types.Record) and record.members[0][0].startswith(MARKER):
                variant = record.members[0][0].removeprefix(MARKER).rpartition("_")[0]
                if variant not in self.announced:
                    self.announced.add(variant)
                    print(
                        f"mahjong-env: compiling the rules of {variant} (up to a minute; kept {self.store.kept})",
                        file=sys.stderr,
                    )


def _codegen() -> Any:
    return registry.cpu_target.target_context.codegen()


def _environment(name: str, constants: list[Any]) -> Any:
    """The environment of that name, which all machine code that uses it shares."""
    found = lookup_environment(name)
    if found is None:
        found = Environment(globals())
        found.env_name = name
        found.consts[:] = constants
        Environment._memo[name] = found
    return found


class Callee(NamedTuple):
    """How other kernels call a kernel for some argument types."""

    signature: Any
    key: object


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function of the rules."""

    compiler: Compiler
    """Set once for all."""

    def __init__(self, function: Any, once: bool = False):
        options = {"nopython": True, "nogil": True, "error_model": "numpy"}
        super().__init__(function, targetoptions=options)
        self.once = once
        self._callees: dict[tuple[Any, ...], Callee] = {}
        self._under_way: set[tuple[Any, ...]] = set()

    # --- called from Python ---

    def compile(self, sig: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(sig)
        with global_compiler_lock:
            if arguments not in self.overloads:
                with self.compiler.failures.noted(self.py_func):
                    machine = self.compiler.machine_code(self, arguments, unit=False)
                self.add_overload(self._result(machine, arguments))
            return self.overloads[arguments].entry_point

    def _result(self, machine: Machine, arguments: tuple[Any, ...]) -> Any:
        module = sys.modules.get(self.py_func.__module__) or sys.modules[__name__]
        pointer = machine.library.address(WRAPPER + machine.symbol)
        function = _dynfunc.make_function(
            module, self.__name__, self.__doc__ or "", pointer, machine.environments[-1], (machine,)
        )
        return compile_result(
            typing_context=self.typingctx, target_context=self.targetctx, entry_point=function,
            library=machine.library, signature=typing.signature(machine.returns, *arguments), objectmode=False,
            environment=machine.environments[-1],
        )  # fmt: skip

    def _reduce_states(self) -> dict[str, Any]:
        return {"uuid": str(self._uuid), "function": self.py_func, "once": self.once}

    @classmethod
    def _rebuild(cls, uuid: str, function: FunctionType, once: bool) -> "Kernel":
        if uuid in cls._memo:
            return cls._memo[uuid]
        kernel = cls(function, once)
        kernel._set_uuid(uuid)
        return kernel

    def _compile_for_args(self, *arguments: Any, **keywords: Any) -> Any:
        return self.compiler.failures.explained(super()._compile_for_args, *arguments, **keywords)

    # --- called from other kernels ---

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba asks how to call this kernel with such arguments. Integers are passed as int64.

        Numba would compile it anew for every constant and every width it is called with.
        """
        if self.once and not called_by_kernel():
            raise errors.TypingError(f"{self.__name__} is called by its address, which only compiled kernels know")
        signature, arguments = self.fold_argument_types(args, kws)
        callee = self.callee(arguments)
        name = f"CallTemplate({self.__name__})"
        template = typing.make_concrete_template(name, key=self.__name__, signatures=[callee.signature])
        return template, signature, callee.signature.args, {}

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        plain = tuple(types.unliteral(kind) for kind in args)
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        signature, folded = super().fold_argument_types(plain, named)
        return signature, tuple(types.int64 if isinstance(kind, types.Integer) else kind for kind in folded)

    def get_overload(self, sig: Any) -> object:
        arguments, _ = sigutils.normalize_signature(sig)
        return self._callees[tuple(arguments)].key

    def callee(self, arguments: tuple[Any, ...]) -> Callee:
        """The kernel for these types, lowered or as a unit."""
        if arguments not in self._callees:
            if arguments in self._under_way:
                raise errors.TypingError(f"{self.__name__} is called again by a kernel that it calls")
            self._under_way.add(arguments)
            try:
                with self.compiler.failures.noted(self.py_func):
                    self._callees[arguments] = self._as_unit(arguments) if self.once else self._as_part(arguments)
            finally:
                self._under_way.discard(arguments)
        return self._callees[arguments]

    def lowered(self, arguments: tuple[Any, ...], symbol: str) -> Lowered:
        """The kernel, which may call itself, as LLVM's module under that symbol."""
        with self._compiling_counter:
            return lower_kernel(self.py_func, arguments, symbol)

    def _as_unit(self, arguments: tuple[Any, ...]) -> Callee:
        machine = self.compiler.machine_code(self, arguments, unit=True)
        descriptor = ExternalFunctionDescriptor(machine.symbol, machine.returns, arguments)
        return self._insert_callee(descriptor, machine.returns, arguments, [])

    def _as_part(self, arguments: tuple[Any, ...]) -> Callee:
        lowered = self.lowered(arguments, f"{PART}{self.__name__}_{content_key(self.py_func, arguments)}")
        return self._insert_callee(lowered.descriptor, lowered.returns, arguments, [lowered.part])

    def _insert_callee(self, descriptor: Any, returns: Any, arguments: tuple[Any, ...], libraries: list[Any]) -> Callee:
        callee = Callee(typing.signature(returns, *arguments), object())
        self.targetctx.insert_user_function(callee.key, descriptor, libraries)
        return callee


class Question(types.Function):  # type: ignore[misc]
    """The type of a hook: what stands for it is a kernel chosen by the record it is called with."""

    def __init__(self, function: Any, choose: Callable[[str], Any]):
        template = type(function.__name__, (typing.templates.AbstractTemplate,), {"key": function})
        super().__init__(template)
        self._choose = choose
        self._chosen: dict[tuple[Any, ...], object] = {}

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        game = args[0] if args else None
        if not isinstance(game, types.Record):
            raise errors.TypingError(f"the first argument of {self.typing_key.__name__} must be a game")
        marker = next((name for name in game.fields if name.startswith(MARKER)), "")
        try:
            kernel = self._choose(marker)
        except KeyError:
            raise errors.TypingError(f"the variant has no {self.typing_key.__name__}") from None
        signature = types.Dispatcher(kernel).get_call_type(context, args, kws)
        self._chosen[signature.args] = kernel.get_overload(signature.args)
        return signature

    def get_impl_key(self, sig: Any) -> object:
        return self._chosen[sig.args]


register_default(Question)(models.OpaqueModel)


def declare_question(function: Any, choose: Callable[[str], Any]) -> None:
    """Let kernels call `function` as what `choose` gives for their record's marker."""
    registry.cpu_target.typing_context.insert_global(function, Question(function, choose))
