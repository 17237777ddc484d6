"""Text, JSON, page, demand and the drafts for vendors say the same status of the same call, over ten dumps."""
import html
import json
import re

import pytest

import page_data
from conftest import FIXTURES
from daemon import begin

TARGETS = ("npu@v2.7.1-26.0.0", "musa@v2.7.1")
BLOCKS = ("unsupported", "needs-package", "cpu-fallback")
WORDS = {"cpu-fallback": "CPU fallback", "needs-package": "needs a package", "native-jit": "native, compiled per shape"}
DUMPS = ("torch-2.13/resnet50.a.log", "torch-2.13/lastbatch.a-full.log", "eras/2.9-overload.log", "torch-1.13/transformer.a.log", "torch-1.13/resnet18.a-full.log",
         "torch-2.13/llama.a-full.log", "torch-2.13/compile.a.log", "traces/lastbatch.c.trace.json.gz", "walks/yolov5-like.json", None)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    daemon = begin(tmp_path_factory.mktemp("one") / "state")
    yield daemon
    daemon.stop()


def types_that_decide(folder):
    """A trace of calls that a type stops, a package is missing for, and the CPU runs."""
    names = (("aten::sum", "c10::complex<float>"), ("aten::exp", "c10::complex<double>"), ("aten::relu", "float"), ("mmcv::nms", "float"),
             ("aten::histogram", "float"), ("aten::frexp", "float"), ("somebody::fused", "float"), ("aiter::rmsnorm", "float"))
    path = folder / "types.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 20 * i, "dur": 10,
         "args": {"Input Dims": [[4, 4]], "Input type": [kind], "Concrete Inputs": [""]}} for i, (name, kind) in enumerate(names)]}))
    return path


FAILS = {"fails", "crashes", "wrong results", "compiles for each new shape", "runs on the AI CPU", "copies to the host", "refuses some calls",
         "refuses a data type", "not tested with a data type"}


def rows_of_text(text):
    """The table of operators: its names may be cut, and a tilde marks a condition."""
    table = text[text.index("\nOperators\n"):].split("\n\n")[0]
    for row in re.findall(r"^ *[<\d][\d.]* %  (?: *(?:[<\d][\d.]* %|-)  )?(\S+) +(\S+) +(\S+) ", table, re.M):
        yield row[0].rstrip("…"), tuple(status.lstrip("~").rstrip("…") for status in row[1:])


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump or "types")
def test_one_call_has_one_status_everywhere(opcheck, daemon, tmp_path, dump):
    path = FIXTURES / dump if dump else types_that_decide(tmp_path)
    command = ("check", path, "-t", TARGETS[0], "-t", TARGETS[1])
    report = opcheck(*command, "-f", "json").json
    said = {(op["name"], t): op["verdicts"][t] for op in report["operators"] for t in TARGETS}

    def called(name, target):
        dtypes = said[name, target].get("dtypes")
        return "%s (%s)" % (name, dtypes) if dtypes else name

    shown = list(rows_of_text(opcheck(*command, "-v", "-f", "text").text))
    assert len(shown) == len(report["operators"])
    for op, (name, statuses) in zip(report["operators"], shown):
        assert op["name"].startswith(name)
        for target, status in zip(TARGETS, statuses):
            assert said[op["name"], target]["status"].startswith(status), (op["name"], target)

    page = opcheck(*command, "-f", "html").text
    assert sorted((name, tuple(re.findall("tag s-([a-z-]+)", cells))) for name, cells in page_data.cells(page).items()) == sorted(
        (op["name"], tuple(said[op["name"], t]["status"] for t in TARGETS)) for op in report["operators"])

    drafts = re.findall(r"# (\S+(?: \([^)\n]*\))?) on (\S+): ([^\n<]+)\n", html.unescape(page).replace("\\_", "_"))
    named = {(called(name, t), t): verdict["status"] for (name, t), verdict in said.items()}
    for name, target, word in drafts:
        status = named[name, target]
        assert WORDS.get(status, status) == word or status in ("native", "native-jit", "composite", "equivalent") and word in FAILS, name
    if any(f["severity"] != "note" and f["operator"] for f in report["findings"]):
        assert drafts

    reply = daemon.api.post("/api/v1/assessments", params=[("name", path.name), ("project", path.name.split(".")[0])] +
                            [("target", t) for t in TARGETS], data=path.read_bytes())
    assert reply.status_code in (200, 201), reply.text
    wanted = {(name, t, said[name, t].get("dtypes", ""), verdict["status"]) for (name, t), verdict in said.items()
              if verdict["status"] in BLOCKS}
    items = daemon.api.json("/api/v1/demand", params={"project": path.name.split(".")[0], "limit": 500})["items"]
    assert {(item["operator"], item["target"], item.get("dtypes", ""), item["status"]) for item in items} == wanted
    draft = daemon.api.get("/api/v1/demand.md", params={"project": path.name.split(".")[0], "limit": 500}).text.replace("\\", "")
    assert all("%s | %s" % (called(name, t), status) in draft.replace("`", "") for name, t, _, status in wanted)
