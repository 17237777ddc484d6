"""Execution traces as users hand them in: reports of whole, packed, damaged, cut and oversized ones, and of schemas to come."""
import gzip
import json
import re
import subprocess

import pytest

from conftest import FIXTURES, environment, program

TRACE = FIXTURES / "traces" / "lastbatch.et.json.gz"


def node(name, number, **more):
    attrs = {"rf_id": number, "seq_id": -1, "op_schema": name + ".Tensor(Tensor self) -> Tensor"}
    return dict({"id": number, "name": name, "ctrl_deps": 1, "inputs": {"values": [], "shapes": [[2, 3]], "types": ["Tensor(float)"]},
                 "outputs": {"values": [], "shapes": [], "types": []},
                 "attrs": [{"name": key, "type": "", "value": attrs[key]} for key in attrs]}, **more)


def document(nodes, schema="1.1.1-chakra.0.0.4"):
    return json.dumps({"schema": schema, "pid": 1, "time": "now", "start_ts": 1, "nodes": nodes, "finish_ts": 2})


def warnings(report):
    return {w["rule"]: w.get("params", {}) for w in report["inputs"][0]["capture"]["warnings"]}


def check(opcheck, path, *args):
    done = opcheck("check", path, "-f", "json", *args)
    assert done.status == 0, done.err
    return done.json


def test_an_execution_trace_says_what_it_can_show(opcheck):
    report = check(opcheck, TRACE)
    found = report["inputs"][0]
    assert (found["format"], found["steps"], found["tables"], found["ranks"], found["rows"]) == ("execution-trace", 6, 1, 1, 2463)
    assert {key: found["capture"][key] for key in ("shapes", "dtypes", "overloads", "times")} == {
        "shapes": True, "dtypes": True, "overloads": True, "times": False}
    assert report["basis"] == "calls" and "capture-no-times" in warnings(report)


def test_packing_and_suffixes_change_nothing(opcheck, tmp_path):
    reports = []
    text = gzip.decompress(TRACE.read_bytes())
    for folder, content in (("a", text), ("b", gzip.compress(text[:99_999]) + gzip.compress(text[99_999:]))):
        path = tmp_path / folder / "x.log"
        path.parent.mkdir()
        path.write_bytes(content)
        reports.append(check(opcheck, path))
        for key in ("bytes", "sha256", "compression"):
            reports[-1]["inputs"][0].pop(key, None)
    assert reports[0]["operators"] == reports[1]["operators"] and reports[0]["inputs"] == reports[1]["inputs"]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_cut_one_is_never_called_ready(opcheck, tmp_path, share):
    text, path = gzip.decompress(TRACE.read_bytes()), tmp_path / "t.json"
    path.write_bytes(text[:int(len(text) * share)])
    report = check(opcheck, path)
    assert int(warnings(report)["capture-trace-cut"]["byte"]) <= len(text) * share + 1
    assert all(t["verdict"] in ("inconclusive", "blocked") for t in report["targets"])


def test_bad_nodes_are_counted_and_shown_with_their_bytes(opcheck, tmp_path):
    path = tmp_path / "t.json"
    text = document([node("aten::mul", i) for i in range(5, 10)])
    bad = text.index('{"id": 7')
    text = text[:bad] + text[bad:].replace("aten::mul", 'my "quoted" label', 1)
    path.write_text(text)
    report = check(opcheck, path)
    found = warnings(report)["capture-events-skipped"]
    assert (found["events"], int(found["where"])) == ("1", bad) and found["sample"].startswith('{"id": 7')
    assert [(o["name"], o["calls"]) for o in report["operators"]] == [("aten::mul", 4)]


def test_an_unknown_schema_is_read_with_a_note(opcheck, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(document([node("aten::mul", 5)], "2.0.0-new"))
    report = check(opcheck, path)
    assert warnings(report)["capture-schema"] == {"version": "2.0.0-new"} and len(report["operators"]) == 1
    assert "2.0.0-new" in opcheck("check", path, "-vv").text
    assert "capture-schema" not in warnings(check(opcheck, TRACE))


def test_labels_are_no_operators_whatever_they_are_called(opcheck, tmp_path):
    path = tmp_path / "t.json"
    label = node("aten::conv2d", 5)
    label["attrs"][2]["value"] = ""
    path.write_text(document([label, node("aten::mul", 6)]))
    report = check(opcheck, path)
    assert [o["name"] for o in report["operators"]] == ["aten::mul"]
    assert {(i["name"], i["class"]) for i in report["ignored"]} == {("aten::conv2d", "label")}


def test_one_without_operators_says_what_was_found(opcheck, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(document([node("mine", 5)]))
    done = opcheck("check", path)
    assert done.status == 3 and re.search(r"t\.json: byte \d+: error OPC-3006: the execution trace of 1 nodes", done.err) and "hint:" in done.err


GENERATORS = {
    "names": 'for i in range(400000): put(op % (i + 5, b"aten::op_%d" % i, i))',
    "steps": 'for i in range(400000): put(op % (2 * i + 5, b"ProfilerStep#%d" % i, i))',
    "nodes": 'for i in range(600000): put(op % (i + 5, b"aten::mm", 4))',
    "values": 'for i in range(300): put(b"[1,2,3,4,5,6]," * 70000)',
}
FEED = """
import sys
put = sys.stdout.buffer.write
op = b'{"id":%%d,"name":"%%s","ctrl_deps":1,"inputs":{"values":[],"shapes":[[%%d,3]],"types":["Tensor(float)"]},"attrs":[]},'
put(b'{"schema":"1.1.1","nodes":[' + op %% (2, b"aten::add", 1))
put(b'{"id":3,"name":"aten::mul","inputs":{"values":[' if %r == "values" else b"")
%s
put(b'[]]}},' if %r == "values" else b"")
put(op %% (1 << 40, b"aten::add", 1) + b"]}")
"""


@pytest.mark.parametrize("kind", sorted(GENERATORS))
def test_memory_is_bounded_whatever_comes_through_a_pipe(kind, sanitized):
    if sanitized:
        pytest.skip("sanitizers take memory of their own")
    code = ("import resource, subprocess, sys; feed = subprocess.Popen([sys.executable, '-c', sys.argv[1]], stdout=subprocess.PIPE);"
            "subprocess.run([sys.argv[2], 'check', '-', '-t', 'npu'], stdin=feed.stdout, stdout=subprocess.DEVNULL, check=True); feed.wait();"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run(["/usr/bin/python3", "-c", code, FEED % (kind, GENERATORS[kind], kind), program("opcheck", "OPCHECK")],
                          capture_output=True, env=environment(), timeout=300)
    assert done.returncode == 0, done.stderr
    # the distinct keys of a profile come on top of what reading takes
    assert int(done.stdout) < (128 if kind in ("names", "steps") else 64) * 1024
