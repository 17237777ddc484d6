"""What the lists of a small PyTorch and of small plugins mean, row by row."""
import pytest

import text
from conftest import FIXTURES

LISTS = FIXTURES / "import"
NATIVE = ["--native-functions", LISTS / "native_functions.yaml"]
NPU = ["--framework", LISTS / "npu" / "framework.yaml"]
DATED = ["--date", "2026-11-01", "--commit", "0123abc"]


@pytest.fixture
def opdb(tmp_path):
    return text.copy(tmp_path)


@pytest.fixture
def imported(opdb):
    def run(*args):
        done = text.facts(*args, "--opdb", opdb)
        assert (done.status, done.err) == (0, "")
        return done.text

    return run


def rows(opdb, target, release, *columns):
    found = text.registrations(opdb, target, release)
    return {key: tuple(row[c] for c in columns) for key, row in found.items()}


KERNEL_COLUMNS = ("origin", "acl_op", "op_api", "symint", "exposed_py", "internal_format_opapi", "status")


def test_reports_of_the_table_that_differ_in_their_condition_stay(opcheck, tmp_path):
    columns = "target torch_version plugin_version op observed detail source date chip dtype confidence".split()
    row = ["npu", ".", ".", "aten::mm", "not_implemented", "x", "somebody", ".", ".", ".", "."]
    table = "# " + "\t".join([*columns, "condition"]) + "\n" + "".join("\t".join([*row, condition]) + "\n" for condition in ("graph", "strict"))
    (tmp_path / "reported.tsv").write_text(table, encoding="utf-8")
    (tmp_path / "new.csv").write_text(",".join(columns) + "\nnpu,,,aten::mm,not_implemented,x,somebody,,,,\n", encoding="utf-8")
    done = opcheck("db", "import", "reported", tmp_path / "new.csv", "--opdb", tmp_path)
    assert "0 new, 1 there already; reported.tsv has 2 now" in done.text
    assert (tmp_path / "reported.tsv").read_text(encoding="utf-8") == table


def test_a_list_for_many_versions(opcheck, opdb, imported, tmp_path):
    said = imported("npu", "--release", "v2.7.1-99.0.0", "--torch", "2.7.1", *NATIVE, *NPU, *DATED,
                    "--op-plugin", LISTS / "npu" / "combined.yaml", "--derivatives", LISTS / "npu" / "derivatives.yaml")
    found = rows(opdb, "npu", "2.7.1-99.0.0", *KERNEL_COLUMNS)
    dense, official = "PrivateUse1", "op_plugin:official"
    assert found == {
        # v2.1 is a part of v2.10 and of nothing else: op_api "v2.1, v2.10" does not hold for v2.7
        ("aten", "plus.Tensor", dense): (official, "1", "0", "0", "0", "0", "native-jit"),
        ("aten", "plus.out", dense): (official, "1", "1", "0", "0", "1", "native"),
        ("aten", "pad", dense): (official, "0", "1", "0", "0", "0", "native"),
        ("aten", "pad", "SparsePrivateUse1"): ("op_plugin:sparse", "0", "1", "0", "0", "0", "native"),
        ("aten", "_foreach_half", dense): (official, "0", "1", "0", "0", "0", "native"),
        ("aten", "_foreach_twice", dense): ("foreach-generated", ".", ".", "0", "0", "0", "composite"),
        ("aten", "core_too", "AutogradPrivateUse1"): ("op_plugin:autograd", "0", "1", "0", "0", "0", "native"),
        ("aten", "shape_of", "QuantizedPrivateUse1"): ("op_plugin:quant", "1", "0", "0", "0", "0", "native-jit"),
        ("aten", "shape_of", dense): ("npu_native_functions", ".", ".", "1", "0", "0", "native"),
        ("aten", "fill_.into", dense): ("npu_native_functions", ".", "1", "0", "0", "0", "native"),
        ("npu", "npu_own_view", dense): ("npu_native_functions+npu_native_functions:custom", ".", ".", "0", "1", "0", "native"),
        ("npu", "npu_fused", dense): ("op_plugin:custom", "0", "1", "1", "1", "0", "native"),
    }
    assert "12 registrations, 7 of them dense" in said and "12 added, 0 removed, 0 changed" in said
    assert "2 formulas" in said and "1 of them are for operators that are not registered, the first is npu_gone (line 6)" in said
    release = next(r for r in text.table(opdb, "npu/releases.tsv") if r["release"] == "2.7.1-99.0.0")
    assert (release["ref"], release["kind"], release["date"], release["commit"]) == ("v2.7.1-99.0.0", "final", "2026-11-01", "0123abc")
    assert (release["key"], release["custom_ns"], release["fallback"]) == ("PrivateUse1", "npu", "boxed")
    order = text.axis(opdb, "npu")
    assert order[order.index("2.7.1-99.0.0") - 1:][:3] == ["2.7.1-26.1.0", "2.7.1-99.0.0", "2.7.1-dev"]
    assert opcheck("db", "build", opdb, "-o", tmp_path / "new.sqlite").status == 0
    answer = opcheck("op", "npu::npu_fused", "-t", "npu@v2.7.1-99.0.0", "--db", tmp_path / "new.sqlite")
    assert "npu@v2.7.1-99.0.0: native\n" in answer.text


