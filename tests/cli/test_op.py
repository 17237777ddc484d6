"""opcheck op: signatures with the verdict of each overload, runs of releases, notes with who wins, flags by chip."""
import json
import re

import pytest


def sections(out):
    """{title: [lines]} of the first target; a line without a title goes on with the one before"""
    found, title = {}, None
    for line in out.decode().splitlines()[2:]:
        match = re.match(r"  (\S.{0,9}?) +(\S.*)", line[:13].ljust(13) + line[13:]) if line[2:3] != " " else None
        if line[:13].strip():
            title = line[:13].strip()
            found.setdefault(title, [])
        if title:
            found[title].append(line[13:] if match or not line[:13].strip() else line)
    return found


def test_every_overload_has_its_signature_and_verdict(opcheck):
    done = opcheck("op", "aten::add", "-t", "npu@v2.7.1-26.0.0")
    text = " ".join(" ".join(sections(done.out)["overloads"]).split())
    assert "add.Tensor: native (Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor" in text
    assert "add.Scalar:" in text and "add.out:" in text


def test_one_small_table_says_in_which_releases_what_happened(opcheck):
    done = opcheck("op", "aten::isin", "-t", "npu@v2.7.1-26.0.0")
    found = sections(done.out)
    runs = [line.split() for line in found["releases"]]
    assert ["native", "1.11.0-5.0.rc3", "..", "1.11.0-6.0.rc2"] in runs
    assert ["native", "2.0.1-5.0.rc3", "..", "2.12.0-26.1.0"] in runs
    assert found["since"][0].startswith("1.11.0-5.0.rc3 (2023-12-30)")


def test_a_backport_is_a_release_of_an_older_line_that_came_later(opcheck):
    done = opcheck("op", "--all", "-t", "npu@v1.11.0-6.0.rc2", "-f", "csv")
    assert done.status == 0
    names = {line.split(",")[2].split(".")[0] for line in done.out.decode().splitlines()[1:] if ",native" in line}
    for name in sorted(names)[:200]:
        out = opcheck("op", name, "-t", "npu@v2.7.1-26.0.0").out
        if b"backports" in out:
            found = sections(out)
            since = re.search(r"\((.*)\)", found["since"][0]).group(1)
            for date in re.findall(r"\((\d{4}-\d\d-\d\d)\)", " ".join(found["backports"])):
                assert date >= since
            return


def test_notes_are_shown_with_kind_date_and_source(opcheck):
    done = opcheck("op", "aten::index.Tensor", "-t", "npu@v2.12.0-26.1.0")
    text = " ".join(done.out.decode().split())
    assert "report 2026-08-29: dtypes: complex64 rejected by aclnnIndex" in text
    assert "release not named: dtypes" in text
    text = " ".join(opcheck("op", "aten::isin", "-t", "npu@v2.7.1-26.0.0").out.decode().split())
    assert "vendor-doc: dtypes: torch.isin" in text


def test_what_a_collective_reduces_is_said_in_the_language_asked_for(opcheck):
    english, chinese = (opcheck("op", "c10d::allreduce_", "-t", "npu", "-f", "text", "--lang", lang).text for lang in ("en", "zh-CN"))
    assert "BAND: refused (" in english and "BAND: 拒绝 (" in chinese and ": refused" not in chinese


def test_a_loser_is_kept_and_marked(opcheck):
    text = " ".join(opcheck("op", "aten::mul.Tensor", "-t", "npu@v2.12.0-26.1.0").out.decode().split())
    assert "[superseded]" in text
    chinese = opcheck("op", "aten::mul.Tensor", "-t", "npu@v2.12.0-26.1.0", "--lang", "zh-CN").text
    assert "[\u5df2\u88ab\u53d6\u4ee3]" in chinese and "\u672a\u6ce8\u660e\u7248\u672c" in chinese and "superseded" not in chinese


def test_types_and_the_ai_cpu(opcheck):
    found = sections(opcheck("op", "aten::mul", "-t", "npu@v2.7.1-26.0.0").out)
    assert "complex128" in found["AI CPU"][0] and "int16" in found["AI CPU"][0]
    assert "aicpu" in found["flags"][0]


