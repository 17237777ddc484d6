"""opcheck port: what it edits in scripts, what it never touches, and what it leaves to a person."""
import ast
import csv
import io
import json
import os
import re
import shutil
import subprocess

import pytest

from test_labels import LABELS, SCRIPTS

ALL = set().union(*LABELS.values())
BOTH = pytest.mark.parametrize("target", ["npu", "musa"])


@pytest.fixture
def port(opcheck, tmp_path):
    """Ports files given as texts."""
    def run(files, *args, target="npu", status=0):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        done = opcheck("port", ".", "-t", target, *args, cwd=tmp_path)
        if "without the grammar" in done.err:
            pytest.skip("opcheck was built without the grammar of Python")
        assert done.status == status, done.err
        return done
    return run


def ported(port, tmp_path, text, **options):
    """A script after the port."""
    port({"a.py": text}, "-o", "out", "-q", **options)
    changed = tmp_path / "out" / "a.py"
    return changed.read_bytes().decode() if changed.exists() else text


def rows(run):
    return list(csv.DictReader(io.StringIO(run.text, newline="")))


def labelled(opcheck, target, tmp_path):
    tree = tmp_path / "scripts"
    shutil.copytree(SCRIPTS, tree)
    run = opcheck("port", ".", "-t", target, "-f", "csv", "-q", cwd=tree)
    if "without the grammar" in run.err:
        pytest.skip("opcheck was built without the grammar of Python")
    return tree, rows(run)


# --- the labelled scripts


@BOTH
def test_every_edit_is_of_a_line_that_must_change(opcheck, tmp_path, target):
    _, found = labelled(opcheck, target, tmp_path)
    edited = {(row["path"].removeprefix("./"), int(row["line"])) for row in found
              if row["done"] == "edited" and row["rule"] != "import" and not row["replacement"].endswith(" = cuda")}  # below its method
    must = {(file, line) for file, line, on, action in ALL if on == target and action == "must-change"}
    assert edited - must == set()
    print("%s: %d of %d lines edited" % (target, len(edited), len(must)))
    assert len(edited) > 0.6 * len(must)
    left = {(row["path"].removeprefix("./"), int(row["line"])) for row in found if row["done"] != "edited"}
    assert len(must - edited - left) <= 0.02 * len(must), must - edited - left


@BOTH
def test_what_was_edited_parses_and_a_second_port_edits_nothing(opcheck, tmp_path, target):
    tree, found = labelled(opcheck, target, tmp_path)
    patch = opcheck("port", ".", "-t", target, "-q", cwd=tree).out
    subprocess.run(["patch", "-p1", "-s"], input=patch, cwd=tree, check=True)
    for name in {row["path"] for row in found if row["done"] == "edited"}:
        ast.parse((tree / name).read_bytes())
    assert opcheck("port", ".", "-t", target, "-q", cwd=tree).out == b""


@BOTH
def test_the_patch_and_the_folder_hold_the_same(opcheck, tmp_path, target):
    tree, _ = labelled(opcheck, target, tmp_path)
    assert opcheck("port", ".", "-t", target, "-q", "-o", tmp_path / "out", cwd=tree).status == 0
    patch = opcheck("port", ".", "-t", target, "-q", cwd=tree).out
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tree, check=True)
    changed = [path.relative_to(tmp_path / "out") for path in (tmp_path / "out").rglob("*.py")]
    assert len(changed) > 10
    assert [name for name in changed if (tmp_path / "out" / name).read_bytes() != (tree / name).read_bytes()] == []


# --- single edits

