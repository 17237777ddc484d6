"""Policies on the command line: waivers, baselines and budgets, in every format, and the status that they end in."""
import csv
import io
import json
import re

import jsonschema
import pytest

from conftest import FIXTURES, ROOT

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
TARGET = ("-t", "npu@2.7.1")
FORMATS = ("text", "json", "html", "csv")


@pytest.fixture
def waivers(tmp_path):
    def write(text):
        path = tmp_path / "waivers.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def waiver(name, **keys):
    return "[waiver %s]\nreason = looked at\n%s\n" % (name, "".join("%s = %s\n" % pair for pair in keys.items()))


def findings(opcheck, *more):
    return opcheck("check", DUMP, *TARGET, "-f", "json", *more).json


def test_a_waived_finding_stays_in_every_format_and_leaves_the_gate(opcheck, waivers):
    plain = opcheck("check", DUMP, *TARGET, "--fail-on", "cpu-fallback", "-f", "json")
    fallen = {f["operator"] for f in plain.json["findings"] if f["rule"] == "op-cpu-fallback"}
    assert plain.status == 1 and fallen
    file = waivers("".join(waiver("w%d" % n, op=op, owner="me <b>", ref="https://example.org/?a=1&b=2")
                           for n, op in enumerate(sorted(fallen))))
    runs = {f: opcheck("check", DUMP, *TARGET, "--fail-on", "cpu-fallback", "--waivers", file, "-f", f) for f in FORMATS}
    assert {run.status for run in runs.values()} == {0}
    report = runs["json"].json
    assert fallen <= {f["operator"] for f in report["waived"]}
    assert {f["operator"] for f in report["findings"] if f["rule"] == "op-cpu-fallback"} == set()
    assert report["targets"][0]["checks"] == [{"name": "cpu-fallback", "failed": False, "counted": 0, "waived": len(fallen), "known": 0}]
    assert "waived by w0: looked at (owner: me <b>," in " ".join(runs["text"].text.split())
    assert "owner: me &lt;b&gt;," in runs["html"].text
    rows = list(csv.DictReader(io.StringIO(runs["csv"].text)))
    assert {row["operator"] for row in rows if row["waivers"]} == fallen
    assert {row["gate"] for row in rows} == {"passed"}


def test_a_row_names_each_waiver_once(opcheck, waivers):
    file = waivers(waiver("a", op="aten::*", rule="op-*") + waiver("b", op="aten::*", rule="shape-*"))
    dump = FIXTURES / "torch-2.13" / "lastbatch.a-full.log"
    rows = csv.DictReader(io.StringIO(opcheck("check", dump, "-t", "musa@v1.0.0", "--waivers", file, "-f", "csv").text))
    assert [row["waivers"] for row in rows if row["operator"] == "aten::masked_fill_"] == ["a b"]


def test_reports_with_a_policy_keep_the_schema_and_convert(opcheck, waivers, tmp_path):
    base, saved = tmp_path / "base.json", tmp_path / "saved.json"
    assert opcheck("check", DUMP, *TARGET, "-o", "json=%s" % base).status == 0
    options = ("--waivers", waivers(waiver("a", op="aten::m*", until="2020-01-01") + waiver("b", op="aten::[a-z]*") +
                                    waiver("c", rule="shape-*", until="2026-12-01")), "--date", "2026-11-25", "--baseline", base,
               "--fail-on", "unsupported,dynamic-unbounded", "--max-dynamic-time", "10%", "--min-readiness", "1%")
    direct = {f: opcheck("check", DUMP, *TARGET, *options, "-f", f).out for f in FORMATS}
    saved.write_bytes(direct["json"])
    schema = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
    report = json.loads(direct["json"])
    jsonschema.Draft202012Validator(schema).validate(report)
    assert {f["age"] for f in report["findings"] + report["waived"]} == {"known"}
    assert [w["rule"] for w in report["policy"]["warnings"]] == ["waiver-expired", "waiver-unused", "waiver-expires-soon"]
    for format in FORMATS:
        assert opcheck("convert", saved, "-f", format).out == direct[format], format


