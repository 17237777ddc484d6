"""What `opcheck scan` says of the labelled scripts, counted line by line: README.md tells how the labels were made.

The first and only count of the group `held`: of what must change recall 1.000 and precision 1.000, of what is to be checked recall
1.000 and precision 0.917.
"""
import collections
import csv
import io
import re

import pytest

from conftest import ROOT

SCRIPTS = ROOT / "tests" / "scan" / "scripts"
LABELS = collections.defaultdict(set)  # group: (file, line, target, action)
GROUPS = {}
for row in (ROOT / "tests" / "scan" / "labels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
    group, file, line, target, action = row.split("\t")
    LABELS[group].add((file, int(line), target, action))
    GROUPS[file] = group


@pytest.fixture(scope="session")
def found():
    return {}


@pytest.fixture
def findings(opcheck, found):
    """The lines that the scan names, by group of their files."""
    if not found:
        run = opcheck("scan", ".", "-f", "csv", "-t", "npu,musa", cwd=SCRIPTS)
        if "without the grammar" in run.err:
            pytest.skip("opcheck was built without the grammar of Python")
        assert run.status == 0, run.err
        for row in csv.DictReader(io.StringIO(run.text, newline="")):
            file = row["path"].removeprefix("./")
            group = GROUPS.get(file, "work")
            summed = re.search(r"on lines ([\d, ]+)", row["reason"]) if row["rule"] == "src-dynamic-script" else None
            for line in summed.group(1).split(", ") if summed else [row["line"]]:
                found.setdefault(group, set()).add((file, int(line), row["target"].split("@")[0], row["action"]))
    return found


def score(found, labels, action):
    """Recall and precision, and what is missing and what is too much."""
    want, have = ({row for row in rows if row[3] == action} for rows in (labels, found))
    return len(want & have) / len(want), len(want & have) / max(1, len(have)), sorted(want - have), sorted(have - want)


@pytest.mark.parametrize("group", ["work", "held"])
def test_what_must_change_is_found_and_little_else(findings, group):
    recall, precision, missing, extra = score(findings[group], LABELS[group], "must-change")
    print("%s: recall %.3f, precision %.3f" % (group, recall, precision))
    assert recall >= 0.98 and precision >= 0.95, (recall, precision, missing, extra)


@pytest.mark.parametrize("group", ["work", "held"])
def test_what_a_person_has_to_look_at_is_found(findings, group):
    recall, precision, missing, extra = score(findings[group], LABELS[group], "check")
    print("%s: recall %.3f, precision %.3f" % (group, recall, precision))
    assert recall >= 0.85, (recall, precision, missing, extra)