EDITS = [
    ("x.cuda()", "x.npu()"), ("x.is_cuda", "x.is_npu"), ("x.to('cuda')", "x.to('npu')"), ("x.to(f'cuda:{i}')", "x.to(f'npu:{i}')"),
    ("torch.cuda.synchronize()", "torch.npu.synchronize()"), ("(torch\n .cuda # why\n .Event)()", "(torch\n .npu # why\n .Event)()"),
    ("g = torch.cuda.CUDAGraph()", "g = torch.npu.NPUGraph()"), ("torch.amp.GradScaler(enabled=on)", 'torch.amp.GradScaler("npu", enabled=on)'),
    ("from torch import cuda, nn", "from torch import npu as cuda, nn"), ("import torch.cuda as c", "import torch_npu.npu as c"),
    ("from torch.cuda.amp import autocast as a, GradScaler", "from torch_npu.npu.amp import autocast as a, GradScaler"),
    ("from torch.cuda import CUDAGraph", "from torch_npu.npu import NPUGraph as CUDAGraph"),
    ("v = torch.version.cuda", "v = torch.version.cann"), ("print(torch.version.cuda)", "print(torch.version.cann)"),
    ("torch.distributed.init_process_group('nccl')", "torch.distributed.init_process_group('hccl')"),
    ("ok = torch.distributed.Backend.NCCL", "ok = torch.distributed.Backend.HCCL"),
    ("deepspeed.init_distributed('nccl')", "deepspeed.init_distributed('hccl')"),
    ("torch.cuda.random.seed()", "torch.npu.random.seed()"), ("torch.cuda.nvtx.mark('a')", "torch.npu.mstx.mark('a')"),
    ("torch.set_default_device('cuda')", "torch.set_default_device('npu')"), ("with torch.device('cuda'): pass", "with torch.device('npu'): pass"),
    ("device = click.option('--device', default='cuda')", "device = click.option('--device', default='npu')"),
    ("run(['python', 'a.py', '--device', 'cuda'])", "run(['python', 'a.py', '--device', 'npu'])"),
    ("x.cuda('cuda:1')", "x.npu('npu:1')"), ("x.cuda(device='cuda:1')", "x.npu(device='npu:1')"),
    ("b = {'cuda': 'nccl', 'cpu': 'gloo'}\ninit_process_group(backend=b[x.device.type])",
     "b = {'npu': 'hccl', 'cpu': 'gloo'}\ninit_process_group(backend=b[x.device.type])"),
    ("s = torch.cuda.current_stream().cuda_stream", "s = torch.npu.current_stream().npu_stream"),
    ("names = [f'cuda:{i}' for i in r]\nx.to(names[0])", "names = [f'npu:{i}' for i in r]\nx.to(names[0])"),
    ("names = ['cuda:%d' % i for i in r]\ny = [x.to(n) for n in names]", "names = ['npu:%d' % i for i in r]\ny = [x.to(n) for n in names]"),
    ("name = 'cuda:{}'.format(0)\nx.to(name)", "name = 'npu:{}'.format(0)\nx.to(name)"),
]
KEPT = ["print('cuda')", "# x.cuda()", "url = 'https://x/cuda'", "cuda = 3", "open('cuda.txt')", "d = {'cuda': 1}['cuda']",
        "from torch.cuda import nvtx, Event", "v = parse(torch.version.cuda) >= (11, 0)",
        "torch.backends.cudnn.benchmark = True", "m = torch.nn.DataParallel(m)",
        "if torch.version.cuda.split('.')[0] > '11': pass", "v = torch.version.cuda\nv.split('.')", "t = torch.cuda.DoubleTensor(1)",
        "dist.all_reduce(torch.zeros(1, dtype=torch.float64))", "if device[:n] == 'cuda': pass", "t = pl.Trainer(accelerator='cuda')",
        "f = Fabric(accelerator='cuda' if on else 'cpu')", "print(['cuda:%d' % i for i in r])", "g = getattr(args, 'cuda', False)"]


@pytest.mark.parametrize("before,after", EDITS)
def test_a_use_of_the_device_is_edited_and_the_plugin_imported(port, tmp_path, before, after):
    lines = ported(port, tmp_path, "import torch\n%s\n" % before)
    assert lines in ("import torch\nimport torch_npu\n%s\n" % after, "import torch_npu\nimport torch\n%s\n" % after)


@pytest.mark.parametrize("text", KEPT)
def test_everything_else_stays(port, tmp_path, text):
    text = "import torch\n%s\n" % text
    assert ported(port, tmp_path, text) == text


ANSWERS = [  # what exists on the target and answers otherwise: the line must change, and no rename does it
    ("ok = torch.cuda.get_device_capability()[0] >= 8", ["npu", "musa"]), ("n = torch.cuda.get_device_properties(0).major", ["npu"]),
    ("p = torch.cuda.get_device_properties(0)\nn = p.warp_size", ["npu", "musa"]), ("v = torch.version.cuda.split('.')", ["npu", "musa"]),
    ("t = torch.tensor([1.0], dtype=torch.float64)\ntorch.distributed.all_reduce(t)", ["npu"]),
    ("t = torch.zeros(2).double()\ntorch.distributed.reduce(t, 0)", ["npu"])]


