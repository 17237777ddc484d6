"""The service on PostgreSQL: what it keeps there, while the database is gone, and what it refuses."""
import hashlib
import pathlib
import shutil
import sqlite3
import subprocess

import pytest

import cluster
from conftest import Run, environment, program
from daemon import LONG_NAMES, SMALL, Daemon, trace_of, wait_until
from test_proxies import free_port

pytestmark = pytest.mark.skipif(cluster.programs() is None, reason="PostgreSQL is not installed")
TARGET = "npu@v2.7.1-26.0.0"


@pytest.fixture(scope="module")
def replica(tmp_path_factory, database):
    daemon = Daemon(tmp_path_factory.mktemp("postgresql") / "state", "--store", database.create("first"))
    yield daemon
    if daemon.process.poll() is None:
        daemon.stop()


def opcheckd(*args):
    return Run([program("opcheckd", "OPCHECKD"), *args], env=environment())


def send(api, **words):
    reply = api.post("/api/v1/assessments", params={"target": TARGET, "name": "a.log", **words}, data=SMALL.read_bytes())
    assert reply.status_code in (200, 201), reply.text
    return reply.json()["run"]


def found(api, **query):
    return [item["id"] for item in api.json("/api/v1/runs", params=query)["items"]]


def test_runs_are_kept_listed_searched_changed_and_removed(replica, database):
    api = replica.api
    first, second = send(api, model="llama", branch="main", tag=["nightly", "x"], commit="100%_\\"), send(api, model="Bert", name="müller.log")
    assert found(api) == [second["id"], first["id"]] and found(api, sort="model") == [second["id"], first["id"]]
    assert found(api, q="ller.LOG") == [second["id"]] and found(api, q="100%_\\") == [first["id"]] and found(api, q="100_%") == []
    assert found(api, tag="nightly", model="llama", q="main") == [first["id"]]
    assert api.patch(first["links"]["self"], params={"name": "renamed", "tag": "weekly"}).status_code == 204
    assert found(api, q="renamed", tag="weekly") == [first["id"]] and found(api, tag="nightly") == []
    assert {item["model"] for item in api.json("/api/v1/fleet")["items"]} == {"llama", "Bert"}
    assert api.post(first["links"]["self"] + "/judgement").status_code in (200, 201)
    assert api.delete(second["links"]["self"]).status_code == 204
    assert second["id"] not in found(api) and database.query("SELECT count(*) FROM opcheck.run WHERE model = 'Bert'", "first") == "0"
    assert not (replica.state / "store.sqlite").exists()
    replica.stop()
    replica.restart()
    assert first["id"] in found(replica.api) and replica.api.get(first["links"]["self"]).status_code == 200


def test_names_of_operators_are_longer_than_a_key_of_an_index(replica):
    reply = replica.api.post("/api/v1/assessments", params={"name": "long.json"}, data=trace_of(LONG_NAMES))
    assert reply.status_code == 201, reply.text
    assert replica.api.delete(reply.json()["run"]["links"]["self"]).status_code == 204


def test_a_job_is_acknowledged_once_and_judged(replica):
    first, again = (replica.api.post("/api/v1/assessments", params={"name": "job.log", "wait": "0"}, data=SMALL.read_bytes() + b"\n",
                                     headers={"Idempotency-Key": "job"}) for _ in range(2))
    assert (first.status_code, again.status_code, again.json()["id"]) == (202, 202, first.json()["id"])
    assert wait_until(lambda: replica.api.json("/api/v1/jobs/" + first.json()["id"])["status"] == "succeeded")
    assert len(found(replica.api, q="job.log")) == 1


def test_tokens_are_in_the_database(replica, database):
    options = "--state-dir", str(replica.state), "--store", database.url("first")
    added = opcheckd("token", "add", "--name", "ci", "--scope", "read", *options)
    assert added.status == 0 and "ci" in opcheckd("token", "list", *options).text
    headers = {"Authorization": "Bearer " + added.text.strip()}
    assert replica.api.get("/api/v1/runs", headers=headers).status_code == 200
    assert replica.api.post("/api/v1/assessments", data=SMALL.read_bytes(), headers=headers).status_code == 403
    assert opcheckd("token", "revoke", added.text.split("_")[1], *options).status == 0
    assert replica.api.get("/api/v1/runs", headers=headers).status_code == 401


