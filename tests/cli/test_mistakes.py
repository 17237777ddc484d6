"""What people type: other words for a target, a dump without a command, a report or a URL in place of a dump."""
import collections
import csv
import io
import json
import re
import shutil

import pytest

from conftest import FIXTURES, REFERENCE, fact_rows

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"


def targets(run):
    assert run.status == 0, run.err
    return [(t["id"].split(":")[0].split("@")[0], t["torch"], t["id"].partition(":")[2]) for t in run.json["targets"]]


def notes(run):
    return [w["params"] for w in run.json["warnings"] if w["rule"].startswith("target-")]


def refused(run, status, *texts):
    assert run.status == status and run.out == b""
    for text in texts:
        assert text in run.err, run.err


def test_a_file_without_a_command_is_checked(opcheck, tmp_path):
    assert opcheck(DUMP).text == opcheck("check", DUMP).text
    assert opcheck(DUMP, "-f", "json", "-t", "musa").json == opcheck("check", DUMP, "-f", "json", "-t", "musa").json
    with DUMP.open("rb") as dump:
        assert opcheck("-", stdin=dump).text.startswith("-: complete, ")
    refused(opcheck("none.log"), 2, "no command 'none.log'", "no such file either")


@pytest.mark.parametrize("given", [["-t", "npu,musa"], ["-t", "npu musa"], ["-t", "npu, musa,"], ["-t", "npu", "-t", "musa,npu"]])
def test_several_targets_in_one_option(opcheck, given):
    assert [t[0] for t in targets(opcheck("check", DUMP, "-f", "json", *given))] == ["npu", "musa"]


@pytest.mark.parametrize("given, kind, chip", [
    ("910b", "npu", "910B"), ("310P", "npu", "310P"), ("310p3", "npu", "310P3"), ("ascend", "npu", ""), ("NPU", "npu", ""),
    ("Ascend:910b", "npu", "910B"), ("s4000", "musa", "S4000"), ("torch_musa", "musa", ""), ("mthreads", "musa", ""),
])
def test_other_words_for_a_target_come_with_a_note(opcheck, given, kind, chip):
    run = opcheck("check", DUMP, "-f", "json", "-t", given)
    assert [(t[0], t[2]) for t in targets(run)] == [(kind, chip)]
    (target,), (note,) = run.json["targets"], notes(run)
    assert target["asked"] == note["asked"] == given and note["target"] == target["id"]
    assert "%s is %s" % (given, target["id"]) in " ".join(opcheck("check", DUMP, "-t", given, "-vv").text.split())


@pytest.mark.parametrize("device", ["cuda", "GPU", "rocm", "cuda@12.1", "cpu"])
def test_a_device_that_is_no_target_names_both(opcheck, device):
    refused(opcheck("check", DUMP, "-t", device), 2, "is not a target", "npu (Ascend", "musa (Moore Threads")


def test_a_version_without_its_last_part(opcheck):
    for options in (["-t", "npu@2.7"], ["-t", "npu", "--torch", "2.7"], ["-t", "npu@2.7:910b"]):
        assert targets(opcheck("check", DUMP, "-f", "json", *options))[0][:2] == ("npu", "2.7.1")
    refused(opcheck("check", DUMP, "-t", "npu@2.99"), 2, "unknown target npu@2.99")
    refused(opcheck("check", DUMP, "--torch", "2.99"), 2, "has no release for torch 2.99", "versions of PyTorch: 2.13.0, ", ", 1.11.0, 1.8.1;")
    refused(opcheck("check", DUMP, "-t", "musa", "--torch", "2"), 2, "versions of PyTorch: 2.7.1, 2.5.0, 2.2.0, 2.0.0;")
    refused(opcheck("check", DUMP, "-t", "npu@2.7.x"), 2, "unknown target npu@2.7.x")


