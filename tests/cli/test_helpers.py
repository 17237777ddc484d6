"""Commands beside the assessment: words explained, completion, a wrong verdict answered, a dump redacted."""
import gzip
import json
import re
import resource
import shutil
import signal
import subprocess

import pytest

from conftest import FIXTURES, ROOT

LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
TRACE = FIXTURES / "traces" / "lastbatch.c-python.trace.json.gz"
SETS = ("status", "verdict", "kind of shape changes", "flag", "effort", "severity")


# --- explain

def words_of(report):
    """Every word of the closed sets that a report uses."""
    for operator in report["operators"]:
        yield operator["dynamic"]["kind"]
        for verdict in operator["verdicts"].values():
            yield verdict["status"]
            yield from verdict["flags"]
    for target in report["targets"]:
        yield target["verdict"]
        yield from (fix["effort"] for fix in target["fixes"])
    for finding in report["findings"]:
        yield finding["severity"]
        yield finding["rule"]


def test_every_word_of_a_report_is_explained_in_both_languages(opcheck):
    words = set(words_of(opcheck("check", LLAMA, "-f", "json", "-t", "310p", "-t", "musa").json))
    assert {"cpu-fallback", "native", "static"} < words
    listed = set(opcheck("explain", "--list").text.split())
    assert words < listed
    for word in words:
        english, chinese = (opcheck("explain", word, "--lang", lang).text for lang in ("en", "zh-CN"))
        assert len(english.splitlines()) >= 2 and english != chinese, word


def test_a_word_of_two_sets_has_two_pages(opcheck):
    text = opcheck("explain", "unknown", "--lang", "en").text
    assert re.findall(r"^unknown \((.*)\)$", text, re.M) == ["status", "kind of shape changes"]


@pytest.mark.parametrize("shown, words", [("ready with warnings", ["ready-with-warnings"]), ("cpu fallback", ["cpu-fallback"]), ("修改配置", ["config"]),
                                          ("effort", ["avoid", "config", "flag", "package", "port", "recipe", "upgrade"])])
def test_words_are_explained_as_reports_show_them(opcheck, shown, words):
    entries = opcheck("explain", shown, "-f", "json").json["entries"]
    assert [e["id"] for e in entries] == words and all(e["text"] for e in entries)
    assert re.findall(r"^(\S+) \(", opcheck("explain", shown, "--lang", "en").text, re.M) == words


@pytest.mark.parametrize("word", ["must-change", "check", "fine"])
def test_what_a_port_does_with_a_line_is_explained(opcheck, word):
    english, chinese = (opcheck("explain", word, "--lang", lang).text for lang in ("en", "zh-CN"))
    assert english.startswith(word + " (action in a script)\n") and len(english.splitlines()) >= 3 and english != chinese


