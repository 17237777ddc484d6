"""Traces as users hand them in: reports of whole, packed, damaged, cut and oversized ones."""
import gzip
import json
import re
import subprocess

import pytest

from conftest import FIXTURES, environment, program

TRACE = FIXTURES / "traces" / "compilemarks.c.trace.json.gz"


def event(name, ts, **more):
    return dict({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": 1,
                 "args": {"Input Dims": [[2, 3]], "Input type": ["float"]}}, **more)


def warnings(report):
    return {w["rule"]: w.get("params", {}) for w in report["inputs"][0]["capture"]["warnings"]}


def check(opcheck, path, *args):
    done = opcheck("check", path, "-f", "json", *args)
    assert done.status == 0, done.err
    return done.json


def test_plain_and_packed_traces_give_the_same_report(opcheck, tmp_path):
    plain, packed = tmp_path / "t" / "x.json", tmp_path / "u" / "x.json"
    for path in (plain, packed):
        path.parent.mkdir()
    text = gzip.decompress(TRACE.read_bytes())
    plain.write_bytes(text)
    # two members, cut in the middle of an event, under a wrong suffix
    packed.write_bytes(gzip.compress(text[:100_001]) + gzip.compress(text[100_001:]))
    reports = [check(opcheck, path) for path in (plain, packed)]
    for report in reports:
        assert report["inputs"][0]["format"] == "kineto-trace" and report["inputs"][0]["steps"] == 3
        for key in ("bytes", "sha256", "compression", "name"):
            report["inputs"][0].pop(key, None)
    assert reports[0]["operators"] == reports[1]["operators"] and reports[0]["inputs"] == reports[1]["inputs"]


def test_a_trace_says_what_it_can_show(opcheck):
    found = check(opcheck, TRACE)["inputs"][0]
    assert found["capture"]["shapes"] and found["capture"]["dtypes"] and found["capture"]["times"]
    assert found["tables"] == 1 and found["ranks"] == 1 and not found["capture"]["row_limit_hit"]


def test_labels_and_kernels_stand_among_the_ignored(opcheck, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps([event("aten::mm", 1), event("aten::conv2d", 2, cat="user_annotation"),
                                event("k<int>", 3, cat="kernel"), event("cudaLaunchKernel", 4, cat="cuda_runtime")]))
    report = check(opcheck, path)
    assert [o["name"] for o in report["operators"]] == ["aten::mm"]
    assert {(i["name"], i["class"]) for i in report["ignored"]} == {
        ("aten::conv2d", "label"), ("k<int>", "kernel"), ("cudaLaunchKernel", "runtime")}


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_a_cut_trace_is_never_called_ready(opcheck, tmp_path, share):
    text, path = gzip.decompress(TRACE.read_bytes()), tmp_path / "t.json"
    path.write_bytes(text[:int(len(text) * share)])
    report = check(opcheck, path)
    assert int(warnings(report)["capture-trace-cut"]["byte"]) <= len(text) * share + 1
    assert all(t["verdict"] in ("inconclusive", "blocked") for t in report["targets"])


def test_bad_events_are_counted_and_shown_with_their_bytes(opcheck, tmp_path):
    path = tmp_path / "t.json"
    events = [json.dumps(event("aten::mm", i)) for i in range(5)]
    events[2] = events[2].replace("aten::mm", 'a "quoted" label')
    text = "[" + ", ".join(events) + "]"
    path.write_text(text)
    found = warnings(check(opcheck, path))["capture-events-skipped"]
    assert found["events"] == "1" and int(found["where"]) == text.index(events[2]) and found["sample"].startswith('{"ph": "X"')


def test_a_trace_without_operators_says_what_was_found(opcheck, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": [event("f", 1, cat="python_function")] * 3}))
    done = opcheck("check", path)
    assert done.status == 3 and re.search(r"t\.json: byte \d+: error OPC-3006: the trace of 3 events", done.err) and "hint:" in done.err


# --- size

GENERATORS = {
    "names": 'for i in range(400000): put(op % (b"aten::op_%d" % i, i))',
    "shapes": 'for i in range(400000): put(op % (b"aten::mm", i))',
    "string": 'for i in range(300): put(b"x" * 1000000)',
    "list": 'for i in range(300): put(b"[" * 1000000)',
    "events": 'for i in range(60): put((op % (b"aten::mm", 1)) * 10000)',
}
FEED = """
import sys
put = sys.stdout.buffer.write
op = b'{"ph":"X","cat":"cpu_op","name":"%%s","pid":1,"tid":1,"ts":1,"dur":1,"args":{"Input Dims":[[%%d,3]]}},'
put(b'{"schemaVersion":1,"traceEvents":[' + op %% (b"aten::add", 1))
put(b'{"ph":"X","name":"' if %r == "string" else b"")
%s
put(b'"},' if %r == "string" else b"")
put(op %% (b"aten::add", 1) + b"]}")
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
    assert int(done.stdout) < (104 if kind in ("names", "shapes") else 48) * 1024
