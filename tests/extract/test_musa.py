"""Tables made from sources of torch_musa: one small source for each construct, and on checkouts the tables known to be right."""
import os
from collections import defaultdict

import pytest
import reading
import musa
import program
from plugin_facts import kernels, packages, tested
from plugin_facts.schemas import read_schemas
from reader.text import read_table

UTILS = """
#define MUSA_TENSOR_TYPE_CHECK(self) TORCH_CHECK(self.scalar_type() == at::kFloat || self.scalar_type() == at::kLong, "Now")
"""
WRAPPER = """void SetMUTensorDType(ScalarType dtype, muTensor& m_t) {
  switch (dtype) {
    case ScalarType::Float: case ScalarType::Half: case ScalarType::BFloat16: case ScalarType::Int:
    case ScalarType::Long: case ScalarType::Bool: case ScalarType::Char: case ScalarType::Byte: set(m_t); break;
    default: TORCH_CHECK(false, "no such type");
  }
}"""
SCHEMAS = read_schemas("""
- func: foo(Tensor self, Tensor other, *, int n=1) -> Tensor
  structured_delegate: foo.out
- func: foo.out(Tensor self, Tensor other, *, int n=1, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU, CUDA: foo_out_cuda
- func: bar(Tensor self) -> Tensor
- func: relu_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CUDA: relu_cuda_
""")
HEAD = "Tensor Foo(const Tensor& self, const Tensor& other, int64_t n) "
# what the construct is, the source, and of its rows: argument, takes, refuses, other, host
KERNELS = [
    ("a list of types", HEAD + '{ TORCH_CHECK(self.scalar_type() == kFloat || self.scalar_type() == kHalf, "no"); }',
     [("self", "fp32 fp16", "", "", "")]),
    ("a type refused", HEAD + '{ TORCH_CHECK(other.scalar_type() != kBool, "no"); }', [("other", "", "bool", "", "")]),
    ("two checks, one after the other", HEAD + "{ AT_DISPATCH_ALL_TYPES(self.scalar_type(), s, [&] {}); MUSA_TENSOR_TYPE_CHECK(self); }",
     [("self", "fp32 int64", "", "", "")]),
    ("a dispatch macro with types of its own", HEAD + "{ AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), s, [&] {}); }",
     [("self", "fp32 fp16 bf16 fp64", "", "", "")]),
    ("a dispatch macro with cases", HEAD + "{ AT_DISPATCH_SWITCH(self.scalar_type(), s, AT_DISPATCH_CASE(kBool, [&] {})"
     " AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES([&] {})); }", [("self", "fp16 bf16 bool", "", "", "")]),
    ("a dispatch macro of the second kind", HEAD + "{ AT_DISPATCH_V2(self.scalar_type(), s, AT_WRAP([&] {}), AT_EXPAND(AT_COMPLEX_TYPES), kHalf); }",
     [("self", "fp16 complex64 complex128", "", "", "")]),
    ("a switch whose default throws", HEAD + "{ switch (other.scalar_type()) { case ScalarType::Int: case ScalarType::Long: run(); break;"
     " default: TORCH_CHECK(false); } }", [("other", "int32 int64", "", "", "")]),
    ("ifs whose last else throws", HEAD + "{ if (self.scalar_type() == kFloat) a(); else if (self.scalar_type() == kInt) b(); else { AT_ERROR(m); } }",
     [("self", "fp32 int32", "", "", "")]),
    ("a tensor for muDNN", HEAD + "{ auto t = CreateMUTensor(self); }", [("self", "", "fp64 int16 complex64 complex128", "mudnn; rank<=8", "")]),
    ("a tensor for muDNN after a check", HEAD + "{ AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), s, [&] {}); auto t = CreateMUTensor(self); }",
     [("self", "fp32", "", "mudnn; rank<=8", "")]),
    ("a path of its own for one type", HEAD + "{ if (self.scalar_type() == kBool) { TORCH_CHECK(self.scalar_type() == kBool, m); }"
     " auto t = CreateMUTensor(self); }", [("self", "", "fp64 int16 complex64 complex128", "mudnn; own path for bool; rank<=8", "")]),
    ("a local that stands for an argument", HEAD + "{ Tensor in = other.contiguous(); TORCH_CHECK(in.scalar_type() == kInt, m); }",
     [("other", "int32", "", "", "")]),
    ("a cast before the check", HEAD + "{ Tensor in = other.to(kInt); TORCH_CHECK(in.scalar_type() == kInt, m); }", [("", "", "", "", "")]),
    ("a helper that is followed", "void Inner(const Tensor& x) { TORCH_CHECK(x.scalar_type() == kHalf, m); }\n" + HEAD + "{ Inner(other.contiguous()); }",
     [("other", "fp16", "", "", "")]),
    ("a constant that picks a branch", "void Run(const Tensor& x, MODE m) { if (m == MODE::MUL) { TORCH_CHECK(x.scalar_type() == kHalf, m); }"
     " else { TORCH_CHECK(x.scalar_type() == kInt, m); } }\n" + HEAD + "{ Run(self, MODE::ADD); }", [("self", "int32", "", "", "")]),
    ("types that both branches unite", HEAD + "{ if (self.is_complex()) { TORCH_CHECK(self.scalar_type() == kComplexFloat, m); }"
     " else { TORCH_CHECK(self.scalar_type() == kFloat, m); } }", [("self", "fp32 complex64", "", "", "")]),
    ("a condition that stays one", HEAD + "{ if (n > 1) { TORCH_CHECK(self.scalar_type() == kFloat, m); } }",
     [("self", "", "", "in some cases: fp32", "")]),
    ("a path over the host", HEAD + "{ return native::foo(self.cpu()); }", [("", "*", "", "", "1")]),
    ("a path over the host for some", HEAD + "{ if (self.scalar_type() == ScalarType::Double) { return Foo(self.cpu()); } }",
     [("", "", "", "", "1 if fp64")]),
    ("nothing but a throw", HEAD + '{ TORCH_CHECK(false, "not supported"); }', [("", "", "", "always throws", "")]),
    ("other operators", HEAD + "{ return at::bar(at::empty_like(self)); }", [("", "", "", "composed: bar", "")]),
    ("a condition with words", HEAD + '{ TORCH_CHECK(self.dim() == 2, "no"); TORCH_CHECK(self.scalar_type() == kInt, m); }',
     [("self", "int32", "", "rank==2", "")]),
    ("an older chip", HEAD + "{ if (self.scalar_type() == kBFloat16 && getMUSAArch() < 220) { AT_ERROR(m); } }", [("", "", "", "arch>=220 if bf16", "")]),
    ("a macro of the file", "#define CHECK_IT(x) TORCH_CHECK(x.scalar_type() == kHalf, m)\n" + HEAD + "{ CHECK_IT(self); }", [("self", "fp16", "", "", "")]),
    ("a build for another chip", HEAD + "{\n#if TORCH_MUSA_ARCH < 310\nTORCH_CHECK(self.scalar_type() == kHalf, m);\n#endif\n}", [("", "", "", "", "")]),
    ("the kernel of a stub", "void FooKernel(TensorIterator& self) { AT_DISPATCH_INTEGRAL_TYPES(self.dtype(), s, [&] {}); }\n"
     "REGISTER_MUSA_DISPATCH(foo_stub, &FooKernel);\n" + HEAD + "{ foo_stub(self); }", [("self", "int8 uint8 int16 int32 int64", "", "", "")]),
]


