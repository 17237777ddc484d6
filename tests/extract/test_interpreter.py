"""The interpreter of op_api functions: one small source for each construct, with what each type launches, and under which condition."""
import pytest
import reading  # noqa: F401
from cann_facts import runs
from cann_facts.library import Library
from cann_facts.paths import alternatives, collapsed, in_words, opposite, tree
from reader.syntax import parse

KERNEL = """namespace l0op {
static const std::initializer_list<op::DataType> AICORE_LIST = {DataType::DT_FLOAT, DataType::DT_INT32};
static bool IsAiCoreSupport(const aclTensor* self) { return CheckType(self->GetDataType(), AICORE_LIST); }
static const aclTensor* AddAiCore(const aclTensor* self, aclTensor* out, aclOpExecutor* executor) {
  ADD_TO_LAUNCHER_LIST_AICORE(Add, OP_INPUT(self), OP_OUTPUT(out)); return out; }
static const aclTensor* AddAiCpu(const aclTensor* self, aclTensor* out, aclOpExecutor* executor) {
  ADD_TO_LAUNCHER_LIST_AICPU(Add, OP_ATTR_NAMES(), OP_INPUT(self), OP_OUTPUT(out)); return out; }
const aclTensor* Add(const aclTensor* self, aclOpExecutor* executor) {
  auto out = executor->AllocTensor(self->GetViewShape(), self->GetDataType());
  if (IsAiCoreSupport(self)) { return AddAiCore(self, out, executor); } else { return AddAiCpu(self, out, executor); } }
const aclTensor* Cast(const aclTensor* self, op::DataType type, aclOpExecutor* executor) {
  auto out = executor->AllocTensor(self->GetViewShape(), type); ADD_TO_LAUNCHER_LIST_AICORE(Cast, OP_INPUT(self), OP_OUTPUT(out)); return out; }
}"""
HEAD = "aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* self, const aclTensor* indexOptional, int64_t dim, aclTensor* out) {"
CALL = " auto r = l0op::Add(self, executor); return ACLNN_SUCCESS; }"
# what the construct is, the source, the chip, the type, and what is launched: {(unit, operator, type): conditions}; None: rejected
CASES = [
    ("a list decides the unit", HEAD + CALL, "910B", "fp32", {("aicore", "Add", "fp32"): [""]}),
    ("outside the list", HEAD + CALL, "910B", "int64", {("aicpu", "Add", "int64"): [""]}),
    ("a check of types", "static const std::initializer_list<DataType> OK = {DT_FLOAT};\n" + HEAD + " OP_CHECK_DTYPE_NOT_SUPPORT(self, OK, return ACLNN_ERR_PARAM);"
     + CALL, "910B", "int64", None),
    ("a check that passes", "static const std::initializer_list<DataType> OK = {DT_FLOAT};\n" + HEAD + " OP_CHECK_DTYPE_NOT_SUPPORT(self, OK, return ACLNN_ERR_PARAM);"
     + CALL, "910B", "fp32", {("aicore", "Add", "fp32"): [""]}),
    ("a check in a helper", "static bool CheckDtype(const aclTensor* self) { if (self->GetDataType() == DT_BOOL) { return false; } return true; }\n" + HEAD
     + " CHECK_RET(CheckDtype(self), ACLNN_ERR_PARAM);" + CALL, "910B", "bool", None),
    ("a test of the chip", HEAD + " if (GetCurrentPlatformInfo().GetSocVersion() == SocVersion::ASCEND910B) { return ACLNN_ERR_PARAM; }" + CALL, "910B", "fp32", None),
    ("another chip", HEAD + " if (GetCurrentPlatformInfo().GetSocVersion() == SocVersion::ASCEND910B) { return ACLNN_ERR_PARAM; }" + CALL, "910A", "fp32",
     {("aicore", "Add", "fp32"): [""]}),
    ("chips in their order", HEAD + " if (GetCurrentPlatformInfo().GetCurNpuArch() >= NpuArch::DAV_3510) { return ACLNN_ERR_PARAM; }" + CALL, "950", "fp32", None),
    ("a cast before the call", HEAD + " if (self->GetDataType() == DT_BOOL) { self = l0op::Cast(self, DataType::DT_INT32, executor); }" + CALL, "910B", "bool",
     {("aicore", "Add", "int32"): [""], ("aicore", "Cast", "bool"): [""]}),
    ("a condition that forks", HEAD + " if (self->GetViewShape().GetDimNum() > 4) { self = l0op::Cast(self, DataType::DT_INT64, executor); }" + CALL, "910B", "fp32",
     {("aicore", "Add", "fp32"): ["rank(self)<=4"], ("aicore", "Cast", "fp32"): ["rank(self)>4"], ("aicpu", "Add", "int64"): ["rank(self)>4"]}),
    ("a fork whose other side is rejected", HEAD + " if (dim > 4) { self = l0op::Cast(self, DataType::DT_INT64, executor); } if (dim <= 4) { return ACLNN_ERR; }" + CALL,
     "910B", "fp32", {("aicore", "Cast", "fp32"): ["dim>4"], ("aicpu", "Add", "int64"): ["dim>4"], ("aicore", "Add", "fp32"): ["dim<=4"]}),
    ("an argument that may be missing", HEAD + " if (indexOptional != nullptr) { self = l0op::Cast(self, DataType::DT_INT64, executor); }" + CALL, "910B", "fp32",
     {("aicore", "Cast", "fp32"): ["has(indexOptional)"], ("aicpu", "Add", "int64"): ["has(indexOptional)"], ("aicore", "Add", "fp32"): ["not(has(indexOptional))"]}),
    ("a check of shapes passes", "static bool CheckShape(const aclTensor* self) { if (self->GetViewShape().GetDimNum() > 8) { OP_LOGE(1); return false; }"
     " return true; }\n" + HEAD + " CHECK_RET(CheckShape(self), ACLNN_ERR_PARAM);" + CALL, "910B", "fp32", {("aicore", "Add", "fp32"): [""]}),
    ("a type that is promoted", HEAD + " auto t = PromoteType(self->GetDataType(), DataType::DT_FLOAT); self = l0op::Cast(self, t, executor);" + CALL, "910B", "fp16",
     {("aicore", "Add", "fp32"): [""], ("aicore", "Cast", "fp16"): [""]}),
    ("a map of types", "static const std::map<DataType, DataType> TO = {{DT_BOOL, DT_INT32}};\n" + HEAD + " auto it = TO.find(self->GetDataType());"
     " if (it != TO.end()) { self = l0op::Cast(self, it->second, executor); }" + CALL, "910B", "bool", {("aicore", "Add", "int32"): [""], ("aicore", "Cast", "bool"): [""]}),
    ("a switch over the type", HEAD + " switch (self->GetDataType()) { case DT_INT64: return ACLNN_ERR; default: break; }" + CALL, "910B", "int64", None),
    ("results by reference", "static void Next(const aclTensor*& x) { x = l0op::Cast(x, DataType::DT_INT64, executor); }\n" + HEAD + " Next(self);" + CALL, "910B", "fp32",
     {("aicore", "Cast", "fp32"): [""], ("aicpu", "Add", "int64"): [""]}),
    ("a loop that runs once", HEAD + " for (int i = 0; i < 3; i++) { if (i > 5) { continue; } self = l0op::Cast(self, DT_INT64, executor); }" + CALL, "910B", "fp32",
     {("aicore", "Cast", "fp32"): ["i<=5"], ("aicpu", "Add", "int64"): ["i<=5"], ("aicore", "Add", "fp32"): ["i>5"]}),
]


