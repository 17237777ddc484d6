"""A site's own facts: they win, every report says so, and a file that is wrong stops the run with its line."""
import csv
import hashlib
import io
import json

import jsonschema
import pytest

from conftest import FIXTURES, ROOT

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
COLUMNS = "# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n"
MM = "aten::mm\tnpu\t*\t.\t.\tunsupported\t.\tit <hangs> here\thttps://wiki.example/mm?a=1&b=2\t2026-02-03\n"
MUL = "aten::mul\tnpu\t*\t.\tbfloat16\tcpu-fallback\t.\tslow & wrong\tseen by a colleague\t.\n"


@pytest.fixture
def site(tmp_path):
    path = tmp_path / "site.tsv"
    path.write_text(COLUMNS + MM + MUL, encoding="utf-8")
    return path


def check(opcheck, site, *more):
    return opcheck("check", DUMP, "-t", "npu", "-t", "musa@v2.7.1", "--overlay", site, *more)


def test_the_json_report_names_the_overlay_and_flags_what_it_decides(opcheck, site):
    done = check(opcheck, site, "-f", "json")
    assert done.status == 0, done.err
    schema = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(done.json)
    assert done.json["db"]["overlays"] == [
        {"name": "site.tsv", "sha256": hashlib.sha256(site.read_bytes()).hexdigest(), "facts": 2}]
    verdicts = {o["name"]: o["verdicts"] for o in done.json["operators"]}
    mm = verdicts["aten::mm"]["npu@v2.12.0-26.1.0"]
    assert mm["status"] == "unsupported" and mm["flags"] == ["overlay"]
    assert mm["evidence"][0] == {"kind": "overlay", "ref": "https://wiki.example/mm?a=1&b=2", "date": "2026-02-03"}
    assert verdicts["aten::mm"]["musa@v2.7.1"]["status"] == "native"
    mul = verdicts["aten::mul"]["npu@v2.12.0-26.1.0"]
    assert mul["status"] == "native" and set(mul["flags"]) == {"dtype-limited", "overlay"}
    assert [c["rule"] for c in mul["conditions"]] == ["op-overlay-limit"]
    assert mul["evidence"][0] == {"kind": "overlay", "ref": "", "text": "seen by a colleague"}
    rules = {(f["rule"], f["operator"]) for f in done.json["findings"]}
    assert {("op-overlay", "aten::mm"), ("op-unsupported", "aten::mm"), ("op-overlay-limit", "aten::mul")} <= rules
    verdict = {t["id"]: t["verdict"] for t in done.json["targets"]}
    assert verdict["npu@v2.12.0-26.1.0"] == "blocked"


def test_every_format_shows_the_overlay_and_convert_gives_the_same_bytes(opcheck, site, tmp_path):
    digest = hashlib.sha256(site.read_bytes()).hexdigest()
    saved = tmp_path / "report.json"
    saved.write_bytes(check(opcheck, site, "-f", "json").out)
    for format in ("text", "html", "csv", "json"):
        direct = check(opcheck, site, "-f", format)
        assert direct.status == 0 and digest[:12] in direct.text and "site.tsv" in direct.text, format
        assert opcheck("convert", saved, "-f", format).out == direct.out
    text = check(opcheck, site, "-vv").text
    assert digest in text and "*unsupported" in text
    html = check(opcheck, site, "-f", "html").text
    assert digest in html and "<hangs>" not in html and "seen by a colleague" in html and "no address" in html
    rows = list(csv.DictReader(io.StringIO(check(opcheck, site, "-f", "csv").text)))
    assert all(r["overlays"] == "site.tsv " + digest for r in rows)
    assert "overlays" not in opcheck("check", DUMP, "-f", "csv").text.splitlines()[0]
    marked = {(r["operator"], r["target"]) for r in rows if "overlay" in r["flags"].split()}
    assert marked == {("aten::mm", "npu@v2.12.0-26.1.0"), ("aten::mul", "npu@v2.12.0-26.1.0")}


def test_the_same_files_give_the_same_bytes_and_none_gives_none(opcheck, site):
    assert check(opcheck, site, "-f", "json").out == check(opcheck, site, "-f", "json").out
    assert "overlays" not in opcheck("check", DUMP, "-f", "json").json["db"]


def test_op_follows_it(opcheck, site):
    done = opcheck("op", "mm", "-t", "npu", "--overlay", site)
    assert done.status == 0 and "npu@v2.12.0-26.1.0: unsupported" in done.text and "without" in done.text
    rows = opcheck("op", "--all", "-t", "npu", "-f", "csv", "--overlay", site).text.splitlines()
    assert [r for r in rows if r.startswith("npu,v2.12.0-26.1.0,mm,unsupported,")]


def test_later_overlays_win(opcheck, site, tmp_path):
    later = tmp_path / "later.tsv"
    later.write_text(COLUMNS + MM.replace("unsupported", "cpu-fallback"), encoding="utf-8")
    both = opcheck("op", "mm", "-t", "npu", "--overlay", site, "--overlay", later, "-f", "csv").text
    assert "cpu-fallback" in both.splitlines()[1]


def test_a_bad_overlay_stops_the_run_with_its_line(opcheck, site):
    site.write_text(COLUMNS + MM + MM, encoding="utf-8")
    for args in (("check", DUMP, "--overlay", site), ("op", "mm", "--overlay", site), ("db", "check-overlay", site)):
        done = opcheck(*args)
        assert done.status == 4 and not done.out
        assert 'site.tsv:3: error OPC-4005: line 2 has "aten::mm"' in done.err
    assert opcheck("check", DUMP, "--overlay", site.parent / "none.tsv").status == 4


def test_check_overlay_counts_what_is_fine(opcheck, site):
    done = opcheck("db", "check-overlay", site)
    assert done.status == 0 and done.text == "site.tsv: 2 facts, SHA-256 %s\n" % hashlib.sha256(site.read_bytes()).hexdigest()


def test_the_size_is_limited(opcheck, site):
    assert check(opcheck, site, "--limit", "overlay-bytes=10").status == 3


def test_usual_overlays_lie_under_those_of_the_command(opcheck, site, tmp_path):
    usual, other = tmp_path / "usual.tsv", tmp_path / "other.tsv"
    usual.write_text(COLUMNS + MM.replace("unsupported", "cpu-fallback"), encoding="utf-8")
    other.write_text(COLUMNS + MUL, encoding="utf-8")
    env = {"OPCHECK_OVERLAY": "%s::%s" % (usual, other)}
    alone = opcheck("check", DUMP, "-t", "npu", "-f", "json", env=env).json
    assert [o["name"] for o in alone["db"]["overlays"]] == ["usual.tsv", "other.tsv"]
    both = opcheck("check", DUMP, "-t", "npu", "-f", "json", "--overlay", site, env=env).json
    assert [o["name"] for o in both["db"]["overlays"]] == ["usual.tsv", "other.tsv", "site.tsv"]
    status = [o["verdicts"]["npu@v2.12.0-26.1.0"]["status"] for r in (alone, both) for o in r["operators"] if o["name"] == "aten::mm"]
    assert status == ["cpu-fallback", "unsupported"]
    missing = opcheck("op", "aten::mm", env={"OPCHECK_OVERLAY": "/nowhere/site.tsv"})
    assert missing.status == 4 and "/nowhere/site.tsv" in missing.err
