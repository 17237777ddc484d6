"""opcheck plan: one document on the way of a program to a target, and the tests for the first day on the device."""
import importlib.metadata
import json
import os
import re
import subprocess

import pytest

from conftest import ROOT, python_alone

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
        form = () if "-f" in args or "-v" in args else ("-f", "text")
        done = opcheck("plan", dump, *args, *form, *target, cwd=tmp_path)
        if "without the grammar" in done.err:
            pytest.skip("opcheck was built without the grammar of Python")
        return done
    return run


def python(*args, cwd=None, device=False):
    env = {**os.environ, "PYTHONPATH": str(ROOT / "tests" / "scan" / "ported" / "stub") if device else ""}
    return subprocess.run([PYTHON, *args], capture_output=True, text=True, timeout=300, check=False, cwd=cwd, env=env)


@pytest.fixture(scope="module")
def torch():
    """Its version; the tests run by the same Python."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return pytest.skip("no PyTorch for " + PYTHON)


SECTIONS = ["Goal", "Headline and coverage", "Packages and versions", "Edits in the scripts", "Operators to write or avoid", "Effort", "Risks",
            "Acceptance", "Steps: one card", "Steps: several cards", "Steps: several nodes", "Rollback"]
DISTRIBUTED = "import torch.distributed as dist\ndist.init_process_group('nccl')\n"


def sections(text):
    """Heading -> lines, of a plan in Markdown."""
    parts = re.split(r"^### (.*)\n", text, flags=re.M)[1:]
    return {head: [line for line in body.splitlines() if line.strip()] for head, body in zip(parts[::2], parts[1::2])}


def commands(text):
    return [line for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S) for line in block.splitlines()]


@pytest.mark.parametrize("args, target", [((), NPU), (("train.py",), NPU), (("train.py", "more.py"), NPU), (("train.py",), "musa@v2.7.1"),
                                          (("more.py",), "musa@v2.7.1")])
@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_every_heading_has_an_entry_and_commands_can_be_copied(plan, tmp_path, args, target, lang):
    (tmp_path / "more.py").write_text(DISTRIBUTED, encoding="utf-8")
    text = plan(*args, "-f", "md", "--lang", lang, target=("-t", target)).text
    found = sections(text)
    assert len(found) == len(SECTIONS) and (lang == "zh-CN" or list(found) == SECTIONS)
    assert [head for head, body in found.items() if not body] == []
    for command in commands(text):
        assert not re.search(r"\b(DUMP|TARGET|FILE|NAME|SCRIPT|VERSION|PATH)\b|<[a-z]|, with CANN|\.\.\. |\bx\b", command), command
        subprocess.run(["sh", "-n"], input=command, text=True, check=True)


def test_a_plan_is_one_page(plan, tmp_path):
    (tmp_path / "more.py").write_text(DISTRIBUTED + "x.cuda()\n" * 200 + "x.item()\n" * 200, encoding="utf-8")
    (tmp_path / "dump.log").write_text(table(CALLS + [("mine::op%d" % number, "[[2]]") for number in range(40)]), encoding="utf-8")
    assert len(plan("train.py", "more.py").text.splitlines()) <= 150
    long = plan("train.py", "more.py", "-v").text
    assert "Causes" in long and len(long.splitlines()) > 300


def test_operators_come_with_effort_and_the_share_after_them(plan):
    steps = re.findall(r"^\| (\d+) \| ([^|]*) \| ([^|]*) \| (.*?) \|$", plan("train.py", "-f", "md").text, re.M)
    assert [int(step[0]) for step in steps] == list(range(1, len(steps) + 1))
    assert "install" in steps[0][3] and all(step[1].strip() for step in steps)
    shares = [float(re.split(r"[ -]", step[2])[0]) for step in steps if step[2].strip()]
    assert shares == sorted(shares) and shares[-1] > 0


def test_the_headline_is_that_of_check_and_scan(plan, opcheck, tmp_path):
    (tmp_path / "dump.log").write_text(table(CALLS[:2] + CALLS[5:6]), encoding="utf-8")
    for args, command in (((), ("check", "dump.log")), (("train.py",), ("scan", "train.py", "--with", "dump.log"))):
        report = opcheck(*command, "-t", NPU, "-f", "json", cwd=tmp_path).json["targets"][0]
        body = " ".join(sections(plan(*args, "-f", "md").text)["Headline and coverage"])
        word = report["headline"]["word"]
        assert word in ("STOPS", "RUNS SLOWLY", "RUNS", "UNKNOWN", "PACKAGE")
        assert "**%s** %s " % (NPU, word) in body
        assert ("as it is" in body) == bool(args), "what the headline leaves to the edits is said"


def test_the_patch_is_as_large_as_port_makes_it(plan, opcheck, tmp_path):
    patch = opcheck("port", "train.py", "-t", "npu", "-q", cwd=tmp_path)
    text = " ".join(plan("train.py").text.split())
    lines = [line for line in patch.text.splitlines() if not line.startswith(("+++", "---"))]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    assert added and f"automatic: 1 in 1 script, {added} lines more and {removed} less" in text


def test_packages_versions_and_places_are_named(plan):
    text = " ".join(plan("train.py").text.split())
    assert "pip install torch==2.7.1 torch_npu==2.7.1" in text and "CANN" in text
    assert "flash-attn-npu" in text and "torchvision_npu" in text
    assert "train.py:5:7 check: x.item()" in text
    lists = plan("train.py", "-f", "md").text
    assert re.search(r"^- flash.*_attn is .*\n  - in its place: flash-attn-npu, if it has a version for PyTorch ", lists, re.M)
    assert re.search(r"^- torchvision::nms needs a package .*\n  - install torchvision.*_npu from its branch ", lists, re.M)


def works(text):
    """Work -> (count, each, low, high) of the table of effort, and the sum that is printed."""
    body = "\n".join(sections(text)["Effort"]).replace("\\*", "*")
    rows = re.findall(r"^\| ([^|]+?) \| (\d+) \| ([^|]+) \| ([\d.]+)(?:-([\d.]+))? \|$", body, re.M)
    low, high = re.search(r"^([\d.]+)(?:-([\d.]+))? person-days", body, re.M).groups()
    return {row[0]: (int(row[1]), row[2], float(row[3]), float(row[4] or row[3])) for row in rows}, float(low), float(high or low)


def test_effort_is_counts_times_days(plan, tmp_path):
    text = plan("train.py", "-f", "md").text
    found, low, high = works(text)
    looked = int(re.search(r"review by hand: (\d+)$", text, re.M).group(1))
    for count, each, least, most in found.values():
        if each != "once":
            ends = [float(end) for end in each.split("-")]
            assert (least, most) == pytest.approx((count * ends[0], count * ends[-1]))
    assert low == pytest.approx(sum(row[2] for row in found.values()), abs=0.1) and high == pytest.approx(sum(row[3] for row in found.values()), abs=0.1)
    assert found["decide on lines to review"][0] == looked > 0 and found["review the automatic edits"][0] == 1
    (tmp_path / "days.tsv").write_text("# item\tlow\thigh\nenvironment\t10\t20.5\ndecisions\t2\t2\n", encoding="utf-8")
    mine, _, more = works(plan("train.py", "-f", "md", "--effort", "days.tsv").text)
    assert mine["decide on lines to review *"] == (looked, "2", 2 * looked, 2 * looked)
    assert more == pytest.approx(high + 20.5 - 1.5 + 1.9 * looked, abs=0.11)
    assert "days.tsv" in plan("train.py", "--effort", "days.tsv").text


@pytest.mark.parametrize("text, word", [
    ("item low high\n", "columns"), ("# item\tlow\thigh\nnone\t1\t2\n", "items: environment"), ("# item\tlow\thigh\nport\t2\t1\n", "0 to 1000"),
    ("# item\tlow\thigh\nport\t-1\t1\n", "0 to 1000"), ("# item\tlow\thigh\nport\t1\t1e9\n", "0 to 1000"), ("# item\tlow\thigh\nport\t1\n", "columns"),
    ("# item\tlow\thigh\nport\t1\t1001\n", "0 to 1000"), ("", ""), ("# item\tlow\thigh\n" + "port\t1\t2\n" * 20000, "bytes")], ids="abcdefghi")
def test_a_file_of_days_that_is_wrong_is_refused(plan, tmp_path, text, word):
    (tmp_path / "days.tsv").write_text(text, encoding="utf-8")
    run = plan("train.py", "--effort", "days.tsv")
    assert run.status == (3 if word == "bytes" else 2) and "days.tsv" in run.err and word in run.err and "Migration" not in run.text
    assert plan("--effort", "none.tsv").status == 3


def test_a_dump_that_shows_all_needs_no_other(plan):
    text = plan(dump=ROOT / "tests" / "fixtures" / "torch-2.13" / "lastbatch.a-full.log").text
    assert "Migration plan" in text and "record the program once more" not in text and "does not show all" not in text


def test_a_dump_alone_is_enough_and_its_report_says_the_same(plan, opcheck, tmp_path):
    alone = plan("-f", "md")
    assert alone.status == 0 and "port.patch" not in alone.text
    report = opcheck("check", tmp_path / "dump.log", "-t", NPU, "-f", "json")
    (tmp_path / "report.json").write_bytes(report.out)
    for form in ("text", "md", "html"):
        of_report = plan("train.py", "-f", form, dump="report.json", target=()).text.replace("report.json", "dump.log")
        assert of_report == plan("train.py", "-f", form).text, form
    chinese = plan("train.py", "--lang", "zh-CN").text
    assert "迁移计划" in chinese and "plan." not in chinese.replace("plan.md", "")


@pytest.mark.parametrize("target", [(), ("-t", "npu", "-t", "musa")])
def test_a_plan_is_for_one_target(plan, target):
    run = plan(target=target)
    assert run.status == 2 and "one target" in run.err


@python_alone
def test_the_tests_pass_with_the_cpu_as_the_device(plan, torch, tmp_path):
    assert plan("--tests", "first_day.py").status == 0
    run = python(tmp_path / "first_day.py", "--device", "cpu")
    assert run.returncode == 0, run.stdout + run.stderr
    passed = {line.split()[1] for line in run.stdout.splitlines() if line.startswith("passed")}
    assert {"aten::_unique2", "aten::median", "aten::topk"} <= passed, run.stdout
    assert "torchvision::nms" not in run.stdout, "what does not run there has nothing to compare"
    small = python(tmp_path / "first_day.py", "--device", "cpu", "--most", "1").stdout
    assert small.splitlines()[-1].startswith("0 passed, 0 differs, 0 failed")


@python_alone
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


CPU_ONLY = [("aten::mkldnn_convolution", "[[1, 3, 8, 8], [4, 3, 3, 3], [4], [], [], [], []]"),
            ("aten::_slow_conv2d_forward", "[[1, 3, 8, 8], [4, 3, 3, 3], [], [4], [], []]"),
            ("aten::_nnpack_spatial_convolution", "[[1, 3, 8, 8], [4, 3, 3, 3], [4], [], []]"),
            ("aten::mkldnn_rnn_layer", "[[5, 3, 10], [80, 10], [80, 20], [80], [80], [3, 20], [3, 20], [], [], [], [], [], [], [], [], []]"),
            ("aten::cudnn_batch_norm", "[[2, 3, 8, 8], [3], [3], [3], [3], [], [], []]"), ("aten::median", "[[4, 8]]")]


def test_operators_of_a_backend_are_run_as_what_they_stand_for(plan, device, tmp_path):
    (tmp_path / "dump.log").write_text(table(CPU_ONLY), encoding="utf-8")
    assert plan("--tests", "first_day.py").status == 0
    run = python(tmp_path / "first_day.py", device=True)
    assert run.returncode == 0, run.stdout + run.stderr
    outcomes = {line.split()[1]: line.split()[0] for line in run.stdout.splitlines()[:-1]}
    assert outcomes["aten::mkldnn_convolution"] == "passed" and re.search(r"mkldnn_convolution .*: as aten::convolution\b", run.stdout)
    assert outcomes["aten::cudnn_batch_norm"] == outcomes["aten::median"] == "passed" and outcomes["aten::mkldnn_rnn_layer"] == "skipped"


@pytest.fixture
def device(torch):
    if not torch.startswith("1.13"):
        pytest.skip("the stand-in for torch_npu is for PyTorch 1.13")


@python_alone
def test_the_stand_in_refuses_operators_of_a_backend(plan, device, tmp_path):
    (tmp_path / "dump.log").write_text(table(CPU_ONLY), encoding="utf-8")
    plan("--tests", "first_day.py")
    run = python("-c", "import first_day, sys; first_day.STANDS_FOR = {}; first_day.BACKENDS = (); sys.exit(first_day.main())",
                 cwd=tmp_path, device=True)
    assert run.returncode == 1 and "failed   aten::mkldnn_convolution" in run.stdout, run.stdout + run.stderr


@python_alone
def test_the_tests_run_on_the_device(plan, device, tmp_path):
    assert plan("--tests", "first_day.py").status == 0
    run = python(tmp_path / "first_day.py", device=True)
    passed = {line.split()[1] for line in run.stdout.splitlines() if line.startswith("passed")}
    assert run.returncode == 0 and {"aten::_unique2", "aten::median", "aten::topk"} <= passed, run.stdout + run.stderr


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
