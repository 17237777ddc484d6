"""Small uploads that make large reports: people get the first rows, programs all of them, and the service stays small."""
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

import pytest
import requests

from conftest import ROOT
from daemon import metrics, wait_until
from test_jobs import jobs

OPERATORS, SHAPES = 3000, 10
MIB = 1024 * 1024
SERVICE = 256 * MIB  # of the service itself, without what it keeps of answers


def many_operators(operators=OPERATORS, prefix="operator_"):
    """A trace of so many operators, each with so many shapes; the first ones take the most time."""
    def event(number, shape):
        return {"ph": "X", "cat": "cpu_op", "name": "mine::%s%05d" % (prefix, number), "pid": 1, "tid": 1, "ts": (number * SHAPES + shape) * 20000,
                "dur": 2 * operators - number, "args": {"Input Dims": [[shape + 1, number + 1, 1024]], "Input type": ["float"]}}

    return json.dumps({"traceEvents": [event(number, shape) for number in range(operators) for shape in range(SHAPES)]}).encode()


@pytest.fixture(scope="module")
def packed():
    return gzip.compress(many_operators(), 9)


def resident(pid, figure="VmRSS"):
    try:
        status = pathlib.Path("/proc/%d/status" % pid).read_text(encoding="utf-8")
    except OSError:
        return 0
    return int(status.partition(figure + ":")[2].split()[0]) * 1024 if figure in status else 0


def unit_memory():
    """MemoryMax of the unit."""
    text = (ROOT / "deploy" / "opcheckd.service.in").read_text(encoding="utf-8")
    return int(re.search(r"^MemoryMax=(\d+)M$", text, re.M).group(1)) * MIB


def test_the_unit_has_memory_for_all_that_the_limits_allow(fresh):
    limits = fresh().api.json("/api/v1/version")["limits"]
    checks = limits["jobs"] + (limits["small_bytes"] > 0)
    needed = checks * limits["job_bytes"] + limits["renderings"] * limits["rendering_bytes"] + limits["max_answer_bytes"] + limits["cache_bytes"]
    assert SERVICE + needed <= unit_memory()


def peaks(daemon):
    """The most memory that a check and that a rendering took, as /metrics says."""
    return [max(int(metrics(one)['opcheckd_job_peak_bytes{kind="%s"}' % kind]) for one in daemon.each) for kind in ("check", "rendering")]


