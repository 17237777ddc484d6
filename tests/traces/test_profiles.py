"""What the reader makes of each fixture, held against the files in expected/: calls, times, steps
and surroundings of every operator and name.

OPCHECK_UPDATE_GOLDEN=1 writes the files anew. Where the fixtures come from: all were printed by PyTorch 2.13 or made by the rules of
2.6 and 1.8; tests/reference reads the whole samples.
"""
import gzip
import json
import os
import pathlib

import pytest

from conftest import FIXTURES, sampled

HERE = pathlib.Path(__file__).resolve().parent / "expected"
TRACES = sampled(sorted((FIXTURES / "traces").glob("*.json.gz")), 2)


def profile(found):
    """One line a name, shapes, types and overload: calls, times in us and the steps it was seen in."""
    records = {}
    for (_, _, name, overload, shapes, calls, self_ns), (step, known, dtypes, total_ns, device_ns) in zip(found["row"], found["stepped"]):
        record = records.setdefault((name, overload or "", shapes, dtypes, known), [0, 0, 0, 0, set()])
        for i, more in enumerate((calls, self_ns, total_ns, device_ns)):
            record[i] += more
        record[4] |= {step} if step else set()
    lines = ["%s|%s|%s|%s|%s: %d calls, self %.3f, total %.3f, device %.3f, steps %s" % (
        *key, record[0], record[1] / 1e3, record[2] / 1e3, record[3] / 1e3, sorted(record[4])) for key, record in sorted(records.items())]
    lines += sorted("strides %s%s, values %s%s" % (strides, " and others" * more_strides, values, " and others" * more_values)
                    for strides, more_strides, values, more_values in {tuple(one) for one in found["details"]})
    lines += ["%s %s|%s: %d calls, self %.3f, device %.3f" % (*one[:4], one[4] / 1e3, one[5] / 1e3) for one in sorted(found["link"])]
    lines += ["%s%s.%s %s" % (">" * depth, name, overload, shapes) for depth, name, overload, shapes in found["turn"]]
    return "\n".join([json.dumps(found["facts"], sort_keys=True), "%d steps" % found["end"][0][5], *lines]) + "\n"


@pytest.mark.parametrize("trace", TRACES, ids=[t.name.split(".json")[0] for t in TRACES])
def test_the_profile_of_a_trace_is_as_kept(events, trace):
    kept = HERE / trace.name.replace(".json.gz", ".txt.gz")
    found = events(trace)
    assert found["status"] == 0, found["err"]
    got = profile(found)
    if os.environ.get("OPCHECK_UPDATE_GOLDEN") == "1":
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(gzip.compress(got.encode(), mtime=0))
    assert kept.exists(), "no golden file; OPCHECK_UPDATE_GOLDEN=1 writes it"
    assert got == gzip.decompress(kept.read_bytes()).decode()


@pytest.mark.parametrize("name", ["compilemarks.c.trace", "lastbatch.c-legacy.trace", "compilemarks.et", "execution_graph"])
def test_every_prefix_of_a_trace_is_an_error_or_says_that_it_was_cut(events, tmp_path, name):
    text = gzip.decompress((FIXTURES / "traces" / (name + ".json.gz")).read_bytes()).rstrip()
    path = tmp_path / "cut.json"
    for length in [*range(0, 2000, 97), *range(2000, len(text), len(text) // 60), len(text) - 1]:
        path.write_bytes(text[:length])
        found = events(path)
        assert found["status"] == 3 or found["facts"]["cut_at"] > 0, length
