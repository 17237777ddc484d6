"""The Python module: captures of real loops with the PyTorch that is here, of newer and older ones by stand-ins, and reports as dataclasses."""
import dataclasses
import importlib
import os
import re
import shutil
import subprocess
import sys
import types
import warnings

import pytest

from conftest import FIXTURES, ROOT, environment, program

LOOP = """
import os, sys, warnings
import torch, opcheck

def training(capture, batches, stop_at=None):
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 10))
    if torch.distributed.is_initialized():
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for at, batch in enumerate(batches):
        loss = torch.nn.functional.cross_entropy(model(batch), torch.zeros(len(batch), dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if at == stop_at:
            raise ZeroDivisionError("in the loop")
        capture.step()

images = [torch.randn(2, 3, 8, 8) for _ in range(7)]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("module")
    subprocess.run([sys.executable, ROOT / "deploy/python/generate.py", made], check=True)
    return made


@pytest.fixture()
def module(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    for name, value in environment(OPCHECK=program("opcheck", "OPCHECK")).items():
        monkeypatch.setenv(name, value)
    yield importlib.import_module("opcheck")
    for name in [name for name in sys.modules if name.split(".")[0] == "opcheck"]:
        del sys.modules[name]


@pytest.fixture()
def run(folder, tmp_path):
    pytest.importorskip("torch", reason="python3-torch is not installed")

    def script(text):
        env = environment(OPCHECK=program("opcheck", "OPCHECK"), PYTHONPATH=str(folder), OMP_NUM_THREADS="1")
        (tmp_path / "train.py").write_text(LOOP + text, encoding="utf-8")
        done = subprocess.run([sys.executable, "train.py"], cwd=tmp_path, capture_output=True, text=True, timeout=600, env=env)
        assert done.returncode == 0, done.stderr
        return done

    return script


def test_a_loop_with_workers_is_captured_and_judged(run, tmp_path, opcheck):
    """Debian's PyTorch is without Kineto: its traces lack shapes, and a table of each step is written."""
    done = run("""
if __name__ == "__main__":
    with opcheck.capture("run", steps=3) as c:
        training(c, torch.utils.data.DataLoader(images, batch_size=None, num_workers=2))
    print(c.report.verdict("npu"), c.report.inputs[0].steps, "aten::convolution_backward" in {o.name for o in c.report.operators})
""")
    assert re.findall(r"^opcheck: run/(\S+): [\d.]+ MB, 3 steps$", done.stderr, re.M) == ["table.log"]
    judged = opcheck("check", tmp_path / "run", "-t", "npu", "-f", "json").json
    assert done.stdout.split() == [judged["targets"][0]["verdict"], "3", "True"]
    capture = judged["inputs"][0]["capture"]
    assert (capture["shapes"], capture["times"], capture["row_limit_hit"], judged["inputs"][0]["steps"]) == (True, True, False, 3)


def test_an_exception_of_the_loop_passes_and_leaves_the_finished_steps(run, tmp_path):
    done = run("""
try:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with opcheck.capture("run", steps=4) as c:
            training(c, images, stop_at=4)
except ZeroDivisionError as error:
    print(error, c.report.inputs[0].steps, [str(w.message) for w in said if w.category is opcheck.CaptureWarning], sep="|")
""")
    assert done.stdout.strip() == "in the loop|2|['opcheck: the loop ended after 2 of 4 steps to capture']"


def test_ranks_of_a_run_have_a_folder_each(run, tmp_path, opcheck):
    run("""
def work(rank, address):
    torch.distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    with opcheck.capture("run", steps=2) as c:
        training(c, images)
    torch.distributed.barrier()

if __name__ == "__main__":
    torch.multiprocessing.spawn(work, ("file://" + os.path.abspath("meeting"),), nprocs=2)
""")
    assert sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "run").glob("*/*")) == ["run/rank0/rank0.table.log", "run/rank1/rank1.table.log"]
    judged = opcheck("check", tmp_path / "run", "-f", "json").json
    assert [(one["ranks"], one["steps"]) for one in judged["inputs"]] == [(1, 2), (1, 2)]
    assert "gloo:all_reduce" in str(judged)


def test_a_capture_that_fails_is_a_warning_and_the_loop_goes_on(run, tmp_path):
    (tmp_path / "run").write_text("a file in its way")
    done = run("""
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    with opcheck.capture("run/here", steps=2) as c:
        training(c, images)
    with opcheck.capture("short", steps=2, wait=9) as late:
        training(late, images)
    with torch.autograd.profiler.profile() as own:
        with opcheck.capture("second", steps=2) as c:
            training(c, images)
print(*(str(w.message) for w in said if w.category is opcheck.CaptureWarning), len(own.key_averages()) > 0, sep="\\n")
""")
    failed, late, second, own = done.stdout.splitlines()
    assert failed.startswith("opcheck: cannot capture: NotADirectoryError: ")
    assert late == "opcheck: the loop ended before the capture began, after 7 of 9 steps to wait for"
    assert (second, own) == ("opcheck: cannot capture: RuntimeError: another profiler is running", "True")


