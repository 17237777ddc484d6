"""A table and a trace of one run, as `opcheck snippet` writes them: read as one run, and nothing counts twice."""
import collections
import functools
import gzip
import json
import shutil

import pytest
from test_reports import row, table

from conftest import FIXTURES, REFERENCE, sampled

LOG, TRACE = FIXTURES / "torch-2.13" / "lastbatch.a-full.log", FIXTURES / "traces" / "lastbatch.c.trace.json.gz"
RANK = {"ready": 0, "ready-with-warnings": 1, "inconclusive": 2, "blocked": 3}


def report(opcheck, *paths, command="check", target=()):
    return opcheck(command, *paths, "-f", "json", *target).json


def one_run(found):
    return {w["params"]["name"]: w["params"]["counted"] for w in found["warnings"] if w["rule"] == "input-one-run"}


def figures(found):
    """What is counted, by operator."""
    return {o["name"]: (o["calls"], o["self_cpu_us"], o["time_share"], o["dynamic"]["kind"]) for o in found["operators"]}


def unjudged(found):
    """Conditions that stand because types are not known."""
    return {(o["name"], t) for o in found["operators"] for t, v in o["verdicts"].items()
            for c in v["conditions"] if c["rule"].startswith("op-dtype")}


def test_a_table_and_a_trace_of_a_run_count_once(opcheck):
    table, trace, both = report(opcheck, LOG), report(opcheck, TRACE), report(opcheck, LOG, TRACE)
    assert one_run(both) == {LOG.name: TRACE.name}
    assert figures(both) == figures(trace) != figures(table)
    assert [i["steps"] for i in both["inputs"]] == [0, 6] and [i["ranks"] for i in both["inputs"]] == [1, 1]
    for key in ("targets", "findings", "causes", "questions", "costs", "ignored"):
        assert both.get(key) == trace.get(key), key
    plans = [report(opcheck, *paths, command="buckets") for paths in ((LOG, TRACE), (TRACE,))]
    assert plans[0].pop("inputs") != plans[1].pop("inputs") and plans[0] == plans[1]
    assert [i.get("counted_in") for i in both["inputs"]] == [TRACE.name, None]
    for form in ("text", "html", "md"):
        text = " ".join(opcheck("check", LOG, TRACE, "-f", form).text.split())
        assert "are of one run" in text and "one run with " + TRACE.name.replace("_", "\\_" if form == "md" else "_") in text


def print_tables(found, folder, model, repeats):
    """The tables that a profiler prints of a trace's calls, each step so many times: 100 rows, all, without shapes, by overload."""
    steps = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for (_, _, name, overload, shapes, calls, self_ns), (step, *_) in zip(found["row"], found["stepped"]):
        of_row = steps[step][name if len(name) < 52 else name[:52] + "...", overload or "", shapes[:80] or "[]"]
        of_row[0], of_row[1] = of_row[0] + calls, of_row[1] + self_ns
    for kind, key in (("a", (0, 2)), ("a-full", (0, 2)), ("b", (0,)), ("e", (0, 1, 2))):
        text = ""
        for step in sorted(steps.keys() - {0}) * repeats:  # 0: what marks the steps
            rows = collections.defaultdict(lambda: [0, 0])
            for cells, (calls, self_ns) in steps[step].items():
                of_row = rows[tuple(cells[at] for at in key)]
                of_row[0], of_row[1] = of_row[0] + calls, of_row[1] + self_ns
            lines = [[cells[0], *cells[1:-1], *row(cells[0], us=ns / 1000, calls=calls)[1:7], *cells[1:][-1:]]
                     for cells, (calls, ns) in sorted(rows.items(), key=lambda item: -item[1][1]) if calls]
            header = ["Name", *["Overload Name"] * (kind == "e"), "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls",
                      *["Input Shapes"] * (kind != "b")]
            total = "Self CPU time total: %.3fms" % (sum(ns for _, ns in rows.values()) / 1e6)
            text += table(lines[:100] if kind == "a" else lines, header, total)
        (folder / ("%s.%s.log" % (model, kind))).write_text(text, encoding="utf-8")


