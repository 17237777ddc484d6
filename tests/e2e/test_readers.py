"""Clients that ask and do not read: what their answers hold is shared, counted and bounded, and they are ended in time."""
import contextlib
import gzip
import os
import pathlib
import socket
import sqlite3

import pytest

from daemon import wait_until
from test_large_reports import MIB, Watch, many_operators

# deploy/longtest.sh asks for a thousand
READERS = int(os.environ.get("OPCHECK_READERS", "150"))
UNPACKING = 128 * 1024  # src/server/http/unpacking.h
FORMS = (".json", ".html", ".csv") + ((".txt", ".md", ".sarif", ".junit.xml", ".codequality.json") if READERS >= 1000 else ())


@pytest.fixture(scope="module")
def packed():
    return gzip.compress(many_operators(), 1)


def held(daemon):
    return int(daemon.api.get("/metrics").text.split("\nopcheckd_answer_bytes ")[1].split()[0])


def bodies(daemon):
    """The files without a name that the service has open, each once."""
    found = set()
    for entry in pathlib.Path("/proc/%d/fd" % daemon.process.pid).iterdir():
        with contextlib.suppress(OSError):
            if " (deleted)" in os.readlink(entry):
                found.add(entry.stat().st_ino)
    return found


def sockets(daemon):
    found = 0
    for entry in pathlib.Path("/proc/%d/fd" % daemon.process.pid).iterdir():
        with contextlib.suppress(OSError):
            found += os.readlink(entry).startswith("socket:")
    return found


@contextlib.contextmanager
def readers(daemon, paths, coding="identity"):
    """A connection for each path, on which the answer was asked for and its first bytes are there."""
    connections = []
    try:
        for path in paths:
            connection = socket.socket()
            connections.append(connection)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", daemon.port))
            connection.sendall(("GET %s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: %s\r\n\r\n" % (path, coding)).encode())
        for connection in connections:
            connection.settimeout(60)
        yield connections
    finally:
        for connection in connections:
            connection.close()


def head(connection):
    text = b""
    while b"\r\n\r\n" not in text:
        piece = connection.recv(1)
        assert piece
        text += piece
    return text.decode()


def statuses(connections):
    return [int(head(connection).split()[1]) for connection in connections]


@pytest.mark.parametrize("coding", ("identity", "gzip"))
def test_readers_of_one_document_share_one_file(fresh, packed, coding):
    daemon = fresh()
    report = daemon.api.submit(packed, name="many.json").json()["links"]["report"]
    for _ in range(3):
        assert daemon.api.get(report + ".json", headers={"Accept-Encoding": coding}).status_code == 200
    before = bodies(daemon)
    with readers(daemon, [report + ".json"] * 40, coding) as connections:
        assert statuses(connections) == [200] * 40
        assert len(bodies(daemon) - before) <= 1
        assert held(daemon) < 40 * 1024


def test_a_text_too_large_for_the_cache_is_unpacked_while_it_is_sent(fresh, packed):
    daemon = fresh("--limit", "cache-bytes=4M")
    report = daemon.api.submit(packed, name="many.json").json()["links"]["report"]
    whole = daemon.api.get(report + ".json").content
    assert len(whole) > 4 * MIB and daemon.api.get(report + ".json", headers={"Accept-Encoding": "identity"}).content == whole
    with readers(daemon, [report + ".json"] * 40) as connections:
        assert statuses(connections) == [200] * 40
        assert 0 < held(daemon) <= 41 * UNPACKING
    assert wait_until(lambda: held(daemon) < 40 * 1024)


def test_answers_over_the_bound_are_refused_and_small_ones_are_not(fresh, packed):
    daemon = fresh("--limit", "cache-bytes=0", "--limit", "max-answer-bytes=2M")
    report = daemon.api.submit(packed, name="many.json").json()["links"]["report"]
    assert daemon.api.get(report + ".json").status_code == 200
    with readers(daemon, [report + ".json"] * 40) as connections:
        heads = [head(connection) for connection in connections]
        refused = [text for text in heads if text.startswith("HTTP/1.1 503 ")]
        assert 0 < len(refused) < 40 and all(text.startswith("HTTP/1.1 200 ") for text in heads if text not in refused)
        assert all("\r\nRetry-After: " in text for text in refused)
        assert held(daemon) <= 3 * MIB
        assert daemon.api.get("/healthz").status_code == 200
    assert wait_until(lambda: daemon.api.get(report + ".json").status_code == 200)
    assert wait_until(lambda: held(daemon) < 40 * 1024)


