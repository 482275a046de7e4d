"""Shows how the interface of today differs from the stored one.

    python -m tests.guards.interface                  # show the difference
    python -m tests.guards.interface --store          # show it, and store the interface of today
    python -m tests.guards.interface --store claims   # only one of options, names, outcomes, claims

A line that begins with − went, one that begins with + came.
"""

import argparse

from .snapshots import SNAPSHOTS, difference, file_of, lines_of, stored_lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the interface with the stored one.")
    parser.add_argument("--store", action="store_true", help="store the interface of today")
    parser.add_argument("snapshots", nargs="*", help=f"which: {' '.join(SNAPSHOTS)} [all]")
    chosen = parser.parse_args()
    for snapshot in chosen.snapshots or SNAPSHOTS:
        today, file = lines_of(snapshot), file_of(snapshot)
        before = stored_lines(snapshot) if file.exists() else []
        different = difference(before, today)
        print(f"{snapshot}: {len(today)} lines, {len(different)} different", *different, sep="\n")
        if chosen.store:
            file.write_text("".join(f"{line}\n" for line in today), encoding="utf-8")


if __name__ == "__main__":
    main()
