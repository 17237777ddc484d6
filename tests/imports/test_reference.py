"""Every list of the vendors that is at hand gives what the fact text says: over the text as it is, and into a text that never had
the release. Differences are counted, listed and explained in differences.tsv."""
import pathlib
import re

import pytest

import text
from conftest import python_alone

TORCH = {"1.11.0": "1.11.0", "2.1.0": "2.1.2", "2.2.0": "2.2.2", "2.5.0": "2.5.1", "2.6.0": "2.6.0", "2.7.1": "2.7.1", "2.10.0": "2.10.0"}
NPU = ["v1.11.0-5.0.0", "v2.1.0-5.0.0", "v2.1.0-6.0.0", "v2.6.0-7.3.0", "v2.7.1-26.0.0", "v2.10.0-26.1.0"]
MUSA = {"v1.3.0": "2.2.0", "v2.1.0": "2.5.0", "v2.7.1": "2.7.1"}
# version of the fact text: folder of the lists
UNIVERSES = {"1.8.1": "1.8.1", "1.11.0": "1.11.0", "1.13.0": "1.13.1", "2.0.0": "2.0.1", "2.0.1": "2.0.1", "2.1.0": "2.1.2", "2.2.0": "2.2.2",
             "2.3.1": "2.3.1", "2.4.0": "2.4.1", "2.5.0": "2.5.1", "2.5.1": "2.5.1", "2.6.0": "2.6.0", "2.7.1": "2.7.1", "2.8.0": "2.8.0",
             "2.9.0": "2.9.1", "2.10.0": "2.10.0", "2.11.0": "2.11.0", "2.12.0": "2.12.1", "2.13.0": "2.13.0", "2.14.1": "2.14.1",
             "2.15.0": "2.15.0"}
# What no list says: it was read in the C++ code.
CODE_COLUMNS = {"host_path", "acl_launch", "note"}


def npu(reference, release):
    torch = release[1:].split("-")[0]
    lists = reference / "sources" / "npu" / release
    return ["npu", "--release", release, "--torch", torch, "--native-functions",
            reference / "sources" / "torch" / TORCH[torch] / "native_functions.yaml",
            "--framework", lists / "npu_native_functions.yaml", "--op-plugin", lists / "op_plugin_functions.yaml"]


def musa(reference, tag):
    lists = reference / "sources" / "musa" / tag
    return ["musa", "--release", tag, "--torch", MUSA[tag], "--native-functions",
            reference / "sources" / "torch" / TORCH[MUSA[tag]] / "native_functions.yaml",
            "--functions", lists / "musa_functions.yaml", "--patch", lists / "native_functions.yaml.patch"]


def torch(reference, version):
    folder = reference / "sources" / "torch" / UNIVERSES[version]
    more = [("--tags", folder / "tags.yaml"), ("--generated", folder / "generated.txt")]
    if version != "2.5.0":  # its formulas are those of 2.5.1, which the text has
        more.append(("--derivatives", folder / "derivatives.yaml"))
    given = [word for option, path in more if path.exists() for word in (option, path)]
    return ["torch", "--torch", version, "--native-functions", folder / "native_functions.yaml", *given]


def listed(target, release):
    """{(ns, op, key, column): (text, import)} of the differences that are explained."""
    rows = text.table(pathlib.Path(__file__).parent, "differences.tsv")
    assert all(len(row["evidence"]) > 10 for row in rows)
    return {(r["ns"], r["op"], r["key"], r["column"]): (r["text"], r["import"]) for r in rows
            if (r["target"], r["release"]) == (target, release)}


def differences(before, after):
    found = {}
    for key in set(before) | set(after):
        old, new = before.get(key, {}), after.get(key, {})
        for column in set(old) | set(new):
            if old.get(column) != new.get(column):
                found[key + (column,)] = (old.get(column), new.get(column))
    return found


def imported(opdb, *args):
    run = text.facts(*args, "--opdb", opdb)
    assert (run.status, run.err) == (0, "")
    return run.text


RELEASES = [("npu", r) for r in NPU] + [("musa", r) for r in MUSA]


def arguments(reference, target, release):
    return npu(reference, release) if target == "npu" else musa(reference, release)


@python_alone
@pytest.mark.parametrize("target, release", RELEASES)
def test_a_release_read_again_is_as_it_was(whole_reference, tmp_path, target, release):
    opdb, name = text.copy(tmp_path), release[1:]
    before, said = text.digest(opdb), text.registrations(opdb, target, name)
    report = imported(opdb, *arguments(whole_reference, target, release), "--force")
    expected = listed(target, name)
    assert differences(said, text.registrations(opdb, target, name)) == expected
    counted = re.search(r"(\d+) added, (\d+) removed, (\d+) changed", report).groups()
    assert counted == ("0", "0", str(len({key[:3] for key in expected})))
    if not expected:
        assert text.digest(opdb) == before