def library(source):
    files = {"ops-math:math/add/op_api/add.cpp": KERNEL, "ops-math:math/add/op_api/aclnn_add.cpp": source}
    units = {path: parse(text) for path, text in files.items()}
    assert not any(unit.errors for unit in units.values())
    return Library("8.5.0", {path: (unit.functions, unit.variables) for path, unit in units.items()})


def read(source, chip, type_name):
    known = library(source)
    (routine,) = runs.interfaces(known, {"aclnnAdd"})
    return runs.read_interface(known, routine, chip, type_name, {})


@pytest.mark.parametrize("source, chip, type_name, launched", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_interface_launches_or_rejects(source, chip, type_name, launched):
    one = read(source, chip, type_name)
    assert one.accepted == (launched is not None)
    assert {(unit, op, kind): conditions for (unit, op, _, kind), conditions in one.launches.items()} == (launched or {})


def test_checks_and_requirements_are_kept():
    source = ("static const std::initializer_list<DataType> OK = {DT_FLOAT, DT_BF16};\n" + HEAD + " OP_CHECK_DTYPE_NOT_SUPPORT(out, OK, return ACLNN_ERR);"
              " OP_CHECK_MAX_DIM(self, 8, return ACLNN_ERR); OP_CHECK_DTYPE_NOT_SAME(self, out, return ACLNN_ERR);" + CALL)
    one = read(source, "910B", "fp32")
    assert one.checks == {"out": {("fp32", "bf16")}}
    assert one.requirements == {(True, "rank(self)<=8"), (True, "dtype(self)==dtype(out)")}
    assert set(one.calls) == {"Add"}


def test_an_l0_function_is_read_by_itself():
    known = library(HEAD + CALL)
    found = {name: routine for name, routine in runs.l0_functions(known)}
    outcomes = {kind: runs.read_l0(known, "Add", found["Add"], "910B", kind, {}).outcomes for kind in ("int32", "fp64")}
    assert outcomes == {"int32": [("", [("aicore", "Add", "AddAiCore")])], "fp64": [("", [("aicpu", "Add", "AddAiCpu")])]}


def test_a_tree_keeps_only_what_tells_paths_apart():
    paths = [([("a", True), ("b", True)], 1), ([("a", True), ("b", False)], 1), ([("a", False)], 2)]
    assert collapsed(tree(paths)) == ("fork", "a", ("leaf", 1), ("leaf", 2))
    assert collapsed(tree(paths[:2])) == ("leaf", 1)


def test_conditions_have_short_words():
    assert opposite("a <= b") == "a > b" and opposite("a && b") == "not(a && b)"
    assert in_words("size(self,rank(self) - 1) == 1 && !(has(x))") == "size(self,last)==1 & not has(x)"
    assert alternatives(["b", "aa", "b", "cccc"], 2) == "b OR aa OR +1 more" and alternatives(["a", ""], 2) == ""
