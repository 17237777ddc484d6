"""Recipes in reports and behind `op`, and drafts of issues for vendors."""
import html
import json
import re
import shlex
import shutil

import pytest

from conftest import FIXTURES, ROOT
from test_types import FLOAT, trace, written

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
LOGIT = ("op", "aten::logit", "-t", "npu@v2.2.0-6.0.rc1")


def recipe_advice(messages):
    return [m["params"] for m in messages if m["rule"] == "advice-recipe"]


def test_findings_name_recipes_in_both_languages(opcheck):
    report = json.loads(opcheck("check", DUMP, "-t", "npu", "-f", "json").text)
    found = {f["operator"]: recipe_advice(f["advice"]) for f in report["findings"] if f["rule"] == "op-cpu-fallback"}
    assert [r["recipe"] for r in found["aten::_assert_async"]] == ["assert-async"]
    for advice in found.values():
        for params in advice:
            assert params["advice_en"] != params["advice_zh"] and params["effort"]
    english = opcheck("check", DUMP, "-t", "npu", "-f", "text").text
    chinese = opcheck("check", DUMP, "-t", "npu", "-f", "text", "--lang", "zh-CN").text
    assert "recipe assert-async" in " ".join(english.split()) and "配方 assert-async" in chinese


@pytest.mark.parametrize("name, dtype, recipes", [
    ("aten::max", "c10::complex<float>", set()), ("aten::max", "double", {"float64"}), ("aten::sort", "double", {"float64"}), ("aten::sort", "long int", {"argsort-int"}),
    ("aten::abs", "c10::complex<float>", {"complex-abs"}), ("aten::sum", "unsigned char", {"sum-uint8"}), ("aten::max", FLOAT, set())])
def test_a_recipe_for_a_data_type_is_offered_for_that_type(opcheck, tmp_path, name, dtype, recipes):
    path = written(tmp_path, trace((name, [[4]], [dtype])))
    report = opcheck("check", path, "-t", "npu@2.7.1", "-t", "musa@v2.7.1", "-t", "musa@v1.3.0", "-f", "json").json
    limits = [f for f in report["findings"] if f["rule"] in ("op-dtype", "op-aicpu", "op-unsupported") or f["rule"].startswith("dtype-")]
    assert bool(limits) == (dtype != FLOAT)
    assert {a["recipe"] for f in limits for a in recipe_advice(f["advice"])} == recipes
    others = [f for f in report["findings"] if f not in limits]
    assert not any(recipe_advice(f["advice"]) for f in others)


def test_convert_gives_the_same_advice(opcheck, tmp_path):
    for lang in ("en", "zh-CN"):
        saved = tmp_path / (lang + ".json")
        saved.write_bytes(opcheck("check", DUMP, "-t", "npu", "-f", "json").out)
        for form in ("text", "html", "csv", "json"):
            direct = opcheck("check", DUMP, "-t", "npu", "-f", form, "--lang", lang).out
            assert opcheck("convert", saved, "-f", form, "--lang", lang).out == direct


def test_op_shows_recipes_with_code(opcheck):
    text = opcheck(*LOGIT).text
    assert "Recipe logit" in text and "    def after(p, eps):" in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("    ")) <= 80
    listed = json.loads(opcheck(*LOGIT, "-f", "json").text)["operators"][0]["recipes"]
    assert [r["id"] for r in listed] == ["logit"]
    assert listed[0]["code"] == (ROOT / "opdb" / "recipes" / "logit.py").read_text(encoding="utf-8")
    assert "配方 logit" in opcheck(*LOGIT, "--lang", "zh").text


def test_an_operator_that_runs_has_no_recipe_for_what_does_not(opcheck):
    listed = json.loads(opcheck("op", "aten::logit", "-t", "musa@v2.7.1", "-f", "json").text)["operators"][0]["recipes"]
    assert listed == []


def replacements(opcheck, name, target):
    operator, = opcheck("op", name, "-t", target, "-f", "json").json["operators"]
    return [a["params"]["operators"] for v in operator["verdicts"].values() for a in v["advice"] if a["rule"] == "advice-equivalent"]


def test_no_operator_is_advised_in_its_own_place_nor_another_algorithm(opcheck):
    assert replacements(opcheck, "aten::_fused_sgd_", "npu@2.7.1") == replacements(opcheck, "aten::_fused_adamw_", "npu@2.7.1") == ["_foreach_*"]
    for name in ("_fused_adagrad_", "_weight_norm_interface", "_thnn_fused_gru_cell"):
        assert replacements(opcheck, "aten::" + name, "musa@v2.7.1") == []


def test_every_recipe_is_listed(opcheck):
    listed = json.loads(opcheck("op", "--recipes", "-f", "json").text)["recipes"]
    assert [r["id"] for r in listed] == sorted(p.stem for p in (ROOT / "opdb" / "recipes").glob("*.py"))
    assert len(listed) >= 40
    assert {r["effort"] for r in listed} <= {"flag", "config", "recipe", "package", "upgrade", "port"}
    text = opcheck("op", "--recipes").text
    assert all("Recipe %s (" % r["id"] in text for r in listed)
    assert opcheck("op", "aten::add", "--recipes").status == 2


def code_of(draft):
    return re.search("```python\n(.*?)```", draft, re.S).group(1)


@pytest.mark.parametrize("operator", ["aten::logit", "aten::geometric_", "aten::_assert_async", "aten::linalg_lstsq", "aten::addmm",
                                      "aten::hstack", "aten::xlogy"])
