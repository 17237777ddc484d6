"""Several dumps at once: ranks by what they say of themselves, side by side, in any order, twice."""
import gzip
import itertools
import json
import shutil

import pytest

from conftest import FIXTURES, ROOT

DUMP = FIXTURES / "torch-2.13" / "resnet50.a.log"


def event(name, ts, dims):
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": 2,
            "args": {"External id": ts, "Input Dims": dims, "Input type": ["float"] * len(dims)}}


def trace(rank=None, world=2, size=4, steps=2, first=0):
    """A trace of Kineto with some steps of one operator each, as one rank of a run writes it."""
    events = []
    for step in range(steps):
        at = (first + step) * 100
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % (first + step), "pid": 1, "tid": 1, "ts": at, "dur": 90})
        events.append(event("aten::mm", at + 10, [[size, size], [size, size]]))
        events.append(event("aten::add", at + 20, [[step + 1], [step + 1]]))
    head = {"schemaVersion": 1, "deviceProperties": []}
    if rank is not None:
        head["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": world, "pg_count": 1, "pg_config": [{"ranks": [0, 1]}]}
    return json.dumps({**head, "traceEvents": events}).encode()


def report_of(run):
    assert run.status == 0, run.err
    return json.loads(run.out)


def rules(report):
    return {w["rule"]: w.get("params", {}) for w in report["warnings"]}


def shapes(report, name):
    operator = [o for o in report["operators"] if o["name"] == name][0]
    return {json.dumps(s["dims"]): (s["calls"], s["steps"]) for s in operator["shapes"]}


def calls(report):
    return {o["name"]: o["calls"] for o in report["operators"]}


@pytest.mark.parametrize("names", [("worker0.pt.trace.json", "worker1.pt.trace.json.gz"),
                                   ("host_71.1700000000000.pt.trace.json", "host_72.1700000000001.pt.trace.json.gz"),
                                   ("rank_0.json", "rank_1.json.gz")])
def test_a_folder_of_traces_is_ranks_by_their_names(opcheck, tmp_path, names):
    (tmp_path / names[0]).write_bytes(trace())
    (tmp_path / names[1]).write_bytes(gzip.compress(trace(size=8)))
    report = report_of(opcheck("check", tmp_path, "-f", "json"))
    assert [i["name"] for i in report["inputs"]] == list(names) and [i["steps"] for i in report["inputs"]] == [2, 2]
    assert calls(report) == {"aten::mm": 4, "aten::add": 4}
    # both ranks have steps of their own: what either shows in its first step is in step 1
    assert {dims: steps for dims, (_, steps) in shapes(report, "aten::mm").items()} == {
        "[[4, 4], [4, 4]]": [[1, 2]], "[[8, 8], [8, 8]]": [[1, 2]]}
    assert [o["dynamic"]["kind"] for o in report["operators"] if o["name"] == "aten::mm"] == ["static"]


def test_what_a_trace_says_of_its_rank_wins_over_its_name(opcheck, tmp_path):
    """Two cycles of each rank, named so that the names tell nothing: the cycles of one rank follow each other."""
    for name, content in {"a1.json": trace(0), "a2.json": trace(1, size=8), "b1.json": trace(0, size=5, first=7),
                          "b2.json": trace(1, size=9, first=7)}.items():
        (tmp_path / name).write_bytes(content)
    report = report_of(opcheck("check", tmp_path, "-f", "json"))
    assert {dims: steps for dims, (_, steps) in shapes(report, "aten::mm").items()} == {
        "[[4, 4], [4, 4]]": [[1, 2]], "[[8, 8], [8, 8]]": [[1, 2]], "[[5, 5], [5, 5]]": [[3, 4]], "[[9, 9], [9, 9]]": [[3, 4]]}
    assert "ranks-missing" not in rules(report)


def test_ranks_that_are_not_there_are_told(opcheck, tmp_path):
    (tmp_path / "x.json").write_bytes(trace(3, world=8))
    assert rules(report_of(opcheck("check", tmp_path / "x.json", "-f", "json")))["ranks-missing"] == {"ranks": "1", "world": "8"}


