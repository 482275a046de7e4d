"""Runs the independent checker on a certificate, in a process without installed libraries."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec

from steel_verified.errors import InvalidArgument, SteelError

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.certificate import Provenance


class Finding(msgspec.Struct, frozen=True):
    """A rule that a certificate violates, and the place of the violation."""

    rule: str
    place: str
    message: str


class Verdict(msgspec.Struct, frozen=True):
    """The verdict of the independent checker on a certificate."""

    verdict: str
    """"accepted", "rejected" or "malformed"."""
    findings: tuple[Finding, ...] = ()
    assumptions: tuple[str, ...] = ()
    """The assumptions on which an accepted certificate still depends."""
    meaning: str = ""
    """The meaning of acceptance."""
    message: str = ""
    """The reason why the certificate is malformed, if it is."""

    @property
    def accepted(self) -> bool:
        return self.verdict == "accepted"

    def __str__(self) -> str:
        """Return the verdict with its reasons, and what remains to be believed, line by line."""
        lines = [f"{self.verdict.capitalize()}{': ' * bool(self.message)}{self.message}."]
        lines += [f"{found.rule}, {found.place}: {found.message}" for found in self.findings]
        if self.assumptions:
            lines += ["To believe:", *(f"- {each}" for each in self.assumptions)]
        return "\n".join(lines)


def check_certificate(certificate: bytes) -> Verdict:
    """Return the verdict of `python -S -m proofs_checks.checker`.

    The checker imports nothing from this package. Raises `SteelError` if the checker itself fails.
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
    """Return the folder that contains `proofs_checks`, so that the process can import it."""
    found = find_spec("proofs_checks")
    if found is None or not found.submodule_search_locations:
        raise SteelError("proofs_checks is not installed: install steel_verified as a whole")
    return Path(found.submodule_search_locations[0]).parent


class HasEvidence:
    """What a run learned, with the certificate of the run; what is read from a file has none."""

    __slots__ = ()
    _saved: ClassVar[str]
    """What is read from a file."""
    _evidence: Callable[[Provenance], bytes] | None

    def certificate(
        self, world: str = "a world of one's own", *, env_seed: int = 0, noise_seed: int = 0
    ) -> bytes:
        """Return the certificate of the run for `steel check`; the arguments are stored in it.

        Raises `InvalidArgument` if there is no certificate: the oracle searched without proof, or
        this was loaded from a file.
        """
        if self._evidence is None:
            expected = f"what `learn` returned: {self._saved} has no record of its run"
            raise InvalidArgument("certificate", f"{self._saved} from a file", expected)
        from steel_verified.evidence.certificate import provenance  # noqa: PLC0415 (seldom used)

        return self._evidence(provenance(world, env_seed, noise_seed))

    def check(self) -> Verdict:
        """Return the verdict of the independent checker on the certificate."""
        return check_certificate(self.certificate())
