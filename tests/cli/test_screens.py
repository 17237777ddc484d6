"""What a terminal shows first: at most 24 lines of its width, in both languages; more of it with -v, less with -q and --summary."""
import itertools
import json
import os
import pty
import re
import shlex
import struct
import fcntl
import subprocess
import termios
import unicodedata

import pytest

from conftest import FIXTURES, ROOT, environment, program, sampled
from test_types import FLOAT, trace, written

DUMPS = ["torch-2.13/llama.a-full.log", "torch-2.13/resnet50.a.log", "torch-2.13/compile.a.log", "torch-1.13/transformer.a.log",
         "torch-1.13/vit.a-full.log.gz", "eras/2.9-overload.log", "eras/1.5-npu.log", "traces/lastbatch.c.trace.json.gz",
         "traces/kineto-2.6.pt.trace.json.gz", "traces/execution_graph.json.gz"]
NPU, MUSA = "npu@v2.7.1-26.0.0", "musa@v2.7.1"
WORDS = {"en": ("STOPS", "PACKAGE", "UNKNOWN", "RUNS SLOWLY", "RUNS"), "zh-CN": ("无法运行", "需装软件包", "尚不确定", "可运行但慢", "可运行")}


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def lines_of(text, width):
    lines = text.splitlines()
    assert len(lines) <= 24 and [line for line in lines if columns(line) > width] == [], text
    return lines


def screen(opcheck, width, *args):
    run = opcheck("check", *args, env=environment(COLUMNS=str(width)))
    assert run.status in (0, 1), run.err
    return lines_of(run.text, width)


@pytest.mark.parametrize("dump, width, lang", sampled(itertools.product(DUMPS, (60, 80, 120), WORDS), 5))
def test_the_first_screen_fits(opcheck, dump, width, lang):
    lines = screen(opcheck, width, FIXTURES / dump, "--lang", lang)
    words = [line for line in lines if line.startswith(WORDS[lang])]
    assert len(words) == 2 and all("@v" in line and "%" in line for line in words)
    labels = ("why", "first") if lang == "en" else ("原因", "先做")
    assert [sum(line.startswith("  " + label) for line in lines) for label in labels] == [2, 2]
    assert not [line for line in lines if re.match("[，。：；）、]", line.strip())]


def targets(opcheck, count):
    return [word for t in opcheck("targets", "-f", "json").json["targets"][-count:] for word in ("-t", t["id"])]


@pytest.mark.parametrize("width", (60, 80))
def test_many_targets_have_a_line_each_and_more_a_line_a_word(opcheck, width):
    dump = FIXTURES / DUMPS[0]
    four, sixteen, more = (screen(opcheck, width, dump, *targets(opcheck, count)) for count in (4, 16, 17))
    starts = [[line for line in lines if line.startswith(WORDS["en"])] for lines in (four, sixteen, more)]
    assert [len(found) for found in starts[:2]] == [4, 16] and "  why" in "\n".join(four) and "  why" not in "\n".join(sixteen)
    assert len(starts[2]) <= 5 and sum(int(re.search(r"(\d+) targets?, the newest \S+@", line)[1]) for line in starts[2]) == 17


def test_words_targets_and_figures_are_never_shortened(opcheck, tmp_path):
    names = ["aten::%s_operator_with_a_long_name_that_no_screen_has_room_for" % c for c in "abcdef"]
    path = written(tmp_path, trace(*((n, [[4]], [FLOAT]) for n in names)))
    asked = [word for t in ("npu@v2.7.1-26.0.0", "npu@v2.6.0-7.3.0", "musa@v2.7.1", "musa@v2.5.0") for word in ("-t", t)]
    lines = screen(opcheck, 60, path, *asked, "--fail-on", "unknown", "--max-unknown-time", "1%")
    assert [re.sub(" +", " ", line) for line in lines if line.startswith("UNKNOWN")] == [
        "UNKNOWN %s at least 0 % runs".replace("%s", t) for t in asked[1::2]]
    assert any("\u2026" in line for line in lines) and any(line.startswith("Gate         failed on npu@") for line in lines)


def test_the_width_is_that_of_the_terminal_and_codes_are_not_counted(opcheck):
    """A terminal of 70 columns; NO_COLOR holds there, too."""
    for env, colored in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
        out, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 70, 0, 0))
        run = subprocess.Popen([program("opcheck", "OPCHECK"), "check", str(FIXTURES / DUMPS[0])], stdout=end, stderr=subprocess.DEVNULL,
                               env=environment(**env))
        os.close(end)
        text = b""
        while True:
            try:
                piece = os.read(out, 4096)
            except OSError:
                break
            if not piece:
                break
            text += piece
        assert run.wait() == 0
        os.close(out)
        text = text.decode().replace("\r\n", "\n")
        assert ("\x1b[" in text) == colored
        lines = lines_of(re.sub(r"\x1b\[\d+m", "", text), 70)
        assert max(columns(line) for line in lines) > 60


