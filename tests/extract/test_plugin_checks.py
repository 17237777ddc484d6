"""TORCH_CHECK lines of op-plugin as tests of arguments: one small source for each construct."""
import pytest
import reading
import cann
import program
from cann_facts import plugin_checks
from reader.sources import Checkout
from reader.text import read_table

LIST = """official:
  - func: foo(Tensor self, Tensor? bias=None, *, int groups=1, bool flag=False, int[2] size) -> Tensor
    acl_op: all_version
    op_api: all_version
  - func: foo_backward(Tensor grad, Tensor index) -> Tensor
    op_api: all_version
custom:
  - func: npu_foo(Tensor x, Tensor? bias=None, Tensor scale=None, int axis=-1) -> Tensor
    op_api: all_version
  - func: old(Tensor self, bool bidirectional=False) -> Tensor
    impl_ns: acl_op
"""
FOO = ("at::Tensor foo(const at::Tensor& self, const c10::optional<at::Tensor>& bias, int64_t groups, bool flag, at::IntArrayRef size)")
NPU = ("at::Tensor npu_foo(const at::Tensor& x, const c10::optional<at::Tensor>& bias, const at::Tensor& scale, int64_t axis)")
FILE = "op_plugin/ops/opapi/FooKernelNpuOpApi.cpp"


def checks(tmp_path, body, head=FOO, before="", torch="2.7.1", path=FILE, namespace="op_api"):
    """{(operator, test, chips)} of one kernel."""
    source = "namespace %s {\n%s\n%s {\n%s\n}\n}" % (namespace, before, head, body)
    reading.checkout(tmp_path, "op-plugin", {"c": {path: source, "list.yaml": LIST}})
    rows = plugin_checks.rows(Checkout(str(tmp_path), "op-plugin"), [("r", torch, "c", "list.yaml")])
    return {(row[0], row[1], row[2]) for row in rows}


def check(condition):
    return 'TORCH_CHECK(%s, "no" + OPS_ERROR(ErrCode::PARAM));' % condition


CONDITIONS = [
    ("a largest rank", "self.dim() <= 4", "rank:self>4"),
    ("a rank of two, the other way round", "2 == self.sizes().size()", "rank:self>2"),
    ("ranks of which one has to hold", "self.dim() == 3 || self.dim() == 4", "rank:self>4"),
    ("a number", "groups == 1", "value:groups<1 value:groups>1"),
    ("an argument that must be left out", "!bias.has_value()", "given:bias"),
    ("one that must be given", "bias.has_value()", "missing:bias"),
    ("a flag", "flag == false", "true:flag"),
    ("a flag that must be set", "flag", "false:flag"),
    ("a type of another argument", "bias.value().scalar_type() == at::kHalf || bias.value().scalar_type() == at::ScalarType::Float", "takes:bias,fp32,fp16"),
    ("a function about types", "!bias.has_value() || isFloatingType(bias.value().scalar_type())", "given:bias&takes:bias,fp32,fp16,bf16,fp64,fp8"),
    ("a dimension", "self.size(1) <= 64", "length:self@1>64"),
    ("the last dimension, behind a condition that no test states", "!flag || known() || self.size(-1) > 64", None),
    ("one of two conditions, the other unknown", "known() && groups <= 8", "value:groups>8"),
    ("two together", "!flag || self.dim() < 3", "rank:self>2&true:flag"),
    ("types of two", "self.scalar_type() == bias.value().scalar_type()", None),
    ("the length of a list, which no test states", "size.size() == 2", None),
    ("a least rank, which PyTorch checks too", "self.dim() >= 2", None),
    ("a type of the data, which the kernels' own table has", "self.scalar_type() != at::kBool", None),
]


@pytest.mark.parametrize("condition, test", [case[1:] for case in CONDITIONS], ids=[case[0] for case in CONDITIONS])
def test_a_condition_is_a_test_of_the_calls_that_it_refuses(tmp_path, condition, test):
    assert checks(tmp_path, check(condition)) == ({("foo", test, "")} if test else set())


