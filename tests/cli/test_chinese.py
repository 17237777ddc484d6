"""Help, usage and errors in Chinese: each text of the code has a translation, and no line is wider than a terminal."""
import os
import pty
import re
import select
import subprocess
import unicodedata

import pytest

from conftest import FIXTURES, ROOT, Run, environment, program

TABLE = ROOT / "web" / "i18n" / "messages.zh-CN.txt"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LAYERS = "base io json record op dump opdb import assess report scan diagnose check store cli server".split()
FORMAT_AT = {"err_set": 2, "err_os": 3, "err_hint": 1, "err_where": 1, "translated": 0, "tsv_error": 2, "input_error": 3,
             "row_error": 1, "wrong": 2, "db_damaged": 1, "damaged": 1, "fail_walk": 2, "store_error": 2, "blob_file_error": 2, "fail_with": 2,
             "queue_cancel_job": 2}
TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|/\*.*?\*/|[(){}\[\],?:]|[^\"'/(){}\[\],?:]+|/", re.S)
DIRECTIVE = re.compile(r"%(?:(\d+)\$)?[-0# +]*(?:\*(?:\d+\$)?|\d+)?(?:\.(?:\*(?:(\d+)\$)?|\d+)?)?(hh|h|ll|l|z|j|t)?([a-zA-Z%])")
# What stays as it is: a command alone, what only a defect of the store's texts says, and a sentence whose whole text is another's.
SAME = {"curl -L %s | opcheck check -", "a row has not both a column and a field for '%s': %s", "a statement has too many parameters",
        "a statement does not take one value '%s'", "a statement lacks a value", "step %zu of the store leads to version %lld", "cannot %s %s"}


def table():
    found, english = {}, None
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("\t"):
            assert english and english not in found, "one English line before each translation, once: " + line
            found[english] = line[1:]
            english = None
        else:
            english = line if line and not line.startswith("#") else None
    return found


def arguments(text, at):
    """The tokens of each argument of a call, from behind its bracket."""
    depth, found = 1, [[]]
    for match in TOKEN.finditer(text, at):
        token = match.group()
        depth += token in ("(", "{", "[")
        depth -= token in (")", "}", "]")
        if not depth:
            return found
        if token == "," and depth == 1:
            found.append([])
        elif not token.startswith("/*"):
            found[-1].append(token)
    return found


def literals(tokens):
    """String literals; adjacent ones are one text, those of a condition several."""
    found, text = [], None
    for token in tokens:
        if token.startswith('"'):
            text = (text or "") + token[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        elif token.strip() == "PRIu64" and text is not None:
            text += "lu"
        elif token.strip():
            found, text = found + [text] * (text is not None), None
    return found + [text] * (text is not None)


def used():
    """{text: where}: every literal that the functions for errors and help get."""
    found = {}
    for path in sorted(path for layer in LAYERS for path in (ROOT / "src" / layer).rglob("*.c")):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"\b(%s)\(" % "|".join(FORMAT_AT), text):
            call = arguments(text, match.end())
            for literal in literals(call[FORMAT_AT[match.group(1)]]) if len(call) > FORMAT_AT[match.group(1)] else []:
                if re.search("[A-Za-z]", DIRECTIVE.sub("", literal)):
                    found[literal] = str(path.relative_to(ROOT))
    detect = (ROOT / "src/dump/dump.c").read_text(encoding="utf-8")
    rows = re.findall(r"static const char \w+_hint\[\] =((?:\s*\"(?:[^\"\\]|\\.)*\")+);", detect) + re.findall(r'"this is (?!a %s)[^"]*"', detect)
    found.update((literals([part for part in re.findall(r'"(?:[^"\\]|\\.)*"', row)])[0], "src/dump/dump.c") for row in rows)
    return found


def lines_of_the_code():
    """Every line of the string literals of the sources, and the capital words in them, which help translates alone."""
    found = set()
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        tokens = [match.group() for match in TOKEN.finditer(path.read_text(encoding="utf-8"))]
        found.update(literals([token for token in tokens if not token.startswith("/*")]))
    lines = {line for text in found for line in text.split("\\n")}
    return lines | {word for line in lines for word in re.findall(r"[A-Z][A-Z_]+", line)}


def directives(text):
    """Conversions in the order of their arguments: ".*s" takes two."""
    found = []
    for place, precision, size, letter in DIRECTIVE.findall(text):
        if letter != "%":
            found.append((int(place) if place else len(found), (size or "") + letter))
    return [letter for _, letter in sorted(found, key=lambda item: item[0])]


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_every_error_and_hint_has_its_chinese():
    missing = {text: where for text, where in used().items() if text not in table() and text not in SAME}
    assert missing == {}, "add the text and, behind a tab on the next line, its Chinese to web/i18n/messages.zh-CN.txt"


def test_every_translation_has_its_english_in_the_code():
    known = lines_of_the_code() | {os.strerror(number) for number in range(1, 134)}
    assert len(known) > 5000
    assert sorted(set(table()) - known) == [], "strike these and their Chinese from web/i18n/messages.zh-CN.txt"


def test_translations_have_the_conversions_of_their_text_and_chinese():
    for english, chinese in table().items():
        assert directives(english) == directives(chinese), english
        assert CHINESE.search(chinese) or re.fullmatch(r"[\x20-\x7e、，；]*", chinese), english
        bare = DIRECTIVE.sub("%", chinese)
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]", bare), "a space between the scripts: " + chinese


