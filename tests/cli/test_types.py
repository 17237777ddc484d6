"""Data types, chips and overloads in a report: what a dump shows of them, and what follows on a target."""
import json
import re

import pytest

import knowledge
import page_data
from conftest import FIXTURES

FLOAT, HALF, BFLOAT = "float", "c10::Half", "c10::BFloat16"


def call(name, dims, types, values=None, at=0):
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 100 + 10 * at, "dur": 5,
            "args": {"External id": at + 1, "Input Dims": dims, "Input type": types, "Concrete Inputs": values or [""] * len(dims)}}


def trace(*calls):
    events = [call(*one, at=at) for at, one in enumerate(calls)]
    return {"schemaVersion": 1, "traceEvents": events, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1}


def written(tmp_path, document, name="trace.json"):
    path = tmp_path / name
    path.write_text(json.dumps(document))
    return path


def verdicts(report, name, target):
    operator, = (o for o in report["operators"] if o["name"] == name)
    return operator["verdicts"][target]


def rules(report):
    return {f["rule"] for f in report["findings"]}


def test_a_type_that_the_chip_lacks_stops_the_operator(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::relu", [[4]], [BFLOAT])))
    report = knowledge.report(opcheck, path, ("npu@v2.7.1-26.0.0:910A", "npu@v2.7.1-26.0.0:910B"))
    old, new = (t["id"] for t in report["targets"])
    assert verdicts(report, "aten::relu", old)["status"] == "unsupported"
    assert verdicts(report, "aten::relu", old)["via"].endswith("; refuses bf16")
    assert verdicts(report, "aten::relu", new)["status"] == "native"
    assert [t["verdict"] for t in report["targets"]][0] == "blocked"


def test_types_that_are_not_shown_make_a_condition(opcheck, tmp_path):
    document = knowledge.without(trace(("aten::relu", [[4]], [BFLOAT])), knowledge.TYPES)
    report = knowledge.report(opcheck, written(tmp_path, document), ("npu@v2.7.1-26.0.0:910A", "npu@v2.7.1-26.0.0:910B"))
    old, new = (verdicts(report, "aten::relu", t["id"]) for t in report["targets"])
    assert old["status"] == "native" and [c["params"]["dtypes"] for c in old["conditions"]] == ["bf16"]
    assert old["conditions"][0]["rule"] == "op-dtype-open" and not new["conditions"]
    assert report["targets"][0]["readiness"]["operators"] == {"lo": 0, "hi": 1}
    assert "capture-no-dtypes" in {w["rule"] for w in report["inputs"][0]["capture"]["warnings"]}


def test_a_condition_stands_beside_the_status_in_every_format(opcheck, tmp_path):
    document = knowledge.without(trace(("aten::relu", [[4]], [BFLOAT])), knowledge.TYPES)
    path, target = written(tmp_path, document), "npu@v2.7.1-26.0.0:910A"
    shown = {form: opcheck("check", path, "-t", target, "-v", "-f", form).text for form in ("text", "html", "md", "csv")}
    tag = re.search(r'<span class="([^"]*)"[^>]*>native, not bf16<', shown["html"])
    assert tag and tag[1].split()[-1] == "doubt" and ">native</span>" not in page_data.rows(shown["html"])["aten::relu"]
    assert "~native " in shown["text"] and "~ aten::relu on %s: native, not bf16" % target in " ".join(shown["text"].split())
    assert "native, not bf16" in shown["md"] and ",op-dtype-open," in shown["csv"]
    typed = written(tmp_path, trace(("aten::relu", [[4]], [FLOAT])), "typed.json")
    for form in ("text", "html", "md"):
        assert "not bf16" not in opcheck("check", typed, "-t", target, "-f", form).text


def test_targets_without_a_column_are_named(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::relu", [[4]], [FLOAT])))
    targets = ["npu@v2.7.1-26.0.0", "npu@v2.6.0-7.3.0", "musa@v2.7.1", "musa@v2.5.0", "musa@v1.3.0"]
    asked = [word for t in targets for word in ("-t", t)]
    text = " ".join(opcheck("check", path, *asked, "-vv").text.split())
    assert "3 targets have no column here: musa@v2.7.1, musa@v2.5.0, musa@v1.3.0. All are in -f html" in text
    for form, head in (("html", "<th"), ("md", "| Share")):
        text = opcheck("check", path, *asked, "-v", "-f", form).text
        assert "no column" not in text and all(any(t in line for line in text.splitlines() if head in line) for t in targets), form


OLD, NEW = "npu@v2.7.1-26.0.0:910A", "npu@v2.7.1-26.0.0:910B"


def untyped(tmp_path, *names):
    return written(tmp_path, knowledge.without(trace(*((n, [[4]], [FLOAT]) for n in names)), knowledge.TYPES))


def words(report):
    return [t["verdict"] for t in report["targets"]]


def test_types_that_nobody_shows_are_one_question_with_the_verdict_for_each_answer(opcheck, tmp_path):
    report = knowledge.report(opcheck, untyped(tmp_path, "aten::relu", "aten::abs"), (OLD, NEW))
    question, = report["questions"]
    old, new = (t["id"] for t in report["targets"])
    assert question["id"] == "dtype-bf16" and question["params"]["count"] == "2"
    assert question["text"] == "Do you run in bf16? 2 operators may not accept it: aten::abs, aten::relu."
    assert {a["value"]: a["verdicts"][old] for a in question["answers"]} == {"yes": "inconclusive", "no": "ready-with-warnings"}
    assert {a["verdicts"][new] for a in question["answers"]} == {"ready"}
    assert question["deciding"] == {old: ["aten::abs", "aten::relu"]}
    assert words(report) == ["inconclusive", "ready"] and "op-dtype-if" not in rules(report)
    assert "(data types unknown)" in report["targets"][0]["reason"]["text"]


def test_questions_are_one_where_the_same_operators_decide_them(opcheck, tmp_path):
    """A report that lacks a verdict of an answer is refused: renderers look it up by its place."""
    report = knowledge.report(opcheck, FIXTURES / "torch-1.13" / "resnet18.a-full.log", ("musa@v2.7.1",))
    shown = lambda: opcheck("convert", written(tmp_path, report), "-f", "md")  # noqa: E731
    assert "bf16/fp16: inconclusive (aten::native\\_batch\\_norm\\_backward)" in shown().text
    report["questions"][1]["deciding"] = {"musa@v2.7.1": ["aten::relu"]}
    assert "bf16: inconclusive (aten::native\\_batch\\_norm\\_backward)" in shown().text and " fp16: inconclusive (aten::relu)" in shown().text
    report["questions"][1]["answers"][1]["verdicts"] = {}
    assert shown().status == 3 and "no usable 'answers'" in shown().err


def test_a_question_says_which_verdict_each_answer_leads_to_and_through_which_operators(opcheck, tmp_path):
    path = untyped(tmp_path, "aten::relu", "aten::abs")
    text = " ".join(opcheck("check", path, "-t", OLD, "-t", NEW, "-vv").text.split())
    assert "910A: bf16: inconclusive (aten::abs, aten::relu); fp32: ready with warnings" in text and "910B: bf16" not in text
    text = "".join(opcheck("check", path, "-t", OLD, "-vv", "--lang", "zh-CN").text.split())
    assert "910A：bf16：无法定论（aten::abs,aten::relu）；fp32：就绪，有告警" in text
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck("check", path, "-t", OLD, "-f", "json").out)
    assert opcheck("convert", saved, "-f", "text").out == opcheck("check", path, "-t", OLD, "-f", "text").out


def test_a_question_whose_answers_lead_to_one_verdict_is_not_asked(opcheck, tmp_path):
    report = opcheck("check", untyped(tmp_path, "aten::relu", "somebody::fused"), "-t", OLD, "-f", "json").json
    assert "questions" not in report and words(report) == ["inconclusive"]


@pytest.mark.parametrize("stated, verdict, found", [("fp32", "ready-with-warnings", set()),
                                                    ("fp32,fp16", "ready-with-warnings", set()),
                                                    ("fp32, bf16", "inconclusive", {"op-dtype"})])
def test_stated_types_answer_the_question(opcheck, tmp_path, stated, verdict, found):
    report = opcheck("check", untyped(tmp_path, "aten::relu"), "-t", OLD, "--dtype", stated, "-f", "json").json
    assert "questions" not in report and words(report) == [verdict]
    assert rules(report) & {"op-dtype", "op-dtype-if", "op-dtype-open"} == found


def test_types_of_other_calls_hold_and_nothing_is_asked(opcheck, tmp_path):
    first = written(tmp_path, trace(("aten::abs", [[4]], [BFLOAT])), "a.json")
    second = untyped(tmp_path, "aten::relu")
    report = opcheck("check", first, second, "-t", OLD, "-f", "json").json
    assert "questions" not in report
    assert "op-dtype-if" in rules(report)


def test_the_gate_counts_what_every_answer_has(opcheck, tmp_path):
    path = untyped(tmp_path, "aten::relu")
    for word in ("conditional", "dtype-limited"):
        assert opcheck("check", path, "-t", OLD, "--fail-on", word, "-q").status == 0
        assert opcheck("check", path, "-t", OLD, "--dtype", "bf16", "--fail-on", word, "-q").status == 1


def test_open_types_are_no_input_where_types_are_required(opcheck, tmp_path):
    path = untyped(tmp_path, "aten::relu")
    run = opcheck("check", path, "-t", OLD, "--require-dtypes")
    assert run.status == 3 and "--dtype" in run.err
    assert opcheck("check", path, "-t", OLD, "--require-dtypes", "--dtype", "fp32").status == 0
    assert opcheck("check", path, "-t", NEW, "--require-dtypes").status == 0
    assert opcheck("check", path, "--dtype", "bf17").status == 2


def test_a_saved_report_with_a_question_renders_the_same(opcheck, tmp_path):
    path, saved = untyped(tmp_path, "aten::relu"), tmp_path / "report.json"
    saved.write_bytes(opcheck("check", path, "-t", OLD, "-t", NEW, "-f", "json").out)
    for form in ("text", "html", "md", "json"):
        again = opcheck("convert", saved, "-f", form)
        assert again.status == 0 and again.out == opcheck("check", path, "-t", OLD, "-t", NEW, "-f", form).out


def test_a_report_says_which_chips_it_is_about(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::relu", [[4]], [FLOAT])))

    def warned(*targets):
        return {w["rule"]: w.get("params") for w in knowledge.report(opcheck, path, targets)["warnings"]}

    assert warned("npu")["chip-assumed"] == {"target": "npu", "chips": "910B, 910_93"}
    assert "chip-assumed" not in warned("npu:910B") and "chip-assumed" not in warned("musa")
    assert warned("musa:S4000")["chip-not-told-apart"]["target"] == "musa"
    assert "chip-assumed" not in warned("npu:910_95", "npu:310P", "npu:910A")


@pytest.mark.parametrize("target, known", [("npu:911", "910A, 310P, 910B, 310B, 910_93, 950"), ("musa:S1", "S80, S3000, S4000, S5000")])
def test_an_unknown_chip_lists_the_known_ones(opcheck, tmp_path, target, known):
    done = opcheck("check", written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]))), "-t", target)
    assert done.status == 2 and target.split(":")[1] in done.err and known in done.err


