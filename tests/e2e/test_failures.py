"""What services on one PostgreSQL do while it is killed, cut off, silent or replaced by its standby, and when their clocks differ."""
import concurrent.futures
import contextlib
import glob
import os
import select
import signal
import socket
import threading
import time

import pytest
import requests

import cluster
from conftest import SANITIZED, Run, environment, program
from daemon import SMALL, Daemon, wait_until
from test_access import log_in, session_of
from test_jobs import bomb, jobs
from test_replicas import SHORT, Submits, long_job, names, receiver, send, start, status  # noqa: F401

pytestmark = pytest.mark.skipif(cluster.programs() is None, reason="PostgreSQL is not installed")
FAKETIME = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
ROUNDS = int(os.environ.get("OPCHECK_FAILURE_ROUNDS", "2"))  # deploy/longtest.sh asks for more


def database_of(replica):
    return replica.args[replica.args.index("--store") + 1].rsplit("/", 1)[1]


def resume(*replicas):
    for replica in replicas:
        for job in jobs(replica):
            with contextlib.suppress(ProcessLookupError):  # it ended since it was listed
                os.kill(job, signal.SIGCONT)


def test_a_database_that_is_killed_loses_and_doubles_nothing(start, database):  # noqa: F811
    """Its first process, or one that serves a connection: then it ends all connections, and recovers."""
    first, second = start(), start()
    job, worker, other = long_job(first, second, bomb(64))
    with Submits([first, second]) as submits:
        for number in range(ROUNDS):
            submits.more()
            if number % 2 == 0:
                database.kill()
                for replica in (first, second):
                    for path in ("/api/v1/runs", "/readyz"):
                        reply = replica.api.get(path)
                        assert reply.status_code == 503 and reply.headers["Retry-After"], reply.text
                    assert replica.api.get("/healthz").status_code == 200
                database.start()
            else:
                os.kill(int(database.query("SELECT min(pid) FROM pg_stat_activity WHERE datname = '%s'" % database_of(first))), signal.SIGKILL)
        submits.more()
    resume(worker, other)
    assert wait_until(lambda: status(other, job) == "succeeded", 120, every=0.1)
    assert all(wait_until(lambda r=replica: r.api.get("/readyz").status_code == 200) for replica in (first, second))
    submits.check(beside=["long.log"])


def test_connections_that_are_ended_again_and_again_lose_and_double_nothing(start, database):  # noqa: F811
    with Submits([start(), start()]) as submits:
        ended = 0
        for _ in range(20 * ROUNDS):
            ended += int(database.query("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '%s'"
                                        % database_of(submits.replicas[0])))
            time.sleep(submits.chance.uniform(0.01, 0.2))
        submits.more()
    print("%d connections ended" % ended)
    submits.check()


class Link:
    """Forwards connections to the database's socket; silent: it takes bytes no more, and closes nothing."""

    def __init__(self, folder):
        self.address, self.silent, self.over, self.ends = str(folder / ".s.PGSQL.5432"), threading.Event(), threading.Event(), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()

    def url(self, database):
        return "postgresql://opcheck@127.0.0.1:%d/%s" % (self.listener.getsockname()[1], database)

    def accept(self):
        while not self.over.is_set():
            if not select.select([self.listener], [], [], 0.05)[0]:
                continue
            client, server = self.listener.accept()[0], socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.address)
            except OSError:
                client.close()
                server.close()
                continue
            self.ends += [client, server]
            for pair in ((client, server), (server, client)):
                self.threads.append(threading.Thread(target=self.forward, args=pair))
                self.threads[-1].start()

    def forward(self, source, target):
        try:
            while not self.over.is_set():
                if self.silent.is_set() or not select.select([source], [], [], 0.05)[0]:
                    time.sleep(0.01 if self.silent.is_set() else 0)
                    continue
                data = source.recv(65536)
                if not data:
                    break
                target.sendall(data)
        except (OSError, ValueError):
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.over.set()
        self.silent.clear()
        for thread in self.threads:
            thread.join()
        self.listener.close()
        for end in self.ends:
            end.close()


@pytest.fixture
def link(database):
    made = Link(database.folder)
    yield made
    made.close()


def test_a_silent_database_is_said_and_waited_for(start, database, link, tmp_path):  # noqa: F811
    """One service reaches it by a link that falls silent, goes on, falls silent again, and is cut. Its jobs go to the other one."""
    limits = *SHORT, "--limit", "query-seconds=1"
    near = start(*limits)
    far = Daemon(tmp_path / "far", "--store", link.url(database_of(near)), "--blobs", "database", *limits)
    try:
        with Submits([near, far], 4) as submits:
            for number in range(ROUNDS):
                submits.more()
                job = send(far, wait="0", name="late%d.log" % number, content=SMALL.read_bytes() + b"\n" * (number + 7)).json()
                link.silent.set()
                ready = far.api.get("/readyz")
                assert ready.status_code == 503 and ready.headers["Retry-After"], ready.text
                assert far.api.get("/healthz").status_code == 200
                assert wait_until(lambda: status(near, job) == "succeeded", 120, every=0.1)  # its lease is over
                assert far.api.get("/api/v1/runs").status_code == 503
                if number % 2:
                    link.cut()
                link.silent.clear()
                assert wait_until(lambda: far.api.get("/readyz").status_code == 200, 120)
            submits.more()
        submits.check(beside=["late%d.log" % number for number in range(ROUNDS)])
        assert "does not answer" in far.errors()
    finally:
        far.stop()


