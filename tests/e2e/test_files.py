"""Several files in one submit: ranks of one program, or the table and the trace of one run."""
import gzip
import io
import json
import zipfile

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
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0")
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


# --- scripts beside the dump

SCRIPTS = {"train.py": "import torch\nfrom utils.device import pick\nmodel = torch.nn.Linear(2, 2).to(pick())\ntorch.cuda.synchronize()\n",
           "utils/device.py": "def pick():\n    return 'cuda:0'\n"}


def send_scripts(api, sources, dump=True, **fields):
    return api.post("/api/v1/assessments", data={"target": TARGET, **fields},
                    files=[("source", item) for item in sources] + ([("file", ("run.log", SMALL.read_bytes()))] if dump else []))


def sites(text):
    return sorted((site["path"], site["line"], item["rule"], site.get("expression"), site.get("replacement"))
                  for item in json.loads(text)["findings"] for site in [item.get("source")] if site)


def zipped(scripts):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in scripts.items():
            archive.writestr(name, text)
    return packed.getvalue()


@pytest.fixture
def scripts(tmp_path, monkeypatch):
    for name, text in SCRIPTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return list(SCRIPTS)


def test_scripts_beside_the_dump_are_scanned_as_the_command_does(service, opcheck, scripts):
    reply = send_scripts(service.api, list(SCRIPTS.items()))
    assert reply.json()["name"] == "run.log"
    found = report(service.api, reply)
    assert sites(found) == sites(opcheck("scan", *scripts, "--with", SMALL, "-t", TARGET, "-f", "json").text)
    assert {path for path, *_ in sites(found)} == set(SCRIPTS)
    assert [item["name"] for item in json.loads(found)["inputs"]] == ["run.log"]
    page = service.api.get(reply.json()["links"]["page"]).text
    assert "torch.cuda.synchronize" in page and "utils/device.py" in page


def test_the_client_sends_scripts_with_the_dump(service, opcheck, submit, tmp_path, monkeypatch):
    program = tmp_path / "code" / "program"
    for name, text in {**SCRIPTS, "utils/__init__.py": "", "__pycache__/old.py": "import torch.cuda\n", "notes.txt": "torch.cuda"}.items():
        (program / name).parent.mkdir(parents=True, exist_ok=True)
        (program / name).write_text(text)
    (tmp_path / "program.zip").write_bytes(zipped({"program/" + name: text for name, text in SCRIPTS.items()}))
    monkeypatch.chdir(tmp_path / "code")
    start = [SMALL, "-t", TARGET, "-f", "json"]
    local = sites(opcheck("scan", "program", "--with", *start).text)
    assert {path for path, *_ in local} == {"program/train.py", "program/utils/device.py"}
    for path in ("program", str(program) + "/", tmp_path / "program.zip"):
        served = submit(service, *start, "--source", path)
        assert sites(served.text) == local and [item["name"] for item in served.json["inputs"]] == [SMALL.name]
    one = submit(service, *start, "--source", program / "train.py", "--source=program/utils/device.py")
    assert {path for path, *_ in sites(one.text)} == {"train.py", "device.py"}


@pytest.mark.parametrize("name, status, word", [("missing", 3, "missing"), ("", 3, "no script")])
def test_the_client_names_scripts_that_are_not_there(service, submit, tmp_path, name, status, word):
    run = submit(service, SMALL, "--source", tmp_path / name)
    assert run.status == status and word in run.err, run.err


def test_an_archive_of_scripts_is_as_its_files(service):
    aside = {**SCRIPTS, "__pycache__/old.py": "import torch.cuda\n", "notes.txt": "torch.cuda"}
    packed = report(service.api, send_scripts(service.api, [("program.zip", zipped(aside))]))
    assert sites(packed) == sites(report(service.api, send_scripts(service.api, list(SCRIPTS.items()))))


def test_a_name_of_a_script_is_no_path(service, tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text("import torch\ntorch.cuda.empty_cache()\n")
    for name in (str(secret), "../../etc/passwd", "-", "a\x01<b>.py"):
        found = report(service.api, send_scripts(service.api, [(name, "import torch\ntorch.cuda.synchronize()\n")]))
        assert [expression for *_, expression, _ in sites(found)] == ["import torch", "torch.cuda.synchronize"]


def test_lists_of_an_upload_with_scripts_name_the_operators_of_the_dump(service):
    pasted = '"""\n%s"""\n' % SMALL.read_text().replace("aten::", "aten::of_a_script_")
    reply = send_scripts(service.api, [("train.py", pasted)])
    names = [item["name"] for item in json.loads(report(service.api, reply))["operators"]]
    assert service.api.get("/api/v1/assessments/%s/all_ops.txt" % reply.json()["id"]).text.split() == names


def test_the_form_of_the_page_takes_scripts_or_none(service):
    assert '<input id="source" name="source" type="file" multiple' in service.api.get("/").text
    plain = send_scripts(service.api, [])
    none = send_scripts(service.api, [("", b"")])  # as a browser sends a field without a file
    assert none.status_code in (200, 201) and none.json()["id"] == plain.json()["id"]


@pytest.mark.parametrize("sources, dump, status, word", [
    ([("train.py", "import torch\n")], False, 400, "no dump"),
    ([("program.zip", zipped({"notes.txt": "nothing"}))], True, 422, "no script"),
    ([("program.zip", zipped({"train.py": "import torch\n"})[:45])], True, 422, "program.zip"),
])
def test_scripts_that_cannot_be_read_are_refused(service, sources, dump, status, word):
    reply = send_scripts(service.api, sources, dump)
    assert reply.status_code == status and word in reply.text, reply.text


def test_scripts_over_a_limit_are_refused(fresh):
    api = fresh("--limit", "script-bytes=64").api
    assert send_scripts(api, [("a.py", "x = 1\n")]).status_code == 201
    reply = send_scripts(api, [("a.py", "x = 1\n" * 50)])
    assert reply.status_code == 413 and "script-bytes" in reply.text and "a.py" in reply.text


def test_scripts_are_part_of_what_is_judged_again(service):
    reply = send_scripts(service.api, [("a.py", "import torch\ntorch.cuda.synchronize()\n")], project="again")
    run = reply.json()["run"]
    again = service.api.post(run["links"]["self"] + "/judgement")
    assert (again.status_code, again.json()["id"]) == (200, reply.json()["id"])