def test_a_matrix_says_which_unit_runs_which_type_and_when(opcheck):
    text = opcheck("op", "aten::sort", "-t", "npu@2.7.1:910B").text
    matrix = " ".join(text[text.index("Kernels of CANN 9.1.0:"):].split())
    assert "types AI Core AI CPU host CPU rejected when fp32, fp16, bf16 some some Sort:" in matrix
    assert "int8, uint8, int16, int32, int64, bool yes Sort" in matrix and "the sorted dimension has one element" in matrix
    assert "| int8, uint8, int16, int32, int64, bool |  | yes |  |  | Sort |" in opcheck("op", "aten::sort", "-t", "npu@2.7.1:910B", "-f", "md").text
    units = opcheck("op", "aten::sort", "-t", "npu@2.7.1:910B", "-f", "json").json["operators"][0]["facts"]["npu@v2.7.1-26.1.0:910B"]["units"]
    assert units["cann"] == "9.1.0" and not units["nearest"]
    assert {"unit": "rejected", "dtypes": ["fp64", "complex64", "complex128", "complex32", "fp8", "uint16", "uint32", "uint64"]}.items() <= next(
        row for row in units["rows"] if row["unit"] == "rejected").items()
    assert any(re.search(r"hicann/ops-math/blob/.*/aclnn_sort\.cpp#L[0-9]+$", source) for source in units["sources"])


def test_a_release_for_another_cann_is_answered_from_the_nearest_one_and_says_so(opcheck):
    text = opcheck("op", "aten::sort", "-t", "npu@v2.6.0-7.1.0:910B").text
    assert "Kernels of CANN 8.3, the nearest that was read:" in text
    text = opcheck("op", "aten::sort", "-t", "npu@v2.6.0-7.2.0:910B").text
    assert "Kernels of CANN 8.3:" in text


def test_a_chip_changes_what_is_refused(opcheck):
    old = sections(opcheck("op", "aten::relu", "-t", "npu@v2.7.1-26.0.0:310P").out)
    new = sections(opcheck("op", "aten::relu", "-t", "npu@v2.7.1-26.0.0:910B").out)
    assert "bf16" in old["refuses"][0] and "bf16" not in new["refuses"][0]


def test_a_report_on_the_release_is_a_condition_with_evidence(opcheck):
    done = opcheck("op", "aten::std.correction", "-t", "musa@v1.0.0", "-f", "json")
    verdict = json.loads(done.out)["operators"][0]["verdicts"]["musa@v1.0.0"]
    assert {"kind": "report", "ref": "https://github.com/MooreThreads/torch_musa/issues/17"} in verdict["evidence"]
    if verdict["status"] == "native":
        assert "reported-broken" in verdict["flags"]
        assert [c["rule"] for c in verdict["conditions"]] == ["op-reported"]


def test_the_bare_status_stays_reachable(opcheck):
    """Reports never change what registrations say."""
    rows = opcheck("op", "--all", "-t", "musa@v1.0.0", "-f", "csv").out.decode().splitlines()
    bare = {row.split(",")[2]: row.split(",")[3] for row in rows[1:]}
    one = json.loads(opcheck("op", "aten::std.correction", "-t", "musa@v1.0.0", "-f", "json").out)
    assert one["operators"][0]["verdicts"]["musa@v1.0.0"]["status"] == bare["std.correction"]


def test_json_has_what_stands_behind_a_verdict(opcheck):
    found = json.loads(opcheck("op", "aten::mul", "-t", "npu@v2.7.1-26.0.0", "-t", "musa@v2.7.1", "-f", "json").out)["operators"][0]
    assert set(found["facts"]) == set(found["verdicts"])
    facts = found["facts"]["npu@v2.7.1-26.0.0"]
    assert {"name": "mul.Tensor", "status": "native"}.items() <= next(o for o in facts["overloads"] if o["name"] == "mul.Tensor").items()
    assert facts["aicpu"] == ["fp64", "int16", "complex128"]
    assert facts["releases"][-1]["to"] == "npu@v2.12.0-26.1.0" and facts["earliest"] == "npu@v1.8.1-3.0.rc1"
    assert any(n["evidence"] == "vendor-doc" and n["release_named"] and n["text"] == "torch.mul" for n in facts["notes"])


def test_training_runs_the_operators_of_the_gradient_beside_it(opcheck):
    args = ["op", "aten::_embedding_bag", "-t", "npu@v1.11.0-5.0.0"]
    names = ["_embedding_bag_backward", "_embedding_bag_per_sample_weights_backward"]
    assert sections(opcheck(*args).out)["backward"] == ["%s: %s" % pair for pair in zip(names, ("native", "cpu-fallback"))]
    facts = opcheck(*args, "-f", "json").json["operators"][0]["facts"]["npu@v1.11.0-5.0.0"]
    assert [(call["name"], call["status"]) for call in facts["backward"]] == [(names[0], "native"), (names[1], "cpu-fallback")]
    # the plugin's own gradient has a formula that nobody read; that of add takes ordinary operators alone
    assert "backward" not in sections(opcheck("op", "aten::add", "-t", "npu@2.7.1").out)