@pytest.fixture
def run_of(reference, events, tmp_path):
    """The folder with tables and traces of one run of a model. Of traces that the subset has without calls that repeat, the tables are printed."""
    def find(model, repeats=1):
        folder = reference / "samples" / "torch-2.13"
        if REFERENCE or (FIXTURES / "traces" / (model + ".c.trace.json.gz")).exists():
            return folder
        for path in (*folder.glob(model + ".c.trace.json*"), *folder.glob(model + ".et.json*")):
            shutil.copy(path, tmp_path)
        print_tables(events(next(folder.glob(model + ".c.trace.json*"))), tmp_path, model, repeats)
        return tmp_path

    return find


PAIRS = [(a, b) for a in ("a", "a-full", "b", "e") for b in ("c.trace.json", "et.json")]


@pytest.mark.parametrize("model", sampled(["bert", "llama", "ctc", "lastbatch", "resnet50", "compilemarks", "compile"], 3))
def test_together_they_give_at_least_what_the_better_one_gives(opcheck, run_of, model):
    folder = run_of(model)
    report_of = functools.lru_cache(None)(lambda file: report(opcheck, file))  # each is in several pairs
    for log, trace in sampled(PAIRS, 3):
        files = [folder / ("%s.%s.log" % (model, log)), next(folder.glob("%s.%s*" % (model, trace)))]
        alone, both = [report_of(f) for f in files], report(opcheck, *files)
        assert len(one_run(both)) == 1, files
        calls = [sum(o["calls"] for o in r["operators"]) for r in alone + [both]]
        assert calls[2] <= max(calls[:2]) and sum(i["steps"] for i in both["inputs"]) in [r["inputs"][0]["steps"] for r in alone], files
        assert len(both.get("questions", [])) <= min(len(r.get("questions", [])) for r in alone), files
        for found, *others in zip(both["targets"], *(r["targets"] for r in alone)):
            assert RANK[found["verdict"]] <= min(RANK[t["verdict"]] for t in others), files
        known = [{o["name"] for o in r["operators"] if o["dynamic"]["kind"] != "unknown"} for r in alone + [both]]
        whole = [r for r in alone if not any(w["rule"] == "capture-truncated" for w in r["inputs"][0]["capture"]["warnings"])]
        if len(whole) == 2 and model != "compile":
            assert known[2] >= known[0] or known[2] >= known[1], files


def test_the_types_of_the_trace_hold_for_a_table_with_more_steps(opcheck, run_of):
    folder = run_of("llama", 2)
    table, trace = folder / "llama.a-full.log", folder / "llama.c.trace.json.gz"
    target = ("-t", "npu@2.7.1:910A")  # which takes no bf16
    alone, both = report(opcheck, table, target=target), report(opcheck, table, trace, target=target)
    assert one_run(both) == {trace.name: table.name} and figures(both) == figures(alone)
    assert unjudged(alone) and not unjudged(both) and not both.get("questions")
    assert both["inputs"][0]["capture"]["dtypes"] and not alone["inputs"][0]["capture"]["dtypes"]


def test_rows_that_a_table_lost_are_in_the_trace(opcheck, run_of):
    folder = run_of("bert")
    table, trace = folder / "bert.a.log", folder / "bert.c.trace.json.gz"
    rules = [{w["rule"] for i in report(opcheck, *paths)["inputs"] for w in i["capture"]["warnings"]}
             for paths in ((table,), (table, trace))]
    assert "capture-truncated" in rules[0] - rules[1]


def test_an_execution_trace_gets_the_times_of_the_table(opcheck, run_of):
    folder = run_of("resnet50")
    table, trace = folder / "resnet50.b.log", folder / "resnet50.et.json.gz"
    times, both = figures(report(opcheck, table)), report(opcheck, table, trace)
    assert one_run(both) == {table.name: trace.name} and both["basis"] == "self_cpu_time"
    for name, (_, cpu, _, _) in figures(both).items():
        assert cpu == pytest.approx(times[name][1], abs=0.01), name