def test_chips_compile_and_take_lists_in_their_own_ways(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::cat", [[[4], [4]], []], ["TensorList", "Scalar"]),
                                   ("aten::_foreach_add_", [[[4], [4]], []], ["TensorList", "Scalar"])))
    ids = ("npu@v2.7.1-26.0.0:910A", "npu@v2.7.1-26.0.0:910B", "npu@v2.7.1-26.0.0")
    report = knowledge.report(opcheck, path, ids)
    slow = {f["target"] for f in report["findings"] if f["rule"] == "op-slow-path"}
    assert slow == {"npu@v2.7.1-26.0.0:910A"}


@pytest.mark.parametrize("rule, one", [
    ("dtype-fp64", ("aten::sin", [[4]], ["double"])),
    ("dtype-complex", ("aten::mul", [[4], [4]], ["c10::complex<float>", "c10::complex<float>"])),
    ("dtype-bf16", ("aten::sin", [[4]], [BFLOAT])),
    ("dtype-fp8", ("aten::_to_copy", [[4], [], [], [], [], [], []], ["c10::Float8_e4m3fn", "Scalar", "", "", "", "Scalar", ""])),
    ("dtype-int64-keys", ("aten::sort", [[4], [], []], ["long int", "Scalar", "Scalar"])),
    ("dtype-bool", ("aten::cumsum", [[4], [], []], ["bool", "Scalar", ""])),
])
def test_hot_spots_are_named(opcheck, tmp_path, rule, one):
    report = knowledge.report(opcheck, written(tmp_path, trace(one)), ("npu",))
    finding, = (f for f in report["findings"] if f["rule"] == rule)
    assert finding["params"]["operators"] == one[0] and finding["params"]["count"] == "1"


