"""What was acknowledged is there afterwards; what was not leaves nothing behind. Whatever the end was."""
import concurrent.futures
import hashlib
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time

import pytest
import requests

from conftest import SANITIZED
from daemon import SMALL, Daemon, nothing_left, wait_until

# deploy/longtest.sh asks for more; where a kill comes matters to what is written, not to what sanitizers watch
KILLS = int(os.environ.get("OPCHECK_KILLS", "20" if SANITIZED else "60"))


def check_state(daemon, acknowledged):
    """Everything that was acknowledged is there and whole; every row has its dump and its report; nothing is half."""
    for record, report in acknowledged:
        plain = {key: value for key, value in record.items() if key != "run"}
        assert daemon.api.json(record["links"]["self"]) == plain
        assert "run" not in record or daemon.api.json(record["run"]["links"]["self"])["assessment"] == record["id"]
        assert daemon.api.get(record["links"]["report"] + ".json").content == report
    assert nothing_left(daemon)
    for path in (daemon.state / "dumps").iterdir():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name
    with sqlite3.connect("file:%s?mode=ro" % (daemon.state / "store.sqlite"), uri=True) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert store.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = store.execute("SELECT input_sha256, sha256, content FROM assessment LEFT JOIN document"
                             " ON assessment = number AND form = 'json'").fetchall()
    for digest, checksum, report in rows:
        assert hashlib.sha256(report).hexdigest() == checksum and (daemon.state / "dumps" / digest).exists()
    return len(rows)


def test_a_killed_service_has_what_it_acknowledged(tmp_path):
    """Uploads from several clients, and kill -9 at a random moment, many times over the same state. One client does not wait:
    what it has is a job, which must be done in the end."""
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    daemon = Daemon(tmp_path / "state")
    acknowledged, jobs, lock, number = [], [], threading.Lock(), [0]

    def dump():
        with lock:
            number[0] += 1
            return SMALL.read_bytes() + b"\n%d\n" % number[0], "%d.log" % number[0]

    def send(api):
        content, name = dump()
        reply = api.submit(content, name=name)
        report = api.get(reply.json()["links"]["report"] + ".json").content
        assert reply.status_code == 201
        with lock:
            acknowledged.append((reply.json(), report))

    def send_later(api):
        content, name = dump()
        reply = api.submit(content, name=name, wait="0")
        if reply.status_code == 503:  # what earlier rounds left waits
            return
        assert reply.status_code == 202
        with lock:
            jobs.append(reply.json()["links"]["self"])
        while api.json(jobs[-1])["status"] in ("queued", "running"):
            time.sleep(0.02)

    def client(api, act):
        while True:
            try:
                act(api)
            except requests.RequestException:
                return

    rounds, patience = 0, 0.25
    while rounds < KILLS or len(acknowledged) <= KILLS:  # a slow machine gets more rounds
        rounds += 1
        assert rounds < 8 * KILLS
        before = len(acknowledged)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            clients = [pool.submit(client, daemon.api, act) for act in (send, send, send, send_later)]
            time.sleep(chance.uniform(0.005, patience))
            daemon.kill()
        for done in clients:
            done.result()
        patience = max(0.25, patience * (0.9 if len(acknowledged) > before else 1.2))
        daemon.restart()
    for job in jobs:
        assert wait_until(lambda: daemon.api.json(job)["status"] not in ("queued", "running"), 300), "seed %d" % seed
        assert daemon.api.json(job)["status"] == "succeeded", "seed %d" % seed
    kept = check_state(daemon, acknowledged)
    print("%d kills, %d reports and %d jobs acknowledged, 0 lost, seed %d" % (rounds, len(acknowledged), len(jobs), seed))
    assert kept >= len(acknowledged), "seed %d" % seed
    daemon.stop()


def test_what_was_kept_outlives_a_restart_and_answers_again(fresh):
    daemon = fresh()
    first = daemon.api.submit(SMALL.read_bytes(), name="a.log")
    report = daemon.api.get(first.json()["links"]["report"] + ".json").content
    daemon.stop()
    daemon.restart()
    check_state(daemon, [(first.json(), report)])
    again = daemon.api.submit(SMALL.read_bytes(), name="a.log")
    assert again.status_code == 200 and {**again.json(), "run": None} == {**first.json(), "run": None}


