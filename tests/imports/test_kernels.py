"""What the tables of kernels say, row by row, and that a spoilt one changes nothing."""
import pytest

import text

CANN = {
    "aten_aclnn.tsv": """op aclnn condition source release
twice aclnnTwice  Ascend/op-plugin@26.1.0:ops/Twice.cpp:31 26.1.0
twice aclnnTwice  Ascend/op-plugin@7.3.0:ops/Twice.cpp:30 7.3.0
many aclnnOne  Ascend/op-plugin@26.1.0:ops/Many.cpp:4 26.1.0
many aclnnTwice x Ascend/op-plugin@26.1.0:ops/Many.cpp:5+(by+hand) 26.1.0
_foreach_twice aclnnTwice  Ascend/op-plugin@26.1.0:ops/Each.cpp:6 26.1.0
""",
    "aclnn_aicpu.tsv": """aclnn chip verdict dtypes kernels ref
aclnnTwice 910B aicore fp32+fp16  8.3+8.5.0+9.0.0+9.1.0
aclnnTwice 910B aicpu int64 Twice 8.3+8.5.0
aclnnTwice 910B mixed int64 Twice 9.0.0+9.1.0
aclnnTwice 910B rejected fp64 docs+only 8.3+8.5.0+9.0.0+9.1.0
aclnnTwice 310B aicpu fp32+fp16 Twice 9.1.0
""",
    "aten_aicpu.tsv": """op release chip verdict dtypes kernels aclnn
twice 7.3.0 910B aicore fp32+fp16  aclnnTwice
twice 7.3.0 910B aicpu int64 Twice aclnnTwice
twice 26.1.0 910B aicore fp32+fp16  aclnnTwice
twice 26.1.0 910B mixed int64 Twice aclnnTwice
many 26.1.0 910B varies fp32  aclnnOne+aclnnTwice
old 26.1.0 910A aicore-undeclared bf16  acl_op:+Old+(8.1+declarations)
""",
    "aclnn_dtypes.tsv": """aclnn argument chip dtypes limits source ref from
aclnnTwice self 910B fp32+fp16+int64+uint64+int4  ops-math@9.1.0:twice.cpp:1 9.1.0 code
aclnnTwice other 910B complex32  ops-math@9.1.0:twice.cpp:1 9.1.0 code
aclnnTwice self 910B fp8_e5m2  ops-math@9.1.0:twice.md:1 9.1.0 docs
aclnnTwice selfRef 910B  rank(selfRef)<=8;+rank(selfRef)==1 ops-math@9.1.0:twice.cpp:2 9.1.0 code
aclnnTwice selfRef 910B fp32 rank+1-4 ops-math@9.1.0:twice.md:2 9.1.0 docs
aclnnTwice gradIn 310P fp32 rank+1-5 ops-math@9.1.0:twice.md:3 9.1.0 docs
aclnnTwice maskOptional 910B bool  ops-math@9.1.0:twice.cpp:3 9.1.0 code
aclnnOne selfRef 910B  rank(selfRef)<=8 ops-math@9.1.0:one.cpp:1 9.1.0 code
""",
    "aclnn_l0.tsv": """aclnn l0op source ref
aclnnTwice Twice ops-math@8.5.0:twice/aclnn_twice.cpp:12 8.5.0
aclnnTwice Twice ops-math@9.1.0:twice/aclnn_twice.cpp:14 9.1.0
aclnnNobody Twice ops-math@9.1.0:twice/aclnn_twice.cpp:15 9.1.0
""",
}

CASTS = """op kernel argument dtypes becomes path plugin plugins
twice acl_op self fp16 fp32 ops/Twice.cpp:9 26.1.0 7.2.0+26.0.0+26.1.0
twice aclnn self  dtype ops/Twice.cpp:12 7.3.0 7.3.0
"""


def write(folder, tables):
    """Blanks stand for tabs, a plus for a blank inside of a cell."""
    folder.mkdir()
    for name, rows in tables.items():
        (folder / name).write_text(rows.replace(" ", "\t").replace("+", " "), encoding="utf-8")
    return folder


