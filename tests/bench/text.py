#!/usr/bin/python3
"""Reading text tables: opcheck against the porting guide's extraction script and wc -l, on the same bytes in the same run.

	OPCHECK_REFERENCE_DIR=... python3 tests/bench/text.py BUILD_DIR [--megabytes N] [--runs N] [--folder DIR]

The log is made by repeating real ones. The programs take turns; every figure is the median of the runs, ratios are formed turn by
turn. opcheck may use every core there is, the script uses one. Nothing here passes or fails: it prints.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def real_logs():
    reference = os.environ.get("OPCHECK_REFERENCE_DIR")
    folder = pathlib.Path(reference) / "samples" / "torch-2.13" if reference else ROOT / "tests" / "fixtures" / "torch-2.13"
    return sorted(folder.glob("*.a-full.log")) + sorted(folder.glob("*.a.log"))


def make_log(path, megabytes):
    block = b"".join(log.read_bytes() for log in real_logs())
    with open(path, "wb") as out:
        for _ in range(megabytes * 1_000_000 // len(block) + 1):
            out.write(block)
    return path.stat().st_size


def run(command, environment):
    """Wall seconds and peak memory in MiB of one process."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: %s" % (command, process.stderr.read().decode()))
    return wall, usage.ru_maxrss / 1024


def compare(title, commands, runs, environment):
    """Runs the commands in turn and prints each one's median and how many times faster than the first the others are."""
    walls = {name: [] for name in commands}
    peaks = {name: 0 for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            wall, peak = run(command, environment)
            if turn:  # the first turn warms the page cache
                walls[name].append(wall)
                peaks[name] = max(peaks[name], peak)
    first = next(iter(commands))
    print(title)
    for name in commands:
        ratio = statistics.median(a / b for a, b in zip(walls[first], walls[name]))
        print("  %-28s %8.3f s  %6.1f MiB  %s" % (name, statistics.median(walls[name]), peaks[name],
                                                "" if name == first else "%.1f times as fast as %s" % (ratio, first)))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--megabytes", type=int, default=210)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    opcheck = options.build / "src" / "opcheck"
    environment = dict(os.environ, OPCHECK_DB=str(options.build / "opdb" / "opdb.sqlite"), LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        log, large = folder / "profiler.log", folder / "large.log"
        size = make_log(log, options.megabytes)
        title = "text tables, %.0f MB, %d cores, medians of %d runs" % (size / 1e6, os.cpu_count(), options.runs)
        commands = {}
        reference = os.environ.get("OPCHECK_REFERENCE_DIR")
        if reference:
            script = pathlib.Path(reference) / "tools" / "guide_extract.py"
            commands["guide_extract.py"] = [sys.executable, script, "--profiler_file", log, "--out-dir", folder]
        commands["opcheck extract --as-guide"] = [opcheck, "extract", "--profiler_file", log, "--out-dir", folder]
        commands["opcheck check, 2 targets"] = [opcheck, "check", log]
        commands["wc -l"] = ["wc", "-l", log]
        compare(title, commands, options.runs, environment)
        size = make_log(large, options.megabytes * 10)
        compare("the same, %.0f MB" % (size / 1e6), {
            "opcheck extract --as-guide": [opcheck, "extract", "--profiler_file", large, "--out-dir", folder],
            "opcheck check, 2 targets": [opcheck, "check", large]}, 2, environment)
        large.unlink()
        small = ROOT / "tests" / "fixtures" / "torch-2.13" / "resnet50.a.log"
        every = [a for t in all_targets(opcheck, environment) for a in ("-t", t)]
        compare("a new process on a dump of %d KB" % (small.stat().st_size // 1000), {
            "check, 2 targets": [opcheck, "check", small], "check, 1 target": [opcheck, "check", small, "-t", "npu"],
            "check, all targets": [opcheck, "check", small, "-f", "json", *every], "opcheck --help": [opcheck, "--help"]},
            max(options.runs, 15), environment)


def all_targets(opcheck, environment):
    listed = subprocess.run([opcheck, "targets", "-f", "json"], capture_output=True, check=True, env=environment)
    return [target["id"] for target in json.loads(listed.stdout)["targets"]]


if __name__ == "__main__":
    main()