def test_what_was_asked_and_what_it_became_is_shown(opcheck):
    run = opcheck("check", DUMP, "-f", "json", "-t", "npu@2.1.0")
    assert notes(run) == [{"asked": "npu@2.1.0", "target": "npu@v2.1.0-7.2.0", "torch": "2.1.0", "other": "npu@v2.1.0-5.0.0"}]
    for form in ("text", "html"):
        assert "npu@2.1.0 is npu@v2.1.0-7.2.0" in " ".join(opcheck("check", DUMP, "-t", "npu@2.1.0", "-f", form).text.split())
    exact = opcheck("check", DUMP, "-f", "json", "-t", "npu@v2.1.0-7.2.0")
    assert notes(exact) == [] and "asked" not in exact.json["targets"][0]
    default = opcheck("check", DUMP, "-f", "json")
    assert notes(default) == [] and all("asked" not in t for t in default.json["targets"])


def test_a_converted_report_still_says_what_was_asked(opcheck, tmp_path):
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck("check", DUMP, "-t", "910b", "-f", "json").out)
    for form in ("json", "text", "html"):
        assert opcheck("convert", saved, "-f", form).out == opcheck("check", DUMP, "-t", "910b", "-f", form).out


@pytest.mark.parametrize("words, meant", [("error", None), ("unsuported", "unsupported"), ("unsupported,cpu-falback", "cpu-fallback")])
def test_a_word_that_the_gate_does_not_know(opcheck, words, meant):
    run = opcheck("check", DUMP, "--fail-on", words)
    refused(run, 2, "the gate does not know", "dynamic-unbounded", "conditional")
    assert meant is None or "did you mean %s?" % meant in run.err


def test_a_report_is_no_dump(opcheck, tmp_path):
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck("check", DUMP, "-f", "json").out)
    refused(opcheck("check", saved), 3, "this is a report of opcheck", "opcheck convert", "opcheck diff")
    with saved.open("rb") as report:
        refused(opcheck("check", "-", stdin=report), 3, "this is a report of opcheck")
    shutil.copy(DUMP, tmp_path / "run.log")
    run = opcheck("check", tmp_path, "-f", "json")  # in a folder it is left out, with a word
    assert run.status == 0 and "report.json: left out" in run.err and len(run.json["inputs"]) == 1


def test_a_url_is_no_file(opcheck):
    url = "https://example.org/runs/1/profiler.log"
    for command in (["check"], ["advise"], ["buckets"], []):
        refused(opcheck(*command, url), 3, url, "curl -L %s | opcheck check -" % url)
    refused(opcheck("check", url + "?a=1&b=$(id)"), 3, "curl -L '%s?a=1&b=$(id)' | opcheck check -" % url)
    refused(opcheck("check", url + "?'x"), 3, "curl -L '%s?'\\''x' | opcheck check -" % url)


@pytest.mark.parametrize("args, hint", [
    (["-v"], "opcheck version"), (["-V"], "opcheck version"), (["--hlep"], "did you mean --help?"), (["--verson"], "did you mean --version?"),
    (["--format", "json"], "options follow a command"), (["check", "--fromat", "json"], "did you mean --format?"), (["check", "x", "--hlep"], "did you mean --help?"), (["op", "torch.bmmm"], "did you mean torch.bmm"),
    (["op", "nn.MultiHeadAttention"], "did you mean torch.nn.MultiheadAttention"), (["op", "nn.NoSuchModule"], "a dump shows which ones a call runs"), (["chekc"], "did you mean check?"),
    (["db", "import", "registration"], "did you mean registrations?"), (["db", "import", "xyz"], "choose one of registrations, reported"),
])
def test_wrong_options_and_commands_get_a_hint(opcheck, args, hint):
    refused(opcheck(*args), 2, hint)


TABLE = ["text", "json", "csv", "md", "html"]
ANSWERS = [
    (["check", DUMP], ["text", "json", "html", "csv"]), (["advise", DUMP], ["text", "json", "html", "csv", "md"]),
    (["buckets", DUMP], ["text", "json", "csv", "md", "html"]), (["diff", DUMP, DUMP], TABLE),
    (["op", "aten::add"], TABLE), (["op", "--recipes"], TABLE), (["op", "--all", "-t", "musa"], TABLE), (["targets"], TABLE), (["config", "show"], ["text", "json"]),
    (["db", "info"], TABLE), (["db", "diff", "npu", "npu@2.1.0"], TABLE), (["explain", "--list"], TABLE), (["explain", "unknown"], TABLE),
]