@pytest.fixture
def opdb(tmp_path):
    return text.copy(tmp_path)


def units(opdb, op):
    return {(r["cann"], r["unit"], r["dtypes"], r["chips"], r["kernels"], r["note"]) for r in text.table(opdb, "npu/units.tsv")
            if r["op"] == op}


@pytest.fixture
def cann(opdb, tmp_path):
    done = text.facts("cann", write(tmp_path / "tables", CANN), "--opdb", opdb)
    assert (done.status, done.err) == (0, "")
    return opdb


def test_verdicts_of_two_releases_are_the_facts_and_the_only_call_fills_the_other_versions(cann):
    assert units(cann, "twice") == {
        ("8.3..9.1.0", "aicore", "fp32 fp16", "910B", ".", "."),
        ("8.3..8.5.0", "aicpu", "int64", "910B", "Twice", "."),
        ("9.0.0..9.1.0", "mixed", "int64", "910B", "Twice", "."),
        ("8.3..9.1.0", "rejected", "fp64", "910B", ".", "docs only"),
        ("9.1.0", "rejected", "complex32 fp8 uint16 uint32", "910B", ".", "."),
        ("9.1.0", "aicpu", "fp32 fp16", "310B", "Twice", "."),
    }


def test_an_operator_with_several_calls_has_what_the_tables_say_of_it_alone(cann):
    assert units(cann, "many") == {("9.1.0", "varies", "fp32", "910B", ".", ".")}
    assert units(cann, "old") == {("9.1.0", "undeclared", "bf16", "910A", ".", "acl_op")}


def test_a_list_of_tensors_is_not_rejected_because_the_plugin_goes_on_one_by_one(cann):
    assert {row[1] for row in units(cann, "_foreach_twice")} == {"aicore", "aicpu", "mixed"}


def test_a_call_is_cited_where_the_newest_release_has_it(cann):
    calls = {(r["op"], r["call"]): (r["path"], r["plugin"]) for r in text.table(cann, "npu/calls.tsv")}
    assert calls[("twice", "aclnnTwice")] == ("ops/Twice.cpp:31", "26.1.0")
    assert calls[("many", "aclnnTwice")] == ("ops/Many.cpp:5", "26.1.0")
    assert [(r["call"], r["path"], r["ref"], r["source"]) for r in text.table(cann, "npu/aclnn.tsv")] == [
        ("aclnnTwice", "twice/aclnn_twice.cpp:14", "9.1.0", "cann-ops-math")]


def arguments(opdb, name, op):
    return {tuple(r.values())[1:] for r in text.table(opdb, name) if r["op"] == op}


def test_an_argument_is_refused_as_the_code_says_else_a_document_by_each_call(cann):
    place = (".", "9.1.0", "cann-ops-math", "8.3..9.1.0")
    assert arguments(cann, "npu/arguments.tsv", "twice") == {
        ("rank:self>8", "910B 910_93", "self has more than 8 dimensions", "self 超过 8 维", "twice.cpp:2", *place[1:]),
        ("rank:grad_in>5", "310P", "grad_in has more than 5 dimensions", "grad_in 超过 5 维", "twice.md:3", *place[1:]),
        ("takes:mask,bool", "910B 910_93", "mask has another type than bool", "mask 的类型不是 bool", "twice.cpp:3", *place[1:])}
    assert {row[0] for row in arguments(cann, "npu/arguments.tsv", "many")} == {"rank:self>8"}, "what one of its calls takes is not refused"


CUSTOM = """op argument chips dtypes limits source ref
npu_swiglu  910B   op-plugin@26.1.0:docs/swiglu.md:5 9.1.0
npu_swiglu self 910B fp16+bf16 rank+2-8 op-plugin@26.1.0:docs/swiglu.md:7 9.1.0
npu_swiglu bias 910B  unsupported op-plugin@26.1.0:docs/swiglu.md:8 9.1.0
_npu_new   fp16  ascend-transformer-boost@b:list.ini:3 9.1.0
"""


