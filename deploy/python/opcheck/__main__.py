"""The command: `opcheck`, `python -m opcheck`."""
import os
import sys

from .program import path


def main() -> None:
    program = path()
    os.execv(program, ["opcheck", *sys.argv[1:]])


if __name__ == "__main__":
    main()
