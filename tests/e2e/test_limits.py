"""Too much, too slow, too many: bounded, answered where an answer can still arrive, and nobody else waits."""
import concurrent.futures
import os
import pathlib
import re
import resource
import socket
import threading
import time

import pytest
import requests

from daemon import DUMP, SMALL, Daemon, raw, wait_until

SANITIZED = os.environ.get("OPCHECK_SANITIZED") == "1"
MIB = 1024 * 1024


HEAD = b"POST /api/v1/assessments HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
NO_REQUESTS = (b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
               b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
               HEAD + b"Content-Length: 99999999999999999999\r\n\r\n", HEAD + b"Content-Length: 5\r\n\r\nabc",
               HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
               b"GET /" + b"a" * 200000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
               b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200000 + b"\r\n\r\n",
               b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 20000 + b"\r\n")


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    daemon = Daemon(tmp_path_factory.mktemp("impatient") / "state", "--limit", "connection-seconds=1",
                    "--limit", "upload-bytes=1M", "--limit", "upload-seconds=3")
    yield daemon
    daemon.stop()


@pytest.mark.parametrize("number", range(len(NO_REQUESTS)))
def test_what_is_no_request(impatient, number):
    answer = raw(impatient, NO_REQUESTS[number])
    assert not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4", b"HTTP/1.1 5", b"HTTP/1.0 5")), answer[:200]
    assert impatient.api.get("/healthz").status_code == 200
    assert wait_until(lambda: not any((impatient.state / "incoming").iterdir()))


def refused(reply):
    return reply.status_code == 413 and reply.json()["code"] == "OPC-3009" and reply.json()["upload_bytes"] == MIB


def test_an_upload_that_says_it_is_too_large(impatient, curl, tmp_path):
    assert refused(impatient.api.submit(b"x" * (MIB + 1)))
    assert refused(impatient.api.post("/api/v1/assessments", files={"file": ("a", b"x" * (2 * MIB))}))
    huge = raw(impatient, HEAD + b"Content-Length: 1099511627776\r\n\r\n", [b"x" * 1000])
    assert huge.startswith(b"HTTP/1.1 413 ") and b"OPC-3009" in huge
    path = tmp_path / "large.log"
    path.write_bytes(b"x" * (3 * MIB))  # curl asks first: Expect: 100-continue
    run = curl("-D", "-", "--data-binary", "@%s" % path, impatient.url + "/api/v1/assessments")
    assert b"HTTP/1.1 413 " in run.stdout and b"100 Continue" not in run.stdout


def test_an_upload_that_only_turns_out_to_be_too_large(impatient):
    assert refused(impatient.api.submit((b"x" * 1000 for _ in range(3000))))
    assert refused(impatient.api.post("/api/v1/assessments", files={"file": ("a", b"x" * (MIB + 100))}))
    assert not any((impatient.state / "incoming").iterdir())


def test_an_upload_of_exactly_the_limit(impatient):
    reply = impatient.api.submit(b"x" * MIB)
    assert (reply.status_code, reply.json()["code"]) == (422, "OPC-3005")


def counted(parts, taken):
    """The parts; each is noted as it is taken to be sent."""
    for part in parts:
        taken.append(part)
        yield part


def test_an_upload_without_end_is_dropped(impatient):
    chunk, taken = b"%x\r\n" % MIB + b"x" * MIB + b"\r\n", []
    raw(impatient, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", counted((chunk for _ in range(1000)), taken))
    assert len(taken) < 1000
    assert impatient.api.get("/healthz").status_code == 200


def test_an_upload_that_takes_too_long_is_dropped(impatient):
    def drops():
        for _ in range(60):
            time.sleep(0.2)
            yield b"1\r\nx\r\n"

    taken = []
    raw(impatient, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", counted(drops(), taken))
    assert len(taken) < 60
    assert wait_until(lambda: not any((impatient.state / "incoming").iterdir()))


@pytest.mark.parametrize("before", (b"", b"5\r\nabcde\r\n"))
def test_a_chunk_extension_without_end_closes_its_connection_and_holds_nothing(impatient, before):
    """libmicrohttpd answers by itself, without a call of the service: 500 for an extension that its buffer does not hold (0.9.75,
    src/microhttpd/connection.c:2475 to 2496; 413 behind 0.9.77)."""
    head = HEAD.replace(b"Connection: close\r\n", b"") + b"Transfer-Encoding: chunked\r\n\r\n"
    hidden = b"\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = raw(impatient, head + before + b"5;" + b"x" * 100000 + hidden)
    assert re.findall(rb"HTTP/1\.1 (\d+)", answer) in ([b"500"], [b"413"], [])  # and the one behind it is not read
    assert wait_until(lambda: not any((impatient.state / "incoming").iterdir()))
    values = dict(line.rsplit(" ", 1) for line in impatient.api.get("/metrics").text.splitlines() if not line.startswith("#"))
    assert [values['opcheckd_jobs{state="%s"}' % state] for state in ("queued", "running")] == ["0", "0"]
    assert values["opcheckd_answer_bytes"] == "0"


def test_silence_ends_a_connection(impatient):
    assert raw(impatient, HEAD + b"Content-Length: 1000\r\n\r\nonly this") == b""


def test_a_slow_upload_is_read_and_nobody_waits_for_it(fresh):
    daemon, content, answered = fresh(), SMALL.read_bytes(), threading.Event()

    def slowly():
        for at in range(0, len(content), 2000):
            if at > len(content) // 2:
                answered.wait(60)
            yield content[at:at + 2000]

    with concurrent.futures.ThreadPoolExecutor() as pool:
        slow = pool.submit(lambda: daemon.api.submit(slowly(), name="slow.log"))
        assert wait_until(lambda: any((daemon.state / "incoming").iterdir()))
        for _ in range(20):
            assert daemon.api.get("/healthz").status_code == 200
        assert not slow.done()
        answered.set()
        assert slow.result().status_code == 201


def test_twenty_uploads_at_once(service, opcheck):
    def upload(number):
        dump = (DUMP, SMALL)[number % 2]
        reply = service.api.submit(dump.read_bytes(), name="%d.log" % (number // 4))
        return dump, reply.json(), service.api.get(reply.headers["Location"] + "/report.csv").content

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        done = list(pool.map(upload, range(20)))
    for dump, record, table in done:
        assert table == opcheck("check", dump, "-f", "csv").out
    assert len({record["id"] for _, record, _ in done}) == 10  # each of ten was sent twice


def test_memory_does_not_grow_with_an_upload(fresh):
    """A dump of 60 MB of the same steps costs a few MB beside what the service needs anyway."""
    daemon = fresh()
    content = DUMP.read_bytes()
    daemon.api.submit(content)
    reply = daemon.api.submit((content for _ in range(220)), name="long.log")
    assert reply.status_code == 201
    status = pathlib.Path("/proc/%d/status" % daemon.process.pid).read_text(encoding="utf-8")
    peak = int(status.split("VmHWM:")[1].split()[0])
    assert peak < (64 if not SANITIZED else 1024) * 1024, "%d KiB" % peak


def test_many_connections_at_once(fresh):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    daemon = fresh("--limit", "connections=64", "--limit", "connection-seconds=2")
    idle = [socket.create_connection(("127.0.0.1", daemon.port)) for _ in range(300)]

    def is_answered():
        try:
            return daemon.api.get("/healthz").status_code == 200
        except requests.ConnectionError:  # one of those that made room for the next
            return False

    try:
        # those that say nothing are closed in time, and others get their turn
        assert wait_until(is_answered)
    finally:
        for connection in idle:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
