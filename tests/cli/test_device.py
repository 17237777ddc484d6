"""Dumps made on a device: where they come from, what they prove, and how that agrees with what was predicted."""
import json
import re

import pytest

from conftest import FIXTURES

DETAILS = ("Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),"
           "Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\r\n")
KERNELS = "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us)\n"
INFO = {"config": {"common_config": {}}, "start_info": {}, "end_info": {}, "torch_npu_version": "2.7.1.post2", "cann_version": "8.5.0"}


def ascend(folder, rows, kernels=(), info=INFO, rank=None):
    output = folder / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    lines = ["%s,,,%s,%s,%s,%s,%s,%s\r\n" % ((name, 1, 1) + 4 * (device,)) for name, device in rows]
    (output / "operator_details.csv").write_text(DETAILS + "".join(lines), newline="")
    if kernels:
        (output / "kernel_details.csv").write_text(KERNELS + "".join("1,%s,%s,%s,1,%s\n" % row for row in kernels))
    if info is not None:
        name = "profiler_info.json" if rank is None else "profiler_info_%d.json" % rank
        (folder / name).write_text(info if isinstance(info, str) else json.dumps(info))
    return folder


ROWS = [("aten::mm", 8.5)] * 3 + [("aten::nonzero", 2.0), ("aten::view", 0), ("aten::view", 0), ("aten::t", 0), ("aten::isin", 3.0)]
TASKS = [("aclnnMm_MatMulCommon_MatMulV2", "MatMulV2", "AI_CORE", 25.5), ("aclnnNonzero_NonZero_NonZero", "NonZero", "AI_CPU", 2.0),
         ("Cast52", "Cast", "AI_CPU", 4.0)]


def report_of(opcheck, *args):
    run = opcheck("check", *args, "-f", "json")
    assert run.status == 0, run.err
    return run.json


def outcomes(agreement):
    return {entry["operator"]: (entry["outcome"], entry["observed"]) for entry in agreement["operators"]}


def test_the_folder_names_its_release(opcheck, tmp_path):
    report = report_of(opcheck, ascend(tmp_path / "w_1_ascend_pt", ROWS, TASKS))
    for told in report["inputs"]:
        assert told["device"] == {"kind": "npu", "sign": "tables", "torch": "", "plugin": "2.7.1.post2", "cann": "8.5.0", "chip": "",
                                  "release": "npu@v2.7.1-7.3.0"}
    # the release it was made with stands in for the newest one, unless the user names targets
    assert [t["id"].split("@")[0] for t in report["targets"]] == ["npu", "musa"]
    assert report["targets"][0]["id"] == "npu@v2.7.1-7.3.0"
    assert [(a["target"], a["made_on"]) for a in report["agreement"]] == [("npu@v2.7.1-7.3.0", True)]
    other = report_of(opcheck, tmp_path / "w_1_ascend_pt", "-t", "npu@2.1.0", "-t", "musa")
    assert [(a["target"].split("-")[0], a["made_on"]) for a in other["agreement"]] == [("npu@v2.1.0", False)]
    assert "agreement" not in report_of(opcheck, tmp_path / "w_1_ascend_pt", "-t", "musa")


def test_kernels_belong_to_the_operator_for_which_the_plugin_makes_their_call(opcheck, tmp_path):
    """The call has another name than the operator; of two that make it none is chosen."""
    tasks = [("aclnnReduceSum_CastAiCpu_Cast", "Cast", "AI_CPU", 3.0), ("aclnnReduceSum_ReduceSumOpAiCore_ReduceSum", "ReduceSum", "AI_CORE", 5.0)]
    report = report_of(opcheck, ascend(tmp_path / "w_1_ascend_pt", [*ROWS, ("aten::sum", 8.0)], tasks))
    found = next(op for op in report["operators"] if op["name"] == "aten::sum")["observed"]
    assert found["where"] == "ai-cpu" and "aclnnReduceSum" in json.dumps(found)
    assert [f["rule"] for f in report["findings"] if f["operator"] == "aten::sum" and f["rule"].startswith("observed")] == ["observed-aicpu"]
    other = report_of(opcheck, ascend(tmp_path / "x_1_ascend_pt", [*ROWS, ("aten::sum", 8.0), ("aten::count_nonzero", 8.0)], tasks))
    assert next(op for op in other["operators"] if op["name"] == "aten::sum")["observed"]["where"] == "device"
    assert "observed-aicpu-kernel" in [f["rule"] for f in other["findings"]]


