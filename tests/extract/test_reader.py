"""The reader of C++ that the extraction stands on: preprocessor, functions, conditions, checkouts."""
import pytest
import reading
from reader.checks import type_condition
from reader.functions import functions_in
from reader.preprocessor import preprocess
from reader.sources import Checkout
from reader.text import arguments, spans

MACROS = [
    ("#define N 3\nint a[N];", "int a[3];"),
    ("#define F(x, y) x##_##y(#x)\nF(add, out);", 'add_out("add");'),
    ("#define CALL(f, ...) f(__VA_ARGS__)\nCALL(g, 1, (2, 3));", "g(1, (2, 3));"),
    ("#define A B\n#define B A\nA;", "A;"),
    ("#if VERSION >= 300 && defined(CHIP)\nnew;\n#else\nold;\n#endif", "new;"),
    ("#if VERSION < 300\nold;\n#elif CHIP == 310\nchip;\n#endif", "chip;"),
    ("#ifndef CHIP\nnone;\n#endif\nrest;", "rest;"),
    ("#if __has_include(<x.h>)\nthere;\n#endif\nrest;", "rest;"),
    ("#define SPLIT(x) \\  \n  first(x); // a comment \\\n  second(x);\nSPLIT(1)", "first(1);"),
    ('#define N 3\nchar *s = "N"; // N', 'char *s = "N";'),
]


@pytest.mark.parametrize("source, left", MACROS)
def test_a_file_is_preprocessed_by_its_own_macros(source, left):
    text = preprocess(source, {"VERSION": "310", "CHIP": "310"})
    assert " ".join(text.split()) == left
    assert text.rstrip("\n").count("\n") == source.count("\n") or left in text


def test_lines_keep_their_numbers_through_a_macro_of_many_lines():
    text = preprocess("#define TWICE(x) x; \\\n  x\n\nTWICE(\n  f)\nvoid g() {}\n", {})
    assert text.split("\n")[5] == "void g() {}"


def test_functions_have_names_parameters_and_lines():
    source = """namespace at {
template <typename scalar_t, int kind>
void kernel(const Tensor& self, int64_t dim = 1) { inner<scalar_t>(self); }
struct Op { Tensor& operator()(Tensor out) { return out.copy_(self); } };
TORCH_IMPL_FUNC(add_out_musa)(const Tensor& a, const Tensor& b) { run(a); }
}"""
    found = {f.name: f for f in functions_in(source, "a.cpp")}
    assert [(f.line, [name for name, _ in f.parameters], f.template) for f in (found["kernel"], found["add_out_musa"])] == [
        (2, ["self", "dim"], ["scalar_t", "kind"]), (5, ["a", "b"], [])]
    assert [(call.name, call.template) for call in found["kernel"].calls] == [("inner", "scalar_t")]


def test_a_place_knows_the_branches_around_it():
    body = "void f() { if (a) { one(); } else if (b) two(); else { three(); } four(); }"
    function, = functions_in(body, "a.cpp")
    assert {call.name: function.conditions(call.at) for call in function.calls} == {
        "one": ["a"], "two": ["NOT(a)", "b"], "three": ["NOT(a)", "NOT(b)"], "four": []}


@pytest.mark.parametrize("condition, read", [
    ("self.scalar_type() == at::kFloat || self.scalar_type() == ScalarType::Half", [("self.scalar_type()", {"fp32", "fp16"}, set())]),
    ("ScalarType::Bool != x.dtype()", [("x.dtype()", set(), {"bool"})]),
    ("!isComplexType(input.scalar_type())", [("input.scalar_type()", set(), {"complex64", "complex128"})]),
    ("(self.is_complex())", [("self", {"complex64", "complex128"}, set())]),
    ("canCast(a, kFloat)", []),
    ("self.dim() == 2", []),
])
def test_conditions_on_types_are_read_and_no_others(condition, read):
    assert type_condition(condition) == read


def test_commas_inside_templates_and_strings_separate_nothing():
    assert arguments('std::array<bool, 3>{a, b}, "x, y", f(1, 2), a < b') == ["std::array<bool, 3>{a, b}", '"x, y"', "f(1, 2)", "a < b"]


def test_releases_become_spans_of_their_order():
    assert spans(["1.0", "1.1", "2.0-pt25", "2.0"], ["2.0", "1.0", "1.1"]) == "1.0..1.1 2.0"


def test_a_checkout_answers_for_tags_and_names_what_is_missing(tmp_path):
    reading.checkout(tmp_path, "plugin", {"v1": {"a/x.cpp": "one", "a/y.txt": "no"}, "v2": {"a/x.cpp": "two"}})
    there = Checkout(str(tmp_path), "plugin")
    assert [there.files(tag, r"\.cpp$") for tag in ("v1", "v2", "v3")] == [{"a/x.cpp": "one"}, {"a/x.cpp": "two"}, {}]
    assert there.text("v1", "a/none.cpp") is None
    with pytest.raises(FileNotFoundError, match="no checkout of other"):
        Checkout(str(tmp_path), "other")
