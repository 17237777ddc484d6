"""The overloads chosen for calls against the true ones: PyTorch 2.13's own records, and the schemas in execution traces."""
import gzip
import json

import pytest

import overloads
from conftest import program, sampled

WAYS = [(True, 0.98), (False, 0.90)]
EXECUTION_TRACES = ["torch-2.13/%s.et.json.gz" % m for m in ("bert", "ctc", "lastbatch", "llama", "resnet50")] + [
    "torch-2.13/compile.et.json", "torch-2.13/compilemarks.et.json", "torch-1.13/execution_graph.json",
    "real-traces/et-1.0.1-linear.json.gz", "real-traces/et-1.0.3-resnet.json.gz"]


def what(name, typed):
    return "%s, %s" % (name, "shapes and dtypes" if typed else "shapes alone")


@pytest.mark.parametrize("typed, least", WAYS)
def test_truth_of_all_models(reference, typed, least):
    total = overloads.Score()
    for path in sorted((reference / "samples" / "torch-2.13").glob("*.truth.json")):
        questions = overloads.of_truth(json.loads(path.read_text()), typed)
        score = overloads.choose(program("opcheck", "OPCHECK_DB"), questions)
        score.hold(what(path.name, typed), least)
        total.calls, total.right, total.held = total.calls + score.calls, total.right + score.right, total.held + score.held
    total.hold(what("all models", typed), least)


@pytest.mark.parametrize("typed, least", WAYS)
@pytest.mark.parametrize("sample", sampled(EXECUTION_TRACES))
def test_schemas_of_execution_traces(reference, sample, typed, least):
    raw = (reference / "samples" / sample).read_bytes()
    document = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    score = overloads.choose(program("opcheck", "OPCHECK_DB"), overloads.of_execution_trace(document, typed))
    score.hold(what(sample, typed), least)
