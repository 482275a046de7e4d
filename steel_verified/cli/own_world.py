"""A world or a log of the user's own on the command line: `gym:ID`, `shop.py:Shop`, `--log`."""

from __future__ import annotations

import ast
import sys
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Final, cast

import click
import numpy as np
from click.core import ParameterSource

from steel_verified.classes import Boxes, Components, Conjunctions, HalfSpaces, Thresholds
from steel_verified.cli.arguments import option_name
from steel_verified.cli.console import INTERRUPTED, report
from steel_verified.cli.run_files import (
    require_files,
    told_if_unsaved,
    write_evidence,
    write_files,
    write_or_tell,
)
from steel_verified.errors import InvalidArgument, missing_extra
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.reports.run import as_json
from steel_verified.reports.tables import Prose
from steel_verified.theory.parameters import ONE_IN_20
from steel_verified.using.attempt import NotLearned, Options
from steel_verified.using.learn import learn
from steel_verified.using.learned import Learned
from steel_verified.using.logs import attempt_from, width_of
from steel_verified.using.unbroken import unbroken
from steel_verified.worlds.catalogue import SIZES
from steel_verified.worlds.checkpoints import NO_FILES
from steel_verified.worlds.preflights import rows_after, walk
from steel_verified.worlds.run_info import RunInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import gymnasium

    from steel_verified.classes.rows import Numbers
    from steel_verified.cli.options import RunFiles, WorldGiven
    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.theory.self_check import SelfCheck

_GYM: Final = "gym:"
CLASSES: Final[dict[str, Callable[[int], Class[Numbers]]]] = {
    "components": Components,
    "conjunctions": Conjunctions,
    "thresholds": Thresholds,
    "boxes": Boxes,
    "half-spaces": HalfSpaces,
}
_ONLY_OF_THE_PAPER: Final = frozenset(
    ("env_seed", "max_diameter", "class_size", "dynamics_only", "slips", *(s.name for s in SIZES))
)
"""Options for worlds of the paper only."""
_ONLY_OF_LOGS: Final = frozenset(
    ("logs", "class_name", "actions", "model", "certificate", "html", "for_program")
)
"""The options that fit a log."""
_ROWS_OF_SIGHT: Final = 64


@contextmanager
def that_shows_rows(world: str) -> Iterator[None]:
    """Name the world in an error about it or its observations: a terminal has no `features`."""
    try:
        yield
    except InvalidArgument as error:
        if error.argument == "where":
            raise InvalidArgument("WORLD", world, error.expected) from error
        if error.argument not in ("observation", "features"):
            raise
        _, _, why = error.expected.rpartition("because ")
        shown = why if error.argument == "features" else f"here an observation is {error.value}"
        expected = (
            f"a world that shows booleans or numbers ({shown}): let its `step` return them, or "
            "call learn(…, features=…) in Python"
        )
        raise InvalidArgument("WORLD", world, expected) from error


def made(world: str, settings: Sequence[str]) -> object:
    """The environment, the world or the function that was named, made with the settings."""
    given = dict(map(_setting, settings))
    if world.startswith(_GYM):
        try:
            import gymnasium  # noqa: PLC0415 (an extra)
        except ImportError as error:
            raise missing_extra("gymnasium", error) from error
        import_module("steel_verified.gymnasium")  # registers the worlds of the paper
        name = world.removeprefix(_GYM)
        try:
            # All parameters of `make` itself are named, so that the settings are the environment's.
            return gymnasium.make(name, max_episode_steps=None, disable_env_checker=None, **given)
        except (gymnasium.error.Error, TypeError, ImportError) as error:
            expected = f"an environment of Gymnasium: {error}"
            raise InvalidArgument("WORLD", world, expected) from error
    file, _, name = world.rpartition(":")
    found: object = getattr(_module(Path(file)), name, None)
    if found is None:
        raise InvalidArgument("WORLD", world, f"a name that is defined in {file}")
    if not isinstance(found, type):
        return found
    try:
        return found(**given)
    except TypeError as error:
        expected = f"a class that these settings make an object of (--set NAME=VALUE): {error}"
        raise InvalidArgument("WORLD", world, expected) from error