def test_numbers_and_masks_are_no_hot_spots(opcheck, tmp_path):
    report = knowledge.report(opcheck, written(tmp_path, trace(
        ("aten::mul", [[4], []], [FLOAT, "double"]), ("aten::sort", [[4], [], []], [FLOAT, "Scalar", "Scalar"]),
        ("aten::masked_fill", [[4], [4], []], [FLOAT, "bool", "Scalar"]), ("aten::embedding", [[9, 4], [3], [], [], []],
                                                                           [FLOAT, "long int", "Scalar", "Scalar", "Scalar"]))), ("npu",))
    assert not {r for r in rules(report) if r.startswith("dtype-")}


@pytest.mark.parametrize("types, values, status, via", [
    ([FLOAT, "Scalar"], ["", "0"], "native", "the only overload that fits, by dtypes and shapes: clamp_min"),
    ([FLOAT, FLOAT], ["", ""], "unsupported", "the only overload that fits, by dtypes and shapes: clamp_min.Tensor"),
])
def test_the_overload_that_is_called_is_judged(opcheck, tmp_path, types, values, status, via):
    report = knowledge.report(opcheck, written(tmp_path, trace(("aten::clamp_min", [[4], []], types, values))), ("musa@v1.3.0",))
    verdict = verdicts(report, "aten::clamp_min", "musa@v1.3.0")
    assert verdict["status"] == status and verdict["via"].endswith("; " + via)
    assert [o["name"] for o in verdict["overloads"]] == [via.rsplit(" ", 1)[1]] and "mixed-overloads" not in verdict["flags"]