def test_documents_and_lists_of_the_plugins_own_operators_are_tables_of_their_own(opdb, tmp_path):
    before = (opdb / "npu/custom_units.tsv").read_bytes()
    assert text.facts("cann", write(tmp_path / "none", CANN), "--opdb", opdb).status == 0
    assert (opdb / "npu/custom_units.tsv").read_bytes() == before, "tables made before there was one leave them as they are"
    done = text.facts("cann", write(tmp_path / "some", {**CANN, "custom_limits.tsv": CUSTOM}), "--opdb", opdb)
    assert (done.status, done.err) == (0, "")
    units = {(r["op"], r["unit"], r["dtypes"].split(" ")[0], r["chips"], r["note"], r["cann"]) for r in text.table(opdb, "npu/custom_units.tsv")}
    assert units == {("npu_swiglu", "rejected", "fp32", "910A 310P 310B", "API document", "8.3..9.1.0"),
                     ("npu_swiglu", "rejected", "fp32", "910B", "API document", "8.3..9.1.0"),
                     ("_npu_new", "aicore", "fp16", "910A 310P 910B 310B 910_93 950", "ATB list", "9.1.0"),
                     ("_npu_new", "rejected", "fp32", "910A 310P 910B 310B 910_93 950", "ATB list", "9.1.0")}
    assert {row[0] for row in arguments(opdb, "npu/custom_arguments.tsv", "npu_swiglu")} == {"rank:self>8", "given:bias"}
    assert [tuple(r.values()) for r in text.table(opdb, "npu/custom_calls.tsv")] == [
        ("_npu_new", "ascend-transformer-boost", "list.ini:3", "b", "cann-atb"),
        ("npu_swiglu", "torch_npu.npu_swiglu", "docs/swiglu.md:5", "26.1.0", "npu-custom-documents")]


def test_a_kernel_that_a_chip_does_not_declare_rejects_the_type(opdb, tmp_path):
    rows = ("both 26.1.0 910B aicore fp32+fp16  aclnnBoth\nboth 26.1.0 310P aicore fp16  aclnnBoth\n"
            "both 26.1.0 310P rejected int8 declaration+only aclnnBoth\n")
    tables = {**CANN, "aten_aicpu.tsv": CANN["aten_aicpu.tsv"].replace("many 26", rows + "many 26"),
              "aclnn_aicpu.tsv": CANN["aclnn_aicpu.tsv"] + "aclnnBoth 310P rejected int8 declaration+only 9.1.0\n",
              "aten_aclnn.tsv": CANN["aten_aclnn.tsv"] + "both aclnnBoth  Ascend/op-plugin@26.1.0:ops/Both.cpp:7 26.1.0\n"}
    assert text.facts("cann", write(tmp_path / "tables", tables), "--opdb", opdb).status == 0
    assert ("9.1.0", "rejected", "fp32 int8", "310P", ".", "declaration only") in units(opdb, "both")


def test_casts_hold_for_the_versions_whose_plugin_makes_them_and_stay_where_nobody_read_any(opdb, tmp_path):
    before = (opdb / "npu/casts.tsv").read_bytes()
    assert text.facts("cann", write(tmp_path / "none", CANN), "--opdb", opdb).status == 0
    assert (opdb / "npu/casts.tsv").read_bytes() == before
    assert text.facts("cann", write(tmp_path / "some", {**CANN, "casts.tsv": CASTS}), "--opdb", opdb).status == 0
    assert [tuple(row.values()) for row in text.table(opdb, "npu/casts.tsv")] == [
        ("twice", "acl_op", "self", "fp16", "fp32", "ops/Twice.cpp:9", "26.1.0", "npu-casts", "8.3 9.0.0..9.1.0"),
        ("twice", "aclnn", "self", ".", "dtype", "ops/Twice.cpp:12", "7.3.0", "npu-casts", "8.5.0")]
    for wrong, said in (("7.2.0+26", 'no version of torch_npu "7.2.1"'), ("fp16", 'no data type is called "fp15"')):
        spoilt = CASTS.replace(wrong, "7.2.1+26" if wrong[0] == "7" else "fp15", 1)
        done = text.facts("cann", write(tmp_path / said[-8:-1], {**CANN, "casts.tsv": spoilt}), "--opdb", opdb)
        assert done.status == 3 and "casts.tsv:2:" in done.err and said in done.err