@BOTH
@pytest.mark.parametrize("text,targets", ANSWERS)
def test_what_answers_otherwise_is_left_as_a_change(port, text, targets, target):
    left = port({"a.py": "import torch\n%s\n" % text}, "-f", "json", "-q", target=target).json["left"]
    assert (("src-device-answer", "must-change") in {(row["rule"], row["action"]) for row in left}) == (target in targets)


def test_a_name_that_a_module_of_the_program_holds_is_left_as_a_change(port):
    run = port({"where.py": "import torch\nlib = torch\n", "a.py": "import where\nwhere.lib.cuda.synchronize()\n"}, "-f", "csv", "-q")
    assert [(row["line"], row["done"]) for row in rows(run) if row["rule"] == "src-device-api"] == [("2", "must-change")]


def test_data_parallel_runs_on_musa_and_not_on_npu(port):
    for target, action in (("npu", "must-change"), ("musa", "check")):
        left = port({"a.py": "import torch\nmodel = torch.nn.DataParallel(model)\n"}, "-f", "json", "-q", target=target).json["left"]
        assert action in {row["action"] for row in left if row["rule"] == "src-data-parallel"}


OPENINGS = [
    ("import torch\nx.cuda()\n", "import torch\nimport torch_npu\nx.npu()\n"),
    ('#!/usr/bin/python\n"""Doc."""\nfrom __future__ import annotations\nimport os\nx.cuda()\n',
     '#!/usr/bin/python\n"""Doc."""\nfrom __future__ import annotations\nimport torch_npu\nimport os\nx.npu()\n'),
    ("# coding: utf-8\nfrom torch import cuda\n", "# coding: utf-8\nimport torch_npu\nfrom torch import npu as cuda\n"),
    ("import torch # as t\r\nx.cuda()\r\n", "import torch # as t\r\nimport torch_npu\r\nx.npu()\r\n"),
    ("import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\nimport torch\nx.cuda()",
     "import os\nos.environ['ASCEND_RT_VISIBLE_DEVICES'] = '0'\nimport torch\nimport torch_npu\nx.npu()"),
    ("import torch\nimport torch_npu\nx.cuda()\n", "import torch\nimport torch_npu\nx.npu()\n"),
]


@pytest.mark.parametrize("before,after", OPENINGS)
def test_the_import_of_the_plugin_has_the_right_place(port, tmp_path, before, after):
    assert ported(port, tmp_path, before) == after


def test_encodings_stay(port, tmp_path):
    for head, coding in ((b"\xef\xbb\xbf", "utf-8"), (b"", "latin-1"), (b"", "gbk")):
        text = head + ("# coding: %s\nimport torch\nx = '%s'; y.cuda()\n" % (
            coding, {"utf-8": "€", "latin-1": "é", "gbk": "中"}[coding])).encode(coding)
        port({"a.py": text}, "-o", "out", "--force", "-q")
        changed = (tmp_path / "out" / "a.py").read_bytes()
        assert changed == text.replace(b"import torch\n", b"import torch\nimport torch_npu\n").replace(b".cuda", b".npu")


def test_what_cannot_be_read_whole_is_left_alone(port):
    run = port({"a.py": "x.cuda()\ndef (:\n", "b.py": "import torch\nx.cuda()".encode("utf-16")}, "-f", "csv", "-q")
    assert {row["done"] for row in rows(run) if row["rule"] != "src-absent-flag"} == {"must-change"}


# --- notebooks, and files around the program


def test_cells_of_a_notebook_are_edited_where_they_are_in_json(port, tmp_path):
    cells = [["!nvidia-smi\n", "!CUDA_VISIBLE_DEVICES=0 python a.py --device cuda:0\n", "import torch  # \"x\" \u4e2d"],
             ["%%time\n", "print('\u00e9\\n', x.to(\"cuda:0\"))\n", "s = torch.amp.GradScaler(enabled=True)"],
             ["%%bash\n", "export CUDA_VISIBLE_DEVICES=1\n", "echo \"$CUDA_VISIBLE_DEVICES\" cuda"]]
    edits = [("CUDA_", "ASCEND_RT_"), ("cuda:0", "npu:0"), ("Scaler(", 'Scaler("npu", '), ('"x" \u4e2d', '"x" \u4e2d\nimport torch_npu')]

    def edited(line):
        for old, new in edits:
            line = line.replace(old, new)
        return line

    def book(cells, whole, ascii_only):
        return json.dumps({"cells": [{"cell_type": "code", "outputs": ["x.cuda()"], "source": "".join(cell) if whole else cell}
                                     for cell in cells], "nbformat": 4}, indent=1, ensure_ascii=ascii_only)
    for form in ((True, True), (True, False), (False, True), (False, False)):
        port({"nb.ipynb": book(cells, *form)}, "-o", "out", "--force", "-q")
        assert (tmp_path / "out" / "nb.ipynb").read_text() == book([[edited(line) for line in cell] for cell in cells], *form)