def read(source, registered="- func: foo\n  dispatch:\n    PrivateUse1: Foo\n", name="2.7.1"):
    files = {kernels.ATEN + "utils/Utils.h": UTILS, kernels.ATEN + "utils/Utils.cpp": WRAPPER, kernels.YAML: registered, kernels.ATEN + "ops/Foo.cpp": source}
    words = defaultdict(dict)
    for row in read_table(os.path.join(kernels.HERE, "musa_words.tsv")):
        words[row["kind"]][row["text"]] = row["words"]
    release = kernels.Release(name, files, SCHEMAS)
    return [row for row, _ in kernels.release_rows(release, words, read_table(os.path.join(kernels.HERE, "musa_rules.tsv")), ["1.3.0", name])]


@pytest.mark.parametrize("source, rows", [case[1:] for case in KERNELS], ids=[case[0] for case in KERNELS])
def test_a_kernel_says_which_types_it_takes(source, rows):
    assert [row[2:] for row in read(source)] == rows


def test_an_operator_without_a_kernel_here_has_the_one_of_pytorch():
    assert read("", "- func: relu_\n") == [("relu_", "relu_cuda_", "", "*", "", "", "")]
    structured = HEAD.replace("Foo", "FooOut").replace("int64_t n", "int64_t n, Tensor& out") + "{ TORCH_CHECK(out.scalar_type() == kInt, m); }"
    registered = "- func: foo\n- func: foo.out\n  dispatch:\n    PrivateUse1: FooOut\n"
    assert [row[:4] for row in read(structured, registered)] == [("foo", "FooOut", "result", "int32"), ("foo.out", "FooOut", "out", "int32")]


