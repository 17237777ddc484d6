#!/usr/bin/python3
"""The ratios that are asked of opcheck's speed, each in one line beside what is asked.

	OPCHECK_REFERENCE_DIR=... python3 tests/bench/speed.py BUILD_DIR [--runs N] [--folder DIR] [--only WORD]

Programs take turns on the same bytes. Ratios are formed turn by turn, by wall time and by processor time. Wall time needs two idle
cores: as root, `chrt -f 5` before the command puts all of its programs ahead of others. Nothing here passes or fails.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from trace import SIMDJSON, build, make_trace
from shapes import make_log
from turns import arguments, make, ratio, take_turns

MB = 1_000_000


class Asked:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def show(self, title, asked, command, peer, factor=1.0):
        """Shows how many times as fast as the peer the command is, times the bytes that it has more."""
        if self.options.only not in title:
            return
        found = take_turns({"opcheck": command, "peer": peer}, self.options.runs, self.options.environment)
        print("%-55s %5.2f by wall, %5.2f by processor time; asked: %s" % (
            title, factor * ratio(found["opcheck"], found["peer"]), factor * ratio(found["opcheck"], found["peer"], 1), asked))
        sys.stdout.flush()

    def make(self, name, function, *values):
        path = self.folder / name
        make(function, path, *values)
        return path


def traces(all, opcheck):
    trace = all.make("trace.json", make_trace, 100)
    peers = build(all.folder)
    if SIMDJSON in peers:
        all.show("trace of 100 MB / simdjson", "at least 1.3", [opcheck, "check", trace], [peers[SIMDJSON], trace])
    ranks = [all.folder / ("rank%d.json" % i) for i in range(4)]
    for rank in ranks:
        os.link(trace, rank)
    all.show("one trace of 100 MB / four ranks of it", "at least 0.45 (at most 2.2 times)", [opcheck, "check", *ranks],
             [opcheck, "check", trace])
    for megabytes in (100, 500):
        if megabytes > 100:
            trace = all.make("long.json", make_trace, megabytes)
        packed = str(trace) + ".zst"
        subprocess.run(["zstd", "-q", "-k", trace], check=True)
        all.show("packed trace of %d MB / zstd -dc" % megabytes, "at least 0.65", [opcheck, "check", packed],
                 ["zstd", "-dc", packed])


def logs(all, opcheck):
    static, varied = all.make("static.log", make_log, 0), all.make("varied.log", make_log, 100)
    all.show("log of 100,000 shapes / static log", "at least 0.6", [opcheck, "check", "-f", "json", varied],
             [opcheck, "check", "-f", "json", static], varied.stat().st_size / static.stat().st_size)
    script = pathlib.Path(os.environ["OPCHECK_REFERENCE_DIR"]) / "tools" / "guide_extract.py"
    for tables, asked in ((300, "at least 6"), (2700, "at least 15")):
        log = all.make("log.%d" % tables, make_log, 20, tables)
        all.show("varied log of %.0f MB / guide" % (log.stat().st_size / MB), asked, [opcheck, "check", "-f", "json", log],
                 [sys.executable, script, "--profiler_file", log, "--out-dir", all.folder])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="figures whose title has this word")
    options = arguments(parser, 100, 7)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        everything = Asked(options, pathlib.Path(folder))
        traces(everything, options.opcheck)
        logs(everything, options.opcheck)


if __name__ == "__main__":
    main()
