"""Which calls run on the AI CPU of an NPU: what the types, shapes, values and strides of the dump decide, and what they leave open."""
import csv
import functools
import json

import pytest

from conftest import REFERENCE, ROOT

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
    ("aten::copy_", [[4, 8], [4, 8], []], COPY, {}, (0, 0.00285)),  # without strides: the part that profiles show
    ("aten::copy_", [[4, 8], [4, 8], []], COPY, {"strides": [[17, 2], [8, 1], []]}, ALWAYS),
    ("aten::copy_", [[2, 3, 4, 32], [32], []], COPY, {"strides": [[999, 256, 64, 1], [1], []]}, NEVER),
    ("aten::copy_", [[4, 8], [4, 8], []], ["double", "float", "Scalar"], {"strides": [[8, 1], [8, 1], []]}, SOMETIMES),
    ("aten::copy_", [[4, 8], [4, 8], []], ["c10::Half", "float", "Scalar"], {"strides": [[8, 1], [8, 1], []]}, NEVER),
    ("aten::copy_", [[4, 8], [4, 8], []], ["unsigned char", "short int", "Scalar"], {"strides": [[8, 1], [8, 1], []]}, NEVER),
    ("aten::copy_", [[4, 8], [4, 8], []], ["bool", "short int", "Scalar"], {"strides": [[8, 1], [8, 1], []]}, SOMETIMES),
    ("aten::copy_", [[4, 8], [4, 8], []], ["bool", "short int", "Scalar"], {"strides": [[17, 2], [8, 1], []]}, ALWAYS),
    ("aten::add_", [[4, 8], [4, 8], []], COPY, {"strides": [[16, 2], [8, 1], []]}, NEVER),
    ("aten::add_", [[4, 8], [4, 8], []], COPY, {"strides": [[17, 2], [8, 1], []]}, SOMETIMES),
    ("aten::add_", [[4, 8], [4, 8], []], COPY, {"strides": [[8, 1], [8, 1], []]}, NEVER),
    ("aten::add_", [[4, 8], [4, 8], []], COPY, {}, NEVER),
    ("aten::bernoulli", [[8], []], ["float", ""], {}, SOMETIMES),
    ("aten::bernoulli", [[8], [], []], ["float", "Scalar", ""], {"values": ["", "0.5", ""]}, NEVER),
    ("aten::polar", [[8], [8]], ["float", "float"], {}, NEVER),
    ("aten::reflection_pad3d_backward", [[1, 1, 20, 4, 4], [1, 1, 4, 4, 4], []], ["float", "float", "ScalarList"],
     {"values": ["", "", "[0, 0, 0, 0, 8, 8]"]}, ALWAYS),
    ("aten::replication_pad1d_backward", [[1, 1, 20], [1, 1, 4], []], ["float", "float", "ScalarList"], {}, NEVER),
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
    assert "time: AI Core 75.0 %, AI CPU 25.0 %" in " ".join(check(opcheck, tmp_path, events, "-vv").text.split())


@pytest.mark.parametrize("name, dtype, where", [
    ("aten::argsort", "float", SOMETIMES), ("aten::argsort", "long int", ALWAYS), ("aten::index_put_", "float", SOMETIMES)])
def test_a_report_of_no_release_does_not_overrule_the_kernels(opcheck, tmp_path, name, dtype, where):
    """Reports say "aicpu for integer seats, fp32 keys used below 2^24", and a mask's assignment in fp32."""
    assert aicpu(opcheck, tmp_path, [call(name, [[64], [64]], [dtype, dtype])]) == where


def test_a_finding_says_when_and_which_types_are_fast(opcheck, tmp_path):
    for types, dims, words in ((["long int", "Scalar", "Scalar"], [[64], [], []], "fp32, fp16, bf16 run on the AI Core"),
                               (SORT, [[64, 1], [], []], "on the AI CPU (Sort) if: the sorted dimension has one element")):
        text = check(opcheck, tmp_path, [call("aten::sort", dims, types)], "-f", "text", "-v").text
        assert words in " ".join(text.split())
    assert "被排序的维只有一个元素" in "".join(check(opcheck, tmp_path, [call("aten::sort", [[64, 1], [], []], SORT)], "-f", "text", "-v", "--lang", "zh-CN").text.split())


