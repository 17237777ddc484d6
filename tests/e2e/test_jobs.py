"""Work on an upload is a process of its own: what it takes, and how it ends, hurts nobody else."""
import concurrent.futures
import gzip
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

import pytest
import requests

from conftest import FIXTURES, ROOT
from daemon import DUMP, SMALL, wait_until

ROW = FIXTURES / "torch-2.13" / "resnet50.a.log"  # of 95 KB
SANITIZED = os.environ.get("OPCHECK_SANITIZED") == "1"
LARGE_MIB = int(os.environ.get("OPCHECK_LARGE_MIB", "0"))  # of rows in each large dump; deploy/longtest.sh asks for 10 GiB


def children(pid, name):
    """Processes of that name whose parent is pid."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % number, "rb") as stat:
                command, _, rest = stat.read().partition(b" (")[2].rpartition(b") ")
        except OSError:
            continue
        if command == name.encode() and int(rest.split()[1]) == pid:
            found.append(int(number))
    return found


def spawner(daemon):
    """It gives itself its name, perhaps after the service listens."""
    assert wait_until(lambda: children(daemon.process.pid, "opcheckd-spawn"))
    return children(daemon.process.pid, "opcheckd-spawn")[0]


def jobs(daemon):
    return children(spawner(daemon), "opcheckd-job")


def bomb(mib):
    """A small upload that takes long: so much of one table, in members of 16 MiB each."""
    table = DUMP.read_bytes()
    return gzip.compress(table * (16 * 1024 * 1024 // len(table)), 6) * (mib // 16)


def short_rows(mib):
    """As small as so many bytes of rows become: 20 MB for 10 GiB."""
    row = b"aten::mm,,9\n"
    return gzip.compress(b"name,dtype,calls\n") + gzip.compress(row * (16 * 1024 * 1024 // len(row)), 9) * (mib // 16)


def bombs(count):
    """Different ones of some 2 MB."""
    return [short_rows(1024 + 16 * number) for number in range(count)]


def stopped(daemon, pool, content, name="slow.log", **parameters):
    """An upload whose job runs, and stands still: it lasts until it is killed."""
    assert daemon.alone()
    upload = pool.submit(daemon.api.submit, content, name=name, **parameters)
    assert wait_until(lambda: jobs(daemon))
    os.kill(jobs(daemon)[0], signal.SIGSTOP)
    assert not upload.done()
    return upload


def starts(daemon, tickets, headers=None):
    """The names of the tickets in the order in which their jobs start, one at a time: each stands still until it is cancelled."""
    order, killed = [], set()

    def running():
        return [name for name, path in tickets.items() if daemon.api.json(path, headers=headers)["status"] == "running"]

    while len(order) < len(tickets):
        assert wait_until(lambda: set(jobs(daemon)) - killed), order
        process, = set(jobs(daemon)) - killed
        os.kill(process, signal.SIGSTOP)
        name, = running()
        order.append(name)
        killed.add(process)
        assert daemon.api.delete(tickets[name], headers=headers).status_code == 200
    return order


def ended(upload):
    """The client has heard of the end, or lost its connection."""
    try:
        return problem(upload.result()) == (503, "OPC-5006")
    except requests.RequestException:
        return True


def problem(reply):
    return reply.status_code, reply.json()["code"]


@pytest.fixture(scope="module")
def long():
    return bomb(1024)


def test_a_job_over_its_time_is_ended_and_says_so(fresh, long):
    daemon = fresh("--limit", "job-seconds=%d" % (5 if SANITIZED else 1))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reply = stopped(daemon, pool, long).result()
    assert problem(reply) == (413, "OPC-3009") and "job-seconds" in reply.json()["hint"]
    assert wait_until(lambda: not jobs(daemon))
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 201


@pytest.mark.skipif(SANITIZED, reason="sanitizers need addresses without end")
def test_a_failed_allocation_ends_a_job_and_nothing_else(fresh):
    daemon = fresh("--limit", "job-bytes=64M")
    trace = b'{"traceEvents": [' + b",".join(
        b'{"ph": "X", "cat": "cpu_op", "name": "aten::%s%d", "pid": 1, "tid": 1, "ts": %d, "dur": 1}'
        % (b"x" * 500, number, number * 3) for number in range(200000)) + b"]}"
    reply = daemon.api.submit(gzip.compress(trace, 1))
    assert problem(reply) == (413, "OPC-3009") and "job-bytes" in reply.json()["hint"], reply.text
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 201


@pytest.mark.parametrize("number", (signal.SIGKILL, signal.SIGSYS) if SANITIZED else (signal.SIGKILL, signal.SIGSYS, signal.SIGSEGV))
def test_a_job_that_crashes_is_a_problem_of_its_client_alone(fresh, long, number):
    daemon = fresh()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        upload = stopped(daemon, pool, long)
        job = jobs(daemon)[0]
        os.kill(job, number)
        if number != signal.SIGKILL:  # which a process that stands still gets at once
            os.kill(job, signal.SIGCONT)
        assert problem(upload.result()) == (500, "OPC-5007")
        assert daemon.api.submit(SMALL.read_bytes()).status_code == 201
    assert not any((daemon.state / "incoming").iterdir()) and "signal %d" % number in daemon.errors()


def test_a_full_queue_refuses_and_nobody_who_reads_waits(fresh, long):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "job-queue=1")
    record = daemon.api.submit(SMALL.read_bytes()).json()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        running = stopped(daemon, pool, long)
        files = len(list(pathlib.Path("/proc/%d/fd" % daemon.process.pid).iterdir()))
        waiting = pool.submit(daemon.api.submit, b"no dump at all")  # its connection, dump, request and outcome are open
        assert wait_until(lambda: len(list(pathlib.Path("/proc/%d/fd" % daemon.process.pid).iterdir())) > files + 3)
        refused = daemon.api.submit(b"none either")
        assert problem(refused) == (503, "OPC-5006") and int(refused.headers["Retry-After"]) > 0
        for path in ("/healthz", record["links"]["self"], record["links"]["report"] + ".json", "/"):
            assert daemon.api.get(path).status_code == 200
        # the same submit as one that is there needs no job
        assert daemon.api.submit(SMALL.read_bytes()).status_code == 200
        assert not running.done() and not waiting.done()
        os.kill(jobs(daemon)[0], signal.SIGKILL)
        assert running.result().status_code == 500 and waiting.result().status_code == 422


def test_a_small_dump_of_another_project_is_judged_while_two_large_ones_run(fresh, long):
    """The large ones of one project hold both slots and stand still; deploy/longtest.sh has the whole form."""
    daemon = fresh("--limit", "jobs=2", "--limit", "small-bytes=100K")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        uploads = []
        for number in range(3):
            uploads.append(pool.submit(daemon.api.submit, long if number < 2 else DUMP.read_bytes(), name="%d.log" % number, project="large"))
            if number < 2:
                assert wait_until(lambda: len(jobs(daemon)) == number + 1)
                for job in jobs(daemon):
                    os.kill(job, signal.SIGSTOP)
        for number in range(2):
            reply = daemon.api.submit(ROW.read_bytes(), name="%d.log" % number, project="small")
            assert reply.status_code == 201, reply.text
        assert len(jobs(daemon)) == 2 and not any(upload.done() for upload in uploads)
        for job in jobs(daemon):
            os.kill(job, signal.SIGKILL)
        assert sorted(upload.result().status_code for upload in uploads) == [201, 500, 500]


if LARGE_MIB:
    def test_a_small_dump_is_judged_at_once_beside_two_that_take_all_their_time(fresh):
        """The whole form: packed dumps of one project, which run until job-seconds end them."""
        daemon, content = fresh("--limit", "jobs=2", "--limit", "job-seconds=60"), short_rows(LARGE_MIB)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            uploads = [pool.submit(daemon.api.submit, content, name="%d.log" % number, project="large") for number in range(2)]
            assert wait_until(lambda: len(jobs(daemon)) == 2)
            seconds = []
            while not any(upload.done() for upload in uploads) and len(seconds) < 20:
                begun = time.monotonic()
                assert daemon.api.submit(ROW.read_bytes(), name="%d.log" % len(seconds), project="small").status_code == 201
                seconds.append(time.monotonic() - begun)
            print("beside two uploads of %.1f MB that hold %d MiB of rows: %d small ones, median %.2f s, longest %.2f s" % (
                len(content) / 1e6, LARGE_MIB, len(seconds), sorted(seconds)[len(seconds) // 2], max(seconds)))
            assert len(seconds) > 1
            assert {upload.result().status_code for upload in uploads} <= {201, 413}  # judged, or ended by job-seconds


def test_projects_take_turns(fresh):
    """One slot, and a project that fills the queue before another one comes."""
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert daemon.alone()
        os.kill(spawner(daemon), signal.SIGSTOP)  # a job so short could end before it is held still
        first = pool.submit(daemon.api.submit, DUMP.read_bytes(), name="first.log", project="a")
        assert wait_until(lambda: 'opcheckd_jobs{state="running"} 1' in daemon.api.get("/metrics").text)
        for name, project in (("second.log", "a"), ("third.log", "a"), ("other.log", "b")):
            assert daemon.api.submit(DUMP.read_bytes(), name=name, project=project, wait="0").status_code == 202
        os.kill(spawner(daemon), signal.SIGCONT)
        assert first.result().status_code == 201
        assert wait_until(lambda: len(daemon.api.json("/api/v1/runs")["items"]) == 4)
    assert [run["name"] for run in reversed(daemon.api.json("/api/v1/runs")["items"])] == ["first.log", "other.log", "second.log", "third.log"]


def left(daemon, content, query=""):
    """An upload whose connection is closed once its job runs, and stands still: returns the job's process."""
    before = set(jobs(daemon))
    with socket.create_connection(("127.0.0.1", daemon.port)) as client:
        client.sendall(b"POST /api/v1/assessments%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (query.encode(), len(content)) + content)
        assert wait_until(lambda: set(jobs(daemon)) - before)
        job = (set(jobs(daemon)) - before).pop()
        os.kill(job, signal.SIGSTOP)
        if "wait=0" in query:
            assert client.recv(4096).startswith(b"HTTP/1.1 202")
    return job


@pytest.mark.parametrize("query", ("", "?wait=100"))
def test_a_job_whose_client_has_left_is_ended_unless_it_was_acknowledged(fresh, long, query):
    daemon = fresh("--limit", "jobs=2", "--limit", "small-bytes=0")
    kept = left(daemon, bomb(64), "?name=kept.log&wait=0")
    ended = left(daemon, long, query)
    assert wait_until(lambda: ended not in jobs(daemon))
    assert jobs(daemon) == [kept] and "worker ended" not in daemon.errors()
    assert daemon.api.submit(SMALL.read_bytes(), name="next.log").status_code == 201
    os.kill(kept, signal.SIGCONT)
    assert wait_until(lambda: len(daemon.api.json("/api/v1/runs")["items"]) == 2)
    assert {run["name"] for run in daemon.api.json("/api/v1/runs")["items"]} == {"kept.log", "next.log"}
    assert not any((daemon.state / "incoming").iterdir())


def test_a_waiting_job_whose_client_has_left_never_starts(fresh, long):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "job-queue=1")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        running = stopped(daemon, pool, long)
        with socket.create_connection(("127.0.0.1", daemon.port)) as client:
            client.sendall(b"POST /api/v1/assessments?name=left.log HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % DUMP.stat().st_size
                           + DUMP.read_bytes())
            assert wait_until(lambda: "left.log" in daemon.api.get("/queue", headers={"Accept": "text/html"}).text)
            assert daemon.api.submit(SMALL.read_bytes(), wait="0").status_code == 503
        assert wait_until(lambda: daemon.api.submit(SMALL.read_bytes(), name="next.log", wait="0").status_code == 202)
        os.kill(jobs(daemon)[0], signal.SIGKILL)
        assert running.result().status_code == 500
        assert wait_until(lambda: daemon.api.json("/api/v1/runs")["items"])
    assert [run["name"] for run in daemon.api.json("/api/v1/runs")["items"]] == ["next.log"]