def test_a_database_that_is_gone_is_503_and_work_resumes(replica, database):
    run = send(replica.api, model="gone")
    database.stop()
    for path in ("/api/v1/runs", run["links"]["self"], "/readyz"):
        reply = replica.api.get(path)
        assert reply.status_code == 503 and reply.headers["Retry-After"], (path, reply.text)
    reply = replica.api.post("/api/v1/assessments", data=SMALL.read_bytes())
    assert (reply.status_code, reply.json()["code"]) == (503, "OPC-5006")
    chinese = [replica.api.get("/api/v1/runs?lang=zh-CN").json()["detail"] for _ in range(3)]
    assert "刚才无法连接数据库" in chinese and "it was not" not in "".join(chinese)
    assert replica.api.get("/healthz").status_code == 200
    database.start()
    assert wait_until(lambda: replica.api.get("/api/v1/runs").status_code == 200)
    assert wait_until(lambda: replica.api.post("/api/v1/assessments", data=SMALL.read_bytes()).status_code in (200, 201))
    assert replica.api.get(run["links"]["self"]).status_code == 200


def test_a_writer_that_waits_too_long_for_its_turn_is_503_and_the_next_one_writes(replica, database):
    with database.session("SELECT pg_advisory_lock(1869640563, 2); SELECT pg_sleep(3600)", "first"):
        assert wait_until(lambda: database.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 2 AND granted", "first") == "1")
        reply = replica.api.post("/api/v1/assessments", params={"name": "waits.log"}, data=SMALL.read_bytes())
        assert (reply.status_code, reply.json()["code"]) == (503, "OPC-5006") and reply.headers["Retry-After"]
    assert wait_until(lambda: replica.api.post("/api/v1/assessments", params={"name": "waits.log"}, data=SMALL.read_bytes()).status_code == 201)


def test_a_dump_that_another_service_stores_for_longer_than_a_lock_is_waited_for_is_taken(replica, database):
    content = SMALL.read_bytes() + b"\n\n\n"
    row = "INSERT INTO opcheck.blob (sha256, bytes, place, stored_at, unused_at) VALUES ('%s', 1, 'database', 0, 1)" % hashlib.sha256(content).hexdigest()
    with database.session(row + "; SELECT pg_sleep(6)", "first"):
        assert wait_until(lambda: database.query("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1")
        assert replica.api.post("/api/v1/assessments", params={"name": "waits.log"}, data=content).status_code == 201


def test_a_newer_schema_is_refused_with_both_numbers(tmp_path, database):
    url = database.create("newer")
    Daemon(tmp_path / "state", "--store", url).stop()
    known = database.query("SELECT version FROM opcheck.schema_version", "newer")
    database.query("UPDATE opcheck.schema_version SET version = 4711", "newer")
    run = opcheckd("--state-dir", tmp_path / "state", "--store", url)
    assert run.status == 5 and "4711" in run.err and "up to " + known in run.err


def test_services_that_start_at_once_make_the_tables_once(tmp_path, database):
    url = database.create("empty")
    commands = [[program("opcheckd", "OPCHECKD"), "token", "add", "--scope", "read", "--state-dir", str(tmp_path / str(i)), "--store", url]
                for i in range(4)]
    running = [subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) for command in commands]
    assert [(process.communicate(timeout=60)[0][:4], process.returncode) for process in running] == [(b"opc_", 0)] * 4
    assert database.query("SELECT count(*) FROM opcheck.schema_version", "empty") == "1"
    assert database.query("SELECT count(*) FROM opcheck.token", "empty") == "4"


def columns_of_sqlite(path):
    with sqlite3.connect(path) as store:
        tables = [name for name, in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
                                                  " AND name NOT LIKE 'run_text_%'")]
        found = {(table, row[1]) for table in tables for row in store.execute("PRAGMA table_info(%s)" % table)}
    store.close()
    return found


