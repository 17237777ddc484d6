"""`opcheck db`: what a database says of itself, what it breaks, what changed, and how it travels."""
import csv
import hashlib
import io
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess

import jsonschema
import pytest

from conftest import ROOT, program

SHIPPED = pathlib.Path(program("opcheck", "OPCHECK_DB"))


@pytest.fixture
def database(small_db, tmp_path):
    """A copy that a test may break."""
    return pathlib.Path(shutil.copy(small_db, tmp_path / "opdb.sqlite"))


def change(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_info_counts(opcheck, database):
    text = opcheck("db", "info", "--db", database).text
    connection = sqlite3.connect(database)
    build, digest, facts = connection.execute("SELECT build, sha256, facts FROM info").fetchone()
    kinds = dict(connection.execute("SELECT kind, count(*) FROM source GROUP BY kind"))
    npu = connection.execute("SELECT count(*) FROM release WHERE target = 'npu'").fetchone()[0]
    lines = dict(line.split(None, 1) for line in text.splitlines())
    assert lines["build"] == build and lines["facts"] == str(facts) and digest in lines["sha256"]
    assert "releases   %d of torch_npu\n" % npu in text
    assert lines["sources"] == "%d: %d of code, %d of vendors' documents, %d inferred" % (
        sum(kinds.values()), kinds["source"], kinds["vendor-doc"], kinds["inferred"])
    assert lines["age"].endswith(" days")


def test_verify_finds_the_shipped_database_whole_and_says_what_it_covers(opcheck):
    database = SHIPPED
    done = opcheck("db", "verify", ROOT / "opdb")
    assert done.status == 0, done.err
    assert "integrity  OK\n" in done.text and "broken" not in done.text
    assert "SHA-256    " + hashlib.sha256(database.read_bytes()).hexdigest() in done.text
    releases = sqlite3.connect(database).execute("SELECT target || '@' || ref FROM release").fetchall()
    covered = [line.split()[1] for line in done.text.splitlines() if line.startswith("covers ")]
    assert sorted(covered) == sorted(r[0] for r in releases)
    assert "gap        musa S4000: " in done.text
    partial = dict(sqlite3.connect(database).execute("SELECT 'chips', count(DISTINCT place) FROM release JOIN chip_branch"
                                                     " ON place BETWEEN first AND last WHERE target = 'npu'"))
    assert "npu: branches on chips were looked for in %d of " % partial["chips"] in done.text


BREAKS = (
    ("UPDATE universe SET structured_delegate = 'add.gone' WHERE op = 'add.Tensor'", "delegate that is not there"),
    ("UPDATE universe SET autogen_of = 'gone' WHERE op = 'add.Scalar_out'", "generated operator whose origin is not there"),
    ("UPDATE support SET last = first + 30 WHERE ns = 'aten' AND op = '_ctc_loss' AND target = 'npu'", "two rows of support cover one release"),
    ("UPDATE support SET last = 4000 WHERE op = 'mm' AND target = 'musa'", "fact about a release that is not there"),
    ("UPDATE universe SET last = first - 1 WHERE op = 'mm'", "a row of universe ends before it begins"),
    ("UPDATE support SET source = 999 WHERE op = 'mm'", "a table refers to a row that is not there"),
    ("DELETE FROM universe WHERE first = 0 AND last = 0 OR first <= 0", "PyTorch without operators"),
    ("DELETE FROM name WHERE base = 'mm'", "operator that no name leads to"),
    ("UPDATE info SET facts = facts + 1", "the number of facts is not what was built"),
    ("UPDATE chip_branch SET last = 4000 WHERE kernel = '_foreach_add_'", "branch on a chip in a release that is not there"),
    ("UPDATE autocast SET last = first + 40 WHERE op = '_convolution' AND target = 'musa'", "list of autocast of a release"),
    ("UPDATE api SET last = first - 1 WHERE api = 'torch.Tensor.abs'", "a row of api ends before it begins"),
    ("UPDATE info SET build = 'abcdef012345'", "the build is not its beginning"),
)


@pytest.mark.parametrize("statement,words", BREAKS)
def test_verify_names_what_is_broken(opcheck, database, statement, words):
    change(database, statement)
    done = opcheck("db", "verify", "--db", database)
    assert done.status == 4
    lines = [line for line in done.text.splitlines() if line.startswith("broken ")]
    assert [line for line in lines if words in line], done.text
    assert "OPC-4004" in done.err and "breaks %d invariants" % len(lines) in done.err


def test_verify_holds_the_text_against_the_digest(opcheck, database, tmp_path):
    text = tmp_path / "text"
    shutil.copytree(ROOT / "tests" / "unit" / "facts", text)
    with open(text / "fallbacks.tsv", "a", encoding="utf-8") as file:
        file.write("other\t1\tsomething else\t.\n")
    done = opcheck("db", "verify", "--db", database, text)
    assert done.status == 4 and "built from another fact text" in done.text


@pytest.mark.parametrize("at", (0.02, 0.5, 0.99))
def test_a_damaged_file_is_never_fine(opcheck, database, at):
    """Zeroes over two pages: SQLite or an invariant notices."""
    with open(database, "r+b") as file:
        file.seek(int(database.stat().st_size * at) // 4096 * 4096)
        file.write(bytes(8192))
    done = opcheck("db", "verify", "--db", database)
    assert done.status == 4 and len([l for l in done.err.splitlines() if "error OPC-400" in l]) == 1


def test_a_file_cut_short_and_another_file_are_refused(opcheck, database):
    os.truncate(database, database.stat().st_size // 2)
    assert opcheck("db", "verify", "--db", database).status == 4
    database.write_text("no database")
    assert opcheck("db", "verify", "--db", database).status == 4


# --- differences

def test_diff_of_releases_follows_op(opcheck):
    done = opcheck("db", "diff", "npu@v2.7.1-7.3.0", "npu@v2.7.1-26.0.0", "-f", "json").json
    assert done["before"] == "npu@v2.7.1-7.3.0" and done["after"] == "npu@v2.7.1-26.0.0"
    order = ["native", "native-jit", "composite", "equivalent", "cpu-fallback", "unsupported", "needs-package", "unknown"]
    counts = dict.fromkeys(("added", "removed", "better", "worse"), 0)
    for item in done["changes"]:
        counts[item["change"]] += 1
        if item["change"] in ("better", "worse"):
            assert (order.index(item["after"]) < order.index(item["before"])) == (item["change"] == "better"), item
    assert counts == done["counts"] and counts["better"] > 10
    for item in [i for i in done["changes"] if i["change"] == "better"][:5]:
        rows = csv.DictReader(io.StringIO(opcheck("op", item["operator"], "-t", done["before"], "-t", done["after"], "-f", "csv").text))
        assert [row["status"] for row in rows] == [item["before"], item["after"]]
    back = opcheck("db", "diff", done["after"], done["before"], "-f", "json").json
    swapped = {"added": "removed", "removed": "added", "better": "worse", "worse": "better"}
    assert {(i["operator"], swapped[i["change"]]) for i in back["changes"]} == {(i["operator"], i["change"]) for i in done["changes"]}


def test_every_format_lists_the_same_changes(opcheck):
    sides = ("musa@v2.0.0", "musa@v2.7.1")
    done = opcheck("db", "diff", *sides, "-f", "json").json
    changes = [(i["operator"], i["change"]) for i in done["changes"]]
    details = [(i["operator"], i["aspect"]) for i in done["details"]]
    assert changes and details and not any(i["releases"] for i in done["details"])
    rows = csv.DictReader(io.StringIO(opcheck("db", "diff", *sides, "-f", "csv").text))
    assert [(row["operator"], row["change"]) for row in rows] == changes + details
    text = [line for line in opcheck("db", "diff", *sides).text.splitlines()[1:] if line.split()[:1] in (["added"], ["removed"], ["better"], ["worse"])]
    assert [(line.split()[1].rstrip(":"), line.split()[0]) for line in text] == changes
    marked = [line for line in opcheck("db", "diff", *sides, "-f", "markdown").text.splitlines()[4:] if line.startswith("|")]
    assert [(cells[3].strip().strip("`"), cells[1].strip()) for cells in (line.split("|") for line in marked)] == changes
    for form in ("text", "markdown", "html"):
        shown = opcheck("db", "diff", *sides, "-f", form).text.replace("\\_", "_")
        assert [name for name, _ in details if name not in shown] == [], form


def test_two_releases_differ_in_units_types_and_conditions(opcheck):
    """As two databases do; units and types where an operator runs on the device on both, whatever became of its status."""
    args = ["db", "diff", "npu@v2.7.1-7.3.0:910B", "npu@v2.7.1-26.0.0:910B", "-f", "json"]
    done = opcheck(*args).json
    jsonschema.validate(done, json.loads((ROOT / "schema" / "db-diff.schema.json").read_text(encoding="utf-8")))
    units = [d for d in done["details"] if d["aspect"] == "unit"]
    moved = next(d for d in units if d["operator"] == "npu::npu_scatter_nd_update")
    assert (moved["before"], moved["after"], moved["chips"], moved["dtypes"]) == ("rejected", "aicore", ["910B"], ["int16", "int32"])
    # the same unit by other kernels: other conditions decide
    other = [d for d in units if d["before"] == d["after"]]
    assert other and all(d["kernels_before"] != d["kernels_after"] for d in other)
    assert {d["operator"] for d in units} & {c["operator"] for c in done["changes"] if c["change"] in ("better", "worse")}
    asked = opcheck("op", moved["operator"], "-t", done["before"], "-t", done["after"], "-f", "json").json["operators"][0]["facts"]
    rows = [next(row["unit"] for row in facts["units"]["rows"] if "int16" in row["dtypes"]) for facts in asked.values()]
    assert rows == [moved["before"], moved["after"]]


def test_a_release_and_itself_are_the_same(opcheck):
    assert opcheck("db", "diff", "npu", "npu").text.endswith(": 0 added, 0 removed, 0 better, 0 worse\n")


def test_diff_of_databases_names_release_and_operator(opcheck, small_db, database):
    assert opcheck("db", "diff", small_db, database).text.count("\n") == 1
    change(database, "UPDATE support SET status = 'blocked' WHERE ns = 'aten' AND op = 'mm' AND target = 'musa'",
           "UPDATE release SET ref = 'v9.9' WHERE target = 'musa' AND ref = 'v2.7.1'")
    done = opcheck("db", "diff", small_db, database, "-f", "json").json
    releases = {(i["release"], i["change"]) for i in done["changes"] if "operator" not in i}
    assert releases == {("musa@v2.7.1", "removed"), ("musa@v9.9", "added")}
    changed = [i for i in done["changes"] if "operator" in i]
    assert {i["operator"] for i in changed} == {"aten::mm", "aten::mm_"} & {i["operator"] for i in changed} | {"aten::mm"}
    assert all(i["change"] == "worse" and i["after"] == "unsupported" and i["release"].startswith("musa@") for i in changed)
    assert len({i["release"] for i in changed}) == 12


@pytest.mark.parametrize("args,status", (
    (("npu",), 2), (("npu", "musa", "npu"), 2), (("npu@v0.0", "npu"), 2), (("npu", "opdb.sqlite"), 2),
    (("none.sqlite", "none.sqlite"), 4), (("npu", "musa", "-f", "xml"), 2)))
def test_what_cannot_be_compared_is_refused(opcheck, tmp_path, args, status):
    done = opcheck("db", "diff", *args, cwd=tmp_path)
    assert done.status == status and not done.out


# --- packs

@pytest.fixture
def pack(opcheck, small_db, tmp_path):
    path = tmp_path / "facts.pack"
    assert opcheck("db", "export", path, "--db", small_db).status == 0
    return path


def manifest_of(pack):
    content = subprocess.run(["zstd", "-dc", str(pack)], capture_output=True, check=True).stdout
    first, manifest, database = content.split(b"\n", 2)
    assert first == b"opcheck-pack 1"
    return json.loads(manifest), database


def packed(path, manifest, database, first=b"opcheck-pack 1"):
    content = first + b"\n" + (manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()) + b"\n" + database
    path.write_bytes(subprocess.run(["zstd", "-c"], input=content, capture_output=True, check=True).stdout)
    return path


def test_a_pack_carries_the_bytes_and_says_what_they_are(opcheck, tmp_path):
    pack, shipped = tmp_path / "facts.pack", SHIPPED.read_bytes()
    assert opcheck("db", "export", pack).status == 0
    manifest, inside = manifest_of(pack)
    connection = sqlite3.connect(SHIPPED)
    assert inside == shipped and manifest["bytes"] == len(shipped)
    assert manifest["sha256"] == hashlib.sha256(shipped).hexdigest()
    assert (manifest["build"], manifest["facts_sha256"]) == connection.execute("SELECT build, sha256 FROM info").fetchone()
    assert [s["name"] for s in manifest["sources"]] == [r[0] for r in connection.execute("SELECT name FROM source ORDER BY id")]
    again = tmp_path / "again.pack"
    opcheck("db", "export", again)
    assert again.read_bytes() == pack.read_bytes()
    assert opcheck("db", "export", again).status == 2, "an existing pack is not replaced"
    assert opcheck("db", "export", again, "--force").status == 0
    target = tmp_path / "new.sqlite"
    assert opcheck("db", "install", pack, "--unsigned", "--to", target).status == 0
    assert target.read_bytes() == shipped


def test_what_changed_for_the_operators_of_dumps_is_printed_after_an_install(opcheck, small_db, pack, database, tmp_path):
    """The database in place lacks isin and add on MUSA: the new one has them, and the dump calls isin alone."""
    change(database, "DELETE FROM support WHERE target = 'musa' AND base IN ('isin', 'add')")
    dump, report = tmp_path / "ops.txt", tmp_path / "report.json"
    dump.write_text("aten::isin\naten::mul\n", encoding="utf-8")
    opcheck("check", dump, "-t", "musa@v2.7.1", "-o", report)
    for given in (dump, report):
        lines = opcheck("db", "diff", database, small_db, "--of", given).text.splitlines()
        assert "0 removed" in lines[0] and len(lines) > 5
        assert all(" musa@" in line and " aten::isin: " in line for line in lines[1:])
    state = tmp_path / "state"
    (state / "dumps").mkdir(parents=True)
    (state / "dumps" / "0a1b").write_text("aten::isin\n", encoding="utf-8")
    (state / "dumps" / "ff\x1b[31m").write_bytes(b"")
    (state / "store.sqlite").write_bytes(b"not a dump")
    for folder in (state, state / "dumps"):
        done = opcheck("db", "diff", database, small_db, "--of", folder)
        assert (done.status, done.text.splitlines()) == (0, lines)
        assert done.err.count("\n") == 1 and "ff\\x1b[31m: left out: " in done.err, "one line for each such file"
    both = opcheck("db", "diff", database, small_db, "--of", dump, "-f", "json").json
    assert {c["operator"] for c in both["changes"]} == {"aten::isin"} and len(both["changes"]) == len(lines) - 1
    done = opcheck("db", "install", pack, "--unsigned", "--to", database, "--of", dump)
    assert done.status == 0 and done.text.splitlines() == lines
    done = opcheck("db", "install", pack, "--unsigned", "--to", database, "--of", dump)
    assert (done.status, done.text) == (0, ""), "the same again changes nothing"
    done = opcheck("db", "diff", database, small_db, "--of", tmp_path / "missing.txt")
    assert done.status == 3 and "missing.txt" in done.err


def facts_with(tmp_path, name, changes):
    """A copy of the facts of the unit tests in which lines of some tables are replaced, or added."""
    folder = tmp_path / name
    shutil.copytree(ROOT / "tests" / "unit" / "facts", folder)
    for table, old, new in changes:
        lines = (folder / table).read_text(encoding="utf-8").splitlines()
        assert not old or lines.count(old) == 1, old
        rows = [new if line == old else line for line in lines[1:]] + ([] if old else [new])
        rows.sort(key=lambda row: row.split("\t")[:4])  # the order that a build asks for, whatever the key of the table
        (folder / table).write_text("\n".join(lines[:1] + rows) + "\n", encoding="utf-8")
    return folder


DETAILS = (
    ("npu/units.tsv", "abs\taicpu\tfp64 int8 int16\t910B 910_93\tAbs\t.\t8.5.0", "abs\taicore\tfp64 int8 int16\t910B 910_93\t.\t.\t8.5.0"),
    ("musa/kernel_limits.tsv", "_local_scalar_dense\tself\tfp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 bool complex64 complex128 complex32 uint16 uint32 uint64\t.\t.\t.\ttorch_musa/csrc/aten/ops/Scalar.cpp:20\tmusa-kernels\t2.1.0..2.7.1",
     "_local_scalar_dense\tself\tfp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 complex64 complex128 complex32 uint16 uint32 uint64\t.\t.\t.\ttorch_musa/csrc/aten/ops/Scalar.cpp:20\tmusa-kernels\t2.1.0..2.7.1"),
    ("reported.tsv", None, "npu\t2.7.1\t2.7.1-26.0.0\taten::mul\tcrash\tthe process ends in mul\thttps://example.org/1\t2026-01-01\t910B\tint64\t.\t."),
)


def test_units_types_and_reports_that_changed_are_listed_where_no_status_did(opcheck, small_db, tmp_path):
    """Abs moves from the AI CPU to the AI Core, a type is limited, a crash is reported: no status changes by these."""
    other = tmp_path / "other.sqlite"
    assert opcheck("db", "build", facts_with(tmp_path, "facts", DETAILS), "-o", other).status == 0
    done = opcheck("db", "diff", small_db, other, "-f", "json").json
    jsonschema.validate(done, json.loads((ROOT / "schema" / "db-diff.schema.json").read_text(encoding="utf-8")))
    assert not done["changes"] and set(done["counts"].values()) == {0}
    by_name = {}
    for detail in done["details"]:
        by_name.setdefault(detail["operator"], []).append(detail)
    assert sorted(by_name) == ["aten::_local_scalar_dense", "aten::abs", "aten::mul"]
    for unit in by_name["aten::abs"]:
        assert (unit["aspect"], unit["before"], unit["after"]) == ("unit", "aicpu", "aicore")
        assert set(unit["chips"]) <= {"910B", "910_93"} and set(unit["dtypes"]) == {"fp64", "int8", "int16"}
        assert "musa@v2.7.1" not in unit["releases"]
    limit, = by_name["aten::_local_scalar_dense"]
    assert (limit["aspect"], limit["dtypes"], limit["after"]) == ("types", ["bool"], "rejected")
    assert limit["before"] in ("unknown", "accepted") and all(release.startswith("musa@") for release in limit["releases"])
    report, = by_name["aten::mul"]
    assert (report["aspect"], report["before"], report["after"]) == ("report", "", "crashes")
    assert (report["report"], report["ref"]) == ("the process ends in mul", "https://example.org/1")
    back = opcheck("db", "diff", other, small_db, "-f", "json").json
    assert [(d["operator"], d["before"], d["after"]) for d in back["details"]] == \
        [(d["operator"], d["after"], d["before"]) for d in done["details"]]
    rows = list(csv.DictReader(io.StringIO(opcheck("db", "diff", small_db, other, "-f", "csv").text)))
    assert len(rows) == sum(len(d["releases"]) for d in done["details"])
    assert {(row["operator"], row["change"]) for row in rows} == {(d["operator"], d["aspect"]) for d in done["details"]}


def test_an_install_prints_units_that_changed_for_stored_dumps_in_both_languages(opcheck, small_db, database, tmp_path):
    other, pack, state = tmp_path / "other.sqlite", tmp_path / "other.pack", tmp_path / "state"
    assert opcheck("db", "build", facts_with(tmp_path, "facts", DETAILS), "-o", other).status == 0
    assert opcheck("db", "export", pack, "--db", other).status == 0
    (state / "dumps").mkdir(parents=True)
    (state / "dumps" / "0a1b").write_text("aten::abs\naten::relu\n", encoding="utf-8")
    done = opcheck("db", "install", pack, "--unsigned", "--to", database, "--of", state)
    assert done.status == 0 and "- aten::abs: fp64, int8, int16 on 910B" in done.text and "AI CPU (Abs) -> AI Core" in done.text
    assert "aten::mul" not in done.text and "_local_scalar_dense" not in done.text
    (state / "dumps" / "0a1b").write_text("aten::mul\n", encoding="utf-8")
    done = opcheck("db", "diff", small_db, other, "--of", state, env={"OPCHECK_LANG": "zh-CN"})
    assert done.status == 0 and "aten::mul：新增报告：the process ends in mul https://example.org/1" in done.text
    assert "aten::abs" not in done.text


def test_what_was_replaced_stays_and_comes_back(opcheck, small_db, database):
    """Three different databases, installed one after the other, and all the way back."""
    packs, contents = [], []
    for number in range(4):
        change(database, "UPDATE release SET date = '2001-01-0%d' WHERE target = 'musa' AND place = 0" % (number + 1))
        path = database.parent / ("%d.pack" % number)
        assert opcheck("db", "export", path, "--db", database).status == 0
        packs.append(path)
        contents.append(database.read_bytes())
    target = database.parent / "used.sqlite"
    shutil.copy(small_db, target)
    for path in packs:
        assert opcheck("db", "install", path, "--unsigned", "--to", target).status == 0
    assert opcheck("db", "install", packs[-1], "--unsigned", "--to", target).status == 0, "the same again changes nothing"
    kept = [target.parent / ("used.sqlite.%d" % n) for n in (1, 2, 3)]
    assert [p.read_bytes() for p in kept] == [contents[2], contents[1], contents[0]] and target.read_bytes() == contents[3]
    for wanted in (contents[2], contents[1], contents[0], contents[3]):
        done = opcheck("db", "rollback", "--to", target)
        assert done.status == 0, done.err
        assert target.read_bytes() == wanted
    names = ["used.sqlite"] + [p.name for p in kept]
    assert sorted(p.name for p in target.parent.glob("used.sqlite*")) == sorted(names + [name + ".pack" for name in names])


def bad_packs(pack, tmp_path):
    manifest, inside = manifest_of(pack)
    yield "cut", 4, lambda p: p.write_bytes(pack.read_bytes()[:-1000])
    yield "foreign", 4, lambda p: p.write_bytes(b"PK\x03\x04 something else")
    yield "empty", 4, lambda p: p.write_bytes(b"")
    yield "raw", 4, lambda p: p.write_bytes(inside)
    yield "changed", 4, lambda p: packed(p, manifest, inside[:5000] + bytes(b ^ 1 for b in inside[5000:5004]) + inside[5004:])
    yield "shorter", 4, lambda p: packed(p, manifest, inside[:-4096])
    yield "other schema", 4, lambda p: packed(p, {**manifest, "schema": manifest["schema"] + 1}, inside)
    yield "other build", 4, lambda p: packed(p, {**manifest, "build": "0" * 12}, inside)
    yield "no manifest", 4, lambda p: packed(p, b"", inside)
    yield "no json", 4, lambda p: packed(p, b"{]", inside)
    yield "list", 4, lambda p: packed(p, b"[]", inside)
    yield "version", 4, lambda p: packed(p, manifest, inside, b"opcheck-pack 3")
    yield "signatures", 4, lambda p: packed(p, manifest, inside, b"opcheck-pack 2")
    other = b"SQLite format 3\0" + bytes(5000)
    yield "no database", 4, lambda p: packed(
        p, {**manifest, "bytes": len(other), "sha256": hashlib.sha256(other).hexdigest()}, other)


def test_a_bad_pack_changes_nothing(opcheck, pack, database, tmp_path):
    before = database.read_bytes()
    change(database, "UPDATE support SET last = 4000 WHERE op = 'mm' AND target = 'musa'")
    broken = database.parent / "broken.pack"
    opcheck("db", "export", broken, "--db", database)
    database.write_bytes(before)
    cases = list(bad_packs(pack, tmp_path)) + [("breaks an invariant", 4, lambda p: shutil.copy(broken, p))]
    for name, status, make in cases:
        bad = tmp_path / "bad.pack"
        make(bad)
        done = opcheck("db", "install", bad, "--unsigned", "--to", database)
        assert done.status == status, (name, done.status, done.err)
        assert len([line for line in done.err.splitlines() if " error OPC-" in line]) == 1, (name, done.err)
        assert database.read_bytes() == before, name
        assert sorted(p.name for p in tmp_path.glob("opdb.sqlite*")) == ["opdb.sqlite"], name


def test_without_a_kept_database_there_is_no_way_back(opcheck, database):
    done = opcheck("db", "rollback", "--to", database)
    assert done.status == 4 and "no database was replaced" in done.err


def test_install_where_nothing_can_be_written(opcheck, pack):
    done = opcheck("db", "install", pack, "--unsigned", "--to", "/proc/opdb.sqlite")
    assert done.status == 6 and "OPC-6001" in done.err


def test_db_says_what_it_can_do(opcheck):
    done = opcheck("db", "fly")
    assert done.status == 2 and "check-overlay" in done.err
    assert opcheck("db").status == 2
    assert opcheck("db", "verify", "a", "b").status == 2


# --- where facts come from

def evidence(opcheck, name, target, db):
    verdicts = opcheck("op", name, "-t", target, "-f", "json", "--db", db).json["operators"][0]["verdicts"]
    return list(verdicts.values())[0]["evidence"][:1]  # that of the registration: what notes cite stands behind it


def test_evidence_has_an_address_with_its_line_and_the_date_of_the_release(opcheck, database):
    change(database, "UPDATE support SET note = 'torch_npu/csrc/aten/ops/x.cpp:123' WHERE ns = 'aten' AND op = 'mm' AND target = 'npu'",
           "UPDATE support SET source = (SELECT id FROM source WHERE name = 'npu-cpp') WHERE ns = 'aten' AND op = 'mm' AND target = 'npu'")
    found = evidence(opcheck, "mm", "npu@v2.7.1-26.0.0", database)
    date = sqlite3.connect(database).execute("SELECT date FROM release WHERE ref = 'v2.7.1-26.0.0'").fetchone()[0]
    assert {"kind": "source", "date": date,
            "ref": "https://github.com/Ascend/pytorch/blob/v2.7.1-26.0.0/torch_npu/csrc/aten/ops/x.cpp#L123"} in found


def test_evidence_without_an_address_is_shown_as_such(opcheck, database):
    change(database, "UPDATE support SET note = '' WHERE ns = 'aten' AND op = 'mm' AND target = 'npu'",
           "UPDATE support SET source = (SELECT id FROM source WHERE name = 'npu-cpp') WHERE ns = 'aten' AND op = 'mm' AND target = 'npu'")
    found = evidence(opcheck, "mm", "npu@v2.7.1-26.0.0", database)
    assert [e["text"] for e in found if not e["ref"]] == ["https://github.com/Ascend/pytorch (npu-cpp)"]
    text = opcheck("op", "mm", "-t", "npu@v2.7.1-26.0.0", "--db", database).text
    assert "(no address)" in " ".join(text.split())


def test_every_status_has_evidence_or_says_that_it_has_none(opcheck):
    assert "none: no source covers it" in opcheck("op", "nobody::knows", "-t", "npu").text
    missing = opcheck("op", "npu::npu_fusion_attention", "-t", "npu@v1.11.0-5.0.0", "-f", "json").json
    assert list(missing["operators"][0]["verdicts"].values())[0]["evidence"]
