"""What the readers make of every dump, one line each in a table: of the fixtures here, and of the reference samples or of their subset.

A line says what was read: format, tables, steps, rows, skipped lines and events, the byte where a trace was cut, distinct operators,
their calls, and a digest of all records (name, overload, shapes, dtypes, class, calls, times, steps); or the error.
OPCHECK_UPDATE_GOLDEN=1 writes the tables anew; `git diff` then shows which dump is read otherwise.
"""
import hashlib
import os
import pathlib

import pytest

from conftest import FIXTURES, REFERENCE

HERE = pathlib.Path(__file__).resolve().parent / "dumps"
UPDATE = os.environ.get("OPCHECK_UPDATE_GOLDEN") == "1"
HEAD = "file\tformat\ttables\tsteps\trows\tskipped\tcut at\toperators\tcalls\trecords"
NO_DUMPS = (".py", ".truth.json", "README.md", "index.json", "expected.json", ".yaml", ".patch", "generated.txt")


def records_of(found):
    """One line a distinct record, in order: what was counted of it, and in which steps."""
    stepped = iter(found["stepped"]) if len(found["stepped"]) == len(found["row"]) else None
    records = {}
    for table, stream, name, overload, shapes, calls, self_ns in found["row"]:
        step, known, dtypes, total_ns, device_ns = next(stepped) if stepped else (table, "", "", 0, 0)
        record = records.setdefault((stream, name, str(overload), shapes, dtypes, known), [0, 0, 0, 0, set()])
        for i, more in enumerate((calls, self_ns, total_ns, device_ns)):
            record[i] += more
        record[4].add(step)
    return [repr((key, value[:4], sorted(value[4]))) for key, value in sorted(records.items())]


def line_for(events, root, path):
    found = events(path)
    facts, records = found["facts"], records_of(found)
    if found["status"]:
        return "%s\t%s\t%s" % (path.relative_to(root), facts["format"], found["err"].split(":")[0])
    operators = [row for row in found["row"] if "::" in row[2]]
    return "\t".join(str(field) for field in (
        path.relative_to(root), facts["format"], facts["tables"], max(end[5] for end in found["end"]), facts["rows"],
        facts["skipped_lines"] + facts["skipped_events"], facts["cut_at"], len({row[2] for row in operators}),
        sum(row[5] for row in operators), hashlib.sha256("\n".join(records).encode()).hexdigest()[:16]))


def hold(events, root, folders, name):
    files = sorted(path for folder in folders for path in (root / folder).rglob("*")
                   if path.is_file() and not path.name.endswith(NO_DUMPS))
    assert files
    got = "\n".join([HEAD, *(line_for(events, root, path) for path in files)]) + "\n"
    kept = HERE / name
    if UPDATE:
        kept.parent.mkdir(exist_ok=True, parents=True)
        kept.write_text(got, encoding="utf-8")
    assert kept.exists(), "no golden file; OPCHECK_UPDATE_GOLDEN=1 writes it"
    assert got.splitlines() == kept.read_text(encoding="utf-8").splitlines()


def test_every_fixture_is_read_as_kept(events):
    hold(events, FIXTURES, sorted(path.name for path in FIXTURES.iterdir() if path.name not in ("import", "earlier")), "fixtures.tsv")


@pytest.mark.parametrize("folder", ["eras", "real-traces", "synthetic", "torch-1.13", "torch-2.13"])
def test_every_sample_is_read_as_kept(events, reference, folder):
    hold(events, reference / "samples", [folder], folder + ".tsv" if REFERENCE else "subset/" + folder + ".tsv")
