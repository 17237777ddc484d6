"""The fact text as the tests of the imports see it: its tables, a copy to work on, a copy that lacks a release; and the program that
writes it."""
import hashlib
import os
import shutil
import sys

from conftest import ROOT, Run

OPDB = ROOT / "opdb"
EXTRACT = OPDB / "extract"
sys.path.insert(0, str(EXTRACT))


def facts(*args, **options):
    """A run of opdb/extract/facts.py, on a day of its own."""
    env = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "SOURCE_DATE_EPOCH": "1785888000"}
    return Run([sys.executable, EXTRACT / "facts.py", *args], env=env, **options)


def copy(folder):
    """A fact text of one's own."""
    target = folder / "opdb"
    shutil.copytree(OPDB, target, ignore=shutil.ignore_patterns("convert.py", "*.md", "meson.build", "__pycache__", "extract"))
    return target


def digest(opdb):
    """Every file's name and content: what must not change when an import is refused."""
    return {str(p.relative_to(opdb)): hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(opdb.rglob("*")) if p.is_file()}


def table(opdb, name):
    lines = (opdb / name).read_text(encoding="utf-8").split("\n")
    assert lines[0].startswith("# ") and lines[-1] == ""
    columns = lines[0][2:].split("\t")
    rows = [dict(zip(columns, line.split("\t"))) for line in lines[1:-1]]
    assert all(len(row) == len(columns) for row in rows)
    return rows


def write(opdb, name, rows, columns):
    with open(opdb / name, "w", encoding="utf-8", newline="\n") as out:
        out.write("# " + "\t".join(columns) + "\n")
        out.writelines("\t".join(row[c] for c in columns) + "\n" for row in rows)


def axis(opdb, target):
    return [row["release"] for row in table(opdb, target + "/releases.tsv")]


def covered(spans, names):
    """The names that spans cover."""
    found = []
    for span in spans.split(" "):
        first, _, last = span.partition("..")
        found += names[names.index(first):names.index(last or first) + 1]
    return found


def joined(found, names):
    """The spans that cover these names."""
    runs = []
    for at in sorted(names.index(name) for name in found):
        if runs and runs[-1][1] == at - 1:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    return " ".join(names[a] if a == b else names[a] + ".." + names[b] for a, b in runs)


def registrations(opdb, target, release):
    """What a release registers, by namespace, operator and key."""
    names = axis(opdb, target)
    found = {}
    for row in table(opdb, target + "/support.tsv"):
        if release in covered(row["releases"], names):
            key = (row["ns"], row["op"], row["key"])
            assert key not in found
            found[key] = {c: v for c, v in row.items() if c != "releases"}
    return found


COLLECTIVE = ("collective", "reduce_op", "dtypes", "supported", "note")
SPANNED = {  # tables over releases, and the cells that identify a fact
    "npu/support.tsv": ("ns", "op", "key"), "npu/autocast.tsv": ("op", "list", "path"),
    "npu/chips.tsv": ("kernel", "impl", "path", "condition"), "npu/collectives.tsv": COLLECTIVE,
    "npu/plugin_arguments.tsv": ("op", "test", "chips"),
    "musa/support.tsv": ("ns", "op", "key"), "musa/autocast.tsv": ("op", "list", "path"), "musa/collectives.tsv": COLLECTIVE,
    "musa/kernel_limits.tsv": ("op", "argument", "takes", "refuses", "other", "host"), "musa/tested_types.tsv": ("op", "types", "path"),
    "musa/arguments.tsv": ("op", "test"), "musa/arguments_by_hand.tsv": ("op", "test"), "musa/limits_by_hand.tsv": ("op", "argument", "takes", "refuses", "other", "host"),
}


def uncover(opdb, name, release, names, key):
    """Takes a release out of the spans of a table; rows that were about it alone go."""
    left = [n for n in names if n != release]
    order = {n: at for at, n in enumerate(left)}
    rows = []
    for row in table(opdb, name):
        found = [n for n in covered(row["releases"], names) if n != release]
        if found:
            rows.append(dict(row, releases=joined(found, left)))
    rows.sort(key=lambda r: (*(r[c] for c in key), order[r["releases"].split(" ")[0].split("..")[0]]))
    write(opdb, name, rows, list(rows[0]))


def without(opdb, target, release):
    """Takes a release out of the text, as if it had never been read."""
    names = axis(opdb, target)
    for name, key in SPANNED.items():
        if name.startswith(target):
            uncover(opdb, name, release, names, key)
    if target == "npu":
        documents = table(opdb, "npu/documents.tsv")
        write(opdb, "npu/documents.tsv", [dict(row, release="." if row["release"] == release else row["release"]) for row in documents],
              list(documents[0]))
    releases = table(opdb, target + "/releases.tsv")
    write(opdb, target + "/releases.tsv", [r for r in releases if r["release"] != release], list(releases[0]))
    if target == "npu":
        versions = table(opdb, "npu/versions.tsv")
        for row in versions:
            if row["release"] == release:
                row["remark"] = "no-facts"
        write(opdb, "npu/versions.tsv", versions, list(versions[0]))
