"""The service with a role that may change rows alone, and a role for queries of people: deploy/postgresql-roles.sql."""
import subprocess

import pytest

import cluster
from conftest import ROOT
from daemon import SMALL, Daemon, wait_until
from test_operating import kept
from test_postgresql import found, opcheckd, send
from test_webhook import receiver  # pylint: disable=unused-import

pytestmark = pytest.mark.skipif(cluster.programs() is None, reason="PostgreSQL is not installed")
HIDDEN = "audit blob blob_part delivery document duty replica report request_key ticket token"
SHORT = "--limit", "webhook-pause=1", "--webhook-private"


def url_of(database, role):
    return database.url("roles").replace("opcheck@", role + "@")


@pytest.fixture(scope="module")
def granted(database, tmp_path_factory):
    """A database as the manual sets it up; the directory of its services."""
    for role in ("migrate", "serve", "read"):
        database.query("CREATE ROLE opcheck_%s LOGIN" % role)
    database.query("CREATE DATABASE roles OWNER opcheck_migrate")
    state = tmp_path_factory.mktemp("roles") / "state"
    made = opcheckd("migrate", "--state-dir", state, "--store", url_of(database, "opcheck_migrate"))
    assert made.status == 0 and made.text == "the store has schema version %s\n" % database.query("SELECT version FROM opcheck.schema_version", "roles")
    unready = opcheckd("--state-dir", state, "--store", url_of(database, "opcheck_serve"))
    assert unready.status == 2 and "permission denied" in unready.err and "postgresql-roles.sql" in unready.err
    for _ in range(2):
        database.query((ROOT / "deploy" / "postgresql-roles.sql").read_text(encoding="utf-8"), "roles", "opcheck_migrate")
    return state


def start(granted, database, *args):
    return Daemon(granted, "--store", url_of(database, "opcheck_serve"), *SHORT, *args)


def refused(database, role, sql):
    with pytest.raises(subprocess.CalledProcessError) as error:
        database.query(sql, "roles", role)
    assert "permission denied" in error.value.stderr or "must be owner" in error.value.stderr, error.value.stderr
    return True


def test_the_service_works_with_rights_on_rows_alone(granted, database, receiver, tmp_path):
    (tmp_path / "key").write_text("key\n", encoding="utf-8")
    daemon = start(granted, database, "--webhook", receiver.url, "--webhook-secret", tmp_path / "key")
    api = daemon.api
    runs = [send(api, model="llama", name="%d.log" % at) for at in range(3)]
    assert wait_until(lambda: len(receiver.taken) == 3)
    assert found(api, model="llama", q=".log") == [run["id"] for run in reversed(runs)]
    assert api.patch(runs[2]["links"]["self"], params={"name": "renamed", "tag": "weekly"}).status_code == 204
    assert api.delete(runs[2]["links"]["self"]).status_code == 204 and len(found(api)) == 2
    job = api.post("/api/v1/assessments", params={"wait": "0"}, data=SMALL.read_bytes() + b"\n", headers={"Idempotency-Key": "job"}).json()
    assert wait_until(lambda: api.json("/api/v1/jobs/" + job["id"])["status"] == "succeeded")
    options = "--state-dir", granted, "--store", url_of(database, "opcheck_serve")
    token = opcheckd("token", "add", "--scope", "read", *options).text.strip()
    headers = {"Authorization": "Bearer " + token}
    assert api.get("/api/v1/runs", headers=headers).status_code == 200
    assert opcheckd("token", "revoke", token.split("_")[1], *options).status == 0
    assert api.get("/api/v1/runs", headers=headers).status_code == 401
    daemon.stop()
    daemon.args += ["--limit", "project-assessments=1"]
    daemon.restart()
    assert wait_until(lambda: kept(daemon) == 1)
    assert "permission denied" not in daemon.stop()


def test_each_role_has_its_rights_and_no_more(granted, database):
    """A new table is for people or hidden from them: decide, and say so here and in deploy/postgresql-roles.sql."""
    tables = database.query("SELECT relname FROM pg_class WHERE relnamespace = 'opcheck'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
                            " ORDER BY relname", "roles").split()
    rights = {(role, right): database.query("SELECT relname FROM pg_class WHERE relnamespace = 'opcheck'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
                                            " AND has_table_privilege('opcheck_%s', oid, '%s') ORDER BY relname" % (role, right), "roles").split()
              for role in ("serve", "read") for right in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "TRIGGER")}
    assert " ".join(table for table in tables if table not in rights["read", "SELECT"]) == HIDDEN
    assert rights["serve", "SELECT"] == tables
    assert all(rights["serve", right] == [table for table in tables if table != "schema_version"] for right in ("INSERT", "UPDATE", "DELETE"))
    assert not any(names for (role, right), names in rights.items() if right in ("TRUNCATE", "TRIGGER") or (role == "read" and right != "SELECT"))


@pytest.mark.parametrize("role, sql", [
    ("serve", "DROP TABLE opcheck.run"), ("serve", "ALTER TABLE opcheck.run ADD COLUMN more text"), ("serve", "CREATE TABLE opcheck.more (a text)"),
    ("serve", "DROP SCHEMA opcheck CASCADE"), ("serve", "UPDATE opcheck.schema_version SET version = 1"), ("read", "SELECT * FROM opcheck.token"),
    ("read", "SELECT content FROM opcheck.blob_part"), ("read", "DELETE FROM opcheck.run"), ("read", "UPDATE opcheck.run SET name = 'x'"),
    ("read", "CREATE TABLE opcheck.more (a text)")])
def test_what_a_role_may_not_do_is_refused(granted, database, role, sql):
    assert refused(database, "opcheck_" + role, sql)
    assert database.query("SELECT count(*) >= 0 FROM opcheck.run JOIN opcheck.assessment ON assessment = assessment.number", "roles", "opcheck_read") == "t"


def test_the_service_begins_and_drops_months_with_the_rights_of_their_owner(granted, database):
    daemon = start(granted, database)
    assert all(daemon.api.delete("/api/v1/runs/" + run).status_code == 204 for run in found(daemon.api))
    before = send(daemon.api)
    assert database.query("SELECT opcheck.begin_month('2999_01')", "roles", "opcheck_serve") == "t"
    assert refused(database, "opcheck_read", "SELECT opcheck.begin_month('2999_02')")
    assert refused(database, "opcheck_read", "SELECT opcheck.drop_month('2999-02-01')")
    after = send(daemon.api)
    assert found(daemon.api) == [after["id"], before["id"]]
    assert database.query("SELECT opcheck.drop_month('9999')", "roles", "opcheck_serve") == "1"
    assert found(daemon.api) == [after["id"]]
    daemon.stop()


def test_an_older_schema_is_refused_where_the_role_may_not_change_it(granted, database):
    known = database.query("SELECT version FROM opcheck.schema_version", "roles")
    database.query("UPDATE opcheck.schema_version SET version = version - 1", "roles")
    run = opcheckd("--state-dir", granted, "--store", url_of(database, "opcheck_serve"))
    database.query("UPDATE opcheck.schema_version SET version = version + 1", "roles")
    assert run.status == 5 and "schema version %d, this opcheckd needs version %s" % (int(known) - 1, known) in run.err
    assert "opcheckd migrate" in run.err
    start(granted, database).stop()
