#!/usr/bin/python3
"""What distinct shapes cost: the same number of rows over more and more different ones, as a CSV table and as a trace; and a log
whose tables differ by few shapes, next to one whose tables do not.

	python3 tests/bench/shapes.py BUILD_DIR [--megabytes N] [--runs N] [--folder DIR]

Python adds up the same rows in a dictionary in the same run. Each rung has ten times the shapes of the one before: a reader whose
cost grew with their square would fall behind Python by a factor of a hundred a rung. Nothing here passes or fails: it prints.

In the log, of 250 rows a table 0, 20 or 100 have new sizes in every step; with 100 the log comes to 100,000 shapes.
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
CHANGING = (0, 20, 100)
OPERATORS = ("add", "mul", "index", "cat", "sub", "div", "clamp", "exp", "max", "stack", "select", "slice", "gt", "where", "topk")

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


def make_log(path, changing, tables=1000, rows=250):
    columns = ["Name".rjust(40)] + [c.rjust(12) for c in (
        "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls")] + ["Input Shapes".rjust(50)]
    dashes = "  ".join("-" * len(c) for c in columns)
    with open(path, "w") as out:
        for table in range(tables):
            out.write("\n".join((dashes, "  ".join(columns), dashes)) + "\n")
            for i in range(rows):
                size = 200 + table * changing + i if i < changing else i % 7 + 1
                cells = ("0.10%", "%d.%03dus" % (i + 1, table % 1000), "0.20%", "%d.500us" % (i + 900), "3.125us", str(i % 9 + 1))
                out.write("  ".join(("aten::" + OPERATORS[i % len(OPERATORS)]).rjust(40) if not k else cells[k - 1].rjust(12)
                                    for k in range(7)) + "  " + ("[[%d, 64, %d], [%d, 4]]" % (size, i + 3, size)).rjust(50) + "\n")
            out.write("%s\nSelf CPU time total: %d.%03dms\n\n" % (dashes, 100 + table, table % 1000))


def compare_logs(options, folder):
    """A byte of each log against a byte of the one that is the same in every step, turn by turn."""
    logs = {changing: folder / ("changing-%d.log" % changing) for changing in CHANGING}
    for changing, path in logs.items():
        make(make_log, path, changing)
    found = take_turns({n: [options.opcheck, "check", "-f", "json", path] for n, path in logs.items()}, options.runs,
                       options.environment)
    for changing, path in logs.items():
        size = path.stat().st_size / logs[0].stat().st_size
        print("log, %3d of 250 rows change: %.4f s, %5.1f MiB, %.2f of the bytes a second of a static one (%.2f by processor time)" % (
            changing, statistics.median(f[0] for f in found[changing]), max(f[2] for f in found[changing]),
            size * ratio(found[changing], found[0]), size * ratio(found[changing], found[0], 1)))
    sys.stdout.flush()


def main():
    options = arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter), 0, 5)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        compare_logs(options, pathlib.Path(folder))
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
