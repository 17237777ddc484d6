"""State directories and settings of an earlier program are opened and served as they are."""
import gzip
import json
import sqlite3
import tarfile
import time

import pytest

import cluster
from conftest import FIXTURES
from daemon import DUMP, SMALL, Daemon

ID = "0513c9df41d699be970dd2450af63bfa2dd8ab8f78122bf8339f723e306313c7"


def earlier(tmp_path, name):
    """A service of today on the state directory of an earlier one."""
    state = tmp_path / "state"
    state.mkdir()
    with tarfile.open(FIXTURES / "earlier" / name) as archive:
        archive.extractall(state)
    return Daemon(state)


def test_what_an_earlier_service_kept_is_served(tmp_path):
    daemon = earlier(tmp_path, "state.tar.gz")
    record = daemon.api.json("/api/v1/assessments/" + ID)
    assert record["targets"] == [{"id": "npu@v2.7.1-26.0.0", "verdict": "blocked", "gate": "none"}]
    report = daemon.api.get(record["links"]["report"] + ".json")
    assert report.status_code == 200 and json.loads(report.content)["inputs"][0]["name"] == "2.9-overload.log"
    for suffix in (".html", ".csv", ".txt"):
        assert daemon.api.get(record["links"]["report"] + suffix).status_code == 200, suffix
    assert ID in [item["id"] for item in daemon.api.json("/api/v1/assessments")["items"]]
    assert daemon.api.get("/assessments/" + ID).status_code == 200
    daemon.stop()


def test_what_an_earlier_service_kept_counts_with_its_bytes(tmp_path):
    daemon = earlier(tmp_path, "state.tar.gz")
    dump, = (daemon.state / "dumps").iterdir()
    with sqlite3.connect(daemon.state / "store.sqlite") as store:
        assert store.execute("SELECT stored_bytes FROM run").fetchall() == [(dump.stat().st_size,)]
    daemon.stop()


def test_a_project_of_version_7_goes_on_with_waivers(tmp_path):
    daemon = earlier(tmp_path, "state-7.tar.gz")
    # the database is another one, so a run that is judged again may stand before it already
    *_, run = daemon.api.json("/api/v1/runs", params={"project": "vision", "model": "llama", "branch": "main", "tag": "y"})["items"]
    assert (run["name"], run["verdict"]) == ("overload.log", "inconclusive")
    assert daemon.api.json(run["links"]["report"])["inputs"][0]["name"] == "overload.log"
    assert len(daemon.api.json("/api/v1/fleet")["items"]) == 1
    path = "/api/v1/projects/vision/waivers"
    kept = daemon.api.put(path, data="[waiver w]\nop = aten::mm\nreason = known\n", headers={"If-Match": daemon.api.get(path).headers["ETag"]})
    assert kept.status_code == 200, kept.text
    again = daemon.api.post(run["links"]["self"] + "/judgement")
    assert again.status_code in (200, 201) and again.json()["options"]["waivers"][0]["name"] == "project.waivers"
    daemon.stop()


def test_the_demand_of_version_10_is_counted_on(tmp_path):
    daemon = earlier(tmp_path, "state-10.tar.gz")

    def counted(**query):
        return [(item["runs"], item["models"]) for item in daemon.api.json("/api/v1/demand", params=query)["items"]]

    # the facts have changed, so the service judges the newest runs again meanwhile: their models stay as many
    assert [models for _, models in counted()] == [6] * 2 and [models for _, models in counted(project="vision")] == [2] * 2
    assert all(runs >= 12 for runs, _ in counted())
    daemon.stop()


def test_a_trend_of_version_11_goes_on_and_breaks_where_captures_are_known_to_differ(tmp_path):
    daemon = earlier(tmp_path, "state-11.tar.gz")
    for dump in (SMALL, DUMP):
        daemon.api.submit(dump.read_bytes(), name=dump.name, model="llama", branch="main", target="npu@v2.7.1-26.0.0")
    points = daemon.api.json("/api/v1/models", params={"model": "llama", "branch": "main"})["items"]
    # another program judges the newest run again, which is a run more, before or behind these
    differ = [("basis" in before and after["shown"] != before["shown"]) for after, before in zip(points, points[1:]) if "basis" in after]
    assert [point["commit"] for point in points if "basis" not in point] == ["c2", "c1"]
    assert [point["captures_differ"] for point in points if "basis" in point] == differ and True in differ and not any(
        point["captures_differ"] for point in points if "basis" not in point)
    assert daemon.api.get("/models/llama?branch=main").status_code == 200
    daemon.stop()


