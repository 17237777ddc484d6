"""What the machine refuses: memory, a sound disk, a disk that can be written, a clock that runs evenly. A preloaded library
(tests/tools/faults.c) refuses it to the program where the test says so."""
import gzip
import io
import mmap
import os
import pathlib
import struct
import zipfile

import pytest
import requests

from conftest import FIXTURES, SANITIZED
from daemon import REPLICAS, SMALL, Daemon, wait_until
from test_durability import check_state, in_namespace

pytestmark = pytest.mark.skipif(SANITIZED, reason="sanitizers bring allocators of their own")
POINTS = int(os.environ.get("OPCHECK_FAULT_POINTS", "12"))  # allocations of a sweep that fail; deploy/longtest.sh asks for more
SERVICE, JOBS = 0, 2
DAY = 24 * 3600


class Faults:
    """What the library is told, by the names of struct faults."""

    NAMES = ("generation", "allocations", "first", "last", "failed", "syncs", "clock", "read_only")

    def __init__(self, path):
        path.write_bytes(struct.pack("8q", -1, 0, 0, 0, 0, -1, 0, 0))
        self.environment = {"OPCHECK_FAULTS": str(path), "LD_PRELOAD": str(
            pathlib.Path(os.environ["OPCHECK_BUILD_ROOT"]) / "tests" / "libfaults.so")}
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 64)

    def set(self, **values):
        for name, value in values.items():
            struct.pack_into("q", self.page, 8 * self.NAMES.index(name), value)

    def get(self, name):
        return struct.unpack_from("q", self.page, 8 * self.NAMES.index(name))[0]

    def fail(self, generation, number, count=1):
        """That allocation of those processes from now on fails; number 0: none, all are counted."""
        self.set(generation=-1)
        self.set(allocations=0, failed=0, first=number, last=number + count - 1 if number else 0)
        self.set(generation=generation)

    def counted(self):
        """How many allocations there were, and no more are counted."""
        self.set(generation=-1)
        return self.get("allocations")


@pytest.fixture
def faults(tmp_path):
    return Faults(tmp_path / "faults")


def points(total):
    """Numbers up to total, nearer to each other at first: what is set up comes before what is repeated."""
    return sorted({1 + round((total - 1) * (k / max(1, POINTS - 1)) ** 2) for k in range(POINTS)}) if total else []


# --- memory


def zipped(*names):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, (FIXTURES / name).read_bytes())
    return packed.getvalue()


def fixture(name):
    return lambda: (FIXTURES / name).read_bytes()


READERS = {
    "a log": SMALL.read_bytes,
    "a log in GB18030": lambda: SMALL.read_bytes() + "\n训练结束，用时三分钟\n".encode("gb18030"),
    "a packed log": lambda: gzip.compress(SMALL.read_bytes()),
    "a trace": fixture("traces/collective.trace.json"),
    "a packed trace": fixture("traces/kineto-2.6.pt.trace.json.gz"),
    "an execution trace": fixture("traces/compilemarks.et.json.gz"),
    "operator_details.csv": fixture("other/operator_details.csv"),
    "an export in SQLite": fixture("other/ascend_pytorch_profiler_0.db"),
    "operators in JSON": fixture("other/operators.json"),
    "operators in CSV": fixture("other/operators.csv"),
    "names of operators": fixture("other/operators.txt"),
    "an archive": lambda: zipped("torch-1.13/transformer.a.log"),
    "a folder": lambda: zipped(*(str(path.relative_to(FIXTURES)) for path in sorted((FIXTURES / "device").rglob("*.*")) if path.is_file())),
}


def forget(daemon, reply):
    daemon.api.delete(reply.json()["links"]["self"])


@pytest.mark.parametrize("kind", READERS)
def test_an_allocation_that_fails_in_a_job_ends_it_and_nothing_else(fresh, faults, kind):
    """Each reader: the job says so, or does without, and then its report is the same."""
    daemon = fresh(env=faults.environment)
    assert daemon.alone()
    content = READERS[kind]()
    faults.fail(JOBS, 0)
    whole = daemon.api.submit(content)
    total = faults.counted()
    assert whole.status_code == 201 and total > 100, whole.text
    report = daemon.api.get(whole.json()["links"]["report"] + ".json").content
    forget(daemon, whole)
    ended, others = 0, {}
    for number in points(total):
        faults.fail(JOBS, number)
        reply = daemon.api.submit(content)
        faults.counted()
        if reply.status_code == 201:
            if daemon.api.get(reply.json()["links"]["report"] + ".json").content != report:
                others[number] = "another report"
            forget(daemon, reply)
        elif (reply.status_code, reply.json()["code"]) == (413, "OPC-3009") and "job-bytes" in reply.json()["hint"]:
            ended += 1
        else:
            others[number] = reply.text
    assert ended and not others, others
    assert daemon.api.json("/api/v1/assessments")["total"] == 0 and daemon.process.poll() is None
    assert not any((daemon.state / "incoming").iterdir())
    print("%s: %d of %d allocations failed, %d of them ended the job" % (kind, len(points(total)), total, ended))


