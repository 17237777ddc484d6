#!/usr/bin/env python3
"""Count what `opcheck scan` finds on the labelled lines of public projects: README.md says how they were chosen.

OPCHECK_PUBLIC_DIR holds a folder for each project, at the commit that projects.tsv names; OPCHECK is the program, by default the
one in PATH. With -v every miss and every wrong row is printed.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = ("npu", "musa")


def table(name):
    return [line.split("\t") for line in (HERE / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def rows_of(folder):
    """Rows by target, file and line; the lines that the row of a whole file names count as checks."""
    run = subprocess.run([os.environ.get("OPCHECK", "opcheck"), "scan", ".", "-f", "json", "-t", "npu@2.7.1,musa@2.7.1"],
                         cwd=folder, capture_output=True, check=False)
    rows = collections.defaultdict(set)
    for finding in json.loads(run.stdout)["findings"]:
        site = finding["source"]
        lines = finding["params"].get("lines", "") if finding["rule"] == "src-dynamic-script" else ""
        for line in [site["line"], *map(int, lines.split(", ") if lines else [])]:
            if finding["rule"] != "src-absent-flag":
                rows[finding["target"].split("@")[0], site["path"].removeprefix("./"), line].add(site["action"])
    return rows


def main():
    labels, wrong = collections.defaultdict(dict), []
    count = {target: collections.Counter() for target in TARGETS}
    for project, file, line, *actions in table("labels.tsv"):
        for target, action in zip(TARGETS, actions):
            labels[project][target, file, int(line)] = action
    for project, _, _ in table("projects.tsv"):
        rows = rows_of(pathlib.Path(os.environ["OPCHECK_PUBLIC_DIR"]) / project)
        for place in {*rows, *labels[project]}:
            label, found = labels[project].get(place, "none"), rows.get(place, set()) - {"fine"}
            row = "must" if "must-change" in found else "check" if found else "none"
            right = {"must": row == "must", "check": row == "check", "stop": row == "check", "none": row == "none", "any": True}[label]
            count[place[0]][label, row] += 1
            if not right:
                wrong.append((project, place[1], place[2], place[0], "label %s" % label, "row %s" % row))
    for target in TARGETS:
        tally = count[target]
        must = sum(n for (label, _), n in tally.items() if label == "must")
        look = sum(n for (label, _), n in tally.items() if label in ("check", "stop"))
        said = sum(n for (label, row), n in tally.items() if row == "must" and label != "any")
        asked = sum(n for (label, row), n in tally.items() if row == "check" and label != "any")
        seen = sum(tally[label, "check"] for label in ("check", "stop"))
        print("%s: change rows found %d of %d (%.1f %%), right %d of %d (%.1f %%); check rows found %d of %d (%.1f %%), "
              "right %d of %d (%.1f %%)" % (
                  target, tally["must", "must"], must, 100 * tally["must", "must"] / must,
                  tally["must", "must"], said, 100 * tally["must", "must"] / said,
                  seen, look, 100 * seen / look, seen, asked, 100 * seen / asked))
    if "-v" in sys.argv:
        print(*("  ".join(map(str, row)) for row in sorted(wrong)), sep="\n")


if __name__ == "__main__":
    main()
