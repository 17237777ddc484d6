"""Damaged and missing dumps, and a full disk: each is said by its name, and what is stored whole is served."""
import os
import shutil
import subprocess

import pytest

from daemon import SMALL, Daemon, wait_until
from test_durability import in_namespace
from test_runs import token
from test_site_facts import COLUMNS, MM


@pytest.mark.parametrize("missing", (False, True))
def test_a_dump_is_what_was_stored_or_is_not_read(fresh, missing):
    daemon = fresh()
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log", model="m").json()
    path, = (daemon.state / "dumps").iterdir()
    whole = path.read_bytes()
    path.unlink()
    if not missing:
        path.write_bytes(whole[:-1] + b"x")
    assert daemon.api.get("/readyz").status_code == 200  # it was not read yet
    for reader in (lambda: daemon.api.get(record["links"]["self"] + "/advice"), lambda: daemon.api.get(record["links"]["self"] + "/all_ops.txt")):
        reply = reader()
        assert (reply.status_code, reply.json()["code"]) == (500, "OPC-5010"), reply.text
    ready = daemon.api.get("/readyz")
    assert (ready.status_code, ready.json()["code"]) == (500, "OPC-5010") and path.name in ready.json()["detail"]
    assert daemon.api.get(record["links"]["report"] + ".json").status_code == 200
    path.write_bytes(whole)
    assert daemon.api.get(record["links"]["self"] + "/advice").status_code == 200
    assert daemon.api.get("/readyz").status_code == 200


def test_a_job_with_a_damaged_dump_fails_by_it(fresh):
    """A run is judged again, from a dump that a fault of the disk changed."""
    daemon = fresh()
    overlay = daemon.state.parent / "site.tsv"
    run = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()["run"]
    daemon.stop()
    overlay.write_text(COLUMNS + MM, encoding="utf-8")
    path, = (daemon.state / "dumps").iterdir()
    path.write_bytes(path.read_bytes() + b"\n")
    again = fresh("--overlay", str(overlay), state=daemon.state)
    reply = again.api.post(run["links"]["self"] + "/judgement")
    assert (reply.status_code, reply.json()["code"]) == (500, "OPC-5010"), reply.text


def test_the_dump_of_another_project_costs_a_project_the_same_work(fresh):
    """Structure instead of time: each project's first submit is a job, whoever sent the same before; its second is none."""
    daemon = fresh()
    one, other = (token(daemon, "submit", name) for name in ("vision", "audio"))

    def send(headers):
        # a job is acknowledged; what is answered at once is 200 or 201
        return daemon.api.post("/api/v1/assessments", params={"name": "a.log", "wait": "0"}, data=SMALL.read_bytes(), headers=headers)

    first = [send(one), send(other)]
    assert [reply.status_code for reply in first] == [202, 202]
    for reply, headers in zip(first, (one, other)):
        path = reply.json()["links"]["self"]
        assert wait_until(lambda: daemon.api.json(path, headers=headers)["status"] == "succeeded")
    assert [send(headers).status_code for headers in (one, other)] == [200, 200]
    assert daemon.api.json("/api/v1/assessments")["total"] == 1
    third = token(daemon, "submit", "speech")
    new = daemon.api.post("/api/v1/assessments", params={"name": "a.log"}, data=SMALL.read_bytes(), headers=third)
    assert new.status_code == 201 and new.json()["created_at"] == new.json()["run"]["created_at"]
    assert new.json() == {**new.json(), **{key: value for key, value in daemon.api.json(new.json()["links"]["self"], headers=third).items()}}


def test_a_form_that_another_project_has_costs_a_project_the_same_work(fresh):
    """Structure instead of time: the first request of each project renders the form, whoever has it."""
    daemon = fresh()
    everyone, one, other = ({}, *(token(daemon, "submit", name) for name in ("vision", "audio")))
    record, *_ = [daemon.api.post("/api/v1/assessments", params={"name": "a.log"}, data=SMALL.read_bytes(), headers=headers).json()
                  for headers in (one, other)]

    def renderings():
        return int(daemon.sql("SELECT count(*) FROM document WHERE form <> 'json'")[0][0])

    for path in ("/report.md", "/report.csv", "/all_ops.txt", "/advice"):
        bodies, before = [], renderings()
        for number, headers in enumerate((one, other, everyone)):
            bodies += [daemon.api.get(record["links"]["self"] + path, headers=headers).content for _ in range(2)]
            assert wait_until(lambda: renderings() == before + number + 1), path
        assert len(bodies[0]) > 100 and len(set(bodies)) == 1


def test_metrics_of_a_project_are_its_own(fresh):
    daemon = fresh()
    one, other = (token(daemon, "submit", name) for name in ("vision", "audio"))
    for headers, count in ((one, 2), (other, 1)):
        for number in range(count):
            assert daemon.api.post("/api/v1/assessments", params={"name": "%d.log" % number}, data=SMALL.read_bytes(), headers=headers).ok
    for headers, count in ((one, 2), (other, 1)):
        text = daemon.api.get("/metrics", headers=headers).text
        values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        assert values["opcheckd_runs"] == str(count)
        assert set(values) == {"opcheckd_runs", 'opcheckd_jobs{state="queued"}', 'opcheckd_jobs{state="running"}',
                               next(name for name in values if name.startswith("opcheckd_build_info"))}
    assert "opcheckd_http_requests_total" in daemon.api.get("/metrics").text


def test_a_drawing_has_a_policy_of_its_own(service):
    record = service.api.submit(SMALL.read_bytes(), name="drawn.log", model="drawn").json()
    assert record["id"]
    for path in ("/assets/icon.svg", "/models/drawn/badge.svg"):
        reply = service.api.get(path)
        assert reply.headers["Content-Type"].startswith("image/svg+xml")
        assert reply.headers["Content-Security-Policy"].startswith("default-src 'none';"), path


def test_a_full_disk_answers_stored_forms(tmp_path):
    prefix = in_namespace("size=2m")
    if not prefix or not shutil.which("nsenter"):
        pytest.skip("file systems of their own are not allowed here")
    (tmp_path / "disk").mkdir()
    daemon = Daemon(tmp_path / "disk" / "state", "--limit", "free-bytes=0", prefix=[*prefix, tmp_path / "disk"])
    record = daemon.api.submit(SMALL.read_bytes()).json()
    paths = [record["links"]["report"] + form for form in (".json", ".csv", ".html")] + [record["links"]["page"]]
    kept = [daemon.api.get(path, headers={"Accept-Encoding": coding}).content for path in paths for coding in ("identity", "gzip")]
    root = "/proc/%d/root" % daemon.process.pid
    subprocess.run(["dd", "if=/dev/zero", "of=%s%s/state/fill" % (root, tmp_path / "disk"), "bs=4096"], capture_output=True, check=False)
    assert os.statvfs(root + str(tmp_path / "disk")).f_bavail == 0
    for _ in range(2):  # what is stored is served, also by a service that starts on a full disk
        assert daemon.api.submit(SMALL.read_bytes() + b"\n").status_code == 507
        found = [daemon.api.get(path, headers={"Accept-Encoding": coding}).content for path in paths for coding in ("identity", "gzip")]
        assert found == kept
    daemon.stop()