def test_registrations_outside_the_list_count_and_other_keys_are_named():
    source = HEAD + '{ TORCH_CHECK(self.scalar_type() == kQInt8, m); }\nTORCH_LIBRARY_IMPL(aten, QuantizedPrivateUse1, m) { m.impl("foo", TORCH_FN(Foo)); }'
    assert [row[2:] for row in read(source, "")] == [("self", "qint8", "", "key QuantizedPrivateUse1", "")]


def test_a_reviewed_rule_corrects_the_rows_it_names():
    source = "Tensor Ceil(const Tensor& self) { AT_DISPATCH_FLOATING_TYPES_AND(kBFloat16, self.scalar_type(), s, [&] {}); }"
    row, = read(source, "- func: bar\n  dispatch:\n    PrivateUse1: Ceil\n")
    assert row[3] == "fp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 bool" and row[5] == "integers and bool are copied"


GROUP = """
std::map<at::ScalarType, ncclDataType_t> types = {{at::kFloat, mcclFloat}, {at::kHalf, mcclHalf}, {at::kBool, mcclUint8}};
std::map<ReduceOp, mcclRedOp_t> ops = {{ReduceOp::SUM, mcclSum}, {ReduceOp::AVG, mcclAvg}};
mcclRedOp_t getMcclReduceOp(const ReduceOp reduceOp, at::Tensor& input) {
  if (input.scalar_type() == at::kBool) { TORCH_CHECK(reduceOp != AVG, "Cannot use ReduceOp.AVG with Boolean inputs"); return mcclMax; }
  return ops.at(reduceOp);
}
Work ProcessGroupMCCL::allreduce(std::vector<at::Tensor>& tensors) { auto t = at::view_as_real(tensors[0]); getMcclReduceOp(op, t); }
Work ProcessGroupMCCL::send(std::vector<at::Tensor>& tensors) { mcclSend(tensors); }
Work ProcessGroupMCCL::gather(std::vector<at::Tensor>& tensors) { TORCH_CHECK(false, "gather is not supported"); }
"""
OPERATOR_TEST = """
import torch
from torch_musa import testing
data_type = [torch.float32, torch.int64] + testing.get_all_types()
@pytest.mark.parametrize("dtype", data_type)
def test_relu(dtype):
    testing.OpTest(func=torch.relu).check()
"""
LISTED_TEST = """import pytest, torch
functions = [torch.log, torch.exp]
in_place = [torch.log_]
types = [torch.float32]
@pytest.mark.parametrize("dtype", types)
@pytest.mark.parametrize("func", functions + in_place)
def test_all(dtype, func):
    function(dtype, func)
"""
LAUNCHER = """
void foo_npu(const Tensor input) { TORCH_CHECK(input.scalar_type() == at::kFloat, "m"); EXEC_NPU_CMD(aclnnFoo, input); }
REGISTER_NPU_IMPL(foo_impl, foo_npu);
"""


