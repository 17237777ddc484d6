"""The overloads chosen for the calls of models whose true overloads are known: see tests/reference for more of them."""
import json

import pytest

import overloads
from conftest import FIXTURES, program

TRUTHS = ("compilemarks", "lastbatch", "llama")


@pytest.mark.parametrize("typed, least", [(True, 0.98), (False, 0.90)])
@pytest.mark.parametrize("model", TRUTHS)
def test_the_overload_called_is_chosen(model, typed, least):
    truth = json.loads((FIXTURES / "torch-2.13" / (model + ".truth.json")).read_text())
    score = overloads.choose(program("opcheck", "OPCHECK_DB"), overloads.of_truth(truth, typed))
    assert score.calls > 100
    score.hold("%s, %s" % (model, "shapes and dtypes" if typed else "shapes alone"), least)
