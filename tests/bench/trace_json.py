"""The job of opcheck's trace reader with Python's json: calls and times by operator, shapes and types. Run by trace.py."""
import collections
import json
import sys


def main():
    with open(sys.argv[1], "rb") as file:
        trace = json.load(file)
    totals = collections.defaultdict(lambda: [0, 0.0])
    for event in trace["traceEvents"]:
        if event["ph"] != "X" or event.get("cat") not in ("cpu_op", "user_annotation"):
            continue
        args = event["args"]
        total = totals[event["name"], str(args.get("Input Dims")), str(args.get("Input type"))]
        total[0] += 1
        total[1] += event["dur"]
    print(len(trace["traceEvents"]), "events,", len(totals), "keys")


if __name__ == "__main__":
    main()
