#!/usr/bin/python3
"""What distinct shapes cost: the same number of rows over more and more different ones, as a CSV table and as a trace.

	python3 tests/bench/shapes.py BUILD_DIR [--megabytes N] [--runs N] [--folder DIR]

Python adds up the same rows in a dictionary in the same run. Each rung has ten times the shapes of the one before: a reader whose
cost grew with their square would fall behind Python by a factor of a hundred a rung. Nothing here passes or fails: it prints.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile

sys.path.pop(0)  # this folder: a file in it has the name of Python's csv
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
from turns import HERE, arguments, make, ratio, take_turns  # noqa: E402

ROWS = 400_000
RUNGS = (100, 1_000, 10_000, 100_000)

CSV_PEER = """
import csv, sys
totals = {}
with open(sys.argv[1], newline="") as file:
    for row in csv.reader(file):
        key = row[0], row[1]
        totals[key] = totals.get(key, 0.0) + (float(row[3]) if row[3][0].isdigit() else 0.0)
"""


def make_table(path, distinct):
    with open(path, "w", newline="") as out:
        out.write("Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us)\r\n")
        for i in range(ROWS):
            out.write('aten::mm,"%d,128;\r\n128,%d",,3.5,9.25,1.5\r\n' % (i % distinct % 1000 + 1, i % distinct // 1000 + 1))


def make_trace(path, distinct):
    event = ('{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": %d.250, "dur": 7.500, "args": '
             '{"External id": %d, "Input type": ["float", "float"], "Input Dims": [[%d, 128], [128, %d]]}}')
    with open(path, "w") as out:
        out.write('{"schemaVersion": 1, "traceEvents": [\n')
        out.write(",\n".join(event % (1_000_000 + 10 * i, i + 1, i % distinct % 1000 + 1, i % distinct // 1000 + 1)
                             for i in range(ROWS)))
        out.write("\n]}\n")


def main():
    options = arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter), 0, 5)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        script = pathlib.Path(folder) / "aggregate.py"
        script.write_text(CSV_PEER)
        for form, function, suffix, peer in (("CSV", make_table, "operator_details.csv", [sys.executable, script]),
                                             ("trace", make_trace, "trace.json", [sys.executable, HERE / "trace_json.py"])):
            path = pathlib.Path(folder) / suffix
            for distinct in RUNGS:
                make(function, path, distinct)
                found = take_turns({"opcheck": [options.opcheck, "check", path], "Python": [*peer, path]}, options.runs,
                                   options.environment)
                print("%s, %d rows, %6d distinct shapes: %.4f s, %5.1f MiB, %.1f times as fast as Python adding up the same" % (
                    form, ROWS, distinct, statistics.median(f[0] for f in found["opcheck"]),
                    max(f[2] for f in found["opcheck"]), ratio(found["opcheck"], found["Python"])))
                sys.stdout.flush()
                path.unlink()


if __name__ == "__main__":
    main()