def test_dumps_of_other_programs_are_added_up(opcheck, reference, tmp_path):
    folder = reference / "samples" / "torch-2.13"
    files = folder / "resnet50.a-full.log", folder / "bert.c.trace.json.gz"
    both = report(opcheck, *files)
    assert one_run(both) == {}
    assert sum(o["calls"] for o in both["operators"]) == sum(o["calls"] for f in files for o in report(opcheck, f)["operators"])
    ranks = [tmp_path / "rank0.log", tmp_path / "rank1.trace.json"]
    ranks[0].write_bytes(LOG.read_bytes())
    ranks[1].write_bytes(gzip.decompress(TRACE.read_bytes()))
    assert one_run(report(opcheck, *ranks)) == {}
    assert len(one_run(report(opcheck, ranks[0], TRACE))) == 1


def test_every_rank_has_its_own_pair(opcheck, tmp_path):
    document = json.loads(gzip.decompress(TRACE.read_bytes()))
    for rank in range(3):
        (tmp_path / ("rank%d.log" % rank)).write_bytes(LOG.read_bytes())
        document["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": 3}
        (tmp_path / ("rank%d.pt.trace.json" % rank)).write_text(json.dumps(document))
    found = report(opcheck, tmp_path)
    assert one_run(found) == {"rank%d.log" % rank: "rank%d.pt.trace.json" % rank for rank in range(3)}
    assert [i["steps"] for i in found["inputs"]] == [0, 6] * 3


COMPLEX = [("aten::fft_rfft", "float"), ("aten::_fft_r2c", "float"), ("aten::mul", "c10::complex<float>"), ("aten::cumsum", "c10::complex<float>"),
           ("aten::sum", "c10::complex<float>"), ("aten::abs", "c10::complex<float>"), ("aten::relu", "float"), ("aten::mm", "float")]


def in_three_forms(folder, operators):
    """One run as a trace with types, as a table and as a notebook that printed it."""
    events = [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 100 * at, "dur": 50,
               "args": {"External id": at + 1, "Input Dims": [[8, 8]], "Input type": [dtype]}} for at, (name, dtype) in enumerate(operators)]
    (folder / "trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    text = table([row(name, us=50.0) for name, _ in operators], footer="Self CPU time total: %.3fus" % (50 * len(operators)))
    (folder / "table.log").write_text(text)
    cell = {"cell_type": "code", "source": [], "outputs": [{"output_type": "stream", "name": "stdout", "text": text.splitlines(True)}]}
    (folder / "run.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}))
    return [folder / name for name in ("trace.json", "table.log", "run.ipynb")]


@pytest.mark.parametrize("target", ["npu@v2.7.1-26.0.0", "musa@v2.7.1", "musa@v1.3.0"])
def test_the_forms_of_a_run_differ_in_certainty_alone(opcheck, tmp_path, target):
    """What the trace refuses for its type is a condition where no types are shown: never certain to run."""
    trace, *others = (report(opcheck, path, target=("-t", target)) for path in in_three_forms(tmp_path, COMPLEX))
    refused = {op["name"] for op in trace["operators"] if op["verdicts"][target]["status"] == "unsupported"}
    for other in others:
        verdicts = {op["name"]: op["verdicts"][target] for op in other["operators"]}
        for operator in trace["operators"]:
            shown, found = operator["verdicts"][target], verdicts[operator["name"]]
            if found["status"] != shown["status"]:
                assert operator["name"] in refused
                assert "complex64" in [c["params"]["dtypes"] for c in found["conditions"] if c["rule"] == "op-dtype-if"][0]
        if refused:
            assert other["targets"][0]["verdict"] in ("inconclusive", "blocked")
    assert [op["verdicts"] for op in others[0]["operators"]] == [op["verdicts"] for op in others[1]["operators"]]


def test_without_complex_results_no_type_is_complex(opcheck, tmp_path):
    _, log, _ = in_three_forms(tmp_path, COMPLEX[2:])
    assert "complex64" not in json.dumps([op["verdicts"] for op in report(opcheck, log, target=("-t", "musa@v2.7.1"))["operators"]])
