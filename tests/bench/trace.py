#!/usr/bin/python3
"""Reading traces: opcheck against simdjson On-Demand, cJSON and Python's json on the same bytes in the same run.

	OPCHECK_REFERENCE_DIR=... python3 tests/bench/trace.py BUILD_DIR [--megabytes N] [--runs N] [--folder DIR] [--no-ladder]

The trace is made by repeating a real list of events, its times moved on each time. The programs take turns; ratios are formed turn
by turn: wall time, and the processor time of all threads, which a loaded machine hardly changes. Packed forms are compared with
gzip -dc and zstd -dc alone. opcheck reads, judges against two targets and may use every core; simdjson's program
(trace_simdjson.cc, Debian's libsimdjson-dev; the kernels it runs are printed) and the others read and count, and report nothing.
Nothing here passes or fails.
"""
import argparse
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from turns import arguments, climb, compare, make

HERE = pathlib.Path(__file__).resolve().parent
SIMDJSON = "simdjson On-Demand"


def make_trace(path, megabytes):
    """Repeats the events of a real trace, the same bytes but for the times; of a small size, as many of them as fit."""
    reference = pathlib.Path(os.environ["OPCHECK_REFERENCE_DIR"])
    text = gzip.decompress((reference / "samples" / "torch-2.13" / "bert.c.trace.json.gz").read_bytes())
    begin, end = text.index(b'"traceEvents": [') + 16, text.rindex(b'\n  ],"traceName"')
    if megabytes * 1_000_000 < end:
        text = text[:text.rindex(b",\n  {", 0, megabytes * 1_000_000)] + text[end:]
        end = text.rindex(b'\n  ],"traceName"')
    parts = re.split(rb'("ts": )(\d+)(\.\d+)', text[begin:end].strip())
    with open(path, "wb") as out:
        out.write(text[:begin])
        for turn in range(max(round(megabytes * 1e6 / len(text)), 1)):
            moved = parts[:]
            for i in range(2, len(parts), 4):
                moved[i] = b"%d" % (int(parts[i]) + turn * 400_000)
            out.write((b",\n  " if turn else b"") + b"".join(moved))
        out.write(text[end:])


def build(folder):
    """The peers that have to be compiled, as fast as their compilers make them."""
    peers = {SIMDJSON: (["g++", "-O3", "-march=native", "-std=c++17", HERE / "trace_simdjson.cc", "-lsimdjson"], "simdjson"),
             "cJSON": (["cc", "-O3", "-D_GNU_SOURCE", HERE / "trace_cjson.c", "-lcjson", "-lm"], "cjson")}
    built = {}
    for name, (command, file) in peers.items():
        done = subprocess.run([*command, "-o", folder / file], capture_output=True, text=True)
        if done.returncode:
            print("  without %s: %s" % (name, done.stderr.strip().split("\n")[0]))
        else:
            built[name] = folder / file
    return built


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow-runs", type=int, default=2)
    options = arguments(parser, 130, 7)
    opcheck, environment = options.opcheck, options.environment
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        trace = folder / "trace.json"
        make(make_trace, trace, options.megabytes)
        peers = build(folder)
        ours = {"opcheck check": [opcheck, "check", trace]}
        title = "Kineto trace, %.0f MB" % (trace.stat().st_size / 1e6)
        if SIMDJSON in peers:
            kernels = subprocess.run([peers[SIMDJSON], "--kernels"], capture_output=True, text=True, check=True)
            print("simdjson: " + kernels.stdout.strip())
            compare(title, ours, {SIMDJSON: [peers[SIMDJSON], trace]}, options.runs, environment)
        slow = {"Python's json": [sys.executable, HERE / "trace_json.py", trace]}
        if "cJSON" in peers:
            slow["cJSON"] = [peers["cJSON"], trace]
        compare(title, ours, slow, options.slow_runs, environment)
        for program, suffix, pack in (("gzip", ".gz", ["gzip", "-k"]), ("zstd", ".zst", ["zstd", "-q", "-k"])):
            subprocess.run([*pack, trace], check=True)
            packed = pathlib.Path(str(trace) + suffix)
            compare("%s, packed by %s to %.1f MB" % (title, program, packed.stat().st_size / 1e6),
                    {"opcheck check": [opcheck, "check", packed]}, {program + " -dc": [program, "-dc", packed]}, options.runs,
                    environment)
            packed.unlink()
        trace.unlink()
        if not options.no_ladder:
            climb("Kineto trace", make_trace, folder / "ladder.json", [opcheck, "check", folder / "ladder.json"], environment)


if __name__ == "__main__":
    main()
