"""Every row of every dump kept here is read as the truth or the printer's rules have it."""
import collections
import json

import pytest

from conftest import FIXTURES, rows_by_table

ERAS = json.loads((FIXTURES / "eras" / "index.json").read_text(encoding="utf-8"))
TRUTHS = sorted(path.relative_to(FIXTURES).as_posix() for path in FIXTURES.glob("torch-*/*.truth.json"))


@pytest.mark.parametrize("layout", sorted(ERAS))
def test_a_layout_is_read_cell_by_cell(events, layout):
    found = events(FIXTURES / "eras" / (layout + ".log"))
    assert rows_by_table(found) == ERAS[layout]
    assert found["facts"]["skipped_lines"] == 0


@pytest.mark.parametrize("layout, era", [
    ("1.0", "1.0-1.1"), ("1.2-cuda", "1.2-1.5"), ("1.6-mem", "1.6"), ("1.6-node", "1.6"), ("1.8-flops", "1.8-1.9"),
    ("1.9-flops", "1.8-1.9"), ("2.9-overload", "2.8+"),
])
def test_the_versions_that_print_so_are_named(events, layout, era):
    assert events(FIXTURES / "eras" / (layout + ".log"))["facts"]["era"] == era


def cut_name(name):
    return name[:52] + "..." if len(name) >= 52 else name


@pytest.mark.parametrize("truth", TRUTHS)
def test_names_shapes_and_calls_equal_the_truth(events, truth):
    path = FIXTURES / truth
    steps = json.loads(path.read_text(encoding="utf-8"))["steps"]
    tables = rows_by_table(events(str(path).replace(".truth.json", ".a-full.log")))
    assert len(tables) == len(steps)
    for table, step in zip(tables, steps):
        want = collections.Counter((cut_name(row[0]), str(row[1])[:80].rstrip(), row[2]) for row in step)
        assert collections.Counter((name, shapes, calls) for name, _, shapes, calls in table) == want


def test_a_row_limit_of_100_is_noticed(events):
    facts = events(FIXTURES / "torch-2.13" / "resnet50.a.log")["facts"]
    assert (facts["tables"], facts["rows"], facts["row_limit_tables"]) == (4, 400, 4)
