"""Every recipe does what it replaces: before and after run on this machine's PyTorch and are compared."""
import csv
import importlib.util
import os
import pathlib
import re
import warnings

import pytest

torch = pytest.importorskip("torch")
TorchDispatchMode = pytest.importorskip("torch.utils._python_dispatch").TorchDispatchMode

ROOT = pathlib.Path(os.environ["OPCHECK_SOURCE_ROOT"]) / "opdb" / "recipes"
VERSION = tuple(int(n) for n in re.match(r"(\d+)\.(\d+)", torch.__version__).groups())
# What makes the shapes behind it, or the host, depend on values.
BY_DATA = {"nonzero", "masked_select", "_unique2", "_local_scalar_dense", "bincount", "_ctc_loss", "masked_scatter", "nms",
           "repeat_interleave"}


def table():
    lines = (ROOT / "recipes.tsv").read_text(encoding="utf-8").splitlines()
    columns = lines[0].removeprefix("# ").split("\t")
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[1:]]


RECIPES = table()


def load(name):
    spec = importlib.util.spec_from_file_location("recipe_" + name.replace("-", "_"), ROOT / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def runs_here(recipe):
    return tuple(int(n) for n in recipe["torch"].split(".")) <= VERSION


def flat(result):
    """The tensors of a result, in order."""
    if isinstance(result, torch.Tensor):
        return [result.detach()]
    return [tensor for item in result for tensor in flat(item)]


def copies(case):
    return [item.detach().clone().requires_grad_(item.requires_grad) if isinstance(item, torch.Tensor) else item
            for item in case]


def run(function, case):
    torch.manual_seed(7)
    return function(*copies(case))


def sizes(value):
    if isinstance(value, torch.Tensor):
        return tuple(value.shape)
    return [sizes(item) for item in value] if isinstance(value, (list, tuple)) else None


class Recorder(TorchDispatchMode):
    """The operators that reach a backend, in order, with the shapes that go in and come out."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        self.calls.append((str(func).split(".")[1], sizes(args), sizes(result)))
        return result


def recorded(function, case):
    case = copies(case)
    torch.manual_seed(7)
    with Recorder() as recorder:
        function(*case)
    return recorder.calls


def shapes_of(case):
    return [tuple(item.shape) for item in case if isinstance(item, torch.Tensor)]


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: r["recipe"])
def test_after_equals_before(recipe):
    source = (ROOT / f"{recipe['recipe']}.py").read_text(encoding="utf-8")
    compile(source, recipe["recipe"], "exec")
    assert "def before(" in source and "def after(" in source and "def cases(" in source
    if not runs_here(recipe):
        pytest.skip(f"needs PyTorch {recipe['torch']}: compiled only")
    if "import torchvision" in source:
        pytest.importorskip("torchvision")
    module = load(recipe["recipe"])
    finish = getattr(module, "finish", lambda result: result)
    tolerance = 0.0 if recipe["tolerance"] == "exact" else float(recipe["tolerance"])
    compared = 0
    for case in module.cases():
        wanted, got = flat(run(module.before, case)), flat(finish(run(module.after, case)))
        assert len(wanted) == len(got)
        for a, b in zip(wanted, got):
            assert a.shape == b.shape
            torch.testing.assert_close(b.to(a.dtype), a, rtol=tolerance, atol=tolerance, equal_nan=True)
            compared += a.numel()
    assert compared


@pytest.mark.parametrize("recipe", [r for r in RECIPES if r["static"] == "1"], ids=lambda r: r["recipe"])
def test_shapes_do_not_depend_on_data(recipe):
    """Cases of equal shapes and other values run the same operators with the same shapes."""
    source = (ROOT / f"{recipe['recipe']}.py").read_text(encoding="utf-8")
    if "import torchvision" in source:
        pytest.importorskip("torchvision")
    module = load(recipe["recipe"])
    first, compared = {}, 0
    for case in module.cases():
        seen = recorded(module.after, case)
        assert not BY_DATA & {name for name, _, _ in seen}
        compared += str(shapes_of(case)) in first
        assert first.setdefault(str(shapes_of(case)), seen) == seen
    assert compared, "two cases need the same shapes"


@pytest.mark.parametrize("recipe", [r for r in RECIPES if r["static"] == "1" and "shapes" in r["when"].split(" ")],
                         ids=lambda r: r["recipe"])
def test_shapes_of_before_do_depend_on_data(recipe):
    """Otherwise there would be nothing to replace: values decide about shapes or stop the host."""
    if "import torchvision" in (ROOT / f"{recipe['recipe']}.py").read_text(encoding="utf-8"):
        pytest.importorskip("torchvision")
    module = load(recipe["recipe"])
    runs = [recorded(module.before, case) for case in module.cases()]
    names = {name for calls in runs for name, _, _ in calls}
    assert BY_DATA & names or any(calls != runs[0] for calls in runs) or "index_put_" in names


def test_table_is_whole():
    """A file for each row and a row for each file; what is about one target alone cites where it is known from."""
    assert len(RECIPES) >= 40
    assert {r["recipe"] for r in RECIPES} == {path.stem for path in ROOT.glob("*.py")}
    for recipe in RECIPES:
        sources = recipe["sources"].split(" ")
        assert sources == ["general"] or all(s.startswith("https://") for s in sources), recipe["recipe"]
        if "." in (recipe["npu"], recipe["musa"]):
            assert sources != ["general"], recipe["recipe"]
    assert sum(not runs_here(r) for r in RECIPES) <= 3


def test_operators_exist():
    """Names of aten that a recipe is about are known to some version of PyTorch."""
    universe = ROOT.parent / "torch" / "universe.tsv"
    names = {line.split("\t")[0].split(".")[0] for line in universe.read_text(encoding="utf-8").splitlines()}
    for recipe in RECIPES:
        for name in recipe["operators"].split(" "):
            space, _, base = name.partition("::")
            if space == "aten" and not base.endswith("*"):
                assert base in names, (recipe["recipe"], name)
