"""The command `steel`: reads words, calls a function, prints what it returns."""

import click

from steel_verified.cli.audit import audit_command
from steel_verified.cli.check import check_command
from steel_verified.cli.claims import claims_command
from steel_verified.cli.draw import draw_command
from steel_verified.cli.learn import learn_command
from steel_verified.cli.predict import predict_command
from steel_verified.cli.reproduce import reproduce_command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="steel_verified")
def main() -> None:
    """STEEL, with every number exact and every run checkable."""


for command in (
    learn_command,
    check_command,
    predict_command,
    audit_command,
    claims_command,
    draw_command,
    reproduce_command,
):
    main.add_command(command)