def test_runs_tokens_and_waivers_of_the_last_0_1_go_on(tmp_path):
    daemon = earlier(tmp_path, "state-15.tar.gz")
    runs = {run["id"]: run for run in daemon.api.json("/api/v1/runs")["items"]}
    kept, other = runs["891167893625bd0e"], runs["26e7acca3b1ddcb0"]
    assert (kept["project"], kept["model"], kept["tags"], kept["kept"], kept["verdict"]) == ("vision", "llama", ["x"], True, "blocked")
    assert (other["commit"], other["targets"][0]["gate"]) == ("c2", "failed")
    assert "op = aten::mm" in daemon.api.get("/api/v1/projects/vision/waivers").text
    token = {"Authorization": "Bearer opc_e50fdb66ce57_ec68ee391f642ebd7abb15ac800a19736905b21d14d73c8cc99ae24b7fbb5010"}
    assert {run["model"] for run in daemon.api.json("/api/v1/runs", headers=token)["items"]} == {"llama"}
    sent = daemon.api.post("/api/v1/assessments", params={"name": "a.log", "model": "llama"}, data=SMALL.read_bytes(), headers=token)
    assert sent.status_code == 201 and sent.json()["run"]["project"] == "vision"
    daemon.stop()


def test_a_job_that_version_0_1_queued_is_done_as_it_was_asked(tmp_path):
    daemon = earlier(tmp_path, "state-ticket.tar.gz")
    path = "/api/v1/jobs/ffb8cf399b5b275c"
    deadline = time.monotonic() + 60
    while (job := daemon.api.json(path))["status"] in ("queued", "running") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert job["status"] == "succeeded", job
    (run,) = daemon.api.json("/api/v1/runs")["items"]
    assert [run[key] for key in ("project", "name", "model", "branch", "commit", "tags")] == [
        "vision", "bert.log", "bert", "main", "c0ffee", ["a", "b"]]
    options = daemon.api.json(job["links"]["result"])["options"]
    assert options["fail_on"] == ["unsupported", "unknown"] and options["dtype"] == ["fp32"] and options["require_dtypes"] is True
    assert options["files"] == [{"name": "a.log", "bytes": 90604}, {"name": "train.py", "bytes": 13, "source": True}]
    assert options["waivers"] == [{"name": "w.ini", "sha256": "164b6b29682f7add93e59b4481f47adc7a7c6dd82055c7f10c70c47163f0e06f"}]
    assert [target.split("@")[0] for target in options["targets"]] == ["npu"]
    daemon.stop()


def as_before(before, now):
    """Whether all that was answered still is, whatever members came since."""
    if isinstance(before, dict):
        return all(key in now and as_before(value, now[key]) for key, value in before.items())
    if isinstance(before, list):
        return len(before) == len(now) and all(map(as_before, before, now))
    return before == now


@pytest.mark.skipif(cluster.programs() is None, reason="PostgreSQL is not installed")
def test_a_store_in_postgresql_of_version_17_answers_as_before(database, tmp_path):
    """Runs by month, rollups and totals are made of what it has. Nothing is judged again in this role."""
    url, dump = database.create("earlier"), database.folder / "earlier.sql"
    dump.write_bytes(gzip.decompress((FIXTURES / "earlier" / "store-pg-17.sql.gz").read_bytes()))
    database.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", database.folder, "-U", "opcheck", "-d", "earlier", "-f", dump)
    daemon = Daemon(tmp_path / "state", "--store", url, "--role", "web")
    answers = json.loads(gzip.decompress((FIXTURES / "earlier" / "store-pg-17.json.gz").read_bytes()))
    for path, before in answers.items():
        now = daemon.api.json("/api/v1/" + path)
        assert as_before(before, now), (path, before, now)
    first = answers["runs"]["items"][-1]
    assert daemon.api.json(first["links"]["report"] + ".json")["inputs"][0]["name"] == "r0.log"
    assert daemon.api.delete(first["links"]["self"]).status_code == 204
    assert daemon.api.json("/api/v1/runs")["total"] == 11 and daemon.api.json("/api/v1/runs?model=m0")["total"] == 3
    daemon.stop()


def test_a_service_starts_with_every_setting_of_version_0_1(tmp_path):
    daemon = Daemon(tmp_path / "state", "--config", FIXTURES / "earlier" / "opcheckd.conf")
    limits = daemon.api.json("/api/v1/version")["limits"]
    assert (limits["upload_bytes"], limits["connection_seconds"]) == (2147483648, 30)
    record = daemon.api.submit(DUMP.read_bytes(), name=DUMP.name, target="npu@v2.7.1-26.0.0").json()
    assert daemon.api.json(record["links"]["report"] + ".json")["db"]["overlays"][0]["name"] == "site.tsv"
    daemon.stop()
