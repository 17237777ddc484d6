"""opcheck plan: one document on the way of a program to a target, and the tests for the first day on the device."""
import json
import re
import subprocess

import pytest

from conftest import ROOT

NPU = "npu@v2.7.1-26.0.0"
SCRIPT = "import torch\nimport flash_attn\n\nx = torch.ones(2).cuda()\nprint(x.item())\n"
PYTHON = "/usr/bin/python3"
HEADS = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls", "Input Shapes"]
WIDTHS = [28, 12, 12, 12, 12, 12, 12, 64]
CALLS = [("aten::nonzero", "[[16]]"), ("aten::_unique2", "[[16], [], [], []]"), ("aten::native_dropout", "[[4, 4], [], []]"),
         ("aten::convolution", "[[1, 3, 8, 8], [4, 3, 3, 3], [4], [], [], [], [], [], []]"),
         ("aten::grid_sampler_3d", "[[1, 1, 4, 4, 4], [1, 2, 2, 2, 3], [], [], []]"),
         ("aten::topk", "[[4, 8], [], [], [], []]"), ("torchvision::nms", "[[4, 4], [4], []]"), ("aten::median", "[[4, 8]]")]


def table(calls):
    def line(cells):
        return "".join(cell.rjust(width) + "  " for cell, width in zip(cells, WIDTHS))
    rule = line(["-" * width for width in WIDTHS])
    rows = [line([name, "10.00%", "10.000us", "10.00%", "10.000us", "10.000us", "1", shapes]) for name, shapes in calls]
    return "\n".join([rule, line(HEADS), rule, *rows, rule, "Self CPU time total: 100.000us", ""])


@pytest.fixture
def plan(opcheck, tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "dump.log").write_text(table(CALLS), encoding="utf-8")

    def run(*args, dump="dump.log", target=("-t", NPU)):
        done = opcheck("plan", dump, *args, *target, cwd=tmp_path)
        if "without the grammar" in done.err:
            pytest.skip("opcheck was built without the grammar of Python")
        return done
    return run


def python(*args, cwd=None):
    return subprocess.run([PYTHON, *args], capture_output=True, text=True, timeout=300, check=False, cwd=cwd)


@pytest.fixture
def torch():
    if python("-c", "import torch").returncode:
        pytest.skip("no PyTorch for " + PYTHON)


def test_steps_come_in_their_order_with_effort_and_the_share_after_them(plan):
    steps = re.findall(r"^\| (\d+) \| ([^|]*) \| ([^|]*) \| (.*?)(?:<br>.*)? \|$", plan("train.py", "-f", "md").text, re.M)
    assert [int(step[0]) for step in steps] == list(range(1, len(steps) + 1))
    words = [step[3].split(" ")[0] for step in steps]
    assert words[:4] == ["record", "pip", "apply", "change"] and words[-1] == "on"
    assert "install" in words[4:-1] and all(step[1].strip() for step in steps)
    shares = [float(re.split(r"[ -]", step[2])[0]) for step in steps if step[2].strip()]
    assert shares == sorted(shares) and shares[-1] > 0


def test_the_patch_is_as_large_as_port_makes_it(plan, opcheck, tmp_path):
    patch = opcheck("port", "train.py", "-t", "npu", "-q", cwd=tmp_path)
    text = " ".join(plan("train.py").text.split())
    lines = [line for line in patch.text.splitlines() if not line.startswith(("+++", "---"))]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    assert added and f"1 edit in 1 script, {added} lines more and {removed} less" in text


def test_packages_versions_and_places_are_named(plan):
    text = " ".join(plan("train.py").text.split())
    assert "pip install torch==2.7.1 torch_npu==2.7.1" in text and "with CANN" in text
    assert "flash-attn-npu" in text and "torchvision_npu" in text
    assert "train.py:5:7 check: x.item()" in text and "What to profile next" in text
    assert re.search(r"^- flash.*_attn is .*\n  - in its place: flash-attn-npu, if it has a version for PyTorch ", plan("train.py", "-f", "md").text, re.M)


def test_a_dump_that_shows_all_needs_no_other(plan):
    text = plan(dump=ROOT / "tests" / "fixtures" / "torch-2.13" / "lastbatch.a-full.log").text
    assert "Migration plan" in text and "What to profile next" not in text and "once more" not in text


