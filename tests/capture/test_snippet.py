"""What `opcheck snippet` prints captures a dump with nothing missing, run with the PyTorch that is here."""
import ast
import subprocess
import sys

import pytest

TRAINING = """
model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.LazyLinear(10))
model(torch.randn(2, 3, 8, 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def step():
    loss = torch.nn.functional.cross_entropy(model(torch.randn(2, 3, 8, 8)), torch.randint(0, 10, (2,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


profile_steps(step)
"""


@pytest.mark.parametrize("version", ["1.4", "1.8.1", "1.11", "1.13", "2.0", "2.1", "2.7.1", "2.8", "2.13", ""])
def test_it_is_python_for_every_version(opcheck, version):
    text = opcheck("snippet", *(["--torch", version] if version else [])).text
    calls = {node.func.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and hasattr(node.func, "attr")}
    assert {"profile", "key_averages", "table"} <= calls
    assert ("export_chrome_trace" in calls) == (version not in ("1.4",))
    assert text.count("\n    device = {") == text.count(" rows = prof.key_averages(") == 1
    assert ("use_device" in text) == (version not in ("1.4", "1.8.1", "1.11", "1.13", "2.0"))
    assert max(map(len, text.splitlines())) <= 110


def test_the_dump_has_shapes_times_and_all_rows_of_every_step(opcheck, tmp_path):
    torch = pytest.importorskip("torch", reason="python3-torch is not installed")
    version = ".".join(torch.__version__.split(".")[:2])
    script = tmp_path / "train.py"
    script.write_text(opcheck("snippet", "--torch", version).text + TRAINING, encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "ignore", script], cwd=tmp_path, capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "profiler.pt.trace.json").exists()
    report = opcheck("check", tmp_path / "profiler.log", "-f", "json").json
    capture = report["inputs"][0]["capture"]
    assert report["inputs"][0]["steps"] == 4 and report["basis"] == "self_cpu_time"
    assert (capture["shapes"], capture["times"], capture["row_limit_hit"]) == (True, True, False)
    assert (capture["truncated_names"], capture["truncated_shapes"]) == (0, 0)
    assert [w["rule"] for w in capture["warnings"]] == ["capture-no-dtypes"]  # no table shows them
    names = {o["name"] for o in report["operators"]}
    assert {"aten::conv2d", "aten::addmm", "aten::convolution_backward"} <= names
    kinds = {o["name"]: o["dynamic"]["kind"] for o in report["operators"]}
    assert set(kinds.values()) <= {"static", "warm-up", "late", "data-dependent"}
