"""opcheck diff: what changed between reports and dumps, in every form, and the status that it ends in."""
import csv
import io
import json
import re

import jsonschema
import pytest

from conftest import FIXTURES, ROOT

OLD, NEW = FIXTURES / "torch-2.13" / "llama.a-full.log", FIXTURES / "torch-2.13" / "resnet50.a.log"
FORMATS = ("text", "json", "md", "html")


@pytest.fixture
def report(opcheck, tmp_path):
    def make(name, dump, *options):
        path = tmp_path / name
        assert opcheck("check", dump, *options, "-o", "json=%s" % path).status == 0
        return path

    return make


def by_fingerprint(path):
    return {f["fingerprint"]: f for f in json.loads(path.read_text())["findings"]}


def test_findings_and_operators_are_those_of_the_reports(opcheck, report):
    old, new = report("old.json", OLD, "-t", "npu@2.7.1"), report("new.json", NEW, "-t", "npu@2.7.1")
    diff = opcheck("diff", old, new, "-f", "json").json
    schema = json.loads((ROOT / "schema" / "diff.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(diff)
    before, after = by_fingerprint(old), by_fingerprint(new)
    assert {f["fingerprint"] for f in diff["new"]} == after.keys() - before.keys()
    assert {f["fingerprint"] for f in diff["fixed"]} == before.keys() - after.keys()
    names = [{o["name"] for o in json.loads(p.read_text())["operators"]} for p in (old, new)]
    assert {o["name"] for o in diff["operators"] if "added" in o["changes"]} == names[1] - names[0]
    assert {o["name"] for o in diff["operators"] if "removed" in o["changes"]} == names[0] - names[1]
    assert diff["new"] and diff["fixed"] and names[0] & names[1]


def test_a_fact_that_got_worse_is_told_and_fails_the_gate(opcheck, report):
    """The same dump on the same target with facts of a site that make one operator worse."""
    site = report("x.json", OLD, "-t", "npu@2.7.1").parent / "site.tsv"
    site.write_text("# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n"
                    "aten::mm\tnpu\t*\t.\t.\tunsupported\t.\ttried\tlog 7\t2026-01-01\n", encoding="utf-8")
    old, new = report("old.json", OLD, "-t", "npu@2.7.1"), report("new.json", OLD, "-t", "npu@2.7.1", "--overlay", site)
    run = opcheck("diff", old, new, "--fail-on", "new,worse,shapes,time,incomparable", "-f", "json")
    checks = {c["name"]: c["counted"] for c in run.json["checks"]}
    changed = [o for o in run.json["operators"] if o["statuses"]]
    assert run.status == 1 and run.json["gate"] == "failed"
    assert [(o["name"], o["statuses"][0]["before"], o["statuses"][0]["after"]) for o in changed] == [("aten::mm", "native", "unsupported")]
    assert checks == {"new": 1, "worse": 2, "time": 0, "shapes": 0, "incomparable": 1}
    assert [n["rule"] for n in run.json["notes"]] == ["diff.overlays"]
    assert opcheck("diff", old, new, "--fail-on", "time,shapes").status == 0
    assert opcheck("diff", new, old, "--fail-on", "new,worse").status == 0


def test_a_dump_is_checked_against_the_targets_of_the_report(opcheck, report):
    old = report("old.json", OLD, "-t", "npu@2.1.0", "-t", "musa@2.7.1")
    same = opcheck("diff", old, OLD, "--fail-on", "new,worse,time,shapes,incomparable", "-f", "text")
    assert same.status == 0 and "No finding, verdict, time share or shape changed." in same.text
    diff = opcheck("diff", OLD, old, "-t", "npu@2.1.0", "-f", "json").json
    assert [(t["id"], t["before"] is None) for t in diff["targets"]] == [("npu@v2.1.0-7.2.0", False), ("musa@v2.7.1", True)]
    assert [n["rule"] for n in diff["notes"]] == ["diff.some-targets"]


@pytest.mark.parametrize("format", ("text", "md", "html"))
def test_changes_are_said_cause_by_cause(opcheck, report, format):
    """Two models whose shapes change: a line for all operators of which it is new, not a line an operator."""
    old, new = report("old.json", NEW, "-t", "npu@2.7.1"), report("new.json", OLD, "-t", "npu@2.7.1")
    diff = opcheck("diff", old, new, "-f", "json").json
    text = " ".join(opcheck("diff", old, new, "-v", "-f", format).text.split())
    varying = [f for f in diff["new"] if f["statement"]["rule"] == "shape-varying"]
    assert len(varying) > 20 and "the shapes of %d operators change from step to step" % len(varying) in text
    assert not any(f["statement"]["text"] in text for f in varying)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("lang", ("en", "zh-CN"))
def test_every_form_names_what_changed(opcheck, tmp_path, format, lang):
    path = tmp_path / "out"
    run = opcheck("diff", OLD, NEW, "-t", "npu@2.7.1", "-f", format, "--lang", lang, "-v")
    assert run.status == 0 and opcheck("diff", OLD, NEW, "-t", "npu@2.7.1", "-f", format, "--lang", lang, "-v").out == run.out
    assert opcheck("diff", OLD, NEW, "-t", "npu@2.7.1", "-f", format, "--lang", lang, "-v", "-o", path).out == b""
    assert path.read_bytes() == run.out
    for name in ("max_pool2d", "convolution", "as_strided"):
        assert name.replace("_", "\\_") in run.text if format == "md" else name in run.text, name
    if format == "text":
        assert max(map(len, run.text.splitlines())) <= 80
    if format != "json" and lang == "zh-CN":
        assert "变化" in run.text


def test_names_of_a_dump_do_no_harm(opcheck, tmp_path):
    hostile = tmp_path / "a|b`<script>@me\x1b[2J.json"
    hostile.write_bytes(b"")
    report = opcheck("check", OLD, "-t", "npu", "-f", "json").json
    report["inputs"][0]["name"] = hostile.name
    hostile.write_text(json.dumps(report), encoding="utf-8")
    runs = {f: opcheck("diff", hostile, OLD, "-f", f).text for f in FORMATS}
    assert all("\x1b" not in text for text in runs.values())
    assert "<script>" not in runs["html"].split("</head>")[1] and "<script>" not in runs["md"] and "a\\|b" in runs["md"]


def test_statuses_stand_side_by_side_for_targets_of_both_reports(opcheck, report):
    both, one = report("both.json", OLD, "-t", "npu@2.7.1", "-t", "musa@v2.7.1"), report("one.json", NEW, "-t", "npu@2.7.1")
    for before, after in ((both, one), (one, both)):
        heads = re.findall(r"<th[^>]*>((?:npu|musa)@[^<]*)", opcheck("diff", before, after, "-f", "html").text)
        assert heads and not [head for head in heads if head.startswith("musa")]


CUT, WHOLE = FIXTURES / "torch-1.13" / "transformer.a.log", FIXTURES / "torch-1.13" / "resnet18.a-full.log"
CALLS, OTHERS = "name,dtype,calls\naten::relu,float,9\n", "name,dtype,calls\naten::tanh,float,9\n"
ON = ("-t", "npu@2.7.1")


@pytest.mark.parametrize("before, after, checked, others", [
    ((WHOLE, *ON), (CUT, *ON), {word: "diff.captures" for word in ("new", "worse", "time", "shapes")}, {}),
    ((CALLS, *ON), (WHOLE, *ON), {word: "diff.basis" for word in ("new", "worse", "time", "shapes")}, {}),
    ((WHOLE, *ON), (WHOLE, "-t", "npu@2.6.0"), {"new": "diff.no-target", "worse": "diff.no-target"}, {"time", "shapes"}),
    ((CALLS, *ON), (OTHERS, *ON), {"time": "diff.no-operator", "shapes": "diff.no-operator"}, {"new", "worse"}),
    ((CALLS, *ON), (CALLS, *ON), {"shapes": "diff.no-shapes"}, {"new", "worse", "time"}),
])
def test_no_gate_passes_where_it_could_not_compare(opcheck, report, tmp_path, before, after, checked, others):
    sides = []
    for n, (dump, *options) in enumerate((before, after)):
        if isinstance(dump, str):
            (tmp_path / ("%d.csv" % n)).write_text(dump, encoding="utf-8")
            dump = tmp_path / ("%d.csv" % n)
        sides.append(report("%d.json" % n, dump, *options))
    for word, note in checked.items():
        run = opcheck("diff", *sides, "--fail-on", word, "-f", "json")
        check, = run.json["checks"]
        assert run.json["gate"] == "failed" and check["failed"] and check["not_compared"] in run.json["notes"], word
        assert check["not_compared"]["rule"] == note and run.status == (1 if check["counted"] else 3), word
        if run.status == 3:
            assert "OPC-3014: the two sides cannot be compared for --fail-on %s\n" % word in run.err
        for format in ("text", "md", "html"):
            page = opcheck("diff", *sides, "--fail-on", word, "-f", format).text
            assert re.search(r"%s: not compared \(%d seen\), so it fails: " % (word, check["counted"]), page), (word, format)
        assert "\nGate         %s: not compared (%d seen), so it fails: " % (word, check["counted"]) in opcheck("diff", *sides, "--fail-on", word).text
    for word in others:
        check, = opcheck("diff", *sides, "--fail-on", word, "-f", "json").json["checks"]
        assert "not_compared" not in check and check["failed"] == (check["counted"] > 0), word
    assert any(opcheck("diff", *sides, "--fail-on", word).status == 3 for word in checked)
    assert opcheck("diff", *sides).status == 0


@pytest.mark.parametrize("args, status, message", [
    (("diff", OLD), 2, "a report or dump to compare is missing"),
    (("diff", OLD, OLD, "--fail-on", "slower"), 2, "a comparison cannot fail on 'slower'"),
    (("diff", OLD, OLD, "--min-share", "1"), 2, "--min-share takes a share from 0% to 100%, not '1'"),
    (("diff", OLD, OLD, "-f", "sarif"), 2, "no format 'sarif'\n  hint: choose one of text, json, csv, md, html"),
    (("diff", OLD, "/nowhere"), 3, "/nowhere: error OPC-3001"),
])
def test_mistakes_are_told(opcheck, args, status, message):
    run = opcheck(*args)
    assert run.status == status and message in run.err


def test_rows_of_a_diff_say_what_changed_from_what_to_what(opcheck, tmp_path):
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    opcheck("check", OLD, "-t", "npu@2.7.1", "-o", before, "-q")
    opcheck("check", OLD, "-t", "npu@2.7.1", "--assume", "aten::mm=unsupported", "-o", after, "-q")
    rows = list(csv.DictReader(io.StringIO(opcheck("diff", before, after, "-f", "csv").text)))
    target = rows[0]["target"]
    assert rows[0] == {"change": "verdict", "operator": "", "target": target, "severity": "", "rule": "", "before": json.loads(before.read_text())["targets"][0]["verdict"], "after": "blocked"}
    assert {"change": "new", "operator": "aten::mm", "target": target, "severity": "error", "rule": "op-unsupported", "before": "", "after": ""} in rows
    assert {"change": "worse", "operator": "aten::mm", "target": target, "severity": "", "rule": "", "before": "native", "after": "unsupported"} in rows
