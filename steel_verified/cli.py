"""The command `steel`: reads words, calls a function, prints what it returns."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypedDict, TypeVar, Unpack

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.experiments import settings
from steel_verified.experiments.instances import Sizes, instance, instance_of_table
from steel_verified.reports import prediction
from steel_verified.reports.audit import as_json, audit
from steel_verified.reports.audit_text import as_text
from steel_verified.theory.exact import exactly
from steel_verified.theory.parameters import Extent, Parameters, largest_extent, require_within
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.table_files import read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from steel_verified.learning.steel import State

P = ParamSpec("P")
R = TypeVar("R")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

_WHOLE: Final = ("actions", "max_states", "max_diameter", "mixing_time", "class_size")
_EXACT: Final = ("delta", "epsilon")
_DEFAULT_PRESET: Final = "combination-lock-20"
_PIPED_WIDTH: Final = 130


class Given(TypedDict):
    """What the options of `parameter_options` said; None where they said nothing."""

    actions: int | None
    max_states: int | None
    max_diameter: int | None
    mixing_time: int | None
    class_size: int | None
    delta: str | None
    epsilon: str | None


class Chosen(TypedDict, total=False):
    """The parameters among them that were given."""

    actions: int
    max_states: int
    max_diameter: int
    mixing_time: int
    class_size: int
    delta: Fraction
    epsilon: Fraction


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="steel_verified")
def main() -> None:
    """STEEL, with every number exact and every run checkable."""


def parameter_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options that stand for STEEL's parameters, shared by the commands that take them."""
    for option in (
        click.option("--epsilon", help='ε, exact: "0.05" or "1/20".'),
        click.option("--delta", help='δ, exact: "0.05" or "1/20".'),
        click.option("--class-size", type=int, help="|F|, the number of classifiers."),
        click.option("--mixing-time", type=int, help="t̂_mix, a bound on the noise's mixing time."),
        click.option("--max-diameter", type=int, help="D̂, a bound on the diameter [N − 1]."),
        click.option("--max-states", type=int, help="N, a bound on the number of latent states."),
        click.option("--actions", type=int, help="|A|, the number of actions."),
    ):
        command = option(command)
    return command


@main.command("audit", epilog="Exit codes: 0 printed, 2 an argument is missing or not allowed.")
@click.option(
    "--preset",
    metavar="NAME",
    help=f"Start from an experiment of the paper: {', '.join(settings.NAMES)} (two primes P < Q). "
    "Other options override it.",
)
@parameter_options
@click.option("--states", type=int, help="|S|, the true number of states [as many as N allows].")
@click.option("--diameter", type=int, help="D, their true diameter [as large as D̂ and |S| allow].")
@click.option("--json", "for_program", is_flag=True, help="Print JSON for a program.")
def audit_command(
    *,
    preset: str | None,
    states: int | None,
    diameter: int | None,
    for_program: bool,
    **given: Unpack[Given],
) -> None:
    """Show every number behind STEEL's bounds: symbols, the account of δ, and steps.

    Without options it audits the paper's combination lock with 20 states. Nothing is run and
    nothing is rounded: counts are decided in integers, logarithms are enclosed.

    \b
    Examples:
      steel audit --preset multi-maze
      steel audit --preset double-prime-11-13 --delta 1/1000
      steel audit --actions 2 --max-states 30 --max-diameter 30 --mixing-time 40 \\
        --class-size 512 --delta 0.05 --epsilon 0.05 --states 20 --diameter 19
    """
    with _named_as_options():
        chosen = _chosen(given)
        if preset is None and not chosen:
            preset = _DEFAULT_PRESET
        if preset is None:
            parameters = _parameters(chosen)
            extent = largest_extent(parameters, states=states)
        else:
            setting = settings.setting(preset)
            parameters = replace(setting.parameters, **chosen)
            extent = setting.extent
            if states is not None:
                extent = largest_extent(parameters, states=states)
        if diameter is not None:
            extent = Extent(extent.states, diameter)
        report = audit(parameters, extent)
    if for_program:
        click.echo(json.dumps(as_json(report), indent=2, ensure_ascii=False))
    else:
        _console().print(as_text(report))