def test_a_dump_alone_is_enough_and_its_report_says_the_same(plan, opcheck, tmp_path):
    alone = plan("-f", "md")
    assert alone.status == 0 and "apply the patch" not in alone.text
    report = opcheck("check", tmp_path / "dump.log", "-t", NPU, "-f", "json")
    (tmp_path / "report.json").write_bytes(report.out)
    for form in ("text", "md", "html"):
        assert plan("train.py", "-f", form, dump="report.json", target=()).out == plan("train.py", "-f", form).out, form
    chinese = plan("train.py", "--lang", "zh-CN").text
    assert "迁移计划" in chinese and "plan." not in chinese


@pytest.mark.parametrize("target", [(), ("-t", "npu", "-t", "musa")])
def test_a_plan_is_for_one_target(plan, target):
    run = plan(target=target)
    assert run.status == 2 and "one target" in run.err


def test_the_tests_pass_with_the_cpu_as_the_device(plan, torch, tmp_path):
    assert plan("--tests", "first_day.py").status == 0
    run = python(tmp_path / "first_day.py", "--device", "cpu")
    assert run.returncode == 0, run.stdout + run.stderr
    passed = {line.split()[1] for line in run.stdout.splitlines() if line.startswith("passed")}
    assert {"aten::_unique2", "aten::median", "aten::topk"} <= passed, run.stdout
    assert "torchvision::nms" not in run.stdout, "what does not run there has nothing to compare"
    small = python(tmp_path / "first_day.py", "--device", "cpu", "--most", "1").stdout
    assert small.splitlines()[-1].startswith("0 passed, 0 differs, 0 failed")


def test_the_tests_say_that_a_device_is_not_there_and_find_what_differs(plan, torch, tmp_path):
    plan("--tests", "first_day.py")
    assert python(tmp_path / "first_day.py").returncode == 2
    code = """import first_day, sys
real = first_day.run
def run(name, call, device, dtype=None):
    result = real(name, call, 'cpu', dtype)
    return result + 1 if device == 'cpu:0' and name == 'aten::median' else result
first_day.run = run
sys.argv[1:] = ['--device', 'cpu:0']
sys.exit(first_day.main())
"""
    run = python("-c", code, cwd=tmp_path)
    assert run.returncode == 1 and "differs  aten::median" in run.stdout, run.stdout + run.stderr


def trace(name, dims, types, values):
    return json.dumps({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": name, "ts": 1, "dur": 5, "pid": 1, "tid": 1, "args": {
        "Input Dims": dims, "Input type": types, "Concrete Inputs": values}}]})


def test_the_tests_call_with_the_values_that_the_dump_recorded(plan, opcheck, torch, tmp_path):
    values = ["", "3", "1", "True", "__import__('os').abort()"]
    dump = trace("aten::topk", [[4, 8], [], [], [], []], ["float", "Scalar", "Scalar", "Scalar", "Scalar"], values)
    (tmp_path / "trace.json").write_text(dump, encoding="utf-8")
    report = opcheck("check", "trace.json", "-t", NPU, "-f", "json", cwd=tmp_path)
    assert [json.loads(text) for text in report.json["operators"][0]["arguments"]] == [values]
    (tmp_path / "report.json").write_bytes(report.out)
    for source in ("trace.json", "report.json"):
        module = "day_of_" + source[:-5]
        assert plan("--tests", module + ".py", dump=source, target=("-t", NPU) if source == "trace.json" else ()).status == 0
        code = ("import json, %s as f; c = f.CASES[0]\n"
                "print(list(f.reference(c[0], c[1], json.loads(c[2]), c[3].split(', '), json.loads(c[5]))[1][0].shape), f.examine(c, 'cpu', 99))" % module)
        run = python("-c", code, cwd=tmp_path)
        assert run.stdout.startswith("[4, 3] ('passed'"), run.stdout + run.stderr


def test_names_of_a_dump_are_no_code(plan, tmp_path):
    names = ['mine::a"); import os #', "mine::\\", "mine::'''", "mine::\u2028x"]
    (tmp_path / "dump.log").write_text(table([(name, "[[2]]") for name in names] + CALLS), encoding="utf-8")
    assert plan("--tests", "first_day.py").status == 0
    compile((tmp_path / "first_day.py").read_text(encoding="utf-8"), "first_day.py", "exec")
    assert plan("--tests", "first_day.py").status != 0, "a file that is there stays"