def answered(act, faults, number, count=1):
    """What an exchange came to while that allocation fails: a reply, or None for a connection that was dropped."""
    faults.fail(SERVICE, number, count)
    try:
        return act()
    except requests.RequestException:
        return None
    finally:
        faults.counted()


def exchanges(daemon, record):
    report = record["links"]["report"]
    number = [0]

    def submit():
        number[0] += 1
        return daemon.api.submit(SMALL.read_bytes() + b"\n%d\n" % number[0], name="%d.log" % number[0])

    def form():
        number[0] += 1
        return daemon.api.post("/api/v1/assessments", files={"file": ("%d.log" % number[0], SMALL.read_bytes() + b"\n%d\n" % number[0])})

    gets = {"home": "/", "page": record["links"]["self"].replace("/api/v1", ""), "json": report + ".json", "csv": report + ".csv",
            "list": "/api/v1/assessments", "runs": "/api/v1/runs", "targets": "/api/v1/targets", "operator": "/operators/aten::add",
            "metrics": "/metrics", "missing": "/nothing"}
    acts = {name: lambda path=path: daemon.api.get(path) for name, path in gets.items()}
    return {**acts, "submit": submit, "form": form}


def test_an_allocation_that_fails_in_the_service_costs_an_answer_at_most(fresh, faults):
    """It waits for memory where the allocation is its own; a library that does without, or fails, has its client told."""
    daemon = fresh(env=faults.environment)
    assert daemon.alone()
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()
    report = daemon.api.get(record["links"]["report"] + ".json").content
    acknowledged, outcomes = [(record, report)], {}
    for name, act in exchanges(daemon, record).items():
        good = answered(act, faults, 0)
        total = faults.get("allocations")
        assert good.status_code == (201 if name in ("submit", "form") else 404 if name == "missing" else 200), good.text
        for number in points(total):
            reply = answered(act, faults, number)
            assert daemon.process.poll() is None, "%s, allocation %d of %d: %s" % (name, number, total, daemon.errors()[-2000:])
            status = reply.status_code if reply is not None else None
            assert status in (None, good.status_code, 500, 503), "%s, allocation %d: %s" % (name, number, reply.text)
            outcomes[status] = outcomes.get(status, 0) + 1
            if status == 201:
                acknowledged.append((reply.json(), daemon.api.get(reply.json()["links"]["report"] + ".json").content))
            elif status == good.status_code and name in ("page", "json", "csv", "operator", "targets", "missing"):
                assert reply.headers.keys() == good.headers.keys(), "%s, allocation %d" % (name, number)
                assert name == "missing" or reply.content == good.content, "%s, allocation %d" % (name, number)
    check_state(daemon, acknowledged)
    daemon.stop()
    daemon.restart()
    check_state(daemon, acknowledged)
    print(outcomes)


def test_memory_that_is_out_for_a_moment_is_waited_for(fresh, faults):
    daemon = fresh(env=faults.environment)
    assert daemon.alone()
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()
    reply = answered(lambda: daemon.api.get(record["links"]["self"]), faults, 1, 40)
    assert daemon.process.poll() is None
    assert reply is None or reply.status_code in (200, 500, 503)
    assert daemon.api.json(record["links"]["self"]) == {key: value for key, value in record.items() if key != "run"}


# --- the disk