def test_hints_name_the_files_and_ids_that_were_given(opcheck):
    baseline = "0123456789abcdef" * 4
    run = opcheck("check", DUMP, "--baseline", baseline)
    assert run.status == 2 and "curl $OPCHECK_SERVER/api/v1/assessments/%s/report.json" % baseline in run.err
    run = opcheck("scan", "my scripts", "--baseline", baseline)
    assert run.status == 2 and "`opcheck scan 'my scripts' -o baseline.json`" in run.err
    run = opcheck("port", "my scripts", "-t", "npu,musa")
    assert run.status == 2 and "opcheck port 'my scripts' -t npu, or -t musa" in run.err


def test_only_findings_that_the_baseline_lacks_count(opcheck, tmp_path):
    base = tmp_path / "base.json"
    report = findings(opcheck)
    gone = next(f for f in report["findings"] if f["rule"] == "shape-varying")
    report["findings"].remove(gone)
    base.write_text(json.dumps(report), encoding="utf-8")
    run = opcheck("check", DUMP, *TARGET, "--baseline", base, "--fail-on", "cpu-fallback,dynamic-unbounded,dynamic-bounded", "-f", "json")
    checks = {c["name"]: c for c in run.json["targets"][0]["checks"]}
    assert run.status == 1
    assert sum(c["counted"] for c in checks.values()) == 1 and checks["cpu-fallback"]["known"] > 0
    assert [f["operator"] for f in run.json["findings"] if f["age"] == "new"] == [gone["operator"]]
    text = opcheck("check", DUMP, *TARGET, "--baseline", base, "--new-only", "-vv").text
    listed = text[text.index("\nCauses\n") + 1:].split("\n\n")[0]
    assert gone["operator"] in listed and "%d findings known" % (len(report["findings"])) in listed
    assert len(listed.splitlines()) < 8


def test_the_day_is_told_and_can_be_given(opcheck, waivers):
    file = waivers(waiver("a", op="aten::mm", until="2026-06-30"))
    dates = [((), {"SOURCE_DATE_EPOCH": "951782400"}, "2000-02-29", "applied"),
             (("--date", "2026-07-01"), {"SOURCE_DATE_EPOCH": "951782400"}, "2026-07-01", "expired"),
             (("--date", "2026-06-30"), {}, "2026-06-30", "applied")]
    for options, env, date, state in dates:
        report = opcheck("check", DUMP, *TARGET, "--waivers", file, *options, "-f", "json", env=env).json
        assert report["policy"]["date"] == date
        assert {f["waiver"]["state"] for f in report["findings"] + report["waived"] if "waiver" in f} == {state}
    strict = opcheck("check", DUMP, *TARGET, "--waivers", file, "--date", "2026-07-01", "--fail-on-expired-waiver")
    assert strict.status == 1 and "expired-waiver" in strict.text


def test_a_waiver_ends_when_its_fact_changes(opcheck, waivers):
    finding = next(f for f in findings(opcheck)["findings"] if "fact" in f)
    for fact, waived in ((finding["fact"], True), ("0123456789abcdef", False)):
        file = waivers(waiver("a", fingerprint=finding["fingerprint"], until_fact_changes="true", fact=fact))
        report = findings(opcheck, "--waivers", file)
        assert [f["fingerprint"] for f in report["waived"]] == [finding["fingerprint"]] * waived
        assert [w["rule"] for w in report["policy"]["warnings"]] == ["waiver-fact-changed"] * (not waived)


def test_budgets_say_what_was_measured_and_end_in_the_status(opcheck):
    interval = findings(opcheck)["targets"][0]["readiness"]["time"]
    for limit, status in (("0%", 0), ("100%", 1)):
        run = opcheck("check", DUMP, *TARGET, "--min-readiness", limit, "-f", "json")
        assert run.status == status
        assert run.json["targets"][0]["checks"] == [{"name": "min-readiness", "failed": status == 1, "limit": float(limit[:-1]) / 100,
                                                     "measured": interval}]
    assert opcheck("check", DUMP, *TARGET, "--min-readiness", "100%", "--exit-zero").status == 0
    names = [line.split("=")[0].strip() for line in opcheck("help", "gate").text.splitlines() if "=PERCENT" in line]
    names.remove("--max-uncovered-time")  # makes a verdict inconclusive, and is no budget
    names.remove("--slow-time")  # what warns
    options = [o for name in names for o in (name, "100%" if "max" in name else "0%")]
    checks = opcheck("check", DUMP, *TARGET, *options, "-f", "json").json["targets"][0]["checks"]
    assert ["--" + c["name"] for c in checks] == names and not any(c["failed"] for c in checks)