def test_a_package_that_nobody_knows_of_is_unknown(opcheck):
    assert b": unknown" in opcheck("op", "flash_attn::_flash_attn_forward", "-t", "npu@v2.7.1-26.0.0").out
    assert b": unknown" in opcheck("op", "flash_attn::_flash_attn_forward", "-t", "musa@v2.7.1").out
    assert b"needs-package" in opcheck("op", "torchvision::nms", "-t", "npu@v2.7.1-26.0.0").out
    assert b"MooreThreads/vision" in opcheck("op", "torchvision::roi_align", "-t", "musa@v2.7.1").out


def test_an_operator_of_sparse_tensors_alone_is_judged_by_their_kernels(opcheck):
    """PyTorch has _nnz for no dense tensor, so every call has a sparse one. The bare list is about dense tensors."""
    assert verdict(opcheck, "aten::_nnz", "npu@v2.7.1-26.1.0")["status"] == "native"
    assert verdict(opcheck, "aten::_nnz", "npu@v2.0.1-5.0.0")["status"] == "unsupported"
    assert verdict(opcheck, "aten::_coalesce", "musa@v2.1.1")["status"] == "unsupported"
    rows = opcheck("op", "--all", "-t", "npu@v2.7.1-26.1.0", "-f", "csv").text.splitlines()
    assert any(row.startswith("npu,v2.7.1-26.1.0,_nnz,unsupported,") for row in rows)


@pytest.mark.parametrize("name, chip, said, against", [
    ("aten::floor_divide", "910_93", "int32 FloorDiv has no AICORE implementation", True),
    ("aten::searchsorted", "910B", "no AI Core kernel, runs on AI_CPU", False),
    ("aten::index_copy_", "910B", "aclnnInplaceIndexCopy_ViewCopyAiCpu_ViewCopy", False),
])
def test_a_report_that_the_kernels_contradict_stays_and_is_marked(opcheck, name, chip, said, against):
    target = "npu@v2.7.1-26.1.0:" + chip
    notes = opcheck("op", name, "-t", target, "-f", "json").json["operators"][0]["facts"][target]["notes"]
    assert {note["against_kernels"] for note in notes if said in note["text"]} == {against}
    text = " ".join(opcheck("op", name, "-t", target).text.split())
    told = text[text.index(said):]
    assert ("[the kernels say otherwise]" in told[:told.index(")") + 40]) == against


def verdict(opcheck, name, target):
    return opcheck("op", name, "-t", target, "-f", "json").json["operators"][0]["verdicts"][target]


@pytest.mark.parametrize("name", ("aten::istft", "aten::add.Tensor", "aten::sort", "aten::copy_", "aten::cumsum"))
def test_a_type_stands_under_one_heading(opcheck, name):
    for target in ("npu", "npu@v2.7.1-26.0.0:910A", "musa"):
        (facts,) = opcheck("op", name, "-t", target, "-f", "json").json["operators"][0]["facts"].values()
        takes, refuses, aicpu, aicpu_if = (set(facts[key]) for key in ("takes", "refuses", "aicpu", "aicpu_if"))
        assert not refuses & (takes | aicpu | aicpu_if) and not aicpu & aicpu_if, target


@pytest.mark.parametrize("api, operator", (("sum", "_sparse_sum"), ("mm", "_sparse_mm"), ("softmax", "_sparse_softmax"), ("sampled_addmm", "sparse_sampled_addmm")))
def test_a_python_name_of_sparse_tensors_is_never_the_operator_of_dense_ones(opcheck, api, operator):
    answer = opcheck("op", "torch.sparse." + api, "-t", "npu", "-f", "json").json
    assert [one["name"] for one in answer["operators"]] == ["aten::" + operator]
    done = opcheck("op", "torch.sparse.add", "-t", "npu")
    assert done.status != 0 and b"torch.sparse.add" in done.err.encode()


def test_the_plugins_operators_of_atb_are_found_under_its_own_namespace(opcheck):
    answer = opcheck("op", "npu::_npu_reshape_and_cache", "-t", "npu", "-f", "json").json
    assert [one["name"] for one in answer["operators"]] == ["atb::_npu_reshape_and_cache"]
