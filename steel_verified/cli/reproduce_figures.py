"""`steel reproduce figures`: the paper's figures and some of our own, drawn from real runs."""

from __future__ import annotations

from pathlib import Path

import click

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.files import write_atomically
from steel_verified.progress import progress_bar
from steel_verified.reports.reproducibility import recorded
from steel_verified.worlds.catalogue import instance


@click.command("figures", short_help="Draw the paper's figures from real runs.")
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
    located       steps by size, compared with other methods; an exploration over time
    table-1       what each method can do, compared with the printed marks

    `steel draw WORLD --animate` animates the discovery of any world.
    """
    # Imported here because they need an extra and take a second to load.
    from steel_verified.reports.figures.animation import animated  # noqa: PLC0415
    from steel_verified.reports.figures.discovery import discovery  # noqa: PLC0415
    from steel_verified.reports.figures.gallery import all_figures  # noqa: PLC0415
    from steel_verified.reports.figures.k_search import searches  # noqa: PLC0415
    from steel_verified.reports.figures.methods import panels  # noqa: PLC0415
    from steel_verified.reports.figures.style import as_bytes  # noqa: PLC0415

    rows = recorded("ac_state", results)
    made = all_figures(
        searches=searches(rows, "uniform"),
        exploring=searches(rows, "exploration"),
        by_size=panels({**recorded("table2"), **recorded("table3")}, recorded("located")),
        prior=recorded("table1"),
    )
    _make_folder(output)
    written = []
    with progress_bar("figures", len(made)) as told:
        for name, exhibit in made.items():
            file = output / f"{name}.{kind}"
            write_atomically(file, as_bytes(exhibit.make(), file.suffix))
            written.append(f"{file}: {exhibit.caption}")
            told(len(written), len(made))
    if animate:
        file = output / "figure-1-discovery.html"
        grid = instance("grid", 0)
        write_atomically(file, animated(grid, discovery(grid)))
        written.append(f"{file}: the same in motion.")
    for line in written:
        click.echo(line)


def _make_folder(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument("output", output, f"a folder ({error})") from None