def test_the_whole_list_can_be_explained(opcheck):
    listed = opcheck("explain", "--list").text.splitlines()
    assert {"ready", "blocked", "host-path", "overlay", "recipe", "upgrade", "error", "note", "unbounded", "OPC-3005"} <= set(listed)
    for word in listed[:: max(1, len(listed) // 40)]:
        assert opcheck("explain", word).status == 0, word


# --- completion

@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_has_every_command_and_option(opcheck, shell):
    script = opcheck("completion", shell).text
    for command in re.findall(r"^  ([a-z]+) ", opcheck("--help").text.split("Commands:\n")[1].split("\n\n")[0], re.M):
        assert re.search(r"\b%s\b" % command, script), command
        for option in re.findall(r"^ +(?:-\w, )?--([\w-]+)", opcheck(command, "--help").text, re.M):
            assert re.search(r"(?:--|-l )%s\b" % option, script), (command, option)
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=script, text=True, capture_output=True).returncode == 0
    assert opcheck("completion", "tcsh").status == 2


def completed(script, *words):
    """What bash offers for the last of the words."""
    probe = '%s\nCOMP_WORDS=(%s); COMP_CWORD=%d; _opcheck; printf "%%s\\n" "${COMPREPLY[@]}"' % (
        script, " ".join("'%s'" % w for w in words), len(words) - 1)
    return subprocess.run(["bash", "-c", probe], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_bash_offers_what_may_follow(opcheck):
    script = opcheck("completion", "bash").text
    assert completed(script, "opcheck", "ad") == ["advise"]
    assert completed(script, "opcheck", "check", "--max-b") == ["--max-blocked-time"]
    assert completed(script, "opcheck", "check", "--color", "a") == ["auto", "always"]
    assert completed(script, "opcheck", "advise", "-f", "") == ["text", "json", "csv", "md", "html"]
    assert completed(script, "opcheck", "config", "show", "--format", "=", "j") == ["json"]
    assert completed(script, "opcheck", "check", "--fail-on", "unsup") == ["unsupported"]
    assert completed(script, "opcheck", "db", "che") == ["check-overlay"]
    assert completed(script, "opcheck", "help", "f") == ["fleet", "facts"]
    assert completed(script, "opcheck", "db", "diff", "--f") == ["--format", "--force"]
    assert completed(script, "opcheck", "check", "prof") == []  # files


# --- help

def test_help_on_a_part_is_its_own(opcheck):
    for words in (("db", "diff"), ("db", "import")):
        assert opcheck("help", *words).text == opcheck(*words, "--help").text != opcheck("help", words[0]).text
    assert opcheck("help", "db", "nope").status == 2
    synopsis = (ROOT / "deploy" / "man" / "opcheck.1").read_text(encoding="utf-8").split(".Cm help\n")[1].split("\n")[0]
    for topic in re.findall(r"\w+", synopsis.split("Cm ")[1]):
        assert opcheck("help", topic).status == 0, topic
    assert "facts" in synopsis


# --- a wrong verdict

@pytest.mark.parametrize("observed, status", [("cpu-fallback", "cpu-fallback"), ("not_implemented", "unsupported"), ("native", "native"), ("native-jit", "native-jit")])
def test_an_observation_becomes_an_overlay_that_changes_the_verdict(opcheck, tmp_path, observed, status):
    site, seen = tmp_path / "site.tsv", tmp_path / "seen.csv"
    run = opcheck("op", "aten::mm", "-t", "npu@2.7.1", "--observed", observed, "--reason", "hangs, sometimes", "--evidence", "https://x.example/1",
                  "-o", site, "-o", seen)
    assert run.status == 0 and run.out == b""
    assert opcheck("db", "check-overlay", site).status == 0
    verdicts = opcheck("op", "aten::mm", "-t", "npu@2.7.1", "--overlay", site, "-f", "json").json["operators"][0]["verdicts"]
    assert {(v["status"], "overlay" in v["flags"]) for v in verdicts.values()} == {(status, True)}
    score = opcheck("db", "score", seen)
    assert score.status == 0 and "with reported facts" in score.text
    assert '"hangs, sometimes"' in seen.read_text()


def test_a_limit_of_types_is_a_flag_of_the_overlay(opcheck, tmp_path):
    site = tmp_path / "site.tsv"
    for given, written in (("bf16", "bf16"), ("bfloat16,half", "fp16 bf16"), ("fp16, bf16", "fp16 bf16")):
        site.write_bytes(opcheck("op", "mm", "-t", "910b", "--observed", "dtype_limited", "--dtype", given).out)
        assert site.read_text().splitlines()[1].split("\t")[3:7] == ["910B", written, ".", "dtype-limited"]
        assert opcheck("db", "check-overlay", site).status == 0
    assert opcheck("db", "check-overlay", site).status == 0


@pytest.mark.parametrize("options, message", [
    (["--observed", "native"], "needs the release"), (["-t", "npu", "--observed", "broken"], "'broken' cannot be observed"),
    (["-t", "npu", "--reason", "x"], "belong to --observed"), (["-t", "npu", "--observed", "native", "--reason", "a\tb"], "a tab or a line break"),
    (["-t", "npu", "--observed", "unknown"], "'unknown' cannot be observed"),
])
def test_an_observation_that_says_nothing_is_refused(opcheck, options, message):
    run = opcheck("op", "aten::mm", *options)
    assert run.status == 2 and message in run.err


# --- redact

def assessed(opcheck, path):
    report = opcheck("check", path, "-f", "json").json
    return [(o["name"], o["calls"], o["self_cpu_us"], o["shape_count"], o["dynamic"]["kind"], o["verdicts"]) for o in report["operators"]]


TABLE = """2026-01-02 loading /home/alice/secret/model.pt from git@git.corp.example, see https://corp.example/x?y=1 at 10.1.2.3
---------------------  ------------  ------------  ------------  --------------------------------------
                 Name      Self CPU    # of Calls  Source Location
---------------------  ------------  ------------  --------------------------------------
       our secret 层 1     1.000us             1  /home/alice/secret/train.py(12): step_fn
           aten::mm       2.000us             4  /opt/venv/lib/torch/nn/functional.py(9): linear
      ProfilerStep#1       3.000us             1
---------------------  ------------  ------------  --------------------------------------
Self CPU time total: 6.000us
"""


def test_a_table_keeps_its_operators_and_columns(opcheck, tmp_path):
    log = tmp_path / "run.log"
    log.write_text(TABLE, encoding="utf-8")
    out = opcheck("redact", log).out.decode("utf-8")
    assert not re.search("alice|secret|corp|10\\.1\\.2\\.3|step_fn|venv|层", out)
    assert "aten::mm       2.000us" in out and "ProfilerStep#1" in out and "Name      Self CPU" in out and "Self CPU time total: 6.000us" in out
    assert [len(line) for line in out.splitlines()] == [len(line) for line in TABLE.splitlines()]


@pytest.mark.parametrize("dump", [LLAMA, TRACE, FIXTURES / "traces" / "collective.trace.json", FIXTURES / "traces" / "lastbatch.et.json.gz"],
                         ids=lambda p: p.name)
def test_a_redacted_dump_reads_as_the_original(opcheck, tmp_path, dump):
    copy = tmp_path / dump.name.replace(".gz", "")
    assert opcheck("redact", dump, "-o", copy).status == 0
    assert assessed(opcheck, copy) == assessed(opcheck, dump)
    assert copy.read_bytes() == opcheck("redact", copy).out, "what is redacted stays as it is"


def test_a_trace_loses_its_frames_and_labels(opcheck, tmp_path):
    events = [
        {"ph": "X", "cat": "user_annotation", "name": "our secret phase", "ts": 1, "dur": 1, "pid": 1, "tid": 1},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 1, "pid": 1, "tid": 1,
         "args": {"Call stack": "secret.py(1): main;torch/x.py(2): f", "stack": ["secret a", "secret b"], "Input type": ["float", "float"]}},
        {"ph": "X", "cat": "python_function", "name": "/home/alice/secret.py(3): secret_main", "ts": 1, "dur": 1, "pid": 1, "tid": 1},
        {"ph": "X", "cat": "python_function", "name": "nn.Module: SecretEncoder_0", "ts": 1, "dur": 1, "pid": 1, "tid": 1},
        {"ph": "X", "cat": "kernel", "name": "ampere_sgemm_128x64_tn", "ts": 1, "dur": 1, "pid": 0, "tid": 7},
        {"ph": "M", "cat": "", "name": "thread_name", "ts": 1, "pid": 1, "tid": 1, "args": {"name": "secret thread"}},
        {"ph": "X", "cat": "user_annotation", "name": "se\\cr\"et \u5c42 \\u5c42", "ts": 1, "dur": 1, "pid": 1, "tid": 1},
    ]
    text = json.dumps({"hostname": "secret-node", "traceName": "/tmp/secret.json", "traceEvents": events})
    dump = tmp_path / "t.json.gz"
    dump.write_bytes(gzip.compress(text.encode()))
    out = opcheck("redact", dump).out.decode()
    assert len(out) == len(text) and "ecret" not in out and "alice" not in out and "5c42" not in out
    names = [e["name"] for e in json.loads(out)["traceEvents"]]
    assert names[1] == "aten::mm" and names[3].startswith("nn.Module: ") and names[4:6] == ["ampere_sgemm_128x64_tn", "thread_name"]
    assert json.loads(out)["traceEvents"][1]["args"]["Input type"] == ["float", "float"]


PRIVATE = ["Call stack", "call_stack", "callstack", "stack", "Stack", "traceName", "hostname", "host_name", "host", "worker_name", "user", "username",
           "cmdline", "command", "cwd", "Source Location", "Module Hierarchy", "Python module"]


@pytest.mark.parametrize("key", PRIVATE)
def test_values_of_private_keys_are_masked_as_a_whole(opcheck, tmp_path, key):
    dump = tmp_path / "t.json"
    dump.write_text(json.dumps({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "args": {key: "secret words", "other": "kept words"}}]}))
    out = opcheck("redact", dump).text
    assert len(out) == dump.stat().st_size and "secret" not in out and "kept words" in out and "aten::mm" in out