class Watch(threading.Thread):
    """The most memory that the service took, and it and its jobs together."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.daemon_, self.alone, self.together, self.ends = daemon, 0, 0, threading.Event()
        self.peaks = {}  # of jobs, by process

    def run(self):
        while not self.ends.wait(0.05):
            alone = resident(self.daemon_.process.pid)
            self.peaks.update((job, resident(job, "VmHWM")) for job in jobs(self.daemon_))
            self.alone = max(self.alone, alone)
            self.together = max(self.together, alone + sum(map(resident, jobs(self.daemon_))))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *ignored):
        self.ends.set()
        self.join()


def test_pages_have_the_first_rows_and_say_where_all_of_them_are(fresh, packed):
    daemon = fresh("--limit", "report-rows=50")
    report = daemon.api.submit(packed, name="many.json").json()["links"]["report"]
    names = [operator["name"] for operator in daemon.api.json(report + ".json")["operators"]]
    assert len(names) == OPERATORS
    assert daemon.api.get(report + ".csv").text.count("\nmine::") >= OPERATORS
    for path in (report + ".html", report.replace("/api/v1", "").replace("/report", "")):
        page = daemon.api.get(path).text
        assert len(page) < 2 * MIB
        assert "%s more rows; JSON and CSV have them all." % (OPERATORS - 50) in page
        assert names[0] in page and names[49] in page and "%s<" % names[51] not in page
    for suffix in (".txt", ".md"):
        text = daemon.api.get(report + suffix).text
        assert len(text.encode()) < 64 * 1024
        assert "%d operators may not run" % OPERATORS in text and " -v " not in text
        assert ("JSON and CSV have them all." in text) == (suffix == ".txt")  # Markdown lists blockers alone, and here is none
    # operators that a plugin would bring and no release of it has are blockers
    blocked = daemon.api.submit(gzip.compress(many_operators(100).replace(b"mine::", b"npu::")), name="blocked.json").json()["links"]["report"]
    text = daemon.api.get(blocked + ".md").text
    assert "JSON and CSV have them all." in text and " -v " not in text


def test_a_form_that_many_ask_for_at_once_is_rendered_once(fresh, packed):
    """One rendering runs and one may wait: further ones would be refused. The one that runs stands still until all have asked."""
    daemon = fresh("--limit", "renderings=1", "--limit", "job-queue=1")
    report = daemon.api.submit(packed, name="many.json").json()["links"]["report"]
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        views = [pool.submit(daemon.api.get, report + ".csv")]
        assert wait_until(lambda: jobs(daemon))
        os.kill(jobs(daemon)[0], signal.SIGSTOP)
        views += [pool.submit(daemon.api.get, report + ".csv") for _ in range(11)]
        time.sleep(0.3)
        os.kill(jobs(daemon)[0], signal.SIGCONT)
        replies = [view.result() for view in views]
    assert {reply.status_code for reply in replies} == {200}
    assert len({reply.content for reply in replies}) == 1


def test_views_of_a_large_report_leave_the_service_small(fresh, packed, sanitized):
    """Its JSON is streamed from what is stored; what a view took goes back to the system."""
    daemon = fresh("--limit", "cache-bytes=8M")
    assert peaks(daemon) == [0, 0]
    record = daemon.api.submit(packed, name="many.json").json()
    check, none = peaks(daemon)
    assert MIB < check < 2 ** 30 and none == 0
    paths = [record["links"]["report"] + suffix for suffix in (".json", ".html", ".csv")] + [record["links"]["page"]]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        sizes = list(pool.map(lambda number: len(requests.get(daemon.url + paths[number % len(paths)]).content), range(24)))
    assert max(sizes) > 6 * MIB
    assert peaks(daemon)[0] == check and peaks(daemon)[1] > MIB
    assert sanitized or resident(daemon.process.pid) < 96 * MIB


def test_a_small_upload_that_becomes_a_report_of_72_mb(fresh, sanitized):
    """Every name and every shape that the limits allow, packed by zstd two hundred times smaller: uploaded and looked at by several
    at once, it leaves the service and its jobs inside the memory of the unit."""
    trace = many_operators(1000 if sanitized else 10000, "x" * 600)
    packed = subprocess.run(["zstd", "-q", "-c", "-9"], input=trace, stdout=subprocess.PIPE, check=True).stdout
    assert len(packed) < MIB
    daemon = fresh()
    assert daemon.alone()
    with Watch(daemon) as watch, concurrent.futures.ThreadPoolExecutor(8) as pool:
        record = daemon.api.submit(packed, name="small.json.zst").json()
        report = record["links"]["report"]
        paths = [report + ".json", record["links"]["page"], report + ".html", report + ".csv"] * 2
        paths += [report + ".md", "/api/v1/compare?a=%s&b=%s" % (record["id"], record["id"])]
        watch.peaks.clear()  # of the check
        sizes = list(pool.map(lambda path: len(requests.get(daemon.url + path).content), paths))
        alive = daemon.api.get("/healthz").status_code
    assert sanitized or sizes[0] > 72 * 1000 * 1000
    assert max(sizes[1:3]) < 8 * MIB and sizes[:4] == sizes[4:8] and alive == 200
    print("%d bytes make %s; %d MiB, with jobs %d MiB" % (len(packed), sizes[:4], watch.alone // MIB, watch.together // MIB), [peak // MIB for peak in watch.peaks.values()])
    assert sanitized or 0 < max(watch.peaks.values()) <= peaks(daemon)[1] < 256 * MIB  # of each form, and of the comparison
    assert sanitized or (watch.alone < SERVICE and watch.together < unit_memory())
