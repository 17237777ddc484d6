"""What was seen on devices: reports of crashes and wrong results, types that the vendor's tests do not run, and who is believed."""
import json

import pytest

MUSA = "musa@v2.7.1"


def trace(path, name, dtype):
    """One call of an operator with two matrices of a type."""
    args = {"Input Dims": [[8, 8], [8, 8]], "Input type": [dtype, dtype]}
    event = {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": args}
    path.write_text(json.dumps({"traceEvents": [event]}), encoding="utf-8")
    return path


def check(opcheck, path, target):
    report = opcheck("check", path, "-t", target, "-f", "json").json
    (operator,) = report["operators"]
    return report, operator["verdicts"][target], {f["rule"]: f for f in report["findings"]}


@pytest.mark.parametrize("name, dtype, target, rule, words", [
    ("aten::mode", "c10::Half", "musa@v2.7.1:S5000", "op-reported-possible", "S5000, 2026-09-22: repeated native torch.mode"),
    ("aten::mode", "float", "musa@v2.7.1:S5000", None, ""),  # the report names other types
    ("aten::mode", "c10::Half", "musa@v2.7.1:S4000", None, ""),  # and another chip
    ("aten::native_layer_norm", "float", "musa@v2.7.1:S5000", "op-reported-possible", "S5000, 2026-08-18: MUSA 5.2 job"),
    ("aten::isneginf", "float", "npu@v2.7.1-26.0.0:310P", "op-reported-crash", "310P, 2026-01-21: aclnnIsNegInf failed"),
    ("aten::isneginf", "float", "npu@v2.7.1-26.0.0", None, ""),  # judged for the common chips
])
def test_a_crash_is_a_warning_with_its_report_and_no_status(opcheck, tmp_path, name, dtype, target, rule, words):
    _, verdict, findings = check(opcheck, trace(tmp_path / "t.json", name, dtype), target)
    told = {r for r in findings if r.startswith("op-reported")}
    assert told == ({rule} if rule else set())
    assert verdict["status"] not in ("unsupported", "unknown")
    if rule:
        found = findings[rule]
        assert found["severity"] == ("note" if rule == "op-reported-possible" else "warning")
        assert found["params"]["report"].startswith(words)
        (evidence,) = found["evidence"]
        assert evidence["kind"] == "report" and evidence["ref"].startswith("https://")


def test_a_gate_on_reported_operators_knows_crashes(opcheck, tmp_path):
    path = trace(tmp_path / "t.json", "aten::isneginf", "float")
    assert opcheck("check", path, "-t", "npu@v2.7.1-26.0.0:310P", "--fail-on", "reported-broken", "-f", "json").status == 1
    path = trace(tmp_path / "t.json", "aten::mode", "c10::Half")  # which calls crash is not known
    assert opcheck("check", path, "-t", "musa@v2.7.1:S5000", "--fail-on", "reported-broken", "-f", "json").status == 0


def capture(path, *names):
    """An operator, and calls of the runtime around it."""
    args = {"Input Dims": [[8, 8], []], "Input type": ["float", ""]}
    events = [{"ph": "X", "cat": "cpu_op", "name": "aten::empty_strided", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": args}]
    events += [{"ph": "X", "cat": "cuda_runtime", "name": name, "pid": 1, "tid": 1, "ts": 10 + at, "dur": 1, "args": {}}
               for at, name in enumerate(names)]
    path.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    return path


def test_a_report_about_graph_capture_is_shown_where_a_graph_was_captured(opcheck, tmp_path):
    _, _, findings = check(opcheck, capture(tmp_path / "a.json", "cudaLaunchKernel"), MUSA)
    assert not [rule for rule in findings if rule.startswith("op-reported")]
    # each call of a capture is a sign: a profile may begin or end inside
    for name in ("cudaStreamBeginCapture", "cudaStreamEndCapture", "aclmdlRICaptureBegin", "aclmdlRICaptureEnd", "cudaGraphInstantiate"):
        _, verdict, findings = check(opcheck, capture(tmp_path / "b.json", name), MUSA)
        assert findings["op-reported-possible"]["severity"] == "note", name  # it has no public link
        assert "reported-broken" not in verdict["flags"], name


@pytest.mark.parametrize("dims, rule", [([[], []], "op-reported-possible"), ([[4], []], None)])
def test_a_report_applies_to_the_calls_that_its_condition_names(opcheck, tmp_path, dims, rule):
    args = {"Input Dims": dims, "Input type": ["long int", "long int"]}  # of no dimensions: a tensor or a number
    event = {"ph": "X", "cat": "cpu_op", "name": "aten::__rshift__", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": args}
    (tmp_path / "t.json").write_text(json.dumps({"traceEvents": [event]}), encoding="utf-8")
    target = "npu@v2.7.1-26.0.0:910B"
    report, _, findings = check(opcheck, tmp_path / "t.json", target)
    assert {r for r in findings if r.startswith("op-reported")} == ({rule} if rule else set())


def test_a_type_that_the_vendor_does_not_test_counts_in_the_upper_end_alone(opcheck, tmp_path):
    report, verdict, findings = check(opcheck, trace(tmp_path / "t.json", "aten::logical_and", "bool"), MUSA)
    assert "untested" in verdict["flags"] and verdict["status"] == "native"
    assert findings["op-untested"]["params"]["dtypes"] == "bool" and findings["op-untested"]["params"]["tested"]
    assert report["targets"][0]["readiness"]["operators"] == {"lo": 0, "hi": 1}
    assert report["targets"][0]["verdict"] == "inconclusive"


def test_a_type_that_is_supposed_where_none_is_shown_is_named_and_leaves_the_interval(opcheck, tmp_path):
    report, verdict, findings = check(opcheck, trace(tmp_path / "t.json", "aten::glu", "c10::Half"), MUSA)
    assert "untested" in verdict["flags"] and findings["op-untested"]["severity"] == "warning"
    assert report["targets"][0]["readiness"]["operators"] == {"lo": 1, "hi": 1}


@pytest.mark.parametrize("name, dtype", [
    ("aten::mm", "float"),  # tested
    ("aten::bitwise_xor", "unsigned char"),  # PyTorch's own kernel, made for the device
    ("aten::hardshrink", "double"),  # no test is known
])
def test_other_types_are_not_called_untested(opcheck, tmp_path, name, dtype):
    _, verdict, findings = check(opcheck, trace(tmp_path / "t.json", name, dtype), MUSA)
    assert "untested" not in verdict["flags"] and "op-untested" not in findings


@pytest.mark.parametrize("name, target, limited", [
    ("aten::resolve_conj", "musa@v1.3.0", True), ("aten::resolve_conj", "musa@v2.7.1", False), ("aten::resolve_neg", "musa@v2.7.0", True)])
def test_a_mark_that_no_dump_shows_limits_what_takes_it_away_and_a_view_in_a_dump_stays_one(opcheck, tmp_path, name, target, limited):
    """Before 2.7.1 torch_musa copies no tensor whose conjugation or negation is lazy."""
    done = opcheck("op", name, "-t", target, "-f", "json").json["operators"][0]
    assert ("complex64" in done["facts"][target]["refuses"]) == ("dtype-limited" in done["verdicts"][target]["flags"]) == limited
    assert any(note["text"].startswith("where ") and note["evidence"] == "source" for note in done["facts"][target]["notes"]) == limited
    _, verdict, findings = check(opcheck, trace(tmp_path / "t.json", name, "c10::complex<float>"), target)
    assert verdict["status"] == "composite" and "op-dtype" not in findings


def test_nothing_is_untested_where_no_dump_shows_types(opcheck, tmp_path):
    path = tmp_path / "ops.txt"
    path.write_text("aten::logical_and\naten::mul\n", encoding="utf-8")
    report = opcheck("check", path, "-t", MUSA, "-f", "json").json
    assert not [f for f in report["findings"] if f["rule"] == "op-untested"]
    text = " ".join(opcheck("op", "aten::logical_and", "-t", MUSA).text.split())
    assert "the library behind is closed and says nothing of other types" in text


def test_a_kernel_that_runs_other_operators_names_them(opcheck):
    text = " ".join(opcheck("op", "aten::count_nonzero", "-t", MUSA).text.split())
    assert "source: composed: ne sum" in text


def test_a_type_outside_a_list_that_the_kernel_checks_is_refused(opcheck, tmp_path):
    _, verdict, _ = check(opcheck, trace(tmp_path / "t.json", "aten::abs", "short int"), MUSA)
    assert verdict["status"] == "unsupported" and "refuses int16" in verdict["via"]