WAYS = [
    ("a condition around it", "if (bias.has_value()) { %s }" % check("bias->dim() == 1 || groups < 2"), {"given:bias&rank:bias>1&value:groups>1"}),
    ("a branch that leaves before it", "if (flag) { return self; } %s" % check("groups < 2"), {"false:flag&value:groups>1"}),
    ("an unknown way to it", "if (known()) { %s }" % check("groups < 2"), set()),
    ("an unknown return before it", "if (known()) { return self; } %s" % check("groups < 2"), set()),
    ("a loop around it", "for (int i = 0; i < 2; i++) { %s }" % check("groups < 2"), set()),
    ("local names", "auto rank = self.dim(); const int64_t most = 4; bool good = rank <= most; %s" % check("good"), {"rank:self>4"}),
    ("a name that changes", "auto rank = self.dim(); rank = 7; %s" % check("rank <= 4"), set()),
    ("another tensor made of it", "at::Tensor other = self.unsqueeze(0); %s" % check("other.dim() <= 4"), set()),
    ("the same tensor by another name", "at::Tensor other = self.contiguous(); %s" % check("other.dim() <= 4"), {"rank:self>4"}),
    ("a constant of the file", check("self.dim() <= MOST"), {"rank:self>5"}),
    ("a function of the file", "limit(self, 3); return self;", {"rank:self>3"}),
    ("the old kernel behind a macro", "DO_COMPATIBILITY(aclnnFoo, acl_op::foo(self, bias, groups, flag, size)); %s" % check("groups < 2"), {"value:groups>1"}),
]
BEFORE = "static const int64_t MOST = 5;\nvoid limit(const at::Tensor& t, int64_t most) { %s }" % check("t.dim() <= most")


@pytest.mark.parametrize("body, tests", [case[1:] for case in WAYS], ids=[case[0] for case in WAYS])
def test_a_check_counts_where_the_way_to_it_can_be_stated(tmp_path, body, tests):
    assert {test for _, test, _ in checks(tmp_path, body, before=BEFORE)} == tests


def test_a_check_is_for_its_chips_and_versions_of_pytorch(tmp_path):
    old = "if (c10_npu::GetSocVersion() < c10_npu::SocVersion::Ascend910B1) { %s }" % check("groups < 2")
    assert checks(tmp_path / "a", old) == {("foo", "value:groups>1", "910A 310P")}
    versions = "#if VERSION_BETWEEN(V2R1, V2R5)\n%s\n#endif" % check("groups < 2")
    assert checks(tmp_path / "b", versions) == set()
    assert checks(tmp_path / "c", versions, torch="2.1.0") == {("foo", "value:groups>1", "")}
    folder = FILE.replace("ops/", "ops/v2r1/")
    assert checks(tmp_path / "d", check("groups < 2"), path=folder) == set()
    assert checks(tmp_path / "e", check("groups < 2"), path=folder, torch="2.1.0") == {("foo", "value:groups>1", "")}


def test_of_the_plugins_own_operators_every_check_counts_and_of_gradients_no_type(tmp_path):
    body = check("x.dim() >= 2") + check("x.scalar_type() == at::kHalf") + check("axis == -1")
    assert {test for _, test, _ in checks(tmp_path / "own", body, NPU)} == {"rank:x<2", "takes:x,fp16", "value:axis<-1 value:axis>-1"}
    gradient = "at::Tensor foo_backward(const at::Tensor& grad, const at::Tensor& index)"
    assert checks(tmp_path / "grad", check("index.scalar_type() == at::kInt") + check("index.dim() < 5"), gradient) == {("foo_backward", "rank:index>4", "")}


def test_kernels_that_launch_acl_operators_count_where_the_list_has_no_others(tmp_path):
    old = "at::Tensor old(const at::Tensor& self, bool bidirectional)"
    assert checks(tmp_path / "a", check("!bidirectional"), old, namespace="acl_op") == {("old", "true:bidirectional", "")}
    assert checks(tmp_path / "b", check("groups < 2"), namespace="acl_op") == set(), "the kernel that calls CANN's API runs"


def test_what_one_of_two_kernels_takes_is_not_refused(tmp_path):
    other = FOO + " { %s }" % check("groups < 2")
    assert checks(tmp_path / "a", check("groups < 2") + check("!flag"), before=other) == {("foo", "value:groups>1", "")}


def test_the_table_has_words_places_and_releases(tmp_path, monkeypatch):
    source = "namespace op_api {\n%s {\n%s\n}\n}" % (FOO, check("self.dim() == 3") + check("!bias.has_value() || bias->size(-1) < 9"))
    reading.checkout(tmp_path / "from", "op-plugin", {"c": {FILE: source, "list.yaml": LIST}})
    monkeypatch.setattr(program, "releases", lambda target, columns: [("new", "2.7.1", "c", "list.yaml"), ("none", "2.7.1", "", "")])
    monkeypatch.setattr(program, "by_hand", lambda table, header: [])
    assert program.run(cann.__doc__, cann.TABLES, [str(tmp_path / "from"), str(tmp_path), "plugin_checks"]) == 0
    rows = [tuple(row.values()) for row in read_table(tmp_path / "plugin_checks.tsv")]
    place = "op-plugin@c:" + FILE + ":3"
    assert rows == [
        ("foo", "given:bias&length:bias@-1>8", "", "bias is given and the last dimension of bias is longer than 8", "给出了 bias，且 bias 的最后一维 长于 8", place, "new"),
        ("foo", "rank:self>3", "", "self has more than 3 dimensions", "self 超过 3 维", place, "new")]
