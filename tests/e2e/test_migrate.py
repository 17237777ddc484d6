"""A store moves from SQLite to PostgreSQL and back, and comes back from a backup: every answer stays as it was."""
import hashlib
import pathlib
import signal
import sqlite3
import subprocess
import time

import pytest

import cluster
from conftest import FIXTURES, Run, environment, program
from daemon import LONG_NAMES, SMALL, Daemon, trace_of, wait_until

pytestmark = pytest.mark.skipif(cluster.programs() is None, reason="PostgreSQL is not installed")
TARGET = "npu@v2.7.1-26.0.0"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A store with something in every table that a service fills: runs of two projects, tags, sessions, waivers, renames."""
    daemon = Daemon(tmp_path_factory.mktemp("small") / "state")
    for index, (model, branch) in enumerate([("llama", "main"), ("llama", "work"), ("bert", "main"), ("old", "main")]):
        dump = SMALL.read_bytes() + b"\n" * index
        reply = daemon.api.submit(dump, target=TARGET, name="müller %d.log" % index, model=model, branch=branch, tag=["x", "y"])
        assert reply.status_code == 201, reply.text
        assert daemon.api.get(reply.json()["links"]["report"] + ".html").status_code == 200
    daemon.api.submit((FIXTURES / "torch-2.13" / "lastbatch.a-full.log").read_bytes(), name="b.log")
    job = daemon.api.submit(SMALL.read_bytes() + b"\n" * 9, wait="0", name="job.log").json()
    assert wait_until(lambda: daemon.api.json("/api/v1/jobs/" + job["id"])["status"] == "succeeded")
    assert daemon.api.delete(daemon.api.json("/api/v1/runs", params={"model": "old"})["items"][0]["links"]["self"]).status_code == 204
    daemon.stop()
    assert opcheckd("token", "add", "--name", "ci", "--scope", "read", "--state-dir", daemon.state).status == 0
    return daemon


def opcheckd(*args):
    return Run([program("opcheckd", "OPCHECKD"), *args], env=environment())


def answers(daemon):
    """What a service says of its store, and each report and dump's page."""
    api, found = daemon.api, []
    for path in ("/api/v1/runs", "/api/v1/fleet", "/api/v1/demand", "/api/v1/assessments", "/api/v1/runs?q=ller", "/api/v1/runs?tag=x"):
        found.append(api.json(path))
    for item in api.json("/api/v1/assessments")["items"]:
        found += [api.get(item["links"]["report"] + ".json").content, api.get(item["links"]["self"] + "/advice").text]
    daemon.stop()
    return found


def test_a_store_is_the_same_in_postgresql_and_back_in_sqlite(tmp_path, database, small):
    url = database.create("moved")
    there = opcheckd("migrate", "--from", "sqlite:%s" % small.state, "--to", url)
    assert there.status == 0 and there.text.startswith("5 assessments, 5 runs, 5 dumps"), there.err + there.text
    again = opcheckd("migrate", "--from", "sqlite:%s" % small.state, "--to", url)
    assert again.status == 0 and again.text == there.text
    small.restart()
    expected = answers(small)
    moved = Daemon(tmp_path / "replica", "--store", url)
    assert answers(moved) == expected
    assert not list((tmp_path / "replica" / "dumps").iterdir()) and not (small.state / "migrating").exists()
    back = opcheckd("migrate", "--from", url, "--to", "sqlite:%s" % (tmp_path / "back"))
    assert back.status == 0 and back.text == there.text, back.err
    returned = Daemon(tmp_path / "back")
    new = returned.api.submit(SMALL.read_bytes() + b"\n" * 20, name="new.log", model="bert")
    assert new.status_code == 201 and len(list((tmp_path / "back" / "dumps").iterdir())) == 6
    assert returned.api.delete(new.json()["run"]["links"]["self"]).status_code == 204
    assert answers(returned) == expected
    moved.restart()  # numbers go on behind those that were copied
    assert moved.api.submit(SMALL.read_bytes() + b"\n" * 20, name="new.log").status_code == 201
    moved.stop()


def test_long_names_of_operators_that_version_0_1_kept_are_shortened_in_both_stores(tmp_path, database):
    plain, typed = LONG_NAMES[4], LONG_NAMES[3]
    keys = ["%s~%s" % (name[:447], hashlib.sha256(name.encode()).hexdigest()) for name in (plain, typed)]
    kept = {keys[0]: plain, keys[1]: typed + " (complex64)"}
    daemon = Daemon(tmp_path / "state")

    def submit(name, model):
        query = {"name": name, "model": model, "target": "musa"}
        assert daemon.api.post("/api/v1/assessments", params=query, data=trace_of(LONG_NAMES)).status_code == 201

    submit("a.json", "a")
    submit("b.json", "b")
    daemon.stop()
    with sqlite3.connect(daemon.state / "store.sqlite") as store:
        for table in ("blocker", "used", "demand_rollup", "held", "held_rollup", "operator_use"):
            for key, name in kept.items():
                store.execute("UPDATE %s SET operator = ? WHERE operator = ?" % table, (name, key))
    daemon.restart()
    submit("c.json", "b")
    daemon.stop()
    ends = "--from", "sqlite:%s" % daemon.state, "--to", database.create("long")
    run = opcheckd("migrate", *ends)
    assert run.status == 0 and run.text.splitlines()[1:] == ["2 names of operators over 512 bytes were shortened in both"], run.err
    assert len(opcheckd("migrate", *ends).text.splitlines()) == 1
    moved = Daemon(tmp_path / "moved", "--store", ends[3])
    counts = {item["operator"] + item.get("dtypes", ""): (item["runs"], item["models"]) for item in moved.api.json("/api/v1/demand")["items"]}
    assert [counts[name] for name in (keys[0], keys[1], keys[1] + "complex64")] == [(3, 2), (1, 1), (2, 1)]
    daemon.restart()
    assert answers(moved) == answers(daemon)


