"""Hypothesis profiles: `dev` by default, `ci` where CI is set, `deep` for a break, `night`.

`make mutants` uses `mutants`: a failure is enough there, so none is made smaller.
"""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

from proofs_checks.theorems import recheck_status

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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say whether the Coq proofs were rechecked on this machine: the tests do not run Coq."""
    terminalreporter.write_line(recheck_status())