def test_the_reproduction_of_a_draft_runs(opcheck, operator):
    """On the CPU, with the import of the plugin taken out."""
    torch = pytest.importorskip("torch")
    draft = opcheck("op", operator, "-t", "npu@v2.2.0-6.0.rc1", "--issue-draft").text
    code = code_of(draft)
    assert "import torch_npu\n" in code and 'device = "npu"' in code
    exec(compile(code.replace("import torch_npu", "").replace('"npu"', '"cpu"'), operator, "exec"), {"torch": torch})


def test_a_draft_has_versions_and_evidence_in_both_languages(opcheck):
    english, chinese = (opcheck(*LOGIT, "-t", "musa@v1.3.0", "--issue-draft", "--lang", lang).text for lang in ("en", "zh-CN"))
    for draft in (english, chinese):
        assert draft.startswith("# ") and draft.count("\n---\n") == 1
        for word in ("npu@v2.2.0-6.0.rc1", "torch_npu", "CANN", "PyTorch: 2.2.0", "torch_musa", "https://github.com/"):
            assert word in draft, word
    assert "Observed" in english and "现象" in chinese
    assert code_of(english) == code_of(chinese)


def test_a_draft_names_evidence_without_an_address(opcheck, tmp_path):
    site = tmp_path / "site.tsv"
    site.write_text("# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n"
                    "aten::mm\tnpu\t*\t.\t.\tunsupported\t.\tthe log has an error\trun.log:7\t.\n", encoding="utf-8")
    draft = opcheck("op", "aten::mm", "-t", "npu", "--overlay", site, "--issue-draft").text
    evidence = re.search("## Evidence\n\n(.*?)\n\n", draft, re.S)[1].splitlines()
    assert "run.log:7" in evidence[0] and all(line.split(": ", 1)[1] for line in evidence)


def test_every_finding_has_an_effort(opcheck):
    report = opcheck("check", DUMP, "-t", "npu", "-t", "musa@v1.2.1", "-f", "json").json
    order = ["flag", "config", "recipe", "package", "upgrade", "port"]
    for finding in report["findings"]:
        named = [p["effort"] for p in recipe_advice(finding["advice"])]
        assert finding["effort"] in order
        assert all(order.index(finding["effort"]) <= order.index(effort) for effort in named)
    assert len({f["effort"] for f in report["findings"]}) > 1


def test_a_draft_says_what_can_be_done_meanwhile(opcheck):
    draft = opcheck("op", "torchvision::nms", "-t", "npu@2.1.0", "--issue-draft").text
    section = draft[draft.index("## Workaround"):]
    assert "matrix of overlaps" in section and "https://github.com/opendatalab/MinerU/issues/1695" in section


def test_recipes_for_values_are_not_given_to_shapes_that_change_for_other_reasons(opcheck):
    """A sequence length changes the shapes of where() with three arguments: the recipe for its one-argument form is not meant."""
    varying = [f for f in opcheck("check", DUMP, "-t", "npu", "-f", "json").json["findings"] if f["rule"] == "shape-varying"]
    marks = opcheck("check", FIXTURES / "torch-2.13" / "compilemarks.a-full.log", "-t", "npu", "-f", "json").json
    by_data = {f["operator"]: f["advice"] for f in marks["findings"] if f["rule"] == "shape-data-dependent"}
    assert varying and all(recipe_advice(f["advice"]) == [] for f in varying)
    assert "nonzero" in [p["recipe"] for p in recipe_advice(by_data["aten::nonzero"])]


COMMAND = re.compile(r"`(opcheck [^`]+)`|<code[^>]*>(opcheck [^<]+)</code>|(?:first|Next|先做|下一步) +(opcheck .*)|(opcheck op \S+ -t \S+ --observed [A-Z]+)")
FORMATS = ("text", "md", "html", "sarif", "junit", "codequality", "annotations")


def commands(text):
    return {next(filter(None, found)) for found in COMMAND.findall(html.unescape(text))}


def printed(opcheck, path, *more, cwd):
    """Every command in the reports on a dump; of SARIF those of results, as its rules are about any operator."""
    texts = [opcheck("check", path, "-vvv", "-f", form, *more, cwd=cwd).text for form in FORMATS if form != "sarif"]
    runs = opcheck("check", path, "-f", "sarif", *more, cwd=cwd).json["runs"]
    texts += [result["message"]["text"] for run in runs for result in run["results"]]
    return commands("\n".join(texts + [opcheck(command, path, *more, cwd=cwd).text for command in ("check", "advise")]))


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_commands_in_reports_can_be_copied(opcheck, tmp_path, lang):
    """No placeholder stands for what the report knows, and the program takes each command."""
    shutil.copy(DUMP, tmp_path / "my dump.log")
    types = written(tmp_path, trace(("aten::sum", [[4]], ["c10::complex<float>"]), ("aten::histogram", [[4]], [FLOAT]))).name
    found = printed(opcheck, "my dump.log", "--lang", lang, cwd=tmp_path) | printed(opcheck, types, "--lang", lang, cwd=tmp_path)
    assert len(found) > 8 and any("'my dump.log'" in command for command in found)
    assert any(command.startswith("opcheck op aten::") for command in found)
    known = [command.replace("--observed STATUS", "--observed native") for command in found]
    assert [command for command in known if re.search(r"\b(NAME|OPERATOR|DUMP|TARGET|FILE|URL|STATUS)\b|\?", command)] == []
    words = {command: shlex.split(command)[1:] for command in known}  # one alone names a command
    runs = {command: opcheck(*words[command], *["--help"] * (len(words[command]) == 1), cwd=tmp_path) for command in known}
    assert {command: run.err for command, run in runs.items() if run.status == 2} == {}
