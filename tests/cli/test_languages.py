"""The language of a report changes its words: numbers, rows and keys are the same in English and in Chinese."""
import re

import pytest

from conftest import FIXTURES

LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
RESNET = FIXTURES / "torch-2.13" / "resnet50.a.log"
TRACE = FIXTURES / "traces" / "lastbatch.c-broken.trace.json.gz"
TARGETS = ["-t", "npu@v2.7.1-26.0.0", "-t", "musa@v2.7.1"]
CASES = [
    ["check", LLAMA, *TARGETS, "-v"], ["check", RESNET, *TARGETS], ["check", TRACE, *TARGETS, "-v"],
    ["advise", LLAMA, "--from", "npu@v2.1.0-6.0.0"], ["buckets", LLAMA], ["diff", LLAMA, RESNET, *TARGETS],
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


def test_one_page_holds_both_languages(opcheck):
    pages = {lang: opcheck("check", LLAMA, "-f", "html", "--lang", lang).text for lang in ("en", "zh-CN", "all")}
    body = {lang: page.split("<body>\n")[1].split("<script>")[0] for lang, page in pages.items()}
    assert body["en"] in pages["all"] and body["zh-CN"] in pages["all"].replace("</template>\n", "")
    assert len(body["all"]) < len(body["en"]) + len(body["zh-CN"]) + 400
    assert pages["all"].count("<style>") == 1 and '<html lang="en">' in pages["all"]
    # what is no page has the language of the locale
    assert opcheck("check", LLAMA, "--lang", "all").out == opcheck("check", LLAMA, "--lang", "en").out
    wrong = opcheck("check", LLAMA, "--lang", "xx")
    assert wrong.status == 2 and "all" in wrong.err
