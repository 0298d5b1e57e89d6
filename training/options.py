"""A script's options: a dataclass with a sentence under each field, turned into command-line options."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import MISSING, fields
from itertools import pairwise
from typing import Annotated, Any, get_type_hints

import typer


def sentences(options: type) -> dict[str, str]:
    """The sentence under each field."""
    body = ast.parse(textwrap.dedent(inspect.getsource(options))).body[0].body  # type: ignore[attr-defined]
    found = {}
    for field, below in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            found[ast.unparse(field.target)] = " ".join(str(ast.literal_eval(below.value)).split())
    return found


def run_script(script: Callable[[Any], None], options: type) -> None:
    """Read the command line into `options` and call `script` with them."""
    kinds, about = get_type_hints(options), sentences(options)

    def command(**given: Any) -> None:
        try:
            chosen = options(**given)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        script(chosen)

    command.__doc__ = inspect.getdoc(inspect.getmodule(script))
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=Annotated[kinds[field.name], typer.Option(help=about[field.name])],
                default=inspect.Parameter.empty if field.default is MISSING else field.default,
            )
            for field in fields(options)
        ]
    )
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command()(command)
    app()
