"""Idempotency-Key: a request that is sent again is done once."""
import collections
import concurrent.futures
import os
import random
import threading
import time

import pytest
import requests

from conftest import FIXTURES
from daemon import REPLICAS, SMALL, wait_until

ASSESSMENTS = "/api/v1/assessments"
KILLS = int(os.environ.get("OPCHECK_KEY_KILLS", "10"))  # deploy/longtest.sh asks for more
PAUSE = 0 if "OPCHECK_KEY_KILLS" in os.environ else 0.2  # of a client in seconds


def send(daemon, key, content=None, **parameters):
    return daemon.api.post(ASSESSMENTS, params=parameters, data=content or SMALL.read_bytes(),
                           headers={"Idempotency-Key": key})


def test_the_same_request_gets_the_same_answer(fresh):
    daemon = fresh()
    first = send(daemon, "a", name="a.log")
    again = send(daemon, "a", name="a.log")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content and again.headers["Location"] == first.headers["Location"]
    # without the key, or with another one, it is one that is there already
    assert send(daemon, "b", name="a.log").status_code == 200
    assert daemon.api.submit(SMALL.read_bytes(), name="a.log").status_code == 200


def test_a_job_is_acknowledged_once(fresh):
    daemon = fresh()
    first, again = (send(daemon, "job", name="a.log", wait="0") for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert again.json()["id"] == first.json()["id"]
    assert wait_until(lambda: daemon.api.json("/api/v1/jobs/" + first.json()["id"])["status"] == "succeeded")
    assert send(daemon, "job", name="a.log", wait="0").json()["links"]["result"]


def test_a_key_is_text(service):
    for key in (b"a\xff\xfeb", b"\xc3"):
        reply = send(service, key, name="a.log")
        assert (reply.status_code, reply.json()["code"]) == (400, "OPC-2003"), reply.text
    assert send(service, "schlüssel".encode(), name="text.log").status_code == 201


@pytest.mark.parametrize("change", [{"content": b"another dump"}, {"name": "b.log"}, {"target": "musa"}])
def test_a_key_is_for_one_request(fresh, change):
    daemon = fresh()
    assert send(daemon, "a", name="a.log").status_code == 201
    reply = send(daemon, "a", **{"name": "a.log", **change})
    assert (reply.status_code, reply.json()["code"]) == (422, "OPC-2019")


def test_a_key_is_for_one_name_of_the_file_in_a_form(fresh):
    daemon = fresh()

    def upload(name):
        return daemon.api.post(ASSESSMENTS, files={"file": (name, SMALL.read_bytes())}, headers={"Idempotency-Key": "a"})

    first = upload("a.log")
    assert first.status_code == 201 and upload("a.log").content == first.content
    other = upload("b.log")
    assert (other.status_code, other.json()["code"]) == (422, "OPC-2019")


def test_what_failed_may_be_sent_again(fresh):
    daemon = fresh()
    for _ in range(2):
        assert send(daemon, "a", b"nothing that is a dump").status_code == 422
    assert send(daemon, "a").status_code == 201


def test_a_request_under_way_is_not_done_twice(fresh):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0")
    long = (FIXTURES / "torch-2.13" / "lastbatch.a-full.log").read_bytes() * 20
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, daemon, "a", long)
        wait_until(lambda: daemon.sql("SELECT count(*) FROM request_key") == [["1"]] or first.done())
        again = send(daemon, "a", long)
        assert first.result().status_code == 201
        # either it was still under way, or it ended in between and this is its answer
        assert (again.status_code == 409 and again.headers["Retry-After"] == "1") or again.content == first.result().content
    assert send(daemon, "a", long).content == first.result().content


def test_a_crash_frees_the_key_and_keeps_the_answers(fresh):
    daemon = fresh()
    first = send(daemon, "done", name="a.log")
    daemon.sql("INSERT INTO request_key SELECT owner, 'open', asked_sha256, created_at, holder, held_until + 9999, 0, '' FROM request_key")
    assert send(daemon, "open", name="a.log").status_code == 409
    daemon.kill()
    daemon.restart()
    if REPLICAS:  # whose start frees no lease of another one
        assert send(daemon, "open", name="a.log").status_code == 409
        daemon.sql("UPDATE request_key SET held_until = 1 WHERE key = 'open'")
    assert send(daemon, "open", name="a.log").status_code == 200
    assert send(daemon, "done", name="a.log").content == first.content


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_what_is_no_key(service, key):
    assert send(service, key).status_code == 400


def test_a_keyed_request_is_done_once_whatever_ends_the_service(fresh):
    """Clients send each request until they have its answer; the service is killed at random moments meanwhile."""
    daemon, seed = fresh(), random.randrange(1 << 30)
    listen = daemon.args.index("--listen") + 1
    chance, lock, number, enough, sent = random.Random(seed), threading.Lock(), [0], threading.Event(), []

    def client(wait):
        while not enough.is_set():
            with lock:
                number[0] += 1
                name, content = "%s-%d.log" % (wait, number[0]), SMALL.read_bytes() + b"\n%d\n" % (number[0] % 3)
                sent.append(name)
            while True:
                try:
                    reply = requests.post(daemon.url + ASSESSMENTS, params={"name": name, "wait": wait}, headers={"Idempotency-Key": name},
                                          data=content, timeout=60)
                except requests.RequestException:
                    time.sleep(0.01)
                    continue
                if reply.status_code in (200, 201, 202):
                    break
                assert reply.status_code in (409, 503), reply.text
                time.sleep(0.01)
            enough.wait(PAUSE)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        clients = [pool.submit(client, wait) for wait in ("100", "100", "0", "0")]
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.05, 0.4))
            daemon.kill()
            daemon.args[listen] = "127.0.0.1:%d" % daemon.port
            daemon.restart()
        enough.set()
        for done in clients:
            done.result()
    assert wait_until(lambda: daemon.sql("SELECT count(*) FROM ticket WHERE status = 'queued'") == [["0"]])
    counts = collections.Counter(name for name, in daemon.sql("SELECT name FROM run"))
    print("%d kills, %d requests, %d runs, seed %d" % (KILLS, len(sent), sum(counts.values()), seed))
    assert counts == dict.fromkeys(sent, 1), "seed %d" % seed
