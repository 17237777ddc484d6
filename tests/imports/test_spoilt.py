"""What cannot be imported is refused with file and line, and leaves the fact text and its folder exactly as they were: by the program
that reads vendors' lists, and by opcheck for what users saw."""
import itertools
import os
import random
import re
import resource
import shutil

import pytest

import text
from conftest import FIXTURES, SANITIZED, python_alone

import facts  # of opdb/extract, which text.py makes importable
from fact_text.tables import COLUMNS

LISTS = FIXTURES / "import"
GOOD = {name: (LISTS / name).read_text(encoding="utf-8") for name in (
    "native_functions.yaml", "tags.yaml", "generated.txt", "derivatives.yaml", "npu/framework.yaml", "npu/combined.yaml", "npu/single.yaml",
    "npu/derivatives.yaml", "musa/functions.yaml", "musa/native.patch")}
GOOD["reported.csv"] = ("target,torch_version,plugin_version,op,observed,detail,source,date\n"
                        "npu,2.7.1,,aten::isin,cpu_fallback,\"slow, very\",https://example.org/1,2026-10-01\n"
                        "musa,,,aten::add,native,,a log,\n")
GOOD["registrations.tsv"] = ("# opcheck registrations 1\ntarget\tnpu\ntorch\t2.7.1\nplugin\t2.7.1.post4\nsdk\t8.5.0\nsoc\tAscend910B2\n"
                             "device\tPrivateUse1\nfallback\t1\ndate\t2026-11-01\nop\taten::add.Tensor\tPrivateUse1 CPU\n"
                             "op\tnpu::npu_fused\tPrivateUse1 AutogradPrivateUse1\n")
