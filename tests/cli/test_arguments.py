"""Calls that a kernel refuses by an argument: what the dump shows warns, what it does not show is left to `opcheck op`."""
import json

import pytest

NPU, MUSA = "npu@v2.12.0-26.1.0:910B", "musa@v2.7.1"


def call(name, dims, types, number=0):
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 1000 * number, "dur": 100,
            "args": {"Input Dims": dims, "Input type": types}}


def refused(opcheck, tmp_path, events, *targets):
    """[(target, text)] of what warns of an argument, and the report."""
    path = tmp_path / "calls.json"
    path.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    report = opcheck("check", path, *(word for target in targets for word in ("-t", target)), "-f", "json").json
    return [(f["target"], f["text"]) for f in report["findings"] if f["rule"] == "op-argument"], report


def copy(rank):
    return call("aten::copy_", [[2] * rank, [2] * rank, []], ["float", "float", "Scalar"])


def test_more_dimensions_than_the_kernel_takes_are_a_condition_on_each_target(opcheck, tmp_path):
    assert len(refused(opcheck, tmp_path, [copy(9)], NPU)[0]) == 1
    text = opcheck("check", tmp_path / "calls.json", "-t", NPU, "-vv", "--lang", "zh-CN").out.decode()
    assert "self超过8维" in "".join(text.split())
    maximum = call("aten::maximum", [[2] * 9, [2] * 9], ["float", "float"], 1)
    found, report = refused(opcheck, tmp_path, [copy(9), maximum], NPU, MUSA)
    assert sorted(target for target, _ in found) == [MUSA, NPU, NPU]
    assert all("more than 8 dimensions" in text for _, text in found)
    assert [t["verdict"] for t in report["targets"]] == ["inconclusive", "inconclusive"]


def test_what_the_dump_excludes_or_does_not_show_warns_of_nothing(opcheck, tmp_path):
    assert refused(opcheck, tmp_path, [copy(8)], NPU, MUSA)[0] == []
    assert refused(opcheck, tmp_path, [{**copy(9), "args": {}}], NPU, MUSA)[0] == []


@pytest.mark.parametrize("mask, warns", (("bool", False), ("float", True)))
def test_the_type_of_a_mask_is_held_against_what_the_kernel_takes(opcheck, tmp_path, mask, warns):
    event = call("aten::masked_fill_", [[4, 4], [4, 4], []], ["float", mask, "Scalar"])
    assert bool(refused(opcheck, tmp_path, [event], NPU)[0]) is warns


def test_a_gradient_s_indices_have_the_type_that_the_device_gives_them(opcheck, tmp_path):
    event = call("aten::adaptive_max_pool3d_backward", [[1, 1, 2, 2, 2]] * 3, ["float", "float", "long int"])
    assert refused(opcheck, tmp_path, [event], "npu@v2.6.0-7.2.0:910B")[0] == []


def test_a_composite_that_needs_a_kernel_of_the_device_always_raises(opcheck, tmp_path):
    event = call("aten::kaiser_window", [[], [], [], [], []], ["Scalar", "", "", "", ""])
    found = refused(opcheck, tmp_path, [event], NPU, MUSA)[0]
    assert [target for target, _ in found] == [NPU]


def test_op_lists_the_limits_with_their_sources(opcheck):
    facts = opcheck("op", "aten::copy_", "-t", NPU, "-f", "json").json["operators"][0]["facts"][NPU]
    assert facts["arguments"] == [{"operator": "copy_", "test": "rank:self>8", "when": "self has more than 8 dimensions", "source":
                                   "https://github.com/hicann/ops-math/blob/9.1.0/conversion/view_copy/docs/aclnnInplaceCopy.md#L63"}]
    text = " ".join(opcheck("op", "aten::conv3d", "-t", NPU).out.decode().split())
    assert text.count("convolution: bias, input or weight has more than 5 dimensions") == 1, "what a composite calls, once"
    assert "self 超过 8 维" in opcheck("op", "aten::copy_", "-t", NPU, "--lang", "zh-CN").out.decode()


def test_a_chip_that_a_document_leaves_out_and_types_that_atb_does_not_list_are_refused(opcheck):
    def types(name, target):
        return opcheck("op", name, "-t", target, "-f", "json").json["operators"][0]["facts"]
    (old,) = types("npu::npu_fused_infer_attention_score_v2", "npu@v2.12.0-26.1.0:310P").values()
    assert {"fp32", "fp16", "bf16"} <= set(old["refuses"])
    (atb,) = types("atb::_npu_reshape_and_cache", NPU).values()
    assert "fp32" in atb["refuses"] and {"fp16", "bf16", "int8"} <= set(atb["takes"])
    assert any("atb_ops_info.ini" in source for source in atb["units"]["sources"])


def test_an_old_card_of_moore_threads_does_not_compute_in_bf16(opcheck, tmp_path):
    path = tmp_path / "calls.json"
    path.write_text(json.dumps({"traceEvents": [call("aten::mm", [[4, 4], [4, 4]], ["c10::BFloat16", "c10::BFloat16"])]}), encoding="utf-8")
    statuses = {}
    for chip in ("S80", "S4000"):
        report = opcheck("check", path, "-t", MUSA + ":" + chip, "-f", "json").json
        statuses[chip] = report["targets"][0]["verdict"]
        assert any(w["rule"] == "chip-not-told-apart" for w in report["warnings"]) is (chip == "S4000")
    assert statuses["S80"] == "blocked" and statuses["S4000"] != "blocked"


def test_an_output_variant_that_throws_says_nothing_of_calls_without_an_output(opcheck):
    (facts,) = opcheck("op", "aten::fft_rfft", "-t", MUSA, "-f", "json").json["operators"][0]["facts"].values()
    assert "fp32" not in facts["refuses"] and "complex64" in facts["refuses"]
    (out,) = opcheck("op", "aten::fft_rfft.out", "-t", MUSA, "-f", "json").json["operators"][0]["facts"].values()
    assert {"fp32", "complex64"} <= set(out["refuses"])


def test_checks_of_the_plugin_hold_for_their_releases_and_chips(opcheck, tmp_path):
    event = call("aten::conv3d", [[1, 4, 3, 3, 3], [4, 1, 3, 3, 3], [], [], [], [], []], ["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"])
    event["args"]["Concrete Inputs"] = ["", "", "", "[1, 1, 1]", "[0, 0, 0]", "[1, 1, 1]", "4"]
    inner = call("aten::convolution", [[1, 4, 3, 3, 3], [4, 1, 3, 3, 3], [], [], [], [], [], [], []],
                 ["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"], 1)
    inner["args"]["Concrete Inputs"] = ["", "", "", "[1, 1, 1]", "[0, 0, 0]", "[1, 1, 1]", "False", "[0, 0, 0]", "4"]
    targets = "npu@v2.5.1-7.0.0:910B", "npu@v2.5.1-7.0.0:910A", NPU
    found = refused(opcheck, tmp_path, [event, inner], *targets)[0]
    assert {target for target, _ in found} == {targets[0]} and all("groups is larger than 1" in text for _, text in found)


def test_the_first_releases_for_moore_threads_have_no_bf16(opcheck, tmp_path):
    def types(release):
        return opcheck("op", "aten::mm", "-t", "musa@" + release, "-f", "json").json["operators"][0]["facts"]["musa@" + release]
    assert "bf16" in types("v1.1.0")["refuses"] and "bf16" not in types("v1.2.1")["refuses"]
