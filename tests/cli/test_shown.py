"""How much of a run's time a dump shows: the low ends of all shares are of the whole."""
import json
import re

import pytest

from conftest import FIXTURES

NPU = "npu@v2.7.1-26.0.0"


def table(rows, footers, device=False):
    """A table of one step. Rows: name, self CPU and self device microseconds."""
    columns = [("Name", 60), ("Self CPU %", 12), ("Self CPU", 12), ("CPU total", 12)]
    columns += [("Self CUDA", 12), ("Self CUDA %", 12), ("CUDA total", 12)] if device else []
    columns += [("# of Calls", 12)]
    dashes = "  ".join("-" * width for _, width in columns)
    lines = [dashes, "  ".join(name.rjust(width) for name, width in columns), dashes]
    for name, host, cuda in rows:
        cells = [name, "0.00%", f"{host:.3f}us", f"{host:.3f}us"]
        cells += [f"{cuda:.3f}us", "0.00%", f"{cuda:.3f}us"] if device else []
        lines.append("  ".join(cell.rjust(width) for cell, (_, width) in zip(cells + ["1"], columns)))
    return "\n".join(lines + [dashes] + footers) + "\n"


def report(opcheck, tmp_path, text, *more):
    (tmp_path / "a.log").write_text(text)
    return opcheck("check", tmp_path / "a.log", "-t", NPU, "-f", "json", *more).json


def rules(found):
    return [warning["rule"] for warning in found["inputs"][0]["capture"]["warnings"]]


ROWS = [("aten::relu", 90, 0), ("aten::abs", 60, 0), ("Optimizer.step#SGD.step", 50, 0)]


def test_a_table_that_shows_all_of_its_time_says_nothing_of_it(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(ROWS, ["Self CPU time total: 200.000us"]))
    assert "shown" not in found and found["targets"][0]["readiness"]["time"] == {"lo": 1, "hi": 1}


def test_rows_that_were_cut_are_in_no_low_end(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(ROWS, ["Self CPU time total: 1.050ms"]))
    target = found["targets"][0]
    assert found["shown"] == 0.15 and target["verdict"] == "inconclusive"
    for share in ("readiness", "coverage"):
        for basis in ("time", "calls", "operators"):
            assert target[share][basis] == {"lo": 0.15, "hi": 1}, (share, basis)
    assert target["where"]["unknown"] == {"lo": 0.85, "hi": 0.85}
    assert [op["time_share"] for op in found["operators"]] == [0.09, 0.06]
    assert "capture-rows-uncovered" in rules(found)
    assert found["inputs"][0]["capture"]["host_time"] == {"operators": 150, "missing": 850}


def test_the_first_sentence_is_how_little_is_shown(opcheck, tmp_path):
    (tmp_path / "a.log").write_text(table(ROWS, ["Self CPU time total: 1.050ms"]))
    for form, lead in (("text", r"^Readiness report[^\n]*\na\.log[^\n]*\n"), ("md", r"^\*\*a: UNKNOWN on [^\n]*\n\n")):
        text = opcheck("check", tmp_path / "a.log", "-t", NPU, "-f", form).text
        assert re.match(lead + r"The dump shows 15\.0 % of the self CPU time", text), form
    assert "The dump shows 15.0 %" in opcheck("check", tmp_path / "a.log", "-t", NPU, "-f", "html").text
    assert "15.0 %" not in opcheck("check", tmp_path / "a.log", "-t", NPU, "--max-uncovered-time", "90%", "-vv").text.split("Target")[0]


def test_a_cut_table_of_ours_is_of_the_whole(opcheck, tmp_path):
    """Half of the rows of a real table, whose footer stays."""
    text = (FIXTURES / "eras/2.6-cuda.log").read_text()
    before = report(opcheck, tmp_path, text)
    rows = [line for line in text.splitlines(True) if re.search(r"\d\.\d\d%", line)]
    after = report(opcheck, tmp_path, "".join(line for line in text.splitlines(True) if line not in rows[::2]))
    assert after["shown"] < before["shown"] < 1
    assert after["targets"][0]["readiness"]["time"]["lo"] <= after["shown"]