def test_the_program_reads_checkouts_and_writes_tables(tmp_path, capsys):
    group = "torch_musa/csrc/distributed/ProcessGroupMCCL.cpp"
    files = {group: GROUP, "tests/unittest/operator/test_relu.py": OPERATOR_TEST,
             "torch_musa/testing/base.py": "def get_all_types():\n    return [torch.half]\n"}
    reading.checkout(tmp_path / "from", "torch_musa", {"v1.0.0": files, "v1.1.0": {group: GROUP.replace("at::kHalf", "at::kBFloat16")}})
    (tmp_path / "to").mkdir()
    names = ["musa_collectives", "musa_tested_types"]
    assert program.run(musa.__doc__, musa.TABLES, [str(tmp_path / "from"), str(tmp_path / "to"), *names]) == 0
    rows = {tuple(row.values()) for row in read_table(tmp_path / "to" / "musa_collectives.tsv")}
    assert ("allreduce", "AVG", "fp32 fp16 complex64 complex128", "1", "complex viewed as real", group + ":8", "1.0.0") in rows
    assert ("allreduce", "MAX", "", "0", "not in the list of reduce operations", group + ":8", "1.0.0..1.1.0") in rows
    assert ("send", "", "fp32 bf16 bool", "1", "", group + ":9", "1.1.0") in rows
    assert ("gather", "", "", "0", "", group + ":10", "1.0.0..1.1.0") in rows
    assert [tuple(row.values()) for row in read_table(tmp_path / "to" / "musa_tested_types.tsv")] == [
        ("torch.relu", "test_relu", "fp32 fp16 int64", "tests/unittest/operator/test_relu.py", "1.0.0..1.1.0")]
    assert program.run(musa.__doc__, musa.TABLES, [str(tmp_path / "from"), str(tmp_path / "to"), "hccl_collectives"]) == 1
    assert "no checkout of torch_npu" in capsys.readouterr().err


def test_a_test_of_lists_of_functions_tests_each_of_them():
    assert sorted(tested.tests_of("tests/test_all.py", LISTED_TEST, {})) == [
        ("torch.exp", "test_all", "fp32"), ("torch.log", "test_all", "fp32"), ("torch.log_", "test_all", "fp32")]


def test_a_package_is_read_by_what_it_registers(tmp_path):
    skips = "pytest.param(torch.half, marks=pytest.mark.skipif(IS_NPU_AVAILABLE, reason='no'))"
    reading.checkout(tmp_path, "mmcv", {"v2.0.0": {"mmcv/ops/csrc/pytorch/npu/foo.cpp": LAUNCHER, "tests/test_ops/test_foo.py": skips}})
    rows, missing = packages.package_ops(str(tmp_path))
    path = "mmcv/ops/csrc/pytorch/npu/foo.cpp:2"
    assert ("mmcv", "mmcv::foo", "npu", "v2.0.0", "v2.0.0", "input", "fp32", "", "native kernel", "", "fp16", path) in rows
    assert any("no checkout of vision" in message for message in missing)


@pytest.mark.parametrize("table", musa.TABLES)
def test_on_checkouts_the_tables_are_those_known(table, tmp_path):
    """Equal, but for the differences that README.md of the extraction counts and explains."""
    sources, facts = os.environ.get("OPCHECK_MUSA_SOURCES"), os.environ.get("OPCHECK_REFERENCE_DIR")
    if not sources or not facts:
        pytest.skip("OPCHECK_MUSA_SOURCES and OPCHECK_REFERENCE_DIR are not set: no checkouts of the plugins to read")
    program.run(musa.__doc__, musa.TABLES, [sources, str(tmp_path), table])

    def rows(folder):
        return {tuple(row.values()) for row in read_table(os.path.join(folder, table + ".tsv"))}

    explained = {"_scaled_mm", "_scaled_mm.out", "add.Tensor", "add_.Tensor", "mul.Tensor", "mul_.Tensor", "masked_fill_.Scalar", "masked_fill_.Tensor"}
    before, after = rows(os.path.join(facts, "facts")), rows(tmp_path)
    different = before - after if table == "musa_tested_types" else before ^ after  # it now reads lists of functions
    assert {row for row in different if table != "musa_kernel_limits" or row[0] not in explained} == set()
    assert len(different) <= 28
