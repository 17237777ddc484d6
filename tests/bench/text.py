#!/usr/bin/python3
"""Reading text tables: opcheck against the porting guide's extraction script and wc -l, on the same bytes in the same run.

	OPCHECK_REFERENCE_DIR=... python3 tests/bench/text.py BUILD_DIR [--megabytes N] [--runs N] [--folder DIR] [--no-ladder]

The log is made by repeating real ones. The programs take turns; ratios are formed turn by turn. opcheck may use every core there
is, the script uses one. Nothing here passes or fails: it prints.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from turns import ROOT, arguments, climb, compare, make


def real_logs():
    reference = os.environ.get("OPCHECK_REFERENCE_DIR")
    folder = pathlib.Path(reference) / "samples" / "torch-2.13" if reference else ROOT / "tests" / "fixtures" / "torch-2.13"
    return sorted(folder.glob("*.a-full.log")) + sorted(folder.glob("*.a.log"))


def make_log(path, megabytes):
    """Whole logs; of a small size, as much of one as fits."""
    block = b"".join(log.read_bytes() for log in real_logs())
    left = megabytes * 1_000_000
    with open(path, "wb") as out:
        while left > 0:
            out.write(block if left >= len(block) else block[:block.rindex(b"\n", 0, left) + 1])
            left -= len(block)


def all_targets(options):
    listed = subprocess.run([options.opcheck, "targets", "-f", "json"], capture_output=True, check=True, env=options.environment)
    return [target["id"] for target in json.loads(listed.stdout)["targets"]]


def main():
    options = arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter), 210, 7)
    opcheck, environment = options.opcheck, options.environment
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = pathlib.Path(folder)
        log = folder / "profiler.log"
        make(make_log, log, options.megabytes)
        ours = {"opcheck extract --as-guide": [opcheck, "extract", "--profiler_file", log, "--out-dir", folder],
                "opcheck check, 2 targets": [opcheck, "check", log]}
        peers = {"wc -l": ["wc", "-l", log]}
        reference = os.environ.get("OPCHECK_REFERENCE_DIR")
        if reference:
            script = pathlib.Path(reference) / "tools" / "guide_extract.py"
            peers["guide_extract.py"] = [sys.executable, script, "--profiler_file", log, "--out-dir", folder]
        compare("text tables, %.0f MB" % (log.stat().st_size / 1e6), ours, peers, options.runs, environment)
        if not options.no_ladder:
            climb("text tables", make_log, folder / "ladder.log", [opcheck, "check", folder / "ladder.log"], environment)
        small = ROOT / "tests" / "fixtures" / "torch-2.13" / "resnet50.a.log"
        every = [a for t in all_targets(options) for a in ("-t", t)]
        compare("a new process on a dump of %d KB" % (small.stat().st_size // 1000), {
            "check, 2 targets": [opcheck, "check", small], "check, 1 target": [opcheck, "check", small, "-t", "npu"],
            "check, all targets": [opcheck, "check", small, "-f", "json", *every], "opcheck --help": [opcheck, "--help"]},
            {"python3 -c pass": [sys.executable, "-c", "pass"]}, max(options.runs, 15), environment)


if __name__ == "__main__":
    main()
