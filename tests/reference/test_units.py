"""opcheck op says of operators on the units of an NPU what the table of verdicts says: a sample by a fixed seed, of which every row is
also compared in the oracle suite."""
import collections
import random

from conftest import fact_rows, sampled

ROWS = 600
TARGETS = {"7.3.0": "npu@v2.7.1-7.3.0", "26.1.0": "npu@v2.7.1-26.1.0"}
UNITS = {"aicore+": "helper", "aicore-undeclared": "undeclared"}


def unit_of(facts, dtype):
    return next((row["unit"] for row in facts["units"]["rows"] if dtype in row["dtypes"]), None)


def test_a_sample_of_the_verdicts_is_answered_as_it_stands(opcheck, reference):
    rows = [row for row in fact_rows(reference, "aten_aicpu.tsv") if "." in row["op"]]
    sample = collections.defaultdict(list)
    for row in sampled(random.Random(20261122).sample(rows, min(ROWS, len(rows))), 8):
        sample[row["op"]].append(row)
    compared, differing = 0, []
    for op, wanted in sample.items():
        targets = sorted({TARGETS[row["release"]] + ":" + row["chip"] for row in wanted})
        done = opcheck("op", op if op.startswith(("npu", "_npu")) is False else "npu::" + op, "-f", "json",
                       *[word for target in targets for word in ("-t", target)])
        if done.status:
            continue  # not an operator of the dispatcher
        found = next(iter(done.json["operators"]))["facts"]
        for row in wanted:
            facts = found[TARGETS[row["release"]] + ":" + row["chip"]]
            if not facts["units"]["rows"]:
                continue  # this PyTorch's release does not register it
            compared += 1
            unit = UNITS.get(row["verdict"], row["verdict"])
            differing += [(op, row["release"], row["chip"], dtype) for dtype in row["dtypes"].split() if unit_of(facts, dtype) != unit]
    assert differing == []
    assert compared >= 0.9 * sum(map(len, sample.values()))
