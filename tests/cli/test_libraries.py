"""What libraries beside the plugins take: collectives by reduce operation, type and release, and operators of packages."""
import pathlib

import pytest

OPDB = pathlib.Path(__file__).parents[2] / "opdb"
NPU, MUSA = "npu@v2.7.1-26.0.0", "musa@v2.7.1"


def facts(opcheck, name, target):
    (operator,) = opcheck("op", name, "-t", target, "-f", "json").json["operators"]
    return operator["verdicts"][target], operator["facts"][target]


def rows(file):
    head, *lines = (OPDB / file).read_text(encoding="utf-8").splitlines()
    return [dict(zip(head[2:].split("\t"), ["" if cell == "." else cell for cell in line.split("\t")])) for line in lines]


def places(target):
    return [row["release"] for row in rows(target + "/releases.tsv")]


def holds(spans, order, release):
    bounds = (span.split("..") for span in spans.split())
    return any(order.index(b[0]) <= order.index(release) <= order.index(b[-1]) for b in bounds)


@pytest.mark.parametrize("target, kind, release", [(NPU, "npu", "2.7.1-26.0.0"), ("npu@v2.1.0-6.0.0", "npu", "2.1.0-6.0.0"),
                                                   (MUSA, "musa", "2.7.1"), ("musa@v1.1.0", "musa", "1.1.0")])
def test_every_collective_answers_as_the_facts_of_its_release_say(opcheck, target, kind, release):
    order = places(kind)
    said = [row for row in rows(kind + "/collectives.tsv") if holds(row["releases"], order, release)]
    for name in rows("rules/collective_names.tsv"):
        if not name["name"].startswith("c10d::"):
            continue
        verdict, found = facts(opcheck, name["name"], target)
        expected = {(r["reduce_op"], r["supported"] == "1", tuple(r["dtypes"].split())) for r in said
                    if r["collective"] == name["collective"]}
        assert {(r["reduce_op"], r["supported"], tuple(r["dtypes"])) for r in found["collectives"]} == expected, name
        if verdict["via"] != "registered":  # old plugins register the operator itself, whatever their backend takes
            assert verdict["status"] == ("native" if any(taken for _, taken, _ in expected) else "unsupported"), name
            assert ("inferred" in verdict["flags"]) == (not expected)


def test_the_same_collective_is_known_by_its_functional_name(opcheck):
    assert facts(opcheck, "_c10d_functional::all_reduce", NPU)[1]["collectives"] == facts(opcheck, "c10d::allreduce_", NPU)[1]["collectives"]


def test_the_newest_chip_takes_types_that_others_refuse(opcheck):
    plain, newest = "npu@v2.7.1", "npu@v2.7.1:950"
    refused = {target: facts(opcheck, "c10d::allreduce_", target)[1]["refuses"] for target in (plain, newest)}
    assert "fp64" in refused[plain] and "fp64" not in refused[newest]


@pytest.mark.parametrize("name, target, package, advice", [
    ("mmcv::nms", NPU, "mmcv", ("advice-package-since", {"package": "mmcv", "since": "v1.7.1"})),
    ("mmcv::nms", MUSA, "mmcv", ("advice-package-from", {"package": "mmcv", "since": "main"})),
    ("torchvision::nms", NPU, "torchvision_npu", ("advice-package-branch", {"package": "torchvision_npu", "version": "master", "torch": "2.7.1"})),
    ("bitsandbytes::gemv_4bit", MUSA, "bitsandbytes", ("advice-package-since", {"package": "bitsandbytes", "since": "0.47.0"})),
    ("_C_ascend::get_masked_input_and_mask", NPU, "vllm-ascend",
     ("advice-package-version", {"package": "vllm-ascend", "version": "v0.11.0", "torch": "2.7.1"})),
])
def test_the_version_of_a_package_that_has_the_operator_is_advised(opcheck, name, target, package, advice):
    verdict, found = facts(opcheck, name, target)
    assert verdict["status"] == "needs-package" and found["packages"] and verdict["evidence"]
    assert (verdict["advice"][0]["rule"], verdict["advice"][0]["params"]) == advice


def test_the_types_that_a_package_takes_are_shown(opcheck):
    text = " ".join(opcheck("op", "mmcv::nms", "-t", NPU).text.split())
    assert "mmcv v1.7.2 .. main: native kernel; boxes takes fp32" in text
    text = " ".join(opcheck("op", "torchvision::nms", "-t", NPU, "--lang", "zh-CN").text.split())
    assert "dets takes fp32, fp16, fp64" in text and "安装 torchvision_npu 的 master 分支，该分支适配 PyTorch 2.7.1" in text


def test_a_package_is_one_cause_for_all_its_targets(opcheck, tmp_path):
    path = tmp_path / "ops.txt"
    path.write_text("mmcv::nms\nmmcv::bbox_overlaps\naten::add\n", encoding="utf-8")
    report = opcheck("check", path, "-t", NPU, "-t", MUSA, "-f", "json").json
    (cause,) = [c for c in report["causes"] if c["rule"] == "op-needs-package"]
    assert (cause["id"], cause["targets"], cause["operators"]) == (
        "op-needs-package/mmcv", [MUSA, NPU], ["mmcv::bbox_overlaps", "mmcv::nms"])
