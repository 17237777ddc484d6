"""Declarations, documents, rows and verdicts of CANN's kernels: one small source for each construct."""
import json

import pytest
import reading
from cann_facts import acl_op, declarations, documents, tables, verdicts
from cann_facts.declarations import Declaration
from cann_facts.library import Routine
from cann_facts.runs import L0, Interface
from reader.sources import Checkout

DEFINITION = """
static const std::vector<ge::DataType> TYPES = {ge::DT_FLOAT, ge::DT_BF16};
class Add : public OpDef {
 public:
  explicit Add(const char* name) : OpDef(name) {
    this->Input("x1").ParamType(REQUIRED).DataType(TYPES).Format({ge::FORMAT_ND});
    this->Input("x2").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_INT32}); // twice the same
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT8});
    OpAICoreConfig config;
    config.Input("x1").DataType({ge::DT_FLOAT16});
    this->AICore().AddConfig("ascend910b");
    this->AICore().AddConfig("ascend310p", config);
    config.Input("x1").DataType({ge::DT_INT64});
    this->AICore().AddConfig("ascend950", config);
    this->AICore().AddConfig("kirinx90", config);
  }
};
OP_ADD(Add);
"""


def test_a_definition_declares_types_for_each_chip():
    assert [(op, chip, inputs) for op, chip, inputs, _ in declarations.declared(DEFINITION)] == [
        ("Add", "910B", {"x1": ["fp32", "bf16"], "x2": ["fp32", "int32"]}), ("Add", "310P", {"x1": ["fp16"], "x2": ["fp32", "int32"]}),
        ("Add", "950", {"x1": ["int64"], "x2": ["fp32", "int32"]})]


def test_installed_lists_and_open_sources_name_the_kernels_of_the_ai_cpu(tmp_path):
    installed = "opp/built-in/op_impl/"
    lists = {installed + "ai_core/tbe/config/ascend910b/aic-ascend910b-ops-info.json": {"Add": {"input0": {"name": "x1", "dtype": "float,float16,float"}}},
             installed + "aicpu/aicpu_kernel/config/aicpu_kernel.json": {"Add": {"input0": {"name": "x", "type": "DT_INT64,DT_BOOL"}}, "Qr": {}}}
    reading.checkout(tmp_path, "CANN-8.1.RC1", {"v": {path: json.dumps(text) for path, text in lists.items()}})
    known = {declarations.OLDEST: declarations.installed_declarations(str(tmp_path))}
    assert known[declarations.OLDEST]["Add", "910B"].inputs == {"x1": ["fp32", "fp16"]}
    place = "CANN-8.1.RC1:opp/built-in/op_impl/aicpu/aicpu_kernel/config/aicpu_kernel.json"
    assert sorted(declarations.installed_cpu_rows(str(tmp_path), known)) == [
        ("Add", "aicpu", "int64 bool", "910B", "910A 910_93 310P 310B", place, "8.1"), ("Qr", "aicpu", "", "", "910A 910B 910_93 310P 310B", place, "8.1")]
    rows = list(declarations.declaration_rows(known))
    assert rows == [("Add", "aicore", "910B", "fp32 fp16", "kernel declaration, input 0 x1", known["8.1"]["Add", "910B"].source, "8.1", "", "Add", "")]


DOCUMENT = """# aclnnAdd
## 产品支持情况
|产品|是否支持|
|----|:----:|
|<term>Atlas A2 训练系列产品</term>|√|
|<term>Atlas 推理系列产品</term>|×|
## aclnnAddGetWorkspaceSize
<table><tr><th>参数名</th><th>描述</th><th>数据类型</th><th>维度(shape)</th></tr>
<tr><td>self（aclTensor*）</td><td>x</td><td>FLOAT、FLOAT16、INT32</td><td>0-8</td></tr></table>
- other（aclTensor*，计算输入）：数据类型支持FLOAT、BFLOAT16，数据格式支持ND。
  - <term>Atlas 推理系列产品</term>：参数`self`数据类型不支持INT32。
## aclnnAdd
"""