def test_a_redacted_dump_that_cannot_be_written_whole_is_removed(opcheck, tmp_path):
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    copy = tmp_path / "copy.log"
    run = opcheck("redact", LLAMA, "-o", copy, preexec_fn=small_files)
    assert run.status == 6 and "cannot write" in run.err and not copy.exists()


def test_redact_says_what_it_cannot_do(opcheck, tmp_path):
    archive = tmp_path / "x.db"
    archive.write_bytes(b"SQLite format 3\0" + bytes(100))
    for path, status in ((archive, 3), (tmp_path / "none", 3)):
        run = opcheck("redact", path)
        assert run.status == status and run.out == b""
    there = tmp_path / "there.log"
    there.write_text("x")
    assert opcheck("redact", LLAMA, "-o", there).status == 2 and there.read_text() == "x"
    assert opcheck("redact", LLAMA, "-o", there, "--force").status == 0 and there.stat().st_size == LLAMA.stat().st_size
    assert opcheck("redact", LLAMA, "-o", "/nowhere/x.log").status == 6
    assert opcheck("redact", LLAMA, "-o", "/dev/full").status == 6


LONG = 1 << 20  # what redact holds of a line or a string


@pytest.mark.parametrize("before", range(LONG - 16, LONG, 5))
def test_a_path_across_the_pieces_of_a_long_line_is_masked(opcheck, tmp_path, before):
    log = tmp_path / "run.log"
    log.write_text("." * (before - 1) + " /home/alice/secret/x and aten::mm\n")
    out = opcheck("redact", log).text
    assert len(out) == log.stat().st_size and not re.search("alice|secret|ice/", out) and out.endswith(" and aten::mm\n")


