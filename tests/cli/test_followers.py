"""Sizes that values decided, told from those that came with the inputs by the order of operators in a trace."""
import json

import pytest

from conftest import FIXTURES


def trace(steps):
    """One ProfilerStep after the other, each a list of (name, dims)."""
    events, at = [], 0
    for number, calls in enumerate(steps):
        begin = at
        for name, dims in calls:
            at += 10
            events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 5, "args": {"Input Dims": dims}})
        at += 10
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % number, "pid": 1, "tid": 1, "ts": begin + 1,
                       "dur": at - begin - 2})
    return json.dumps({"traceEvents": events})


def follows(opcheck, folder, steps):
    path = folder / "trace.json"
    path.write_text(trace(steps), encoding="utf-8")
    report = opcheck("check", path, "-t", "npu", "-f", "json").json
    rules = {f["operator"]: f["rule"] for f in report["findings"] if f["rule"].startswith("shape-")}
    return {o["name"]: o["dynamic"].get("follows") for o in report["operators"]}, rules


def test_what_stands_behind_a_data_dependent_operator_follows_it(opcheck, tmp_path):
    steps = [[("aten::relu", [[8, 4]]), ("aten::nonzero", [[8, 4]]), ("aten::mul", [[n, 2]]), ("aten::neg", [[n, 2]])] for n in (5, 9, 6, 11)]
    found, rules = follows(opcheck, tmp_path, steps)
    assert found == {"aten::relu": None, "aten::nonzero": None, "aten::mul": "aten::nonzero", "aten::neg": "aten::nonzero"}
    assert rules == {"aten::nonzero": "shape-data-dependent", "aten::mul": "shape-follows", "aten::neg": "shape-follows"}


def test_sizes_of_the_inputs_follow_nobody(opcheck, tmp_path):
    steps = [[("aten::relu", [[n, 4]]), ("aten::nonzero", [[n, 4]]), ("aten::mul", [[n, 4]])] for n in (5, 9, 6, 11)]
    found, rules = follows(opcheck, tmp_path, steps)
    assert set(found.values()) == {None}
    assert rules["aten::mul"] == "shape-varying"


def test_shapes_that_every_step_has_do_not_count(opcheck, tmp_path):
    steps = [[("aten::mul", [[3, 3]]), ("aten::nonzero", [[8, 4]]), ("aten::mul", [[n, 2]])] for n in (5, 9, 6, 11)]
    assert follows(opcheck, tmp_path, steps)[0]["aten::mul"] == "aten::nonzero"


def test_a_table_has_no_order_and_tells_nothing(opcheck):
    report = opcheck("check", FIXTURES / "torch-2.13" / "llama.a-full.log", "-t", "npu", "-f", "json").json
    assert not [o for o in report["operators"] if "follows" in o["dynamic"]]


@pytest.mark.parametrize("model, some", [("ctc", True), ("bert", False), ("lastbatch", False)])
def test_real_programs(opcheck, reference, model, some):
    """ctc gets inputs of one size and changes by what is found in them; the others change by their inputs alone."""
    path = next((reference / "samples" / "torch-2.13").glob(model + ".c.trace.json*"))
    report = opcheck("check", path, "-t", "npu", "-f", "json").json
    kinds = [o["dynamic"] for o in report["operators"] if o["dynamic"]["kind"] in ("bounded", "unbounded", "last-batch")]
    assert kinds and all(("follows" in kind) == some for kind in kinds)
