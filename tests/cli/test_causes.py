"""Findings of one rule and origin as one cause, over operators and targets."""
import html
import re

import pytest

import knowledge
from conftest import FIXTURES
from test_types import FLOAT, trace, written

NPU, MUSA = "npu@v2.7.1-26.0.0", "musa@v2.7.1"


def report(opcheck, tmp_path, *names, targets=(NPU, MUSA)):
    return knowledge.report(opcheck, written(tmp_path, trace(*((n, [[4]], [FLOAT]) for n in names))), targets)


def test_a_cause_is_one_line_over_operators_and_targets(opcheck, tmp_path):
    found = report(opcheck, tmp_path, "torchvision::nms", "torchvision::roi_align", "fbgemm::asynchronous_complete_cumsum",
                   targets=("npu@v2.7.1-26.0.0", "npu@v2.6.0-7.3.0"))
    packages = {c["id"]: c for c in found["causes"] if c["rule"] == "op-needs-package"}
    assert set(packages) == {"op-needs-package/torchvision_npu", "op-needs-package/fbgemm_ascend"}
    both = packages["op-needs-package/torchvision_npu"]
    assert set(both["operators"]) == {"torchvision::nms", "torchvision::roi_align"} and len(both["targets"]) == 2
    assert both["severity"] == "error" and len(both["findings"]) == 4
    assert both["text"].startswith("2 operators need the package torchvision_npu on ")
    assert abs(both["time_share"] - 2 / 3) < 1e-5  # an operator counts once, on however many targets


def test_shares_that_are_rounded_up_add_up_to_the_whole(opcheck, tmp_path):
    """Each of six is 0.166667: the report must be one that can be read again."""
    path = tmp_path / "report.json"
    opcheck("check", written(tmp_path, trace(*(("mine::op%d" % n, [[4]], [FLOAT]) for n in range(6)))), "-f", "json", "-o", path)
    found = opcheck("convert", path, "-f", "json").json
    assert {operator["time_share"] for operator in found["operators"]} == {0.166667} and max(c["time_share"] for c in found["causes"]) == 1


def test_every_finding_has_one_cause(opcheck, tmp_path):
    found = report(opcheck, tmp_path, "torchvision::nms", "aten::histogram", "aten::mode", "aten::normal_", "aten::bernoulli_")
    assert sorted(f for c in found["causes"] for f in c["findings"]) == sorted(f["fingerprint"] for f in found["findings"])
    assert len({c["id"] for c in found["causes"]}) == len(found["causes"]) < len(found["findings"])


def test_what_follows_from_another_operator_hangs_under_it(opcheck, tmp_path):
    document = trace(("aten::matrix_exp", [[4]], [FLOAT]), ("aten::linalg_matrix_exp", [[4]], [FLOAT]))
    document["traceEvents"][0].update(dur=50)
    document["traceEvents"][1].update(ts=110)
    run = opcheck("check", written(tmp_path, document), "-t", MUSA, "-f", "json")
    causes = {c["rule"]: c for c in run.json["causes"]}
    assert causes["op-calls"]["under"] == causes["op-unsupported"]["id"]


def several(opcheck, tmp_path, *calls, targets=(NPU, MUSA)):
    return knowledge.report(opcheck, written(tmp_path, trace(*calls)), targets)["causes"]


def test_a_recipe_is_one_cause_over_rules_and_targets(opcheck, tmp_path):
    """Whoever applies the recipe needs neither the kernel that copies to the host nor the overload that is missing."""
    found = report(opcheck, tmp_path, "aten::isin", targets=("npu@v2.12.0-26.1.0", "npu@v1.11.0-5.0.0"))
    cause, = found["causes"]
    assert {f["severity"] for f in found["findings"]} == {"warning", "note"} and cause["severity"] == "warning"
    assert cause["id"].endswith("/isin") and len(cause["findings"]) == len(found["findings"]) and len(cause["targets"]) == 2
    assert len(cause["also"]) + 1 == len({f["rule"] for f in found["findings"]}) > 1
    assert [a["params"]["recipe"] for a in cause["advice"] if "recipe" in a["params"]] == ["isin"]


