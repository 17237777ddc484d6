"""Findings as CI systems read them: SARIF, JUnit, code quality, annotations and badges."""
import gzip
import json
import os
import pathlib
import re
import xml.etree.ElementTree as tree

import jsonschema
import pytest

from conftest import FIXTURES

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
TARGETS = ("-t", "npu@2.7.1", "-t", "musa")
BLOCKED = (*TARGETS, "--assume", "aten::mm=unsupported")
SUFFIXES = {"sarif": ".sarif", "junit": ".junit.xml", "codequality": ".codequality.json", "annotations": ".annotations.txt",
            "metrics": ".metrics.txt", "badge": ".badge.json", "svg": ".svg"}
HOSTILE = "aten::x]]></a>::%0A,\x01\ufffe\"&"


@pytest.fixture
def waivers(tmp_path):
    path = tmp_path / "waivers.txt"
    path.write_text("[waiver w]\nreason = a <b> & \"c\"\nop = aten::mm\n", encoding="utf-8")
    return path


@pytest.fixture
def render(opcheck, tmp_path):
    """A report of the fixture, with a finding changed, in a format."""
    def run(form, change=None, *options):
        report = opcheck("check", DUMP, *BLOCKED, *options, "-f", "json").json
        if change:
            change(report)
        saved = tmp_path / "saved.json"
        saved.write_text(json.dumps(report), encoding="utf-8")
        return opcheck("convert", saved, "-f", form)

    return run


LINES = DUMP.read_text(encoding="utf-8").split("\n")


def first_line(name):
    """Of the rows of an operator, from 1; 1 of what has no row."""
    return next((n for n, line in enumerate(LINES, 1) if line.split()[:1] == [name]), 1)


def cases(text):
    return {(suite.get("name"), case.get("name")): case for suite in tree.fromstring(text) for case in suite}


@pytest.mark.parametrize("form", SUFFIXES)
def test_a_saved_report_gives_the_same_bytes_and_a_suffix_names_the_format(opcheck, tmp_path, form):
    saved, file = tmp_path / "saved.json", tmp_path / ("r" + SUFFIXES[form])
    direct = opcheck("check", DUMP, *BLOCKED, "-f", form)
    assert opcheck("check", DUMP, *BLOCKED, "-o", saved, "-o", file).status == 0
    assert direct.out and file.read_bytes() == direct.out == opcheck("convert", saved, "-f", form).out


def test_sarif_has_a_run_for_each_target_whose_results_name_rules_and_places(opcheck):
    log = opcheck("check", DUMP, *BLOCKED, "-f", "sarif").json
    report = opcheck("check", DUMP, *BLOCKED, "-f", "json").json
    assert log["version"] == "2.1.0"
    assert [run["automationDetails"]["id"] for run in log["runs"]] == ["opcheck/" + t["id"] for t in report["targets"]]
    for run, target in zip(log["runs"], report["targets"]):
        rules = run["tool"]["driver"]["rules"]
        assert all(rule["properties"]["zh-CN"] and rule["properties"]["en"] and rule["help"]["text"] for rule in rules)
        prints = [result["partialFingerprints"]["opcheckFinding/v1"] for result in run["results"]]
        wanted = [f["fingerprint"] for f in report["findings"] if f.get("target") in (None, "", target["id"])]
        assert prints[:len(wanted)] == wanted and len(set(prints)) == len(prints)
        assert [r["partialFingerprints"]["primaryLocationLineHash"] for r in run["results"]] == [p + ":1" for p in prints]
        for result in run["results"]:
            place = result["locations"][0]["physicalLocation"]
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in ("error", "warning", "note")
            assert place["artifactLocation"] == {"uri": DUMP.name}
            name = result["locations"][0].get("logicalLocations", [{"fullyQualifiedName": ""}])[0]["fullyQualifiedName"]
            assert place["region"] == {"startLine": first_line(name)}
            assert result["suppressions"] == []


