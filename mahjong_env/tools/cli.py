"""`mahjong-env …`: variants, matches, replays, speed, long checks. Results can be had as JSON; bad input is one clear line."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from mahjong_env.envs.registration import find_variant, load_variant
from mahjong_env.play.game import Game, Record
from mahjong_env.rules.registry import get_variant, parse_settings, path_of, variant_names

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, help=__doc__)

VariantName = Annotated[str, typer.Argument(help="A variant's name, or the path of a variant file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def variants(
    name: Annotated[str | None, typer.Argument(help="A variant's name or path; none lists all.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the variants, or describe one: presets, options, actions, observation."""
    from mahjong_env.play.description import describe

    if name is None:
        print(json.dumps(variant_names()) if as_json else "\n".join(variant_names()))
        return
    described = describe(find_variant(name))
    print(json.dumps(described.to_dict(), ensure_ascii=False) if as_json else described)


@app.command()
def match(
    variant: VariantName,
    agents: Annotated[
        list[str],
        typer.Argument(
            help="One a seat: random, greedy, expert, module:Class, or a saved policy; or two with --format."
        ),
    ],
    deals: Annotated[int, typer.Option(help="Each is played once per distinct seating.")] = 200,
    seed: Annotated[int, typer.Option(help="The deals are a function of it.")] = 0,
    format: Annotated[str | None, typer.Option(help="1vN, 2v2 or all.")] = None,
    preset: Annotated[str | None, typer.Option(help="One of the variant's presets.")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", help="option=value; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a duplicate match and print points per hand with 95 % intervals."""
    from mahjong_env.tools import arena

    name = find_variant(variant)
    result = arena.match(
        name, agents, deals, seed, preset, format, parse_settings(name, settings or []), progress=not as_json
    )
    if as_json:
        print(json.dumps(result.to_dict()))
    else:
        arena.print_table(result)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A file of records, one game a line.")],
    load: Annotated[
        list[Path] | None, typer.Option(help="The file of a variant that the games are of; may be repeated.")
    ] = None,
    game: Annotated[int | None, typer.Option(help="Just the file's N-th game, from 1.")] = None,
    ply: Annotated[int | None, typer.Option(help="The table after that many decisions; all by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Verify recorded games by the rules; print a game's table and outcome, or a line for each of several."""
    from mahjong_env.play.game import read_records

    for path in load or []:
        load_variant(path)
    if game is not None and game < 1:
        raise ValueError(f"--game {game} is not possible; games are counted from 1")
    numbered = list(enumerate(read_records(file, game), start=1 if game is None else game))
    if not numbered:
        raise ValueError(f"{file} holds no game{'' if game is None else f' {game}'}")
    if ply is not None and len(numbered) > 1:
        raise ValueError(f"--ply needs --game; {file} holds games 1 to {len(numbered)}")
    tables = [(number, record, record.verify()) for number, record in numbered]
    if ply is not None:
        tables = [(number, record, record.replay(ply)) for number, record in numbered]
    if as_json:
        print(json.dumps([replayed(*table) for table in tables], ensure_ascii=False))
    elif len(tables) == 1:
        _, record, table = tables[0]
        print(f"{len(table.history)} of {len(record.actions)} decisions\n{table}")
    else:
        for number, record, table in tables:
            points = " ".join(f"{p:+d}" for p in table.points)
            print(f"{number}: {record.variant} {record.preset}, {len(record.actions)} decisions, points {points}")


def replayed(number: int, record: "Record", table: "Game") -> dict[str, Any]:
    """A replayed game as plain values: what it was, and how it stands."""
    return {
        "game": number,
        "variant": record.variant,
        "preset": record.preset,
        "options": record.options,
        "decisions": len(record.actions),
        "ply": len(table.history),
        "to_act": table.to_act,
        "legal": table.legal_names(),
        "points": table.points.tolist(),
        "next_dealer": table.next_dealer,
        "outcome": asdict(table.outcome),
    }


@app.command()
def bench(
    name: Annotated[
        str | None, typer.Argument(help="A variant's name or path, or `hands`; none means all variants.")
    ] = None,
    peers: Annotated[bool, typer.Option(help="Also measure other people's libraries that are installed.")] = False,
    preset: Annotated[str | None, typer.Option(help="One of the variant's presets.")] = None,
    seconds: Annotated[float, typer.Option(help="For each figure.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure how fast a variant is played in every way, or how fast questions about hands are answered."""
    if name == "hands":
        from mahjong_env.tools.bench_hands import bench as bench_hands
        from mahjong_env.tools.bench_hands import table

        rows = bench_hands(peers=peers)
        print(json.dumps([row._asdict() for row in rows]) if as_json else table(rows))
        return
    from mahjong_env.tools import bench as bench_module

    chosen = [find_variant(name)] if name is not None else list(variant_names())
    reports = [bench_module.bench(variant, preset, seconds, peers) for variant in chosen]
    if as_json:
        print(json.dumps([report.to_dict() for report in reports]))
        return
    for report in reports:
        bench_module.print_table(report)


@app.command()
def check(
    variant: VariantName,
    hands: Annotated[int, typer.Option(help="At least as many are played.")] = 1_000_000,
    preset: Annotated[str | None, typer.Option(help="One of the variant's presets.")] = None,
    seed: Annotated[int, typer.Option(help="All play is a function of it.")] = 0,
    settings: Annotated[list[str] | None, typer.Option("--set", help="option=value; may be repeated.")] = None,
    failed: Annotated[Path, typer.Option(help="Where the record of a hand that fails is appended.")] = Path(
        "check-failed.jsonl"
    ),
) -> None:
    """Play at random and check after every decision what holds of any game; exit code 1 if something doesn't."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from mahjong_env.tools.check import check as check_variant

    name = find_variant(variant)
    options = parse_settings(name, settings or [])
    bar = Progress(BarColumn(), MofNCompleteColumn(), "hands", TimeRemainingColumn(), console=Console(stderr=True))
    with bar:
        task = bar.add_task("checking", total=hands)
        result = check_variant(
            name, hands, preset, seed, progress=lambda finished: bar.update(task, completed=finished), **options
        )
    played = f"{result.hands:,} hands, {result.decisions:,} decisions, {result.sampled:,} tables by Python"
    print(f"{result.variant} {result.preset}, seed {seed}: {played}")
    if result.failure is not None:
        print(f"mahjong-env: {result.failure}", file=sys.stderr)
        if result.failure.record is not None:
            result.failure.record.write(failed)
            print(f"see it with: {replay_command(failed, name)}", file=sys.stderr)
        raise typer.Exit(1)


def replay_command(file: Path, variant: str) -> str:
    """What shows the last game of a file of records, in plain mode, where an error leads to its line."""
    number = sum(1 for _ in file.open(encoding="utf-8"))
    path = path_of(variant)
    loaded = f" --load {path}" if path is not None else ""
    return f"NUMBA_DISABLE_JIT=1 mahjong-env replay {file} --game {number}{loaded}"


@app.command(name="compile")
def compile_variants(
    names: Annotated[
        list[str] | None, typer.Argument(help="Variants; none means all that come with the package.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Compile that many variants at a time.")] = 2,
) -> None:
    """Compile variants ahead of their first use; the machine code is kept in the user's cache."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from mahjong_env.tools.precompile import precompile

    chosen = [name if Path(name).exists() else get_variant(name).name for name in names or variant_names()]
    if len(chosen) == 1 or jobs == 1:
        for name in chosen:
            print(f"{name}: compiled, kept {precompile(find_variant(name))}")
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for name, kept in zip(chosen, pool.map(precompile, chosen), strict=True):
            print(f"{name}: compiled, kept {kept}")


def main() -> None:
    """Run the command line; errors of input end it with one line and exit code 2."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except typer.Abort:
        sys.exit(130)
    except typer.TyperException as error:
        print(f"mahjong-env: {error.format_message()}", file=sys.stderr)
        sys.exit(error.exit_code)
    except (ValueError, OSError) as error:
        print(f"mahjong-env: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
