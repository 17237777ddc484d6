"""Prediction and device run compared: who is right, what cannot be told, and the gate."""
import csv
import io
import json

import jsonschema
import pytest

from conftest import FIXTURES, ROOT
from test_device import INFO, TASKS, ascend

LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
SEEN = [("aten::mm", 8.5)] * 3 + [("aten::mul", 2.0), ("aten::view", 0), ("aten::view", 0), ("aten::isin", 3.0),
                                  ("aten::native_dropout", 4.0), ("npu::npu_rotary_mul", 5.0), ("aten::erfinv", 1.0)]


@pytest.fixture
def device(tmp_path):
    return ascend(tmp_path / "w_1_ascend_pt", SEEN, TASKS)


def entries(comparison):
    return {e["operator"]: e for e in comparison["agreement"]["operators"]}


@pytest.fixture(scope="module")
def schema():
    report = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
    text = json.loads((ROOT / "schema" / "comparison.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(text)
    resolver = jsonschema.RefResolver.from_schema(text, store={report["$id"]: report})
    return jsonschema.Draft202012Validator(text, resolver=resolver)


def test_a_dump_beside_a_run(opcheck, device, schema):
    run = opcheck("compare", LLAMA, device, "-f", "json")
    assert run.status == 0, run.err
    comparison = run.json
    schema.validate(comparison)
    assert comparison["predicted"]["source"] == "dump" and comparison["agreement"]["target"] == "npu@v2.7.1-7.3.0"
    assert comparison["agreement"]["made_on"] is True
    found = entries(comparison)
    assert (found["aten::mm"]["outcome"], found["aten::mm"]["calls"], found["aten::mm"]["self_device_us"]) == ("agrees", 3, 25.5)
    assert found["aten::view"]["outcome"] == "not-observable"
    assert found["aten::cat"]["outcome"] == "not-seen" and found["aten::cat"]["observed"] == "absent"
    alone = {name: e for name, e in found.items() if e["outcome"] == "device-only"}
    assert {name: e.get("implied", False) for name, e in alone.items()} == \
        {"aten::native_dropout": True, "npu::npu_rotary_mul": True, "aten::erfinv": False}
    assert alone["aten::erfinv"]["predicted"] == "native" and alone["aten::erfinv"]["observed"] == "device"
    # every operator of either run once
    predicted = {o["name"] for o in opcheck("check", LLAMA, "-f", "json", "-t", "npu").json["operators"]}
    assert set(found) == predicted | {name for name, _ in SEEN}
    counts = comparison["agreement"]["counts"]
    assert sum(c["operators"] for c in counts.values()) == len(found)


def test_files_left_out_are_named_once_and_quietly_not_at_all(opcheck, device):
    (device / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv").write_text("nothing\n", encoding="utf-8")
    said = opcheck("compare", LLAMA, device).err
    assert said.count("\n") == 1 and "step_trace_time.csv: left out" in said
    assert opcheck("compare", LLAMA, device, "-q").err == ""


def test_a_report_gives_the_same_as_its_dump(opcheck, device, tmp_path, schema):
    saved = tmp_path / "report.json"
    opcheck("check", LLAMA, "-t", "npu@v2.7.1-7.3.0", "-t", "musa", "-o", "json=%s" % saved, "-q")
    by_report, by_dump = opcheck("compare", saved, device, "-f", "json").json, opcheck("compare", LLAMA, device, "-f", "json").json
    schema.validate(by_report)
    assert by_report["predicted"]["source"] == "report"
    assert by_report["agreement"] == by_dump["agreement"]


def test_which_target_of_a_report(opcheck, device, tmp_path):
    saved = tmp_path / "report.json"

    def report(*targets):
        options = [o for t in targets for o in ("-t", t)]
        opcheck("check", LLAMA, *options, "-o", "json=%s" % saved, "-q", "--force")

    report("npu@2.1.0", "musa")  # the only one for the device, though not the one it was made on
    comparison = opcheck("compare", saved, device, "-f", "json").json
    assert comparison["agreement"]["target"].startswith("npu@v2.1.0") and comparison["agreement"]["made_on"] is False
    assert "predicted" in entries(comparison)["aten::erfinv"]
    run = opcheck("compare", saved, device, "-t", "npu@2.6.0")
    assert run.status == 2 and "no verdicts on this target" in run.err and "npu@v2.1.0" in run.err
    report("npu@2.1.0", "npu@2.6.0")
    run = opcheck("compare", saved, device)
    assert run.status == 2 and "OPC-2006" in run.err
    assert opcheck("compare", saved, device, "-t", "npu@2.6.0", "-f", "json").json["agreement"]["target"].startswith("npu@v2.6.0")
    report("musa")
    run = opcheck("compare", saved, device)
    assert run.status == 2 and "OPC-2005" in run.err and "opcheck check llama.a-full.log -t npu -f json" in run.err
    other = LLAMA.with_name("lastbatch.a-full.log")
    opcheck("check", LLAMA, other, "-t", "musa", "-o", "json=%s" % saved, "-q", "--force")
    assert "opcheck check lastbatch.a-full.log llama.a-full.log -t npu -f json" in opcheck("compare", saved, device).err


def test_the_gate(opcheck, tmp_path):
    device = ascend(tmp_path / "w_1_ascend_pt", [("aten::mm", 10), ("aten::mm", 10), ("aten::mul", 1), ("aten::cumsum", 2)],
                    [("aclnnCumsum_Cumsum_Cumsum", "Cumsum", "AI_CPU", 2)])
    comparison = opcheck("compare", LLAMA, device, "-f", "json").json
    score = comparison["agreement"]["score"]
    found = entries(comparison)
    wrong = [e for e in found.values() if e["outcome"].startswith("predicted")]
    right = [e for e in found.values() if e["outcome"] == "agrees"]
    assert score["calls"] == pytest.approx(sum(e["calls"] for e in right) / sum(e["calls"] for e in right + wrong), abs=1e-6)
    for by in ("operators", "calls", "time"):
        percent = score[by] * 100
        assert opcheck("compare", LLAMA, device, "--min-agreement", "%.4f%%" % percent, "--by", by).status == 0
        more = percent + 0.0001
        if more <= 100:
            assert opcheck("compare", LLAMA, device, "--min-agreement", "%.4f" % more, "--by", by).status == 1
    assert opcheck("compare", LLAMA, device, "--min-agreement", "0").status == 0
    for bad in ("101%", "-1", "x", "", "95%%"):
        assert opcheck("compare", LLAMA, device, "--min-agreement", bad).status == 2
    assert opcheck("compare", LLAMA, device, "--by", "shares").status == 2


def test_a_wrong_prediction_fails_the_gate(opcheck, tmp_path):
    overlay = tmp_path / "site.tsv"
    overlay.write_text("# target\top\tstatus\tdtypes\treason\tevidence\n")
    device = ascend(tmp_path / "w_1_ascend_pt", [("aten::mm", 10), ("aten::mul", 1)])
    saved = tmp_path / "report.json"
    opcheck("check", LLAMA, "-t", "npu@v2.7.1-7.3.0", "-o", "json=%s" % saved, "-q")
    report = json.loads(saved.read_text())
    for operator in report["operators"]:
        if operator["name"] == "aten::mm":
            operator["verdicts"]["npu@v2.7.1-7.3.0"].update(status="unsupported", overloads=[])
    saved.write_text(json.dumps(report))
    run = opcheck("compare", saved, device, "-f", "json", "--min-agreement", "50.0001%")
    assert run.status == 1
    assert entries(run.json)["aten::mm"]["outcome"] == "predicted-worse"
    assert run.json["agreement"]["score"] == {"operators": 0.5, "calls": 0.5, "time": pytest.approx(1 / 11, abs=1e-6)}
    assert opcheck("compare", saved, device, "--min-agreement", "50%").status == 0


def test_what_shows_nothing_passes_no_gate(opcheck):
    seen = FIXTURES / "eras" / "2.1-npu-mem.log"  # its times are those between events
    assert opcheck("compare", LLAMA, seen).status == 0
    run = opcheck("compare", LLAMA, seen, "--min-agreement", "1%")
    assert run.status == 3 and "OPC-3014" in run.err and run.err.count("\n") == 2


def test_what_is_no_run_on_a_device_is_refused(opcheck, tmp_path, device):
    run = opcheck("compare", LLAMA, LLAMA)
    assert run.status == 3 and "OPC-3013" in run.err and run.out == b""
    run = opcheck("compare", LLAMA, device, "-t", "musa")
    assert run.status == 2 and "OPC-2005" in run.err
    assert opcheck("compare", LLAMA).status == 2
    assert opcheck("compare", LLAMA, device, device).status == 2
    run = opcheck("compare", tmp_path / "missing.json", device)
    assert run.status == 3 and "missing.json" in run.err
    (tmp_path / "broken.json").write_text('{"schema_version": "1.0.0", "tool": {}}')
    run = opcheck("compare", tmp_path / "broken.json", device)
    assert run.status == 3 and "OPC-3011" in run.err and "broken.json" in run.err


def test_exceptions_in_the_log_of_the_device(opcheck, tmp_path):
    log = tmp_path / "device.log"
    log.write_text((FIXTURES / "eras" / "2.1-npu-mem.log").read_text() +
                   "NotImplementedError: Could not run 'aten::cumsum' with arguments from the 'NPU' backend.\n"
                   "NotImplementedError: Could not run 'aten::mode' with arguments from the 'NPU' backend.\n")
    found = entries(opcheck("compare", LLAMA, log, "-f", "json", "-t", "npu@2.7.1").json)
    assert (found["aten::cumsum"]["outcome"], found["aten::cumsum"]["observed"]) == ("predicted-better", "raised")
    assert found["aten::mode"]["outcome"] == "device-only"


@pytest.mark.parametrize("lang, title", [("en", "Prediction and device run compared"), ("zh-CN", "预测与设备实测的对照")])
@pytest.mark.parametrize("form", ("text", "md", "html"))
def test_every_form_in_both_languages(opcheck, device, tmp_path, form, lang, title):
    out = tmp_path / "out"
    run = opcheck("compare", LLAMA, device, "-f", form, "--lang", lang, "-o", out)
    assert run.status == 0 and run.out == b""
    text = out.read_text(encoding="utf-8")
    assert form == "md" or title in text
    assert "llama.a-full.log" in text.replace("\\", "") and "aten::erfinv" in text.replace("\\", "")
    assert opcheck("compare", LLAMA, device, "-f", form, "--lang", lang, "-o", out).status == 2  # is there
    assert opcheck("compare", LLAMA, device, "-f", form, "--lang", lang, "-o", out, "--force").status == 0
    assert opcheck("compare", LLAMA, device, "-f", form, "--lang", lang).text == text  # the same bytes
    everything = opcheck("compare", LLAMA, device, "-f", form, "--lang", lang, "-v").text
    assert "aten::cat" in everything.replace("\\", "")


def test_names_of_a_dump_are_no_markup(opcheck, tmp_path):
    folder = ascend(tmp_path / "x_ascend_pt", [("aten::mm", 1), ("evil::a_b", 2)],
                    info=dict(INFO, torch_npu_version="<b>@me #1 |x|\x1b[31m"))
    for form in ("text", "md", "html"):
        text = opcheck("compare", LLAMA, folder, "-f", form).text
        assert "\x1b" not in text and "<b>@me" not in text or form == "text" and "\x1b" not in text
        if form == "md":
            assert "@me" not in text and "evil::a\\_b" in text


def test_real_traces_of_an_npu(opcheck, whole_reference):
    samples = whole_reference / "samples"
    comparison = opcheck("compare", FIXTURES / "torch-1.13" / "resnet18.a-full.log",
                         samples / "real-traces" / "npu-2024-trace_view.json.gz", "-f", "json").json
    found = entries(comparison)
    assert comparison["agreement"]["state"] == "compared"
    assert found["aten::addmm"]["observed"] == "device" and found["aten::addmm"]["outcome"] == "agrees"
    # one of its ten tasks ran on the AI CPU, which the facts on the newest release do not foretell
    assert (found["aten::sum"]["observed"], found["aten::sum"]["outcome"]) == ("ai-cpu", "predicted-better")
    wrong = [e["operator"] for e in found.values() if e["outcome"].startswith("predicted")]
    assert wrong == ["aten::sum"] and sum(e["outcome"] == "agrees" for e in found.values()) >= 16


def test_rows_of_a_comparison_are_its_operators(opcheck, device):
    found = opcheck("compare", LLAMA, device, "-f", "json").json["agreement"]["operators"]
    rows = list(csv.DictReader(io.StringIO(opcheck("compare", LLAMA, device, "-f", "csv").text)))
    assert [(r["operator"], r["outcome"], r["observed"], int(r["calls"]), float(r["self_device_us"])) for r in rows] == \
        [(e["operator"], e["outcome"], e["observed"], e["calls"], e["self_device_us"]) for e in found]