@pytest.mark.parametrize("options, message", [
    (("--max-blocked-time", "2"), "max-blocked-time takes a share from 0% to 100%, not '2'"),
    (("--date", "tomorrow"), "'tomorrow' is not a date"),
    (("--new-only",), "--new-only needs a baseline"),
])
def test_wrong_options_are_refused(opcheck, options, message):
    run = opcheck("check", DUMP, *options)
    assert run.status == 2 and message in run.err and run.out == b""


def test_wrong_files_are_refused_with_their_place(opcheck, waivers, tmp_path):
    file = waivers("# x\n[waiver a]\nop = aten::add\nreson = y\n")
    run = opcheck("check", DUMP, "--waivers", file)
    assert run.status == 2
    assert "waivers.txt:4: error OPC-2015: a waiver has no 'reson'\n  hint: did you mean reason?" in run.err
    assert opcheck("check", DUMP, "--waivers", tmp_path / "nowhere").status == 3
    assert opcheck("check", DUMP, "--baseline", DUMP).status == 3
    assert opcheck("check", DUMP, "--waivers", file, "--limit", "waiver-bytes=10").status == 3


def test_a_comment_says_what_changed_since_the_baseline(opcheck, tmp_path):
    """Fixed, new, and another word of a target, in the order of the targets; in Markdown, text, a page and JSON."""
    old, base = FIXTURES / "torch-2.13" / "llama.a-full.log", tmp_path / "base.json"
    base.write_bytes(opcheck("check", old, "-t", "musa@v1.0.0", "-f", "json").out)
    same = opcheck("check", old, "-t", "musa@v1.0.0", "--baseline", base, "-f", "json").json["policy"]["changes"]
    assert [c["rule"] for c in same] == ["baseline-changes"] and same[0]["params"] == {"fixed": "0", "new": "0"}
    worse = opcheck("check", old, "-t", "musa@v1.0.0", "--baseline", base, "--assume", "mm=unsupported", "-f", "json").json
    new = [f for f in worse["findings"] if f["age"] == "new"]
    assert new and worse["policy"]["changes"][0]["params"]["new"] == str(len(new))
    both = tmp_path / "both.json"
    both.write_bytes(opcheck("check", old, "-t", "musa@v1.0.0", "-t", "npu", "-f", "json").out)
    fewer = opcheck("check", old, "-t", "npu", "--baseline", both, "-f", "json").json["policy"]["changes"]
    assert fewer[0]["params"] == {"fixed": "0", "new": "0"}, "a target that was not asked for is not fixed"
    runs = tmp_path / "runs.json"
    runs.write_bytes(opcheck("check", old, "-t", "npu", "-f", "json").out)
    for form in ("md", "text", "html"):
        text = opcheck("check", old, "-t", "npu", "--baseline", runs, "--assume", "mm=unsupported", "-v", "-f", form).text.replace("\\", "")
        assert "Since the baseline: " in text and re.search(r"npu@\S+: RUNS.* is now STOPS", text), form


def test_captures_that_differ_are_said_not_to_compare(opcheck, tmp_path):
    """A baseline by calls beside a dump with times: findings that look fixed may be hidden."""
    dump, names, base = FIXTURES / "torch-2.13" / "llama.a-full.log", tmp_path / "ops.txt", tmp_path / "base.json"
    names.write_text("aten::mm\naten::relu\n", encoding="utf-8")
    base.write_bytes(opcheck("check", names, "-t", "npu", "-f", "json").out)
    changes = opcheck("check", dump, "-t", "npu", "--baseline", base, "-f", "json").json["policy"]["changes"]
    assert [c["rule"] for c in changes] == ["baseline-captures"]
    assert "Captures not comparable" in opcheck("check", dump, "-t", "npu", "--baseline", base, "-f", "md").text