@pytest.mark.parametrize("info", [b'"distributedInfo": {"rank": "x", "world_size": -3}', b'"distributedInfo": {"rank": 1e400}',
                                  b'"distributedInfo": [3]', b'"distributedInfo"', b'"distributedInfo": {"rank": {"a": [1, {}]}, ',
                                  b'"distributedInfo": {"backend": "\xff\x00<b>", "rank": 99999999999999999999999}'])
def test_a_damaged_rank_is_none(opcheck, tmp_path, info):
    (tmp_path / "x.json").write_bytes(b'{"schemaVersion": 1, ' + info + b', "traceEvents": ' + trace().split(b'"traceEvents": ')[1])
    run = opcheck("check", tmp_path / "x.json", "-f", "json")
    assert run.status in (0, 3) and "OPC-70" not in run.err
    if run.status == 0:
        assert "ranks-missing" not in rules(json.loads(run.out))


def test_one_dump_handed_in_twice_is_told(opcheck, tmp_path):
    shutil.copy(DUMP, tmp_path / "a.log")
    (tmp_path / "b.log.gz").write_bytes(gzip.compress(DUMP.read_bytes()))
    for args in ((tmp_path / "a.log", tmp_path / "a.log"), (tmp_path / "a.log", tmp_path / "b.log.gz")):
        report = report_of(opcheck("check", *args, "-f", "json"))
        assert rules(report)["input-twice"] == {"name": args[1].name, "other": "a.log"}
    (tmp_path / "c.log").write_bytes(DUMP.read_bytes().replace(b"1.", b"2.", 1))
    assert "input-twice" not in rules(report_of(opcheck("check", tmp_path / "a.log", tmp_path / "c.log", "-f", "json")))


def test_the_order_of_the_arguments_does_not_matter(opcheck, tmp_path):
    logs = [FIXTURES / "torch-2.13" / n for n in ("llama.a-full.log", "resnet50.a.log", "compile.a.log")]
    for i, log in enumerate(logs):
        shutil.copy(log, tmp_path / ("step%d.log" % i))
    outs = {opcheck("check", *order, "-f", "json").out for order in itertools.permutations(sorted(tmp_path.iterdir()))}
    assert len(outs) == 1


def test_many_files_side_by_side_give_the_same_bytes_every_time(opcheck, tmp_path):
    logs = sorted((FIXTURES / "torch-2.13").glob("*.log"))
    for i in range(120):
        shutil.copy(logs[i % len(logs)], tmp_path / ("%s%d.log" % ("rank" if i % 3 else "step", i)))
    for i in range(40):
        (tmp_path / ("worker%d.%d.pt.trace.json" % (i % 4, i))).write_bytes(trace(i % 4, 4, size=i % 5 + 1, first=i))
        (tmp_path / ("note%d.txt" % i)).write_text("nothing here\n")
    runs = [opcheck("check", tmp_path, "-f", "json") for _ in range(3)]
    assert {run.out for run in runs} == {runs[0].out} and {run.err for run in runs} == {runs[0].err}
    report = report_of(runs[0])
    assert len(report["inputs"]) == 160 and rules(report)["input-left-out"]["files"] == "40"
    one = opcheck("check", tmp_path, "-f", "json", preexec_fn=lambda: __import__("os").sched_setaffinity(0, {0}))
    assert one.out == runs[0].out


def test_one_bad_file_among_many_is_the_error_that_is_told(opcheck, tmp_path):
    for i in range(20):
        shutil.copy(DUMP, tmp_path / ("step%d.log" % i))
    for i in (7, 11):
        (tmp_path / ("step%d.log" % i)).write_bytes(b"")
    for _ in range(3):
        run = opcheck("check", *sorted(tmp_path.iterdir()))
        assert run.status == 3 and len(run.err.splitlines()) == 2 and "step7.log: error OPC-3003" in run.err
