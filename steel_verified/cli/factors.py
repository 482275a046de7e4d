"""`steel factors`: learn locks side by side, whose joint states nobody lists."""

from __future__ import annotations

from pathlib import Path

import click

from steel_verified.cli.arguments import json_option, whole
from steel_verified.cli.console import interruptible, report
from steel_verified.cli.run_files import told_if_unsaved, write_or_tell
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.files import require_outputs, write_atomically
from steel_verified.learning.factored import Factored
from steel_verified.learning.listed import MOST_STEPS
from steel_verified.reports.factors import as_json, as_parts, is_right
from steel_verified.theory.exact import exactly
from steel_verified.using.attempt import NotLearned
from steel_verified.using.learn import learn
from steel_verified.worlds.locks import Locks

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    "factors",
    epilog="Exit codes: 0 learned and right, 1 not right or given up, 2 an argument is missing or "
    "not allowed.",
)
@click.option("--locks", type=whole(1), default=6, show_default=True, help="How many locks.")
@click.option("--values", type=whole(2), default=10, show_default=True, help="Values of each lock.")
@click.option(
    "--components", type=whole(2), default=512, show_default=True, help="Bits of an observation."
)
@click.option("--shared", is_flag=True, help="All locks obey the same two actions.")
@click.option("--env-seed", type=whole(0), default=0, show_default=True, help="Draws the locks.")
@click.option("--noise-seed", type=whole(0), default=0, show_default=True, help="Draws the noise.")
@click.option("--seed", type=whole(0), default=0, show_default=True, help="Draws the coins.")
@click.option("--delta", default="1/20", show_default=True, help="δ of the coins; 0: no coins.")
@click.option("--max-steps", type=whole(1), help=f"Stop after this many steps [{MOST_STEPS}].")
@click.option("--checkpoint", type=_FILE, help="Save the state of the run regularly.")
@click.option("--resume", type=_FILE, help="Continue a run from its checkpoint, and keep it there.")
@click.option("--certificate", type=_FILE, help="Write the certificate of the run.")
@click.option("--model", type=_FILE, help="Write the factors: .json, or .dot for Graphviz.")
@json_option
def factors_command(
    *,
    locks: int,
    values: int,
    components: int,
    shared: bool,
    env_seed: int,
    noise_seed: int,
    seed: int,
    delta: str,
    max_steps: int | None,
    checkpoint: Path | None,
    resume: Path | None,
    certificate: Path | None,
    model: Path | None,
    for_program: bool,
) -> None:
    """Learn several locks at once, as a product of small models.

    F is the single bits of an observation: it classifies the values of each lock, and no joint
    state. Each lock has two actions of its own, unless they are shared. What is learned is compared
    with the truth.

    \b
    Examples:
      steel factors
      steel factors --locks 20 --values 8
      steel factors --locks 3 --shared --certificate locks.json --model locks.dot
      steel check locks.json
    """
    if model is not None and model.suffix not in (".json", ".dot"):
        raise InvalidArgument("model", model, "a name that ends in .json or .dot")
    checkpoint = resume if checkpoint is None else checkpoint
    require_outputs(certificate=certificate, model=model, checkpoint=checkpoint)
    world = Locks(
        locks,
        values,
        components=components,
        shared=shared,
        env_seed=env_seed,
        noise_seed=noise_seed,
    )
    method = Factored(components, world.actions, seed=seed, delta=exactly(delta, "delta"))
    with interruptible():
        try:
            learned = learn(
                world,
                world.functions(),
                method,
                max_steps=max_steps,
                checkpoint=checkpoint,
                resume=resume,
            )
        except NotLearned as given_up:
            raise click.ClickException(str(given_up.result)) from None
    if certificate is not None:
        name = f"{locks} locks of {values} values"
        evidence = learned.certificate(name, env_seed=env_seed, noise_seed=noise_seed)
        write_or_tell(certificate, evidence)
    if model is not None:
        with told_if_unsaved(model):
            if model.suffix == ".json":
                learned.save(model)
            else:
                write_atomically(model, learned.to_dot().encode())
    report(as_json(learned, world), as_parts(learned, world), for_program=for_program)
    if not is_right(learned, world):
        raise SystemExit(1)
