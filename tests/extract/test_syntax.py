"""The parser of C++ that host code of operators is interpreted with."""
import pytest
import reading  # noqa: F401
from reader.syntax import Bind, Call, Choice, Declare, Evaluate, For, ForEach, If, Jump, Lambda, Opaque, Switch, parse, shown


def body(text):
    unit = parse("void f() { %s }" % text)
    assert unit.errors == []
    return unit.functions[0].body.statements


EXPRESSIONS = [
    ("a && b || !c == d", "a && b || !c == d"),
    ("x->GetViewShape().GetDim(i + 1)", "x.GetViewShape().GetDim(i + 1)"),
    ("static_cast<int64_t>(n) * 2", "static_cast(n) * 2"),
    ("(int64_t)n - 1", "n - 1"),
    ("a < b && c > d", "a < b && c > d"),
    ("op::DataType::DT_FLOAT", "DT_FLOAT"),
    ("std::vector<int64_t>{1, 2}", "vector({1, 2})"),
    ("ok ? first : second", "ok?first:second"),
    ('"a" PRId64 "b"', '"a"PRId64"b"'),
    ("1.5e-3f + 0x1F", "1.5e-3f + 0x1F"),
    ("f(new int, g(1))", "f(new int, g(1))"),
]


@pytest.mark.parametrize("source, text", EXPRESSIONS)
def test_an_expression_is_read_and_shown(source, text):
    jump, = body("return %s;" % source)
    assert isinstance(jump, Jump) and shown(jump.value) == text


STATEMENTS = [
    ("auto [a, b] = pair();", Bind), ("const aclTensor *x = nullptr, *y;", Declare), ("std::vector<int> v(3, 0);", Declare),
    ("for (size_t i = 0; i < n; ++i) { g(i); }", For), ("for (const auto& x : list) g(x);", ForEach),
    ("switch (t) { case DT_FLOAT: return 1; default: break; }", Switch), ("if (a) { } else if (b) return;", If), ("CHECK(x, return false);", Evaluate),
]


@pytest.mark.parametrize("source, kind", STATEMENTS)
def test_a_statement_is_of_its_kind(source, kind):
    statement, = body(source)
    assert isinstance(statement, kind)


def test_a_return_in_a_macro_is_an_argument():
    call = body('CHECK_RET(x != nullptr, return ACLNN_ERR);')[0].value
    assert isinstance(call.arguments[1], Jump) and shown(call.arguments[1].value) == "ACLNN_ERR"


def test_what_cannot_be_read_is_left_out_and_the_rest_is_kept():
    opaque = body("g(args..., 1); throw x; h();")
    assert isinstance(opaque[0].value.arguments[0], Opaque)
    assert isinstance(opaque[-1].value, Call) and shown(opaque[-1].value) == "h()"


def test_a_file_gives_functions_with_namespaces_and_constants():
    unit = parse("""#include <x>
namespace l0op {
OP_TYPE_REGISTER(Add);
static const std::initializer_list<DataType> TYPES = {DT_FLOAT, DT_INT32};
#define MACRO(x) \\
  broken {
class Inner { int x; };
template <typename T> inline bool Check(const T* self, int64_t dim = -1) { return dim < 0; }
const aclTensor* Add(const aclTensor* self);
const aclTensor* Add(const aclTensor* self, aclOpExecutor* executor) { auto f = [&](int n) { return n; }; return f(self); }
}""")
    assert [(f.name, f.line, f.namespace, [(p.name, p.type) for p in f.parameters]) for f in unit.functions] == [
        ("Check", 8, "l0op", [("self", "const T *"), ("dim", "int64_t")]),
        ("Add", 10, "l0op", [("self", "const aclTensor *"), ("executor", "aclOpExecutor *")])]
    assert [shown(item) for item in unit.variables["TYPES"].value.items] == ["DT_FLOAT", "DT_INT32"]
    assert shown(unit.functions[0].parameters[1].default) == "-1"
    assert isinstance(unit.functions[1].body.statements[0].variables[0].value, Lambda)
    assert not isinstance(unit.functions[1].body.statements[1].value, Choice)