def test_a_document_names_chips_types_and_remarks():
    read = documents.read_document(DOCUMENT, "ops-math@8.5.0:docs/aclnnAdd.md")
    assert read.products == {"910B": True, "310P": False}
    assert {name: argument[:2] for name, argument in read.arguments.items()} == {"self": (["fp32", "fp16", "int32"], "0-8"), "other": (["fp32", "bf16"], "")}
    rows = {row: source for row, _, source in documents.document_rows({"8.5.0": {"aclnnAdd": read}, "9.1.0": {}})}
    assert rows["aclnnAdd", "self", "910B", "fp32 fp16 int32", "rank 0-8"].endswith("aclnnAdd.md:8")
    assert ("aclnnAdd", "*", "310P", "", "not supported on this chip") in rows
    assert ("aclnnAdd", "self", "310P", "", "not int32") in rows


ROUTINE = Routine("ops-math:add.cpp", "Add", None, None, 7, "l0op")


def l0(type_name, outcomes, more=False):
    return L0("Add", ROUTINE, 2, "910B", type_name, more, outcomes)


CORE, CPU = ("aicore", "Add", "AddAiCore"), ("aicpu", "Add", "AddAiCpu")


def test_l0_rows_say_which_types_run_where():
    found = {"8.5.0": [l0("fp32", [("", [CORE])]), l0("int32", [("dim==0", [CORE]), ("dim!=0", [CPU])], True), l0("fp64", [("", [CPU])])],
             "9.1.0": [l0("fp32", [("", [CORE])])]}
    place = "ops-math@8.5.0:add.cpp:7"
    assert sorted(tables.l0_rows(found)) == [
        ("Add", "aicore", "910B", "fp32", "", place, "8.5.0 9.1.0", "AddAiCore", "Add", "2"),
        ("Add", "aicore", "910B", "int32", "dim==0 (partial)", place, "8.5.0", "AddAiCore", "Add", "2"),
        ("Add", "aicpu", "910B", "fp64", "", place, "8.5.0", "AddAiCpu", "Add", "2"),
        ("Add", "aicpu", "910B", "int32", "dim!=0 (partial)", place, "8.5.0", "AddAiCpu", "Add", "2")]
    assert ("Add", "aicpu-launch", "", "910B", "", place, "8.5.0") in list(tables.Launches(found).cpu_rows())


def interface(type_name, accepted, launches=(), checks=None):
    return Interface("aclnnAdd", ROUTINE, "910B", type_name, accepted, False, {"Add": ("ops-math:add.cpp", 9)} if accepted else {}, checks or {},
                     {(True, "rank(self) <= 8")}, dict(launches), set(), [("self", "const aclTensor *")], {})


def read_interfaces(found):
    known = {version: {("Add", "910B"): Declaration("Add", "910B", {"x1": ["fp32"]}, "def")} if version == "8.5.0" else {}
             for version in ("8.1", "8.3", "8.5.0", "9.0.0", "9.1.0")}
    return tables.Interfaces({"8.5.0": found}, tables.Launches({"8.5.0": [l0("fp32", [("", [CORE])])]}), known, {"8.5.0": {}, "9.0.0": {}, "9.1.0": {}},
                             (set(), set(), set()))


def test_unit_rows_name_rejections_and_kernels_that_are_not_declared():
    checks = {"self": {("fp32", "int32")}}
    read = read_interfaces([interface("fp32", True, {("aicore", "Add", "AddAiCore", "fp32"): [""]}, checks), interface("bool", False, (), checks),
                            interface("int32", True, {("aicore", "Add", "AddAiCore", "int64"): ["dim>1"]}, checks)])
    assert sorted(read.unit_rows()) == [
        ("aclnnAdd", "910B", "aicore", "fp32", "AddAiCore", "Add", "", "", "8.5.0", ""),
        ("aclnnAdd", "910B", "aicore", "int32", "AddAiCore", "Add", "int64", "dim>1", "8.5.0", "int64"),
        ("aclnnAdd", "910B", "rejected", "bool", "", "", "", "", "8.5.0", "")]
    assert [row for row, _, _ in read.dtype_rows()] == [("aclnnAdd", "self", "910B", "fp32 int32", "rank(self)<=8")]
    assert ("aclnnAdd", "Add", "ops-math@8.5.0:add.cpp:9", "8.5.0") in list(read.call_rows())
    assert read_interfaces([interface("fp32", False)]).failed() == [("aclnnAdd", "8.5.0", "910B")]


