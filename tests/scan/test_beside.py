"""opcheck scan --with: operators of a dump joined with the lines that call them, and places with what they cost."""
import csv
import io
import json

import jsonschema
import pytest

from conftest import ROOT

SCHEMA = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
NPU = "npu@v2.7.1-26.0.0"
SCRIPT = """import torch
import torchvision

model = torch.nn.Linear(2, 2).cuda()
x = model.weight
where = x.nonzero()
kept = torchvision.ops.nms(x, x, 0.5)
for i in range(3):
    y = (torch.unique(x))
print(model(x).sum().item(), "a,b".split(","))
"""
HEADS = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls"]
WIDTHS = [28, 12, 12, 12, 12, 12, 12]
CALLS = [("aten::nonzero", 20), ("aten::_unique2", 30), ("aten::addmm", 20), ("aten::item", 10), ("aten::split", 10),
         ("torchvision::nms", 10)]


def table():
    def line(cells):
        return "".join(cell.rjust(width) + "  " for cell, width in zip(cells, WIDTHS))
    rule = line(["-" * width for width in WIDTHS])
    rows = [line([name, "10.00%", f"{us}.000us", "10.00%", f"{us}.000us", f"{us}.000us", "1"])
            for name, us in CALLS]
    return "\n".join([rule, line(HEADS), rule, *rows, rule, "Self CPU time total: 100.000us", ""])


@pytest.fixture
def scan(opcheck, tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "dump.log").write_text(table(), encoding="utf-8")

    def run(*args, **options):
        done = opcheck("scan", "train.py", "--with", "dump.log", "-t", NPU, *args, cwd=tmp_path, **options)
        if "without the grammar" in done.err:
            pytest.skip("opcheck was built without the grammar of Python")
        return done
    return run


def rows(run):
    return list(csv.DictReader(io.StringIO(run.text, newline="")))


def called_from(report):
    return {c["operator"]: [(p["line"], p["known_by"], p.get("api")) for p in c["calls"]] for c in report["source"]["called_from"]}


def test_findings_of_the_dump_name_the_lines_whose_apis_call_the_operator(scan):
    report = scan("-f", "json").json
    jsonschema.validate(report, SCHEMA)
    found = called_from(report)
    assert found["aten::_unique2"] == [(9, "api", "torch.unique")]
    assert found["aten::nonzero"] == [(6, "api", "torch.Tensor.nonzero")]
    assert found["torchvision::nms"] == [(7, "api", "torchvision.ops.nms")]
    assert "aten::split" not in found, "no finding is about it, and a method of a string is no tensor's"


def test_a_sign_between_tensors_is_a_call_of_the_operator(scan, tmp_path):
    script = "import torch\nx = torch.ones(2)\ny = x % 2\nn = 3 % 2\nz = 1 % (x + 1)\ndef f(a, b):\n    return a % b\n"
    scan()
    (tmp_path / "train.py").write_text(script, encoding="utf-8")
    (tmp_path / "dump.log").write_text(table().replace("     aten::nonzero", "   aten::remainder"), encoding="utf-8")
    found = called_from(scan("-f", "json").json)
    assert found["aten::remainder"] == [(3, "api", "torch.remainder"), (5, "api", "torch.remainder")]


def test_places_name_the_operators_of_the_dump_that_they_call_and_their_share(scan):
    shares = {(r["line"], r["rule"]): (r["operators"], r["time_share"]) for r in rows(scan("-f", "csv")) if r["rule"].startswith("src-")}
    assert shares == {("1", "src-absent-flag"): ("", "0.000000"), ("2", "src-package"): ("", "0.000000"), ("4", "src-device-call"): ("", "0.000000"), ("6", "src-dynamic"): ("aten::nonzero", "0.200000"),
                      ("9", "src-dynamic"): ("aten::_unique2", "0.300000"), ("10", "src-dynamic"): ("aten::item", "0.100000")}


