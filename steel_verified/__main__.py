"""`python -m steel_verified` is the command `steel`."""

from steel_verified.cli import main

if __name__ == "__main__":
    main(prog_name="python -m steel_verified")