@main.command("predict", epilog="Exit codes: 0 printed, 2 an argument is missing or not allowed.")
@click.argument("world", required=False, metavar="[WORLD]")
@click.option("--env-seed", type=int, default=0, show_default=True, help="Which instance to draw.")
@click.option("--states", type=int, help="K, of the combination lock [20].")
@click.option("--p", type=int, help="The smaller prime, of the prime loops [11].")
@click.option("--q", type=int, help="The larger prime, of the prime loops [13].")
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your own dynamics: row s lists T(s,0), T(s,1), …, as JSON or CSV.",
)
@click.option("--start", type=int, help="The state to start in [as drawn; of a table: 0].")
@click.option("--first-action", type=int, help="The action looped first [as drawn; of a table: 0].")
@parameter_options
@click.option("--json", "for_program", is_flag=True, help="Print JSON for a program.")
def predict_command(
    *,
    world: str | None,
    env_seed: int,
    states: int | None,
    p: int | None,
    q: int | None,
    table: Path | None,
    start: int | None,
    first_action: int | None,
    for_program: bool,
    **given: Unpack[Given],
) -> None:
    """Predict a run exactly: every plan, and the number of steps.

    WORLD is combination-lock, multi-maze, double-prime, single-prime or grid, with the paper's
    parameters, or give a --table. The same learner runs on the known dynamics with an oracle that
    is never wrong; a real run takes the same plans whatever its noise, unless a verdict is wrong.

    Of a table, N, D̂, |A| and |F| default to the truth, t̂_mix to 1, δ and ε to 1/20.

    \b
    Examples:
      steel predict combination-lock --states 20 --env-seed 0
      steel predict double-prime --p 3 --q 5 --json
      steel predict --table dynamics.json --start 0 --mixing-time 40 --class-size 512
    """
    with _named_as_options():
        if (world is None) == (table is None):
            raise click.UsageError("Give either a WORLD or a --table.")
        if table is None:
            assert world is not None
            chosen = instance(world, env_seed, Sizes(states=states, p=p, q=q))
        else:
            chosen = instance_of_table(table.name, read_table(table))
        parameters = replace(chosen.parameters, **_chosen(given))
        extent = Extent(chosen.dynamics.states, chosen.dynamics.diameter)
        require_within(extent, parameters)
        with _progress(extent, parameters) as watch:
            learned = ideal_run(
                chosen.dynamics,
                _within("start", chosen.start if start is None else start, extent.states),
                parameters,
                first_action=chosen.first_action if first_action is None else first_action,
                watch=watch,
            )
    told = prediction.story(learned.ledger)
    if for_program:
        click.echo(json.dumps(prediction.as_json(told, parameters, extent), indent=2))
    else:
        _console().print(prediction.as_text(told, chosen.name, parameters, extent))


@contextmanager
def _progress(
    extent: Extent, parameters: Parameters
) -> Iterator[Callable[[State[Summary, Classifier]], None]]:
    """A bar on the terminal that fills with the transitions known; it is gone at the end."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        task = progress.add_task("transitions known", total=extent.states * parameters.actions)

        def watch(state: State[Summary, Classifier]) -> None:
            progress.update(task, completed=len(state.model.transitions()))

        yield watch


def _within(argument: str, value: int, count: int) -> int:
    if not 0 <= value < count:
        raise InvalidArgument(argument, value, f"0 to {count - 1}")
    return value


def _chosen(given: Given) -> Chosen:
    chosen: Chosen = {}
    for whole in _WHOLE:
        if (number := given[whole]) is not None:
            chosen[whole] = number
    for exact in _EXACT:
        if (text := given[exact]) is not None:
            chosen[exact] = exactly(text, exact)
    return chosen


def _parameters(chosen: Chosen) -> Parameters:
    """Parameters from options alone, without a preset; D̂ may be left out."""
    if "max_states" in chosen:
        chosen = {"max_diameter": max(chosen["max_states"] - 1, 0), **chosen}
    if missing := [_option(name) for name in (*_WHOLE, *_EXACT) if name not in chosen]:
        names = ", ".join(missing)
        raise click.UsageError(f"Missing {names}. Give them, or a --preset to start from.")
    return Parameters(**chosen)


@contextmanager
def _named_as_options() -> Iterator[None]:
    """Report errors under the name of the option that the person typed."""
    try:
        yield
    except InvalidArgument as error:
        message = f"{error.value}: expected {error.expected}."
        raise click.BadParameter(message, param_hint=_option(error.argument)) from error
    except SteelError as error:
        raise click.ClickException(str(error)) from error


def _console() -> Console:
    """As wide as the terminal; wide enough for unbroken formulas where there is none."""
    return Console() if Console().is_terminal else Console(width=_PIPED_WIDTH)


def _option(name: str) -> str:
    """The option for an argument; what is not one (a row of a file, WORLD) is named as it is."""
    return "--" + name.replace("_", "-") if name.isidentifier() and name.islower() else name
