"""What a dump does not show and the program does all the same: operators of the device's paths, and gradients."""
import json

from conftest import FIXTURES, ROOT

NAMES = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls"]


def table(*names):
    """A table of calls without shapes."""
    rows = [[name, "1.00%", "10.000us", "1.00%", "10.000us", "10.000us", 1] for name in names]
    widths = [max(len(str(line[i])) for line in [NAMES] + rows) + 2 for i in range(len(NAMES))]
    dashes = "".join("-" * w + "  " for w in widths) + "\n"
    line = lambda cells: "".join(str(c).rjust(w) + "  " for c, w in zip(cells, widths)) + "\n"
    return dashes + line(NAMES) + dashes + "".join(map(line, rows)) + dashes + "Self CPU time total: %d.000us\n\n" % (10 * len(names))


def check(opcheck, folder, names, target):
    path = folder / "profiler.log"
    path.write_text(table(*names), encoding="utf-8")
    return opcheck("check", path, "-t", target, "-f", "json").json


def implied(report):
    return {entry["name"]: entry for entry in report.get("implied", [])}


def test_dropout_of_a_cpu_profile_means_another_operator(opcheck, tmp_path):
    seen = ["aten::dropout", "aten::bernoulli_", "aten::mul"]
    found = implied(check(opcheck, tmp_path, seen, "musa@v2.7.1"))["aten::native_dropout"]
    assert found["because"]["rule"] == "implied-dropout"
    verdict = found["verdicts"]["musa@v2.7.1"]
    assert verdict["status"] == "native" and "implied" in verdict["flags"] and verdict["evidence"]
    assert "aten::native_dropout" not in implied(check(opcheck, tmp_path, seen + ["aten::native_dropout"], "musa@v2.7.1"))
    assert "aten::native_dropout" not in implied(check(opcheck, tmp_path, seen, "npu@v2.1.0-6.0.0"))  # PyTorch 2.4 and later
    assert "aten::native_dropout_backward" not in implied(check(opcheck, tmp_path, seen, "musa@v2.7.1"))
    assert "aten::native_dropout_backward" in implied(check(opcheck, tmp_path, seen + ["MulBackward0"], "musa@v2.7.1"))


def test_optimizers_take_foreach_on_the_device(opcheck, tmp_path):
    assert "aten::_foreach_add_" not in implied(check(opcheck, tmp_path, ["aten::add_"], "npu@v2.7.1-26.0.0"))
    found = implied(check(opcheck, tmp_path, ["Optimizer.step#SGD.step", "aten::add_"], "npu@v2.7.1-26.0.0"))
    assert found["aten::_foreach_add_"]["because"]["rule"] == "implied-foreach"


def test_what_a_composite_always_calls_is_implied_unless_it_was_recorded(opcheck, tmp_path):
    found = implied(check(opcheck, tmp_path, ["aten::gru_cell"], "musa@v2.7.1"))
    assert found["aten::_thnn_fused_gru_cell"]["because"]["params"] == {"operator": "aten::gru_cell"}
    assert "aten::matmul" in found
    assert "aten::matmul" not in implied(check(opcheck, tmp_path, ["aten::gru_cell", "aten::matmul"], "musa@v2.7.1"))


def test_an_implied_operator_that_does_not_run_is_a_finding_and_leaves_the_target_open(opcheck, tmp_path):
    report = check(opcheck, tmp_path, ["aten::matrix_exp"], "musa@v2.7.1")
    assert report["operators"][0]["verdicts"]["musa@v2.7.1"]["status"] == "composite"
    assert implied(report)["aten::linalg_matrix_exp"]["verdicts"]["musa@v2.7.1"]["status"] == "unsupported"
    assert [f["operator"] for f in report["findings"] if f["rule"] == "op-implied"] == ["aten::linalg_matrix_exp"]
    assert report["targets"][0]["verdict"] == "inconclusive"
    assert report["targets"][0]["readiness"]["operators"]["lo"] == 1  # it counts in no share
    saved = tmp_path / "report.json"
    saved.write_text(json.dumps(report), encoding="utf-8")
    assert "<dd>1 not recorded that may not run" in opcheck("convert", saved, "-f", "html").text


def test_a_dump_without_a_backward_pass_says_what_training_would_do(opcheck, tmp_path):
    seen = ["aten::fractional_max_pool2d", "aten::relu"]
    release = "npu@v2.7.1-26.0.0"
    training = check(opcheck, tmp_path, seen, release)["training"][0]
    assert not training["recorded"] and training["target"] == release
    report = check(opcheck, tmp_path, ["aten::max_pool2d_with_indices", "MaxPool2DWithIndicesBackward0",
                                       "aten::max_pool2d_with_indices_backward"], release)
    assert report["training"][0]["recorded"]


def test_training_is_blocked_where_a_gradient_does_not_run(opcheck, tmp_path):
    """Every operator whose gradient is worse off, found in a dump of all of them."""
    release = "musa@v1.3.0"
    rows = [line.split("\t") for line in (ROOT / "opdb/torch/gradients.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    asked = sorted({(row[1].split(".")[0], call) for row in rows for call in row[2].split() if call != "."})
    everything = check(opcheck, tmp_path, sorted({"aten::" + name for pair in asked for name in pair}), release)
    statuses = {op["name"]: op["verdicts"][release]["status"] for op in everything["operators"]}
    worse = [(f, b) for f, b in asked if statuses["aten::" + f] == "native" and statuses["aten::" + b] == "unsupported"]
    assert worse, "no example left: choose another release"
    for forward, backward in worse[:5]:
        training = check(opcheck, tmp_path, ["aten::" + forward], release)["training"][0]
        found = {(g["forward"], g["backward"]): g for g in training["gradients"]}
        if not found:  # the plugin registers a gradient of its own
            continue
        assert found["aten::" + forward, "aten::" + backward]["backward_status"] == "unsupported"
        assert training["whole"] == "blocked" and training["forward"] != "blocked"
        break
    else:
        raise AssertionError("none of %s was found" % worse)
    names = sorted({"aten::" + forward for forward, _ in worse}, reverse=True)
    pairs = [(g["forward"], g["backward"]) for g in check(opcheck, tmp_path, names, release)["training"][0]["gradients"]]
    assert len({forward for forward, _ in pairs}) > 1 and pairs == sorted(pairs)


def test_both_parts_stand_in_every_form_and_language(opcheck, tmp_path):
    path = tmp_path / "profiler.log"
    path.write_text(table("aten::dropout", "aten::bernoulli_", "aten::matrix_exp"), encoding="utf-8")
    for lang, heading in (("en", "Training and inference"), ("zh-CN", "训练与推理")):
        for form in ("text", "html"):
            shown = opcheck("check", path, "-t", "musa@v2.7.1", "-f", form, "--lang", lang).text
            assert heading in shown and "aten::linalg_matrix_exp" in shown
    llama = json.loads(opcheck("check", FIXTURES / "torch-2.13" / "llama.a-full.log", "-t", "musa@v2.7.1", "-f", "json").text)
    assert "aten::_scaled_dot_product_attention_flash_musa" in implied(llama)
