"""Submits that are answered before their work is done: a job with an address, which survives whatever ends the service."""
import concurrent.futures
import os
import random
import re
import shutil
import signal
import threading
import time

import pytest
import requests

from daemon import DUMP, SMALL, wait_until
from test_jobs import bomb, bombs, jobs, spawner, starts

KILLS = int(os.environ.get("OPCHECK_TICKET_KILLS", "10"))  # deploy/longtest.sh asks for more
PAUSE = 0 if "OPCHECK_TICKET_KILLS" in os.environ else 0.3  # of a client in seconds: kills meet jobs, and few are left over
ASYNC = {"Prefer": "respond-async"}


def send(daemon, content=None, name="later.log", **options):
    return daemon.api.post("/api/v1/assessments", params={"name": name, **options}, data=content or SMALL.read_bytes(),
                           headers=ASYNC if not options else None)


def status(daemon, job):
    return daemon.api.json("/api/v1/jobs/" + job["id"])["status"]


def over(daemon, job):
    found = []

    def ended():
        found[:] = [daemon.api.json("/api/v1/jobs/" + job["id"])]
        return found[0]["status"] not in ("queued", "running")

    assert wait_until(ended, every=0.1)
    return found[0]


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
    assert "result" not in job["links"] and not daemon.dumps()
    assert daemon.api.get("/api/v1/jobs/none").status_code == 404


def test_a_running_job_shows_how_far_it_is_and_can_be_cancelled(fresh):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0")
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
    assert re.findall(r"<td>(running|waiting)</td>", listed) == ["running", "waiting"]
    form = daemon.api.post("/queue/" + waiting["id"], files={"sure": (None, "true")})
    assert form.status_code == 303 and form.headers["Location"] == "/queue"
    reply = daemon.api.delete(job["links"]["self"])
    assert reply.status_code == 200 and reply.json()["status"] == "cancelled"
    assert wait_until(lambda: not jobs(daemon))
    assert {status(daemon, one) for one in (job, waiting)} == {"cancelled"}
    assert daemon.api.json("/api/v1/assessments")["total"] == 0 and not daemon.dumps()
    done = over(daemon, send(daemon).json())
    assert daemon.api.delete(done["links"]["self"]).json()["status"] == "succeeded"


@pytest.fixture
def waiting(fresh, tmp_path):
    """A service that was started again without its database, and a job that it had acknowledged before."""
    path = tmp_path / "opdb.sqlite"
    daemon = fresh(db=path)
    daemon.alone()
    shutil.copy(daemon.env["OPCHECK_DB"], path)
    os.kill(spawner(daemon), signal.SIGSTOP)
    job = send(daemon).json()
    daemon.kill()
    path.unlink()
    daemon.restart()
    return daemon, job


def test_a_service_starts_with_jobs_that_it_cannot_do_yet(waiting):
    daemon, job = waiting
    assert daemon.api.get("/readyz").status_code == 503 and status(daemon, job) == "queued"


def test_a_job_that_waits_for_the_database_can_be_cancelled(waiting):
    daemon, job = waiting
    assert daemon.api.delete(job["links"]["self"]).json()["status"] == status(daemon, job) == "cancelled"
    assert not daemon.dumps()


@pytest.mark.parametrize("gently", (True, False))
def test_what_was_acknowledged_is_done_after_a_restart(fresh, long, gently):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "stop-seconds=0")
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