def test_junit_fails_for_errors_and_with_the_gate(opcheck):
    found = cases(opcheck("check", DUMP, *BLOCKED, "-f", "junit").text)
    for (target, name), case in found.items():
        failure = case.find("failure")
        assert case.get("classname") == target and (failure is not None) == (name == "aten::mm")
        if failure is not None:
            assert failure.get("type") == "op-unsupported" and "aten::mm" in failure.text
    gated = cases(opcheck("check", DUMP, *BLOCKED, "--fail-on", "unsupported", "-f", "junit").text)
    assert {name for (_, name), case in gated.items() if case.find("failure") is not None} == {"aten::mm", "verdict"}
    passed = cases(opcheck("check", DUMP, *BLOCKED, "--fail-on", "needs-package", "-f", "junit").text)
    assert all(case.find("failure") is None for case in passed.values())


def test_junit_passes_what_the_baseline_knows(opcheck, tmp_path):
    base = tmp_path / "base.json"
    base.write_bytes(opcheck("check", DUMP, *TARGETS, "--assume", "aten::mm=unsupported", "-f", "json").out)
    run = opcheck("check", DUMP, *TARGETS, "--assume", "aten::mm=unsupported", "--assume", "aten::mul=unsupported", "--baseline", base, "-f", "junit")
    found = cases(run.text)
    assert {name for (_, name), case in found.items() if case.find("failure") is not None} == {"aten::mul"}
    assert {name for (_, name), case in found.items() if case.find("system-out") is not None} >= {"aten::mm"}


def test_metrics_are_openmetrics_of_readiness_blocked_time_and_findings(opcheck):
    report = opcheck("check", DUMP, *BLOCKED, "-f", "json").json
    lines = opcheck("check", DUMP, *BLOCKED, "-f", "metrics").text.splitlines()
    assert lines[-1] == "# EOF" and all(re.fullmatch(r"# (HELP|TYPE) opcheck_[a-z_]+ .*|opcheck_[a-z_]+\{[^ ]*\} [0-9.]+", line) for line in lines[:-1])
    values = dict(line.split(" ") for line in lines if line.startswith("opcheck"))
    for target in report["targets"]:
        for bound in ("lo", "hi"):
            assert float(values['opcheck_readiness_ratio{target="%s",bound="%s"}' % (target["id"], bound)]) == target["readiness"]["time"][bound]
        blocked = sum(target["time_by_status"].get(status, {}).get("time", 0) if isinstance(target["time_by_status"].get(status), dict)
                      else target["time_by_status"].get(status, 0) for status in ("unsupported", "needs-package"))
        assert abs(float(values['opcheck_blocked_time_ratio{target="%s"}' % target["id"]]) - blocked) < 1e-5 and blocked > 0
        count = sum(f["rule"] == "op-unsupported" and f["target"] == target["id"] for f in report["findings"])
        assert int(values['opcheck_findings{target="%s",rule="op-unsupported"}' % target["id"]]) == count == 1