def test_v_adds_causes_and_operators_and_vv_is_the_whole_text(opcheck):
    dump = FIXTURES / DUMPS[0]
    first, more, whole = (opcheck("check", dump, *v).text for v in ((), ("-v",), ("-vv",)))
    assert more.startswith(first) and "\nCauses\n" in more and "\nOperators\n" in more and "\nCauses\n" not in first
    assert whole == opcheck("check", dump, "-f", "text").text and whole.startswith("Readiness report")
    assert opcheck("check", dump, "-vvv").text == opcheck("check", dump, "-f", "text", "-v").text != whole


def test_a_whole_report_never_depends_on_the_terminal(opcheck, tmp_path):
    dump, saved = FIXTURES / DUMPS[0], tmp_path / "r.json"
    opcheck("check", dump, "-o", saved)
    texts = set()
    for width in ("60", "160"):
        env = environment(COLUMNS=width)
        assert opcheck("check", dump, "-q", "-o", tmp_path / "r.txt", "--force", env=env).out == b""
        texts |= {opcheck("check", dump, "-f", "text", env=env).out, opcheck("convert", saved, env=env).out, (tmp_path / "r.txt").read_bytes()}
    assert len(texts) == 1


def test_q_prints_the_words_alone_and_keeps_formats_and_files(opcheck, tmp_path):
    dump = FIXTURES / DUMPS[0]
    first = [line for line in opcheck("check", dump).text.splitlines() if line.startswith(WORDS["en"])]
    assert opcheck("check", dump, "-q").text.splitlines() == first and len(first) == 2
    assert opcheck("check", dump, "-q", "-f", "json").json["targets"]
    run = opcheck("check", dump, "-q", "-f", "csv", "-o", tmp_path / "r.json")
    assert run.text.startswith("operator,") and (tmp_path / "r.json").stat().st_size and run.err == ""


def test_summary_is_a_line_a_target_however_many(opcheck):
    lines = opcheck("check", FIXTURES / DUMPS[0], "--summary", *targets(opcheck, 30)).text.splitlines()
    assert len(lines) == 30 and all(line.startswith(WORDS["en"]) and "%" in line and columns(line) <= 80 for line in lines)


def test_a_section_stands_alone_and_others_are_refused_with_the_names(opcheck):
    dump = FIXTURES / DUMPS[0]
    whole = opcheck("check", dump, "-vv").text
    ids = [e["id"] for e in opcheck("explain", "section", "-f", "json").json["entries"]]
    assert {"limits", "targets", "questions", "gate", "causes", "findings", "operators", "ignored"} <= set(ids)
    assert set(ids) <= set(opcheck("explain", "--list").text.split("\n"))
    for name in ids:
        assert opcheck("check", dump, "--section", name).status == 0, name
    section = opcheck("check", dump, "--section", "operators").text.strip()
    assert section.startswith("Operators\n") and len(section.split("\n")) > 10 and section in whole
    wrong = opcheck("check", dump, "--section", "operator")
    assert wrong.status == 2 and "no section 'operator'" in wrong.err and all(name in wrong.err for name in ids)


def test_severity_is_the_least_that_is_listed_and_changes_nothing_else(opcheck):
    command = ("check", FIXTURES / DUMPS[0], "-t", "npu@v2.0.1-5.0.0", "-t", MUSA, "--fail-on", "unsupported")
    runs = {least: opcheck(*command, "-f", "json", "--severity", least) for least in ("error", "warning", "note")}
    assert {run.status for run in runs.values()} == {1}
    shown = {least: [f["severity"] for f in run.json["findings"]] for least, run in runs.items()}
    assert set(shown["error"]) == {"error"} and set(shown["warning"]) <= {"error", "warning"} and "note" in shown["note"]
    assert len({str(run.json["targets"]) for run in runs.values()}) == 1
    assert runs["note"].out == opcheck(*command, "-f", "json").out
    assert "note " not in opcheck(*command, "-v", "--severity", "error").text
    assert opcheck(*command, "--severity", "warnings").status == 2