def commands(opcheck):
    names = re.findall(r"^  ([a-z]+) +\S", opcheck("help").text.split("Commands:")[1], re.M)
    parts = re.findall(r"opcheck (db [a-z-]+) ", opcheck("db", "--help").text)
    return [[], *([name] for name in names), *(part.split() for part in sorted(set(parts)))]


def test_every_help_is_chinese_and_fits_a_terminal(opcheck):
    assert len(commands(opcheck)) > 30
    for command in commands(opcheck):
        english, chinese = (opcheck(*command, "--help", "--lang", lang) for lang in ("en", "zh-CN"))
        assert english.status == chinese.status == 0
        assert not CHINESE.search(english.text)
        assert [line for run in (english, chinese) for line in run.text.splitlines() if columns(line) > 80] == [], command
        example = re.compile(r"  opcheck |$|       opcheck |      --[a-z-]+(=\S+)?$")
        said = [re.sub(r"^  (-\w,|   ) --\S+", "", line) for line in chinese.text.splitlines() if not example.match(line)]
        assert [line for line in said if not CHINESE.search(line)] == [], command


@pytest.mark.parametrize("topic", ["facts", "gate", "limits", "run", "server"])
def test_topics_of_help_are_chinese_and_fit_a_terminal(opcheck, topic):
    english, chinese = (opcheck("help", topic, "--lang", lang) for lang in ("en", "zh-CN"))
    assert [line for run in (english, chinese) for line in run.text.splitlines() if columns(line) > 80] == []
    for line in chinese.text.splitlines():
        words = re.match(r"  opcheck |$|( [a-z-]+){1,4}$|  [a-z-]+( [a-z-]+){0,3}$", line)
        assert words or CHINESE.search(line) or not re.search("[a-z] [a-z]", line), line


@pytest.mark.parametrize("variables, chinese", [
    ({"LC_ALL": "zh_CN.UTF-8"}, True), ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, False),
    ({"LC_ALL": "", "LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, True),
    ({"LC_ALL": "", "LC_MESSAGES": "C", "LANG": "zh_CN.UTF-8"}, False),
    ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, True), ({"LC_ALL": "", "LANG": "de_DE.UTF-8"}, False),
    ({"LC_ALL": "zh_CN.UTF-8", "OPCHECK_LANG": "en"}, False),
])
def test_the_language_is_that_of_the_locale(opcheck, variables, chinese):
    for args, status in ((["--help"], 0), (["check", "--help"], 0), (["check", "none.log"], 3), (["check", "--frob"], 2)):
        run = opcheck(*args, env=variables)
        assert run.status == status and bool(CHINESE.search(run.text + run.err)) is chinese, (args, run.err)
        english = opcheck(*args, "--lang", "en", env=variables)
        assert not CHINESE.search(english.text + english.err), args


def test_json_has_no_translated_texts(opcheck, tmp_path):
    (tmp_path / "good.py").write_text("import torch\nx = torch.zeros(1).cuda()\n")
    (tmp_path / "bad.ipynb").write_text("{")
    runs = [opcheck("scan", tmp_path, "-t", "npu", "-f", "json", "--lang", lang) for lang in ("en", "zh-CN")]
    assert runs[0].status == runs[1].status == 0 and b"bad.ipynb" in runs[0].out and runs[0].out == runs[1].out


def in_terminal(columns_wide, *args, called=None, **variables):
    """Standard error of a run as a terminal of that width gets it."""
    main, side = pty.openpty()
    subprocess.run(["stty", "cols", str(columns_wide)], stdin=side, check=True)
    done = subprocess.Popen([called or os.environ["OPCHECK"], *args], stdout=subprocess.DEVNULL, stderr=side, env=environment(**variables))
    os.close(side)
    text = b""
    while select.select([main], [], [], 60)[0]:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    done.wait()
    os.close(main)
    return text.decode("utf-8").replace("\r\n", "\n")


def test_the_service_fails_in_the_language_of_its_terminal_and_logs_in_english(tmp_path):
    called = program("opcheckd", "OPCHECKD")
    args = ["backup", "--state-dir", str(tmp_path)]
    text = in_terminal(80, *args, called=called, OPCHECK_LANG="zh-CN")
    assert "backup 需要一个新目录或空目录" in text and "例如 opcheckd backup" in text
    assert "backup needs one new or empty directory" in in_terminal(80, *args, called=called, OPCHECK_LANG="en")
    assert "backup needs one new or empty directory" in Run([called, *args], env=environment(OPCHECK_LANG="zh-CN")).err


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_errors_fit_the_terminal(opcheck, lang):
    dump = FIXTURES / "torch-2.13" / "llama.a-full.log"
    for args in (["check", dump, "--fail-on", "blocked"], ["check", dump, "-t", "atlas800"], ["check", dump, "-t", "npu@cann-8.5"]):
        text = in_terminal(80, *map(str, args), "--lang", lang)
        assert text.count("\n") > 2 and max(columns(line) for line in text.splitlines()) <= 80, text
        piped = opcheck(*args, "--lang", lang).err
        assert piped.count("\n") == 2 and piped.split() == text.split() or lang == "zh-CN", "one line each for programs"