def test_a_newer_cann_takes_an_operator_off_the_ai_cpu(opcheck, tmp_path):
    """unique_dim of int64 is on the AI CPU up to CANN 9.0.0; its kernel may also copy to the host."""
    path = tmp_path / "calls.json"
    path.write_text(json.dumps({"traceEvents": [call("aten::unique_dim", [[8, 2], [], [], [], []], ["long int"] + 4 * ["Scalar"])]}), encoding="utf-8")
    target = check_on(opcheck, path, "npu@v2.7.1-26.0.0:910B")["targets"][0]
    assert [(fix["kind"], fix["what"], fix["aicpu"]) for fix in target["fixes"]] == [("release", "npu@v2.7.1-26.1.0", {"lo": 0, "hi": 0})]
    assert "AI CPU 0.0-100.0 % -> 0.0 %" in " ".join(opcheck("check", path, "-t", "npu@v2.7.1-26.0.0:910B", "-vv").text.split())
    move = opcheck("advise", path, "--from", "npu@v2.7.1-26.0.0:910B", "-f", "json").json["moves"][0]
    assert (move["kernels"], move["off_aicpu"]) == ("npu@v2.7.1-26.1.0:910B", ["aten::unique_dim"])
    text = " ".join(opcheck("advise", path, "--from", "npu@v2.7.1-26.0.0:910B", "-f", "text").text.split())
    assert "npu@v2.7.1-26.1.0:910B (CANN 9.1.0) takes off the AI CPU (1): aten::unique_dim" in text
    assert check_on(opcheck, path, "npu@v2.7.1-26.1.0:910B")["targets"][0]["fixes"] == []


def check_on(opcheck, path, target):
    done = opcheck("check", path, "-t", target, "-f", "json")
    assert done.status == 0, done.err
    return done.json


def test_the_operator_says_which_part_of_its_time_it_is(opcheck, tmp_path):
    report = check(opcheck, tmp_path, [call("aten::sort", [[64], [], []], ["long int", "Scalar", "Scalar"])], "-f", "json").json
    assert report["operators"][0]["verdicts"]["npu@v2.7.1-26.1.0:910B"]["aicpu"] == {"lo": 1, "hi": 1}


def test_a_copy_between_types_says_which_casts_run_on_the_ai_cpu(opcheck, tmp_path):
    """The chips differ: 910A casts fp32 to int64 there, 910B does not."""
    text = " ".join(opcheck("op", "aten::copy_", *NPU).text.split())
    assert "Between tensors of two types it casts first, on the AI CPU for these: - fp32 to fp64," in text
    for chip, slow in (("910A", True), ("910B", False)):
        target = "npu@v2.7.1-26.1.0:" + chip
        casts = opcheck("op", "aten::copy_", "-t", target, "-f", "json").json["operators"][0]["facts"][target]["units"]["slow_casts"]
        assert ("int64" in next(cast["to"] for cast in casts if cast["from"] == "fp32")) == slow
    text = check(opcheck, tmp_path, [call("aten::copy_", [[4, 8], [4, 8], []], ["double", "float", "Scalar"], strides=[[8, 1], [8, 1], []])], "-v").text
    assert "on the AI CPU (Cast) if: the type it is cast to" in " ".join(text.split())
    target = opcheck("op", "aten::add", *NPU, "-f", "json").json["operators"][0]["facts"][NPU[1]]
    assert target["units"]["slow_casts"] == []


def test_casts_before_the_call_and_the_way_that_compiles_are_told(opcheck):
    """jit_compile=True takes the ACL operator, with casts of its own."""
    asked = ("op", "aten::_ctc_loss", *NPU)
    text = " ".join(opcheck(*asked).text.split())
    assert "With jit_compile=True (the default of 910A and 310P) its ACL operator runs instead" in text
    assert "Before its ACL operator op-plugin casts: - log_probs of fp16 to fp32" in text
    assert "jit_compile=True 时" in opcheck(*asked, "--lang", "zh-CN").text
    units = opcheck(*asked, "-f", "json").json["operators"][0]["facts"][NPU[1]]["units"]
    assert (units["jit_compile"], units["casts"]) == (True, [{"kernel": "acl_op", "argument": "log_probs", "dtypes": ["fp16"], "becomes": "fp32"}])
    assert any("aclops/CtcLossKernelNpu.cpp#L32" in source for source in units["sources"])
    text = " ".join(opcheck("op", "aten::softmax", *NPU).text.split())
    assert "op-plugin casts before the call: - self to the dtype that is given" in text
    older = opcheck("op", "aten::linalg_solve_triangular", "-t", "npu@v2.1.0-7.0.0:910B", "-f", "json").json["operators"][0]
    assert older["facts"]["npu@v2.1.0-7.0.0:910B"]["units"]["casts"] == []  # op-plugin 7.2.0, the nearest that was read, has none
    text = " ".join(opcheck("op", "aten::linalg_solve_triangular", *NPU).text.split())
    assert "- B to the type of A" in text