def test_words_around_a_program_are_edited_where_one_word_takes_their_place(port, tmp_path):
    files = {"run.sh": "export CUDA_VISIBLE_DEVICES=0  # CUDA_VISIBLE_DEVICES\nnvidia-smi\npython a.py --device cuda:1\n",
             "a.yaml": "# cuda\r\ndevice: 'cuda' # cuda\r\nname: cuda\r\n", "b.toml": "backend = \"nccl\"\nx = \"nccl\"\n",
             "requirements.txt": "torch==2.1.0+cu118\n", "bad.yaml": "device: cuda\na: [\n"}
    run = port(files, "-f", "csv", "-q")
    done = {(row["path"].removeprefix("./"), row["line"], row["done"]) for row in rows(run)}
    assert done == {("run.sh", "1", "edited"), ("run.sh", "2", "must-change"), ("run.sh", "3", "edited"), ("a.yaml", "2", "edited"),
                    ("b.toml", "1", "edited"), ("requirements.txt", "1", "must-change")}
    port({}, "-o", "out", "-q")
    assert (tmp_path / "out" / "run.sh").read_text() == files["run.sh"].replace("CUDA_", "ASCEND_RT_", 1).replace("cuda:1", "npu:1")
    assert (tmp_path / "out" / "a.yaml").read_bytes() == files["a.yaml"].replace("'cuda'", "'npu'").encode()
    assert (tmp_path / "out" / "b.toml").read_text() == files["b.toml"].replace("nccl", "hccl", 1)
    assert "Dockerfile" not in port({"Dockerfile": "RUN nvcc\n"}, "--launcher").text


# --- one line


def test_one_line_is_enough_or_what_it_leaves_is_named(port):
    run = port({"a.py": "import torch\nx.cuda()\n"})
    assert "transfer_to_npu" in run.err and "covers everything that must change" in run.err
    run = port({"a.py": "import os, torch\nx.cuda()\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\nif d.type == 'cuda': pass\n"})
    assert "Not covered:" in run.err and "a.py:3:13: src-env" in run.err and "a.py:4:" in run.err
    assert "import torch_musa" in port({}, target="musa").err
    tests = ["d.type in ('cuda', 'cpu')", "str(x.device).startswith('cuda')", "{'cuda': 1, 'cpu': 0}[d.type]", "'cuda' in str(d)"]
    run = port({"a.py": "import torch\nm = torch.load(p, map_location={'cuda:0': 'cuda:1'})\nmatch d.type:\n    case 'cuda':\n        pass\n" +
                        "".join("t = %s\n" % test for test in tests)})
    assert re.findall(r"a.py:(\d+):\d+: src-device-string", run.err) == ["4", "6", "7", "8", "9"]


def test_a_program_with_transfer_to_npu_gets_the_rest_alone(port, tmp_path):
    head = "import os, torch, torch_npu\nfrom torch_npu.contrib import transfer_to_npu\nx.cuda()\n"
    text = head + "os.environ['CUDA_VISIBLE_DEVICES'] = '0'\nf(torch.cuda.current_stream().cuda_stream)\n"
    assert ported(port, tmp_path, text) == text.replace("CUDA_", "ASCEND_RT_").replace(".cuda_stream", ".npu_stream")


# --- writing


def git(tree, *words):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tree, check=True, capture_output=True)


def test_files_change_in_place_only_in_a_clean_work_tree(port, tmp_path):
    text = "import torch\nx.cuda()\n"
    assert "not in a work tree" in port({"a.py": text}, "--write", status=2).err
    git(tmp_path, "init")
    refused = port({}, "--write", status=2).err
    assert "not committed" in refused and "opcheck port . -t npu --patch port.patch" in refused
    assert (tmp_path / "a.py").read_text() == text
    (tmp_path / "a.py").chmod(0o755)
    git(tmp_path, "add", "a.py")
    git(tmp_path, "commit", "-m", "a")
    assert "1 change in 1 script" in port({}, "--write").text
    assert (tmp_path / "a.py").read_text() == "import torch\nimport torch_npu\nx.npu()\n"
    assert (tmp_path / "a.py").stat().st_mode & 0o777 == 0o755


