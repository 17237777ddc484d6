#!/usr/bin/env python3
"""What a team asks of a service with 100,000 runs: how long lists, searches, a trend, the fleet and the demand take.

Rows are written to the state directory as the service writes them, of one real assessment for each target state; then every
address is asked in turn, and medians are printed. Nothing passes or fails here."""
import argparse
import json
import os
import pathlib
import random
import re
import sqlite3
import statistics
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
DUMPS = ["torch-1.13/transformer.a.log", "eras/2.9-overload.log", "torch-2.13/lastbatch.a-full.log"]
ASKED = ["runs", "runs?limit=1000", "runs?model=model-7", "runs?branch=topic-3", "runs?tag=nightly", "runs?verdict=blocked",
         "runs?q=c0ffee", "runs?q=model-12&branch=main", "runs?cursor=50000", "runs?project=team-3&tag=nightly",
         "runs?sort=model", "runs?sort=-verdict&tag=nightly", "models", "models?model=model-7",
         "models?model=model-7&branch=main&limit=1000", "fleet", "fleet?limit=1000", "fleet?verdict=blocked&branch=main", "demand", "demand?limit=2", "demand?limit=1000&project=team-3"]


class Service:
    def __init__(self, build, state):
        self.process = subprocess.Popen([build / "src" / "opcheckd", "--listen", "127.0.0.1:0", "--state-dir", state,
                                         "--limit", "minute-requests=1000000"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "OPCHECK_CONFIG": "none", "OPCHECK_DB": str(build / "opdb" / "opdb.sqlite")})
        self.url = re.search(r"http://\S+", self.process.stdout.readline().decode())[0] + "/api/v1/"

    def ask(self, path, data=None):
        began = time.perf_counter()
        with urllib.request.urlopen(self.url + path, data) as reply:
            body = reply.read()
        return (time.perf_counter() - began) * 1000, body

    def stop(self):
        self.process.terminate()
        self.process.wait()


def fill(path, count, models):
    """Runs of models on 5 branches in 4 projects."""
    chance = random.Random(1)
    with sqlite3.connect(path) as rows:
        kinds = rows.execute("SELECT number, stored_bytes, (SELECT max(verdict) FROM verdict WHERE assessment = number) FROM assessment")
        kinds = kinds.fetchall()
        for number in range(count):
            assessment, stored, verdict = chance.choice(kinds)
            model, branch = "model-%d" % chance.randrange(models), "main" if number % 2 else "topic-%d" % chance.randrange(4)
            tag = "nightly" if chance.random() < 0.1 else "ci"
            commit = "%040x" % chance.getrandbits(160) if number % 1000 else "c0ffee%d" % number
            run = rows.execute("INSERT INTO run (id, assessment, created_at, project, name, model, branch, revision, tags, verdict, kept,"
                               " stored_bytes) VALUES (lower(hex(randomblob(8))), ?, '2026-01-01T00:00:00Z', ?, 'a.log', ?, ?, ?, ?, ?, 0, ?)",
                               (assessment, "team-%d" % chance.randrange(4), model, branch, commit, tag, verdict, stored)).lastrowid
            rows.execute("INSERT INTO run_tag VALUES (?, ?)", (tag, run))
            rows.execute("INSERT INTO run_text (rowid, text) VALUES (?, ?)", (run, "a.log %s %s %s %s" % (model, branch, commit, tag)))
    rows.close()


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--runs", type=int, default=100000)
    options.add_argument("--models", type=int, default=400)
    options.add_argument("--turns", type=int, default=9)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        state = pathlib.Path(directory) / "state"
        service = Service(given.build.resolve(), state)
        for dump in DUMPS:
            service.ask("assessments?name=a.log", (ROOT / "tests" / "fixtures" / dump).read_bytes())
        service.stop()
        began = time.perf_counter()
        fill(state / "store.sqlite", given.runs, given.models)
        print("%d runs written in %.1f s, %d MiB" % (given.runs, time.perf_counter() - began,
                                                     (state / "store.sqlite").stat().st_size >> 20))
        service = Service(given.build.resolve(), state)
        for path in ASKED:
            times = [service.ask(path) for _ in range(given.turns)]
            items = len(json.loads(times[0][1])["items"])
            print("%-45s %8.2f ms median, %8.2f ms most, %5d items" % (path, statistics.median(t for t, _ in times), max(t for t, _ in times), items))
        service.stop()


if __name__ == "__main__":
    main()
