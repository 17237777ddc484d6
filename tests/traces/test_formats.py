"""One model in several formats: the same operators and counts, whatever they are read from.

The trace and the execution trace of a sample hold one run, so they agree call by call. The table and truth.json hold another run of
the same program: the uncut table equals it, a trace has the same operators and shapes in the steps that both have.
"""
import collections
import functools
import json

import pytest

from conftest import FIXTURES, traced

# which steps of the truth the traced steps repeat (the README of the samples)
STEPS = {"resnet50": [0, 1, 2, 3], "bert": [0, 1, 2, 3], "llama": [0, 1], "ctc": [0, 1, 2], "compile": [1, 1, 3, 3],
         "compilemarks": [0, 1, 2], "lastbatch": [0, 1, 2, 3, 4, 5]}
OWN = ("compilemarks", "lastbatch")
BOOKKEEPING = {"aten::is_leaf", "aten::output_nr", "aten::_version"}


class Sample:
    """The files of one model: those of the fixtures, or of the reference samples; each is read once."""

    def __init__(self, model, traces, tables, events):
        self.model, self.events = model, events
        self.trace_file, self.et_file = (next(traces.glob(model + end)) for end in (".c.trace.json*", ".et.json*"))
        self.steps = traced(model, STEPS[model])
        self.table_file, self.truth_file = tables / (model + ".a-full.log"), tables / (model + ".truth.json")

    @functools.cached_property
    def trace(self):
        return self.events(self.trace_file)

    @functools.cached_property
    def et(self):
        return self.events(self.et_file)

    @functools.cached_property
    def truth(self):
        return json.loads(self.truth_file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=["own-" + model for model in OWN] + ["sample-" + model for model in STEPS])
def sample(request, events):
    origin, model = request.param.split("-")
    if origin == "own":
        return Sample(model, FIXTURES / "traces", FIXTURES / "torch-2.13", events)
    folder = request.getfixturevalue("reference") / "samples" / "torch-2.13"
    return Sample(model, folder, folder, events)


def calls(found):
    """(step, name, overload, shapes): calls, of the operators of a trace."""
    counted = collections.Counter()
    for row, more in zip(found["row"], found["stepped"]):
        if row[2].startswith("aten::") and more[1] == "operator" and row[5]:
            counted[more[0], row[2], row[3], row[4]] += row[5]
    return counted


def only(counted, *places):
    less = collections.Counter()
    for key, count in counted.items():
        less[tuple(key[place] for place in places)] += count
    return less


OPTIONAL = {"aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_"}


def as_a_trace_shows(name, shapes):
    """A trace shows neither lists of over thirty tensors nor those in which tensors may be missing."""
    return str([[] if argument and isinstance(argument[0], list) and (len(argument) > 30 or name in OPTIONAL) else argument
                for argument in json.loads(shapes or "[]")])


def links(found, relation):
    """Summed up: calls from different places are told apart."""
    counted = collections.Counter()
    for kind, name, other, count, _, _ in found["link"]:
        if kind == relation:
            counted[name, other] += count
    return counted


def test_a_trace_and_the_execution_trace_of_one_run_hold_the_same_calls(sample):
    trace, et = calls(sample.trace), calls(sample.et)
    assert only(et, 1) == only(trace, 1) and sum(et.values()) > 40
    assert only(et, 0, 1) == only(trace, 0, 1)
    shapes = collections.Counter()
    for (step, name, _, dims), count in et.items():
        shapes[step, name, as_a_trace_shows(name, dims)] += count
    assert shapes == only(trace, 0, 1, 3)


def test_they_are_nested_alike(sample):
    trace, et = sample.trace, sample.et
    assert links(et, "parent") == links(trace, "parent") and links(et, "parent")
    assert [turn[:2] for turn in et["turn"]] == [turn[:2] for turn in trace["turn"]] and len(et["turn"]) > 10


def repeats_its_caller(found):
    """Operators that call one of the same name: tables show the outer one alone."""
    return {name for name, other in links(found, "parent") if name == other}


def of_the_truth(step):
    return {(name, variant["overload"], as_a_trace_shows(name, json.dumps(variant["dims"])))
            for name, _, _, variants, *_ in step if name.startswith("aten::") for variant in variants}


def test_each_step_of_an_execution_trace_holds_the_overloads_and_shapes_of_the_truth(sample):
    got, found, steps = collections.defaultdict(set), sample.et, sample.steps
    for step, name, overload, shapes in calls(found):
        got[step].add((name, overload, as_a_trace_shows(name, shapes)))
    assert sorted(got) == list(range(1, len(steps) + 1)) and found["end"][0][5] == len(steps)
    for number, index in enumerate(steps, 1):
        want = of_the_truth(sample.truth["steps"][index])
        assert want <= got[number]
        assert {name for name, _, _ in got[number] - want} <= repeats_its_caller(found)


def test_each_step_of_a_trace_holds_the_shapes_of_the_truth(sample):
    got, found = collections.defaultdict(set), sample.trace
    for step, name, _, shapes in calls(found):
        got[step].add((name, as_a_trace_shows(name, shapes)))
    for number, index in enumerate(sample.steps, 1):
        want = {(name, shapes) for name, _, shapes in of_the_truth(sample.truth["steps"][index])}
        assert want <= got[number]
        assert {name for name, _ in got[number] - want} <= repeats_its_caller(found)


# --- and so do the reports

def report(opcheck, path):
    done = opcheck("check", path, "-t", "npu", "-f", "json")
    assert done.status == 0, done.err
    return done.json


def operators(found):
    return {operator["name"]: operator["calls"] for operator in found["operators"]}


def test_the_report_of_an_uncut_table_has_the_counts_of_the_truth(opcheck, sample):
    want = {name: op["calls"] for name, op in sample.truth["ops"].items() if name.startswith("aten::")}
    got = operators(report(opcheck, sample.table_file))
    assert {name[:52]: calls for name, calls in got.items() if name.startswith("aten::")} == {
        name[:52]: calls for name, calls in want.items() if name not in BOOKKEEPING}


def test_reports_of_a_trace_and_of_the_execution_trace_of_one_run_have_the_same_operators(opcheck, sample):
    trace, et = report(opcheck, sample.trace_file), report(opcheck, sample.et_file)
    assert operators(et) == operators(trace)
    capture = et["inputs"][0]["capture"]
    assert (et["inputs"][0]["format"], et["inputs"][0]["steps"]) == ("execution-trace", trace["inputs"][0]["steps"])
    assert (capture["shapes"], capture["dtypes"], capture["overloads"], capture["times"]) == (True, True, True, False)
    assert (et["basis"], trace["basis"]) == ("calls", "self_cpu_time")
    assert "capture-no-times" in {warning["rule"] for warning in capture["warnings"]}