@pytest.mark.parametrize("call, formats", ANSWERS, ids=[" ".join(str(w) for w in c if w != DUMP) for c, _ in ANSWERS])
def test_output_takes_its_format_from_the_path_or_the_word(opcheck, small_db, tmp_path, call, formats):
    def run(*args):
        return opcheck(*args, env={"OPCHECK_DB": str(small_db)})

    suffixes = {"text": ["txt"], "md": ["md", "markdown"], "html": ["html", "htm"]}
    want = {form: run(*call, "-f", form).out for form in formats}
    paths = {tmp_path / ("answer." + suffix): form for form in formats for suffix in suffixes.get(form, [form])}
    named = {tmp_path / ("named.%d" % at): form for at, form in enumerate(formats)}
    written = run(*call, *[word for path in paths for word in ("-o", path)],
                      *[word for path, form in named.items() for word in ("-o", "%s=%s" % (form, path))])
    assert written.status == 0 and written.out == b""
    for path, form in [*paths.items(), *named.items()]:
        assert path.read_bytes() == want[form], path
    last = tmp_path / "last.out"
    assert run(*call, "-f", formats[-1], "-o", last).out == b"" and last.read_bytes() == want[formats[-1]]
    last.write_bytes(b"mine")
    assert run(*call, "-o", "text=%s" % last).status == 2 and last.read_bytes() == b"mine", "an existing file stays"
    assert run(*call, "-o", "text=%s" % last, "--force").status == 0 and last.read_bytes() == want["text"]
    if "csv" in formats:
        rows = list(csv.reader(io.StringIO(want["csv"].decode())))
        assert len({len(row) for row in rows}) == 1 and len(rows[0]) > 1 and "" not in rows[0]
    if "html" in formats:
        assert want["html"].startswith(b"<!DOCTYPE html>")
    if "md" in formats:
        assert run(*call, "-f", "markdown").out == want["md"]


def test_files_and_standard_output_together(opcheck, tmp_path):
    page, data = tmp_path / "r.html", tmp_path / "r.json"
    run = opcheck("check", DUMP, "-f", "text", "-o", page, "-o", data)
    assert run.text.startswith("Readiness report") and page.read_text().startswith("<!DOCTYPE html>") and json.loads(data.read_text())
    refused(opcheck("check", DUMP, "-o", "html"), 2, "'html' is a format, not a path")
    refused(opcheck("check", DUMP, "-o", "xml=%s" % page), 2, "no format 'xml'", "text, json, html")
    refused(opcheck("check", DUMP, "-o", ""), 2, "--output needs a path")


@pytest.mark.parametrize("given, name, overload", [
    ("torch.isin", "aten::isin", None), ("torch.nn.functional.conv2d", "aten::conv2d", None), ("F.conv2d", "aten::conv2d", None),
    ("nn.Conv2d", "aten::conv2d", None), ("nn.Linear", "aten::linear", None), ("Tensor.add_", "aten::add_", None),
    ("aten.isin.default", "aten::isin", None), ("aten.add.Tensor", "aten::add", "Tensor"), ("add.Tensor", "aten::add", "Tensor"),
    ("torch.ops.aten.add.Tensor", "aten::add", "Tensor"), ("torch.ops.torchvision.nms.default", "torchvision::nms", None),
    ("aten::isin.default", "aten::isin", None), ("isin", "aten::isin", None),
])
def test_operators_by_their_other_names(opcheck, given, name, overload):
    (operator,) = opcheck("op", given, "-t", "npu", "-f", "json").json["operators"]
    assert operator["name"] == name and operator.get("overload") == overload
    assert operator.get("api", "").endswith(given.split(".")[-1]) or "api" not in operator
    assert ("api" in operator) == (given.split(".")[0] in ("torch", "F", "nn", "Tensor") and "ops" not in given)


