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


def test_json_and_csv_do_not_depend_on_the_language(opcheck):
    for form in ("json", "csv"):
        assert opcheck("check", LLAMA, *TARGETS, "-f", form).out == opcheck(
            "check", LLAMA, *TARGETS, "-f", form, "--lang", "zh-CN").out