def test_a_type_is_one_cause_with_what_each_target_makes_of_it(opcheck, tmp_path):
    calls = ("aten::clamp_", [[4]], ["double"]), ("aten::sub", [[4]], ["double"]), ("aten::sum", [[4]], ["double"]), ("aten::add", [[4]], [FLOAT])
    causes = several(opcheck, tmp_path, *calls)
    cause, = (c for c in causes if c["id"].endswith("/fp64"))
    assert set(cause["operators"]) == {"aten::clamp_", "aten::sub", "aten::sum"} and {a["rule"] for a in cause["also"]} >= {"dtype-fp64", "op-untested"}
    assert cause["time_share"] < sum(1 for _ in cause["operators"]) / len(calls)  # of what does not run alone


def test_advice_that_is_for_one_operator_or_target_alone_names_it(opcheck, tmp_path):
    backward = "aten::_scaled_dot_product_efficient_attention_backward"
    one, = (c for c in report(opcheck, tmp_path, backward)["causes"] if c["rule"] == "op-unsupported")
    assert [(a["params"]["targets"], a["params"]["operator"]) for a in one["advice"]] == [(MUSA, backward), (NPU, backward)]
    assert "musa" not in one["advice"][1]["params"]["operators"] and "npu" not in one["advice"][0]["params"]["operators"]
    alone, = (c for c in report(opcheck, tmp_path, backward, targets=(NPU,))["causes"] if c["rule"] == "op-unsupported")
    assert [a["rule"] for a in alone["advice"]] == ["advice-equivalent"]
    several, = (c for c in report(opcheck, tmp_path, backward, "aten::_cudnn_rnn_backward", "aten::segment_reduce", targets=(MUSA,))["causes"]
                if c["rule"] == "op-unsupported")
    assert len(several["operators"]) == 3
    assert [a["params"]["operator"] for a in several["advice"]] == ["aten::_cudnn_rnn_backward", backward]