@pytest.mark.parametrize("given", ["nn.MultiheadAttention", "torch.nn.MultiheadAttention"])
def test_a_module_answers_with_the_operators_that_it_calls(opcheck, given):
    answer = opcheck("op", given, "-t", "npu@2.7.1", "-t", "musa@2.7.1", "-f", "json").json
    calls = {call["operator"]: call for call in answer["api"]["calls"]}
    assert answer["api"]["name"] == "torch.nn.MultiheadAttention" and calls["aten::bmm"]["forward"] == 1 and calls["aten::cat"]["forward"] == 0.75
    assert calls["aten::_softmax_backward_data"]["forward"] == 0 and calls["aten::_softmax_backward_data"]["backward"] == 1
    assert [o["name"] for o in answer["operators"]] == list(calls)
    for operator in answer["operators"]:
        assert calls[operator["name"]]["statuses"] == {target: verdict["status"] for target, verdict in operator["verdicts"].items()}
    text = opcheck("op", given, "-t", "npu@2.7.1").text
    assert text.startswith("torch.nn.MultiheadAttention\n") and re.search(r"aten::bmm +100 % +100 %  native\n", text)
    rows = list(csv.DictReader(io.StringIO(opcheck("op", given, "-t", "npu", "-f", "csv").text)))
    assert {row["op"] for row in rows} == set(calls)
    refused(opcheck("op", given, "-t", "npu", "--observed", "native"), 2, "calls several operators", "name the one")
    refused(opcheck("op", given, "--issue-draft"), 2, "calls several operators")


def test_every_api_that_was_measured_answers(opcheck, reference):
    """With all operators that it calls on a device, as the samples had them."""
    calls = collections.defaultdict(dict)
    for row in fact_rows(reference, "api_operators.csv"):
        if not REFERENCE:  # the subset has those of some APIs, added up
            calls[row["api"]].setdefault(row["kind"], {})[row["operator"]] = float(row["share"])
        elif row["level"] == "top" and row["device"] != "cpu" and row["operator"] != "-":
            kind = calls[row["api"]].setdefault("backward" if row["backward"] == "1" else "forward", {})
            name = "aten::" + row["operator"].split(".")[0]
            kind[name] = max(kind.get(name, 0), float(row["share"]))
    apis = sorted(api for api, kinds in calls.items() if "forward" in kinds and api.startswith("torch."))
    assert len(apis) > (1500 if REFERENCE else 40)
    many = ["torch.nn.LSTM", "torch.nn.TransformerEncoderLayer", "torch.optim.Adam(foreach=True)"]
    assert set(many) <= set(apis)
    for api in apis[::37] + many if REFERENCE else apis:
        answer = opcheck("op", api, "-t", "npu", "-f", "json").json
        for kind in ("forward", "backward"):
            assert {c["operator"]: c[kind] for c in answer["api"]["calls"] if c[kind]} == calls[api].get(kind, {}), api


def test_a_python_name_without_an_operator(opcheck):
    refused(opcheck("op", "torch.frobnicate"), 2, "no operator is known for the Python name 'torch.frobnicate'")
    refused(opcheck("op", "aten.frobnicate"), 2, "no operator 'aten::frobnicate'")


def test_a_name_of_which_only_its_namespace_is_known_is_answered_by_that(opcheck):
    (operator,) = opcheck("op", "symm_mem::one_shot_all_reduce", "-t", "npu@2.7.1", "-f", "json").json["operators"]
    (verdict,) = operator["verdicts"].values()
    assert verdict["status"] == "unsupported" and verdict["via"].startswith("an operator of PyTorch for which the plugin registers no kernel")
    assert verdict["evidence"][0]["ref"].startswith("https://github.com/pytorch/pytorch/")
    refused(opcheck("op", "npu::frobnicate"), 2, "no operator 'npu::frobnicate'")


def test_tables_of_targets_say_the_same_in_every_format(opcheck):
    ids = [t["id"] for t in opcheck("targets", "-f", "json").json["targets"]]
    rows = opcheck("targets", "-f", "csv").text.splitlines()
    assert rows[0] == "target,torch,plugin,cann,pip,date" and [r.split(",")[0].strip("'\"") for r in rows[1:]] == ids
    lines = opcheck("targets", "-f", "md").text.splitlines()
    assert [l.split("|")[1].strip().replace("\\", "") for l in lines if "@" in l] == ids
    assert "Bucket plan" in opcheck("buckets", DUMP, "-f", "html").text and opcheck("buckets", DUMP, "-f", "md").text.strip()
    assert "aten::add" in opcheck("op", "add", "-f", "md").text