def test_the_answer_has_forms_for_programs(port, tmp_path):
    text = "import torch\nx.cuda()\nmodel = torch.nn.DataParallel(model)\n"
    done = port({"a.py": text}, "-f", "json", "-q")
    answer = done.json
    assert done.out.endswith(b"}\n")
    assert [(edit["line"], edit["rule"], edit["expression"], edit["replacement"], edit["covered"]) for edit in answer["edits"]] == [
        (2, "import", "", "import torch_npu", False), (2, "src-device-call", "cuda", "npu", True)]
    assert [(left["line"], left["rule"], left["action"]) for left in answer["left"]] == [
        (1, "src-absent-flag", "check"), (3, "src-data-parallel", "must-change")]
    port({}, "--patch", "a.patch", "-q")
    assert "@@ -1,3 +1,4 @@ import src-device-call\n" in (tmp_path / "a.patch").read_text()


@BOTH
def test_the_launcher_starts_the_script_with_its_arguments(port, tmp_path, target):
    run = port({"train.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('data')\n"
                            "p.add_argument('--cfg', required=True)\np.add_argument('--dist-backend', default='nccl')\n"
                            "p.add_argument('--local_rank')\nif __name__ == '__main__':\n    pass\n"}, "--launcher", target=target)
    subprocess.run(["sh", "-n"], input=run.out, check=True)
    backend = {"npu": "hccl", "musa": "mccl"}[target]
    assert run.text.count("'./train.py' \"$DATA\" --cfg \"$CFG\" --dist-backend %s \"$@\"\n" % backend) == 2
    assert "--nnodes" in run.text and "LOCAL_RANK" in run.text


@BOTH
def test_the_launcher_starts_a_script_that_starts_its_processes_itself_once(port, target):
    run = port({"train.py": "import torch.multiprocessing as mp\nif __name__ == '__main__':\n    mp.spawn(main, nprocs=8)\n"},
               "--launcher", target=target)
    subprocess.run(["sh", "-n"], input=run.out, check=True)
    assert run.text.splitlines()[-1] == "python3 './train.py' \"$@\"" and run.text.count("train.py") == 1
    assert ("HCCL_IF_IP" in run.text) == (target == "npu") and "torchrun" not in run.text


IMAGENET = """import argparse, sys
import torch.multiprocessing as mp
parser = argparse.ArgumentParser()
parser.add_argument('data', nargs='?', default='imagenet')
parser.add_argument('--world-size', default=-1, type=int)
parser.add_argument('--rank', default=-1, type=int)
parser.add_argument('--dist-url', default='tcp://224.66.41.62:23456')
parser.add_argument('--dist-backend', default='nccl')
parser.add_argument('--multiprocessing-distributed', action='store_true')
parser.add_argument('--batch-size', type=int)
if __name__ == '__main__':
    mp.spawn(main, nprocs=8)
"""


@BOTH
def test_the_launcher_keeps_the_flags_of_the_program(port, tmp_path, target):
    run = port({"main.py": IMAGENET}, "--launcher", target=target)
    (tmp_path / "show").mkdir()
    for name in "python3", "set_env.sh":
        (tmp_path / "show" / name).write_text('#!/bin/sh\n[ $# = 0 ] || printf "%s\\n" "$@"\n')
        (tmp_path / "show" / name).chmod(0o755)
    env = {"PATH": "%s:%s" % (tmp_path / "show", os.environ["PATH"]), "ASCEND_TOOLKIT": str(tmp_path / "show"), "NODES": "2", "NODE_RANK": "1",
           "MASTER_ADDR": "10.1.2.3"}
    (tmp_path / "run.sh").write_bytes(run.out)
    words = subprocess.run(["sh", "run.sh", "--batch-size", "3 2", "$(x)"], capture_output=True, text=True, check=True, env=env, cwd=tmp_path).stdout
    backend = {"npu": "hccl", "musa": "mccl"}[target]
    words = words.splitlines()
    for flag, value in ("--world-size", "2"), ("--rank", "1"), ("--dist-url", "tcp://10.1.2.3:29500"), ("--dist-backend", backend):
        assert words[words.index(flag) + 1] == value
    assert "--multiprocessing-distributed" in words and words[-3:] == ["--batch-size", "3 2", "$(x)"]


def test_a_target_is_needed(opcheck):
    for args in ((), ("-t", "cuda"), ("-t", "npu", "-t", "musa")):
        assert opcheck("port", "a.py", *args).status == 2
