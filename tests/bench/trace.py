#!/usr/bin/python3
"""Reading traces: opcheck against simdjson On-Demand, cJSON and Python's json on the same bytes in the same run.

	OPCHECK_REFERENCE_DIR=... python3 tests/bench/trace.py BUILD_DIR [--megabytes N] [--runs N] [--folder DIR]

The trace is made by repeating a real list of events, its times moved on each time. The programs take turns; every figure is the
median of the runs, ratios are formed turn by turn: wall time, and the processor time of all threads, which a loaded machine does
not change. Packed forms are compared with gzip -dc and zstd -dc alone. opcheck reads, judges against two targets and may use every
core; simdjson's program (trace_simdjson.cc, Debian's libsimdjson-dev; the kernels it runs are printed) and the others read and
count. Nothing here passes or fails.
"""
import argparse
import gzip
import multiprocessing
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def make_trace(path, megabytes):
    """Repeats the events of a real trace; the same bytes but for the times."""
    reference = pathlib.Path(os.environ["OPCHECK_REFERENCE_DIR"])
    text = gzip.decompress((reference / "samples" / "torch-2.13" / "bert.c.trace.json.gz").read_bytes())
    begin, end = text.index(b'"traceEvents": [') + 16, text.rindex(b'\n  ],"traceName"')
    parts = re.split(rb'("ts": )(\d+)(\.\d+)', text[begin:end].strip())
    with open(path, "wb") as out:
        out.write(text[:begin])
        for turn in range(megabytes * 1_000_000 // len(text) + 1):
            moved = parts[:]
            for i in range(2, len(parts), 4):
                moved[i] = b"%d" % (int(parts[i]) + turn * 400_000)
            out.write((b",\n  " if turn else b"") + b"".join(moved))
        out.write(text[end:])


def build(folder):
    """The peers that have to be compiled, as fast as their compilers make them."""
    peers = {"simdjson On-Demand": (["g++", "-O3", "-march=native", "-std=c++17", HERE / "trace_simdjson.cc", "-lsimdjson"], "simdjson"),
             "cJSON": (["cc", "-O3", "-D_GNU_SOURCE", HERE / "trace_cjson.c", "-lcjson", "-lm"], "cjson")}
    built = {}
    for name, (command, file) in peers.items():
        done = subprocess.run([*command, "-o", folder / file], capture_output=True, text=True)
        if done.returncode:
            print("  without %s: %s" % (name, done.stderr.strip().split("\n")[0]))
        else:
            built[name] = folder / file
    return built


def run(command, environment):
    """Wall seconds, processor seconds and peak memory in MiB of one process."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: %s" % (command, process.stderr.read().decode()))
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(title, commands, runs, environment):
    """Runs the commands in turn; the first is opcheck, and how many times as fast it is as each other is printed."""
    found = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            figures = run(command, environment)
            if turn:  # the first turn warms the page cache
                found[name].append(figures)
    first = next(iter(commands))
    print(title)
    for name, figures in found.items():
        ratios = [statistics.median(b[i] / a[i] for a, b in zip(found[first], figures)) for i in (0, 1)]
        print("  %-22s %8.3f s wall %8.3f s processor %8.1f MiB  %s" % (
            name, *(statistics.median(f[i] for f in figures) for i in (0, 1)), max(f[2] for f in figures),
            "" if name == first else "opcheck is %.2f times as fast (%.2f by processor time)" % tuple(ratios)))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--megabytes", type=int, default=120)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--slow-runs", type=int, default=2)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    opcheck = options.build / "src" / "opcheck"
    environment = dict(os.environ, OPCHECK_DB=str(options.build / "opdb" / "opdb.sqlite"), LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        trace = folder / "trace.json"
        # in a process of its own: what this one grows to would count as the peak of those that it starts
        maker = multiprocessing.Process(target=make_trace, args=(trace, options.megabytes))
        maker.start()
        maker.join()
        size = trace.stat().st_size
        peers = build(folder)
        title = "Kineto trace, %.0f MB, %d cores, medians of %d runs" % (size / 1e6, os.cpu_count(), options.runs)
        ours = {"opcheck check": [opcheck, "check", trace]}
        if "simdjson On-Demand" in peers:
            kernels = subprocess.run([peers["simdjson On-Demand"], "--kernels"], capture_output=True, text=True, check=True)
            print("simdjson: " + kernels.stdout.strip())
            compare(title, dict(ours, **{"simdjson On-Demand": [peers["simdjson On-Demand"], trace]}), options.runs, environment)
        slow = {"Python json": [sys.executable, HERE / "trace_json.py", trace]}
        if "cJSON" in peers:
            slow = {"cJSON": [peers["cJSON"], trace], **slow}
        compare("the same, %d runs" % options.slow_runs, {**ours, **slow}, options.slow_runs, environment)
        for megabytes in (10, 100, 1000):
            ladder = folder / "ladder.json"
            maker = multiprocessing.Process(target=make_trace, args=(ladder, megabytes))
            maker.start()
            maker.join()
            compare("size ladder, %.0f MB" % (ladder.stat().st_size / 1e6), {"opcheck check": [opcheck, "check", ladder]}, 3, environment)
            ladder.unlink()
        for program, suffix, pack in (("gzip", ".gz", ["gzip", "-k"]), ("zstd", ".zst", ["zstd", "-q", "-k"])):
            subprocess.run([*pack, trace], check=True)
            packed = pathlib.Path(str(trace) + suffix)
            compare("packed by %s, %.1f MB" % (program, packed.stat().st_size / 1e6), {
                "opcheck check": [opcheck, "check", packed], program + " -dc": [program, "-dc", packed]}, options.runs, environment)


if __name__ == "__main__":
    main()
