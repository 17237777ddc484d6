"""How the program reads: YAML with its lines, signatures and those that follow from them, versions, tables with spans."""
import random

import pytest

import text
from fact_text import documents, schema, tables
from fact_text.native import version
from fact_text.npu import Versions
from fact_text.tables import FactText, Malformed, Place, Spans

HERE = Place("x", 1)


# --- signatures

@pytest.mark.parametrize("given, op, kind, is_view", [
    ("add", "add", "functional", False),
    ("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "add.Tensor", "functional", False),
    ("add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "add_.Tensor", "inplace", False),
    ("add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "add.out", "out", False),
    ("_amp_update(Tensor(a!) self, Tensor(b!) scale) -> ()", "_amp_update", "mutable", False),
    ("__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", "__iand__.Scalar", "inplace", False),
    ("__and__.Scalar(Tensor self, Scalar other) -> Tensor", "__and__.Scalar", "functional", False),
    ("split(Tensor(a -> *) self, SymInt[] sizes, int dim=0) -> Tensor(a)[]", "split", "functional", True),
    ("t(Tensor(a) self) -> Tensor(a)", "t", "functional", True),
    ("to(Tensor(a|b) self) -> Tensor(a|b)", "to", "functional", True),
    ("empty(int[] size, *, Dimname[]? names, MemoryFormat? memory_format=None) -> Tensor", "empty", "functional", False),
    ("text(str a=\"\\\"'\\\\\", str b='\"\\'\\\\', int[] c=[1, 2]) -> (Tensor, int)", "text", "functional", False),
    ("cell(__torch__.torch.classes.rnn.Cell[] hx) -> Tensor", "cell", "functional", False),
    ("nothing() -> ()", "nothing", "functional", False),
])
def test_a_signature_is_understood(given, op, kind, is_view):
    read = schema.parse(given, HERE)
    assert (read.op, read.kind, read.is_view, read.op + read.signature) == (op, kind, is_view, given)


@pytest.mark.parametrize("given", [
    "", ".", "a.", ".a", "a.b.c", "1a", "a b", "a(", "a()", "a() ->", "a() -> (", "a() -> (Tensor", "a(Tensor) -> ()", "a(Tensor self",
    "a(Tensor self,) -> ()", "a(Tensor self) -> Nothing", "a(Tensor[ self) -> ()", "a(Tensor(A) self) -> ()", "a(Tensor(a self -> ()",
    "a(int x=) -> ()", "a(str x='y) -> ()", "a(int[x] y) -> ()", "a(int x) -> int y z", "a(Tensor self) Tensor", "a(Tensorx self) -> ()"])
def test_a_signature_that_is_half_understood_is_refused(given):
    with pytest.raises(Malformed, match="^x:1: "):
        schema.parse(given, HERE)


@pytest.mark.parametrize("base, op, expected", [
    ("f(Tensor self, int n=1) -> Tensor", "f.out", "(Tensor self, int n=1, *, Tensor(a!) out) -> Tensor(a!)"),
    ("f(Tensor self, *, str s=\"a, *)\") -> (Tensor x, Tensor[] y)", "f.x_out",
     "(Tensor self, *, str s=\"a, *)\", Tensor(a!) out0, Tensor(b!)[] out1) -> ()"),
    ("f(Tensor self) -> (Tensor, int)", "f.out", "(Tensor self, *, Tensor(a!) out0) -> (Tensor(a!), int)"),
    ("f(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "f.out",
     "(int[] size, *, Tensor(a!) out) -> Tensor(a!)"),
    ("f(int[] size, *, ScalarType? dtype=None) -> Tensor", "f.out", "(int[] size, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"),
    ("f_(Tensor(a!) self, Tensor p) -> Tensor(a!)", "f.out", "(Tensor self, Tensor p, *, Tensor(a!) out) -> Tensor(a!)"),
    ("f_(Tensor(a!) self, Tensor p) -> Tensor(a!)", "f", "(Tensor self, Tensor p) -> Tensor"),
    ("f_(Tensor(a!)[] self, Tensor(b!) found) -> ()", "f.out", "(Tensor[] self, Tensor(b!) found, *, Tensor(a!)[] out) -> ()"),
    ("f_(Tensor(a!)[] self, Tensor(b!) found) -> ()", "f", "(Tensor[] self, Tensor found) -> (Tensor[] self_out, Tensor found_out)"),
    ("f_(Tensor(a!)[] self) -> ()", "f", "(Tensor[] self) -> Tensor[] self_out"),
    ("f(Tensor self, Tensor(a!) state) -> Tensor", "f.out", "(Tensor self, Tensor(a!) state, *, Tensor(b!) out) -> Tensor(b!)"),
    ("f(Tensor self, Tensor(a!) state) -> Tensor", "f_functional", "(Tensor self, Tensor state) -> (Tensor, Tensor state_out)"),
    ("f(Tensor(a -> *) self) -> Tensor(a)[]", "f.out", "(Tensor self, *, Tensor(a!)[] out) -> ()"),
    ("f() -> (Tensor%s)" % (", Tensor" * 26), "f.out", None),  # more results than letters
])
def test_a_generated_signature_follows_from_the_base(base, op, expected):
    made = schema.generated(schema.parse(base, HERE), op, HERE)
    assert (made and made.signature) == expected


# --- documents

def test_a_document_has_places():
    root = documents.parse("x.yaml", "# c\na: b\nlist:\n  - one\n  - 'null'\n  -\nflag: True\nempty:\nquoted: 'true'\n")
    assert root["a"] == "b" and next(key for key in root if key == "list").place == ("x.yaml", 3) and root["list"][0].place == ("x.yaml", 4)
    assert [documents.is_empty(item) for item in root["list"]] == [False, False, True]
    assert [documents.as_bool(root[key]) for key in ("flag", "quoted", "a")] == [True, None, None]
    assert documents.is_empty(root["empty"]) and documents.is_empty(root.get("nowhere"))
    assert documents.parse("x.yaml", "# only this\n") is None


@pytest.mark.parametrize("given, line", [
    ("a: 1\nb: 2\na: 3\n", 3), ("a:\n  - [1\n", 3), ("a: &x 1\n", 1), ("- 1\n- *x\n", 2), ("a: !python/object 1\n", 1), ("a: 1\n---\nb: 2\n", 2),
    ("? [a]\n: 1\n", 1), ("[" * 18 + "1" + "]" * 18 + "\n", 1), ("a: 1\x01\n", 1)])
def test_a_document_that_no_list_is_has_an_error_with_its_line(given, line):
    with pytest.raises(Malformed, match=r"^x\.yaml:%d: " % line):
        documents.parse("x.yaml", given)


# --- versions

@pytest.mark.parametrize("given, built, holds", [
    ("all_version", "v2.7", True), ("v2.1", "v2.10", False), ("v2.10", "v2.1", False), ("v2.1, v2.10", "v2.10", True),
    ("[v2.2, newest]", "v2.10", True), ("[v2.2, v2.9]", "v2.10", False), ("[v2.2, v2.9]", "v2.7", True), ("[v2.10, newest]", "v2.9", False),
    ("", "v2.7", False), ("[v2.1, v2.2, v2.7]", "v2.7", None), ("2.1", "v2.7", None), ("v2.1.0", "v2.7", None), ("v2.1,", "v2.7", None),
    ("all_version", "v2.8", None)])
def test_an_entry_holds_by_element_or_by_range(given, built, holds):
    root = documents.parse("x.yaml", "all_version: [v2.1, v2.2, v2.7, v2.9, v2.10]\nvalue: %s\n" % given)
    if holds is None:
        with pytest.raises(Malformed):
            Versions(root["all_version"], built).hold(root["value"])
    else:
        assert Versions(root["all_version"], built).hold(root["value"]) == holds


def test_versions_have_an_order():
    order = ["3.0.rc1", "3.0.0", "5.0.rc2", "5.0.rc2.1", "5.0.rc3", "5.0.0", "6.0.rc1", "6.0.0", "7.3.0", "26.0.0", "26.0.0.post4+local"]
    shuffled = random.Random(7).sample(order, len(order))
    assert sorted(shuffled, key=version) == order and version("2.07") == version("2.7")


# --- tables

def test_tables_are_written_as_they_were_read():
    fact_text, keys = FactText(str(text.OPDB)), {"support": 3, "universe": 1, "schemas": 1, "gradients": 2}
    for folder, names in (("npu", "npu/releases.tsv"), ("musa", "musa/releases.tsv"), ("torch", "torch/versions.tsv")):
        order = fact_text.table(names).names()
        for name, table in fact_text.spans_in(folder, order).items():
            assert table.text(order, keys.get(name.split("/")[1][:-4], 0)) == tables.read_text(str(text.OPDB / name)), name
    for name in ("sources.tsv", "torch/versions.tsv", "npu/releases.tsv", "npu/versions.tsv", "musa/releases.tsv", "torch/apis.tsv"):
        assert fact_text.table(name).text() == tables.read_text(str(text.OPDB / name))


def test_a_name_that_is_new_is_covered_by_no_row():
    """Against a model: rows at random over nine names, one name put in at random, one taken out."""
    chosen = random.Random(7)
    for _ in range(300):
        order, model = ["r%d" % number for number in range(9)], {}
        for op in range(7):
            for name in order:
                model.setdefault(("op%d" % op, "value%d" % chosen.randrange(4)), set()).add(name)
        table = Spans(["op", "value", "where"], model.items())
        order.insert(chosen.randrange(10), "new")
        gone = chosen.choice(order)
        table.remove(gone)
        columns, *lines = table.text(order, 1).splitlines()
        found = {tuple(line.split("\t")[:2]): set(tables.covered(line.split("\t")[2], order, HERE)) for line in lines}
        assert found == {cells: names - {gone} for cells, names in model.items() if names != {gone}}
        firsts = [(line.split("\t")[0], order.index(line.split("\t")[2].split(" ")[0].split("..")[0])) for line in lines]
        assert columns == "# op\tvalue\twhere" and firsts == sorted(firsts)
