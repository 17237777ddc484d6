"""Findings as CI systems read them: SARIF, JUnit, code quality, annotations and badges."""
import json
import xml.etree.ElementTree as tree

import pytest

from conftest import FIXTURES

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
TARGETS = ("-t", "npu@2.7.1", "-t", "musa")
BLOCKED = (*TARGETS, "--assume", "aten::mm=unsupported")
SUFFIXES = {"sarif": ".sarif", "junit": ".junit.xml", "codequality": ".codequality.json", "annotations": ".annotations.txt",
            "badge": ".badge.json", "svg": ".svg"}
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
        for result in run["results"]:
            place = result["locations"][0]["physicalLocation"]
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in ("error", "warning", "note")
            assert place == {"artifactLocation": {"uri": DUMP.name}, "region": {"startLine": 1}}
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
    passed = cases(opcheck("check", DUMP, *BLOCKED, "--fail-on", "reported-broken", "-f", "junit").text)
    assert all(case.find("failure") is None for case in passed.values())


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
    count = len(report["findings"]) + sum(len(i["capture"]["warnings"]) for i in report["inputs"])
    assert len(issues) == len(lines) == count == len({issue["fingerprint"] for issue in issues})
    assert issues[0]["severity"] == "blocker" and issues[0]["location"] == {"path": DUMP.name, "lines": {"begin": 1}}
    assert lines[0].startswith("::error title=op-unsupported,file=%s::aten::mm" % DUMP.name)


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
    ((*BLOCKED, "--fail-on", "reported-broken"), "brightgreen", False), (TARGETS, "yellow", False)])
def test_a_badge_has_the_colour_of_the_gate_and_no_green_for_unknown(opcheck, options, color, failed):
    badge = opcheck("check", DUMP, *options, "-f", "badge").json
    assert (badge["schemaVersion"], badge["label"], badge["color"], badge["isError"]) == (1, "opcheck", color, failed)
    picture = tree.fromstring(opcheck("check", DUMP, *options, "-f", "svg").text)
    assert picture.get("aria-label") == "opcheck: " + badge["message"]