def test_lists_that_are_not_read_count_too(fresh):
    buffer = int(pathlib.Path("/proc/sys/net/ipv4/tcp_wmem").read_text(encoding="utf-8").split()[2])
    bound = 3 * buffer
    daemon = fresh("--limit", "max-answer-bytes=%d" % bound)
    assert daemon.alone()
    with contextlib.closing(sqlite3.connect(daemon.state / "store.sqlite")) as rows, rows:  # names as long as earlier programs kept them
        rows.executemany("INSERT INTO demand_rollup VALUES ('', 'musa@v2.7.1', ?, 'unsupported', 1, 0)",
                         [("npu::%s%05d" % ("x" * (buffer // 900), number),) for number in range(1000)])
    path = "/api/v1/demand?limit=1000"
    size = len(daemon.api.get(path).content)
    assert buffer < size < bound  # no send buffer takes it whole
    with readers(daemon, [path] * 12) as connections:
        assert set(statuses(connections)) == {200, 503} and 0 < held(daemon) <= bound + MIB
    assert wait_until(lambda: daemon.api.get(path).status_code == 200)


def test_a_client_that_stops_reading_is_ended_whatever_it_asked_for(fresh, packed):
    """Other than by seconds for all of its bytes together, which are minutes here."""
    daemon = fresh("--limit", "header-seconds=1", "--limit", "transfer-rate=64K", "--limit", "connection-seconds=600")
    report = daemon.api.submit(packed, name="many.json").json()["links"]["report"]
    assert len(daemon.api.get(report + ".json").content) > 6 * MIB
    daemon.api.close()
    assert wait_until(lambda: sockets(daemon) < 8)
    before = sockets(daemon)
    with readers(daemon, [report + ".json"] * 8) as connections:
        assert statuses(connections) == [200] * 8
        assert wait_until(lambda: sockets(daemon) <= before, 30)


def test_a_client_that_reads_slowly_but_well_gets_all(fresh, packed):
    daemon = fresh("--limit", "header-seconds=1", "--limit", "transfer-rate=1K")
    report = daemon.api.submit(packed, name="many.json").json()["links"]["report"]
    size = len(daemon.api.get(report + ".json").content)
    with readers(daemon, [report + ".json"]) as (connection,):
        assert "Content-Length: %d\r\n" % size in head(connection)
        read, deadline = 0, 0
        while piece := connection.recv(1 << 16 if deadline > 30 else 1 << 14):
            read += len(piece)
            deadline += 1
            if deadline <= 30:
                wait_until(lambda: False, 0.1)
            if read == size:
                break
        assert read == size


def test_many_readers_of_any_form_leave_the_service_small(fresh, packed, sanitized):
    daemon = fresh("--limit", "job-queue=1000", "--limit", "address-connections=%d" % (3 * READERS))
    record = daemon.api.submit(packed, name="many.json").json()
    paths = [record["links"]["report"] + form for form in FORMS] + [record["links"]["page"], "/api/v1/runs", "/", "/openapi.json"]
    for path in paths:
        assert daemon.api.get(path).status_code == 200
    with Watch(daemon) as watch, readers(daemon, [paths[i % len(paths)] for i in range(READERS)], "identity") as plain, \
            readers(daemon, [paths[i % len(paths)] for i in range(READERS)], "gzip") as small:
        assert set(statuses(plain + small)) <= {200, 503}
        times = sorted(daemon.api.get("/healthz").elapsed.total_seconds() for _ in range(100))
    print("%d readers: %d MiB; health p99 %.1f ms" % (2 * READERS, watch.alone // MIB, times[98] * 1000))
    assert sanitized or watch.alone < 400 * MIB