def test_how_slow_that_is_comes_from_whoever_measured_it(opcheck, tmp_path):
    text = check(opcheck, tmp_path, [call("aten::searchsorted", [[8], [4], [], [], [], []], ["float", "float"] + 4 * ["Scalar"])], "-v").text
    assert "measured there: no AI Core kernel, runs on AI_CPU (about 0.15 ms per call) (vllm-ascend block table patch)" in " ".join(text.split())
    text = check(opcheck, tmp_path, [call("aten::inverse", [[8, 8]], ["float"])], "-v").text
    assert "aicpu" in json.dumps(check(opcheck, tmp_path, [call("aten::inverse", [[8, 8]], ["float"])], "-f", "json").json)
    assert "measured there" not in text


WORST = {"aicpu": 2, "mixed": 1, "helper": 1}


@functools.lru_cache(maxsize=None)
def facts(name):
    with open(ROOT / "opdb" / "npu" / name, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


@functools.lru_cache(maxsize=None)
def predicted(name, kernel, dtype):
    """What the facts for 910B say of a task: 2 on the AI CPU, 1 perhaps, 0 not. By the call that launched it, where the name says so."""
    launch = name.split("_")[0] if name.startswith("aclnn") else ""
    callers = {row[0] for row in facts("calls.tsv") if row[1] == launch}
    units = {row[1] for row in facts("units.tsv")
             if dtype in row[2].split() and "910B" in row[3].split() and (row[0] in callers if launch else True)
             and (row[1] not in WORST or kernel in row[4].split())}
    found = {WORST.get(unit, 0) for unit in units if launch or unit in WORST}
    return 0 if not found else 2 if found == {2} else 1 if max(found) else 0


def tasks_of(path):
    names = {"FLOAT": "fp32", "FLOAT16": "fp16", "BF16": "bf16", "DOUBLE": "fp64", "INT32": "int32", "INT64": "int64", "BOOL": "bool",
             "INT8": "int8", "UINT8": "uint8", "INT16": "int16"}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            dtype = row["Input Data Types"].replace("DT_", "").split(";")[0].strip('"')
            yield row["Name"], row["Type"], row["Accelerator Core"], names.get(dtype, dtype)


def test_tasks_of_real_runs_are_where_the_facts_say(whole_reference, record_property):
    """Names of tasks and types of their first input; tasks that graphs insert have no call to go by."""
    samples = whole_reference / "samples"
    core, called, slow, missed = 0, 0, 0, []
    for path in sorted(samples.rglob("*kernel_details.csv")):
        for name, kernel, unit, dtype in tasks_of(path):
            verdict = predicted(name, kernel, dtype)
            if unit == "AI_CPU":
                slow += 1
                missed += [] if verdict else [(path.name, name, kernel, dtype)]
            elif unit in ("AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV"):
                core += 1
                called += verdict == 2
    print("AI CPU tasks %d, not predicted %s; AI Core tasks %d, called AI CPU %d" % (slow, missed, core, called))
    record_property("aicore_called_aicpu", called)
    assert slow and core and missed == []
    assert called <= core * 0.02


def test_every_operator_of_a_real_run_that_was_on_the_ai_cpu_is_predicted_or_listed(opcheck, reference):
    samples = reference / "samples"
    dumps = [samples / "real-traces" / "npu-2024-trace_view.json.gz", samples / "real-traces" / "public" / "npu-advisor-trace_view.json",
             samples / "synthetic" / "npu_20240501101010123_ascend_pt"]
    for path in dumps if REFERENCE else [path for path in dumps if "public" not in path.parts]:
        report = opcheck("check", path, "-t", "npu@v2.1.0-5.0.0:910B", "-f", "json").json
        listed = {f["operator"] for f in report["findings"] if f["rule"] == "observed-aicpu"}
        verdicts = [(op["name"], op["observed"]["where"], op["verdicts"]["npu@v2.1.0-5.0.0:910B"]) for op in report["operators"]]
        slow = {name for name, where, verdict in verdicts if where == "ai-cpu"}
        fast = [verdict for name, where, verdict in verdicts if where == "device"]
        wrong = [verdict for verdict in fast if verdict.get("aicpu", {}).get("lo") == 1]
        ahead = {name for name, where, verdict in verdicts if where == "ai-cpu" and "aicpu" in verdict["flags"]}
        print("%s: on the AI CPU %s, predicted %s; on the AI Core %d operators, called AI CPU %d" % (
            path.name, sorted(slow), sorted(ahead), len(fast), len(wrong)))
        assert slow <= listed | ahead
        assert len(wrong) <= len(fast) * 0.02
