"""`steel reproduce`: the paper's tables and figures, compared with the printed ones."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, Unpack

import click

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed
from steel_verified.baselines.ac_state.protocol import Protocol, runs
from steel_verified.cli.arguments import whole
from steel_verified.cli.console import report
from steel_verified.cli.jobs import HowToRun, make_folder, sweep_options, swept
from steel_verified.evidence.files import write_atomically
from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS, Pair
from steel_verified.experiments.registry import TABLE2, TABLE3
from steel_verified.experiments.seeded_runs import from_all_starts, seeded_study
from steel_verified.experiments.table1.study import table1_study
from steel_verified.learning import certain
from steel_verified.learning.factored import Factored
from steel_verified.learning.located import rounds
from steel_verified.progress import progress_bar
from steel_verified.reports import comparison
from steel_verified.reports.ac_state_tables import ratios, table3_ac_state, table4
from steel_verified.reports.comparison import Reproduction, recorded
from steel_verified.reports.method_tables import (
    located_table2,
    located_table3,
    three_methods_table2,
    three_methods_table3,
)
from steel_verified.reports.reproducibility import page
from steel_verified.reports.steel_tables import table2, table3
from steel_verified.reports.table1 import REMARKS
from steel_verified.reports.table1 import tables as tables_of_table1
from steel_verified.reports.tables import Prose, Table, records
from steel_verified.sweeps.study import Row, at_once, side_by_side
from steel_verified.using.learn import learn
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.locks import Locks
from steel_verified.worlds.runs import method_named, predict, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from steel_verified.baselines.ac_state.trajectories import Policy
    from steel_verified.evidence.codec import Json
    from steel_verified.learning.drive import LearnerState
    from steel_verified.reports.figures.gallery import RunsShown
    from steel_verified.reports.figures.measured import Panel

P = ParamSpec("P")
R = TypeVar("R")

_QUICK: Final[tuple[Pair, ...]] = ((3, 5), (5, 7), (11, 13))
"""The pairs for which AC-State's protocol takes only minutes; `table3 --help` lists the others."""


_PAIRS: Final = {f"{p},{q}": (p, q) for p, q in PRIME_LOOPS}


def pair_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add the options that choose the pairs and the number of runs of AC-State's protocol."""
    for option in (
        click.option(
            "--repeats",
            type=whole(1, 99),
            default=1,
            show_default=True,
            help="Number of runs of AC-State's protocol, each with new trajectories.",
        ),
        click.option(
            "--pair",
            "pairs",
            type=click.Choice(list(_PAIRS)),
            multiple=True,
            help="A pair of primes; can be given several times.",
        ),
    ):
        command = option(command)
    return command


_EXIT_CODES: Final = (
    "Exit codes: 0 printed or written, 1 a run failed or an extra is missing, 2 an argument is "
    "missing or not allowed, 130 interrupted by Ctrl-C (finished runs are kept)."
)


@click.group("reproduce", epilog=_EXIT_CODES)
def reproduce_command() -> None:
    """Rerun the paper's experiments, and show our numbers beside the printed ones.

    Finished runs are saved as JSON lines, so an interrupted command can be continued. The rows do
    not depend on the number of workers.
    """


@reproduce_command.command("table1", short_help="Table 1: every method on a world for each column.")
@sweep_options
def table1_command(**how: Unpack[HowToRun]) -> None:
    """Table 1, as a measurement: how often each method is right on a small world for each column.

    STEEL (looped, located and certain), PPE, AC-State, ACDF and ExoRL run 100 times on each small
    world, and 20 times on a combination lock. If a method needs resets and the world has none, it
    gets pseudo-episodes. The table shows the printed marks beside the counts. The last table
    compares the steps of PPE with resets and of STEEL without them on the same lock. All runs take
    some ten minutes on one core.

    \b
    Examples:
      steel reproduce table1 --recorded
      steel reproduce table1 --jobs 8 --results runs
    """
    made = tables_of_table1(swept(table1_study(), "table1", how))
    _show([], how, *made, remarks=REMARKS)


