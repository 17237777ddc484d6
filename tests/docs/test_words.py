"""The terms of web/i18n/glossary.tsv hold in both catalogues, in the manual and in the README; sentences are short and plain."""
import collections
import functools
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
    exceptions = {"capture-frames-dropped", "capture-streams-merged", "releases.newest", "survey.blocks", "survey.blocks-since", "diff.overlays",
                  "diff.no-target"}  # always more than one, or one of two numbers
    numbers = {"tables", "lines", "rows", "steps", "calls", "operators", "files", "findings", "count", "events", "tasks", "graphs"}
    assert {key for key, text in EN.items() for name, noun in plural.findall(text) if name in numbers} <= exceptions


# --- sentences (web/i18n, messages and the texts of facts)

MOST_WORDS, MOST_CHARACTERS = 20, 45  # of a sentence in English; in Chinese, where a Latin word counts as one
BANNED = re.compile(r"(?:^|[.;:] )(What|Who|Whose|How|Whether|Which)\b[^?]*$"
                    r"|\b([Nn]obody|[Ss]omebody|[Ee]verybody|[Aa]nybody|untold|told|spoilt|standing)\b"
                    r"|\b(is|are) no\b|\b([Nn]othing|[Ww]ho) (is|was|has|knows)\b|\b[Ll]ooks? whether\b")
HEADINGS = {"page.what", "page.file-how"}  # labels of one or a few words
PLURAL = re.compile(r"\{\w+:([^|{}]*)\|[^{}]*\}")


def plain(text):
    """A placeholder, a piece of code or a conversion of printf is one word; of two forms the first counts."""
    return re.sub(r"\{[^}]*\}|`[^`]*`|%[-0-9.*$]*[a-z]+", "X", PLURAL.sub(r"\1", text))


def too_long(text, lang):
    if lang == "en":
        return any(len(re.findall(r"\S*\w\S*", sentence)) > MOST_WORDS for sentence in re.split(r"(?<=[.!?])\s+", plain(text)))
    return any(len(re.findall(r"[\u4e00-\u9fff]|[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+", sentence)) > MOST_CHARACTERS
               for sentence in re.split("[。！？]", plain(text)))


def placeholders(text):
    return set(re.findall(r"\{(\w+?)(?:_en|_zh)?\}", text))


def faults(english, chinese, used):
    """Each text that breaks a rule, with the rule."""
    translated = dict(chinese)
    found = [(key, "too long") for texts, lang in ((english, "en"), (chinese, "zh")) for key, text in texts if too_long(text, lang)]
    found += [(key, "opener or term") for key, text in english if BANNED.search(plain(text)) and key not in HEADINGS]
    found += [(key, "blanks") for key, text in chinese if re.search(r"[\u4e00-\u9fff，。；：] [\u4e00-\u9fff，。；：]|^[：，”]", text)]
    found += [(key, "twice") for texts in (english, chinese) for key, times in collections.Counter(key for key, _ in texts).items() if times > 1]
    found += [(key, "placeholders") for key, text in english if placeholders(text) != placeholders(translated.get(key, ""))]
    return found + [(key, "unused") for key, _ in english if not used(key)]


def lines_of(name):
    lines = (ROOT / "web/i18n" / name).read_text(encoding="utf-8").splitlines()
    return [re.match(r"([^:]+): (.*)", line).groups() for line in lines if line and not line.startswith("#")]