def test_overloads_that_cannot_be_told_are_mixed(opcheck, tmp_path):
    document = knowledge.without(trace(("aten::clamp_min", [[4], []], [FLOAT, FLOAT])), knowledge.TYPES | knowledge.VALUES)
    report = knowledge.report(opcheck, written(tmp_path, document), ("musa@v1.3.0",))
    verdict = verdicts(report, "aten::clamp_min", "musa@v1.3.0")
    assert verdict["status"] == "native" and "mixed-overloads" in verdict["flags"]
    assert [(o["name"], o["status"]) for o in verdict["overloads"]] == [("clamp_min", "native"), ("clamp_min.Tensor", "unsupported")]
    assert report["targets"][0]["readiness"]["operators"] == {"lo": 0, "hi": 1}


@pytest.mark.parametrize("fixture", ["kineto-2.6.pt.trace.json.gz", "kineto-1.8.pt.trace.json.gz", "compilemarks.c.trace.json.gz"])
def test_types_and_values_never_widen(opcheck, tmp_path, fixture):
    knowledge.hold_knowledge(opcheck, tmp_path, knowledge.load(FIXTURES / "traces" / fixture))


def test_types_never_widen_operator_by_operator(opcheck, tmp_path):
    calls = [(name, dims, [kind if word == "T" else word for word in words])
             for kind in (FLOAT, HALF, BFLOAT)
             for name, dims, words in [
                 ("aten::add", [[4], [4], []], ["T", "T", "Scalar"]), ("aten::mm", [[4, 4], [4, 4]], ["T", "T"]),
                 ("aten::sort", [[4], [], []], ["T", "Scalar", "Scalar"]), ("aten::argsort", [[4], [], []], ["T", "Scalar", "Scalar"]),
                 ("aten::cumsum", [[4], [], []], ["T", "Scalar", ""]), ("aten::relu", [[4]], ["T"]),
                 ("aten::bernoulli_", [[4], [], []], ["T", "Scalar", ""]), ("aten::where", [[4], [4], [4]], ["bool", "T", "T"])]]
    for number, one in enumerate(calls):
        folder = tmp_path / str(number)
        folder.mkdir()
        knowledge.hold_knowledge(opcheck, folder, trace(one))