@reproduce_command.command("table2", short_help="Table 2: STEEL on the locks and the multi-maze.")
@sweep_options
def table2_command(**how: Unpack[HowToRun]) -> None:
    """Table 2: STEEL on the combination locks and the multi-maze, 160 runs.

    The same runs are repeated with located and with certain STEEL, and shown in separate tables.

    \b
    Examples:
      steel reproduce table2
      steel reproduce table2 --jobs 8 --results runs
      steel reproduce table2 --cluster tcp://10.0.0.1:8786
    """
    # Start the longest runs first, so that no worker is still busy with one at the end.
    groups = [group for column in reversed(TABLE2) for group in (column.fixed, column.variable)]
    rows = swept(seeded_study("looped", groups, accepts), "table2", how)
    of_located = swept(seeded_study("located", groups, accepts), "located", how)
    of_certain = swept(seeded_study("certain", groups, accepts), "certain", how)
    own = three_methods_table2(rows, of_located, of_certain), located_table2(rows, of_located)
    _show([table2(rows)], how, *own)


@reproduce_command.command("table3", short_help="Table 3: STEEL and AC-State on the prime loops.")
@click.option("--ac-state", is_flag=True, help="Run AC-State's protocol too.")
@pair_options
@sweep_options
def table3_command(
    *, ac_state: bool, pairs: tuple[str, ...], repeats: int, **how: Unpack[HowToRun]
) -> None:
    """Table 3: STEEL on the prime loops, 240 runs; and AC-State beside it.

    The same runs are repeated with located and with certain STEEL, and shown in separate tables.

    AC-State's protocol takes a minute or two of CPU time for the pairs up to 11,13, some minutes
    for 17,19, about a quarter of an hour for 29,31 and about two hours for 41,43. Each trajectory
    is saved when it is finished, so a long run can be stopped and continued, here or on a cluster.

    \b
    Examples:
      steel reproduce table3
      steel reproduce table3 --ac-state --pair 3,5 --repeats 10
    """
    if ac_state:
        _check_extra(how)
    chosen = [column for column in reversed(TABLE3) if column.pair in _chosen(pairs, PRIME_LOOPS)]
    groups = [group for column in chosen for group in (column.double, column.single)]
    starts = at_once(from_all_starts(column.pair) for column in chosen)
    rows = swept(side_by_side([starts, seeded_study("looped", groups, accepts)]), "table3", how)
    of_located = swept(seeded_study("located", groups, accepts), "located", how)
    of_certain = swept(seeded_study("certain", groups, accepts), "certain", how)
    tables = [table3(rows)]
    if ac_state:
        of_ac_state = _ac_state(_chosen(pairs, _QUICK), ["uniform"], repeats, how)
        tables += [table3_ac_state(of_ac_state), ratios(of_ac_state, rows)]
    own = three_methods_table3(rows, of_located, of_certain), located_table3(rows, of_located)
    _show(tables, how, *own)


@reproduce_command.command("table4", short_help="Table 4: AC-State with two policies.")
@pair_options
@sweep_options
def table4_command(*, pairs: tuple[str, ...], repeats: int, **how: Unpack[HowToRun]) -> None:
    """Table 4: AC-State with the uniform policy and with the exploring policy.

    \b
    Example:
      steel reproduce table4 --pair 3,5 --pair 5,7 --repeats 5
    """
    chosen = _chosen(pairs, _QUICK)
    if missing := [f"{p},{q}" for p, q in chosen if (p, q) not in EXPLORATION]:
        raise click.BadParameter(f"Table 4 has no column {missing[0]}.", param_hint="--pair")
    _check_extra(how)
    rows = _ac_state(chosen, ["uniform", "exploration"], repeats, how)
    _show([table4(rows)], how)