# --- kinds of mistakes: the command, words wanted in its answer, the exit status

NEWEST = r"npu@v[\d.]+-[\d.]+"
CANN = ["releases of torch_npu for CANN 8.5", "npu@v2.7.1-7.3.0 (torch 2.7.1)", "npu@v2.9.0-7.3.0"]
MISTAKES = [
    ("check x.log -t huawei", ["huawei is a vendor", "npu (Ascend)", re.compile("newest release, " + NEWEST)], 2),
    ("check x.log -t mtt", ["mtt is a vendor", "musa (Moore Threads)"], 2),
    ("check x.log -t mtt-s4000", ["did you mean musa:S4000?"], 2),
    ("check x.log -t MTTS4000", ["did you mean musa:S4000?"], 2),
    ("check x.log -t huawei-910b", ["did you mean npu:910B?"], 2),
    ("check x.log -t atlas800", ["npu:910B (Atlas 800T A2", "npu:910A", "npu:310P", "npu:310B", "npu:910_93", "npu:950"], 2),
    ("check x.log -t npu@latest", [re.compile("npu@latest is " + NEWEST)], 0),
    ("check x.log -t npu@latest:910b", [re.compile("npu@latest:910b is " + NEWEST + ":910B")], 0),
    ("check x.log -t all", ["npu,musa", "opcheck advise"], 2),
    ("check x.log -t cann-8.5.0", ["cann-8.5.0 is a version of CANN", *CANN], 2),
    ("check x.log -t npu@cann-8.5", CANN, 2),
    ("check x.log -t npu@8.5.0", ["npu@8.5.0 is a version of CANN", *CANN], 2),
    ("check x.log -t npu@9.9.9", ["unknown target npu@9.9.9", "`opcheck targets` lists"], 2),
    ("check x.log -t 910b", [re.compile(NEWEST + ":910B")], 0),
    ("check x.log --torch 2.7.1 -t musa@v2.5.0",
     ["musa@v2.5.0 is a release for PyTorch 2.5.0, not 2.7.1", "leave out PyTorch 2.7.1 to use musa@v2.5.0", "name musa@v2.7.1"], 2),
    ("check x.lgo", ["cannot open", "did you mean x.log?"], 3),
    ("check sub/b.lgo", ["did you mean sub/b.log?"], 3),
    ("check 'it''s.lgo'", ["cannot open"], 3),
    ("check *.log", ["the shell did not expand it", "2 files match: 'a b.log' x.log"], 3),
    ("scan train.pi", ["did you mean train.py?"], 3),
    ("check train.py", ["this is a script: opcheck scan train.py", "opcheck snippet"], 3),
    ("check notes.ipynb", ["this is a notebook: opcheck scan notes.ipynb"], 3),
    ("check --each sub", ["1 file: 1 RUNS"], 0),
    ("check x.log -o r.pdf", ["does not write .pdf", "-o r.html", "chromium --headless --print-to-pdf"], 2),
    ("check x.log -o r.xlsx", ["-o r.csv"], 2),
    ("check x.log --json", ["write -f json"], 2),
    ("check x.log --html", ["write -o report.html"], 2),
    ("check x.log --device npu", ["write -t npu"], 2),
    ("targets --html", ["unknown option '--html'", "write -o report.html"], 2),
    ("version --json", ["unknown option '--json'", "--help lists the options"], 2),
    ("check x.log --no-color", ["x: complete"], 0),
    ("--no-color check x.log", ["x: complete"], 0),
    ("advise x.log --no-color", ["npu@v"], 0),
    ("advise x.log -t npu", ["RUNS npu@v"], 0),
    ("advise x.log -t npu@2.7.1", ["--target of advise is npu or musa", "write -t npu", "--from npu@v2.7.1"], 2),
    ("check x.log --fail-on blocked", ["blocked means unsupported,needs-package", "the words are native-jit"], 2),
    ("check x.log --fail-on inconclusive", ["inconclusive means unknown,conditional"], 2),
    ("--lang zh-CN check x.log", ["采集完整", "占比按主机 CPU 时间"], 0),
    ("--lang=zh-CN check x.log", ["采集完整", "占比按主机 CPU 时间"], 0),
    ("--lang zh-CN targets --frob", ["\u672a\u77e5\u9009\u9879"], 2),
    ("--lang zh-CN db info --frob", ["\u672a\u77e5\u9009\u9879"], 2),
    ("version --lang zh-CN", ["opcheck"], 0),
    ("--lang zh-CN", ["\u672a"], 2),
    ("check x.log --lang zh-CN -- --lang", ["--lang"], 3),
    ("op nms -t npu", ["torchvision::nms"], 0),
    ("op Conv2d -t npu", ["torch.nn.Conv2d", "aten::conv2d"], 0),
    ("op torch.nn.Conv2d -t npu", ["torch.nn.Conv2d", "aten::conv2d"], 0),
    ("op Adam -t npu", ["torch.optim.Adam"], 0),
    ("op torchvision.ops.nms -t npu", ["torchvision::nms"], 0),
    ("op flash_attn -t npu", ["flash_attn::*", "flash-attn-npu", "aten::scaled_dot_product_attention: native", "npu::npu_fusion_attention: native"], 0),
    ("op flash_attn -t musa", ["aten::scaled_dot_product_attention"], 0),
    ("op flash_attn.flash_attn_func -t npu", ["flash_attn::flash_attn_func", "npu::npu_fusion_attention"], 0),
    ("op torch.sparse.mm -t npu", ["aten::_sparse_mm", "calls addmm: no kernel for sparse COO and CSR tensors"], 0),
    ("op frobnicate", ["no operator 'aten::frobnicate'", "opcheck op --all -t npu"], 2),
    ("op npu", ["no operator 'aten::npu'"], 2),
    ("plan x.log -t npu -t musa", ["a plan is for one target", "opcheck plan x.log -t npu"], 2),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("mistakes")
    (path / "sub").mkdir()
    for name in ("x.log", "a b.log", "sub/b.log"):
        shutil.copy(DUMP, path / name)
    (path / "train.py").write_text("import torch\n")
    (path / "notes.ipynb").write_text('{"cells": []}')
    return path


@pytest.mark.parametrize("command, wanted, status", MISTAKES, ids=[row[0].replace("/", "|") for row in MISTAKES])
def test_a_mistake_is_answered_with_what_to_do(opcheck, folder, command, wanted, status):
    words = [word.strip("'") for word in re.findall(r"'(?:[^']|'')*'|\S+", command)]
    run = opcheck(*words, cwd=folder)
    answer = " ".join((run.err + run.text).split())
    assert run.status == status, answer[:500]
    for text in wanted:
        assert text.search(answer) if isinstance(text, re.Pattern) else text in answer, (text, answer[:900])
    if status > 1:
        assert run.out == b"" and not list(folder.glob("r.*")), "nothing is written beside an error"


def test_advise_lists_the_releases_of_the_targets_that_are_named(opcheck, folder):
    def listed(*options):
        return {row["id"].split("@")[0] for row in opcheck("advise", "x.log", "-f", "json", *options, cwd=folder).json["releases"]}
    assert listed() == listed("-t", "npu,musa") == {"npu", "musa"}
    assert listed("-t", "npu") == {"npu"} and listed("-t", "musa") == {"musa"}


def test_no_color_is_taken_in_a_terminal_that_wants_colours(opcheck):
    plain, coloured = (opcheck("check", DUMP, *more, env={"FORCE_COLOR": "1"}).out for more in (["--no-color"], []))
    assert b"\x1b[" in coloured and b"\x1b[" not in plain


def test_a_command_in_an_error_can_be_copied(opcheck, folder):
    """What an answer proposes runs as it is: no placeholder, and quoted where a shell asks for it."""
    shutil.copy(DUMP, folder / "a b.lo")
    for wrong, right in (("a b.lgo", "'a b.log'"), ("x.lgo", "x.log")):
        assert "did you mean %s?" % right in opcheck("check", wrong, cwd=folder).err
    for command, _, status in MISTAKES:
        if status > 1:
            words = [word.strip("'") for word in re.findall(r"'(?:[^']|'')*'|\S+", command)]
            assert not re.search(r"\b(DUMP|TARGET|URL)\b", opcheck(*words, cwd=folder).err), command
