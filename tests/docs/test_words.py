"""The terms of web/i18n/glossary.tsv hold in both catalogues, in the manual and in the README."""
import re

import pytest

from conftest import ROOT

ROWS = [line.split("\t") for line in (ROOT / "web/i18n/glossary.tsv").read_text(encoding="utf-8").splitlines()[1:]]


def catalog(name):
    lines = (ROOT / "web/i18n" / name).read_text(encoding="utf-8").splitlines()
    return dict(re.match(r"([^:]+): (.*)", line).groups() for line in lines if line and not line.startswith("#"))


EN, ZH = catalog("en.txt"), catalog("zh-CN.txt")
PAGES = [ROOT / "README.md", *sorted((ROOT / "deploy/man").iterdir()), *sorted((ROOT / "src").rglob("README.md"))]


def words(cell):
    return [] if cell == "." else cell.split(";")


def uses(text, word):
    return re.search(r"\b%s\b" % re.escape(word), text)


def test_the_glossary_is_a_table():
    assert [row for row in ROWS if len(row) != 4 or any(cell != cell.strip() or not cell for cell in row)] == []
    assert len({row[0] for row in ROWS}) == len(ROWS) > 20


@pytest.mark.parametrize("word", [word for row in ROWS for word in words(row[2])])
def test_no_text_uses_a_word_that_has_a_better_one(word):
    assert [key for key, text in EN.items() if uses(text, word)] == []
    assert [page.name for page in PAGES if uses(" ".join(page.read_text(encoding="utf-8").split()), word)] == []


@pytest.mark.parametrize("word", [word for row in ROWS for word in words(row[3])])
def test_no_chinese_text_uses_a_word_that_has_a_better_one(word):
    assert [key for key, text in ZH.items() if word in text] == []


@pytest.mark.parametrize("term", ["overload", "waiver", "baseline", "recipe", "AI CPU", "AI Core"])
def test_a_term_has_one_translation(term):
    chinese = next(row[1] for row in ROWS if row[0] == term)
    assert [key for key, text in EN.items() if re.search(r"\b%ss?\b" % term, re.sub(r"\{[^}:]*\}|`[^`]*`", "", text))
            and chinese not in ZH[key]] == []


def test_blanks_in_sentences_have_a_form_for_one():
    """A number before a plural noun of the text: "1 tables" is no English."""
    plural = re.compile(r"\{(\w+)\} (\w+s)\b")
    exceptions = {"capture-frames-dropped", "capture-streams-merged", "survey.blocks", "survey.blocks-since", "diff.overlays",
                  "diff.no-target"}  # always more than one, or one of two numbers
    numbers = {"tables", "lines", "rows", "steps", "calls", "operators", "files", "findings", "count", "events", "tasks", "graphs"}
    assert {key for key, text in EN.items() for name, noun in plural.findall(text) if name in numbers} <= exceptions