def test_a_string_longer_than_a_piece_is_masked_to_its_end(opcheck, tmp_path):
    trace = {"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "args": {
        "Call stack": "secret;" * (LONG // 7) + "secret end", "stack": ["secret a" * (LONG // 4), "secret b"], "other": "words " * (LONG // 3) + "/home/alice/x"}}]}
    dump = tmp_path / "t.json"
    dump.write_text(json.dumps(trace))
    out = opcheck("redact", dump).text
    assert len(out) == dump.stat().st_size and "secret" not in out and "alice" not in out and "end" not in out
    event, = json.loads(out)["traceEvents"]
    assert event["name"] == "aten::mm" and event["args"]["other"].startswith("words words") and event["args"]["other"].endswith("/xxxx/xxxxx/x")


@pytest.mark.parametrize("text, kept", [
    ("C:\\Users\\alice\\x.py and D:/alice/y", "x:\\"), ("see ../alice/x, ~/alice and ./alice", "see ../"), ("at 10.20.30.40:8080 ok", "at xx.xx.xx.xx:xxxx ok"),
    ("at [fe80::1ff:fe23:4567:890a]:80 10:00:01 ok", "at [xxxx::xxx:xxxx:xxxx:xxxx]:80 10:00:01 ok"), ("a::b::c::d 00:1A:2b:3c:4d:5e", "a::b::c::d xx:xx:xx:xx:xx:xx"),
    ("mail bob.alice@corp.example now", "mail xxx.xxxxx@xxxx.xxxxxxx now"), ("ssh://alice/x", "xxx://xxxxx/x"), ("version 2.7.1 of aten::mm", "version 2.7.1 of aten::mm"),
    ("alice.py(12): alice", "xxxxx.xx(xx): xxxxx")])
def test_what_is_private_in_a_line(opcheck, tmp_path, text, kept):
    log = tmp_path / "run.log"
    log.write_text(text + "\n")
    out = opcheck("redact", log).text
    assert "alice" not in out and out.startswith(kept), out


def test_a_trace_that_is_cut_in_a_string_is_redacted_to_its_end(opcheck, tmp_path):
    dump = tmp_path / "t.json"
    dump.write_text('{"hostname": "secret-node", "traceEvents": [{"name": "aten::mm", "args": {"Call stack": "secret.py(1): secr')
    out = opcheck("redact", dump).text
    assert len(out) == dump.stat().st_size and "secr" not in out and "aten::mm" in out


def test_a_dump_without_an_operator_or_a_byte_is_copied_as_it_is(opcheck, tmp_path):
    empty = tmp_path / "empty.log"
    empty.write_bytes(b"")
    assert opcheck("redact", empty).out == b"" and opcheck("redact", "-", input=b"  \n").out == b"  \n"


# --- version

def test_the_version_names_program_and_database(opcheck, tmp_path):
    run = opcheck("version")
    info = opcheck("db", "info").text
    build, = re.findall(r"^build +(\w+)$", info, re.M)
    assert re.fullmatch(r"opcheck \d+\.\d+\.\d+\nsupport database %s of \S+, \d+ releases\n" % build, run.text)
    assert opcheck("--version").text == run.text
    nothing = opcheck("version", "--db", tmp_path / "none.sqlite")
    assert nothing.status == 0 and nothing.text.splitlines()[1] == "no support database at %s" % (tmp_path / "none.sqlite")
    assert opcheck("version", "now").status == 2


# --- a wrong verdict, answered wrongly

@pytest.mark.parametrize("options, words", [
    (["--observed", "fine"], "fine"), (["--observed", "native", "--dtype", "bf16\tx"], "dtype"), (["--observed", "dtype_limited", "--dtype", "bf99"], "bf99"),
    (["--observed", "native", "--reason", "two\nlines"], "reason"), (["--reason", "x"], "belong to --observed")])
def test_an_observation_that_no_overlay_can_hold(opcheck, options, words):
    run = opcheck("op", "aten::mm", "-t", "npu@2.7.1", *options)
    assert run.status == 2 and run.out == b"" and words in run.err, run.err


def test_a_word_that_nothing_explains_has_its_neighbours(opcheck):
    near, far, none = opcheck("explain", "op-unsuported"), opcheck("explain", "zzzzzzzz"), opcheck("explain")
    assert near.status == far.status == none.status == 2 and near.out == far.out == b""
    assert "did you mean op-unsupported?" in near.err and "`opcheck explain --list` prints every id" in far.err
    assert opcheck("explain", "status.native").text == opcheck("explain", "native").text
