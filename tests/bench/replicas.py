#!/usr/bin/python3
"""Services on one PostgreSQL, with fsync: what a stored run takes, what workers gain, how soon a job starts elsewhere.

	python3 tests/bench/replicas.py BUILD_DIR [runs|services|workers|start]... [--seconds N] [--runs N] [--folder DIR]

Wants Debian's postgresql and wrk. The services listen on this machine; SQLite and PostgreSQL lie in one file system and take turns.
Nothing here passes or fails; the load of the machine is printed with each figure.
"""
import argparse
import concurrent.futures
import contextlib
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from load import BENCH, loads, percentile
from serve import DUMP, Service, ended, processor_seconds
from turns import ROOT

sys.path.insert(0, str(ROOT / "tests"))
import cluster  # noqa: E402

UNLIMITED = "--limit", "minute-requests=100000000", "--limit", "hour-bytes=%d" % (1 << 40)
MEGABYTE = 1000 * 1000


@contextlib.contextmanager
def services(options, folder, url, *roles):
    """One for each of the roles; url None: SQLite."""
    store = ["--store", url] if url else []
    with contextlib.ExitStack() as stack:
        started = []
        for at, role in enumerate(roles):
            own = folder / ("%s-%d" % (role, at))
            own.mkdir(parents=True, exist_ok=True)
            started.append(Service(options, own, *store, "--role", role, *UNLIMITED, "--limit", "jobs=1"))
            stack.enter_context(ended(started[-1].process))
        yield started


def runs_of_clients(services, options, path, *words):
    """What 8 clients of the services get done in a second."""
    clients = [subprocess.Popen(["wrk", "-t1", "-c%d" % (8 // len(services)), "-d%ds" % options.seconds, "--timeout", "60", "-s", BENCH / "post.lua",
                                 "http://127.0.0.1:%d/api/v1/assessments" % service.port, "--", path, *words], stdout=subprocess.PIPE, text=True)
               for service in services]
    texts = [client.communicate()[0] for client in clients]
    assert not any(client.returncode for client in clients) and "Non-2xx" not in "".join(texts), texts
    return sum(float(re.search(r"Requests/sec:\s+([0-9.]+)", text).group(1)) for text in texts)


def bench_runs(options, folder, database):
    path, ratios = folder / "dump.log", []
    path.write_bytes(DUMP.read_bytes())
    with services(options, folder / "sqlite", None, "all") as (embedded,), services(options, folder / "pg", database.create("runs"), "all") as (shared,):
        for turn in range(options.runs + 1):
            ratios.append(runs_of_clients([embedded], options, path) / runs_of_clients([shared], options, path))
        print("a stored run of 8 clients: %.2f of SQLite's time, turn by turn %s; memory %.0f and %.0f MiB (%s)" % (
            statistics.median(ratios[1:]), ", ".join("%.2f" % ratio for ratio in ratios[1:]), embedded.resident_mib("VmHWM"),
            shared.resident_mib("VmHWM"), loads()), flush=True)


def bench_services(options, folder, database):
    """Submits of one dump: each adds a run of the same assessment, whose rows in the rollups are the same."""
    path, ratios = folder / "dump.log", []
    path.write_bytes(DUMP.read_bytes())
    with services(options, folder, database.create("services"), "all", "all") as both:
        both[0].submit(DUMP.read_bytes(), "dump.log")
        for turn in range(options.runs + 1):
            rates, costs = [], []
            for some in (both[:1], both):
                processes = [database.server.pid, *(service.process.pid for service in some)]
                before = sum(map(processor_seconds, processes))
                rates.append(runs_of_clients(some, options, path, "same"))
                costs.append((sum(map(processor_seconds, processes)) - before) / rates[-1] / options.seconds)
            ratios.append(rates[1] / rates[0])
        print("repeated submits of 8 clients: two services %.2f times one, turn by turn %s; in %d s at last %.0f and %.0f, by %.1f and %.1f ms of processor each (%s)" % (
            statistics.median(ratios[1:]), ", ".join("%.2f" % ratio for ratio in ratios[1:]), options.seconds,
            *(rate * options.seconds for rate in reversed(rates)), *(cost * 1000 for cost in reversed(costs)), loads()), flush=True)


def large_dump(number):
    table = DUMP.read_bytes()
    return table * (50 * MEGABYTE // len(table)) + b"\n%d\n" % number


def queue_all(web, numbers):
    def queue(number):
        status, body = web.request("POST", "/api/v1/assessments?wait=0&name=%d.log" % number, large_dump(number))
        assert status == 202, body

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(queue, numbers))


def runs_of(web):
    return len(json.loads(web.request("GET", "/api/v1/runs?limit=100")[1])["items"])


def bench_workers(options, folder, database):
    """The queue is full when the workers start: what the upload takes is no work of theirs."""
    ratios, count = [], 16
    for turn in range(options.runs + 1):
        taken = []
        for workers in (1, 4):
            url = database.create("workers_%d_%d" % (turn, workers))
            own = folder / url.rsplit("/", 1)[1]
            with services(options, own, url, "web") as (web,):
                queue_all(web, range(count))
                begun = time.monotonic()
                with services(options, own, url, *["worker"] * workers):
                    while runs_of(web) < count:
                        time.sleep(0.02)
                    taken.append(time.monotonic() - begun)
                memory = web.resident_mib("VmHWM")
        ratios.append(taken[0] / taken[1])
    print("%d dumps of 50 MB: four workers %.2f times one, turn by turn %s; the last took %.1f and %.1f s; memory of the web service %.0f MiB (%s)" % (
        count, statistics.median(ratios[1:]), ", ".join("%.2f" % ratio for ratio in ratios[1:]), *taken, memory, loads()), flush=True)


def bench_start(options, folder, database):
    """A job of a millisecond that a worker does for a web service: its whole time bounds that from being queued to its start."""
    def times(web):
        taken = []
        for number in range(1000):
            begun = time.monotonic()
            web.submit(b"%s\n%d\n" % (DUMP.read_bytes()[:4096], number), "%d.log" % number)
            taken.append((time.monotonic() - begun) * 1000)
            time.sleep(0.02)
        return taken

    with services(options, folder / "alone", None, "all") as (alone,), services(options, folder / "apart", database.create("start"), "web", "worker") as (web, _):
        for name, service in (("one service of SQLite", alone), ("a web service and a worker", web)):
            taken = times(service)
            print("a submit when idle, %s: median %.1f, p99 %.1f, longest %.1f ms (%s)" % (
                name, percentile(taken, 0.5), percentile(taken, 0.99), max(taken), loads()), flush=True)


BENCHES = {"runs": bench_runs, "services": bench_services, "workers": bench_workers, "start": bench_start}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build directory, of --buildtype=release")
    parser.add_argument("names", nargs="*", choices=[[], *BENCHES], help="all by default")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", default="/var/tmp", help="where databases and dumps are, of several gigabytes")
    options = parser.parse_args()
    options.environment = {"OPCHECK_DB": str(options.build / "opdb" / "opdb.sqlite"), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    if cluster.programs() is None:
        sys.exit("replicas: PostgreSQL is not installed")
    database = cluster.Cluster(options.folder)
    try:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            for name in options.names or BENCHES:
                own = pathlib.Path(folder) / name
                own.mkdir()
                BENCHES[name](options, own, database)
    finally:
        database.remove()


if __name__ == "__main__":
    main()