@python_alone
@pytest.mark.parametrize("target, release", RELEASES)
def test_a_release_that_is_new_registers_what_the_text_says(opcheck, whole_reference, tmp_path, target, release):
    opdb, name = text.copy(tmp_path), release[1:]
    said = text.registrations(opdb, target, name)
    others = {r: text.registrations(opdb, target, r) for r in text.axis(opdb, target)[::9] if r != name}
    order = text.axis(opdb, target)
    wanted = next(r for r in text.table(opdb, target + "/releases.tsv") if r["release"] == name)
    text.without(opdb, target, name)
    imported(opdb, *arguments(whole_reference, target, release), "--date", wanted["date"], "--commit", wanted["commit"])
    assert text.axis(opdb, target) == order
    assert {r: text.registrations(opdb, target, r) for r in others} == others
    # what only the C++ code has is not in the lists: its own rows, and which kernels are wrappers
    code = {key for key, row in said.items() if row["origin"] == "cpp"}
    found = text.registrations(opdb, target, name)
    left = {}
    for key, change in differences(said, found).items():
        row = said.get(key[:3], {})
        wrapper = row.get("acl_launch") == "0" and key[3] == "status" and change == ("native", "native-jit")
        if key[3] not in CODE_COLUMNS and not wrapper and key[:3] not in code:
            left[key] = change
    assert left == listed(target, name)
    made = next(r for r in text.table(opdb, target + "/releases.tsv") if r["release"] == name)
    same = set(made) - {"rows", "dense_rows", "op_plugin", "list"}
    assert {c: made[c] for c in same} == {c: wanted[c] for c in same}
    assert opcheck("db", "build", opdb, "-o", tmp_path / "new.sqlite").status == 0


@python_alone
def test_every_universe_read_again_is_as_it_was(whole_reference, tmp_path):
    opdb = text.copy(tmp_path)
    before = text.digest(opdb)
    for version in UNIVERSES:
        imported(opdb, *torch(whole_reference, version), "--force")
        assert text.digest(opdb) == before, version


@python_alone
def test_signatures_of_generated_overloads_are_those_of_the_wheels(whole_reference, tmp_path):
    """Worked out from the operator that each calls, for every version: as RegistrationDeclarations.h of the wheel has them."""
    opdb = text.copy(tmp_path)
    before = text.digest(opdb)
    for version in UNIVERSES:
        args = torch(whole_reference, version)
        if "--generated" in args:
            at = args.index("--generated")
            imported(opdb, *args[:at], *args[at + 2:], "--force")
            assert text.digest(opdb) == before, version


@python_alone
def test_a_universe_that_is_new_is_as_the_text_says(whole_reference, tmp_path):
    opdb = text.copy(tmp_path)
    before = text.digest(opdb)
    names = [row["version"] for row in text.table(opdb, "torch/versions.tsv")]
    for file in ("torch/universe.tsv", "torch/schemas.tsv", "torch/gradients.tsv"):
        rows = []
        for row in text.table(opdb, file):
            left = [v for v in text.covered(row["torch"], names) if v != "2.13.0"]
            if left:
                rows.append(dict(row, torch=text.joined(left, [v for v in names if v != "2.13.0"])))
        text.write(opdb, file, rows, list(rows[0]))
    versions = text.table(opdb, "torch/versions.tsv")
    text.write(opdb, "torch/versions.tsv", [v for v in versions if v["version"] != "2.13.0"], list(versions[0]))
    imported(opdb, *torch(whole_reference, "2.13.0"))
    assert text.digest(opdb) == before


def test_reports_give_the_table_once_and_for_all(opcheck, reference, tmp_path):
    def imported():
        run = opcheck("db", "import", "reported", reference / "facts" / "reported.csv", "--opdb", opdb)
        assert run.status == 0, run.err
        return run.text

    opdb = text.copy(tmp_path)
    (opdb / "reported.tsv").unlink(missing_ok=True)
    first = imported()
    before = text.digest(opdb)
    rows = text.table(opdb, "reported.tsv")
    assert " 0 there already" in first and len(rows) == int(first.split()[0])
    assert rows == sorted(rows, key=lambda row: ["" if c == "." else c for c in row.values()])
    assert " 0 new," in imported()
    assert text.digest(opdb) == before
