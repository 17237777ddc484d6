"""Tables made from sources of op-plugin and CANN: one small source for each construct, and on checkouts the tables known to be right."""
import collections
import itertools
import os

import pytest
import reading
from conftest import ROOT
import cann
import program
from cann_facts import casts, custom, op_plugin
from cann_facts.names import LIBRARIES
from reader.text import read_table

YAML = """official:
  - func: gelu(Tensor self) -> Tensor
    op_api: all_version
    gen_opapi:
      out:
        size: self
      exec: aclnnGelu
  - func: gelu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    op_api: all_version
    structured_inherit: gelu
  - func: foo(Tensor self, int dim) -> Tensor
    op_api: all_version
  - func: foo.values(Tensor self, Scalar value) -> Tensor
    op_api: all_version
  - func: foo.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)
    op_api: all_version
  - func: bar(Tensor self) -> Tensor
    acl_op: all_version
"""
SIGNATURE = "at::Tensor foo(const at::Tensor& self, int64_t dim) "
SPACE = "namespace op_api {\n%s\n}"
# what the construct is, the source, and of the rows of foo: aclnn, condition
CALLS = [
    ("a call", SIGNATURE + "{ EXEC_NPU_CMD(aclnnFoo, self, dim); }", [("aclnnFoo", "")]),
    ("a call under a condition", SIGNATURE + "{ if (self.scalar_type() == at::kHalf && dim > 0) { EXEC_NPU_CMD(aclnnFoo, self); } else {"
     " EXEC_NPU_CMD(aclnnBar, self); } }", [("aclnnBar", "!(self.dtype==fp16 & dim > 0)"), ("aclnnFoo", "self.dtype==fp16 & dim > 0")]),
    ("a helper", "void run(const at::Tensor& x) { EXEC_NPU_CMD(aclnnFoo, x); }\n" + SIGNATURE + "{ if (dim == 0) run(self); }", [("aclnnFoo", "dim==0")]),
    ("a helper with a default", "void run(const at::Tensor& x, bool y = true) { EXEC_NPU_NO_FORMAT_CHECK_CMD(aclnnFoo, x); }\n" + SIGNATURE
     + "{ run(self); }", [("aclnnFoo", "")]),
    ("another operator", SIGNATURE + "{ return at::gelu(self); }", [("aclnnGelu", "via aten::gelu")]),
    ("a method in place", SIGNATURE + "{ return out.gelu_(); }", []),
    ("one version of PyTorch", "#if VERSION_BETWEEN(V2R1, V2R4)\n" + SIGNATURE + "{ EXEC_NPU_CMD(aclnnFoo, self); }\n#endif", [("aclnnFoo", "torch 2.1..2.4")]),
    ("a kernel outside aclnn", SIGNATURE + "{ return acl_op::foo(self, dim); }", []),
    ("a choice", SIGNATURE + "{ return dim ? one(EXEC_NPU_CMD(aclnnFoo, self)) : self; }", [("aclnnFoo", "dim")]),
    ("the overload whose arguments fit", "at::Tensor foo(const at::Tensor& self, const at::Scalar& value) { EXEC_NPU_CMD(aclnnFoos, self); }\n"
     + SIGNATURE + "{ EXEC_NPU_CMD(aclnnFoo, self); }", [("aclnnFoo", "")]),
]


def plugin_rows(source):
    files = {op_plugin.YAML: YAML, "op_plugin/ops/opapi/Foo.cpp": SPACE % source}
    return sorted(op_plugin.Plugin("7.3.0", files).rows())


