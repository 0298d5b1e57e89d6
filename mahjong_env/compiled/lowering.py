"""The passes that turn one kernel into LLVM's language."""

from types import FunctionType
from typing import Any, NamedTuple

from numba.core import compiler, errors, registry
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, PassManager, _pass_registry, register_pass
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import AnnotateTypes, DumpParforDiagnostics, NativeLowering, NoPythonBackend

from mahjong_env.compiled.libraries import Part

ENVIRONMENT, WRAPPER = "env.", "python."
"""Prefixes of the global that holds what the Python wrapper of a kernel needs, and of that wrapper."""


class KernelDescriptor(PythonFunctionDescriptor):  # type: ignore[misc]
    """A kernel by its symbol."""

    @property
    def llvm_cpython_wrapper_name(self) -> str:
        return WRAPPER + str(self.mangled_name)


class Lowered(NamedTuple):
    """A kernel for some argument types, ready to be linked."""

    descriptor: Any
    returns: Any
    environment: Any
    call_helper: Any
    part: Part


class KernelLower(Lower):  # type: ignore[misc]
    """Numba's lowering, but for a kernel that calls itself, which it knows by a symbol of its own making."""

    def _lower_call_RecursiveCall(self, fnty: Any, expr: Any, signature: Any) -> Any:  # noqa: N802
        function = fnty.dispatcher_type.dispatcher.py_func
        if function is not self.func_ir.func_id.func or tuple(signature.args) != tuple(self.fndesc.argtypes):
            raise errors.LoweringError(f"{function.__name__} is called again by a kernel that it calls", self.loc)
        arguments = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        return self.context.call_internal(self.builder, self.fndesc, signature, arguments)


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(LoweringPass):
    """Lowers into a part under the symbol that the kernel's content gives it; no wrappers, no machine code."""

    _name = "mahjong_kernel_lowering"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        context, library, symbol = state.targetctx, state.library, state.symbol

        def mangle(name: str, *_: Any, **__: Any) -> str:
            return (ENVIRONMENT if name.startswith(".NumbaEnv.") else "") + symbol

        descriptor = KernelDescriptor.from_specialized_function(
            state.func_ir, state.typemap, state.return_type, state.calltypes,
            mangler=mangle, inline=False, noalias=False, abi_tags=(),
        )  # fmt: skip
        with context.push_code_library(library):
            lower = KernelLower(context, library, descriptor, state.func_ir, metadata=state.metadata)
            lower.lower()
        library._reload_init.update(state.reload_init)
        library.note_environment(lower.env)
        library.finalize()
        state.cr = Lowered(descriptor, state.return_type, lower.env, lower.call_helper, library)
        return True


class Passes(PassManager):  # type: ignore[misc]
    """Runs passes as Numba does, but tells nobody (it writes the type of the record out for each), and looks after the
    code's graph only where a pass has changed it."""

    @global_compiler_lock
    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:  # noqa: N802
        pss.analysis = self._analysis
        with errors.new_error_context("Pass {name}", name=pss.name()):  # type: ignore[attr-defined]
            steps = (pss.run_initialization, pss.run_pass, pss.run_finalizer)
            changed = [step(internal_state) for step in steps]
        if any(changed) and _pass_registry.get(pss.__class__).mutates_CFG:
            PostProcessor(internal_state.func_ir).run()


class KernelCompiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's passes with the one above in place of its own lowering."""

    def define_pipelines(self) -> list[Any]:
        builder = compiler.DefaultPassBuilder
        manager = Passes("nopython")
        manager.passes.extend(builder.define_untyped_pipeline(self.state).passes)
        manager.passes.extend(builder.define_typed_pipeline(self.state).passes)
        for one, text in builder.define_nopython_lowering_pipeline(self.state).passes:
            if one is NativeLowering:
                manager.add_pass(KernelLowering, "kernel lowering")
            elif one not in (NoPythonBackend, AnnotateTypes, DumpParforDiagnostics):
                manager.add_pass(one, text)
        manager.finalize()
        return [manager]


def flags() -> Any:
    """How kernels are compiled: without the GIL, with NumPy's division, and without counting references: they allocate
    nothing, and whoever calls them holds what they are called with. (With counting, Sichuan's random play ran at 55 % of
    the speed.)"""
    chosen = compiler.Flags()
    chosen.error_model = "numpy"
    chosen.release_gil = True
    chosen.no_cpython_wrapper = True
    chosen.no_cfunc_wrapper = True
    return chosen


_under_way: list[FunctionType] = []


def called_by_kernel() -> bool:
    """Whether the function that Numba is typing is a kernel, and not one that it compiles in its own way."""
    frames = registry.cpu_target.typing_context.callstack
    return bool(_under_way) and len(frames) > 0 and frames[0].func_id.func is _under_way[-1]


def lower_kernel(function: FunctionType, arguments: tuple[Any, ...], symbol: str) -> Lowered:
    """Lower a kernel, and whatever it calls that has not been lowered yet."""
    typing, context = registry.cpu_target.typing_context, registry.cpu_target.target_context
    library = Part(context.codegen(), function.__qualname__)
    passes = KernelCompiler(typing, context, library, arguments, None, flags(), {})
    passes.state.symbol = symbol
    _under_way.append(function)
    try:
        return passes.compile_extra(function)
    finally:
        _under_way.pop()