@pytest.mark.parametrize("info, release", [
    (None, ""), ("{", ""), ("[1]", ""), (json.dumps({"torch_npu_version": "2.7.1"}), ""),
    (dict(INFO, torch_npu_version="9.9.9", cann_version="1"), ""),
    (dict(INFO, torch_npu_version="2.7.1", cann_version="9.0.0"), "npu@v2.7.1-26.0.0"),
    (dict(INFO, torch_npu_version="2.7.1.post4+gitabc"), "npu@v2.7.1-26.0.0"),
    (dict(INFO, torch_npu_version=7), ""),
    (" " * (1 << 20) + json.dumps(INFO), "")])
def test_what_the_info_file_may_say(opcheck, tmp_path, info, release):
    report = report_of(opcheck, ascend(tmp_path / "w_1_ascend_pt", ROWS, info=info, rank=3))
    assert report["inputs"][0]["device"]["release"] == release
    assert "agreement" in report


def test_what_is_seen_is_compared(opcheck, tmp_path):
    report = report_of(opcheck, ascend(tmp_path / "w_1_ascend_pt", ROWS, TASKS))
    agreement, = report["agreement"]
    found = outcomes(agreement)
    assert found["aten::mm"] == ("agrees", "device")
    assert found["aten::view"] == ("not-observable", "ran") and found["aten::t"] == ("not-observable", "called")
    assert found["aten::nonzero"][1] == "ai-cpu"
    assert set(found) == {o["name"] for o in report["operators"]}
    seen = {o["name"]: o["observed"] for o in report["operators"]}
    assert [e["rule"] for e in seen["aten::mm"]["evidence"]] == ["seen-device-time", "seen-launch"]
    sums = agreement["counts"]
    assert sum(s["operators"] for s in sums.values()) == len(found)
    assert sum(s["calls"] for s in sums.values()) == sum(o["calls"] for o in report["operators"])
    wrong = [o for o, (outcome, _) in found.items() if outcome.startswith("predicted")]
    right = [o for o, (outcome, _) in found.items() if outcome == "agrees"]
    assert agreement["score"]["operators"] == pytest.approx(len(right) / (len(right) + len(wrong)), abs=1e-6)


def test_work_on_the_ai_cpu_is_found(opcheck, tmp_path):
    report = report_of(opcheck, ascend(tmp_path / "w_1_ascend_pt", ROWS, TASKS))
    found = {f["rule"]: f for f in report["findings"] if f["rule"].startswith("observed-")}
    assert found["observed-aicpu"]["operator"] == "aten::nonzero" and found["observed-aicpu"]["target"] == ""
    assert found["observed-aicpu"]["params"]["tasks"] == "1"
    assert found["observed-aicpu"]["time_share"] == pytest.approx(2.0 / 31.5, abs=1e-6)
    assert found["observed-aicpu-kernel"]["params"]["type"] == "Cast"
    assert found["observed-aicpu-kernel"]["time_share"] == pytest.approx(4.0 / 31.5, abs=1e-6)


def test_warnings_in_the_log_tell_of_fallbacks(opcheck, tmp_path):
    log = (FIXTURES / "eras" / "2.1-npu-mem.log").read_text()
    path = tmp_path / "profiler.log"
    path.write_text("Warning: CAUTION: The operator 'aten::cat' is not currently supported on the NPU backend and will fall back to run"
                    " on the CPU. (function npu_cpu_fallback)\n" + log +
                    "NotImplementedError: Could not run 'aten::mode' with arguments from the 'PrivateUse1' backend.\n")
    report = report_of(opcheck, path, "-t", "npu@2.1.0")
    found = outcomes(report["agreement"][0])
    assert found["aten::cat"] == ("predicted-better", "host")
    assert found["aten::mode"][1] == "raised"  # it is in no table
    assert "aten::mode" not in {o["name"] for o in report["operators"]}
    rules = {(f["rule"], f["operator"]) for f in report["findings"]}
    assert ("observed-fallback", "aten::cat") in rules and ("observed-raised", "aten::mode") in rules
    # the times of the table are measured between events: they prove nothing
    assert {where for _, where in found.values()} <= {"host", "raised", "ran", "called"}