def test_a_directory_without_a_store_is_no_source(tmp_path, database):
    for to in (database.create("misspelt"), "sqlite:%s" % (tmp_path / "to")):
        run = opcheckd("migrate", "--from", "sqlite:%s" % (tmp_path / "misspelt"), "--to", to)
        assert run.status == 5 and "misspelt: error OPC-5004: the directory has no store" in run.err and not run.text
        assert not (tmp_path / "misspelt").exists() and not (tmp_path / "to").exists()


def test_a_move_that_is_killed_goes_on(tmp_path, database, small):
    url = database.create("killed")
    ends = "--from", "sqlite:%s" % small.state, "--to", url
    for milliseconds in (60, 120, 180, 240):
        process = subprocess.Popen([program("opcheckd", "OPCHECKD"), "migrate", *ends], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGKILL)
        process.wait()
    database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'opcheckd'", "killed")
    run = opcheckd("migrate", *ends)
    assert run.status == 0 and run.text.startswith("5 assessments, 5 runs, 5 dumps"), run.err


@pytest.mark.parametrize("change, word", [
    ("UPDATE opcheck.verdict SET verdict = 'blocked' WHERE assessment = 1", "the table verdict is not the same"),
    ("UPDATE opcheck.standing SET run = run + 1", "the table standing is not the same"),
    ("DELETE FROM opcheck.run_tag WHERE run = 1", "the table run_tag is not the same"),
    ("UPDATE opcheck.blob_part SET content = set_byte(content, 0, 0)", "is not what was stored"),
    ("DELETE FROM opcheck.blob_part", "is missing"),
    ("UPDATE opcheck.token SET name = 'other'", "data of its own in the table token"),
])
def test_a_difference_is_found(database, small, change, word):
    url = database.create("differs%d" % abs(hash(change)))
    ends = "--from", "sqlite:%s" % small.state, "--to", url
    assert opcheckd("migrate", *ends).status == 0
    database.query(change, url.rsplit("/", 1)[1])
    run = opcheckd("migrate", *ends)
    assert run.status == (2 if "its own" in word else 5) and word in run.err, run.err


def test_a_service_keeps_its_store_to_itself(tmp_path, database, small):
    url = database.create("busy")
    small.restart()
    run = opcheckd("migrate", "--from", "sqlite:%s" % small.state, "--to", url)
    small.stop()
    assert run.status == 5 and "another opcheckd" in run.err
    shared = Daemon(tmp_path / "shared", "--store", url)
    run = opcheckd("migrate", "--from", "sqlite:%s" % small.state, "--to", url)
    shared.stop()
    assert run.status == 5 and "another opcheckd" in run.err
    assert opcheckd("migrate", "--from", "sqlite:%s" % small.state).status == 2


def test_dumps_that_were_files_stay_readable_until_they_go(tmp_path, database):
    url = database.create("files")
    daemon = Daemon(tmp_path / "files", "--store", url, "--blobs", "directory")
    dumps = tmp_path / "files" / "dumps"
    run = daemon.api.submit(SMALL.read_bytes(), target=TARGET, name="a.log").json()
    assert len(list(dumps.iterdir())) == 1 and database.query("SELECT count(*) FROM opcheck.blob", "files") == "0"
    daemon.stop()
    later = Daemon(tmp_path / "files", "--store", url)
    assert later.api.get(run["links"]["self"] + "/advice").status_code == 200
    later.api.submit(SMALL.read_bytes() + b"\n", target=TARGET, name="b.log")
    assert len(list(dumps.iterdir())) == 1 and database.query("SELECT count(*) FROM opcheck.blob WHERE unused_at = 0", "files") == "1"
    assert later.api.delete(run["run"]["links"]["self"]).status_code == 204 and not list(dumps.iterdir())
    later.stop()


def test_a_backup_by_pg_dump_is_restored(tmp_path, database):
    url = database.create("whole")
    daemon = Daemon(tmp_path / "whole", "--store", url)
    daemon.api.submit(SMALL.read_bytes(), target=TARGET, name="a.log", model="llama")
    text = database.run("pg_dump", "-h", database.folder, "-U", "opcheck", "whole")
    expected = answers(daemon)
    database.create("restored")
    (tmp_path / "backup.sql").write_text(text, encoding="utf-8")
    subprocess.run([cluster.programs() / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", database.folder, "-U", "opcheck", "-d", "restored",
                    "-f", tmp_path / "backup.sql"], check=True, capture_output=True)
    restored = Daemon(tmp_path / "restored", "--store", database.url("restored"))
    assert restored.api.get("/readyz").status_code == 200
    assert answers(restored) == expected


def test_the_backup_of_a_directory_is_a_store_again(tmp_path, small):
    assert opcheckd("backup", tmp_path / "copy", "--state-dir", small.state).status == 0
    small.restart()
    expected = answers(small)
    assert answers(Daemon(tmp_path / "copy")) == expected
    assert sqlite3.connect(pathlib.Path(tmp_path / "copy" / "store.sqlite")).execute("SELECT count(*) FROM run").fetchone() == (5,)
