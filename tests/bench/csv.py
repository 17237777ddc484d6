#!/usr/bin/python3
"""Reading operator_details.csv: opcheck against Python's csv module doing the same aggregation, on the same bytes in the same run.

	OPCHECK_REFERENCE_DIR=... python3 tests/bench/csv.py BUILD_DIR [--megabytes N] [--runs N] [--folder DIR] [--no-ladder]

The table is made by repeating real rows of the reference folder; without one, rows of that form. The programs take turns; ratios
are formed turn by turn. opcheck may use every core there is and makes a whole report, Python uses one and only adds up. Nothing
here passes or fails: it prints.
"""
import argparse
import os
import pathlib
import sys
import tempfile

sys.path.pop(0)  # this folder: a file in it has the name of Python's module
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
from turns import arguments, climb, compare, make  # noqa: E402

HEADER = ("Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),"
          "Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\r\n")
ROWS = "".join('aten::op%d,"%d,12,32;\r\n32,32;\r\n;\r\n",,3.5,9.25,1.5,1.5,1.5,1.5\r\n' % (i % 80, 1 + i % 11) for i in range(4000))

AGGREGATE = """
import csv, sys
totals = {}
with open(sys.argv[1], newline="") as file:
    rows = csv.reader(file)
    header = next(rows)
    name, shapes, own, total, device = (header.index(c) for c in (
        "Name", "Input Shapes", "Host Self Duration(us)", "Host Total Duration(us)", "Device Self Duration(us)"))
    for row in rows:
        key = row[name], row[shapes]
        sums = totals.get(key)
        if sums is None:
            sums = totals[key] = [0, 0.0, 0.0, 0.0]
        sums[0] += 1
        sums[1] += float(row[own])
        sums[2] += float(row[total])
        sums[3] += float(row[device])
"""


def real_rows():
    reference = os.environ.get("OPCHECK_REFERENCE_DIR")
    if not reference:
        return HEADER + ROWS
    found = sorted(pathlib.Path(reference).glob("samples/**/operator_details.csv"))
    return found[0].read_bytes().decode()


def make_table(path, megabytes):
    header, rows = real_rows().encode().split(b"\r\n", 1)
    with open(path, "wb") as out:
        out.write(header + b"\r\n")
        for _ in range(max(megabytes * 1_000_000 // len(rows), 1)):
            out.write(rows)


def main():
    options = arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter), 80, 7)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        table = pathlib.Path(folder) / "operator_details.csv"
        script = pathlib.Path(folder) / "aggregate.py"
        script.write_text(AGGREGATE)
        for megabytes in (options.megabytes // 8, options.megabytes):
            make(make_table, table, megabytes)
            compare("operator_details.csv, %.0f MB" % (table.stat().st_size / 1e6),
                    {"opcheck check, 2 targets": [options.opcheck, "check", table]},
                    {"Python's csv": [sys.executable, script, table]}, options.runs, options.environment)
        if not options.no_ladder:
            climb("operator_details.csv", make_table, table, [options.opcheck, "check", table], options.environment)


if __name__ == "__main__":
    main()