def test_a_finding_about_an_operator_has_a_row_for_each_line_and_one_where_no_line_is_known(scan):
    operators = {(r["path"], r["line"], r["operators"], r["action"]) for r in rows(scan("-f", "csv")) if r["rule"] == "op-needs-package"}
    assert operators == {("train.py", "7", "torchvision::nms", "must-change")}
    assert ("", "0") in {(r["path"], r["line"]) for r in rows(scan("-f", "csv", "--limit", "scan-findings=1"))}


def test_lines_that_the_dump_recorded_go_before_what_apis_say(scan, tmp_path):
    frame = {"ph": "X", "cat": "python_function", "name": "run/train.py(10): <module>", "pid": 1, "tid": 1, "ts": 0, "dur": 100,
             "args": {"Python id": 1, "Python parent id": None}}
    call = {"ph": "X", "cat": "cpu_op", "name": "aten::_unique2", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "args": {"External id": 1}}
    (tmp_path / "dump.log").write_text(json.dumps({"schemaVersion": 1, "traceEvents": [frame, call]}), encoding="utf-8")
    assert called_from(scan("-f", "json").json)["aten::_unique2"] == [(10, "stack", None)]


def test_every_format_is_the_same_from_the_report(scan, opcheck, tmp_path):
    (tmp_path / "joined.json").write_bytes(scan("-f", "json").out)
    for form in ("text", "json", "html", "md", "csv", "sarif", "junit", "codequality", "annotations", "badge"):
        assert scan("-f", form).out == opcheck("convert", tmp_path / "joined.json", "-f", form).out, form
    assert b"train.py:9:10" in scan("-f", "md").out and b"train.py:9:10" in scan("-f", "html").out


def test_sarif_places_findings_about_operators_in_the_script(scan):
    results = scan("-f", "sarif").json["runs"][0]["results"]
    regions = {r["ruleId"]: r["locations"][0]["physicalLocation"] for r in results}
    assert regions["op-needs-package"]["artifactLocation"]["uri"] == "train.py"
    assert regions["op-needs-package"]["region"] == {"startLine": 7, "startColumn": 8, "endLine": 7, "endColumn": 38}


def test_a_report_takes_the_place_of_its_dump(scan, opcheck, tmp_path):
    report = opcheck("check", tmp_path / "dump.log", "-t", NPU, "-f", "json")
    (tmp_path / "report.json").write_bytes(report.out)
    joined = opcheck("scan", "train.py", "--with", "report.json", "-f", "json", cwd=tmp_path)
    assert [f["fingerprint"] for f in joined.json["findings"]] == [f["fingerprint"] for f in scan("-f", "json").json["findings"]]
    assert {f["fingerprint"] for f in report.json["findings"]} <= {f["fingerprint"] for f in joined.json["findings"]}
    assert opcheck("scan", "train.py", "--with", "report.json", "-t", NPU, cwd=tmp_path).status == 2
    (tmp_path / "joined.json").write_bytes(joined.out)
    assert "about scripts" in opcheck("scan", "train.py", "--with", "joined.json", cwd=tmp_path).err


@pytest.mark.parametrize("words,waiver,status", [
    ("needs-package", "", 1), ("must-change", "", 1), ("unsupported", "", 0),
    ("needs-package", "[waiver one]\nop = torchvision::nms\nreason = another way\n", 0),
    ("must-change", "[waiver one]\nop = .cuda()\nreason = later\n", 0)])
def test_the_gate_counts_operators_and_places(scan, tmp_path, words, waiver, status):
    (tmp_path / "waivers").write_text(waiver, encoding="utf-8")
    assert scan("-f", "json", "--fail-on", words, "--waivers", "waivers", "--date", "2026-01-01").status == status


def test_the_verdict_is_the_graver_one(scan, tmp_path):
    target = scan("-f", "json").json["targets"][0]
    assert target["verdict"] == "blocked" and target["counts"]["needs-package"] == 1
    (tmp_path / "dump.log").write_text("aten::addmm\n", encoding="utf-8")
    assert scan("-f", "json").json["targets"][0]["reason"]["rule"] == "reason-source"
    (tmp_path / "train.py").write_text("x = 1\n", encoding="utf-8")
    assert scan("-f", "json").json["targets"][0]["verdict"] != "blocked"