def test_a_release_to_move_to_names_the_targets_that_one_moves_from(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::logit_backward", [[4], [4], []], [FLOAT, FLOAT, "Scalar"])))
    report = opcheck("check", path, "-t", "npu@v1.8.1-3.0.rc2", "-t", "npu@v2.1.0-6.0.0", "-f", "json").json
    cause, = (c for c in report["causes"] if c["id"] == "op-cpu-fallback")
    assert [a["text"] for a in cause["advice"] if a["rule"].startswith("advice-release")] == [
        "from npu@v1.8.1-3.0.rc2: npu@v1.11.0-5.0.0 runs aten::logit_backward on the device"]


def test_a_release_that_runs_several_operators_runs_them(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::multinomial", [[4], [], []], [FLOAT, "Scalar", "Scalar"]), ("aten::aminmax", [[4], []], [FLOAT, "Scalar"])))
    report = opcheck("check", path, "-t", "musa@v1.0.0", "-f", "json").json
    cause, = (c for c in report["causes"] if c["id"] == "op-unsupported")
    assert [a["text"] for a in cause["advice"]] == ["musa@v1.2.1 runs them on the device"]


def test_a_cause_names_each_type_once(opcheck, tmp_path):
    double = ["double", "double", "Scalar"]
    path = written(tmp_path, trace(("aten::mul", [[4], [4]], double[:2]), ("aten::mul", [[4], [4]], ["bool", "bool"]),
                                   ("aten::sub", [[4], [4], []], double)))
    report = opcheck("check", path, "-t", "musa@v1.0.0", "-f", "json").json
    texts = [text["text"] for cause in report["causes"] for text in [cause["statement"], *cause.get("also", [])]]
    assert "2 operators are not tested with fp64, bool on musa@v1.0.0: aten::mul, aten::sub" in texts, texts


def test_what_follows_is_nested_within_its_target_alone(opcheck, tmp_path):
    document = trace(("aten::matrix_exp", [[4]], [FLOAT]), ("aten::linalg_matrix_exp", [[4]], [FLOAT]))
    document["traceEvents"][0].update(dur=50)
    document["traceEvents"][1].update(ts=110)
    found = opcheck("check", written(tmp_path, document), "-t", MUSA, "-t", "musa@v1.3.0", "-t", NPU, "-f", "json").json
    of = {f["fingerprint"]: f for f in found["findings"]}
    by_id = {c["id"]: c for c in found["causes"]}
    nested = [c for c in found["causes"] if c.get("under")]
    assert nested
    for cause in nested:
        above = {(f["operator"], f["target"]) for f in map(of.get, by_id[cause["under"]]["findings"])}
        assert all((of[f]["params"]["child"], of[f]["target"]) in above for f in cause["findings"] if of[f]["rule"] == "op-calls")


def test_a_recipe_is_printed_once(opcheck, whole_reference):
    page = html.unescape(opcheck("check", whole_reference / "samples" / "torch-2.13" / "ctc.c.trace.json.gz", "-f", "html").text)
    code = [c.split("\n", 1)[0] for c in re.findall(r"<p>Recipe (\S+)", page)]
    assert len(code) == len(set(code)) >= 5


@pytest.mark.parametrize("dump, most", [("ctc.c.trace.json.gz", 10), ("llama.c.trace.json.gz", 5), ("llama.a-full.log", 5), ("bert.a.log", 12), ("compile.c.trace.json.gz", 12)])
def test_causes_are_few_enough_to_read(opcheck, whole_reference, dump, most):
    assert 0 < len(opcheck("check", whole_reference / "samples" / "torch-2.13" / dump, "-f", "json").json["causes"]) <= most


def test_no_dump_has_more_than_a_dozen_causes(opcheck, whole_reference):
    samples = whole_reference / "samples"
    for path in [samples / "real-traces" / "hta-sampled-rank0.json.gz", *(samples / "torch-1.13").glob("misc.*.log")]:
        assert len(opcheck("check", path, "-f", "json").json["causes"]) <= 12, path.name


def test_text_lists_causes_and_all_findings_when_asked(opcheck, tmp_path):
    path = written(tmp_path, trace(*((n, [[4]], [FLOAT]) for n in ("torchvision::nms", "torchvision::roi_align", "torchvision::roi_pool"))))
    short, full = (opcheck("check", path, "-t", NPU, *more).text for more in (("-f", "text"), ("-f", "text", "-v")))
    assert "3 operators need the package torchvision_npu on " + NPU in " ".join(short.split()) and "4 findings in all" in short
    assert "torchvision::roi_pool needs a package" not in " ".join(short.split())
    assert "torchvision::roi_pool needs a package" in " ".join(full.split())


def test_a_cause_opens_to_operators_places_evidence_meaning_and_code(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::isin", [[4]], [FLOAT])))
    found = opcheck("check", path, "-t", NPU, "-f", "json").json
    recipe, = [r for r in found["recipes"] if r["id"] == "isin"]
    assert "def before(" in recipe["code"] and "def after(" in recipe["code"]
    refs = {e["ref"] for f in found["findings"] if f["operator"] == "aten::isin" for e in f["evidence"]}
    for form in ("html", "md", "text"):
        text = opcheck("check", path, "-t", NPU, "-v", "-f", form).text
        causes = text[text.index(">Causes</h2>" if form == "html" else "Causes"):]
        causes = re.sub('<details class="more"><summary>For the vendor.*?</details>', "", causes[:causes.index("Findings")], flags=re.S)
        assert "return torch.isin(x, wanted)" in causes and "(x.unsqueeze(-1) == wanted).any(-1)" in causes and "def cases" not in causes
        assert "opcheck explain op-host-path" in " ".join(causes.replace("\\", "").split()) and refs
        cited = [text[:text.index(">%s</a>" % ref)].count("<li id=\"source-") for ref in refs] if form == "html" else []
        assert all('<a href="#source-%d">' % number in causes for number in cited) if cited else all(ref in causes for ref in refs)
        assert "%s, byte " % path.name in causes
    page = opcheck("check", path, "-t", NPU, "-f", "html").text
    assert page.index("<summary>aten::isin") < page.index("<pre><code>import torch")


def test_what_follows_opens_under_what_it_follows_from(opcheck, tmp_path):
    document = trace(("aten::matrix_exp", [[4]], [FLOAT]), ("aten::linalg_matrix_exp", [[4]], [FLOAT]))
    document["traceEvents"][0].update(dur=50)
    document["traceEvents"][1].update(ts=110)
    page = opcheck("check", written(tmp_path, document), "-t", MUSA, "-f", "html").text
    assert page.index("aten::linalg_matrix_exp does not run") < page.index('<div class="follower"><details><summary>aten::matrix_exp calls')


def test_the_place_of_an_operator_is_where_its_event_or_row_stands(opcheck, tmp_path):
    path = written(tmp_path, trace(("aten::isin", [[4]], [FLOAT]), ("aten::mode", [[4]], [FLOAT])))
    text = path.read_bytes()
    for op in opcheck("check", path, "-t", NPU, "-f", "json").json["operators"]:
        assert op["first_seen"]["input"] == 0 and "line" not in op["first_seen"]
        event = text[op["first_seen"]["byte"]:]
        assert event.startswith(b"{") and event.index(op["name"].encode()) < event.index(b"}")
    sarif = opcheck("check", path, "-t", NPU, "-f", "sarif").json["runs"][0]["results"]
    places = {r["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]: r["locations"][0]["physicalLocation"]["region"]
              for r in sarif if "logicalLocations" in r["locations"][0]}
    assert text[places["aten::isin"]["byteOffset"]:].startswith(b"{") and places["aten::isin"] != places["aten::mode"]


def test_places_are_those_of_the_dump_that_first_shows_an_operator(opcheck):
    logs = [FIXTURES / "torch-2.13" / name for name in ("lastbatch.a-full.log", "llama.a-full.log")]
    found = opcheck("check", *logs, "-t", NPU, "-f", "json").json
    assert {o["first_seen"]["input"] for o in found["operators"]} == {0, 1}
    for op in found["operators"]:
        path = next(p for p in logs if p.name == found["inputs"][op["first_seen"]["input"]]["name"])
        line = path.read_text(encoding="utf-8").split("\n")[op["first_seen"]["line"] - 1]
        assert line.split()[0].rstrip(".") in op["name"], op["name"]


def test_cells_of_a_notebook_have_no_line_that_an_editor_shows(opcheck, reference):
    found = opcheck("check", reference / "samples" / "synthetic" / "notebook-tables.ipynb", "-t", NPU, "-f", "json").json
    assert found["operators"] and not any("first_seen" in op for op in found["operators"])


def test_what_was_weak_in_a_dump_comes_first_with_what_mends_it(opcheck):
    path = FIXTURES / "torch-2.13" / "resnet50.a.log"
    for form, options, verdict in (("text", (), "Verdict"), ("md", (), "| Target"), ("md", ("-v",), "| Target"), ("html", (), 'class="cards"')):
        text = opcheck("check", path, "-t", NPU, "-f", form, *options).text.replace("\\", "")
        assert text.index("row_limit=-1") < text.index("opcheck snippet --torch 2.3") < text.index(verdict), form
    assert "def profile_steps(step" in opcheck("check", path, "-t", NPU, "-f", "html").text
    whole = opcheck("check", FIXTURES / "torch-2.13" / "llama.a-full.log", "-t", NPU, "-vv").text
    assert "Limits of this dump" not in whole and "opcheck snippet" not in whole


def test_graphs_are_named_with_how_each_framework_runs_without(opcheck, whole_reference):
    path = whole_reference / "samples" / "real-traces" / "public" / "sglang-decode-hipgraph.json.gz"
    text = opcheck("check", path, "-t", MUSA, "-vv").text
    assert text.index("TORCHDYNAMO_DISABLE=1") < text.index("--enforce-eager") < text.index("launch_server --disable-cuda-graph") < text.index("Verdict")


def test_kernels_of_inductor_are_what_they_are_with_what_the_release_offers(opcheck, whole_reference):
    path = whole_reference / "samples" / "real-traces" / "public" / "torch-compile-triton.json.gz"
    found = opcheck("check", path, "-t", NPU, "-t", "npu@v1.11.0-5.0.0", "-t", MUSA, "-f", "json").json
    kernels = {f["target"]: f for f in found["findings"] if f["rule"].startswith("constraint-compile")}
    assert {target: f["rule"] for target, f in kernels.items()} == {
        NPU: "constraint-compile-listed", "npu@v1.11.0-5.0.0": "constraint-compile-unknown", MUSA: "constraint-compile-unknown"}
    assert all(f["params"]["count"] == "4" and f["params"]["language"] == "Triton" for f in kernels.values())
    assert "Ascend/pytorch" in kernels[NPU]["evidence"][0]["ref"] and not kernels[MUSA]["evidence"]


def test_the_page_explains_the_words_it_uses(opcheck):
    page = opcheck("check", FIXTURES / "torch-2.13" / "llama.a-full.log", "-t", NPU, "-t", MUSA, "-f", "html").text
    words = re.findall(r'data-word="([^"]*)"', page)
    assert len(words) == len(set(words)) and set(re.findall(r'class="tag ([svl]-[a-z-]*)', page)) <= set(words)


def test_a_saved_report_renders_its_causes_the_same(opcheck, tmp_path):
    path, saved = written(tmp_path, trace(("torchvision::nms", [[4]], [FLOAT]), ("torchvision::roi_align", [[4]], [FLOAT]))), tmp_path / "r.json"
    saved.write_bytes(opcheck("check", path, "-t", NPU, "-f", "json").out)
    for form in ("text", "html", "md", "json"):
        assert opcheck("convert", saved, "-f", form).out == opcheck("check", path, "-t", NPU, "-f", form).out


def test_namespaces_of_a_dump_are_what_the_other_names_make_them(opcheck, tmp_path):
    def operators(*names):
        return {o["name"]: o["verdicts"][NPU] for o in report(opcheck, tmp_path, *names, targets=(NPU,))["operators"]}

    alone, with_vllm = operators("_C::rms_norm", "aten::add"), operators("_C::rms_norm", "vllm::moe_forward", "aten::add")
    assert alone["_C::rms_norm"]["via"] == "an extension named _C"
    assert with_vllm["_C::rms_norm"]["via"] == "no version of vllm-ascend for PyTorch 2.7.1 is known to have it"
    foreign = operators("fb::x", "xformers::y", "symm_mem::one_shot_all_reduce")
    assert {v["status"] for v in foreign.values()} == {"unsupported"} and not any(v["advice"] for v in foreign.values())
    assert all(foreign[n]["via"].startswith("not available on this device") for n in ("fb::x", "xformers::y"))


VENDORS = ("torch_ipex::linear", "pstl::sort", "sglang_profiler::rmsnorm_12", "vllm::rocm_aiter_fused_moe", "aiter::fused_moe_", "mkldnn::_linear_pointwise")


def test_what_one_vendors_software_puts_in_place_of_others_vanishes_with_it(opcheck, tmp_path):
    found = report(opcheck, tmp_path, "aten::relu", *VENDORS, targets=(NPU, MUSA))
    assert {t["verdict"] for t in found["targets"]} == {"ready"}
    for op in found["operators"]:
        assert op["name"] == "aten::relu" or {v["status"] for v in op["verdicts"].values()} == {"equivalent"}, op["name"]
        assert op["name"] == "aten::relu" or all(v["via"].startswith("not called on this device: ") for v in op["verdicts"].values())


@pytest.mark.parametrize("name", ["somebody::fused", "_C::rms_norm", "vllm::moe_forward", "flash_attn::_flash_attn_forward"])
def test_an_operator_that_no_source_covers_is_inconclusive_and_names_no_package_to_install(opcheck, tmp_path, name):
    found = report(opcheck, tmp_path, "aten::relu", name, targets=(NPU, MUSA))
    assert {t["verdict"] for t in found["targets"]} == {"inconclusive"}
    assert {f["rule"] for f in found["findings"] if f["operator"] == name} == {"op-unknown"}
    dump = written(tmp_path, trace(("aten::relu", [[4]], [FLOAT]), (name, [[4]], [FLOAT])))
    for arguments in (("check", dump, "-t", NPU, "-t", MUSA, "-v"), ("check", dump, "-t", NPU, "-f", "html"), ("plan", dump, "-t", NPU),
                      ("advise", dump), ("op", name, "-t", NPU, "-t", MUSA)):
        assert not re.search(r"\binstall (torchvision|vllm|flash|fbgemm|mmcv|somebody|_C)", opcheck(*arguments).text), arguments[0]


def test_a_package_without_a_version_for_the_pytorch_of_the_release_is_not_advised(opcheck, tmp_path):
    targets = ("npu@v2.7.1-26.0.0", "npu@v2.12.0-26.1.0")
    found = report(opcheck, tmp_path, "_C_ascend::get_masked_input_and_mask", "torchvision::nms", targets=targets)
    for op in found["operators"]:
        old, new = (op["verdicts"][t] for t in targets)
        assert old["status"] == "needs-package" and "for PyTorch 2.7.1" in old["advice"][0]["text"]
        assert new["status"] == "unknown" and not any("install" in a["text"] for a in new["advice"])


FBGEMM = ("fbgemm::asynchronous_complete_cumsum", "fbgemm::permute_2D_sparse_data")


def test_a_package_is_one_cause_with_all_its_targets(opcheck, tmp_path):
    targets = ("npu@v2.7.1-26.0.0", "npu@v2.6.0-7.3.0", "npu@v2.1.0-7.2.0")
    causes = [c for c in report(opcheck, tmp_path, *sorted(FBGEMM), targets=targets)["causes"] if c["rule"] == "op-needs-package"]
    assert [(c["id"], sorted(c["targets"]), sorted(c["operators"])) for c in causes] == [
        ("op-needs-package/fbgemm_ascend", sorted(targets), sorted(FBGEMM))]


def test_a_finding_names_the_command_that_corrects_it(opcheck, tmp_path):
    dump = FIXTURES / "torch-2.13" / "llama.a-full.log"
    options = ("check", dump, "-t", "npu@1.11.0-5.0.0")

    def blocked(run):
        return {f["operator"] for f in run.json["findings"] if f["rule"] == "op-unsupported"}

    before = blocked(opcheck(*options, "-f", "json"))
    assert "aten::isin" in before
    words = " ".join(opcheck(*options, "-f", "text", "-v").text.split())
    command = re.search(r"opcheck (op aten::isin -t \S+ --observed) STATUS", words)[1].split()
    overlay = tmp_path / "own.tsv"
    overlay.write_bytes(opcheck(*command, "native").out)
    assert blocked(opcheck(*options, "-f", "json", "--overlay", overlay)) == before - {"aten::isin"}
    # a page says it beside every finding that is no note
    page = opcheck(*options, "-f", "html").text
    assert all("opcheck op %s -t " % name in page for name in before)


def test_no_command_to_copy_has_a_name_that_a_shell_would_take_apart(opcheck, tmp_path):
    dump = written(tmp_path, trace(("fbgemm::a;touch$IFS-x", [[4]], [FLOAT]), ("fbgemm::b", [[4]], [FLOAT])))
    for form in ("html", "text"):
        text = " ".join(opcheck("check", dump, "-t", NPU, "-v", "-f", form).text.split())
        assert "opcheck op fbgemm::b -t " in text and "opcheck op fbgemm::a" not in text


def test_a_page_has_the_findings_once_more_behind_a_click(opcheck, tmp_path):
    path = written(tmp_path, trace(("torchvision::nms", [[4]], [FLOAT]), ("aten::histogram", [[4]], [FLOAT])))
    count = len(opcheck("check", path, "-t", NPU, "-t", MUSA, "-f", "json").json["findings"])
    page = opcheck("check", path, "-t", NPU, "-t", MUSA, "-f", "html").text
    section = page[page.index(">Findings</h2>"):]
    assert re.match(r'>Findings</h2>\s*<details class="more">\s*<summary>%d findings, one by one</summary>\s*<div class="scroll"><table>' % count, section)
    assert section[:section.index("<h2", 1)].count('class="finding"') == count


@pytest.mark.parametrize("operator, shown", (("aten::isin", "def before("), ("aten::linalg_matrix_exp", "`[[4]]` fp32")))
def test_a_cause_holds_the_draft_for_the_vendor_itself(opcheck, tmp_path, operator, shown):
    """With the release, what was observed, what shows it (a recipe's old way, or the recorded calls) and the sources."""
    path = written(tmp_path, trace((operator, [[4]], [FLOAT])))
    asked = ("check", path, "--slow-time", "0%", "-t", NPU if operator == "aten::isin" else MUSA)
    found = opcheck(*asked, "-f", "json").json
    target, = found["targets"]
    verdict = found["operators"][0]["verdicts"][target["id"]]
    page = html.unescape(opcheck(*asked, "-f", "html").text).replace("\\", "")
    draft = page[page.index("<pre><code># " + operator + " on " + target["id"]):]
    draft = draft[:draft.index("</code></pre>")]
    for text in ("PyTorch: " + target["torch"], "plugin: " + target["plugin"], verdict["via"], found["findings"][0]["text"], shown,
                 "(database %s)" % found["db"]["build"][:12], *(e["ref"] for e in verdict["evidence"])):
        assert text in draft, text
    assert "For the vendor" not in opcheck(*asked, "-v").text