@functools.cache
def users():
    """A function: whether the sources name a text, as a whole or as a member of a family ("status" and "native")."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*")) if path.suffix in (".c", ".h", ".py"))
    text += (ROOT / "opdb/rules/implied.tsv").read_text(encoding="utf-8")
    names = set(re.findall(r"[\w-]+(?:\.[\w-]+)*", text)) | set(re.findall(r"\"([\w. -]+)\"", text))

    def used(key):
        base = re.sub(r"(\.about|\.advice|-many|-each)$", "", key)
        family, _, member = base.rpartition(".")
        return bool({key, base} & names or base.removeprefix("OPC-") in names or {family, member} <= names
                    or base.removeprefix("implied-") in names)
    return used


def test_texts_are_short_and_plain():
    assert faults(lines_of("en.txt"), lines_of("zh-CN.txt"), users()) == []


@pytest.mark.parametrize("english, chinese, fault", [
    ("word " * 21, "词", "too long"), ("One. " + "word " * 20, "词", None), ("{count:word|words} `a b c` {x} " + "word " * 17, "{x}", None),
    ("word", "词" * 46, "too long"), ("word", "词" * 45, None), ("Whether it runs is unknown", "词", "opener or term"),
    ("Seen: What it runs", "词", "opener or term"), ("Which types are used?", "词", None), ("Nobody knows", "词", "opener or term"),
    ("{a} is no dump", "{a} 词", "opener or term"), ("{a}", "词", "placeholders"), ("word", "{a}", "placeholders"),
    ("word", "词 词", "blanks"), ("word", "：词", "blanks")])
def test_a_text_that_breaks_a_rule_is_found(english, chinese, fault):
    assert faults([("key", english)], [("key", chinese)], lambda _: True) == [("key", fault)] * bool(fault)


def test_a_text_that_is_unused_or_there_twice_is_found():
    assert faults([("a", "x"), ("a", "x"), ("b", "x")], [("a", "x"), ("b", "x")], lambda key: key == "a") == [("a", "twice"), ("b", "unused")]
    used = users()
    assert used("status.native") and used("OPC-3001.about") and used("op-unsupported-many") and not used("status.absent-minded") and not used("page.nothing-of-it")


def test_a_finding_of_one_operator_has_texts_for_several():
    texts = dict(lines_of("en.txt"))
    rules = [key for key, text in texts.items() if re.fullmatch("op-[a-z-]+", key) and "{operator}" in text and "{target}" in text]
    assert len(rules) > 20 and [rule + form for rule in rules for form in ("-many", "-each") if rule + form not in texts] == []


def test_errors_hints_and_help_are_short_and_plain():
    lines = (ROOT / "web/i18n/messages.zh-CN.txt").read_text(encoding="utf-8").splitlines()
    english = [line for line in lines if line and line[0] not in "#\t"]
    assert [line for line in english if too_long(line, "en") or BANNED.search(line)] == []
    assert [line for line in lines if line.startswith("\t") and too_long(line.strip(), "zh")] == []


@pytest.mark.parametrize("table, columns", [
    ("recipes/recipes.tsv", ("en", "zh", "cost_en", "cost_zh")), ("faults/faults.tsv", ("cause_en", "cause_zh", "cure_en", "cure_zh")),
    ("faults/codes.tsv", ("cause", "cure")), ("faults/environment.tsv", ("meaning",)), ("npu/unit_conditions.tsv", ("en", "zh"))])
def test_the_texts_of_facts_are_short(table, columns):
    """Not what others wrote: reports, and documents of vendors."""
    head, *rows = [line.split("\t") for line in (ROOT / "opdb" / table).read_text(encoding="utf-8").splitlines()]
    at = [(head.index(name), "zh" if name.endswith("zh") else "en") for name in columns]
    assert [row[i] for row in rows for i, lang in at if too_long(row[i], lang)] == []


def luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_text_has_the_contrast_of_wcag_aa():
    themes = re.findall(r"--page: [^}]*", (ROOT / "web/report.css").read_text(encoding="utf-8"))
    assert len(themes) == 2
    for theme in themes:
        colours = dict(re.findall(r"--(\w+): (#\w+);", theme))
        for text in ("ink", "soft", "accent", "good", "fair", "bad", "grey"):
            for ground in ("page", "card"):
                pair = sorted(luminance(colours[name]) + 0.05 for name in (text, ground))
                assert pair[1] / pair[0] >= 4.5, (text, ground, pair[1] / pair[0])
        stripes = sorted(luminance(colours[name]) + 0.05 for name in ("grey", "track"))
        assert stripes[1] / stripes[0] >= 4.5  # of what is unknown
