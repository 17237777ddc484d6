#!/usr/bin/env python3
"""Lists, searches, a trend, the fleet and the demand of a service with 100,000 runs.

	python3 tests/bench/team.py BUILD_DIR [--runs N] [--turns N] [--crowd SECONDS] [--state DIR]

Rows are written to the state directory as the service writes them, of one real assessment for each target state. Every address
is read in turn: medians and processor time are printed. --crowd reads each with 8 connections of wrk for that long, and prints
the p99 of health and of one run meanwhile, next to those before. --state keeps the directory, or takes one that was filled
before. Nothing passes or fails here.
"""
import concurrent.futures
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

from load import loads, open_loop, percentile, store_arguments
from serve import processor_seconds
from turns import ROOT

CLIENTS = 8
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
        self.url = re.search(r"http://\S+", self.process.stdout.readline().decode())[0]

    def ask(self, path, data=None):
        began = time.perf_counter()
        with urllib.request.urlopen(self.url + (path if path.startswith("/") else "/api/v1/" + path), data) as reply:
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


def fill_new(options, state):
    service = Service(options.build, state)
    for dump in DUMPS:
        service.ask("assessments?name=a.log", (ROOT / "tests" / "fixtures" / dump).read_bytes())
    service.stop()
    began = time.perf_counter()
    fill(state / "store.sqlite", options.runs, options.models)
    print("%d runs written in %.1f s, %d MiB" % (options.runs, time.perf_counter() - began, (state / "store.sqlite").stat().st_size >> 20))


def read_alone(service, path, turns):
    service.ask(path)
    before = processor_seconds(service.process.pid)
    times = [service.ask(path) for _ in range(turns)]
    used = (processor_seconds(service.process.pid) - before) * 1000 / turns
    print("%-45s %8.2f ms median, %8.2f ms most, %6.1f ms of processor, %5d items" % (
        path, statistics.median(t for t, _ in times), max(t for t, _ in times), used, len(json.loads(times[0][1])["items"])), flush=True)


def p99s(service, run, seconds):
    """Of health and of one run, in milliseconds: 50 of each a second at set times."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [percentile(times, 0.99) * 1000 for times in pool.map(
            lambda path: open_loop(lambda _: service.ask(path), 50, seconds), ("/healthz", "runs/" + run))]


def read_together(service, path, seconds):
    run = json.loads(service.ask("runs?limit=1")[1])["items"][0]["id"]
    before = p99s(service, run, seconds)
    with subprocess.Popen(["wrk", "-t1", "-c%d" % CLIENTS, "-d%ds" % (seconds + 2), "--timeout", "30", service.url + "/api/v1/" + path],
                          stdout=subprocess.PIPE, text=True) as crowd:
        time.sleep(1)
        during = p99s(service, run, seconds)
        answered = re.search(r"Requests/sec:\s+([0-9.]+)", crowd.communicate()[0]).group(1)
    print("%-45s %s a second for %d clients; p99 of health %.1f ms (%.1f before), of a run %.1f (%.1f before), %s" % (
        path, answered, CLIENTS, during[0], before[0], during[1], before[1], loads()), flush=True)


def main():
    parser = store_arguments(__doc__, 100000, 9)
    parser.add_argument("--models", type=int, default=400)
    parser.add_argument("--crowd", type=int, default=0)
    parser.add_argument("--state", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        state = options.state or pathlib.Path(directory) / "state"
        if not (state / "store.sqlite").exists():
            fill_new(options, state)
        service = Service(options.build, state)
        for path in ASKED:
            if options.crowd:
                read_together(service, path, options.crowd)
            else:
                read_alone(service, path, options.turns)
        service.stop()


if __name__ == "__main__":
    main()
