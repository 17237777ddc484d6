"""The language of a report changes its words: numbers, rows and keys are the same in English and in Chinese."""
import json
import re

import pytest

import page_data

from conftest import FIXTURES

LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
RESNET = FIXTURES / "torch-2.13" / "resnet50.a.log"
TRACE = FIXTURES / "traces" / "lastbatch.c-broken.trace.json.gz"
TARGETS = ["-t", "npu@v2.7.1-26.0.0", "-t", "musa@v2.7.1"]
CASES = [
    ["check", LLAMA, *TARGETS, "-f", "text", "-v"], ["check", RESNET, *TARGETS, "-vv"], ["check", TRACE, *TARGETS, "-f", "text", "-v"],
    ["advise", LLAMA, "--from", "npu@v2.1.0-6.0.0", "-f", "text"], ["buckets", LLAMA], ["diff", LLAMA, RESNET, *TARGETS, "-f", "text"],
]
# names, releases and figures: what no language may change; a sentence may name its parts in another order
FIGURE = re.compile(r"(?:aten|prims|npu)::\w+(?:\.\w+)?|(?:npu|musa)@[\w.-]+|\d+(?:\.\d+)?(?: ?%)?")


def figures(text):
    return sorted(FIGURE.findall(re.sub(r"\s+", " ", text)))


@pytest.mark.parametrize("args", CASES, ids=lambda args: args[0] + "-" + args[1].name.split(".")[0])
def test_a_report_has_the_same_names_and_figures_in_both_languages(opcheck, args):
    english, chinese = (opcheck(*args, "--lang", lang) for lang in ("en", "zh-CN"))
    assert english.status == chinese.status
    assert len(figures(english.text)) > 20
    assert figures(english.text) == figures(chinese.text)
    assert not re.findall(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9%][\u4e00-\u9fff]", chinese.text)  # a space between the two scripts


def test_json_and_csv_do_not_depend_on_the_language(opcheck):
    for form in ("json", "csv"):
        assert opcheck("check", LLAMA, *TARGETS, "-f", form).out == opcheck(
            "check", LLAMA, *TARGETS, "-f", form, "--lang", "zh-CN").out


def translated(page, steps, words):
    """A page with other words: how many texts and attributes stay, then the number of the word instead of the next."""
    parts = re.split(r'(?<==")([^"]*)(?=")|(?<=>)([^<]+)(?=<)', page)
    places = [i for i, part in enumerate(parts) if part is not None and (i % 3 == 1 or i % 3 == 2 and part.strip())]
    at = -1
    for stay, word in zip(steps[::2], steps[1::2]):
        at += stay + 1
        parts[places[at]] = words[word]
    return "".join(part or "" for part in parts)


def test_one_page_holds_both_languages(opcheck):
    pages = {lang: opcheck("check", LLAMA, "-f", "html", "--lang", lang).text for lang in ("en", "zh-CN", "all")}
    body = {lang: page_data.without(page.split("<body>\n")[1]).split("</body>")[0] for lang, page in pages.items()}
    assert body["all"] == body["en"]
    data = json.loads(re.search('<script type="application/json" id="other-language" lang="zh-CN" [^>]*>(.*?)</script>', pages["all"], re.S).group(1))
    # attributes without a value count, too
    valued = re.sub(r"(<[a-z]+(?: [\w-]+=\"[^\"]*\")*) open(?=[ >])", r'\1 open=""', body["en"])
    assert translated(valued, **data).replace(' open=""', " open") == body["zh-CN"]
    assert len(set(data["words"])) == len(data["words"]) and len(pages["all"]) < 1.25 * len(pages["en"])
    assert pages["all"].count("<style>") == 1 and '<html lang="en">' in pages["all"]
    # what is no page has the language of the locale
    assert opcheck("check", LLAMA, "--lang", "all").out == opcheck("check", LLAMA, "--lang", "en").out
    wrong = opcheck("check", LLAMA, "--lang", "xx")
    assert wrong.status == 2 and "all" in wrong.err
