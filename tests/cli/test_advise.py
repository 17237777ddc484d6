"""The survey of every release says what `check` says of each, in every form; assumptions are shown as such."""
import csv
import html.parser
import io
import json

import jsonschema
import pytest

from conftest import FIXTURES, ROOT

LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
TRACE = FIXTURES / "traces" / "compilemarks.c.trace.json.gz"
BLOCKED = {"unsupported", "needs-package"}


def advise(opcheck, *args):
    done = opcheck("advise", *args, "-f", "json")
    assert done.status == 0, done.err
    schema = json.loads((ROOT / "schema" / "advice.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(done.json)
    return done.json


@pytest.mark.parametrize("dump", [LLAMA, TRACE], ids=["table", "trace"])
def test_every_release_is_as_check_has_it(opcheck, dump):
    survey = advise(opcheck, dump)
    ids = [r["id"] for r in survey["releases"]]
    assert ids == [t["id"] for t in opcheck("targets", "-f", "json").json["targets"]]
    args = [a for i in ids for a in ("-t", i)]
    report = opcheck("check", dump, *args, "-f", "json").json
    assert [t["id"] for t in report["targets"]] == ids
    for release, target in zip(survey["releases"], report["targets"]):
        for key in ("readiness", "coverage", "verdict"):
            assert release[key] == target[key], (release["id"], key)
        status = {o["name"]: o["verdicts"][target["id"]] for o in report["operators"]}
        assert all(status[o]["status"] in BLOCKED for o in release["blockers"])
        stopped = {o for o, v in status.items() if v["status"] in BLOCKED | {"unknown"}}
        assert stopped == set(release["blockers"] + release["unknown"])
        assert all(status[o]["status"] == "unknown" or status[o]["overloads"] for o in release["unknown"])


def test_fixed_and_new_follow_from_the_blockers(opcheck):
    for args in ((), ("--from", "npu@2.1.0", "--from", "musa@v1.2.1")):
        releases = {r["id"]: r for r in advise(opcheck, LLAMA, *args)["releases"]}
        for release in releases.values():
            before = set(releases[release["against"]]["blockers"]) if release["against"] else set(release["blockers"])
            assert set(release["fixed"]) == before - set(release["blockers"])
            assert set(release["new"]) == set(release["blockers"]) - before
        assert any(r["fixed"] for r in releases.values()) and any(r["new"] for r in releases.values())


def test_the_smallest_move_is_the_nearest_that_clears_all(opcheck):
    survey = advise(opcheck, LLAMA, "--from", "npu@v1.11.0-5.0.0", "--from", "musa@v1.2.1")
    releases = {r["id"]: r for r in survey["releases"]}
    for move in survey["moves"]:
        start, end = releases[move["from"]], releases[move["to"]]
        assert move["given"] and move["clears"] and not end["blockers"] + end["unknown"]
        assert set(move["cleared"]) == set(start["blockers"] + start["unknown"]) and not move["left"]
        ids = [r["id"] for r in survey["releases"] if r["target"] == move["target"] and r["stable"]]
        between = ids[ids.index(move["from"]) + 1:ids.index(move["to"])]
        assert all(releases[i]["blockers"] or releases[i]["unknown"] for i in between)
        assert move["other_torch"] == (start["torch"] != end["torch"])


def test_a_chip_of_the_start_holds_for_all_releases_of_its_target(opcheck):
    survey = advise(opcheck, LLAMA, "--from", "npu@2.5.1:310P")
    ids = [r["id"] for r in survey["releases"]]
    assert all(i.endswith(":310P") == i.startswith("npu@") for i in ids)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def test_the_forms_agree(opcheck, tmp_path):
    survey = advise(opcheck, LLAMA)
    out = tmp_path / "advice.csv"
    assert opcheck("advise", LLAMA, "-f", "csv", "-o", out).out == b""
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    assert [r["release"] for r in rows] == [r["id"] for r in survey["releases"]]
    for row, release in zip(rows, survey["releases"]):
        assert row["blockers"].split() == release["blockers"] and int(row["blocker_count"]) == len(release["blockers"])
        assert float(row["readiness_lo"]) == release["readiness"]["time"]["lo"]
        assert row["new"].split() == release["new"]
    assert opcheck("advise", LLAMA, "-f", "csv", "-o", out).status == 2  # it is there
    stable = [r["id"] for r in survey["releases"] if r["stable"]]
    for lang in ("en", "zh-CN"):
        short = opcheck("advise", LLAMA, "--lang", lang).text
        every = opcheck("advise", LLAMA, "-v", "--lang", lang).text
        assert max(len(line) + sum(ord(c) > 0x2e80 for c in line) for line in (short + every).splitlines()) <= 80
        assert all(i in every for i in stable)
        page = Page(opcheck("advise", LLAMA, "-f", "html", "--lang", lang).text)
        assert "script" not in page.tags and page.tags.count("tr") > 10
        table = opcheck("advise", LLAMA, "-f", "md", "--lang", lang).text
        lines = [line for line in table.splitlines() if line.startswith("|")]
        releases = [line for line in lines if line.replace("\\|", "").count("|") == 7]
        assert len(releases) > 10 and lines[:len(releases)] == releases


def test_an_assumption_is_shown_in_every_form(opcheck):
    given = ("--assume", "aten::isin=native", "--assume", "nosuch=unsupported")
    survey = advise(opcheck, LLAMA, *given)
    assert survey["assumptions"] == [{"operator": "aten::isin", "status": "native"},
                                     {"operator": "aten::nosuch", "status": "unsupported"}]
    assert not any("aten::isin" in r["blockers"] for r in survey["releases"])
    for form in ("text", "html", "md"):
        text = " ".join(opcheck("advise", LLAMA, *given, "-f", form).text.replace("\\", "").split())
        assert "Assumed, not known: aten::isin has status native" in text
        assert "is not in the dump" in text


def test_an_assumption_in_a_report(opcheck, tmp_path):
    args = ("check", LLAMA, "-t", "npu", "--assume", "mm=cpu-fallback")
    report = opcheck(*args, "-f", "json").json
    verdict = next(o for o in report["operators"] if o["name"] == "aten::mm")["verdicts"]
    assert [v["status"] for v in verdict.values()] == ["cpu-fallback"]
    assert all(v["flags"] == ["assumed"] and v["via"].startswith("assumed; known is native") for v in verdict.values())
    assert report["assumptions"] == [{"operator": "aten::mm", "status": "cpu-fallback"}]
    plain = opcheck("check", LLAMA, "-t", "npu", "-f", "json").json
    share = next(o for o in plain["operators"] if o["name"] == "aten::mm")["time_share"]
    before, after = (r["targets"][0]["readiness"]["time"]["lo"] for r in (plain, report))
    assert before - after == pytest.approx(share, abs=2e-6)
    finding = next(f for f in report["findings"] if f["operator"] == "aten::mm" and f["rule"] == "op-cpu-fallback")
    assert [a["rule"] for a in finding["advice"]] == ["advice-assumed"]
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck(*args, "-f", "json").out)
    for form in ("text", "html", "csv", "json"):
        direct = opcheck(*args, "-f", form).out
        assert b"assumed" in direct.lower()
        assert opcheck("convert", saved, "-f", form).out == direct
    gated = opcheck(*args, "--fail-on", "cpu-fallback", "-q")
    assert gated.status == 1


@pytest.mark.parametrize("args, status", [
    (("advise",), 2), (("advise", "-f", "sarif", LLAMA), 2), (("advise", "/nonexistent"), 3),
    (("advise", LLAMA, "--from", "npu@9.9"), 2), (("advise", LLAMA, "--from", "npu", "--from", "npu@2.1.0"), 2),
    (("advise", LLAMA, "--assume", "aten::mm=good"), 2), (("check", LLAMA, "--assume", "aten::mm"), 2)])
def test_errors(opcheck, args, status):
    done = opcheck(*args)
    assert done.status == status and done.err.startswith("opcheck: ") and done.out == b""
