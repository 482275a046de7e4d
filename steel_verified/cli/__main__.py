"""python -m steel_verified.cli"""

from steel_verified.cli import main

if __name__ == "__main__":
    main(prog_name="steel")
