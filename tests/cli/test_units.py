"""Which calls run on the AI CPU of an NPU: what the types, shapes, values and strides of the dump decide, and what they leave open."""
import json

import pytest

NPU = ["-t", "npu@v2.7.1-26.1.0:910B"]
NEVER, SOMETIMES, ALWAYS = (0, 0), (0, 1), (1, 1)


def call(name, dims, types, number=0, us=100, **more):
    keys = {"values": "Concrete Inputs", "strides": "Input Strides"}
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 1000 * number, "dur": us,
            "args": {"Input Dims": dims, "Input type": types, **{keys[key]: value for key, value in more.items()}}}


def check(opcheck, tmp_path, events, *args):
    path = tmp_path / "calls.json"
    path.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    done = opcheck("check", path, *NPU, *args)
    assert done.status == 0, done.err
    return done


def aicpu(opcheck, tmp_path, events):
    share = check(opcheck, tmp_path, events, "-f", "json").json["targets"][0]["where"]["aicpu"]
    return share["lo"], share["hi"]


INDEX = ["float", "TensorList"]
SORT = ["float", "Scalar", "Scalar"]
GATHER = ["float", "Scalar", "long int", "Scalar"]
COPY = ["float", "float", "Scalar"]


@pytest.mark.parametrize("name, dims, types, more, where", [
    ("aten::sort", [[64], [], []], ["long int", "Scalar", "Scalar"], {}, ALWAYS),
    ("aten::sort", [[64, 8], [], []], SORT, {"values": ["", "-1", "False"]}, NEVER),
    ("aten::sort", [[64, 1], [], []], SORT, {"values": ["", "-1", "False"]}, ALWAYS),
    ("aten::sort", [[64, 1], [], []], SORT, {"values": ["", "0", "False"]}, NEVER),
    ("aten::sort", [[64, 1], [], []], SORT, {}, SOMETIMES),
    ("aten::gather", [[64, 8], [], [64, 4], []], GATHER, {"values": ["", "1", "", "False"]}, NEVER),
    ("aten::gather", [[4000, 256], [], [3000, 4], []], GATHER, {"values": ["", "1", "", "False"]}, ALWAYS),
    ("aten::gather", [[4000, 256], [], [3000, 4], []], GATHER, {}, SOMETIMES),
    ("aten::pow", [[8], [8]], ["int", "int"], {}, NEVER),
    ("aten::remainder", [[8], [8]], ["double", "double"], {}, ALWAYS),
    ("aten::constant_pad_nd", [[2, 3, 8, 8], [], []], ["float", "ScalarList", "Scalar"], {}, NEVER),
    ("aten::copy_", [[4, 8], [4, 8], []], COPY, {"strides": [[8, 1], [8, 1], []]}, NEVER),
    ("aten::copy_", [[4, 8], [4, 8], []], COPY, {"strides": [[16, 1], [8, 1], []]}, NEVER),
    ("aten::copy_", [[4, 8], [4, 8], []], COPY, {"strides": [[1, 4], [8, 1], []]}, SOMETIMES),
    ("aten::copy_", [[4, 8], [4, 8], []], COPY, {}, SOMETIMES),
    ("aten::add_", [[4, 8], [4, 8], []], COPY, {"strides": [[16, 2], [8, 1], []]}, SOMETIMES),
    ("aten::add_", [[4, 8], [4, 8], []], COPY, {"strides": [[8, 1], [8, 1], []]}, NEVER),
    ("aten::add_", [[4, 8], [4, 8], []], COPY, {}, NEVER),
])
def test_a_recorded_call_decides_where_it_runs(opcheck, tmp_path, name, dims, types, more, where):
    assert aicpu(opcheck, tmp_path, [call(name, dims, types, **more)]) == where


INNER = {"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "args": {"Input Dims": [[3]], "Input type": ["bool"]}}


@pytest.mark.parametrize("dims, inside, where", [
    ([[8, 8], [[3], [3]]], "aten::view", NEVER),
    ([[8, 8], [[], [3]]], "aten::view", NEVER),
    ([[8, 8], [[3], [3, 1]]], "aten::view", ALWAYS),
    ([[8, 8, 8], [[3], [], [3]]], "aten::view", ALWAYS),
    ([[8, 8], [[3], [3]]], "aten::nonzero", SOMETIMES),
    ([[8, 8], [[3], [3]]], None, SOMETIMES),
])
def test_index_tensors_decide_and_masks_leave_a_nonzero(opcheck, tmp_path, dims, inside, where):
    target = ["-t", "npu@v2.7.1-26.0.0:910B"]
    events = [call("aten::index", dims, INDEX)] + ([{**INNER, "name": inside}] if inside else [])
    path = tmp_path / "calls.json"
    path.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    done = opcheck("check", path, *target, "-f", "json")
    where_is = done.json["targets"][0]["where"]["aicpu"]
    index = next(op for op in done.json["operators"] if op["name"] == "aten::index")
    assert (where_is["lo"] > 0, where_is["hi"] > 0) == (where[0] == 1, where[1] == 1)
    assert ("aicpu" in index["verdicts"]["npu@v2.7.1-26.0.0:910B"]["flags"]) == (where[1] == 1)


def test_only_the_calls_that_run_there_are_counted(opcheck, tmp_path):
    """Three of four parts of the time are of float keys."""
    events = [call("aten::sort", [[64, 8], [], []], SORT, 0, 300, values=["", "-1", "False"]),
              call("aten::sort", [[64, 8], [], []], ["long int", "Scalar", "Scalar"], 1, 100, values=["", "-1", "False"])]
    assert aicpu(opcheck, tmp_path, events) == (0.25, 0.25)
    assert "time: AI Core 75.0 %, AI CPU 25.0 %" in " ".join(check(opcheck, tmp_path, events).text.split())


def test_a_finding_says_when_and_which_types_are_fast(opcheck, tmp_path):
    for types, dims, words in ((["long int", "Scalar", "Scalar"], [[64], [], []], "fp32, fp16, bf16 run on the AI Core"),
                               (SORT, [[64, 1], [], []], "on the AI CPU (Sort) where this holds: the sorted dimension has one element")):
        text = check(opcheck, tmp_path, [call("aten::sort", dims, types)], "-v").text
        assert words in " ".join(text.split())
    assert "被排序的维只有一个元素" in "".join(check(opcheck, tmp_path, [call("aten::sort", [[64, 1], [], []], SORT)], "-v", "--lang", "zh-CN").text.split())
