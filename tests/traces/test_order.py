"""The order of the events in a trace decides nothing: a permutation of them gives the same records, in memory and through a file.

Digest, positions and samples of bad lines may differ, and so may the order in which distinct operators were first seen.
"""
import collections
import gzip
import json
import os
import pathlib
import random

import pytest

from conftest import FIXTURES, sampled

TRACES = sorted(path for path in (FIXTURES / "traces").glob("*.trace.json*") if "broken" not in path.name)
PUBLIC = ["public/hta-index-resolver.json.gz", "public/sglang-decode-hipgraph.json.gz", "public/torch-compile-triton.json.gz",
          "public/b200-vllm-eager.json.gz", "hta-amd-mi250.json.gz"]
if "OPCHECK_REFERENCE_DIR" in os.environ:
    TRACES += [pathlib.Path(os.environ["OPCHECK_REFERENCE_DIR"]) / "samples" / "real-traces" / name for name in PUBLIC]


def shuffled(path, target, seed):
    raw = path.read_bytes()
    document = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    inside = document["traceEvents"] if isinstance(document, dict) else document
    random.Random(seed).shuffle(inside)
    target.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return inside


def report(opcheck, path, *options):
    found = opcheck("check", path, "-f", "json", *options).json
    for dump in found["inputs"]:
        for key in ("sha256", "bytes", "name", "compression"):
            del dump[key]
    for op in found["operators"]:
        del op["first_seen"]
    return found


def assert_same(one, other, where=""):
    """Equal; lists of the same things in another order are equal, too."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), where
        for key in one:
            assert_same(one[key], other[key], where + "." + key)
    elif isinstance(one, list) and isinstance(other, list):
        assert sorted(map(json.dumps, one)) == sorted(map(json.dumps, other)), where
    else:
        assert one == other, where


@pytest.mark.parametrize("path", sampled(TRACES, 2), ids=lambda path: path.name)
def test_a_permutation_of_the_events_gives_the_same_report(opcheck, path, tmp_path):
    straight = tmp_path / "trace.json"
    want = report(opcheck, path)
    shuffled(path, straight, 7)
    assert_same(want, report(opcheck, straight))
    assert_same(want, report(opcheck, straight, "--limit", "sort-bytes=192K"))  # through a file


@pytest.mark.parametrize("path", sampled(TRACES, 2), ids=lambda path: path.name)
def test_own_times_are_never_negative_and_add_up(events, path, tmp_path):
    """On each thread to the time in which anything ran."""
    trace = tmp_path / "trace.json"
    inside = shuffled(path, trace, 11)
    found = events(trace)
    assert all(row[6] >= 0 for row in found["row"])
    spans = collections.defaultdict(list)
    for event in inside:
        if event.get("ph") == "X" and event.get("cat") in (
                "cpu_op", "user_annotation", "cuda_runtime", "cuda_driver", "Operator", "Runtime", None):
            spans[str(event["pid"]), str(event["tid"])].append((float(event["ts"]), float(event.get("dur", 0))))
    ran = 0
    for thread in spans.values():
        end = float("-inf")
        for begin, length in sorted(thread):
            ran += max(0, begin + length - max(begin, end))
            end = max(end, begin + length)
    own = sum(row[6] for row in found["row"])
    assert own / 1000 == pytest.approx(ran, rel=0.001, abs=1)


def test_past_the_limit_the_report_says_so(opcheck, tmp_path):
    trace = tmp_path / "trace.json"
    shuffled(next(path for path in TRACES if "lastbatch" in path.name), trace, 3)
    rules = {warning["rule"] for dump in report(opcheck, trace, "--limit", "sort-bytes=3K", "--limit", "spill-bytes=0")["inputs"]
             for warning in dump["capture"]["warnings"]}
    assert "capture-unsorted" in rules