@pytest.mark.parametrize("name, dims, types, refused", [
    ("aten::mm", [[4, 4], [4, 4]], ["long int", "long int"], "int64"),
    ("aten::sort", [[4], [], []], ["double", "Scalar", "Scalar"], "fp64"),
])
def test_types_that_the_kernels_reject_stop_the_run(opcheck, tmp_path, name, dims, types, refused):
    path = written(tmp_path, trace((name, dims, types)))
    report = knowledge.report(opcheck, path, ("npu@v2.7.1-26.0.0",))
    verdict = verdicts(report, name, "npu@v2.7.1-26.0.0")
    assert verdict["status"] == "unsupported" and verdict["via"].endswith("refuses " + refused)
    assert report["targets"][0]["verdict"] == "blocked"
    # of a release for a CANN that nobody read it is a condition
    report = knowledge.report(opcheck, path, ("npu@v2.6.0-7.1.0",))
    condition, = verdicts(report, name, "npu@v2.6.0-7.1.0")["conditions"]
    assert condition["rule"] == "op-dtype" and condition["params"]["dtypes"] == refused
    assert report["targets"][0]["verdict"] == "inconclusive"


def test_every_form_of_the_arguments_has_its_types(opcheck, tmp_path):
    path = written(tmp_path, trace(
        ("aten::add", [[2, 3], [3], []], [FLOAT, BFLOAT, "Scalar"]), ("aten::add", [[2, 3], [3], []], ["long int", "c10::qint8", ""]),
        ("aten::add", [[2, 3], [3], []], [HALF, "std::pair<a, b>", "Scalar"]), ("aten::cat", [[], []], ["TensorList", "Scalar"])))
    report = knowledge.report(opcheck, path, ("npu",))
    types = {o["name"]: [s["dtypes"] for s in o["shapes"]] for o in report["operators"]}
    assert types == {"aten::add": [["fp16", None, None], ["fp32", "bf16", None], ["int64", "c10::qint8", None]], "aten::cat": [[None, None]]}
    page = page_data.rows(opcheck("check", path, "-f", "html").text)["aten::add"]
    assert "<code>[[2,3],[3],[]]</code> fp32, bf16 \u00d7 1" in page and "<code>[[2,3],[3],[]]</code> int64, c10::qint8 \u00d7 1" in page
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck("check", path, "-f", "json").out)
    for form in ("json", "html"):
        assert opcheck("convert", saved, "-f", form).out == opcheck("check", path, "-f", form).out
    bare = knowledge.report(opcheck, written(tmp_path, knowledge.without(trace(("aten::relu", [[4]], [FLOAT])), knowledge.TYPES)), ("npu",))
    assert bare["operators"][0]["shapes"][0]["dtypes"] is None


def test_a_quantized_type_is_no_unknown_one(opcheck, tmp_path):
    path = written(tmp_path, trace(("quantized::add", [[4], [4], [], []], ["c10::quint8", "c10::quint8", "Scalar", "Scalar"]),
                                   ("aten::relu", [[4]], ["c10::BFloat16"])))
    report = opcheck("check", path, "-t", "npu@v2.1.0-6.0.0:910A", "-f", "json").json
    assert [f["operator"] for f in report["findings"] if f["rule"].startswith("op-dtype") or f["rule"] == "op-unsupported"] == ["aten::relu"]


@pytest.mark.parametrize("name, refused", [("aten::_fft_c2c", False), ("aten::abs", False), ("aten::_local_scalar_dense", False), ("aten::ceil", True)])
def test_types_that_the_code_of_a_kernel_lists_are_not_refused_by_a_rule_on_its_library(opcheck, tmp_path, name, refused):
    path = written(tmp_path, trace((name, [[4]], ["c10::complex<float>"])))
    report = knowledge.report(opcheck, path, ("musa@v2.7.1",))
    assert bool([f for f in report["findings"] if f["rule"] == "op-dtype"]) == refused
