"""Where variants are found: those of the package by name, a stranger's by its file; loaded and checked once.

A variant is one file, or a folder of its name, with a constant `VARIANT` and, as functions of the module, the answers in
which it differs from the defaults (`hooks.py`).
"""

import importlib
import importlib.util
import os
import pkgutil
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from mahjong_env.compiled import source_digest
from mahjong_env.compiled.dispatch import Implementations, register
from mahjong_env.rules.answers import all_answers
from mahjong_env.rules.definition import problems_of
from mahjong_env.rules.errors import VariantError
from mahjong_env.rules.table import mapped_masks, same_mask
from mahjong_env.rules.variant import Variant, answers_of

INHERITED = "MAHJONG_ENV_VARIANTS"
"""Environment variable with the paths of variants loaded from elsewhere, by which worker processes have them too."""

_loaded: dict[str, Variant] = {}
_paths: dict[str, Path] = {}
"""Where variants from elsewhere stand, by name."""
_shelf: list[str] = []
"""The package whose modules are the bundled variants."""


def bundle(package: str) -> None:
    """Say which package holds the bundled variants."""
    _shelf[:] = [package]


def bundled_names() -> set[str]:
    """The names of the variants that come with the package."""
    spec = importlib.util.find_spec(_shelf[0]) if _shelf else None
    found = pkgutil.iter_modules(spec.submodule_search_locations) if spec is not None else ()
    return {module.name for module in found}


def inherited_variants() -> list[Path]:
    """The files and folders that a parent process has loaded variants from, those that are still there."""
    return [path for path in map(Path, os.environ.get(INHERITED, "").split(os.pathsep)) if path.name and path.exists()]


def variant_names() -> tuple[str, ...]:
    """The names of the variants that come with the package and of those loaded from elsewhere, sorted."""
    return tuple(sorted(bundled_names() | set(_loaded)))


def get_variant(name: str) -> Variant:
    """The variant called `name`; ValueError listing those there are."""
    if name not in _loaded:
        if name not in variant_names():
            raise ValueError(
                f"no variant {name!r}; there are {', '.join(variant_names())}; one's own is loaded by"
                " load_variant(path), on the command line by its path or by --load"
            )
        module = importlib.import_module(f"{_shelf[0]}.{name}")
        file = Path(module.__file__ or "")
        _adopt(module, sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file])
    return _loaded[name]


def choose_rules(name: str, preset: str | None, given: Mapping[str, Any]) -> tuple[Variant, str, dict[str, Any]]:
    """The variant at a table of the size that the options say, the preset's name, and every option's value.

    ValueError naming what is unknown or doesn't go together, and what is allowed.
    """
    rules = get_variant(name)
    preset, options = rules.choose_options(preset, given)
    return rules.seated(options), preset, options


def path_of(name: str) -> Path | None:
    """Where a variant that was loaded from elsewhere stands; None for one of the package."""
    return _paths.get(name)


def load_variant(path: str | Path) -> str:
    """Load and check the variant of a file, or a folder with `__init__.py`; see `mahjong_env.load_variant`."""
    path = Path(path).expanduser().resolve()
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise VariantError(f"no variant file at {path}")
    if file.suffix != ".py":
        raise VariantError(
            f"{path} is no Python file; a variant is a file that ends with .py, or a folder with __init__.py"
        )
    sources = sorted(path.rglob("*.py")) if path.is_dir() else [file]
    digest = source_digest(sources)
    for name, where in _paths.items():
        if where == path and _loaded[name].digest == digest:
            return name
    module = _run(path, file, digest)
    try:
        variant = _adopt(module, sources)
    except BaseException:
        _forget(module.__name__)
        raise
    _paths[variant.name] = path
    inherited = os.environ.get(INHERITED, "").split(os.pathsep)
    if str(path) not in inherited:
        os.environ[INHERITED] = os.pathsep.join(filter(None, [*inherited, str(path)]))
    return variant.name


def _run(path: Path, file: Path, digest: str) -> ModuleType:
    """Run a stranger's file as a module of its own; VariantError with the file's line for whatever it raises.

    The module's name holds the digest, so that an edited file is a module of its own beside the older one.
    """
    name = f"mahjong_variant_{path.stem}_{digest}"
    folder = [str(path)] if path.is_dir() else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folder)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except VariantError:
        _forget(name)
        raise
    except SyntaxError as error:
        _forget(name)
        raise VariantError(f"{error.filename}, line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        _forget(name)
        inside = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if Path(frame.filename) in (file, *path.rglob("*.py"))
        ]
        where = f"{inside[-1].filename}, line {inside[-1].lineno}" if inside else str(file)
        raise VariantError(f"{where}: {type(error).__name__}: {error}") from error
    return module


def _forget(name: str) -> None:
    """A module that couldn't be loaded, and its parts."""
    for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
        del sys.modules[known]


def _adopt(module: ModuleType, sources: list[Path]) -> Variant:
    """Check the module's VARIANT and make it playable."""
    variant = getattr(module, "VARIANT", None)
    if not isinstance(variant, Variant):
        raise VariantError(f"{module.__file__} has no constant VARIANT of type Variant")
    variant.module = module
    variant.digest = source_digest(sources)
    name = getattr(variant, "name", None)
    is_ours = bool(_shelf) and module.__name__.startswith(f"{_shelf[0]}.")
    if not is_ours and name in bundled_names():
        raise VariantError(f"there is a bundled variant {name!r}; give yours, in {module.__file__}, another name")
    other = _paths.get(name) if isinstance(name, str) else None
    if other is not None and other not in (Path(module.__file__ or ""), Path(module.__file__ or "").parent):
        raise VariantError(f"there is a variant {name!r} already, of {other}; give yours another name")
    problems = problems_of(variant, with_laws=not is_ours)
    if problems:
        raise VariantError(f"variant {name!r} of {module.__file__} can't be loaded:\n- " + "\n- ".join(problems))
    hooks, plain = all_answers(variant)
    variant.kernels, variant.answers = hooks, answers_of(plain)
    masks = mapped_masks() if variant.tiles.is_compact else {"standard_mask": same_mask, "own_mask": same_mask}
    marker = (variant.dtype.names or ("",))[0]
    register(marker, Implementations(hooks | variant.cycle.kernels | masks, variant.tables))
    _loaded[variant.name] = variant
    return variant


def like(other: str, /, **changes: Any) -> Variant:
    """A variant that is another one with changes: what isn't given is the other's, and so is every function that the file
    which says `VARIANT = like(...)` doesn't answer itself.

    changes: fields of `Variant`, of which `name` and `title` have to be given; mappings (presets, details, …) replace the
    other's. The other's functions are at hand as `get_variant(other).kernels[…]`, or imported from its file.
    """
    base = get_variant(other)
    given = {field: getattr(base, field) for field in Variant.__dataclass_fields__ if field not in OWN_FIELDS}
    return Variant(**(given | changes | {"base": base}))


OWN_FIELDS = ("name", "title", "version", "base", "module", "digest", "answers", "kernels")
"""Fields of a variant that one made from it states anew, or that are set when it is loaded."""


def parse_settings(variant: str, settings: list[str]) -> dict[str, Any]:
    """`option=value` texts as option values; ValueError naming the option and what it takes."""
    known = get_variant(variant).settings
    chosen: dict[str, Any] = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--set {text!r} must be option=value")
        if name not in known:
            raise ValueError(f"{variant} has no option {name!r}; its options are {', '.join(known)}")
        chosen[name] = known[name].parse(name, value)
    return chosen