def test_an_upload_that_may_not_be_safe_is_not_acknowledged(fresh, faults):
    """fsync fails from some call on: whatever was acknowledged, before and after, is there when the service starts again."""
    daemon = fresh(env=faults.environment)
    assert daemon.alone()
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()
    report = daemon.api.get(record["links"]["report"] + ".json").content
    acknowledged, refused = [(record, report)], 0
    for number in range(6):
        for wait in ("30", "0"):
            faults.set(syncs=number)
            reply = daemon.api.submit(SMALL.read_bytes() + b"\n%d %s\n" % (number, wait.encode()), name="b.log", wait=wait)
            faults.set(syncs=-1)
            assert reply.status_code in (201, 202, 503) and daemon.process.poll() is None, reply.text
            if reply.status_code == 503:
                assert reply.json()["code"] == "OPC-5004" and str(daemon.state) not in reply.text
                refused += 1
            elif reply.status_code == 201:
                acknowledged.append((reply.json(), daemon.api.get(reply.json()["links"]["report"] + ".json").content))
            else:
                job = reply.json()["links"]["self"]
                assert wait_until(lambda: daemon.api.json(job)["status"] not in ("queued", "running"))
    assert refused >= 6
    faults.set(syncs=0)
    assert daemon.api.submit(SMALL.read_bytes() + b"\nlast\n", name="c.log").status_code == 503
    daemon.kill()
    faults.set(syncs=-1)
    daemon.restart()
    assert check_state(daemon, acknowledged) >= len(acknowledged)
    assert daemon.api.submit(SMALL.read_bytes() + b"\nlast\n", name="c.log").status_code in (200, 201)


def test_a_state_directory_that_becomes_read_only_is_read(fresh, faults):
    daemon = fresh(env=faults.environment)
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()
    report = daemon.api.get(record["links"]["report"] + ".json").content
    faults.set(read_only=1)
    for content in (SMALL.read_bytes(), SMALL.read_bytes() + b"\n1\n"):
        reply = daemon.api.submit(content, name="b.log")
        assert (reply.status_code, reply.json()["code"]) == (503, "OPC-5004"), reply.text
        assert str(daemon.state) not in reply.text
    assert daemon.api.get("/readyz").status_code == 503
    for path in ("/healthz", "/", record["links"]["self"], record["links"]["report"] + ".json", "/api/v1/assessments"):
        assert daemon.api.get(path).status_code == 200, path
    if not REPLICAS:  # whose rows are not there
        assert daemon.api.delete(record["links"]["self"]).status_code == 503
    faults.set(read_only=0)
    assert daemon.api.get("/readyz").status_code == 200
    assert daemon.api.submit(SMALL.read_bytes() + b"\n1\n", name="b.log").status_code == 201
    check_state(daemon, [(record, report)])


def test_a_state_directory_that_is_read_only_is_no_place_to_start(tmp_path):
    prefix = in_namespace("ro")
    if not prefix:
        pytest.skip("file systems of their own are not allowed here")
    (tmp_path / "disk").mkdir()
    with pytest.raises(AssertionError, match="did not start.*OPC-5004.*[Rr]ead-only"):
        Daemon(tmp_path / "disk" / "state", prefix=[*prefix, tmp_path / "disk"])


# --- the clock


def test_a_clock_that_is_set_changes_nothing_that_waits_or_was_kept(fresh, faults):
    """By ten years and back: connections, jobs and waits go by another clock, lists by number, and what is kept for so many
    days is not thrown away for a mistake that somebody will correct."""
    daemon = fresh("--limit", "keep-days=30", env=faults.environment)
    records = []
    for number, clock in enumerate((0, 3650 * DAY, -3650 * DAY, DAY, -DAY, 0)):
        faults.set(clock=clock)
        content = SMALL.read_bytes() + b"\n%d\n" % number
        if number % 2:
            reply = daemon.api.submit(content, name="%d.log" % number)
            assert reply.status_code == 201, reply.text
            records.append(reply.json()["id"])
            continue
        reply = daemon.api.submit(content, name="%d.log" % number, wait="0")
        assert reply.status_code == 202, reply.text
        job = reply.json()["links"]["self"]
        assert wait_until(lambda: daemon.api.json(job)["status"] not in ("queued", "running"))
        assert daemon.api.json(job)["status"] == "succeeded"
        records.append(daemon.api.json(job)["links"]["result"].rsplit("/", 1)[1])
    assert [item["id"] for item in daemon.api.json("/api/v1/assessments")["items"]] == records[::-1]
    assert daemon.api.get("/readyz").status_code == 200


def test_nothing_goes_for_its_age_where_the_clock_has_jumped(fresh, faults):
    daemon = fresh("--limit", "keep-days=30", "--limit", "project-assessments=2", env=faults.environment)
    records = [daemon.api.submit(SMALL.read_bytes() + b"\n%d\n" % number).json() for number in range(3)]
    faults.set(clock=3650 * DAY)
    assert daemon.api.submit(b"no dump").status_code == 422  # what is noted begins a turn
    assert wait_until(lambda: "the clock was set by 3153" in daemon.errors())
    assert wait_until(lambda: "retention removed 1 assessments" in daemon.errors())
    assert [daemon.api.get(record["links"]["self"]).status_code for record in records] == [404, 200, 200]