@pytest.mark.parametrize("name, kind", [("1.13-musa.log", "musa"), ("2.5-musa-flops.log", "musa"), ("1.5-npu.log", "npu"),
                                        ("1.8-npu.log", "npu"), ("2.1-two-devices.log", "npu"), ("2.6-cuda.log", None),
                                        ("2.4-privateuseone.log", None), ("1.11.log", None)])
def test_columns_tell_the_device(opcheck, name, kind):
    report = report_of(opcheck, FIXTURES / "eras" / name)
    device = report["inputs"][0].get("device")
    assert (device and device["kind"]) == kind
    assert ("agreement" in report) == bool(kind)
    assert all(("observed" in operator) == bool(kind) for operator in report["operators"])


def other_trace(properties=(), category="kernel"):
    events = [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 9, "args": {"External id": 1}},
              {"ph": "X", "cat": category, "name": "gemm", "pid": 0, "tid": 7, "ts": 3, "dur": 5, "args": {"External id": 1}}]
    return json.dumps({"schemaVersion": 1, **dict(properties), "traceEvents": events})


OTHERS = {
    "hpu": (FIXTURES / "eras/2.8-hpu.log").read_text(),
    "mtia": (FIXTURES / "eras/2.6-mtia.log").read_text(),
    "xpu": (FIXTURES / "eras/2.4-xpu.log").read_text(),
    "rocm": other_trace({"deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X"}]}),
    "hpu ": other_trace(category="hpu_op"),
    "mtia ": other_trace(category="mtia_ccp_events"),
    "xla": other_trace({"distributedInfo": {"backend": "xla", "rank": 0, "world_size": 2}}),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_another_accelerator_is_named_and_proves_nothing(opcheck, tmp_path, kind):
    path = tmp_path / "dump"
    path.write_text(OTHERS[kind])
    report = report_of(opcheck, path)
    device = report["inputs"][0]["device"]
    assert device["kind"] == kind.strip() and device["release"] == ""
    assert "agreement" not in report and not [op for op in report["operators"] if "observed" in op]
    for lang, words in (("en", "no prediction is compared"), ("zh-CN", "不与预测比较")):
        text = opcheck("check", path, "-f", "text", "--lang", lang).text
        assert words in re.sub(r"\s+", " " if lang == "en" else "", text), text[:400]
    run = opcheck("compare", path, path)
    assert run.status != 0 and "the dump does not come from an NPU" in run.err


def test_namespaces_of_another_accelerator_are_no_advice(opcheck, tmp_path):
    (tmp_path / "a.log").write_text(OTHERS["hpu"].replace(" aten::bmm ", "hpu::linear "))
    report = report_of(opcheck, tmp_path / "a.log")
    found = next(operator for operator in report["operators"] if operator["name"] == "hpu::linear")
    for verdict in found["verdicts"].values():
        assert verdict["status"] not in ("needs-package", "unsupported") and not verdict["advice"]
    assert not [fix for target in report["targets"] for fix in target["fixes"] if fix["kind"] == "package" and "hpu" in str(fix)]


def test_dumps_of_two_devices_prove_nothing_together(opcheck, tmp_path):
    folder = ascend(tmp_path / "w_1_ascend_pt", ROWS)
    report = report_of(opcheck, folder / "ASCEND_PROFILER_OUTPUT" / "operator_details.csv", FIXTURES / "eras" / "1.11.log")
    assert "agreement" not in report and not any("observed" in o for o in report["operators"])