def _setting(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise InvalidArgument("set", text, "NAME=VALUE, such as is_slippery=False")
    try:
        # A shell user writes true and false: as texts, both would be true.
        named = {"true": "True", "false": "False", "none": "None"}
        return name, ast.literal_eval(named.get(value.lower(), value))
    except (ValueError, SyntaxError):
        return name, value


def _module(file: Path) -> object:
    """Import a file; raise `InvalidArgument` if that fails, with the error and its line."""
    spec = spec_from_file_location(file.stem, file)
    if not file.is_file() or spec is None or spec.loader is None:
        raise InvalidArgument("WORLD", file, "a Python file that exists")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        *_, last = extract_tb(error.__traceback__)
        where = "" if isinstance(error, SyntaxError) else f" ({last.filename}, line {last.lineno})"
        expected = f"a file that Python can import: {type(error).__name__}: {error}{where}"
        raise InvalidArgument("WORLD", file, expected) from error
    return module


def class_named(
    name: str, world: str, settings: Sequence[str], actions: int | None
) -> Class[Numbers]:
    """Return a class for the rows of a world, which are looked at in an object of its own."""
    looked, _ = unbroken(made(world, settings), actions=actions, features=None, seed=0, noisy=True)
    (row, *_) = walk(looked, steps=96 * looked.actions).rows
    return CLASSES[name](max(1, row.size))


class Anew:
    """A world that can be made anew; if it then shows the same again, its runs can be resumed."""

    def __init__(self, world: str, settings: Sequence[str], actions: int | None, seed: int) -> None:
        self._given = world, settings, actions, seed
        self._world = self._made()

    def _made(self) -> World[Numbers]:
        world, settings, actions, seed = self._given
        found, _ = unbroken(made(world, settings), actions=actions, features=None, seed=seed)
        return found

    @property
    def actions(self) -> int:
        return self._world.actions

    @property
    def steps(self) -> int:
        return self._world.steps

    def run(self, plan: Plan) -> Trajectory[Numbers]:
        return self._world.run(plan)

    def retrace(self, plan: Plan) -> Trajectory[Numbers]:
        return self._world.run(plan)

    def sight(self) -> Numbers:
        """Return the rows after some actions in another world that is made in the same way."""
        other = self._made()
        word = tuple(step % other.actions for step in range(_ROWS_OF_SIGHT))
        return np.concatenate(rows_after(other, word))


def _refuse(context: click.Context, fits: Callable[[str], bool], what: str) -> None:
    """Refuse options that were given and do not fit."""
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and not fits(name):
            raise click.UsageError(f"{option_name(name)} does not fit {what}.")


def learn_own(
    context: click.Context,
    world: str,
    settings: tuple[str, ...],
    class_name: str | None,
    method: str | None,
    seed: int,
    check: SelfCheck | None,
    max_steps: int | None,
    files: RunFiles,
    given: WorldGiven,
    *,
    for_program: bool,
) -> None:
    """Learn a world of one's own, write the files that were asked for, and print the result."""
    _refuse(context, lambda name: name not in _ONLY_OF_THE_PAPER, "a world of your own")
    kept = require_files(files, method or "certain")
    bounds = given["parameters"]
    actions = bounds.get("actions")
    where: object
    if kept == NO_FILES:
        where = made(world, settings)
    else:
        if class_name is None:
            expected = "a class: a run that is kept cannot begin with a walk"
            raise InvalidArgument("class", "none", expected)
        where, actions = Anew(world, settings, actions, seed), None
    functions = None
    if class_name is not None:
        functions = class_named(class_name, world, settings, bounds.get("actions"))
    options: Options = {
        "max_states": bounds.get("max_states"),
        "mixing_time": bounds.get("mixing_time"),
        "delta": bounds.get("delta"),
        "epsilon": bounds.get("epsilon", ONE_IN_20),
        "seed": seed,
        "first_action": given["first_action"],
        "self_check": check,
        "max_steps": max_steps,
        "checkpoint": kept.write,
        "resume": kept.resume,
    }
    try:
        # `learn` looks at what it is given.
        if actions is None:
            # Its action space is checked where it becomes a world.
            env = cast("gymnasium.Env[object, np.int64]", where)
            learned = learn(env, functions, method, **options)
        else:
            # Any callable is taken as a function of an action; a wrong one raises when called.
            step = cast("Callable[[int], object]", where)
            learned = learn(step, functions, method, actions=actions, **options)
    except NotLearned as error:
        write_files(error.result, files, None, lambda _: b"", world)
        said = str(error.result)
        report(
            {"world": world, "accepted": False, "because": said},
            [Prose(said)],
            for_program=for_program,
        )
        raise SystemExit(1) from None
    _write(learned, files, world, seed)
    report(_as_json(learned, world), [Prose(_told(learned))], for_program=for_program)


def _write(learned: Learned, files: RunFiles, world: str, seed: int) -> None:
    if (model := files["model"]) is not None:
        kind = model.suffix.lower()
        if kind == ".json":
            with told_if_unsaved(model):
                learned.save(model)
        else:
            write_or_tell(
                model, learned.to_dot().encode() if kind == ".dot" else learned.to_graphml()
            )
    if files["certificate"] or files["html"]:
        write_evidence(learned.certificate(world, noise_seed=seed), files)
    if (findings := files["findings"]) is not None:
        click.echo(f"{findings} was not written: the run was accepted.", err=True)


def _told(learned: Learned) -> str:
    rows = (
        f"  {label}: {' '.join(map(str, row))}" for label, row in enumerate(learned.model.table)
    )
    return "\n".join([str(learned), "", "The state after each action, for each state:", *rows])


def _as_json(learned: Learned, world: str) -> dict[str, Json]:
    promise = learned.guarantee
    assert promise is not None, "a run has one"
    best = None if learned.suggestion is None else learned.suggestion.best
    return {
        "world": world,
        "accepted": True,
        "states": learned.model.states,
        "steps": learned.steps,
        "method": promise.method,
        "delta": str(promise.delta),
        "epsilon": str(promise.epsilon),
        "given": promise.given,
        "table": [list(row) for row in learned.model.table],
        "class": None if best is None else best.name,
        "because": None if learned.suggestion is None else learned.suggestion.because,
    }


def learn_log(
    context: click.Context,
    logs: tuple[Path, ...],
    actions: int | None,
    files: RunFiles,
    *,
    for_program: bool,
) -> None:
    """Learn from a log, write the files that were asked for, and print what was learned."""
    _refuse(context, _ONLY_OF_LOGS.__contains__, "--log")
    require_files(files, "certain")
    functions = Components(width_of(logs))
    result = attempt_from(logs, functions, actions=actions)
    origin = provenance(", ".join(map(str, logs)), 0, 0)
    evidence = partial(certificate_of_run, oracle=functions, provenance=origin)
    write_files(result, files, functions, evidence, logs[0].name)
    said = _told(Learned.of(result, functions)) if isinstance(result, Accepted) else str(result)
    info = RunInfo(world=", ".join(file.name for file in logs))
    report(as_json(result, info), [Prose(said)], for_program=for_program)
    if not isinstance(result, Accepted):
        interrupted = isinstance(result, NotAccepted) and result.interrupted
        raise SystemExit(INTERRUPTED if interrupted else 1)
