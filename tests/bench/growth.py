#!/usr/bin/python3
"""Lists, search, a trend, the fleet and the demand on PostgreSQL with ten million runs.

	python3 tests/bench/growth.py BUILD_DIR [--runs N] [--seed N] [--turns N] [--folder DIR]

Wants Debian's postgresql and 14 GB in the folder; 10,000,000 runs of 100,000 assessments in 24 months by default. Rows are
copied from those of real assessments within the database, without their dumps and reports; the same seed gives the same rows.
Every address is read in turn, a page of 20; nothing here passes or fails.
"""
import json
import pathlib
import statistics
import sys
import tempfile
import time

from load import loads, percentile, store_arguments
from serve import Service, ended
from turns import ROOT

sys.path.insert(0, str(ROOT / "tests"))
import cluster  # noqa: E402

DUMPS = ["torch-1.13/transformer.a.log", "torch-1.13/resnet18.a-full.log", "eras/2.9-overload.log", "torch-2.13/lastbatch.a-full.log",
         "torch-2.13/llama.a-full.log", "torch-2.13/compilemarks.a-full.log"]
LISTS = [
    ("list", "runs?limit=20"), ("list", "runs?limit=20&model=model-7"), ("list", "runs?limit=20&project=team-3&branch=main"),
    ("list", "runs?limit=20&verdict=blocked"), ("list", "runs?limit=20&tag=nightly"), ("list", "runs?limit=20&sort=model"),
    ("list", "runs?limit=20&cursor=%(half)d"), ("list", "assessments?limit=20"),
    ("search", "runs?limit=20&q=%(revision)s"), ("search", "runs?limit=20&q=model-7"), ("search", "runs?limit=20&q=topic-3&tag=nightly"),
    ("trend", "models?limit=20&project=team-3&model=model-7&branch=main"), ("fleet", "fleet?limit=20"),
    ("fleet", "fleet?limit=20&project=team-3&verdict=blocked"), ("demand", "demand?limit=20"), ("demand", "demand?limit=20&project=team-3"),
    ("one run", "runs/%(run)s"),
]


def fill(options, database):
    began = time.monotonic()
    sql = (ROOT / "tests" / "fixtures" / "growth.sql").read_text(encoding="utf-8")
    database.query("SET growth.runs = %d; SET growth.assessments = %d; SET growth.seed = %d; SET maintenance_work_mem = '512MB'; SET work_mem = '128MB'; %s" % (
        options.runs, options.runs // 100, options.seed, sql), "growth")
    database.query("VACUUM ANALYZE", "growth")
    tables = database.query("SELECT parent || ' ' || sum(size)::bigint / 1000000 FROM (SELECT coalesce((SELECT inhparent FROM pg_inherits WHERE inhrelid = oid), oid)"
                            "::regclass::text AS parent, pg_total_relation_size(oid) AS size FROM pg_class WHERE relkind = 'r' AND relnamespace ="
                            " 'opcheck'::regnamespace) AS t GROUP BY parent HAVING sum(size) > 1000000 ORDER BY sum(size) DESC", "growth")
    size = int(database.query("SELECT pg_database_size('growth')"))
    print("%d runs in %.0f s, %.2f GB, %.0f bytes a run (%s); MB: %s" % (options.runs, time.monotonic() - began, size / 1e9, size / options.runs, loads(),
                                                                        ", ".join(line.replace("opcheck.", "") for line in tables.splitlines())), flush=True)


def read(service, path, turns):
    times, size = [], 0
    for _ in range(turns + 1):
        began = time.monotonic()
        status, body = service.request("GET", "/api/v1/" + path)
        times.append((time.monotonic() - began) * 1000)
        assert status == 200, (path, status, body)
        size = len(json.loads(body).get("items", "1"))
    return times[1:], size


def submit(service, turns):
    """A dump that is stored already: what its run takes."""
    content, times = (ROOT / "tests" / "fixtures" / DUMPS[0]).read_bytes(), []
    for _ in range(turns + 1):
        began = time.monotonic()
        service.submit(content, "a.log&model=model-7&project=team-3")
        times.append((time.monotonic() - began) * 1000)
    print("a submit of a known dump: median %.1f ms, p99 %.1f ms (%s)" % (statistics.median(times[1:]), percentile(times[1:], 0.99), loads()), flush=True)


def drop(database):
    """The oldest month as a table, and some of its successor row by row."""
    began = time.monotonic()
    dropped = database.query("SET search_path = opcheck, public; SELECT drop_month('2025-02-01T00:00:00Z')", "growth")
    seconds = time.monotonic() - began
    began = time.monotonic()
    database.query("SET search_path = opcheck, public; DELETE FROM run WHERE number IN (SELECT number FROM run ORDER BY number LIMIT 1000)", "growth")
    print("a month of %s runs dropped in %.1f s; 1000 runs removed one by one in %.1f s (%s)" % (dropped, seconds, time.monotonic() - began, loads()), flush=True)


def main():
    parser = store_arguments(__doc__, 10000000, 20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    options.environment = {"OPCHECK_DB": str(options.build / "opdb" / "opdb.sqlite"), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    if cluster.programs() is None:
        sys.exit("growth: PostgreSQL is not installed")
    database = cluster.Cluster(options.folder)
    for setting in ("wal_level = minimal", "max_wal_senders = 0", "max_wal_size = '4GB'"):  # rows of new tables are written once
        database.query("ALTER SYSTEM SET " + setting)
    database.stop()
    database.start()
    try:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            service = Service(options, pathlib.Path(folder), "--store", database.create("growth"), "--limit", "minute-requests=100000000")
            with ended(service.process):
                for dump in DUMPS:
                    service.submit((ROOT / "tests" / "fixtures" / dump).read_bytes(), "a.log")
                fill(options, database)
                run, revision, half = database.query("SELECT id || ' ' || revision || ' ' || number FROM opcheck.run WHERE revision <> ''"
                                                     " ORDER BY number OFFSET %d LIMIT 1" % (options.runs // 2), "growth").split()
                for name, path in LISTS:
                    path %= {"run": run, "revision": revision[:12], "half": int(half)}
                    times, size = read(service, path, options.turns)
                    print("%-8s %-60s median %8.1f ms, p99 %8.1f ms, %3d items (%s)" % (
                        name, path, statistics.median(times), percentile(times, 0.99), size, loads()), flush=True)
                submit(service, options.turns)
                drop(database)
    finally:
        database.remove()


if __name__ == "__main__":
    main()