def test_a_list_for_one_version_on_the_old_key(opdb, imported):
    imported("npu", "--release", "v1.11.0-5.0.9", "--torch", "1.11.0", *NATIVE, *NPU, *DATED,
             "--op-plugin", LISTS / "npu" / "single.yaml")
    found = rows(opdb, "npu", "1.11.0-5.0.9", *KERNEL_COLUMNS)
    supported = "npu_native_functions"
    assert found == {
        ("aten", "plus.out", "XLA"): ("op_plugin:official", "1", "1", "0", "0", "0", "native"),
        ("aten", "pad", "XLA"): ("op_plugin:official+op_plugin:tocpu", "1", "0", "0", "0", "0", "native-jit"),
        # no wrapper is made for a member of a structured group
        ("aten", "plus.Tensor", "XLA"): ("op_plugin:tocpu", ".", ".", "0", "0", "0", "composite"),
        ("aten", "only_sparse", "XLA"): ("op_plugin:tocpu", ".", ".", "0", "0", "0", "cpu-fallback"),
        ("aten", "plus_.Tensor", "XLA"): ("op_plugin:unsupported", ".", ".", "0", "0", "0", "blocked"),
        ("aten", "fill_.into", "XLA"): (supported, ".", "1", "0", "0", "0", "native"),
        ("aten", "npu_one", "XLA"): ("op_plugin:custom", "0", "1", "0", "1", "0", "native"),
        ("aten", "shape_of", "XLA"): (supported, ".", ".", "1", "0", "0", "native"),
        ("aten", "npu_own_view", "XLA"): (supported + "+" + supported + ":custom", ".", ".", "0", "1", "0", "native"),
    }


def test_a_musa_list_with_its_patch(opcheck, opdb, imported, tmp_path):
    imported("musa", "--release", "v9.9.0", "--torch", "2.7.1", *NATIVE, *DATED, "--functions", LISTS / "musa" / "functions.yaml",
             "--patch", LISTS / "musa" / "native.patch")
    found = rows(opdb, "musa", "9.9.0", "origin", "status", "kernel", "note")
    structured, patched = "structured group, kernel through DispatchStub or .out", "op added by the torch_musa patch to PyTorch"
    kernels = {("plus.out", "PrivateUse1"): "PlusOut", ("pad", "PrivateUse1"): "Pad", ("pad", "QuantizedPrivateUse1"): "Pad",
               ("pad", "SparsePrivateUse1"): "SparsePad", ("pad.out", "PrivateUse1"): "PadOut"}
    expected = {("aten", *key): ("musa_functions", "native", name, ".") for key, name in kernels.items()}
    for op in ("plus.Tensor", "plus_.Tensor"):
        expected["aten", op, "PrivateUse1"] = ("musa_functions", "native", ".", structured)
    expected["aten", "added_kernel", "PrivateUse1"] = ("musa_functions", "native", "AddedKernel", patched)
    expected["aten", "added_composite", "schema-only"] = ("torch_patch", "composite", ".", patched)
    assert found == expected
    assert text.axis(opdb, "musa")[-1] == "9.9.0"
    assert opcheck("db", "build", opdb, "-o", tmp_path / "new.sqlite").status == 0