@pytest.mark.parametrize("source, rows", [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_an_operator_reaches_its_aclnn(source, rows):
    assert sorted((aclnn, condition) for op, aclnn, condition, _, _ in plugin_rows(source) if op == "foo") == rows


def test_generated_interfaces_come_from_the_yaml_and_are_inherited():
    rows = plugin_rows("")
    place = "Ascend/op-plugin@7.3.0:op_plugin/config/op_plugin_functions.yaml:7"
    assert rows == [("gelu", "aclnnGelu", "", place, "7.3.0"), ("gelu.out", "aclnnGelu", "", place, "7.3.0")]


def test_outputs_and_other_overloads_have_functions_of_their_own():
    source = ("at::Tensor& foo_out(const at::Tensor& self, int64_t dim, at::Tensor& out) { EXEC_NPU_CMD(aclnnFooOut, self); }\n"
              "at::Tensor foo(const at::Tensor& self, const at::Scalar& value) { EXEC_NPU_CMD(aclnnFoos, self); }")
    rows = {row[0]: (row[1], row[3].rsplit(":", 1)[1]) for row in plugin_rows(source)}
    assert rows["foo.out"] == ("aclnnFooOut", "2") and rows["foo.values"] == ("aclnnFoos", "3")


def test_rows_by_hand_are_merged_and_stand_for_each_name(tmp_path, monkeypatch):
    (tmp_path / "by_hand").mkdir()
    (tmp_path / "by_hand" / "units.tsv").write_text("# read by people\naclnn\tchip\tdtypes\naclnnA aclnnB\t910B 950\tfp32 fp16\n")
    monkeypatch.setattr(program, "HERE", str(tmp_path))
    header = ["aclnn", "chip", "dtypes"]
    assert program.run("", {"units": (header, lambda sources: [("aclnnC", "950", "")])}, ["", str(tmp_path)]) == 0
    assert [tuple(row.values()) for row in read_table(tmp_path / "units.tsv")] == [
        (aclnn, chip, "fp32 fp16") for aclnn in ("aclnnA", "aclnnB") for chip in ("910B", "950")] + [("aclnnC", "950", "")]


# what of a row is compared where conditions, places and limits of paths may differ: columns, those with a list being a row for each entry
COMPARED = {
    "l0_dtypes": ("l0op", "unit", "chip", "*dtypes", "*ref", "kernel", "optype"), "aicpu_kernels": ("op", "unit", "*dtypes", "*ref"),
    "aclnn_l0": ("aclnn", "l0op", "*ref"), "aclnn_units": ("aclnn", "chip", "unit", "*dtypes", "kernel", "optype", "*ref"),
    "aclnn_dtypes": ("aclnn", "argument", "chip", "*dtypes", "*ref", "from"), "aclnn_aicpu": ("aclnn", "chip", "verdict", "*dtypes", "*ref"),
    "aten_aicpu": ("op", "release", "chip", "verdict", "*dtypes"),
}


def compared(folder, table):
    rows = read_table(os.path.join(folder, table + ".tsv"))
    columns = COMPARED.get(table) or list(rows[0])
    return {entry for row in rows for entry in itertools.product(*(
        row[name[1:]].split() or [""] if name[0] == "*" else [row[name]] for name in columns))}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tables of real checkouts: interpreting them takes half an hour of processor, so it is done once, or was done before."""
    sources, facts, done = map(os.environ.get, ("OPCHECK_CANN_SOURCES", "OPCHECK_REFERENCE_DIR", "OPCHECK_CANN_TABLES"))
    if not facts or not (sources or done):
        pytest.skip("OPCHECK_CANN_SOURCES and OPCHECK_REFERENCE_DIR are not set: no checkouts of CANN to read")
    if done:
        return done, os.path.join(facts, "facts")
    folder = tmp_path_factory.mktemp("tables")
    assert program.run(cann.__doc__, cann.TABLES, [sources, str(folder)]) == 0
    return folder, os.path.join(facts, "facts")


@pytest.mark.parametrize("table", sorted(set(cann.TABLES) - {"casts"}))
def test_on_checkouts_the_tables_are_those_known(table, made):
    """aten_aclnn is equal; of the others 95 of 100 entries are, the rest is explained in README.md of the extraction."""
    here, known = (compared(folder, table) for folder in made)
    least = 0.95 if table in COMPARED else 1
    assert len(here & known) >= least * len(known) and len(here & known) >= least * len(here), sorted(here ^ known)[:20]


def test_on_checkouts_the_casts_are_the_shipped_facts(made):
    columns = ("op", "kernel", "argument", "dtypes", "becomes", "path", "plugin")
    here = {tuple(row[name] for name in columns) for row in read_table(os.path.join(made[0], "casts.tsv"))}
    assert here == {tuple(row[name] if row[name] != "." else "" for name in columns) for row in fact_rows("npu/casts.tsv")}


def verdicts(folder):
    """{(aclnn, chip, type, version of CANN): (verdict, kernels on the AI CPU)}"""
    return {key: (row["verdict"], row["kernels"]) for row in read_table(os.path.join(folder, "aclnn_aicpu.tsv"))
            for key in itertools.product([row["aclnn"]], row["chip"].split(), row["dtypes"].split(), row["ref"].split())}


def test_every_verdict_on_checkouts_is_the_one_known_or_listed(made):
    here, known = map(verdicts, made)
    differing = collections.defaultdict(list)
    for key in here.keys() | known.keys():
        if here.get(key) != known.get(key):
            differing[key[0], known.get(key, ".")[0], here.get(key, ".")[0]].append(key)
    listed = {(row["aclnn"], row["known"], row["made"]): row for row in read_table(
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "differences.tsv"))}
    assert {group: len(keys) for group, keys in differing.items()} == {group: int(row["cells"]) for group, row in listed.items()}
    assert all(row["reason"] for row in listed.values())


KERNEL = """namespace l0op {
static const std::initializer_list<op::DataType> AICORE_LIST = {DataType::DT_FLOAT, DataType::DT_INT32};
static const aclTensor* FooAiCore(const aclTensor* self, aclTensor* out) { ADD_TO_LAUNCHER_LIST_AICORE(Foo, OP_INPUT(self), OP_OUTPUT(out)); return out; }
static const aclTensor* FooAiCpu(const aclTensor* self, aclTensor* out) { ADD_TO_LAUNCHER_LIST_AICPU(Foo, OP_INPUT(self), OP_OUTPUT(out)); return out; }
const aclTensor* Foo(const aclTensor* self, aclOpExecutor* executor) {
  auto out = executor->AllocTensor(self->GetViewShape(), self->GetDataType());
  if (CheckType(self->GetDataType(), AICORE_LIST)) { return FooAiCore(self, out); }
  return FooAiCpu(self, out);
}
}"""
INTERFACE = """
static const std::initializer_list<DataType> TYPES = {DT_FLOAT, DT_INT64};
aclnnStatus aclnnFooGetWorkspaceSize(const aclTensor* self, aclTensor* out) {
  OP_CHECK_DTYPE_NOT_SUPPORT(self, TYPES, return ACLNN_ERR_PARAM_INVALID);
  l0op::Foo(self, executor);
  return ACLNN_SUCCESS;
}"""
DEFINITION = 'class Foo : public OpDef {\n  Foo() { this->Input("x").DataType({ge::DT_FLOAT}); this->AICore().AddConfig("ascend910b"); }\n};'


def test_the_program_goes_from_sources_to_verdicts(tmp_path):
    sources = tmp_path / "from"
    yaml = "official:\n  - func: foo(Tensor self) -> Tensor\n    op_api: all_version\n    gen_opapi:\n      exec: aclnnFoo\n"
    reading.checkout(sources, "op-plugin", {release: {op_plugin.YAML: yaml} for release in op_plugin.RELEASES})
    files = {"math/foo/op_api/foo.cpp": KERNEL, "math/foo/op_api/aclnn_foo.cpp": INTERFACE, "math/foo/op_host/foo_def.cpp": DEFINITION}
    for library, (name, oldest) in LIBRARIES.items():
        reading.checkout(sources, name, {version: files if library == "ops-math" else {"README": ""} for version in (oldest, "8.5.0", "9.0.0", "9.1.0")})
    reading.checkout(sources, custom.ATB, {branch: {custom.ATB_LIST: ""} for branch in custom.ATB_BRANCHES.values()})
    reading.checkout(sources, "CANN-8.1.RC1", {"v": {"aicpu_kernel.json": "{}"}})
    (tmp_path / "to").mkdir()
    assert program.run(cann.__doc__, cann.TABLES, [str(sources), str(tmp_path / "to")]) == 0

    def rows(table, name):
        found = [tuple(row.values()) for row in read_table(tmp_path / "to" / (table + ".tsv"))]
        return [row for row in found if row[0] == name and "910B" in row]

    place, refs = "ops-math@8.5.0:math/foo/op_api/", "8.3 8.5.0 9.0.0 9.1.0"
    assert rows("aclnn_units", "aclnnFoo") == [
        ("aclnnFoo", "910B", "aicore", "fp32", "FooAiCore", "Foo", "", "", refs, ""), ("aclnnFoo", "910B", "aicpu", "int64", "FooAiCpu", "Foo", "", "", refs, ""),
        ("aclnnFoo", "910B", "rejected", "fp16 bf16 fp64 int8 uint8 int16 int32 bool complex64 complex128", "", "", "", "", refs, "")]
    assert ("aclnnFoo", "self", "910B", "fp32 int64", "", place + "aclnn_foo.cpp:3", refs, "code") in rows("aclnn_dtypes", "aclnnFoo")
    assert ("Foo", "aicore", "910B", "fp32 int32", "", place + "foo.cpp:5", refs, "FooAiCore", "Foo", "2") in rows("l0_dtypes", "Foo")
    assert ("foo", "7.3.0", "910B", "aicpu", "int64", "Foo", "aclnnFoo") in rows("aten_aicpu", "foo")
    assert ("foo", "26.1.0", "910B", "aicore", "fp32", "", "aclnnFoo") in rows("aten_aicpu", "foo")


CAST = "at_npu::native::custom_ops::_npu_dtype_cast(%s, %s)"
# what the construct is, the source, and of the casts of foo: argument, types, what they become
CASTS = [
    ("one type under a condition", SIGNATURE + "{ at::Tensor x = self; if (self.scalar_type() == at::kHalf) { x = %s; } }"
     % (CAST % ("self", "at::kFloat")), [("self", "fp16", "fp32")]),
    ("all but one by a choice", SIGNATURE + "{ auto x = (self.dtype() == at::kInt) ? self : %s; }" % (CAST % ("self", "at::ScalarType::Int")),
     [("self", "fp32 fp16 bf16 fp64 int8 uint8 int16 int64 bool", "int32")]),
    ("a name that stands for the argument", SIGNATURE + "{ at::Tensor x(self); auto y = x.rename(c10::nullopt); if (y.scalar_type() == at::kLong)"
     " { y = %s; } }" % (CAST % ("y", "at::kInt")), [("self", "int64", "int32")]),
    ("a type by its name", SIGNATURE + "{ auto type = self.scalar_type(); bool long_type = type == at::kLong || type == at::kShort;"
     " auto x = long_type ? %s : self; }" % (CAST % ("self", "at::kInt")), [("self", "int16 int64", "int32")]),
    ("whole numbers", SIGNATURE + "{ if (at::isIntegralType(self.scalar_type(), true)) { run(%s); } }" % (CAST % ("self", "at::kFloat")),
     [("self", "int8 uint8 int16 int32 int64 bool", "fp32")]),
    ("what is not so, and both", SIGNATURE + "{ if (!(self.scalar_type() != at::kBool) && dim > 0) { run(%s); } }" % (CAST % ("self", "at::kInt")),
     [("self", "bool", "int32")]),
    ("a helper", "void run(const at::Tensor& x, at::ScalarType to) { if (x.scalar_type() != to) { go(%s); } }\n" % (CAST % ("x", "to"))
     + SIGNATURE + "{ if (self.scalar_type() == at::kHalf) { run(self, at::kFloat); } }", [("self", "fp16", "fp32")]),
    ("the tensor's own method", SIGNATURE + "{ auto x = self.to(at::kLong).contiguous(); }",
     [("self", "fp32 fp16 bf16 fp64 int8 uint8 int16 int32 bool", "int64")]),
    ("a type that is given", "at::Tensor foo(const at::Tensor& self, c10::optional<at::ScalarType> dtype) { auto x = self; if (dtype.has_value())"
     " { x = %s; } }" % (CAST % ("self", "dtype.value()")), [("self", "", "dtype")]),
    ("the type of another argument", "at::Tensor foo(const at::Tensor& self, const at::Tensor& value) { auto x = %s; }"
     % (CAST % ("value", "self.scalar_type()")), [("value", "", "self")]),
    ("a result is none", "at::Tensor& foo_out(const at::Tensor& self, int64_t dim, at::Tensor& out) { out = %s; }" % (CAST % ("out", "at::kInt")), []),
    ("a type that only the code knows is none", SIGNATURE + "{ auto x = %s; }" % (CAST % ("self", "promoted(self)")), []),
]


@pytest.mark.parametrize("source, expected", [case[1:] for case in CASTS], ids=[case[0] for case in CASTS])
def test_a_cast_before_the_call_is_found(tmp_path, source, expected):
    path = "op_plugin/ops/aclops/Foo.cpp"
    reading.checkout(tmp_path, "op-plugin", {tag: {op_plugin.YAML: YAML, path: SPACE % source if tag != "7.2.0" else ""} for tag in casts.PLUGINS.values()})
    rows = list(cann.cast_rows(str(tmp_path)))
    assert [row[2:5] for row in rows] == expected
    assert all(row[:2] == ("foo", "acl_op") and row[5].startswith(path + ":") and row[6:] == ("26.1.0", "7.3.0 26.0.0 26.1.0") for row in rows)


def fact_rows(name):
    head, *rows = (line.split("\t") for line in (ROOT / "opdb" / name).read_text(encoding="utf-8").removeprefix("# ").splitlines())
    return [dict(zip(head, row)) for row in rows]


def test_the_casts_of_the_ai_cpu_are_the_pairs_of_types_that_were_read():
    """npu/slow_casts.tsv against the reviewed rows of l0_dtypes, cell by cell."""
    wide = "fp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 bool complex64 complex128 uint16 uint32 uint64".split()
    said, facts = collections.defaultdict(set), collections.defaultdict(set)
    for row in program.by_hand("l0_dtypes", ["l0op", "unit", "chip", "dtypes", "condition", "ref"]):
        op, unit, chip, dtypes, condition, refs = row
        becomes = set(condition.removeprefix("to in {").removesuffix("}").split() if condition else wide)
        for dtype, ref in itertools.product(dtypes.split(), refs.split() if (op, unit) == ("Cast", "aicpu") else ()):
            said[chip, ref, dtype] |= becomes & set(wide) - {dtype}
    versions = [row["cann"] for row in fact_rows("npu/cann.tsv")]
    for row in fact_rows("npu/slow_casts.tsv"):
        for span in row["cann"].split():
            first, last = (span.split("..") * 2)[:2]
            for chip, version in itertools.product(row["chips"].split(), versions[versions.index(first):versions.index(last) + 1]):
                facts[chip, version, row["from"]] |= set(row["to"].split())
    assert facts == said


DOCUMENT = r"""# torch\_npu.npu\_foo

## 产品支持情况

| 产品 | 是否支持 |
| --- | :---: |
|<term>Atlas A2 训练系列产品/Atlas A2 推理系列产品</term> | √ |
|<term>Atlas 推理系列产品</term> | × |

## 参数说明

- **x\_one** (`Tensor`)：必选参数，要求为2维/3维张量，数据类型支持`float16`、`bfloat16`，数据格式支持ND。
- **bias** (`Tensor`)：可选参数，数据类型支持`float16`。**当前版本暂不支持bias输入为非0的场景。**
- **mask** (`Tensor`)：预留参数，暂未使用，使用默认值即可。
- **offset** (`Tensor`)：可选参数，**当前版本不支持，传默认值None即可。**
- **mode** (`int`)：可选参数，数据类型支持`int64`。

## 返回值说明
"""


def test_a_document_names_chips_types_ranks_and_arguments_that_must_be_left_out():
    path = "docs/zh/custom_APIs/torch_npu/torch_npu-npu_foo.md"
    rows = [row[:5] + (int(row[5].split(":")[-1]),) for row in custom.document_rows(path, DOCUMENT)]
    assert rows == [("npu_foo", "", "910B", "", "", 3), ("npu_foo", "x_one", "910B", "fp16 bf16", "rank 2-3", 12),
                    ("npu_foo", "bias", "910B", "", "unsupported", 13), ("npu_foo", "offset", "910B", "", "unsupported", 15)]


def test_an_operation_of_atb_takes_what_its_variants_list():
    ini = "[FooOperation]\ninput0.name=x\ninput0.dtype=float16,bf16\ninput1.dtype=int32\n[FooOperation950]\ninput0.dtype=float\n[BarOperation]\n"
    files = {"op_plugin/ops/atb/Foo.cpp": 'OpParamCache<FooParam>& cache; m.def("_npu_foo(Tensor x) -> ()"); m.def("_npu_foo.out(Tensor x) -> ()");',
             "op_plugin/ops/atb/Two.cpp": 'OpParamCache<FooParam>& a; OpParamCache<BarParam>& b; m.def("_npu_two(Tensor x) -> ()");'}
    source = "ascend-transformer-boost@br_release_cann_9.1.0_20261223:ops_configs/atb_ops_info.ini:1"
    assert list(custom.atb_rows(files, ini, "9.1.0")) == [(op, "", "", "fp32 fp16 bf16", "", source, "9.1.0") for op in ("_npu_foo", "_npu_foo.out")]