FUNCTIONS = [("aten::mm", 10, 540), ("_LayerNormMLPBackward", 10, 460), ("sm80_gemm", 0, 1000)]


def test_functions_with_device_time_of_their_own_are_uncovered_work(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(FUNCTIONS, ["Self CPU time total: 20.000us", "Self CUDA time total: 1.000ms"], True))
    assert found["shown"] == 0.54 and found["targets"][0]["readiness"]["time"] == {"lo": 0.54, "hi": 1}
    assert found["inputs"][0]["capture"]["device_time"] == {"operators": 540, "graphs": 0, "unlinked": 460, "functions": 460}
    assert {"capture-device-uncovered", "capture-uncovered-functions"} <= set(rules(found))


def test_device_time_beyond_the_rows_is_told_apart_from_functions(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(FUNCTIONS, ["Self CPU time total: 20.000us", "Self CUDA time total: 2.000ms"], True))
    assert found["shown"] == 0.27
    assert found["inputs"][0]["capture"]["device_time"] == {"operators": 540, "graphs": 0, "unlinked": 460, "functions": 460, "missing": 1000}
    assert {"capture-uncovered-rows", "capture-uncovered-functions"} <= set(rules(found))


def test_the_span_of_a_step_is_no_work(opcheck, tmp_path):
    """PyTorch 2.1 to 2.4 add the spans of steps and labels to the footer, later ones do not."""
    rows = [("aten::mm", 10, 990), ("sm80_gemm", 0, 990), ("ProfilerStep*", 100, 0), ("ProfilerStep*", 0, 1200)]
    for total in ("2.190ms", "990.000us"):
        found = report(opcheck, tmp_path, table(rows, ["Self CPU time total: 110.000us", f"Self CUDA time total: {total}"], True))
        assert "shown" not in found, total


def test_collectives_are_not_uncovered(opcheck, tmp_path):
    rows = [("aten::mm", 10, 600), ("c10d::allreduce_", 10, 400)]
    found = report(opcheck, tmp_path, table(rows, ["Self CPU time total: 20.000us", "Self CUDA time total: 1.000ms"], True))
    assert "shown" not in found
    assert found["inputs"][0]["capture"]["device_time"] == {"operators": 600, "collectives": 400, "graphs": 0, "unlinked": 0}


def test_a_report_says_how_much_was_shown_when_it_is_read_again(opcheck, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report(opcheck, tmp_path, table(ROWS, ["Self CPU time total: 1.050ms"]))))
    assert opcheck("convert", path, "-f", "json").json["shown"] == 0.15
    assert "The dump shows 15.0 %" in opcheck("convert", path, "-f", "text").text


def event(name, at, dur, kind="cpu_op", **args):
    thread = {"kernel": 7}.get(kind, 1)
    return {"ph": "X", "cat": kind, "name": name, "pid": 0 if kind == "kernel" else 1, "tid": thread, "ts": at, "dur": dur, "args": args}


def launched(kernel, at, dur, number):
    """A launch and the kernel that it started."""
    return [event("cudaLaunchKernel", at, 1, "cuda_runtime", correlation=number),
            event(kernel, at + 500, dur, "kernel", correlation=number)]