def test_each_has_a_line_a_file_then_counts(opcheck, tmp_path):
    for i in range(30):
        (tmp_path / ("run%02d.log" % i)).write_bytes((FIXTURES / (DUMPS[0] if i % 3 else DUMPS[1])).read_bytes())
    few = sorted(tmp_path.iterdir())[:3]
    for width in (60, 80, 120):
        env = environment(COLUMNS=str(width))
        lines = lines_of(opcheck("check", *few, "--each", env=env).text, width)
        assert [re.sub(" +", " ", line) for line in lines] == [
            "UNKNOWN run00.log npu UNKNOWN, musa UNKNOWN", "RUNS run01.log npu RUNS, musa RUNS", "RUNS run02.log npu RUNS, musa RUNS",
            "3 files: 1 UNKNOWN, 2 RUNS"]
        lines = lines_of(opcheck("check", tmp_path, "--each", env=env).text, width)
        assert len(lines) == 22 and lines[-1] == "30 files: 10 UNKNOWN, 20 RUNS, 9 not listed (--summary)"
        assert [line.split()[0] for line in lines[:21]] == 10 * ["UNKNOWN"] + 11 * ["RUNS"]
    assert len(opcheck("check", tmp_path, "--each", "--summary").text.splitlines()) == 31


def test_the_next_command_can_be_copied(opcheck, tmp_path):
    path = tmp_path / "my dump's.json"
    written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]))).rename(path)
    lines = opcheck("check", path.name, "-t", NPU, cwd=tmp_path, env=environment(COLUMNS="160")).text.splitlines()
    (command,) = [line.split(None, 1)[1] for line in lines if line.startswith("Next")]
    assert command == "opcheck plan 'my dump'\\''s.json' -t " + NPU
    done = subprocess.run(["sh", "-c", command.replace("opcheck", program("opcheck", "OPCHECK"), 1)], cwd=tmp_path, capture_output=True,
                          env=environment())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", ("a" * 40 + "/" + "b" * 60 + "/dump.json", "c" * 40 + "/my dump.json", "d/" * 30 + "dump.json", "e" * 33 + ".json"))
def test_the_lines_of_a_wrapped_command_are_one_to_a_shell(opcheck, tmp_path, path):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]))).rename(tmp_path / path)
    for width in range(60, 84, 2):
        text = opcheck("check", path, "-t", NPU, cwd=tmp_path, env=environment(COLUMNS=str(width))).text
        command = re.search(r"^Next +(.*?)\n(?=More)", text, re.M | re.S)[1]
        assert "'" in command or lines_of(text, width)
        words = subprocess.run(["sh", "-c", command.replace("opcheck", "printf '%s\\n'", 1)], capture_output=True, text=True)
        assert words.stdout.splitlines() == ["plan", path, "-t", NPU]


def test_a_command_that_takes_too_many_lines_is_left_out(opcheck, tmp_path):
    path = "e" * 120 + "/" + "f" * 120 + "/dump.json"
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]))).rename(tmp_path / path)
    assert "\nNext" in opcheck("check", path, "-t", NPU, cwd=tmp_path, env=environment(COLUMNS="160")).text
    assert "\nNext" not in opcheck("check", path, "-t", NPU, cwd=tmp_path, env=environment(COLUMNS="60")).text


@pytest.mark.parametrize("name", ["-dash.json", "-sp ace.json", "it's.json"])
def test_a_shell_takes_the_printed_commands_for_any_name(opcheck, tmp_path, name):
    written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]))).rename(tmp_path / name)
    said = opcheck("check", "-t", NPU, "--", name, cwd=tmp_path, env=environment(COLUMNS="160")).text
    command, page = re.search("^Next +opcheck (.*)", said, re.M)[1], re.search("page: (.*)", said)[1]
    assert opcheck(*shlex.split(command), cwd=tmp_path).status == 0
    assert opcheck("check", *shlex.split(page), "--", name, cwd=tmp_path).status == 0
    assert (tmp_path / name.replace(".json", ".html")).exists()


def test_an_open_question_that_changes_a_word_is_asked(opcheck):
    lines = screen(opcheck, 80, FIXTURES / "torch-2.13/lastbatch.a-full.log", "-t", MUSA)
    assert "Open         is bf16/fp16 used? musa@v2.7.1: then UNKNOWN" in "\n".join(lines)
    assert any(line.startswith("Next         opcheck check") for line in lines) and "--dtype fp32,bf16" in " ".join(lines)


def test_a_dump_of_little_says_how_much_it_shows(opcheck):
    assert screen(opcheck, 80, FIXTURES / "torch-1.13/transformer.a.log")[0].startswith("transformer.a: shows 84 %, ")
    assert screen(opcheck, 120, FIXTURES / "traces/execution_graph.json.gz")[0].endswith("; shares of calls")