def test_eight_bodies_that_unpack_to_a_gigabyte_stall_nobody(fresh, long):
    daemon = fresh("--limit", "job-seconds=2", "--limit", "jobs=2")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        uploads = [pool.submit(daemon.api.submit, long, name="%d.log" % number) for number in range(8)]
        answered = 0
        while not all(upload.done() for upload in uploads):
            assert daemon.api.get("/healthz").status_code == 200
            answered += 1
            time.sleep(0.02)
        assert answered > 8
        assert {upload.result().status_code for upload in uploads} <= {413, 201}


def equal_ids(path):
    """A small export whose texts and calls all have one id: joined they are 700 x 700 x 700 rows."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE STRING_IDS (id INTEGER, value TEXT)")
        database.execute("CREATE TABLE PYTORCH_API (startNs INTEGER, endNs INTEGER, globalTid INTEGER, name INTEGER,"
                         " inputShapes INTEGER, type INTEGER)")
        database.executemany("INSERT INTO STRING_IDS VALUES (1, ?)", [("4,%d;" % number,) for number in range(700)])
        database.execute("INSERT INTO STRING_IDS VALUES (2, 'aten::add')")
        database.executemany("INSERT INTO PYTORCH_API VALUES (?, ?, 1, 2, 1, 50001)",
                             [(number * 10, number * 10 + 5) for number in range(700)])
    return path.read_bytes()


def test_an_export_of_equal_ids_is_read_at_once_and_leaves_no_file(fresh, tmp_path):
    daemon = fresh()
    content = equal_ids(tmp_path / "export.db")
    assert len(content) < 64 * 1024
    with concurrent.futures.ThreadPoolExecutor() as pool:
        replies = list(pool.map(lambda number: daemon.api.submit(content, name="%d.db" % number), range(8)))
    assert [reply.status_code for reply in replies] == [201] * 8
    report = daemon.api.json(replies[0].json()["links"]["report"] + ".json")
    assert [(operator["name"], operator["calls"]) for operator in report["operators"]] == [("aten::add", 700)]
    assert [shape["dims"] for shape in report["operators"][0]["shapes"]] == [[[4, 0], []]]


def test_a_report_over_its_bytes_is_an_error(fresh):
    daemon = fresh("--limit", "report-bytes=2000")
    reply = daemon.api.submit(SMALL.read_bytes())
    assert problem(reply) == (413, "OPC-3009") and "report-bytes" in reply.json()["hint"]


def test_a_dump_in_another_encoding_is_read_in_a_job(fresh):
    """The tables of GB18030 are loaded before the process can open no file any more."""
    daemon = fresh()
    content = SMALL.read_bytes() + "\n训练结束，用时三分钟\n".encode("gb18030")
    record = daemon.api.submit(content).json()
    report = daemon.api.json(record["links"]["report"] + ".json")
    assert report["inputs"][0]["encoding"] == "gb18030"


@pytest.mark.skipif(SANITIZED, reason="a sanitized program calls more")
def test_a_job_is_shut_in(fresh, long):
    daemon = fresh()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        upload = stopped(daemon, pool, long)
        process = pathlib.Path("/proc/%d" % jobs(daemon)[0])
        os.kill(int(process.name), signal.SIGCONT)  # it may stand where it has not shut itself in yet
        assert wait_until(lambda: "Seccomp:\t2" in process.joinpath("status").read_text(encoding="utf-8"))
        status = process.joinpath("status").read_text(encoding="utf-8")
        assert "NoNewPrivs:\t1" in status
        opened = [os.readlink(path) for path in process.joinpath("fd").iterdir()]
        assert not any("store.sqlite" in path or "lock" in path or "socket" in path for path in opened), opened
        limits = process.joinpath("limits").read_text(encoding="utf-8")
        for name in ("Max address space", "Max cpu time", "Max file size", "Max open files"):
            assert not re.search(name + r"\s+unlimited", limits)
        os.kill(int(process.name), signal.SIGKILL)
        upload.result()


def test_the_service_ends_with_its_jobs_and_its_jobs_with_it(fresh, long):
    daemon = fresh("--limit", "stop-seconds=1")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        upload = stopped(daemon, pool, long)
        starts, job = spawner(daemon), jobs(daemon)[0]
        daemon.signal(signal.SIGTERM)
        assert daemon.wait() == 0
        assert ended(upload)
    assert wait_until(lambda: not any(pathlib.Path("/proc/%d" % pid).exists() for pid in (starts, job)))
    daemon.restart()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        upload = stopped(daemon, pool, long)
        starts, job = spawner(daemon), jobs(daemon)[0]
        daemon.kill()
        with pytest.raises(requests.RequestException):
            upload.result()
    assert wait_until(lambda: not any(pathlib.Path("/proc/%d" % pid).exists() for pid in (starts, job)))


def test_without_its_spawner_the_service_ends_for_its_manager_to_start_it_again(fresh):
    daemon = fresh()
    os.kill(spawner(daemon), signal.SIGKILL)
    assert daemon.wait() == 70
    assert "OPC-7001" in daemon.errors()


# --- under the unit


def unit_calls():
    """The system calls that the unit's SystemCallFilter leaves."""
    def expand(name):
        if not name.startswith("@"):
            return {name}
        run = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", name], capture_output=True, check=True)
        words = [line.split("#")[0].strip() for line in run.stdout.decode().splitlines()[1:]]
        return set().union(*(expand(word) for word in words if word))

    allowed = set()
    text = (ROOT / "deploy" / "opcheckd.service.in").read_text(encoding="utf-8")
    for value in re.findall(r"^SystemCallFilter=(.+)$", text, re.M):
        names = set().union(*(expand(name) for name in value.lstrip("~").split()))
        allowed = allowed - names if value.startswith("~") else allowed | names
    if os.geteuid() == 0:
        allowed.add("fchown")  # SQLite gives files of root to the owner of the database; the unit's user is not root
    return allowed | expand("@default")


@pytest.mark.skipif(SANITIZED or not shutil.which("systemd-analyze"), reason="needs the lists of systemd, and no sanitizers")
def test_a_job_runs_under_the_filter_of_the_unit(fresh, tmp_path):
    names = tmp_path / "calls"
    names.write_text("\n".join(sorted(unit_calls())), encoding="utf-8")
    program = pathlib.Path(os.environ["OPCHECK_BUILD_ROOT"]) / "tests" / "under_filter"
    daemon = fresh(prefix=[str(program), str(names)])
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 201
    assert daemon.api.submit(equal_ids(tmp_path / "export.db")).status_code == 201
    record = daemon.api.submit(gzip.compress(DUMP.read_bytes())).json()
    assert daemon.api.get(record["links"]["report"] + ".html").status_code == 200