def causes(opcheck, tmp_path, events):
    (tmp_path / "t.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    found = opcheck("check", tmp_path / "t.json", "-t", NPU, "-f", "json").json
    warnings = found["inputs"][0]["capture"]["warnings"]
    return found, {w["rule"]: w["params"] for w in warnings if w["rule"].startswith("capture-uncovered-")}


OPERATOR = [event("aten::mm", 1000, 100, **{"External id": 1})] + launched("sm80_gemm", 1010, 60, 11)


def test_kernels_before_the_window_are_told_from_others_without_a_launch(opcheck, tmp_path):
    early = [event("sm80_gemm", 900, 30, "kernel", correlation=1), event("stray", 950, 10, "kernel", correlation=2)]
    late = [event("sm80_gemm", 2000, 20, "kernel", correlation=3)]
    found, why = causes(opcheck, tmp_path, early + OPERATOR + late)
    assert found["shown"] == 0.5
    assert found["inputs"][0]["capture"]["device_time"] == {"operators": 60, "graphs": 0, "unlinked": 60, "before": 30}
    assert why == {"capture-uncovered-before": {"share": "25.0", "names": " (sm80_gemm, stray)"},
                   "capture-uncovered-unlinked": {"share": "25.0", "names": " (sm80_gemm, stray)"}}


def test_generated_kernels_and_functions_have_causes_of_their_own(opcheck, tmp_path):
    generated = [event("triton_poi_fused_0", 1200, 50, kernel_backend="triton", **{"External id": 2}),
                 event("triton_poi_fused_0", 1205, 40, kernel_backend="triton", **{"External id": 3})]
    generated += launched("triton_poi_fused_0", 1210, 30, 12)
    function = [event("_LayerNormMLPBackward", 1300, 50, **{"External id": 4})] + launched("sm80_gemm", 1310, 30, 13)
    found, why = causes(opcheck, tmp_path, OPERATOR + generated + function)
    assert why == {"capture-uncovered-compiled": {"share": "25.0", "names": " (triton_poi_fused_0)"},
                   "capture-uncovered-functions": {"share": "25.0", "names": " (_LayerNormMLPBackward)"}}
    assert {entry["name"]: entry["calls"] for entry in found["ignored"] if "triton" in entry["name"]} == {"triton_poi_fused_0": 1}
    # who serves with vLLM has a switch of its own
    text = " ".join(opcheck("check", tmp_path / "t.json", "-t", NPU, "-vv").text.split())
    assert "TORCHDYNAMO_DISABLE=1. vLLM: enforce_eager=True." in text


def captured(launches, run):
    """Operators that launch into a graph, of which the first `run` run."""
    events = [event("cudaStreamBeginCapture", 1000, 1, "cuda_runtime"), event("cudaStreamEndCapture", 9000, 1, "cuda_runtime")]
    for at in range(launches):
        begin = 1010 + 100 * at
        events.append(event(f"aten::{'relu' if at else 'mm'}", begin, 80, **{"External id": at + 1, "Input Dims": [[at]]}))
        events += launched("gemm", begin + 10, 30, at + 1)[:2 if at < run else 1]
    return events


@pytest.mark.parametrize("run, basis", [(1, "self_cpu_time"), (10, "self_device_time")])
def test_a_trace_of_a_graph_capture_is_judged_by_host_time(opcheck, tmp_path, run, basis):
    found, _ = causes(opcheck, tmp_path, captured(10, run))
    assert found["basis"] == basis and ("capture-graph-recorded" in rules(found)) == (basis == "self_cpu_time")
    assert "capture-device-uncovered" not in rules(found)
    shares = {op["name"]: op["time_share"] for op in found["operators"]}
    assert shares == {"aten::mm": pytest.approx(0.1), "aten::relu": pytest.approx(0.9)}
    text = opcheck("check", tmp_path / "t.json", "-t", NPU, "-f", "text").text
    assert ("a graph was captured during the dump" in text) == (basis == "self_cpu_time")


def test_without_a_capture_the_same_launches_are_judged_by_device_time(opcheck, tmp_path):
    found, _ = causes(opcheck, tmp_path, captured(10, 1)[2:])
    assert found["basis"] == "self_device_time" and "capture-graph-recorded" not in rules(found)


def test_what_a_label_launches_inside_an_operator_is_the_operators(opcheck, tmp_path):
    label = [event("inner", 1020, 40, "user_annotation", **{"External id": 5})] + launched("sm80_gemm", 1030, 30, 12)
    found, why = causes(opcheck, tmp_path, OPERATOR + label)
    assert not why and "shown" not in found and found["operators"][0]["self_device_us"] == 90


def test_only_the_five_longest_names_are_listed(opcheck, tmp_path):
    strays = [event(f"stray{i}" + "x" * 80 * (i == 6), 2000 + 100 * i, i + 1, "kernel", correlation=100 + i) for i in range(7)]
    _, why = causes(opcheck, tmp_path, OPERATOR + strays)
    names = why["capture-uncovered-unlinked"]["names"]
    assert re.fullmatch(r" \(stray6x{42}\.\.\., stray5, stray4, stray3, stray2\)", names), names


def test_each_cause_has_its_own_advice_and_graphs_are_not_blamed_for_others(opcheck, tmp_path):
    causes(opcheck, tmp_path, OPERATOR + [event("stray", 2000, 90, "kernel", correlation=9)])
    text = opcheck("check", tmp_path / "t.json", "-t", NPU, "-f", "text").text
    assert "is linked to no operator (stray)" in text and "graph" not in text.split("Target")[0]


LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


def loaded(extra=(), device=False):
    """A model's operator, and others inside of a loader's __next__, of which the second may run on the device."""
    events = [event(LOADER, 100, 400, "user_annotation"),
              event("aten::stack", 110, 300), event("aten::_fused_rms_norm_backward", 120, 100), event("aten::gru_cell", 250, 40)]
    events += [event("aten::relu", 1000, 100, **{"External id": 1}), *extra]
    if device:
        events += [event("copy", 130, 20, "kernel", correlation=7), event("cudaLaunchKernel", 125, 1, "cuda_runtime", correlation=7)]
    return events


def verdict_of(found, name):
    return next(op for op in found["operators"] if op["name"] == name)["verdicts"][NPU]


def test_what_a_dataloader_calls_is_host_work_and_blocks_no_target(opcheck, tmp_path):
    lacking = "aten::_scaled_dot_product_efficient_attention_backward"
    events = [dict(e, name=lacking) if e["name"] == "aten::_fused_rms_norm_backward" else e for e in loaded()]
    found, _ = causes(opcheck, tmp_path, events)
    target = found["targets"][0]
    assert target["verdict"] == "ready" and not [f for f in found["findings"] if f["target"] == NPU]
    for name in ("aten::stack", lacking, "aten::gru_cell"):
        assert verdict_of(found, name)["flags"] == ["host-work"], name
    assert verdict_of(found, "aten::relu")["flags"] == [] and verdict_of(found, "aten::gru_cell")["status"] == "composite"
    assert target["where"]["host"] == {"lo": 0.75, "hi": 0.75}
    assert target["readiness"]["time"] == {"lo": 1, "hi": 1} and target["coverage"]["time"] == {"lo": 1, "hi": 1}
    assert len(found["operators"]) == 4
    text = opcheck("check", tmp_path / "t.json", "-t", NPU, "-f", "text").text
    assert "1 operator runs on the device, 3 in the DataLoader on the host" in re.sub(r"\s+", " ", text)
    # the same operator outside of the loader, too: the target has to run it
    again, _ = causes(opcheck, tmp_path, events + [event(lacking, 2000, 10)])
    assert again["targets"][0]["verdict"] == "blocked" and verdict_of(again, lacking)["status"] == "unsupported"


def test_what_a_dataloader_runs_on_the_device_is_no_host_work(opcheck, tmp_path):
    found, _ = causes(opcheck, tmp_path, loaded(device=True))
    assert verdict_of(found, "aten::_fused_rms_norm_backward")["flags"] != ["host-work"]
    assert verdict_of(found, "aten::gru_cell")["flags"] == ["host-work"]
