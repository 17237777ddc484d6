"""Sums of calls of the reference dumps against those of the study's model, to 0.1 %."""
import csv

import pytest

SUMS = ("roofline us 910B2", "middle us 910B2", "roofline us S4000", "middle us S4000")


def test_sums_are_those_of_the_model(opcheck, whole_reference):
    with open(whole_reference / "facts" / "device_time_expected.tsv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if float(row[SUMS[0]])]
    assert len(rows) == 9
    for row in rows:
        found = []
        for chip in ("910B2", "S4000"):
            done = opcheck("db", "score", "--time", whole_reference / "samples" / "real-traces" / row["file"], "--chip", chip, "-f", "json")
            assert done.status == 0, done.err
            found += [done.json["dumps"][0]["roofline_us"], done.json["dumps"][0]["shipped_us"]]
        assert found == pytest.approx([float(row[key]) for key in SUMS], rel=0.001, abs=0.06), row["file"]