class Torch(types.ModuleType):
    """A stand-in: notes what is asked of its profiler. Features are those that newer versions have, or older lack."""

    def __init__(self, newer):
        super().__init__("torch")
        self.asked = asked = []

        class Rows(list):
            def table(self, sort_by=None, row_limit=100, max_name_column_width=55, max_shapes_column_width=80):
                asked.append(("table", row_limit, max_name_column_width, max_shapes_column_width))
                return "rows"

        class Profile:
            def __enter__(self):
                asked.append("start")

            def __exit__(self, *_):
                asked.append("stop")

            def export_chrome_trace(self, path):
                open(path, "w").close()

        class NewProfile(Profile):
            def __init__(self, *, activities=None, schedule=None, record_shapes=False, with_stack=False, with_modules=False, experimental_config=None):
                asked.append(("profile", record_shapes, with_stack, with_modules, experimental_config, [schedule(i) for i in range(4)]))

            def step(self):
                asked.append("step")

            def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
                asked.append(("groups", group_by_input_shape, group_by_overload_name))
                return Rows()

        class OldProfile(Profile):
            def __init__(self, enabled=True, use_cuda=False, record_shapes=False):
                asked.append(("profile", use_cuda, record_shapes))

            def key_averages(self, group_by_input_shape=False):
                asked.append(("groups", group_by_input_shape))
                return Rows()

        class Observer:
            def register_callback(self, path):
                open(path, "w").close()

            def start(self):
                asked.append("observe")

            def stop(self):
                asked.append("observed")

            def unregister_callback(self):
                pass

        self.cuda = types.SimpleNamespace(is_available=lambda: True)
        self.autograd = types.SimpleNamespace(profiler=types.SimpleNamespace(profile=OldProfile))
        self._C = types.SimpleNamespace()
        if newer:
            self.autograd.kineto_available = lambda: True
            self._C._profiler = types.SimpleNamespace(_ExperimentalConfig=lambda capture_overload_names=False: "overloads %s" % capture_overload_names)
            actions = types.SimpleNamespace(WARMUP="warm-up", RECORD="record")
            self.profiler = types.SimpleNamespace(profile=NewProfile, ProfilerAction=actions, ExecutionTraceObserver=Observer)


def captured(module, monkeypatch, folder, newer, **options):
    torch = Torch(newer)
    monkeypatch.setitem(sys.modules, "torch", torch)
    with module.capture(folder, steps=2, **options) as c:
        for _ in range(6):
            torch.asked.append("work")
            c.step()
    return torch.asked, [os.path.basename(path) for path in c.files]


def test_what_a_newer_torch_can_record_is_recorded(module, monkeypatch, tmp_path):
    asked, files = captured(module, monkeypatch, tmp_path, newer=True, stacks=True)
    assert asked == ["work", ("profile", True, True, True, "overloads True", ["warm-up", "record", "record", "record"]), "start", "work", "step", "observe",
                     "work", "step", "work", "observed", "stop", ("groups", True, True), ("table", -1, None, None), "work", "work"]
    assert files == ["trace.json.gz", "table.log", "execution_trace.json"]


def test_an_older_torch_records_a_table_of_each_active_step(module, monkeypatch, tmp_path):
    asked, files = captured(module, monkeypatch, tmp_path, newer=False)
    step = [("profile", True, True), "start", "work", "stop", ("groups", True), ("table", -1, None, None)]
    assert asked == ["work", "work", *step, *step, "work", "work"]
    assert files == ["table.log"]


def test_a_capture_without_waiting_begins_with_the_first_step(module, monkeypatch, tmp_path):
    asked, _ = captured(module, monkeypatch, tmp_path, newer=True, wait=0, warmup=0)
    assert asked[1:5] == ["start", "observe", "work", "step"] and asked[5:8] == ["work", "observed", "stop"]


def test_a_profiler_that_breaks_is_a_warning(module, monkeypatch, tmp_path):
    torch = Torch(newer=True)
    torch.profiler.profile.step = lambda self: 1 / 0
    monkeypatch.setitem(sys.modules, "torch", torch)
    with pytest.warns(module.CaptureWarning, match="ZeroDivisionError"), module.capture(tmp_path, steps=2) as c:
        for _ in range(6):
            c.step()
    assert c.files == [] and torch.asked[-1] == "stop"
    with pytest.raises(module.Error, match="nothing was captured"):
        c.report