def test_waived_findings_are_suppressed_skipped_or_absent(opcheck, waivers):
    options = ("check", DUMP, *BLOCKED, "--waivers", waivers, "-f")
    for run in opcheck(*options, "sarif").json["runs"]:
        waived = [r for r in run["results"] if r["suppressions"]]
        assert waived and all(r["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "aten::mm" for r in waived)
        assert waived[0]["suppressions"][0] == {"kind": "external", "status": "accepted", "justification": "a <b> & \"c\""}
    found = cases(opcheck(*options, "junit").text)
    assert {name for (_, name), case in found.items() if case.find("skipped") is not None} == {"aten::mm"}
    assert "aten::mm does" not in opcheck(*options, "codequality").text + opcheck(*options, "annotations").text


def test_code_quality_and_annotations_list_what_is_not_waived_once(opcheck):
    report = opcheck("check", DUMP, *BLOCKED, "-f", "json").json
    issues = opcheck("check", DUMP, *BLOCKED, "-f", "codequality").json
    lines = opcheck("check", DUMP, *BLOCKED, "-f", "annotations").text.splitlines()
    shown = [sum(line.startswith("::" + level) for line in lines) for level in ("error", "warning", "notice")]
    found = [sum(f["severity"] == level for f in report["findings"]) for level in ("error", "warning")]
    assert shown[:2] == [min(count, 10) for count in found] and sum(shown) == len(lines)
    count = len(report["findings"]) + sum(len(i["capture"]["warnings"]) for i in report["inputs"])
    assert len(issues) == count == len({issue["fingerprint"] for issue in issues})
    assert issues[0]["severity"] == "blocker" and issues[0]["location"] == {"path": DUMP.name, "lines": {"begin": first_line("aten::mm")}}
    assert lines[0].startswith("::error title=op-unsupported,file=%s,line=%d::aten::mm" % (DUMP.name, first_line("aten::mm")))


def test_hostile_names_stay_text(render):
    def change(report):
        for finding in report["findings"]:
            if finding.get("operator") == "aten::mm":
                finding["operator"] = finding["params"]["operator"] = HOSTILE
        report["inputs"][0]["name"] = "a b/c:d,e%.log"

    names = {name for _, name in cases(render("junit", change).text)}
    assert [name for name in names if name.startswith("aten::x]]></a>::%0A,\\x01")]
    first = render("annotations", change).text.splitlines()[0]
    assert first.startswith("::error title=op-unsupported,file=a b/c%3Ad%2Ce%25.log::aten::x]]></a>::%250A,\\x01")
    uri = render("sarif", change).json["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20b/c%3Ad%2Ce%25.log"


@pytest.mark.parametrize("options, color, failed", [
    (BLOCKED, "red", False), ((*BLOCKED, "--fail-on", "unsupported"), "red", True),
    ((*BLOCKED, "--fail-on", "needs-package"), "brightgreen", False), (TARGETS, "yellow", False)])
def test_a_badge_has_the_colour_of_the_gate_and_no_green_for_unknown(opcheck, options, color, failed):
    badge = opcheck("check", DUMP, *options, "-f", "badge").json
    assert (badge["schemaVersion"], badge["label"], badge["color"], badge["isError"]) == (1, "opcheck", color, failed)
    picture = tree.fromstring(opcheck("check", DUMP, *options, "-f", "svg").text)
    assert picture.get("aria-label") == "opcheck: " + badge["message"]


SCHEMA = json.loads((pathlib.Path(__file__).parent / "sarif.schema.json").read_text(encoding="utf-8"))


def validate(log):
    jsonschema.Draft202012Validator(SCHEMA).validate(log)
    official = os.environ.get("OPCHECK_SARIF_SCHEMA")  # that of OASIS, where somebody has it
    if official:
        jsonschema.validate(log, json.loads(pathlib.Path(official).read_text(encoding="utf-8")))


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_sarif_is_what_the_standard_and_github_want(opcheck, waivers, lang):
    log = opcheck("check", DUMP, *BLOCKED, "--waivers", waivers, "--lang", lang, "-f", "sarif").json
    validate(log)
    rules = [rule for run in log["runs"] for rule in run["tool"]["driver"]["rules"]]
    assert {"op-unsupported": "error", "op-cpu-fallback": "warning"}.items() <= {r["id"]: r["defaultConfiguration"]["level"] for r in rules}.items()
    assert all(rule["properties"]["tags"] == ["portability", rule["id"].split("-")[0]] for rule in rules)


def grown(count):
    """Many operators that do not run, the first two in two inputs of one name."""
    def change(report):
        model = next(f for f in report["findings"] if f["rule"] == "op-unsupported")
        report["inputs"] = report["inputs"] * 2
        report["findings"] = [{**model, "operator": "aten::op%d" % i, "params": {**model["params"], "operator": "aten::op%d" % i},
                               "fingerprint": "%016x" % i} for i in range(count)]
        report.pop("causes", None)

    return change


def test_more_findings_than_github_takes_are_cut_with_a_word(render):
    count, most = 25100, 25000
    run = render("sarif", grown(count))
    second, first = sorted(run.json["runs"], key=lambda r: len(r["results"]))
    assert len(first["results"]) == most and [r["partialFingerprints"]["opcheckFinding/v1"] for r in first["results"][:2]] == ["0" * 16, "0" * 15 + "1"]
    left = len(first["tool"]["driver"]["rules"]) - 1  # the warnings of the capture, twice, come behind the findings
    texts = [n["message"]["text"] for n in first["invocations"][0]["toolExecutionNotifications"]]
    assert texts == ["%d findings of the least severity and share left out; this run has %d." % (count - most + 2 * left, most)]
    assert second["invocations"][0]["toolExecutionNotifications"] == [] and len(second["results"]) == 2 * left
    assert len(gzip.compress(run.out)) < 10e6


def test_what_github_takes_in_bytes_is_a_twelfth_of_what_is_written(render):
    """So that a file of 80 MB has less than 10 MB when packed."""
    out = render("sarif", grown(3000)).out
    assert len(gzip.compress(out)) * 12 < len(out)


def test_ten_annotations_of_a_level_and_how_many_more(render):
    lines = render("annotations", grown(12)).text.splitlines()
    errors = [line for line in lines if line.startswith("::error ")]
    assert len(errors) == 10 and errors[8].startswith("::error title=op-unsupported,file=%s::aten::op8 does" % DUMP.name)
    assert errors[9] == "::error title=opcheck::3 more findings of this severity; the report lists all of them."
    assert len([line for line in render("annotations", grown(10)).text.splitlines() if line.startswith("::error title=op-")]) == 10


def test_code_quality_names_each_issue_once_though_inputs_share_a_name(render):
    issues = render("codequality", grown(2)).json
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) > 3
    assert all(set(i) == {"description", "check_name", "fingerprint", "severity", "location"} and i["severity"] in ("info", "minor", "major", "critical", "blocker")
               and not i["location"]["path"].startswith(("/", "./")) and i["location"]["lines"]["begin"] >= 1 for i in issues)


def test_fingerprints_hold_when_times_and_files_change(opcheck, tmp_path):
    copy = tmp_path / "other name.log"
    copy.write_bytes(DUMP.read_bytes() * 2)
    prints = [[{r["partialFingerprints"]["opcheckFinding/v1"] for r in run["results"] if r["ruleId"].startswith("op-")}
               for run in opcheck("check", path, *BLOCKED, "-f", "sarif").json["runs"]] for path in (DUMP, copy)]
    assert prints[0] == prints[1] and prints[0][0] and not prints[0][0] & prints[0][1]


def test_markdown_fits_a_comment_and_has_the_mark_of_its_command(opcheck, render):
    def change(report):
        grown(3000)(report)
        report["inputs"] = [{**report["inputs"][0], "name": "rank%d.log" % i} for i in range(1000)]

    short = opcheck("check", DUMP, *BLOCKED, "-f", "md").text
    assert short.endswith("\n\n<!-- opcheck report -->\n") and "more lines" not in short
    assert opcheck("diff", DUMP, DUMP, "-f", "md").text.endswith("\n<!-- opcheck diff -->\n")
    cut = render("md", change).text
    assert 59000 < len(cut) <= 60100 and cut.endswith("\n\n<!-- opcheck report -->\n")
    count, = re.findall(r"\n\.\.\. (\d+) more lines that do not fit", cut)
    assert int(count) > 1


@pytest.mark.parametrize("spans, text", [([(.925, .9699), (.5, .9)], "50\u201396 %"), ([(1, 1), (1, 1)], "100 %"), ([(.9999, 1), (.9999, .9999)], "99\u2013100 %"),
                                         ([(.991, .999), (.991, .999)], "99 %")])
def test_a_badge_has_the_range_of_all_targets(render, spans, text):
    def change(report):
        for target, (lo, hi) in zip(report["targets"], spans):
            target["readiness"]["time"] = {"lo": lo, "hi": hi}

    badge = render("badge", change).json
    assert badge["message"].split(" \u00b7 ")[1] == text and badge["cacheSeconds"] >= 300


@pytest.mark.parametrize("gates", [("failed", "passed"), ("passed", "failed")])
def test_a_badge_is_red_when_one_gate_failed(render, gates):
    def change(report):
        for target, gate in zip(report["targets"], gates):
            target["gate"] = gate

    badge = render("badge", change, "--fail-on", "unsupported").json
    assert (badge["color"], badge["isError"]) == ("red", True)


@pytest.mark.parametrize("options", [(), ("--fail-on", "unsupported"), ("--fail-on", "needs-package")], ids=["no gate", "failed", "passed"])
def test_junit_has_the_form_and_the_sums_that_readers_check(opcheck, waivers, options):
    root = tree.fromstring(opcheck("check", DUMP, *BLOCKED, "--waivers", waivers, *options, "-f", "junit").text)
    assert root.tag == "testsuites" and [suite.tag for suite in root] == ["testsuite"] * 2
    for suite in root:
        kinds = [[child.tag for child in case] for case in suite]
        assert all(kind in (["failure"], ["failure", "system-out"], ["skipped", "system-out"], ["system-out"]) for kind in kinds), kinds
        counts = {"tests": len(kinds), "failures": sum("failure" in k for k in kinds), "skipped": sum("skipped" in k for k in kinds), "errors": 0}
        assert {name: int(suite.get(name)) for name in counts} == counts
        names = [(case.get("classname"), case.get("name")) for case in suite]
        assert len(set(names)) == len(names) and {c for c, _ in names} == {suite.get("name")}
        assert all(child.text.strip() and (child.tag != "failure" or child.get("type")) for case in suite for child in case if child.tag != "skipped")


def test_more_targets_than_github_takes_are_cut_with_a_word(opcheck):
    ids = [t["id"] for t in opcheck("targets", "-f", "json").json["targets"]][:22]
    runs = opcheck("check", FIXTURES / "torch-2.13" / "resnet50.a.log", "-t", ",".join(ids), "-f", "sarif").json["runs"]
    assert [run["automationDetails"]["id"] for run in runs] == ["opcheck/" + i for i in ids[:20]]
    texts = [[n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]] for run in runs]
    assert texts == [["2 targets left out; this file has 20."]] + [[]] * 19


def called_from(frames, name="aten::histogram"):
    """A call of an operator inside of frames of Python, the outermost first."""
    events = [{"ph": "X", "cat": "python_function", "name": frame, "pid": 1, "tid": 1, "ts": 100 + i, "dur": 1000 - 2 * i,
               "args": {"Python id": i + 1, "Python parent id": i or None}} for i, frame in enumerate(frames)]
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 500, "dur": 9, "args": {"External id": 1, "Input Dims": [[4]]}})
    return {"schemaVersion": 1, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1, "traceEvents": events}