@pytest.mark.parametrize("lang", ("en", "zh-CN"))
def test_every_format_shows_it_and_convert_gives_the_same(opcheck, tmp_path, lang):
    folder = ascend(tmp_path / "w_1_ascend_pt", ROWS, TASKS)
    saved = tmp_path / "report.json"
    assert opcheck("check", folder, "-o", "json=%s" % saved, "-q").status == 0
    for form in ("text", "html", "json", "csv"):
        direct = opcheck("check", folder, "-f", form, "--lang", lang, "-v")
        again = opcheck("convert", saved, "-f", form, "--lang", lang, "-v")
        assert direct.out == again.out and direct.status == 0
        if form in ("text", "html"):
            assert ("Agreement with the device" if lang == "en" else "与设备实测的一致性") in direct.text
            packed = "".join(direct.text.split())  # lines are wrapped anywhere
            assert "npu@v2.7.1-7.3.0" in packed and "CANN8.5.0" in packed


def test_a_report_with_a_broken_agreement_is_refused(opcheck, tmp_path):
    folder = ascend(tmp_path / "w_1_ascend_pt", ROWS, TASKS)
    report = report_of(opcheck, folder)
    saved = tmp_path / "report.json"
    for spoil in (lambda a: a.pop("score"), lambda a: a["operators"][0].pop("outcome"), lambda a: a.update(counts=[]),
                  lambda a: a["score"].update(calls=3), lambda a: a.update(target="\x1b[31m")):
        broken = json.loads(json.dumps(report))
        spoil(broken["agreement"][0])
        saved.write_text(json.dumps(broken))
        run = opcheck("convert", saved, "-f", "json")
        assert run.status == 3 and "has no usable" in run.err


def kineto(events, **members):
    trace = {"schemaVersion": 1, "traceEvents": events, "traceName": "x"}
    return json.dumps({**members, **trace})


def operator(number, name, ts, dur, **more):
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 2, "ts": ts, "dur": dur,
            "args": {"External id": number, "Input Dims": [[2, 3]], "Input type": ["float"], **more}}


def test_a_trace_of_musa(opcheck, tmp_path):
    launch = {"ph": "X", "cat": "cuda_runtime", "name": "musaLaunchKernel", "pid": 1, "tid": 2, "ts": 11, "dur": 1,
              "args": {"correlation": 5}}
    kernel = {"ph": "X", "cat": "kernel", "name": "mudnn_gemm", "pid": 0, "tid": 7, "ts": 12, "dur": 4,
              "args": {"correlation": 5, "External id": 1}}
    path = tmp_path / "musa.pt.trace.json"
    path.write_text(kineto([operator(1, "aten::mm", 10, 5), launch, kernel, operator(2, "aten::t", 20, 1)],
                           deviceProperties=[{"id": 0, "name": "MTT S4000"}], musa_runtime_version=40300))
    report = report_of(opcheck, path, "-t", "musa")
    device = report["inputs"][0]["device"]
    assert (device["kind"], device["chip"], device["release"]) == ("musa", "MTT S4000", "")
    assert outcomes(report["agreement"][0]) == {"aten::mm": ("agrees", "device"), "aten::t": ("not-observable", "called")}


def test_the_fallback_copies_inside_of_the_call(opcheck, tmp_path):
    path = tmp_path / "npu.pt.trace.json"
    path.write_text(kineto([operator(1, "aten::mode", 10, 50), operator(2, "aten::_to_cpu", 12, 5), operator(3, "npu::npu_x", 80, 5)]))
    report = report_of(opcheck, path, "-t", "npu@2.7.1")
    found = outcomes(report["agreement"][0])
    assert found["aten::mode"][1] == "host"
    assert ("observed-fallback", "aten::mode") in {(f["rule"], f["operator"]) for f in report["findings"]}


def test_real_tables_of_an_npu(opcheck, reference):
    real = reference / "samples"
    report = report_of(opcheck, real / "synthetic" / "npu_20240501101010123_ascend_pt")
    agreement, = report["agreement"]
    assert agreement["state"] == "compared" and agreement["score"]["operators"] == 1
    run = opcheck("check", real / "real-traces" / "npu-2023-kernel_details.csv")
    assert run.status == 3 and "no operator of PyTorch" in run.err
