"""Why a verdict is what it is, in one sentence; work on the device that no operator launched."""
import pytest

import knowledge
from conftest import FIXTURES
from test_types import FLOAT, call, trace, written

NPU, MUSA = "npu@v2.7.1-26.0.0", "musa@v2.7.1"


def reasons(opcheck, path, *more):
    run = opcheck("check", path, "-t", NPU, "-t", MUSA, "-f", "json", *more)
    return {t["id"]: (t["verdict"], t["reason"]["rule"], t["reason"]["text"]) for t in run.json["targets"]}


def test_a_verdict_says_how_many_operators_decide_it_and_why(opcheck, tmp_path):
    found = reasons(opcheck, written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]), ("aten::abs", [[4]], [FLOAT]))))
    assert found[NPU] == ("ready", "reason-ready", "all 2 operators run on the device")

    found = reasons(opcheck, written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]), ("aten::histogram", [[4]], [FLOAT]))))
    assert found[MUSA][0] == "blocked"
    assert found[MUSA][2] == "1 operator does not run, 50.0 % of the total: aten::histogram (no kernel)"
    assert found[NPU] == ("ready-with-warnings", "reason-warnings",
                          "1 operator runs with a limit, 50.0 % of the total: aten::histogram (CPU fallback)")

    found = reasons(opcheck, written(tmp_path, trace(("mmcv::nms", [[4]], [FLOAT]), ("mmcv::bbox_overlaps", [[4]], [FLOAT]),
                                                     ("aten::histogram", [[4]], [FLOAT]))))
    assert found[MUSA][1] == "reason-blocked-mostly" and "3 operators do not run, 100.0 % of the total; 2 of them" in found[MUSA][2]


def test_the_reason_is_on_the_page_and_in_both_languages(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::relu", [[4]], [FLOAT])))
    for form in ("text", "html", "md"):
        assert "its 1 operator runs on the device" in opcheck("check", path, "-t", NPU, "-f", form).text
    assert "全部 1 个算子都在设备上运行" in opcheck("check", path, "-t", NPU, "-vv", "--lang", "zh-CN").text


def test_ready_with_warnings_has_a_warning(opcheck, tmp_path):
    for name in ("aten::bernoulli_", "aten::mode", "aten::normal_", "aten::sort"):
        report = knowledge.report(opcheck, written(tmp_path, trace((name, [[4]], [FLOAT]))), (NPU, "npu@v1.8.1-3.0.0"))
        for target in report["targets"]:
            warned = {f["target"] for f in report["findings"] if f["severity"] == "warning"}
            assert (target["verdict"] == "ready-with-warnings") <= (target["id"] in warned), (name, target)


def on_device(name, at, dur, correlation):
    return {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100 + at, "dur": dur,
            "args": {"correlation": correlation, "External id": correlation}}


def launch(name, at, correlation):
    return {"ph": "X", "cat": "cuda_runtime", "name": name, "pid": 1, "tid": 1, "ts": 100 + at, "dur": 1,
            "args": {"correlation": correlation, "External id": correlation}}


def graph_trace(graph_us):
    """One operator of 95 us on the device, and a captured graph."""
    document = trace(("aten::relu", [[4]], [FLOAT]))
    document["traceEvents"] += [launch("cudaLaunchKernel", 1, 1), on_device("k", 5, 95, 1),
                                launch("cudaGraphLaunch", 200, 99), on_device("k", 220, graph_us, 99)]
    return document


def test_work_of_captured_graphs_makes_a_verdict_inconclusive(opcheck, tmp_path):
    path = written(tmp_path, graph_trace(905))
    report = knowledge.report(opcheck, path, (NPU,))
    capture = report["inputs"][0]["capture"]
    warnings = {w["rule"]: w["text"] for w in capture["warnings"]}
    assert capture["device_time"] == {"operators": 95, "graphs": 905, "unlinked": 0}
    assert warnings["capture-device-uncovered"] == "operators cover 9.5 % of the device time"
    assert warnings["capture-uncovered-graphs"] == "90.5 % of the device time ran in captured graphs"
    assert report["targets"][0]["readiness"]["time"] == {"lo": 0.095, "hi": 1}
    assert report["targets"][0]["verdict"] == "inconclusive"
    assert "work that no operator launched" in report["targets"][0]["reason"]["text"]
    page = opcheck("check", path, "-t", NPU, "-f", "html").text
    assert page.count('<rect x="95" width="905" height="18"><title>launched by no recorded operator 90.5 %</title>') == 1
    assert opcheck("check", path, "-t", NPU, "--max-uncovered-time", "95%", "-f", "json").json["targets"][0]["verdict"] == "ready"


def test_a_little_uncovered_work_is_said_and_bears_on_nothing(opcheck, tmp_path):
    path = written(tmp_path, graph_trace(5))
    report = knowledge.report(opcheck, path, (NPU,))
    assert "capture-device-time" in {w["rule"] for w in report["inputs"][0]["capture"]["warnings"]}
    assert report["targets"][0]["verdict"] == "ready"
    assert opcheck("check", path, "-t", NPU, "--max-uncovered-time", "4%", "-f", "json").json["targets"][0]["verdict"] == "inconclusive"


def test_slow_units_warn_from_a_share_of_the_time_on(opcheck, tmp_path):
    """On the AI CPU for certain: half of the time. Below the limit it is a note, and the gate sees it all the same."""
    path = written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]), ("aten::remainder", [[8], [8]], ["double", "double"])))
    for limit, verdict, severity in (("5%", "ready-with-warnings", "warning"), ("50%", "ready-with-warnings", "warning"), ("51%", "ready", "note")):
        run = opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "--slow-time", limit, "-f", "json")
        target, = run.json["targets"]
        slow = [f for f in run.json["findings"] if f["rule"] == "op-aicpu"]
        assert target["where"]["aicpu"] == {"lo": 0.5, "hi": 0.5} and target["verdict"] == verdict, limit
        assert [f["severity"] for f in slow] == [severity], limit
        assert opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "--slow-time", limit, "--max-aicpu-time", "1%").status == 1
    assert opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "--slow-time", "5").status == 2


@pytest.mark.parametrize("dump", ("torch-1.13/resnet18.a-full.log", "torch-2.13/lastbatch.a-full.log"))
def test_static_networks_in_fp32_are_ready(opcheck, dump):
    """Rare copies and one random fill at the start make no target slow."""
    report = opcheck("check", FIXTURES / dump, "-t", "npu", "-t", "musa", "--dtype", "fp32", "-f", "json").json
    assert {t["verdict"] for t in report["targets"]} == {"ready"}
    assert not [f for f in report["findings"] if f["severity"] == "warning" and not f["rule"].startswith(("shape-", "op-compiles"))]