COMMANDS = {
    "npu": ["npu", "--release", "v2.7.1-99.0.0", "--torch", "2.7.1", "--native-functions", "native_functions.yaml", "--framework",
            "npu/framework.yaml", "--op-plugin", "npu/combined.yaml", "--derivatives", "npu/derivatives.yaml"],
    "old": ["npu", "--release", "v1.11.0-5.0.9", "--torch", "1.11.0", "--native-functions", "native_functions.yaml", "--framework",
            "npu/framework.yaml", "--op-plugin", "npu/single.yaml"],
    "musa": ["musa", "--release", "v9.9.0", "--torch", "2.7.1", "--native-functions", "native_functions.yaml", "--functions",
             "musa/functions.yaml", "--patch", "musa/native.patch"],
    "torch": ["torch", "--torch", "2.12.5", "--native-functions", "native_functions.yaml", "--tags", "tags.yaml", "--generated",
              "generated.txt", "--derivatives", "derivatives.yaml"],
    "reported": ["reported", "reported.csv"],
    "registrations": ["registrations", "registrations.tsv"],
}
OF_USERS = ("reported", "registrations")
RUN = [command for command in sorted(COMMANDS) if command in OF_USERS or not SANITIZED]  # the others are Python alone
ALL = "native_functions.yaml"
PLUGIN, FRAMEWORK, MUSA = "npu/combined.yaml", "npu/framework.yaml", "musa/functions.yaml"
CSV, REGISTRATIONS = "reported.csv", "registrations.tsv"
# command, file, what is replaced, by what, where the message points (lines behind the first one that differs), part of it
WRONG = [
    ("torch", ALL, "structured_delegate: plus.out\n  variants: f", "variants: [f\n  variants: f", 1, "not YAML"),
    ("torch", ALL, "  tags: core\n", "  tags: core\n  tags: core\n", 0, 'key "tags" is in line 34 already'),
    ("torch", ALL, "  tags: core\n", "  taggs: core\n", 0, 'unknown key "taggs"'),
    ("torch", ALL, "  tags: core\n", "  tags: [core, heart]\n", 0, 'tag "heart" is not in'),
    ("torch", ALL, "  tags: core\n", "  tags: &a core\n", 0, "an anchor"),
    ("torch", ALL, "  tags: core\n", "  tags: *a\n", 0, ""),
    ("torch", ALL, "  tags: core\n", "  tags: !!str core\n", 0, "a tag"),
    ("torch", ALL, "  tags: core\n", "  tags: " + "[" * 20 + "]" * 20 + "\n", 0, "levels deep"),
    ("torch", ALL, "Tensor self) -> Tensor\n  tags", "Tenzor self) -> Tensor\n  tags", 0, "this type is not known"),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "left_out(Tensor self)", 0, '"->" is expected'),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "left_out(Tensor self -> Tensor", 0, '"," or ")" is expected'),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "left_out(Tensor) -> Tensor", 0, "an argument has no name"),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "left_out(int[x] self) -> Tensor", 0, "the size of a list is not a number"),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "left_out(str self='a) -> Tensor", 0, "a default value is not closed"),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "left_out(Tensor self) -> Tensor, int", 0, "something follows"),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "left.out.twice(Tensor self) -> Tensor", 0, "not a name of an operator"),
    ("torch", ALL, "left_out(Tensor self) -> Tensor", "core_too(Tensor self) -> Tensor", 3, "is in line 30 already"),
    ("torch", ALL, "- func: only_sparse", "- fun: only_sparse", 0, "an entry needs a func"),
    ("torch", ALL, "# Operators in every form", "\0", 0, "a byte 0"),
    ("torch", ALL, "dispatch: {}", "dispatch: [CPU]", 0, "dispatch must be a map"),
    ("torch", "generated.txt", "plain.out", "plain.in", 0, "is not an overload that this PyTorch generates"),
    ("torch", "generated.txt", "plain.out(Tensor self, ", "plain.out(Tensor self; ", 0, "is expected"),
    ("torch", "tags.yaml", "- tag: pointwise", "- name: pointwise", 0, "an entry needs a tag"),
    ("torch", "derivatives.yaml", "- name: plain(", "- name: gone(", 0, '"gone" is not an operator of this PyTorch'),
    ("torch", "derivatives.yaml", "- name: plain(", "- func: plain(", 0, "an entry needs a name"),
    ("torch", "derivatives.yaml", "- name: plain(Tensor self) -> Tensor", "- name: plain", 0, "has no arguments that are understood"),
    ("torch", "derivatives.yaml", "- name: plus.Tensor", "formulas:\n- name: plus.Tensor", 0, "expected a list of formulas"),
    ("npu", PLUGIN, "official:", "offical:", 0, 'unknown key "offical"'),
    ("npu", PLUGIN, "    op_api: v2.1, v2.10\n", "    op_apy: v2.1, v2.10\n", 0, 'unknown key "op_apy"'),
    ("npu", PLUGIN, "    op_api: v2.1, v2.10\n", "    op_api: v2.1, 2.10\n", 0, '"2.10" is not a version'),
    ("npu", PLUGIN, "    op_api: v2.1, v2.10\n", "    op_api: [v2.1]\n", 0, "a range has a first and a last version"),
    ("npu", PLUGIN, "    op_api: v2.1, v2.10\n", "    op_api: [v2.7, v2.1]\n", 0, "ends before it begins"),
    ("npu", PLUGIN, "    op_api: v2.1, v2.10\n", "    op_api: {a: b}\n", 0, "expected versions, not a map"),
    ("npu", PLUGIN, "all_version: [v2.1, v2.7, v2.10]", "all_version: [v2.1, v2.6, v2.10]", 0, "the list is not for v2.7"),
    ("npu", PLUGIN, "func: pad(", "func: plus.out(", 0, 'is registered twice'),
    ("npu", PLUGIN, "func: npu_later(Tensor x) -> Tensor", "func: npu_later", 0, "has no arguments and no result"),
    ("npu", PLUGIN, "custom:\n", "custom: 1\nmore:\n", 1, 'unknown key "more"'),
    ("npu", FRAMEWORK, "exposed: True", "exposed: v2.1", 0, "exposed must be True or False"),
    ("npu", FRAMEWORK, "  - shape_of\n  - func", "  - shape of\n  - func", 0, "not a name of an operator"),
    ("npu", "npu/derivatives.yaml", "- name: npu_gone", "- nam: npu_gone", 0, "an entry needs a name"),
    ("npu", "npu/derivatives.yaml", "[v2.1, newest]", "[newest, v2.1]", 0, '"newest" is not a version'),
    ("old", "npu/single.yaml", "impl_ns: acl_op\n", "impl_ns: acl_opp\n", 0, "neither acl_op nor op_api"),
    ("old", "npu/single.yaml", "   impl_ns: acl_op\n", "", -1, "impl_ns is missing"),
    ("musa", MUSA, "- func: pad.out", "- func: pad.nowhere", 0, "is an operator neither of this PyTorch nor of the patch"),
    ("musa", MUSA, "    PrivateUse1: PlusOut", "    PrivateUse2: PlusOut", 0, 'unknown dispatch key "PrivateUse2"'),
    ("musa", MUSA, "- func: pad.out\n  dispatch:\n    PrivateUse1: PadOut", "- func: pad.out", -1, "not a member of a structured group"),
    ("musa", MUSA, "- func: added_kernel", "- func: plus.out", 2, "is registered twice"),
    ("musa", MUSA, "  device_guard: False", "  device_gard: False", 0, 'unknown key "device_gard"'),
    ("musa", "musa/native.patch", "+- func: added_composite(Tensor input)", "+- func: added_composite(Tensr input)", 0, "this type is not known"),
    ("musa", "musa/native.patch", "   variants: function\n", "-  variants: function\n", 0, "takes lines away"),
    ("reported", CSV, "target,torch", "targt,torch", 0, "must name the columns"),
    ("reported", CSV, "musa,,,aten::add,native", "gpu,,,aten::add,native", 0, "neither npu nor musa"),
    ("reported", CSV, "aten::add,native", "aten::add,works", 0, 'observed "works"'),
    ("reported", CSV, "aten::add,native", "add,native", 0, "with its namespace"),
    ("reported", CSV, "2026-10-01", "1.10.2026", 0, "is not a date"),
    ("reported", CSV, "a log,", "a log", 0, "expected 8 cells, found 7"),
    ("reported", CSV, "a log,", ",", 0, "needs its source"),
    ("reported", CSV, "a log,\n", "a log,\nmusa,,,aten::add,native,,a log,\n", 0, "repeats the report of line 3"),
    ("reported", CSV, "musa,,,", "musa,\".\",,", 0, "would read as empty"),
    ("reported", CSV, "slow, very\"", "slow, very", 0, ""),
    ("reported", CSV, GOOD["reported.csv"], "", 0, "the file is empty"),
    ("registrations", REGISTRATIONS, "registrations 1", "registrations 2", 0, "the first line must be"),
    ("registrations", REGISTRATIONS, "target\tnpu", "target\txpu", 0, "unknown target"),
    ("registrations", REGISTRATIONS, "target\tnpu", "target\tcpu", 0, "neither torch_npu nor torch_musa"),
    ("registrations", REGISTRATIONS, "sdk\t", "sdq\t", 0, "unknown word"),
    ("registrations", REGISTRATIONS, "torch\t2.7.1\n", "torch\t2.7.1\ntorch\t2.7.1\n", 0, "exists already"),
    ("registrations", REGISTRATIONS, "device\tPrivateUse1\n", "", 1, "missing or empty"),
    ("registrations", REGISTRATIONS, "fallback\t1", "fallback\tyes", 0, "neither 0 nor 1"),
    ("registrations", REGISTRATIONS, "op\taten::add.Tensor", "op\tadd.Tensor", 0, "not an operator with its namespace"),
    ("registrations", REGISTRATIONS, "PrivateUse1 CPU", "PrivateUse1 PrivateUse1", 0, "repeats the registration of line 10"),
    ("registrations", REGISTRATIONS, "PrivateUse1 CPU", "Private-Use", 0, "this is not a dispatch key"),
]


