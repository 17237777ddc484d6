"""Submits that are answered before their work is done: a job with an address, which survives whatever ends the service."""
import concurrent.futures
import os
import signal

import pytest

from daemon import DUMP, SMALL, wait_until
from test_jobs import bomb, jobs

ASYNC = {"Prefer": "respond-async"}


def send(daemon, content=None, name="later.log", **options):
    return daemon.api.post("/api/v1/assessments", params={"name": name, **options}, data=content or SMALL.read_bytes(),
                           headers=ASYNC if not options else None)


def status(daemon, job):
    return daemon.api.json("/api/v1/jobs/" + job["id"])["status"]


def over(daemon, job):
    assert wait_until(lambda: status(daemon, job) not in ("queued", "running"))
    return daemon.api.json("/api/v1/jobs/" + job["id"])


@pytest.fixture(scope="module")
def long():
    return bomb(128)


def test_a_submit_that_does_not_wait_becomes_an_assessment(service):
    reply = send(service, name="async.log")
    assert reply.status_code == 202 and int(reply.headers["Retry-After"]) > 0
    assert reply.headers["Location"] == reply.json()["links"]["self"]
    job = over(service, reply.json())
    assert job["status"] == "succeeded" and "problem" not in job and job["progress"] is None
    record = service.api.json(job["links"]["result"])
    assert record["name"] == "async.log" and record["targets"]
    # the same submit is there by now
    assert send(service, name="async.log").status_code == 200


def test_one_that_waits_long_enough_gets_the_assessment_itself(service):
    reply = service.api.post("/api/v1/assessments", params={"name": "patient.log"}, data=SMALL.read_bytes(),
                             headers={"Prefer": "respond-async, wait=100"})
    assert reply.status_code == 201
    reply = service.api.post("/api/v1/assessments", params={"wait": "soon"}, data=DUMP.read_bytes())
    assert (reply.status_code, reply.json()["code"]) == (400, "OPC-2003")


def test_what_fails_says_why_and_leaves_nothing(fresh):
    daemon = fresh()
    job = over(daemon, send(daemon, b"no dump at all", name="none.log").json())
    assert job["status"] == "failed" and job["problem"]["code"] == "OPC-3005" and job["problem"]["status"] == 422
    assert "result" not in job["links"] and not any((daemon.state / "dumps").iterdir())
    assert daemon.api.get("/api/v1/jobs/none").status_code == 404


def test_a_running_job_shows_how_far_it_is_and_can_be_cancelled(fresh):
    daemon = fresh("--limit", "jobs=1")
    long = bomb(1024)
    job = send(daemon, long).json()
    assert wait_until(lambda: (daemon.api.json(job["links"]["self"])["progress"] or {}).get("read_bytes"))
    os.kill(jobs(daemon)[0], signal.SIGSTOP)
    waiting = send(daemon, name="waits.log").json()
    shown = daemon.api.json(job["links"]["self"])
    assert shown["status"] == "running" and 0 < shown["progress"]["read_bytes"] <= shown["progress"]["input_bytes"] == len(long)
    assert status(daemon, waiting) == "queued"
    listed = daemon.api.get("/queue", headers={"Accept": "text/html"}).text
    assert listed.index("/queue/" + job["id"]) < listed.index("waits.log") < listed.index("/queue/" + waiting["id"])
    form = daemon.api.post("/queue/" + waiting["id"], files={"sure": (None, "true")})
    assert form.status_code == 303 and form.headers["Location"] == "/queue"
    reply = daemon.api.delete(job["links"]["self"])
    assert reply.status_code == 200 and reply.json()["status"] == "cancelled"
    assert wait_until(lambda: not jobs(daemon))
    assert {status(daemon, one) for one in (job, waiting)} == {"cancelled"}
    assert daemon.api.json("/api/v1/assessments")["total"] == 0 and not any((daemon.state / "dumps").iterdir())
    done = over(daemon, send(daemon).json())
    assert daemon.api.delete(done["links"]["self"]).json()["status"] == "succeeded"


@pytest.mark.parametrize("gently", (True, False))
def test_what_was_acknowledged_is_done_after_a_restart(fresh, long, gently):
    daemon = fresh("--limit", "jobs=1", "--limit", "stop-seconds=0")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        replies = list(pool.map(lambda number: send(daemon, name="%d.log" % number, content=long if not number else None), range(8)))
    assert {reply.status_code for reply in replies} == {202}
    if gently:
        daemon.signal(signal.SIGTERM)
        daemon.wait()
    else:
        daemon.kill()
    daemon.restart()
    for reply in replies:
        job = over(daemon, reply.json())
        assert job["status"] == "succeeded", job
        assert daemon.api.get(job["links"]["result"] + "/report.json").status_code == 200
    assert daemon.api.json("/api/v1/assessments")["total"] == 8
