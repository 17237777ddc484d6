"""Whatever a trace tells more of its calls, no interval grows wider by it; on the traces of real models."""
import pytest

import knowledge
from conftest import sampled


@pytest.mark.parametrize("model", sampled(["bert", "ctc", "llama", "resnet50"], 3))
def test_types_and_values_never_widen(opcheck, reference, tmp_path, model):
    document = knowledge.load(reference / "samples" / "torch-2.13" / (model + ".c.trace.json.gz"))
    knowledge.hold_knowledge(opcheck, tmp_path, document)
