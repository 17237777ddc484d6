"""Several files in one submit: ranks of one program, or the table and the trace of one run."""
import gzip
import json

import pytest

from conftest import FIXTURES
from daemon import DUMP, SMALL

TARGET = "npu@v2.7.1-26.0.0"
TRACE = FIXTURES / "traces" / "lastbatch.c.trace.json.gz"


@pytest.fixture
def ranks(tmp_path):
    """Dumps of the ranks of one program, one of them packed."""
    text, paths = SMALL.read_bytes(), []
    for rank in range(3):
        paths.append(tmp_path / ("run_rank_%d.log%s" % (rank, ".gz" if rank == 1 else "")))
        paths[-1].write_bytes(gzip.compress(text, mtime=0) if rank == 1 else text)
    return paths


def send(api, paths, **fields):
    return api.post("/api/v1/assessments", data={"target": TARGET, **fields},
                    files=[("file", (path.name, path.read_bytes())) for path in paths])


def report(api, reply):
    assert reply.status_code in (200, 201), reply.text
    return api.get(reply.json()["links"]["report"] + ".json").text


def test_files_of_one_form_are_one_assessment(service, opcheck, ranks):
    reply = send(service.api, ranks[::-1])
    assert reply.json()["name"] == "run_rank_2.log +2"
    local = opcheck("check", *ranks, "-t", TARGET, "-f", "json")
    assert report(service.api, reply) == local.text
    assert [item["name"] for item in local.json["inputs"]] == [path.name for path in ranks]
    again = send(service.api, ranks[::-1])
    assert (again.status_code, again.json()["id"]) == (200, reply.json()["id"])
    assert send(service.api, ranks[::-1], name="all ranks").json()["name"] == "all ranks"


def test_the_table_and_the_trace_of_one_run_go_together(service, opcheck):
    assert report(service.api, send(service.api, [DUMP, TRACE])) == opcheck("check", DUMP, TRACE, "-t", TARGET, "-f", "json").text


def test_where_one_file_ends_is_part_of_what_is_asked(service, tmp_path):
    """The same bytes, cut elsewhere, are another dump."""
    text = SMALL.read_bytes()
    ids = set()
    for at in (len(text) // 2, len(text) // 3):
        reply = service.api.post("/api/v1/assessments", data={"target": TARGET, "wait": "0"},
                                 files=[("file", ("a.log", text[:at])), ("file", ("b.log", text[at:]))])
        assert reply.status_code == 202
        ids.add(reply.json()["id"])
    assert len(ids) == 2


@pytest.mark.parametrize("second, code", [(b"", "OPC-3003"), (b"\r\n--", "OPC-3005"), (b"no dump", "OPC-3005")])
def test_a_file_that_is_no_dump_is_named(service, second, code):
    reply = service.api.post("/api/v1/assessments", files=[("file", ("a.log", SMALL.read_bytes())), ("file", ("odd.log", second))])
    assert (reply.status_code, reply.json()["code"]) == (422, code)
    assert "odd.log" in json.dumps(reply.json())


def test_more_files_than_the_limit_are_refused(fresh, ranks):
    api = fresh("--limit", "upload-files=2").api
    assert send(api, ranks[:2]).status_code == 201
    reply = send(api, ranks)
    assert reply.status_code == 413 and "2 files" in reply.json()["detail"]


def test_files_that_were_acknowledged_are_read_after_a_crash(fresh, opcheck, ranks):
    daemon = fresh("--limit", "jobs=1")
    job = send(daemon.api, ranks, wait="0").json()
    daemon.kill()
    daemon.restart()
    while (state := daemon.api.json(job["links"]["self"]))["status"] in ("queued", "running"):
        pass
    assert state["status"] == "succeeded", state
    found = daemon.api.get(state["links"]["result"] + "/report.json").text
    assert found == opcheck("check", *ranks, "-t", TARGET, "-f", "json").text


def test_what_is_no_file_of_a_form_cannot_be_asked_for(service):
    reply = service.api.submit(SMALL.read_bytes(), file="10 x.log")
    assert (reply.status_code, reply.json()["code"]) == (400, "OPC-2001")