def slow_upload(daemon, seconds):
    """An upload that is under way; its thread answers with the reply, or None when the connection broke."""
    content = SMALL.read_bytes()

    assert daemon.alone()  # nginx is a client of its own, whose end is another matter

    def pieces():
        for at in range(0, len(content), len(content) // 20 + 1):
            yield content[at:at + len(content) // 20 + 1]
            time.sleep(seconds / 20)

    def run():
        try:
            return daemon.api.submit(pieces(), name="slow.log")
        except requests.RequestException:
            return None

    pool = concurrent.futures.ThreadPoolExecutor(1)
    upload = pool.submit(run)
    pool.shutdown(wait=False)
    assert wait_until(lambda: any((daemon.state / "incoming").iterdir()))
    return upload


def test_sigterm_lets_a_running_upload_end(fresh):
    daemon = fresh()
    upload = slow_upload(daemon, 2)
    daemon.signal(signal.SIGTERM)
    assert daemon.wait() == 0
    reply = upload.result()
    assert reply is not None and reply.status_code == 201 and reply.headers["Connection"] == "close"
    daemon.restart()
    check_state(daemon, [(reply.json(), daemon.api.get(reply.json()["links"]["report"] + ".json").content)])


def test_an_ending_service_takes_no_more_connections(fresh):
    daemon = fresh()
    upload = slow_upload(daemon, 2)
    daemon.signal(signal.SIGTERM)
    assert wait_until(lambda: "ending, 1 requests" in daemon.errors())
    time.sleep(0.1)
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", daemon.port), timeout=5)
    assert daemon.wait() == 0 and upload.result() is not None


def test_an_upload_that_does_not_end_is_cut_off_in_time(fresh):
    daemon = fresh("--limit", "stop-seconds=1")
    upload = slow_upload(daemon, 30)
    daemon.signal(signal.SIGTERM)
    assert daemon.wait() == 0
    assert "1 requests are cut off" in daemon.errors()
    assert upload.result() is None
    daemon.restart()
    assert check_state(daemon, []) == 0


def test_a_second_signal_ends_it_at_once(fresh):
    daemon = fresh()
    upload = slow_upload(daemon, 20)
    daemon.signal(signal.SIGTERM)
    assert wait_until(lambda: "ending" in daemon.errors())
    time.sleep(0.1)
    daemon.signal(signal.SIGTERM)
    assert daemon.wait() == -signal.SIGTERM
    assert upload.result() is None
    daemon.restart()
    assert check_state(daemon, []) == 0


def test_a_client_that_goes_away_leaves_nothing(fresh):
    daemon = fresh()
    for cut in (1, 1000, 50000):
        with socket.create_connection(("127.0.0.1", daemon.port)) as connection:
            content = SMALL.read_bytes()
            connection.sendall(b"POST /api/v1/assessments HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(content))
            connection.sendall(content[:cut])
            assert wait_until(lambda: any((daemon.state / "incoming").iterdir()))
        assert wait_until(lambda: not any((daemon.state / "incoming").iterdir()))
    assert check_state(daemon, []) == 0


def refuses(daemon, status, code):
    """Nothing can be kept and the service says so; what it has can still be read."""
    reply = daemon.api.submit(SMALL.read_bytes(), name="another.log")
    assert (reply.status_code, reply.json()["code"]) == (status, code), reply.text
    assert str(daemon.state) not in reply.text
    ready = daemon.api.get("/readyz")
    assert ready.status_code == status
    assert daemon.api.get("/healthz").status_code == 200
    return True


def test_a_full_quota(fresh, tmp_path):
    """A limit on file sizes stands for a full disk: writing fails half way."""
    daemon = fresh()
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()
    report = daemon.api.get(record["links"]["report"] + ".json").content
    daemon.stop()
    daemon.args = ["prlimit", "--fsize=60000", *daemon.args]
    if not shutil.which("prlimit"):
        pytest.skip("prlimit is not installed")
    daemon.restart()
    reply = daemon.api.submit(SMALL.read_bytes(), name="another.log")
    assert (reply.status_code, reply.json()["code"]) == (507, "OPC-5005"), reply.text
    assert check_state(daemon, [(record, report)]) == 1


def in_namespace(options):
    """A way to run a program over a file system of its own; None where that is not allowed."""
    probe = ["unshare", "--user", "--map-root-user", "--mount", "true"]
    if not shutil.which("unshare") or subprocess.run(probe, capture_output=True).returncode:
        return None
    script = 'mount -t tmpfs -o %s none "$0" && exec "$@"' % options
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]


def test_a_full_disk(tmp_path):
    prefix = in_namespace("size=700k")
    if not prefix:
        pytest.skip("file systems of their own are not allowed here")
    (tmp_path / "disk").mkdir()
    daemon = Daemon(tmp_path / "disk" / "state", "--limit", "free-bytes=0", prefix=[*prefix, tmp_path / "disk"])
    kept, number = [], 0
    for number in range(100):
        reply = daemon.api.submit(SMALL.read_bytes() + b"\n%d\n" % number, name="%d.log" % number)
        if reply.status_code != 201:
            break
        kept.append(reply.json())
    assert (reply.status_code, reply.json()["code"]) == (507, "OPC-5005"), reply.text
    assert kept
    for record in kept:
        plain = {key: value for key, value in record.items() if key != "run"}
        assert daemon.api.json(record["links"]["self"]) == plain
        assert "run" not in record or daemon.api.json(record["run"]["links"]["self"])["assessment"] == record["id"]
        assert daemon.api.get(record["links"]["report"] + ".csv").status_code == 200
    assert daemon.api.json("/api/v1/assessments")["total"] == len(kept)
    assert daemon.api.get("/healthz").status_code == 200
    daemon.stop()


def test_a_state_directory_that_cannot_be_written(fresh, tmp_path):
    daemon = fresh()
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()
    report = daemon.api.get(record["links"]["report"] + ".json").content
    shutil.rmtree(daemon.state / "incoming")
    assert refuses(daemon, 503, "OPC-5004")
    (daemon.state / "incoming").mkdir()
    assert daemon.api.get("/readyz").status_code == 200
    shutil.move(daemon.state / "dumps", tmp_path / "dumps")
    reply = daemon.api.submit(SMALL.read_bytes() + b"\n", name="another.log")
    assert (reply.status_code, reply.json()["code"]) == (503, "OPC-5004")
    shutil.move(tmp_path / "dumps", daemon.state / "dumps")
    assert check_state(daemon, [(record, report)]) == 1


def test_a_locked_store_is_waited_for(fresh):
    daemon = fresh()
    with sqlite3.connect(daemon.state / "store.sqlite", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            upload = pool.submit(daemon.api.submit, SMALL.read_bytes())
            time.sleep(0.5)
            assert not upload.done()
            other.execute("ROLLBACK")
            assert upload.result().status_code == 201


def test_without_a_database(fresh, tmp_path):
    daemon = fresh(db=tmp_path / "missing.sqlite")
    reply = daemon.api.submit(SMALL.read_bytes())
    assert (reply.status_code, reply.json()["code"]) == (503, "OPC-4001")
    assert str(tmp_path) not in reply.text and reply.headers["Retry-After"]
    for path in ("/", "/targets", "/operators", "/api/v1/targets", "/api/v1/operators/add", "/readyz"):
        assert daemon.api.get(path).status_code == 503
    for path in ("/healthz", "/help", "/api/v1/version", "/api/v1/assessments"):
        assert daemon.api.get(path).status_code == 200
    # the next request sees a database that was put in place
    shutil.copy(daemon.env["OPCHECK_DB"], tmp_path / "new.sqlite")
    os.rename(tmp_path / "new.sqlite", tmp_path / "missing.sqlite")
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 201
    (tmp_path / "missing.sqlite").write_bytes(b"no database at all")
    assert daemon.api.submit(SMALL.read_bytes()).json()["code"] == "OPC-4002"


def test_the_client_tells_a_database_from_a_server(fresh, submit, tmp_path):
    daemon = fresh(db=tmp_path / "missing.sqlite")
    run = submit(daemon, SMALL)
    assert run.status == 4 and "OPC-4001" in run.err
    shutil.copy(daemon.env["OPCHECK_DB"], tmp_path / "missing.sqlite")
    shutil.rmtree(daemon.state / "incoming")
    run = submit(daemon, SMALL)
    assert run.status == 5 and "OPC-5004" in run.err
    (daemon.state / "incoming").mkdir()
