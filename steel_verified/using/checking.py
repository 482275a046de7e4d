"""Hands a certificate to the independent checker, in a process without any installed library."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import msgspec

from steel_verified.errors import SteelError


class Finding(msgspec.Struct, frozen=True):
    """A rule that a certificate breaks, and where."""

    rule: str
    place: str
    message: str


class Verdict(msgspec.Struct, frozen=True):
    """What the independent checker says of a certificate."""

    verdict: str
    """"accepted", "rejected" or "malformed"."""
    findings: tuple[Finding, ...] = ()
    assumptions: tuple[str, ...] = ()
    """What remains to be believed where the certificate is accepted."""
    meaning: str = ""
    """What acceptance means."""
    message: str = ""
    """Why it is malformed, if it is."""

    @property
    def accepted(self) -> bool:
        return self.verdict == "accepted"


def check_certificate(certificate: bytes) -> Verdict:
    """The verdict of `python -S -m proofs_checks.checker`, which imports nothing of this package.

    Raises `SteelError` if the checker itself fails.
    """
    with tempfile.TemporaryDirectory(prefix="steel-check-") as folder:
        file = Path(folder) / "certificate.json"
        file.write_bytes(certificate)
        done = subprocess.run(
            [sys.executable, "-E", "-S", "-m", "proofs_checks.checker", "--json", "--", str(file)],
            cwd=_folder_of_the_checker(),
            capture_output=True,
            check=False,
        )
    try:
        return msgspec.json.decode(done.stdout, type=Verdict)
    except msgspec.MsgspecError:
        said = done.stderr.decode(errors="replace").strip()
        raise SteelError(f"the checker failed with exit code {done.returncode}: {said}") from None


def _folder_of_the_checker() -> Path:
    """Where `proofs_checks` is, from which a process without installed libraries can import it."""
    found = find_spec("proofs_checks")
    if found is None or not found.submodule_search_locations:
        raise SteelError("proofs_checks is not installed: install steel_verified as a whole")
    return Path(found.submodule_search_locations[0]).parent