CHECKS = """op test chips en zh source releases
twice rank:self>8  many viele op-plugin@abc:ops/Twice.cpp:8 2.7.1-26.1.0
twice value:groups>1&rank:input>4 910B grouped gruppiert CANN-8.1.RC1@def:ops.h:2 2.5.1-7.0.0+2.1.0-7.0.0..2.1.0-7.1.0
twice value:groups>1 910A+310P grouped gruppiert op-plugin@abc:ops/Twice.cpp:9 2.7.1-26.1.0
"""


def test_checks_of_the_plugin_hold_for_releases_where_no_kernel_or_document_says_the_same(opdb, tmp_path):
    before = (opdb / "npu/plugin_arguments.tsv").read_bytes()
    assert text.facts("cann", write(tmp_path / "none", CANN), "--opdb", opdb).status == 0
    assert (opdb / "npu/plugin_arguments.tsv").read_bytes() == before
    assert text.facts("cann", write(tmp_path / "some", {**CANN, "plugin_checks.tsv": CHECKS}), "--opdb", opdb).status == 0
    assert arguments(opdb, "npu/plugin_arguments.tsv", "twice") == {
        ("value:groups>1", "910A 310P", "grouped", "gruppiert", "ops/Twice.cpp:9", "abc", "npu-checks", "2.7.1-26.1.0"),
        ("value:groups>1&rank:input>4", "910B", "grouped", "gruppiert", "ops.h:2", "def", "cann-8.1", "2.1.0-7.0.0..2.1.0-7.1.0 2.5.1-7.0.0")}
    for wrong, by, said in (("op-plugin@abc", "elsewhere@abc", 'no source is called "elsewhere"'), ("2.7.1-26.1.0", "2.7.1-27", "in the span is unknown")):
        done = text.facts("cann", write(tmp_path / by.replace("@", ""), {**CANN, "plugin_checks.tsv": CHECKS.replace(wrong, by, 1)}), "--opdb", opdb)
        assert done.status == 3 and "plugin_checks.tsv:2:" in done.err and said in done.err


# table, what is replaced, by what, line, part of the message
SPOILT = [
    ("aten_aicpu.tsv", "910B aicpu", "910Z aicpu", 3, 'no chip is called "910Z"'),
    ("aten_aicpu.tsv", "aicpu int64", "slowly int64", 3, 'no verdict is called "slowly"'),
    ("aten_aicpu.tsv", "aicpu int64", "aicpu int65", 3, 'no data type is called "int65"'),
    ("aten_aicpu.tsv", "aicpu int64", "aicpu fp16", 3, "twice has two verdicts for fp16"),
    ("aten_aicpu.tsv", "twice 7.3.0 910B aicpu", "twice 7.3.1 910B aicpu", 3, 'no version of torch_npu "7.3.1"'),
    ("aten_aicpu.tsv", "op release", "op releases", 1, "must name the columns op release chip"),
    ("aten_aclnn.tsv", "Ascend/op-plugin@7.3.0:ops", "Ascend/op-plugin", 3, "is not REPOSITORY@REF:PATH"),
    ("aclnn_l0.tsv", " 8.5.0\n", "\n", 2, "expected 4 columns, found 3"),
    ("aclnn_l0.tsv", "aclnnNobody", ".", 4, "would read as empty"),
]


@pytest.mark.parametrize("table, before, after, line, said", SPOILT)
def test_a_spoilt_table_is_refused_with_file_and_line(opdb, tmp_path, table, before, after, line, said):
    assert before in CANN[table]
    folder = write(tmp_path / "tables", {**CANN, table: CANN[table].replace(before, after, 1)})
    untouched = text.digest(opdb)
    done = text.facts("cann", folder, "--opdb", opdb)
    assert done.status == 3 and f"{table}:{line}:" in done.err and said in done.err
    assert text.digest(opdb) == untouched


