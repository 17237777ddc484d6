"""The share of lines that the tests ran, a layer a row: coverage.py SUMMARY.json FLOOR. Status 1 when a layer is under the floor."""
import collections
import json
import sys


def main(path, floor):
    layers = collections.defaultdict(lambda: [0, 0])
    files = json.load(open(path, encoding="utf-8"))["files"]
    for file in files:
        layer = layers[file["filename"].split("/")[1]]
        layer[0] += file["line_covered"]
        layer[1] += file["line_total"]
    layers["all"] = [sum(column) for column in zip(*layers.values())]
    under = [name for name, (covered, total) in layers.items() if 100 * covered < floor * total]
    for name, (covered, total) in sorted(layers.items(), key=lambda item: (item[0] == "all", item[0])):
        print("%-8s %6d of %6d lines  %5.1f %%%s" % (name, covered, total, 100 * covered / total, "  under %g %%" % floor * (name in under)))
    worst = sorted((file["line_percent"], file["line_total"], file["filename"]) for file in files
                   if 100 * file["line_covered"] < floor * file["line_total"] and file["filename"].split("/")[1] in under)
    for percent, total, name in worst[:20]:
        print("  %5.1f %% of %4d  %s" % (percent, total, name))
    return 1 if under else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