@pytest.mark.parametrize("name, base, hooks", [
    ("lightning", "lightning.pytorch.callbacks.Callback", ("on_train_start", "on_train_batch_end", "on_train_end")),
    ("lightning", "pytorch_lightning.callbacks.Callback", ("on_train_start", "on_train_batch_end", "on_train_end")),
    ("transformers", "transformers.TrainerCallback", ("on_train_begin", "on_step_end", "on_train_end"))])
def test_callbacks_capture(module, monkeypatch, tmp_path, name, base, hooks):
    """Stand-ins of the two trainers call the hooks as those do: with positions and with names."""
    parts = base.split(".")
    for count in range(1, len(parts)):
        stand_in = types.ModuleType(".".join(parts[:count]))
        stand_in.__spec__ = importlib.machinery.ModuleSpec(stand_in.__name__, None, is_package=True)
        monkeypatch.setitem(sys.modules, stand_in.__name__, stand_in)
    setattr(stand_in, parts[-1], type(parts[-1], (), {}))
    torch = Torch(newer=True)
    monkeypatch.setitem(sys.modules, "torch", torch)
    callback = importlib.import_module("opcheck." + name).Capture(tmp_path / "run", steps=2)
    begin, step, end = (getattr(callback, hook) for hook in hooks)
    begin("trainer", "module")
    for batch in range(6):
        step("trainer", "module", "outputs", batch, batch, model="m")
    end("trainer", "module")
    assert [os.path.basename(path) for path in callback.capture.files] == ["trace.json.gz", "table.log", "execution_trace.json"]
    assert isinstance(callback, getattr(stand_in, parts[-1]))
    if name == "lightning":
        broken = importlib.import_module("opcheck.lightning").Capture(tmp_path / "broken", steps=2)
        broken.on_train_start("trainer", "module")
        for batch in range(3):
            broken.on_train_batch_end("trainer", "module", "outputs", batch, batch)
        with pytest.warns(module.CaptureWarning, match="after 1 of 2 steps"):
            broken.on_exception("trainer", "module", ValueError("x"))


def known(value):
    """A dataclass as JSON has it: without what is left out."""
    if dataclasses.is_dataclass(value):
        return {f.name.rstrip("_"): known(getattr(value, f.name)) for f in dataclasses.fields(value) if getattr(value, f.name) is not None}
    if isinstance(value, dict):
        return {key: known(one) for key, one in value.items()}
    return [known(one) for one in value] if isinstance(value, list) else value


def without_null(value):
    if isinstance(value, dict):
        return {re.sub(r"\W", "_", key): without_null(one) for key, one in value.items() if one is not None}
    return [without_null(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("dump", ["torch-2.13/llama.a-full.log", "torch-2.13/resnet50.a.log"])
def test_a_report_has_every_key_of_its_json(module, dump):
    report = module.check(FIXTURES / dump, targets=["npu@2.7.1", "musa"])
    fields = known(report)
    raw = fields.pop("raw")
    assert without_null(raw) == without_null(fields)
    assert report.verdict("npu@2.7.1") == report.on("npu").verdict == raw["targets"][0]["verdict"] and report.targets[0].id.startswith("npu@v2.7.1")
    with pytest.raises(KeyError, match="musa@"):
        report.verdict("npu@1.11")


def test_a_report_is_a_table_in_a_notebook(module):
    report = module.check(FIXTURES / "torch-2.13" / "llama.a-full.log")
    shown = dataclasses.replace(report, targets=[dataclasses.replace(report.targets[0], id="<b>&")])._repr_html_()
    assert "&lt;b&gt;&amp;" in shown and "<b>" not in shown and report.targets[0].headline.word in shown
    assert report._repr_html_().count("<tr style") == 2


def test_errors_are_the_programs_own(module, tmp_path):
    with pytest.raises(module.Error, match="OPC-") as raised:
        module.check(tmp_path / "missing.json")
    assert raised.value.status == 3


def test_the_module_runs_the_command(folder, opcheck):
    done = subprocess.run([sys.executable, "-m", "opcheck", "version"], capture_output=True, env=environment(OPCHECK=program("opcheck", "OPCHECK"), PYTHONPATH=str(folder)))
    assert done.stdout == opcheck("version").out


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
def test_types_are_strict(folder, tmp_path):
    done = subprocess.run(["mypy", "--strict", "--cache-dir", tmp_path, folder / "opcheck"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