MUSA = {
    "musa_kernel_limits.tsv": """op kernel argument takes refuses other host source releases
twice Twice self fp32+qint8+fp8_e5m2  mudnn;+rank<=8  a/Twice.cpp:3 2.1.0..2.7.1
twice Twice other  complex64 mudnn;+rank<=8;+also+CUDA+kernel  a/Twice.cpp:4 2.1.0..2.7.1
twice Twice other *    cuda:twice 2.7.1
""",
    "musa_tested_types.tsv": "api test types source releases\ntorch.linalg.qr test_qr fp32 tests/qr.py 2.7.1\n",
    "musa_collectives.tsv": "collective reduce_op dtypes supported note source releases\nallreduce AVG fp32 1  p.cpp:1 1.0.0..2.7.1\n",
    "hccl_collectives.tsv": "collective reduce_op dtypes supported note source releases\nallreduce BAND  0 refused p.cpp:1 2.7.1-26.1.0\n",
    "package_ops.tsv": """package op target since versions argument takes refuses how note test-skip source
mmcv mmcv::nms musa v2.1.0 v2.1.0..main boxes fp32+fp64  native+kernel  fp64 ops/nms.mu:3
""",
}


def test_limits_of_kernels_collectives_and_packages_are_kept_with_their_spans(opdb, tmp_path):
    done = text.facts("musa-kernels", write(tmp_path / "tables", MUSA), "--opdb", opdb)
    assert (done.status, done.err) == (0, "")
    assert [(r["op"], r["takes"], r["path"], r["releases"]) for r in text.table(opdb, "musa/kernel_limits.tsv")] == [
        ("twice", ".", "a/Twice.cpp:4", "2.1.0..2.7.1"),
        ("twice", "fp32 fp8", "a/Twice.cpp:3", "2.1.0..2.7.1")], "PyTorch's own kernel limits nothing"
    assert [(r["op"], r["test"], r["path"], r["releases"]) for r in text.table(opdb, "musa/arguments.tsv")] == [
        ("twice", "rank:self>8", "a/Twice.cpp:3", "2.1.0..2.7.1")], "another path may take more dimensions"
    assert [(r["op"], r["types"]) for r in text.table(opdb, "musa/tested_types.tsv")] == [("linalg_qr", "fp32")]
    assert [(r["reduce_op"], r["supported"]) for r in text.table(opdb, "npu/collectives.tsv")] == [("BAND", "0")]
    assert [(r["op"], r["takes"], r["skips"]) for r in text.table(opdb, "package_ops.tsv")] == [("mmcv::nms", "fp32 fp64", "fp64")]


def test_a_release_that_nobody_knows_is_refused(opdb, tmp_path):
    folder = write(tmp_path / "tables", MUSA)
    path = folder / "musa_collectives.tsv"
    path.write_text(path.read_text(encoding="utf-8").replace("1.0.0..", "0.9.0.."), encoding="utf-8")
    done = text.facts("musa-kernels", folder, "--opdb", opdb)
    assert done.status == 3 and "musa_collectives.tsv:2:" in done.err and '"0.9.0" in the span is unknown' in done.err


@pytest.mark.parametrize("what", ("cann", "musa-kernels"))
def test_the_extraction_gives_the_text_as_it_is(opdb, whole_reference, what):
    def tested():
        return {(row["op"], row["types"]) for row in text.table(opdb, "musa/tested_types.tsv")}
    before, known = text.digest(opdb), tested()
    done = text.facts(what, whole_reference / "facts", "--opdb", opdb)
    assert (done.status, done.err) == (0, "")
    after = text.digest(opdb)
    assert {name for name in before if before[name] != after[name]} <= {"musa/tested_types.tsv"}
    assert tested() <= known, "the reference was made before lists of functions were read"
