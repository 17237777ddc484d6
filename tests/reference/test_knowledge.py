"""Whatever a trace tells more of its calls, no interval grows wider by it; on the traces of real models."""
import pytest

import knowledge
from conftest import sampled


@pytest.mark.parametrize("model", sampled(["bert", "ctc", "llama", "resnet50"], 3))
def test_types_and_values_never_widen(opcheck, reference, tmp_path, model):
    document = knowledge.load(reference / "samples" / "torch-2.13" / (model + ".c.trace.json.gz"))
    knowledge.hold_knowledge(opcheck, tmp_path, document)


@pytest.mark.parametrize("model", sampled(["bert", "resnet50"], 2))
def test_an_answer_to_the_question_of_types_never_widens(opcheck, reference, model):
    """Tables of models whose shapes never change, and that have no types."""
    found = sorted((reference / "samples" / "torch-2.13").glob(model + ".a.log"))
    for path in found:
        target = ["-t", "npu@v2.7.1-26.0.0:910B", "-t", "npu@v2.1.0-5.0.0", "-t", "musa@v2.7.1"]
        open_, answered = (opcheck("check", path, *target, *more, "-f", "json").json for more in ([], ["--dtype", "fp32"]))
        assert "questions" not in answered
        for before, after in zip(open_["targets"], answered["targets"]):
            for share in ("readiness", "coverage"):
                for basis, was in before[share].items():
                    now = after[share][basis]
                    assert was["lo"] <= now["lo"] <= now["hi"] <= was["hi"], (path.name, before["id"], share, basis)
            assert WORSE.index(after["verdict"]) <= WORSE.index(before["verdict"]) or before["verdict"] == "inconclusive"


WORSE = ["ready", "ready-with-warnings", "inconclusive", "blocked"]
