"""The faults that tests/mutants puts into sources: each kind where it can be, none in comments and texts, the same for a seed."""
import re

from changes import KINDS, changes_of, code_lines
from conftest import ROOT
from mutants import SUITES, Pool, shares, sources

TEXT = """#include "a.h"

enum { MOST = 8 };

/* a < b, 5 */
static int f(struct s *s, size_t n)
{
	int status = 0;

	for (size_t i = 0; i < n && !status; i++)
		status = put(s, items[3], "a < 4; b");
	if (n == MOST + 1 ||
		s->full)
		return err_set(s->err, "too large");
	free(s->text);
	drop(&(struct t){ .a = n, .b = 2 });
	return -1;
}
"""


def changed(change):
    return TEXT[:change.begin] + change.new + TEXT[change.end:]


def test_a_change_is_one_of_a_kind_at_its_place():
    found = {(c.line, c.kind, TEXT[c.begin:c.end], c.new) for c in changes_of("f.c", TEXT)}
    assert found == {
        (3, "bound", "8", "9"), (8, "bound", "0", "1"), (10, "bound", "0", "1"), (10, "comparison", "<", "<="), (10, "member", " && !status", ""),
        (11, "statement", 'status = put(s, items[3], "a < 4; b")', ""), (12, "comparison", "==", "!="), (12, "sign", "+", "-"), (12, "bound", "1", "2"),
        (12, "member", " ||\n\t\ts->full", ""), (14, "error", 'err_set(s->err, "too large")', '(err_set(s->err, "too large"), 0)'),
        (16, "statement", "drop(&(struct t){ .a = n, .b = 2 })", ""), (16, "member", ".a = n, ", ""), (16, "member", ".b = 2", ""), (16, "bound", "2", "3"),
        (17, "error", "-1", "0"), (17, "bound", "1", "2")}
    assert {c.function for c in changes_of("f.c", TEXT) if c.line > 6} == {"f"} and {c.kind for c in changes_of("f.c", TEXT)} == set(KINDS)
    assert code_lines(TEXT) == [3, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17]


def test_every_layer_has_suites_and_a_share_of_the_sample():
    pools = {}
    for path, _ in sources(ROOT, []):
        pools.setdefault(path.split("/")[1], []).append((path, None))
    assert set(pools) <= set(SUITES)
    pools = {layer: Pool(ROOT, files, "1 " + layer) for layer, files in pools.items()}
    order = shares(pools, 200)
    assert len(order) == 200 and set(order) == set(pools)
    drawn = [pools["scan"].draw() for _ in range(20)]
    again = Pool(ROOT, [(path, None) for path, _ in sources(ROOT, ["src/scan"])], "1 scan")
    assert drawn == [again.draw() for _ in range(20)] and len(set(drawn)) == 20
    shell, = (ROOT / "src" / "scan").rglob("shell.c")
    one = Pool(ROOT, sources(ROOT, ["%s:check_expansions" % shell.relative_to(ROOT)]), "1")
    assert {one.draw().function for _ in range(5)} == {"check_expansions"}
    assert all(re.fullmatch(r"src/\w+/.*\.c", change.path) for change in drawn)