def test_a_new_version_of_torch(opcheck, opdb, imported, tmp_path):
    said = imported("torch", "--torch", "2.12.5", *NATIVE, "--tags", LISTS / "tags.yaml", "--generated", LISTS / "generated.txt")
    assert said == "torch 2.12.5: 12 operators, 4 generated overloads\n"
    versions = [row["version"] for row in text.table(opdb, "torch/versions.tsv")]
    assert versions[versions.index("2.12.5") - 1:][:3] == ["2.12.0", "2.12.5", "2.13.0"]
    found = {row["op"]: row for row in text.table(opdb, "torch/universe.tsv") if "2.12.5" in text.covered(row["torch"], versions)}
    assert {op: (row["kind"], row["has"]) for op, row in found.items()} == {
        "plus.Tensor": ("functional", "nonfunctional"), "plus_.Tensor": ("inplace", "nonfunctional"),
        "plus.out": ("out", "cpu cuda structured"), "shape_of": ("functional", "implicit view"), "pad": ("functional", "cpu"),
        "plain": ("functional", "explicit"), "left_out": ("functional", "implicit"), "core_too": ("functional", "implicit"),
        "_foreach_twice": ("functional", "cpu cuda"), "_foreach_half": ("functional", "cpu"), "only_sparse": ("functional", "."),
        "fill_.into": ("inplace", "."), "pad.out": ("out", "explicit"), "pad_again": ("functional", "explicit"),
        "plain.out": ("out", "explicit"), "core_too.out": ("out", "explicit")}
    assert found["plus.Tensor"]["variants"] == "function method" and found["plus.Tensor"]["tags"] == "core pointwise"
    assert found["core_too.out"]["tags"] == "generated" and found["core_too.out"]["autogen_of"] == "core_too"
    assert found["pad"]["keys"] == "CPU SparseCPU SparseCUDA" and found["plus.Tensor"]["structured_delegate"] == "plus.out"
    schemas = {row["op"]: row["signature"] for row in text.table(opdb, "torch/schemas.tsv")
               if "2.12.5" in text.covered(row["torch"], versions)}
    assert set(schemas) == set(found)
    assert schemas["pad.out"].startswith("(Tensor self, SymInt[] sizes, float? value=None, *, Tensor(a!) out0")
    assert opcheck("db", "build", opdb, "-o", tmp_path / "new.sqlite").status == 0


def test_formulas_of_gradients(opcheck, opdb, imported, tmp_path):
    """Overloads that have one are numbered by name, one that only throws counts and is none, helpers and forward derivatives are no
    operators, and what is for nested tensors alone is left out."""
    native = tmp_path / "native_functions.yaml"
    more = "".join("- func: %s(Tensor self) -> Tensor\n" % name
                   for name in ("plain_backward", "plus_backward", "nested_backward", "pad_forward_backward.mask", "pad_forward2d"))
    native.write_text((LISTS / "native_functions.yaml").read_text(encoding="utf-8") + "\n" + more, encoding="utf-8")
    args = ["torch", "--torch", "2.12.5", "--native-functions", native]
    given = tmp_path / "derivatives.yaml"
    given.write_text((LISTS / "derivatives.yaml").read_text(encoding="utf-8") + "- name: pad_forward2d(Tensor self) -> Tensor\n  self: grad\n",
                     encoding="utf-8")
    formulas = ["--derivatives", given]
    assert imported(*args, *formulas).startswith("4 formulas of gradients\n")
    versions = [row["version"] for row in text.table(opdb, "torch/versions.tsv")]
    found = [(row["node"], row["forward"], row["calls"]) for row in text.table(opdb, "torch/gradients.tsv")
             if "2.12.5" in text.covered(row["torch"], versions)]
    assert found == [("PadBackward0", "pad", "plain_backward pad_forward_backward"), ("PadForward2DBackward0", "pad_forward2d", "."),
                     ("PlusBackward0", "plus.Tensor", "."), ("PlusBackward2", "plus.out", "plain_backward")]
    assert opcheck("db", "build", opdb, "-o", tmp_path / "new.sqlite").status == 0
    before = text.digest(opdb)
    assert "gradients" not in imported(*args, "--force")  # without the file what was read before stays
    imported(*args, *formulas, "--force")
    assert text.digest(opdb) == before


def test_old_torch_generates_less(opdb, imported):
    said = imported("torch", "--torch", "2.5.9", *NATIVE)
    assert said == "torch 2.5.9: 12 operators, 3 generated overloads\n"