def test_both_engines_have_the_same_columns_and_each_has_its_comment(fresh, replica, database):
    """A step of the schema has one file for each engine; what one lacks would be missed by the first of its users."""
    expected = columns_of_sqlite(fresh().state / "store.sqlite")
    rows = database.query("SELECT relname || '.' || attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE relkind IN ('r', 'p')"
                          " AND relnamespace = 'opcheck'::regnamespace AND NOT relispartition AND attnum > 0", "first")
    found = {tuple(row.split(".")) for row in rows.splitlines()}
    assert {row for row in found if row[0] not in ("run_total", "unfolded_run")} - {("schema_version", "version"), ("run_text", "rowid")} == expected
    tables = "pg_class WHERE relnamespace = 'opcheck'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
    assert database.query("SELECT relname FROM %s AND obj_description(oid) IS NULL" % tables, "first") == ""
    assert database.query("SELECT attrelid::regclass || '.' || attname FROM pg_attribute WHERE attrelid IN (SELECT oid FROM %s) AND attnum > 0"
                          " AND NOT attisdropped AND col_description(attrelid, attnum) IS NULL" % tables, "first") == ""
    texts = database.query("SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'opcheck'"
                           " AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'", "first")
    assert texts.split() == ["report.json"]


def test_a_password_comes_from_a_file_and_is_shown_nowhere(tmp_path, database):
    database.query("CREATE ROLE secret LOGIN PASSWORD 'open sesame'")
    database.create("guarded")
    database.query("ALTER DATABASE guarded OWNER TO secret")
    database.guard("secret")
    url = database.url("guarded").replace("opcheck@", "secret@")
    refused = opcheckd("--state-dir", tmp_path / "state", "--store", url.replace("secret@", "secret:open%20sesame@"))
    assert refused.status == 2 and "store-password-file" in refused.err and "sesame" not in refused.err
    assert opcheckd("--state-dir", tmp_path / "state", "--store", url).status == 5
    (tmp_path / "password").write_text("open sesame\n", encoding="utf-8")
    daemon = Daemon(tmp_path / "state", "--store", url, "--store-password-file", str(tmp_path / "password"))
    arguments = pathlib.Path("/proc/%d/cmdline" % daemon.process.pid).read_bytes()
    assert send(daemon.api)["id"] and b"sesame" not in arguments and "sesame" not in daemon.stop()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_server_is_known_by_its_certificate(tmp_path):
    """A cluster of its own: it listens to a port."""
    server, port = cluster.Cluster(), free_port()
    try:
        server.query("CREATE ROLE secret LOGIN PASSWORD 'open sesame'")
        server.query("CREATE DATABASE sealed OWNER secret")
        server.guard("secret")
        right, wrong = server.encrypt("db.test", port)
        (tmp_path / "password").write_text("open sesame\n", encoding="utf-8")

        def options(host, root, mode="verify-full"):
            return ["--store-password-file", str(tmp_path / "password"), "--store", "postgresql://secret@%s:%d/sealed?hostaddr=127.0.0.1&sslmode=%s"
                    "&sslrootcert=%s" % (host, port, mode, root)]

        daemon = Daemon(tmp_path / "state", *options("db.test", right))
        assert send(daemon.api)["id"]
        assert server.query("SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'secret'") == "t"
        assert "sesame" not in daemon.stop()
        for host, root, mode, reason in [("db.test", wrong, "verify-full", "certificate verify failed"), ("db.test", wrong, "verify-ca", "verify failed"),
                                         ("elsewhere.test", right, "verify-full", 'certificate for "db.test" does not match host name'),
                                         ("db.test", tmp_path / "none", "verify-full", "does not exist"), ("db.test", right, "disable", "rejects connection")]:
            run = opcheckd("--state-dir", tmp_path / "state", *options(host, root, mode))
            assert run.status == 5 and reason in run.err and "sesame" not in run.err and run.err.count("\n") == 1, run.err
    finally:
        server.remove()


@pytest.mark.parametrize("url", ["mysql://a/b", "postgresql://%zz/b"])
def test_an_address_that_is_none_is_refused(tmp_path, url):
    run = opcheckd("--state-dir", tmp_path / "state", "--store", url)
    assert run.status == 2 and "address" in run.err
