"""The headline of a target: one word, why, and what to do first; the same in every format."""
import html
import json
import re

import pytest

from conftest import FIXTURES
from test_types import FLOAT, trace, written

NPU, MUSA = "npu@v2.7.1-26.0.0", "musa@v2.7.1"


def dump(folder, *names):
    return written(folder, trace(*((name, [[4]], [FLOAT]) for name in names)))


def headline(opcheck, path, target, *more):
    (found,) = opcheck("check", path, "-t", target, "-f", "json", *more).json["targets"]
    return found["headline"]["word"], found["headline"]["why"]["text"], found["headline"]["first"]["text"]


# the word, its dump, where, why, what to do first
WORDS = [
    ("RUNS", ("aten::relu", "aten::abs"), NPU, "all 2 operators run on the device", "no change needed; test it on the device"),
    ("RUNS SLOWLY", ("aten::relu", "aten::histogram"), NPU, "on the host: histogram (50 %)", "replace histogram; no recipe"),
    ("PACKAGE", ("aten::relu", "torchvision::nms"), NPU, "needs torchvision_npu: torchvision::nms", "install torchvision_npu -> 100 %"),
    ("STOPS", ("aten::relu", "aten::histogram"), MUSA, "no kernel: histogram", "replace histogram; no recipe"),
    ("UNKNOWN", ("aten::relu", "mylib::op"), NPU, "support unknown: mylib::op", "test mylib::op on the device -> 100 %"),
]


@pytest.mark.parametrize("word, names, target, why, first", WORDS)
def test_every_word_has_a_dump(opcheck, tmp_path, word, names, target, why, first):
    path, saved = dump(tmp_path, *names), tmp_path / "report.json"
    assert headline(opcheck, path, target) == (word, why, first)
    saved.write_bytes(opcheck("check", path, "-t", target, "-f", "json").out)
    assert opcheck("convert", saved, "-f", "json").out == saved.read_bytes()


def test_advise_says_the_words_of_check(opcheck, tmp_path):
    said = set()
    for _, names, *_ in WORDS:
        path = dump(tmp_path, *names)
        lines = re.findall(r"^([A-Z ]+?) +((?:npu|musa)@\S+) ", opcheck("advise", path).text, re.M)
        assert len(lines) == 2
        for word, release in lines:
            assert headline(opcheck, path, release)[0] == word
            said.add(word)
    assert said == {"RUNS", "RUNS SLOWLY", "STOPS", "UNKNOWN"}


@pytest.mark.parametrize("lang, word", [("en", "RUNS SLOWLY"), ("zh-CN", "可运行但慢")])
def test_a_report_into_a_file_leaves_the_word_on_standard_error(opcheck, tmp_path, lang, word):
    path = dump(tmp_path, "aten::relu", "aten::histogram")
    run = opcheck("check", path, "-t", NPU, "-o", "json=%s" % (tmp_path / "out"), "--lang", lang)
    assert (run.text, run.err) == ("", "%s: %s\n" % (NPU, word))


def test_slow_time_says_from_where_on_a_target_is_slow(opcheck, tmp_path):
    path = dump(tmp_path, "aten::relu", "aten::histogram")
    assert [headline(opcheck, path, NPU, "--slow-time", limit)[0] for limit in ("50%", "51%")] == ["RUNS SLOWLY", "RUNS"]


def test_packages_beside_a_missing_kernel_do_not_make_it_run(opcheck, tmp_path):
    found = headline(opcheck, dump(tmp_path, "aten::histogram", "torchvision::nms"), MUSA)
    assert found[:2] == ("STOPS", "no kernel: histogram")


def test_an_operator_stands_with_its_gradient(opcheck, tmp_path):
    found = headline(opcheck, dump(tmp_path, "aten::segment_reduce", "aten::_segment_reduce_backward"), MUSA)
    assert found[:2] == ("STOPS", "no kernel: segment_reduce and its backward")


def test_open_types_are_asked_for_before_any_fix(opcheck):
    word, why, first = headline(opcheck, FIXTURES / "torch-2.13" / "resnet50.a.log", MUSA)
    assert word == "UNKNOWN" and why.startswith("depends on your data types: ") and first.endswith("--dtype fp32 or --dtype fp32,bf16")


def first_line(page, element):
    return html.unescape(re.sub("<[^>]*>", "", re.search("<%s[^>]*>(.*?)</%s>" % (element, element), page, re.S)[1])).strip()


@pytest.mark.parametrize("lang, line, badge", [
    ("en", "t: RUNS SLOWLY on %s, STOPS on %s" % (NPU, MUSA), "STOPS \u00b7 50\u2013100 %"),
    ("zh-CN", "t：%s 可运行但慢，%s 无法运行" % (NPU, MUSA), "无法运行 \u00b7 50\u2013100 %")])
def test_every_format_says_the_same_headline(opcheck, tmp_path, lang, line, badge):
    path = dump(tmp_path, "aten::relu", "aten::histogram")
    args = ("check", path, "-t", NPU, "-t", MUSA, "--lang", lang, "-f")
    line = line.replace("t", path.name.split(".")[0], 1)
    page, report = opcheck(*args, "html").text, opcheck(*args, "json").json
    assert (first_line(page, "h1"), first_line(page, "title")) == (line, line)
    assert opcheck(*args, "md").text.startswith("**%s**\n\n- **" % line)
    assert opcheck(*args, "badge").json["message"].startswith(badge.split(" ")[0])
    words = {t["id"]: t["headline"]["why"]["text"] for t in report["targets"]}
    for run in opcheck(*args, "sarif").json["runs"]:
        target = run["automationDetails"]["id"].removeprefix("opcheck/")
        said = run["automationDetails"]["description"]["text"]
        assert lang != "en" or said.endswith(": " + words[target])


def test_a_page_of_both_languages_has_both_titles(opcheck, tmp_path):
    page = opcheck("check", dump(tmp_path, "aten::relu"), "-t", NPU, "-f", "html", "--lang", "all").text
    assert "RUNS on %s</title>" % NPU in page and re.search('data-title="[^"]*%s 可运行"' % NPU, page)


def test_many_targets_are_counted_by_their_words(opcheck, tmp_path):
    targets = opcheck("targets", "-f", "json").json["targets"][:6]
    args = [word for target in targets for word in ("-t", target["id"])]
    line = opcheck("check", dump(tmp_path, "aten::relu"), *args, "-f", "md").text.split("\n")[0]
    assert re.fullmatch(r"\*\*\w+: RUNS on 6 targets\*\*", line)


def test_a_report_of_an_earlier_version_keeps_its_title_and_gets_a_word_where_it_has_a_reason(opcheck, tmp_path):
    assert first_line(opcheck("convert", FIXTURES / "earlier" / "policy.json.gz", "-f", "html").text, "h1") == "Readiness report"
    report = opcheck("check", dump(tmp_path, "aten::histogram"), "-t", NPU, "-t", MUSA, "-f", "json").json
    for target in report["targets"]:
        del target["headline"]
    saved = tmp_path / "earlier.json"
    saved.write_text(json.dumps(report), encoding="utf-8")
    found = opcheck("convert", saved, "-f", "json").json["targets"]
    assert [t["headline"]["word"] for t in found] == ["RUNS SLOWLY", "STOPS"]
    assert [t["headline"]["why"] for t in found] == [t["reason"] for t in found]