@pytest.fixture
def opdb(tmp_path):
    return text.copy(tmp_path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A fact text that every refused import must leave as it is, and its digest."""
    opdb = text.copy(tmp_path_factory.mktemp("kept"))
    return opdb, text.digest(opdb)


@pytest.fixture
def lists(tmp_path):
    """The good files, to be spoilt."""
    folder = tmp_path / "lists"
    for name, content in GOOD.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


@pytest.fixture
def run(opcheck):
    """Runs an import of COMMANDS by its program."""
    def run(command, opdb, *more, **options):
        args = [*COMMANDS[command], "--opdb", opdb, *more]
        return opcheck("db", "import", *args, **options) if command in OF_USERS else text.facts(*args, **options)

    return run


def changed_line(good, bad):
    """The first line that differs, from 1."""
    pairs = enumerate(itertools.zip_longest(good.split("\n"), bad.split("\n")), 1)
    return next(number for number, (a, b) in pairs if a != b)


def refused(done, command, status, code):
    """What the program says, without its own name; opcheck calls the error by a code as well."""
    lines = done.err.splitlines()
    assert done.status == status and done.out == b"", done.err
    if command in OF_USERS:
        assert 1 <= len(lines) <= 2 and lines[0].startswith("opcheck: ") and "error %s: " % code in lines[0], done.err
        return lines[0].removeprefix("opcheck: ").replace("error %s: " % code, "")
    said = re.fullmatch(r"facts\.py(?: npu)?: (?:error: )?(.+)", lines[-1])  # below the usage, where it is about options
    assert said and (len(lines) == 1 or lines[0].startswith("usage: ")), done.err
    return said[1]


@pytest.mark.parametrize("command", RUN)
def test_the_good_files_are_good(run, opdb, lists, command):
    done = run(command, opdb, cwd=lists)
    assert done.status == 0, done.err


@pytest.mark.parametrize("command, name, old, new, line, part", [
    pytest.param(*w, id="%s-%d" % (w[1], n)) for n, w in enumerate(WRONG) if w[0] in RUN])
def test_a_bad_file_is_refused_at_its_line(run, kept, lists, command, name, old, new, line, part):
    opdb, before = kept
    assert old in GOOD[name]
    bad = GOOD[name].replace(old, new, 1)
    (lists / name).write_text(bad, encoding="utf-8")
    said = refused(run(command, opdb, cwd=lists), command, 3, "OPC-3012")
    assert said.startswith("%s%s: " % (name, ":%d" % (changed_line(GOOD[name], bad) + line) if bad else "")), said
    assert part in said
    assert text.digest(opdb) == before


@pytest.mark.parametrize("command", [command for command in RUN if command != "reported"])
def test_what_is_there_is_replaced_by_force_alone(run, opdb, lists, command):
    assert run(command, opdb, cwd=lists).status == 0
    before = text.digest(opdb)
    refused(run(command, opdb, cwd=lists), command, 2, "OPC-2008")
    assert run(command, opdb, "--force", cwd=lists).status == 0
    assert text.digest(opdb) == before


@pytest.mark.parametrize("command, more, status, code, part", [row for row in [
    ("npu", ["--torch", "2.7.2"], 2, "", "not a release for PyTorch '2.7.2'"),
    ("npu", ["--release", "v2.99.1-1.0.0", "--torch", "2.99.1"], 2, "", "has no universe"),
    ("npu", ["--release", "v2.7.1-1/../x"], 2, "", "not a name of a release"),
    ("npu", ["--source", "nobody"], 2, "", "no source 'nobody'"),
    ("npu", ["--date", "yesterday"], 2, "", "is not a date"),
    ("npu", ["--commit", "main"], 2, "", "0-9 and a-f"),
    ("npu", ["--plugin-commit", "main"], 2, "", "0-9 and a-f"),
    ("npu", ["--op-plugin", "nowhere.yaml"], 3, "", "nowhere.yaml"),
    ("npu", ["--op-plugin", "npu"], 3, "", "npu"),
    ("npu", ["--release", "v2.7.1-6.0.rc2"], 3, "", "does not read this list"),
    ("npu", ["--tags", "tags.yaml"], 2, "", "unrecognized arguments: --tags"),
    ("npu", ["--frame", "x"], 2, "", "unrecognized arguments: --frame"),
    ("npu", ["more"], 2, "", "unrecognized arguments: more"),
    ("npu", ["--opdb", "nowhere"], 4, "", "nowhere"),
    ("musa", ["--release", "latest"], 2, "", "is not a tag of torch_musa"),
    ("torch", ["--torch", "2.7"], 2, "", "is not a version of PyTorch"),
    ("registrations", ["--release", "2.7.1"], 2, "OPC-2003", "is not the name of a machine's release"),
    ("registrations", ["--date", "yesterday"], 2, "OPC-2003", "is not a date"),
    ("registrations", ["--commit", "main"], 2, "OPC-2003", "0-9 and a-f"),
    ("registrations", ["--torch", "2.7.1"], 2, "OPC-2001", "unknown option"),
    ("registrations", ["more"], 2, "OPC-2002", "unexpected argument 'more'"),
    ("registrations", ["--opdb", "nowhere"], 4, "OPC-4005", "nowhere"),
] if row[0] in RUN])
def test_wrong_options_change_nothing(run, kept, lists, command, more, status, code, part):
    opdb, before = kept
    assert part in refused(run(command, opdb, *more, cwd=lists), command, status, code)
    assert text.digest(opdb) == before


@python_alone
def test_a_missing_option_is_named(kept, lists):
    at = COMMANDS["npu"].index("--framework")
    done = text.facts(*COMMANDS["npu"][:at], *COMMANDS["npu"][at + 2:], "--opdb", kept[0], cwd=lists)
    assert refused(done, "npu", 2, "") == "the following arguments are required: --framework"


@pytest.mark.parametrize("command", ["npu", "old", "musa", "torch"])
def test_opcheck_names_the_program_that_reads_vendors_lists(opcheck, kept, lists, command):
    done = opcheck("db", "import", *COMMANDS[command], "--opdb", kept[0], cwd=lists)
    assert done.status == 2 and done.out == b"" and "`python3 opdb/extract/facts.py %s`" % COMMANDS[command][0] in done.err
    assert text.digest(kept[0]) == kept[1]


@pytest.mark.parametrize("what", ["cann", "musa-kernels"])
def test_opcheck_names_the_program_that_reads_tables_of_kernels(opcheck, tmp_path, what):
    done = opcheck("db", "import", what, tmp_path)
    assert done.status == 2 and "`python3 opdb/extract/facts.py %s`" % what in done.err


@pytest.mark.parametrize("command", [command for command in ("npu", "registrations") if command in RUN])
def test_a_damaged_fact_text_is_refused_at_its_line(run, opdb, lists, command):
    path = opdb / "npu" / "support.tsv"
    good = path.read_text(encoding="utf-8")
    for old, new, line, part in (("2.1.0-7.0.0..", "2.1.0-7.0.7..", 2, "2.1.0-7.0.7"), ("# ns\top", "# op\tns", 1, "column"),
                                 ("\t.\t", "\t\t", 2, "empty"), ("\t.\t", "\t.\t.\t", 2, "columns")):
        path.write_text(good.replace(old, new, 1), encoding="utf-8")
        before = text.digest(opdb)
        said = refused(run(command, opdb, cwd=lists), command, 4, "OPC-4005")
        assert "npu/support.tsv:%d: " % line in said and part in said
        assert text.digest(opdb) == before


@pytest.mark.parametrize("command", [command for command in ("npu", "registrations") if command in RUN])
@pytest.mark.parametrize("room", [0, 100 * 1000, 900 * 1000])
def test_a_full_disk_changes_nothing(run, opdb, lists, room, command):
    """The tables are written beside the old ones first: whichever of them does not fit, all stay as they were."""
    before = text.digest(opdb)
    done = run(command, opdb, cwd=lists, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    assert done.status != 0
    left = text.digest(opdb)
    assert {name: left[name] for name in before} == before
    if done.status > 0:
        assert left == before and done.status == 6


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("command", [command for command in ("npu", "registrations") if command in RUN])
def test_a_folder_that_may_not_be_written_is_said(run, opdb, lists, command):
    (opdb / "npu").chmod(0o555)
    before = text.digest(opdb)
    refused(run(command, opdb, cwd=lists), command, 6, "OPC-6001")
    (opdb / "npu").chmod(0o755)
    assert text.digest(opdb) == before


# --- lists at random

WORDS = sorted({word for content in GOOD.values() for word in re.split(r"(\W)", content) if word}) + [
    "[", "]", "{", "}", "\n", "\t", "  ", "- ", ": ", "null", "~", "''", '"', "&a", "*a", "!x", "[v2.1, newest]", "# ", "Math", "(a!)", "->",
    "*, ", "?", "_", "é", "\x01", "\0", "|", "---", "..."]
READ = {"npu": [ALL, FRAMEWORK, PLUGIN, "npu/derivatives.yaml"], "old": [ALL, FRAMEWORK, "npu/single.yaml"],
        "musa": [ALL, MUSA, "musa/native.patch"], "torch": [ALL, "tags.yaml", "generated.txt", "derivatives.yaml"]}


def mutated(content, chosen):
    """With a word put in, left out or replaced, or a line moved."""
    for _ in range(chosen.choice((1, 1, 2, 3))):
        parts = re.split(r"(\W)" if chosen.random() < 0.7 else r"(\n)", content)
        at, other = chosen.randrange(len(parts)), chosen.choice((parts, WORDS))
        parts[at:at + chosen.randrange(2)] = [chosen.choice(other)] * chosen.randrange(2)
        content = "".join(parts)
    return content


def small_text(opdb):
    shutil.rmtree(opdb, ignore_errors=True)  # a disk has to be waited for where files are truncated
    for name, columns in COLUMNS.items():
        (opdb / name).parent.mkdir(parents=True, exist_ok=True)
        (opdb / name).write_text("# " + "\t".join(columns) + "\n", encoding="utf-8")
    with open(opdb / "torch" / "versions.tsv", "a", encoding="utf-8") as versions:
        versions.writelines("%s\t%s\t0\ttorch\n" % (name, name) for name in ("1.11.0", "2.7.1"))


@python_alone
@pytest.mark.parametrize("command", sorted(READ))
def test_any_list_is_taken_and_says_the_same_again_or_is_refused_with_its_place(tmp_path, lists, capsys, monkeypatch, command):
    monkeypatch.chdir(lists)
    opdb, chosen, statuses = tmp_path / "opdb", random.Random(command), []
    arguments = [*COMMANDS[command], "--opdb", str(opdb)]
    small_text(opdb)
    empty = text.digest(opdb)
    for _ in range(300):
        name = chosen.choice(READ[command])
        (lists / name).write_text(mutated(GOOD[name], chosen), encoding="utf-8")
        statuses.append(facts.main(arguments))
        said = capsys.readouterr().err
        if statuses[-1]:
            assert statuses[-1] == 3 and re.match(r"facts\.py: (%s)(:\d+)?: " % "|".join(READ[command]), said), said
            assert text.digest(opdb) == empty
        else:
            made = text.digest(opdb)
            assert facts.main([*arguments, "--force"]) == 0 and text.digest(opdb) == made
            small_text(opdb)
        (lists / name).write_text(GOOD[name], encoding="utf-8")
    assert min(statuses.count(0), statuses.count(3)) > 30
