"""Who reads waits for no other reader: queries have connections of their own, a deadline, and threads beside the connections."""
import concurrent.futures
import sqlite3
import threading

import requests

from daemon import SMALL


def fill(daemon, count):
    """Runs as the service writes them, by hand: only the table matters."""
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log", model="m").json()
    daemon.stop()
    with sqlite3.connect(daemon.state / "store.sqlite") as store:
        store.execute("INSERT INTO run (id, assessment, created_at, project, name, model, branch, revision, tags, verdict, kept, stored_bytes)"
                      " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
                      " SELECT lower(hex(randomblob(8))), assessment, created_at, project, name, 'model-' || (i % 97), 'b' || (i % 5), '', '',"
                      " verdict, 0, stored_bytes FROM n, run WHERE run.number = 1", (count,))
        store.execute("INSERT INTO run_text (rowid, text) SELECT number, name || ' ' || model FROM run WHERE number > 1")
    store.close()
    daemon.restart()
    return record


def without_end(daemon):
    """The fleet becomes a list that never comes to its end."""
    daemon.stop()
    with sqlite3.connect(daemon.state / "store.sqlite") as store:
        store.execute("ALTER TABLE standing RENAME TO standing_kept")
        store.execute("CREATE VIEW standing AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                      " SELECT '' AS project, 'x' AS model, '' AS branch, 'none' AS target, -i AS run, 0 AS assessment FROM n")
        store.execute("CREATE TRIGGER standing_kept_as_it_is INSTEAD OF UPDATE ON standing BEGIN SELECT 1; END")
        store.execute("DROP TRIGGER run_added")
        store.execute("DROP TRIGGER run_removed")
    store.close()
    daemon.restart()


def test_a_query_that_takes_too_long_is_ended_and_says_so(fresh):
    daemon = fresh("--limit", "query-seconds=1")
    fill(daemon, 1)
    without_end(daemon)
    reply = daemon.api.get("/api/v1/fleet")
    assert (reply.status_code, reply.json()["code"]) == (503, "OPC-5006") and "query-seconds" in reply.text
    assert reply.headers["Retry-After"] and daemon.api.get("/api/v1/runs").status_code == 200


def test_slow_lists_hold_neither_the_health_nor_a_run(fresh):
    """As many endless lists as there are workers: what is looked up by its id is answered meanwhile, by another connection."""
    daemon = fresh("--limit", "query-seconds=25", "--limit", "workers=2", "--limit", "readers=1")
    record = fill(daemon, 1)
    without_end(daemon)
    begun = threading.Barrier(3)

    def list_all():
        begun.wait()
        return requests.get(daemon.url + "/api/v1/fleet", timeout=60).status_code

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        lists = [pool.submit(list_all) for _ in range(2)]
        begun.wait()
        answered = 0
        while not any(one.done() for one in lists) and answered < 2:
            assert daemon.api.get("/healthz").status_code == 200 and daemon.api.get("/metrics").status_code == 200
            assert daemon.api.get(record["run"]["links"]["self"]).status_code == 200
            answered += 1
        assert answered == 2  # before the first list was over
        assert [one.result() for one in lists] == [503, 503]


def test_the_demand_counts_neither_runs_nor_models(fresh):
    """The plan has the rollups alone, whatever the number of runs."""
    daemon = fresh()
    fill(daemon, 2000)
    reply = daemon.api.json("/api/v1/demand")
    with sqlite3.connect("file:%s?mode=ro" % (daemon.state / "store.sqlite"), uri=True) as store:
        counted = store.execute("SELECT target, operator, status, count(*) FROM run JOIN blocker ON blocker.assessment = run.assessment"
                                " GROUP BY 1, 2, 3").fetchall()
        models = dict(((target, op), count) for target, op, count in store.execute(
            "SELECT target, operator, count(*) FROM (SELECT DISTINCT s.target, operator, s.project, s.model FROM standing AS s JOIN run"
            " ON run.number = s.run JOIN blocker ON blocker.assessment = run.assessment AND blocker.target = s.target) GROUP BY 1, 2"))
    store.close()
    assert sorted((item["target"], item["operator"], item["status"], item["runs"]) for item in reply["items"]) == sorted(counted)
    assert {(item["target"], item["operator"]): item["models"] for item in reply["items"]} == models