SCANNED = ROOT / "tests" / "scan" / "scripts"
OTHERS = [("advise", FIXTURES / DUMPS[0], "--from", "npu@v2.0.1-5.0.0"), ("compare", FIXTURES / DUMPS[5], FIXTURES / "device" / "run_ascend_pt"),
          ("diff", FIXTURES / DUMPS[5], FIXTURES / DUMPS[3], "-t", NPU, "-t", MUSA), ("plan", FIXTURES / DUMPS[5], SCANNED, "-t", NPU),
          ("scan", SCANNED, "-t", NPU, "-t", MUSA)]


@pytest.mark.parametrize("command, width, lang", sampled(itertools.product(OTHERS, (60, 80, 120), WORDS), 5))
def test_the_screens_of_other_commands_fit(opcheck, command, width, lang):
    run = opcheck(*command, "--lang", lang, env=environment(COLUMNS=str(width)))
    assert run.status == 0, run.err
    lines = lines_of(run.text, width)
    assert any(line.startswith(WORDS[lang] + ("Correct", "正确")) for line in lines)
    assert lines[-1].startswith(("More", "更多")) and "-v" in lines[-1]
    assert len(opcheck(*command, "-f", "text", "--lang", lang).text) > len(run.text)


def test_other_commands_say_what_matters_first(opcheck):
    texts = {command[0]: re.sub(" +", " ", opcheck(*command, env=environment(COLUMNS="160")).text) for command in OTHERS}
    assert "RUNS npu@v2.12.0-26.1.0 99.9 % device\n first npu@v2.0.1-5.0.0 -> npu@v2.1.0-5.0.0 clears all blockers" in texts["advise"]
    assert "Correct 75 % of operators, 83 % of calls, 86 % of device time\nWrong 1 operator\n" in texts["compare"]
    assert "UNKNOWN %s was STOPS; " % NPU in texts["diff"] and re.search(r"\nNew \d+ findings\n", texts["diff"]) and re.search(r"\nFixed \d+ finding", texts["diff"])
    assert "STOPS %s 97.9 %% runs, 2.1 %% stops\n why no kernel: " % NPU in texts["plan"] and "\n 1 install the vendor's driver" in texts["plan"]
    assert re.search(r"STOPS %s \d+ edits automatic, \d+ by hand" % NPU, texts["scan"]) and texts["scan"].count("\n file ") == 5


def rank(folder, number, *names):
    document = trace(*((name, [[4]], [FLOAT]) for name in names))
    document = {"distributedInfo": {"backend": "nccl", "rank": number, "world_size": 2}, **document}
    (folder / ("r%d.json" % number)).write_text(json.dumps(document), encoding="utf-8")


def test_several_ranks_have_the_worst_word_its_rank_and_the_spread(opcheck, tmp_path):
    rank(tmp_path, 0, "aten::relu", "aten::abs")
    rank(tmp_path, 1, "aten::relu", "aten::abs", "aten::neg", "aten::histogram")
    headlines = [t["headline"] for t in opcheck("check", tmp_path, "-t", NPU, "-t", MUSA, "-f", "json").json["targets"]]
    assert [(h["word"], h["ranks"], h["rank"], h["spread"]) for h in headlines] == [
        ("RUNS SLOWLY", 2, "rank1", {"lo": 0.75, "hi": 1}), ("STOPS", 2, "rank1", {"lo": 0.75, "hi": 1})]
    lines = screen(opcheck, 120, tmp_path, "-t", NPU, "-t", MUSA)
    assert ", 2 ranks, " in lines[0] and "STOPS        musa@v2.7.1        75-100 % runs, 17 % stops, worst rank1 of 2 ranks" in lines
    assert "rank" not in screen(opcheck, 120, tmp_path / "r0.json", "-t", NPU)[0]
    assert "ranks" not in opcheck("check", tmp_path / "r0.json", "-t", NPU, "-f", "json").json["targets"][0]["headline"]


def test_of_ranks_with_one_word_the_smallest_share_is_worst(opcheck, tmp_path):
    for at, names in enumerate((["aten::relu", "aten::abs"], ["aten::relu"], ["aten::relu", "aten::neg"])):
        rank(tmp_path, at, *names, "aten::histogram")
    headline = opcheck("check", tmp_path, "-t", MUSA, "-f", "json").json["targets"][0]["headline"]
    assert (headline["word"], headline["ranks"], headline["rank"]) == ("STOPS", 3, "rank1")