LIMITS = [
    (True, "rank(self) <= 8", "rank(self)<=8"), (False, "rank(self) > 8", "rank(self)<=8"), (False, "dim < 0 || dim > 3", "dim>=0 & dim<=3"),
    (False, "mode != 0 && mode != 1", "mode in {0 1}"), (False, "!(n == 2)", "n==2"), (True, "CheckShape ok", None), (True, "has(x)", None),
]


@pytest.mark.parametrize("must_hold, text, limit", LIMITS)
def test_requirements_become_limits(must_hold, text, limit):
    assert tables.limit_words(must_hold, text) == limit


def unit(unit_name, op, condition="", undeclared="", kernel_type=""):
    return verdicts.Unit(("aclnnAdd", "910B", unit_name, "fp32", op, op, kernel_type, condition, "8.5.0", undeclared))


VERDICTS = [
    ([unit("aicore", "Add")], ("aicore", "")),
    ([unit("aicore", "Add"), unit("rejected", "", "docs list it")], ("rejected", "docs contradict")),
    ([unit("aicpu", "Add")], ("aicpu", "Add")),
    ([unit("aicore", "Add", "dim==0"), unit("aicpu", "Add", "dim!=0")], ("mixed", "Add")),
    ([unit("aicore", "Add"), unit("aicpu", "Mul")], ("aicpu", "Mul")),
    ([unit("aicore", "Add"), unit("aicpu", "Cast")], ("aicore+", "Cast")),
    ([unit("aicore", "Add", "", "fp32")], ("aicore-undeclared", "Add")),
    ([unit("aicore", "Add", "dtype(out)==bf16"), unit("aicpu", "Add", "dtype(out)!=bf16")], ("aicpu", "Add")),
]


@pytest.mark.parametrize("rows, said", VERDICTS)
def test_units_become_one_verdict(rows, said):
    assert verdicts.verdict(rows, "910B", "8.5.0", "fp32", {}) == said


def test_an_operator_joins_the_verdicts_of_its_aclnn():
    found = {("aclnnAdd", "910B", "8.5.0", "fp32"): ("aicore", ""), ("aclnnAdds", "910B", "8.5.0", "fp32"): ("aicpu", "Add"),
             ("aclnnAdd", "910B", "8.5.0", "bool"): ("rejected", ""), ("aclnnAdds", "910B", "8.5.0", "bool"): ("aicore", "")}
    calls = [("add.Tensor", "aclnnAdd", "", "", "7.3.0"), ("add.Tensor", "aclnnAdds", "", "", "7.3.0")]
    assert sorted(row[3:6] for row in verdicts.aten_rows(found, calls, [])) == [("mixed", "fp32", "Add"), ("varies", "bool", "")]


def test_older_kernels_are_named_by_their_commands(tmp_path):
    code = ('at::Tensor &nocheck(at::Tensor &out, const at::Tensor &self)\n{\n    at_npu::native::OpCommand cmd;\n    cmd.Name("DIoU").Run();\n}\n'
            'at::Tensor foo(const at::Tensor &self)\n{\n    return nocheck(out, self);\n}\n')
    yaml = "custom:\n  - func: foo(Tensor self) -> Tensor\n    acl_op: all_version\n  - func: bar(Tensor self) -> Tensor\n    op_api: all_version\n"
    files = {"op_plugin/ops/aclops/Foo.cpp": code, "op_plugin/config/op_plugin_functions.yaml": yaml}
    reading.checkout(tmp_path, "op-plugin", {"7.3.0": files, "26.1.0": files})
    known = {"8.1": {("DIoU", "910B"): Declaration("DIoU", "910B", {"size": ["int32"], "x": ["fp32"]}, "")}, "8.5.0": {}}
    cpu = [("DIoU", "aicpu", "int64", "", "", "", "8.1")]
    rows = set(acl_op.aclop_rows(Checkout(str(tmp_path), "op-plugin"), known, cpu, set()))
    assert {row for row in rows if row[1:3] == ("7.3.0", "910B")} == {
        ("foo", "7.3.0", "910B", "aicore", "fp32", "", "acl_op: DIoU (8.1 declarations)"),
        ("foo", "7.3.0", "910B", "aicpu", "int64", "DIoU", "acl_op: DIoU (8.1 declarations)")}