def test_health_is_told_while_a_silent_database_holds_requests(start, link, tmp_path):  # noqa: F811
    """More of them than threads have connections; with tokens, all threads but one wait, and a request beyond is refused."""
    near = start()
    run = send(near).json()["run"]["links"]["self"]
    far = Daemon(tmp_path / "far", "--store", link.url(database_of(near)), "--blobs", "database", "--threads", "3", "--limit", "query-seconds=100", *SHORT)
    unknown = {"Authorization": "Bearer opc_%s_%s" % ("0" * 12, "0" * 64)}

    def ask(path, headers=None):
        return requests.get(far.url + path, headers=headers, timeout=300)

    def hold(clients, count, headers=None):
        sent = [clients.submit(ask, run, headers) for _ in range(count)]
        while headers and not any(one.done() for one in sent):
            sent.append(clients.submit(ask, run, headers))
            time.sleep(0.05)
        for _ in range(20):
            assert ask("/healthz").status_code == 200
        assert sum(not one.done() for one in sent) >= count
        link.silent.clear()
        return [one.result() for one in sent]

    try:
        with concurrent.futures.ThreadPoolExecutor(100) as clients:
            link.silent.set()
            assert [reply.status_code for reply in hold(clients, 6)] == [200] * 6
            link.silent.set()
            replies = hold(clients, 2, unknown)
            assert {reply.status_code for reply in replies} == {401, 503}
            assert all(reply.headers["Retry-After"] for reply in replies if reply.status_code == 503)
    finally:
        link.silent.clear()
        far.stop()


def test_a_standby_that_is_promoted_has_all_that_was_acknowledged(database, tmp_path):
    url = database.create("failover")
    standby = cluster.Cluster(primary=database)
    try:
        url = url.replace("@", "@" + standby.host() + ",") + "?target_session_attrs=read-write"
        services = [Daemon(tmp_path / "state", "--store", url, *SHORT) for _ in range(2)]
        with Submits(services) as submits:
            submits.more(5)
            database.kill()
            assert all(wait_until(lambda s=service: s.api.get("/api/v1/runs").status_code == 503) for service in services)
            assert all(service.api.get("/healthz").status_code == 200 for service in services)
            standby.query("SELECT pg_promote()")
            submits.more(5)
        submits.check()
        for service in services:
            service.stop()
    finally:
        standby.remove()
        database.start()
        database.query("ALTER SYSTEM RESET synchronous_standby_names")
        database.query("SELECT pg_reload_conf()")


@pytest.mark.skipif(SANITIZED or not FAKETIME, reason="sanitizers want to be loaded before faketime, or it is not installed")
def test_clocks_an_hour_apart_change_nothing(start, database, receiver):  # noqa: F811
    """Leases, sessions, tokens, deliveries and the order of runs go by the clock of the database."""
    receiver.answers = [503]
    settings = "--limit", "lease-seconds=30", "--limit", "webhook-pause=600", *receiver.hook
    right, ahead = start(*settings), start(*settings, prefix=("env", "LD_PRELOAD=" + FAKETIME[0], "FAKETIME=+1h", "FAKETIME_DONT_FAKE_MONOTONIC=1"))
    job, worker, other = long_job(right, ahead, bomb(64))
    for number in range(6):
        assert send((right, ahead)[number % 2], name="%d.log" % number, content=SMALL.read_bytes() + b"\n" * number).status_code == 201
    runs = right.api.json("/api/v1/runs")["items"]
    assert [run["name"] for run in runs] == ["%d.log" % number for number in reversed(range(6))]
    assert [run["created_at"] for run in runs] == sorted((run["created_at"] for run in runs), reverse=True)
    hour = database.query("SELECT count(*) FROM opcheck.run WHERE created_at::timestamptz > clock_timestamp() + interval '1 minute'", database_of(right))
    assert hour == "0"
    pages, path = [], "/api/v1/runs?limit=1"
    while path:  # each page from the other one
        reply = (ahead, right)[len(pages) % 2].api.get(path)
        pages += [run["name"] for run in reply.json()["items"]]
        path = reply.links.get("next", {}).get("url")
    assert pages == [run["name"] for run in runs]
    assert wait_until(lambda: len(receiver.heard) >= 6)
    waits = "SELECT count(*), min(due_at - extract(epoch FROM clock_timestamp())) BETWEEN 300 AND 600 FROM opcheck.delivery"
    assert wait_until(lambda: database.query(waits, database_of(right)) == "1|t"), database.query(waits, database_of(right))
    time.sleep(1.5)  # a look of each
    assert sorted(receiver.heard) == ["%d.log" % number for number in range(6)]
    database.query("UPDATE opcheck.delivery SET due_at = extract(epoch FROM clock_timestamp()) - 1", database_of(right))
    assert wait_until(lambda: len(receiver.heard) == 7) and len(set(receiver.heard)) == 6
    options = "--state-dir", right.state, "--store", right.args[right.args.index("--store") + 1]
    token = Run([program("opcheckd", "OPCHECKD"), "token", "add", "--scope", "admin", *options], env=environment()).text.strip()
    outside = {"X-Forwarded-For": "192.0.2.1"}
    session = session_of(log_in(right, token, outside))
    database.query("UPDATE opcheck.token SET expires_at = extract(epoch FROM clock_timestamp()) + 1800", database_of(right))
    for replica in (right, ahead):
        for shown in ({"Authorization": "Bearer " + token}, {"Cookie": session}):
            assert replica.api.get("/api/v1/runs", headers={**outside, **shown}).status_code == 200
    assert jobs(worker) and status(other, job) == "running"  # it kept its lease meanwhile
    resume(worker)
    assert wait_until(lambda: status(other, job) == "succeeded", 120, every=0.1)
    assert names(ahead).count("long.log") == 1