@pytest.mark.parametrize("frame, place", [
    ("train.py(12): step", ("train.py", 12)), ("models/my net.py(7): forward", ("models/my%20net.py", 7)), ("../other.py(7): forward", None),
    ("/home/u/train.py(12): step", None), ("transformers/trainer.py(5): train", None), ("<ipython-input-3-ab>(4): <module>", None),
])
def test_a_finding_is_at_the_line_of_the_program_and_in_its_modules(opcheck, tmp_path, frame, place):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(called_from(["main.py(1): <module>", "nn.Module: Net_0", "nn.Module: Head_0", frame][place is None:])))
    run = opcheck("check", path, "-t", "musa@v2.7.1", "-f", "json")
    callers = run.json["operators"][0]["callers"]
    assert callers["modules"] == ["Net_0/Head_0"] and callers["lines"] == [frame]
    log = opcheck("check", path, "-t", "musa@v2.7.1", "-f", "sarif").json
    validate(log)
    (location,) = next(r for r in log["runs"][0]["results"] if "logicalLocations" in r["locations"][0])["locations"]
    found = location["physicalLocation"]
    assert (found["artifactLocation"]["uri"], found["region"].get("startLine")) == (place or ("run.json", None))
    assert [(l["kind"], l["fullyQualifiedName"]) for l in location["logicalLocations"]] == [("function", "aten::histogram"), ("module", "Net_0/Head_0")]
    assert opcheck("convert", saved(tmp_path, run), "-f", "sarif").json == log


def saved(tmp_path, run):
    path = tmp_path / "report.json"
    path.write_bytes(run.out)
    return path