@reproduce_command.command("figures", short_help="Draw the paper's figures from real runs.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("figures"),
    show_default=True,
    metavar="FOLDER",
    help="The folder to write to.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["svg", "pdf", "png"]),
    default="svg",
    show_default=True,
    help="The file format.",
)
@click.option("--animate", is_flag=True, help="Also animate Figure 1, as .html.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="A folder with runs of AC-State for the search of K [the recorded runs].",
)
def figures_command(*, output: Path, kind: str, animate: bool, results: Path | None) -> None:
    """Draw the paper's figures from real runs and schedules, each with its caption.

    \b
    Figure 1      the grid, discovered cycle by cycle
    Figures 2, 4  when CycleFind takes its samples
    Figure 3      the simulated worlds;  5, 6 the prime loops
    Figures 7, 8  AC-State's search for K, with each policy
    Others        steps by size of each method; how located and certain explore a lock

    `steel draw WORLD --animate` animates the discovery of any world.
    """
    # Imported here because they need an extra and take a second to load.
    from steel_verified.reports.figures.discovery import animated, discovery  # noqa: PLC0415
    from steel_verified.reports.figures.gallery import all_figures  # noqa: PLC0415
    from steel_verified.reports.figures.measured import searches  # noqa: PLC0415
    from steel_verified.reports.figures.style import as_bytes  # noqa: PLC0415

    rows = recorded("ac_state", results)
    shown = runs_shown()
    made = all_figures(
        shown,
        searches=searches(rows, "uniform"),
        exploring=searches(rows, "exploration"),
        by_size=steps_by_size(),
    )
    make_folder(output, "output")
    written = []
    with progress_bar("figures", len(made)) as advance:
        for name, exhibit in made.items():
            file = output / f"{name}.{kind}"
            write_atomically(file, as_bytes(exhibit.make(), file.suffix))
            written.append(f"{file}: {exhibit.caption}")
            advance(len(written), len(made))
    if animate:
        file = output / "figure-1-discovery.html"
        grid = instance("grid", 0)
        write_atomically(file, animated(grid, discovery(grid, shown.grid)))
        written.append(f"{file}: the same in motion.")
    for line in written:
        click.echo(line)


def runs_shown() -> RunsShown:
    # Imported here because they need an extra.
    from steel_verified.reports.figures import gallery  # noqa: PLC0415
    from steel_verified.reports.figures.measured import Deciding  # noqa: PLC0415

    lock = instance("combination-lock", 0)
    result, info = run(lock, method_named("located", lock), 0)
    until = rounds(result.ledger)[0].at
    deciding: list[Deciding] = []

    def look(state: LearnerState) -> None:
        if isinstance(state, certain.State) and state.known.decided_at in (None, state.known.steps):
            taken = sum(to is not None for row in state.model.table for to in row)
            left = state.known.knowledge.left.bit_count()
            deciding.append(Deciding(state.known.steps, left, taken))

    run(lock, method_named("certain", lock), 0, watch=look)
    locks = Locks(6, 10)
    functions = locks.functions()
    factors = learn(locks, functions, Factored(functions.class_size, locks.actions))
    grid = predict(instance("grid", 0))
    return gallery.RunsShown(grid, info.growth, until, tuple(deciding), factors)


def steps_by_size() -> tuple[Panel, Panel]:
    from steel_verified.reports.figures.measured import panels  # noqa: PLC0415 (it needs an extra)

    looped = {**recorded("table2"), **recorded("table3")}
    return panels(looped=looped, located=recorded("located"), certain=recorded("certain"))


@reproduce_command.command("page", short_help="Print reproducibility.md.")
def page_command() -> None:
    """Print reproducibility.md: every printed number beside ours, from the recorded runs."""
    click.echo(page(), nl=False)


for _command in reproduce_command.commands.values():
    _command.epilog = _EXIT_CODES


def accepts(certificate: bytes) -> bool:
    """Whether the independent checker accepts a certificate."""
    try:
        return not judged(certificate).findings
    except Malformed:
        return False


def _chosen(pairs: tuple[str, ...], usual: Iterable[Pair]) -> list[Pair]:
    return [_PAIRS[pair] for pair in pairs] or list(usual)


def _check_extra(how: HowToRun) -> None:
    """Raise `MissingExtra` before anything is run, if AC-State is to be run without Numba."""
    if not how["shipped"]:
        import_module("steel_verified.baselines.ac_state.gains")


def _ac_state(
    pairs: list[Pair], policies: list[Policy], times: int, how: HowToRun
) -> Mapping[str, Row]:
    protocols = [Protocol(pair, policy) for pair in pairs for policy in policies]
    return swept(runs(protocols, times), "ac_state", how)


def _show(
    tables: list[Reproduction], how: HowToRun, *own: Table, remarks: tuple[str, ...] = ()
) -> None:
    """Show tables of the paper beside ours, then tables that are only ours, then remarks."""
    ours: list[Json] = [{"title": table.title, "numbers": records(table)} for table in own]
    compared = [part for table in tables for part in comparison.as_parts(table)]
    report(
        [*map(comparison.as_json, tables), *ours],
        [*compared, *own, *map(Prose, remarks)],
        for_program=how["for_program"],
    )