def test_signatures_of_generated_overloads_follow_from_their_base(opdb, imported):
    """generated.txt was written by hand: without it the same signatures are worked out."""
    imported("torch", "--torch", "2.12.5", *NATIVE, "--generated", LISTS / "generated.txt")
    before = text.digest(opdb)
    imported("torch", "--torch", "2.12.5", *NATIVE, "--force")
    assert text.digest(opdb) == before


def test_the_same_import_twice_changes_nothing(opdb, imported):
    args = ["npu", "--release", "v2.7.1-99.0.0", "--torch", "2.7.1", *NATIVE, *NPU, *DATED, "--op-plugin", LISTS / "npu" / "combined.yaml"]
    imported(*args)
    before = text.digest(opdb)
    assert "0 added, 0 removed, 0 changed" in imported(*args, "--force")
    assert text.digest(opdb) == before


def test_what_the_code_told_survives(opdb, imported, tmp_path):
    args = ["npu", "--release", "v2.7.1-99.0.0", "--torch", "2.7.1", *NATIVE, *NPU, *DATED, "--op-plugin"]
    imported(*args, LISTS / "npu" / "combined.yaml")
    path = opdb / "npu" / "support.tsv"
    lines = path.read_text(encoding="utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("aten\tplus.Tensor\t") and line.endswith("\t2.7.1-99.0.0"))
    cells = lines[at].split("\t")
    cells[9:13] = ["native", "wrapper without own ACL kernel", "acl_op", "0"]
    lines[at] = "\t".join(cells)
    path.write_text("\n".join(lines), encoding="utf-8")
    assert "0 added, 0 removed, 0 changed" in imported(*args, LISTS / "npu" / "combined.yaml", "--force")
    # with an aclnn kernel the entry is no wrapper any more, but the scan of the code still stands
    changed = tmp_path / "changed.yaml"
    given = (LISTS / "npu" / "combined.yaml").read_text(encoding="utf-8")
    changed.write_text(given.replace("op_api: v2.1, v2.10", "op_api: all_version"), encoding="utf-8")
    assert "0 added, 0 removed, 1 changed" in imported(*args, changed, "--force")
    row = text.registrations(opdb, "npu", "2.7.1-99.0.0")["aten", "plus.Tensor", "PrivateUse1"]
    assert (row["status"], row["host_path"], row["acl_launch"], row["note"]) == ("native", "acl_op", "0", ".")


def test_a_source_of_ones_own_is_cited(opdb, imported):
    imported("musa", "--release", "v9.9.0", "--torch", "2.7.1", *NATIVE, *DATED, "--functions", LISTS / "musa" / "functions.yaml",
             "--patch", LISTS / "musa" / "native.patch", "--source", "musa-vision")
    assert {row["source"] for row in text.registrations(opdb, "musa", "9.9.0").values()} == {"musa-vision"}


def test_a_new_release_is_in_no_span_that_crosses_it(opdb, imported):
    """Tables beside support.tsv say what was looked for: nobody has looked in a release that was just read."""
    path = opdb / "npu" / "looked.tsv"
    path.write_text("# b\ta\treleases\nz\t.\t2.6.0-7.3.0..master\nb\tx y\t2.7.1-26.0.0 2.7.1-26.1.0..2.7.1-dev\n", encoding="utf-8")
    other = opdb / "npu" / "other.tsv"
    other.write_text("# a\tb\n1\t2\n", encoding="utf-8")
    imported("npu", "--release", "v2.7.1-99.0.0", "--torch", "2.7.1", *NATIVE, *NPU, *DATED, "--op-plugin", LISTS / "npu" / "combined.yaml")
    assert path.read_text(encoding="utf-8") == ("# b\ta\treleases\nz\t.\t2.6.0-7.3.0..2.7.1-26.1.0 2.7.1-dev..master\n"
                                                "b\tx y\t2.7.1-26.0.0..2.7.1-26.1.0 2.7.1-dev\n")
    assert other.read_text(encoding="utf-8") == "# a\tb\n1\t2\n"


def test_a_new_torch_is_in_no_span_that_crosses_it(opdb, imported):
    path = opdb / "torch" / "looked.tsv"
    path.write_text("# a\ttorch\nz\t2.10.0..2.15.0\n", encoding="utf-8")
    imported("torch", "--torch", "2.12.5", *NATIVE)
    assert path.read_text(encoding="utf-8") == "# a\ttorch\nz\t2.10.0..2.12.0 2.13.0..2.15.0\n"
