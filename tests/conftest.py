"""Hypothesis profiles, the seed of a run, and the time limit of a test.

Profiles: `dev` by default, `ci` where CI is set, `deep` for a break, `night`. `make mutants` uses
`mutants`: a failure is enough there, so none is made smaller.
"""

from __future__ import annotations

import os
import secrets
import signal
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, Phase, settings

from proofs_checks.theorems import recheck_status

if TYPE_CHECKING:
    from types import FrameType

    from pytest_timeout import Settings
    from xdist.workermanage import WorkerController

_PATIENT = [HealthCheck.too_slow]

settings.register_profile("dev", max_examples=30, deadline=None, suppress_health_check=_PATIENT)
settings.register_profile(
    "ci",
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=_PATIENT,
)
settings.register_profile(
    "mutants",
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=_PATIENT,
)
for _name, _examples in (("deep", 500), ("night", 20_000)):
    settings.register_profile(
        _name, max_examples=_examples, deadline=None, suppress_health_check=_PATIENT
    )
settings.load_profile("ci" if os.environ.get("CI") else "dev")

_SEED: Final = "hypothesis_seed"
"""Where Hypothesis' option `--hypothesis-seed` is stored."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw one seed for the whole run, unless one is given. A worker gets that of the run."""
    if config.getoption(_SEED) is None:
        handed: dict[str, str] = getattr(config, "workerinput", {})
        setattr(config.option, _SEED, handed.get(_SEED, str(secrets.randbelow(10**9))))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: WorkerController) -> None:
    """Hand the seed to a worker of pytest-xdist."""
    node.workerinput[_SEED] = node.config.getoption(_SEED)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test whose inputs Hypothesis generates as a property."""
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item.obj, "hypothesis"):
            item.add_marker("properties")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say whether the Coq proofs were rechecked here, and how to repeat the run, even with -q."""
    terminalreporter.write_line(recheck_status())
    terminalreporter.write_line(_how_to_repeat(config))


def pytest_report_header(config: pytest.Config) -> str:
    return _how_to_repeat(config)


def _how_to_repeat(config: pytest.Config) -> str:
    if settings.get_current_profile_name() in {"ci", "mutants"}:
        return "Properties: the same examples in every run"
    return f"Properties: drawn with --hypothesis-seed={config.getoption(_SEED)}"


class TooSlow(BaseException):
    """A test exceeded its time limit.

    It is no `Exception`, since Hypothesis would catch that, run the slow example again to make it
    smaller, and so not end.
    """


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Settings) -> bool | None:
    """Raise `TooSlow` in the test after its time limit, where the system has signals."""
    if settings.method != "signal":
        return None

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise TooSlow(
            f"{item.name} took longer than {settings.timeout:g} s; "
            "a property has to be cheap for every example that it can draw"
        )

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, settings.timeout)
    return True


def pytest_timeout_cancel_timer(item: pytest.Item) -> None:
    del item
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
