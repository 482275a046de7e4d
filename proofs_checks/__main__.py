"""python -m proofs_checks: the same as `steel claims`."""

from steel_verified.cli.claims import claims_command

if __name__ == "__main__":
    claims_command(prog_name="python -m proofs_checks")