def test_callers_take_turns_after_a_restart(fresh):
    """One slot; a user filled the queue before another one came, and the service was killed."""
    daemon = fresh("--trusted-proxy", "127.0.0.1", "--proxy-users", "submit", "--limit", "jobs=1", "--limit", "small-bytes=0")
    ada, bob = ({"X-Forwarded-For": "192.0.2.7", "X-Forwarded-User": user, **ASYNC} for user in ("ada", "bob"))
    tickets, contents = {}, bombs(5)
    for name, user in (("first", ada), ("second", ada), ("third", ada), ("fourth", ada), ("other", bob)):
        time.sleep(1.1 if name in ("second", "other") else 0)  # tickets of one second are taken up in no order
        reply = daemon.api.post("/api/v1/assessments", params={"name": name}, data=contents.pop(), headers=user)
        assert reply.status_code == 202, reply.text
        tickets[name] = reply.json()["links"]["self"]
        if name == "first":
            assert wait_until(lambda: jobs(daemon))
            os.kill(jobs(daemon)[0], signal.SIGSTOP)
    daemon.kill()
    daemon.restart()
    assert wait_until(lambda: jobs(daemon))
    os.kill(jobs(daemon)[0], signal.SIGSTOP)
    metrics = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-User": "ada"}
    assert wait_until(lambda: 'opcheckd_jobs{state="queued"} 4' in daemon.api.get("/metrics", headers=metrics).text)
    order = starts(daemon, tickets)
    assert order[:2] == ["first", "other"] and set(order[2:]) == {"second", "third", "fourth"}


def test_the_end_of_the_process_that_starts_jobs_fails_no_ticket(fresh, long):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "stop-seconds=0")
    replies = [send(daemon, name="%d.log" % number, content=long if not number else None).json() for number in range(8)]
    assert wait_until(lambda: jobs(daemon))
    os.kill(spawner(daemon), signal.SIGKILL)
    assert daemon.wait() == 70
    daemon.restart()
    found = [over(daemon, reply) for reply in replies]
    assert [job["status"] for job in found] == ["succeeded"] * 8, found


def test_an_acknowledged_job_that_is_killed_is_started_again(fresh, long):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "job-attempts=2")
    for status in ("succeeded", "failed"):
        job = send(daemon, long, name=status).json()
        for _ in range(1 if status == "succeeded" else 2):
            assert wait_until(lambda: jobs(daemon))
            killed, = jobs(daemon)
            os.kill(killed, signal.SIGKILL)
            assert wait_until(lambda: killed not in jobs(daemon))
        assert over(daemon, job)["status"] == status
    assert over(daemon, job)["problem"]["code"] == "OPC-5007"


def test_what_was_acknowledged_ends_judged_whatever_is_killed(fresh):
    """The service, the process that starts jobs, and jobs: one of them at a time, at random moments, under load."""
    seed = random.randrange(1 << 30)
    chance, enough, sent, lock = random.Random(seed), threading.Event(), [], threading.Lock()
    daemon = fresh("--limit", "job-attempts=100", "--limit", "stop-seconds=0")
    assert daemon.alone()  # test_replicas.py has this over several services

    def client(number):
        while not enough.is_set():
            try:
                content = SMALL.read_bytes() + b"\n%d %d\n" % (number, time.monotonic_ns())
                reply = requests.post(daemon.url + "/api/v1/assessments", params={"wait": "0"}, data=content, timeout=60)
            except requests.RequestException:
                continue
            assert reply.status_code in (202, 503), reply.text
            with lock:
                sent.extend([reply.json()] if reply.status_code == 202 else [])
            enough.wait(PAUSE)

    def kill(kind):
        if kind == "job":
            found = []
            assert wait_until(lambda: found.extend(jobs(daemon)) or found)
            os.kill(chance.choice(found), signal.SIGKILL)
        elif kind == "starter":
            os.kill(spawner(daemon), signal.SIGKILL)
            daemon.wait()
            daemon.restart()
        elif kind == "service":
            daemon.kill()
            daemon.restart()

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        clients = [pool.submit(client, number) for number in range(3)]
        for number in range(KILLS):
            time.sleep(chance.uniform(0.05, 0.3))
            try:
                kill(("job", "starter", "service")[number % 3])
            except ProcessLookupError:  # the job was over
                pass
        enough.set()
        for done in clients:
            done.result()
    found = [over(daemon, job) for job in sent]
    print("%d kills, %d acknowledged, seed %d" % (KILLS, len(sent), seed))
    assert {job["status"] for job in found} == {"succeeded"}, "seed %d: %s" % (seed, [job for job in found if "problem" in job][:3])
