"""Tables made from sources of op-plugin and CANN: one small source for each construct, and on checkouts the tables known to be right."""
import os

import pytest
import reading
import cann
import program
from cann_facts import op_plugin
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


@pytest.mark.parametrize("table", cann.TABLES)
def test_on_checkouts_the_tables_are_those_known(table, tmp_path):
    sources, facts = os.environ.get("OPCHECK_CANN_SOURCES"), os.environ.get("OPCHECK_REFERENCE_DIR")
    if not sources or not facts:
        pytest.skip("OPCHECK_CANN_SOURCES and OPCHECK_REFERENCE_DIR are not set: no checkouts of CANN to read")
    assert program.run(cann.__doc__, cann.TABLES, [sources, str(tmp_path), table]) == 0

    def rows(folder):
        return {tuple(row.values()) for row in read_table(os.path.join(folder, table + ".tsv"))}

    assert rows(os.path.join(facts, "facts")) == rows(tmp_path)
