"""opcheck scan: what it answers, in which forms, and what it does with files that are no scripts."""
import csv
import io
import json
import random
import re

import jsonschema
import pytest

from conftest import ROOT

SCHEMA = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
TARGETS = ["-t", "npu@v2.7.1-26.0.0", "-t", "musa@v2.7.1"]
SCRIPT = """import torch

model = torch.nn.Linear(2, 2).cuda()
loss = model(torch.ones(2)).sum()
print(loss.item(), "cuda")
"""


@pytest.fixture
def scan(opcheck, tmp_path):
    """Scans files given as texts, and leaves out all when the program has no grammar."""
    def run(files, *args, **options):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = opcheck("scan", ".", *args, *([] if "-t" in args else TARGETS), cwd=tmp_path, **options)
        if "without the grammar" in done.err:
            pytest.skip("opcheck was built without the grammar of Python")
        return done
    return run


def rows(run):
    return list(csv.DictReader(io.StringIO(run.text, newline="")))


def test_a_row_of_csv_is_one_place_on_one_target(scan):
    run = scan({"a.py": SCRIPT}, "-f", "csv")
    assert run.text.splitlines()[0] == "path,line,column,rule,action,target,expression,replacement,reason"
    found = [(r["path"], r["line"], r["column"], r["rule"], r["action"], r["target"], r["replacement"]) for r in rows(run)]
    assert found == [
        ("./a.py", "3", "9", "src-device-call", "must-change", "musa@v2.7.1", ".musa()"),
        ("./a.py", "3", "9", "src-device-call", "must-change", "npu@v2.7.1-26.0.0", ".npu()"),
        ("./a.py", "1", "1", "src-absent-flag", "check", "npu@v2.7.1-26.0.0", "torch.npu.set_compile_mode(jit_compile=False)"),
        ("./a.py", "5", "7", "src-dynamic", "check", "musa@v2.7.1", ""),
        ("./a.py", "5", "7", "src-dynamic", "check", "npu@v2.7.1-26.0.0", ""),
    ]


def test_the_json_report_fits_its_schema_and_converts_to_the_same_bytes(scan, opcheck, tmp_path):
    report = scan({"a.py": SCRIPT, "bad.py": "def (:\n"}, "-f", "json")
    jsonschema.validate(report.json, SCHEMA)
    assert report.json["source"]["files"] == 2 and report.json["source"]["unread"][0]["rule"] == "scan-broken"
    assert [t["verdict"] for t in report.json["targets"]] == ["blocked", "blocked"]
    file = tmp_path.parent / (tmp_path.name + ".json")
    file.write_bytes(report.out)
    for form in ("text", "json", "html", "md", "csv", "sarif", "junit", "codequality", "annotations", "badge"):
        direct = scan({}, "-f", form)
        assert direct.out == opcheck("convert", file, "-f", form).out, form
    reasons = {t["id"]: t["reason"]["text"] for t in report.json["targets"]}
    assert all("\n**%s** blocked %s\n" % reason in scan({}, "-f", "md").text for reason in reasons.items())  # three words apart


def test_sarif_and_annotations_point_at_lines_of_the_script(scan):
    location = scan({"a.py": SCRIPT}, "-f", "sarif").json["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "./a.py"
    assert location["region"] == {"startLine": 3, "startColumn": 9, "endLine": 3, "endColumn": 37}
    assert "file=./a.py,line=3::" in scan({}, "-f", "annotations").text
    assert {(f["location"]["path"], f["location"]["lines"]["begin"]) for f in scan({}, "-f", "codequality").json} == {
        ("./a.py", 1), ("./a.py", 3), ("./a.py", 5)}


@pytest.mark.parametrize("words,script,status", [
    ("must-change", SCRIPT, 1), ("check", SCRIPT, 1), ("must-change", "import os\n", 0), ("unsupported", SCRIPT, 0),
    ("must-change", "import torch\nx = torch.ones(1).item()\n", 0)])
def test_the_gate_counts_places(scan, words, script, status):
    assert scan({"a.py": script}, "-f", "json", "--fail-on", words).status == status


def test_waivers_and_a_baseline_excuse_places(scan, tmp_path):
    waiver = "[waiver one]\nop = .cuda()\npath = *a.py\nreason = kept for now\n"
    run = scan({"a.py": SCRIPT, "w.conf": waiver}, "-f", "json", "--fail-on", "must-change", "--waivers", "w.conf",
               "--date", "2026-01-01")
    assert run.status == 0 and len(run.json["waived"]) == 2
    (tmp_path / "base.json").write_bytes(scan({}, "-f", "json").out)
    again = scan({"a.py": "# moved\n\n" + SCRIPT}, "-f", "json", "--fail-on", "must-change", "--baseline", "base.json")
    assert again.status == 0 and {f["age"] for f in again.json["findings"]} == {"known"}
    assert scan({"b.py": "import torch\ntorch.cuda.init()\n"}, "--fail-on", "must-change", "--baseline",
                "base.json").status == 1


def test_names_are_followed_into_other_modules_of_the_program(scan):
    files = {"pkg/__init__.py": "from .where import *\n", "pkg/where.py": "import torch as t\nHOME = 'cuda'\napi = t.cuda\n",
             "main.py": "import pkg.where\nfrom pkg import HOME, api\nimport torch\ntorch.ones(1).to(HOME)\napi.synchronize()\n"}
    found = {(r["path"], r["line"], r["rule"], r["action"]) for r in rows(scan(files, "-f", "csv"))}
    assert found == {("./main.py", "3", "src-absent-flag", "check"), ("./pkg/where.py", "2", "src-device-string", "must-change"),
                     ("./pkg/where.py", "3", "src-device-api", "must-change")}


def test_a_report_names_every_file_that_it_did_not_read(scan, tmp_path):
    files = {"big.py": "x = 1\n" * 1000, "deep.py": "[" * 100000, "fine.py": "x = 1\n", "latin.py": b"# caf\xe9\nx = 1\n"}
    run = scan(files, "-f", "json", "--limit", "script-bytes=200000")
    assert run.json["source"]["files"] == 3 and [u["params"]["path"] for u in run.json["source"]["unread"]] == ["./deep.py"]
    assert [t["verdict"] for t in run.json["targets"]] == ["inconclusive", "inconclusive"]
    small = scan({}, "-f", "json", "--limit", "script-bytes=100").json["source"]
    assert {u["params"]["path"] for u in small["unread"]} == {"./big.py", "./deep.py"} and small["files"] == 2


def test_folders_that_hold_no_sources_are_passed_over(scan):
    files = {"a.py": SCRIPT, "venv/b.py": SCRIPT, ".git/c.py": SCRIPT, "__pycache__/d.py": SCRIPT, "e.txt": SCRIPT}
    assert {r["path"] for r in rows(scan(files, "-f", "csv"))} == {"./a.py"}


def test_nothing_to_scan_is_an_error(scan, opcheck):
    assert scan({"a.txt": "x"}).status == 3
    assert opcheck("scan", "no-such-folder").status == 3


HOSTILE = {
    "random": bytes(random.Random(1).randrange(256) for _ in range(200000)),
    "unterminated": b'x = """cuda\n' * 2000,
    "brackets": b"[x, " * 14000,
    "comments": b"#\n" * 30000 + b"[",
    "attributes": b"import torch\ntorch" + b".cuda" * 20000,
    "circles": b"import torch\n" + b"x = x.a\nx = torch if x else x\nx.cuda()\n" * 500,
    "one line": b"import torch\nx = [" + b'torch.cuda.is_available(), "cuda", y.cuda(), ' * 2000 + b"]\n",
    "long line": b'x = "' + b"a" * 10000000 + b'"\n',
    "same name": b"def f(a=x.cuda()):\n class C:\n  def cuda(self): return 1\n" * 2000,
    "choices": b'd = ' + b'"cuda" if a else ' * 5000 + b'"cpu"\n',
    "relative": b"from " + b"." * 20000 + b" import x as torch\nfrom . import *\n",
    "cut": SCRIPT.encode()[:-9],
    "nul": b"import torch\0\ntorch.cuda.x\n\xff\xfe",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_file_is_too_much(scan, text):
    run = scan({"a.py": text}, "-f", "json", "--limit", "script-bytes=20M", "--limit", "scan-findings=2000")
    assert run.status == 0, run.err
    assert run.json["source"]["files"] + len(run.json["source"]["unread"]) >= 1
    assert run.out == scan({}, "-f", "json", "--limit", "script-bytes=20M", "--limit", "scan-findings=2000").out


def notebook(*cells, **more):
    """Cells of code, each a list of lines."""
    return json.dumps({"cells": [{"cell_type": "markdown", "source": ["x.cuda()"]}] + [
        {"cell_type": "code", "outputs": [{"text": ["y.cuda()\n"]}], "source": cell} for cell in cells],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}, indent=1)


CELLS = [["%matplotlib inline\n", "import torch\n", "if True:\n", "    !nvidia-smi \\\n", "     -L\n", "files = !ls\n",
          "s = ('%d \"\u00e9\"'\n", "  % 3); x = torch.ones(1).cuda()"],
         ["%%html\n", "<b>x.cuda()</b>"], ["%%time\n", "\"\"\"\n", "!x.cuda()\n", "\"\"\"\n", "print('\u4e2d\U0001f600', x.cuda())\n", "x?"]]


def test_places_in_a_notebook_are_those_in_its_file(scan):
    text = notebook(*CELLS)
    run = scan({"nb.ipynb": text}, "-f", "json", "-t", "npu")
    assert run.json["source"] == {"files": 1, "lines": text.count("\n") + 1, "left_out": 0, "magics": 8, "unread": []}
    sites = [(f["source"]["line"], f["source"]["column"], f["source"]["expression"]) for f in run.json["findings"]]
    lines = text.splitlines()
    starts, tool, first, second = ([i for i, line in enumerate(lines, 1) if part in line][0]
                                   for part in ("import", "smi", "% 3)", "print("))
    assert sites == [(tool, lines[tool - 1].index("nvidia") + 1, "nvidia-smi"),
                     (first, lines[first - 1].index("torch") + 1, "torch.ones(1).cuda()"),
                     (second, lines[second - 1].index("x.cuda") + 1, "x.cuda()"),
                     (starts, lines[starts - 1].index("import") + 1, "import torch")]
    flat = json.dumps({"cells": [{"cell_type": "code", "source": "import torch\n\u00e9 = torch.ones(1).cuda()"}]})
    one = scan({"nb.ipynb": flat}, "-f", "json", "-t", "npu").json["findings"][0]["source"]
    assert (one["line"], one["column"]) == (1, flat.index("torch.ones") + 1)


def test_a_letter_of_two_escapes_may_end_a_line_of_a_notebook(scan):
    text = notebook(["import torch\n", "x = f('\U0001f600", "').cuda()\n"])
    assert "\\ud83d\\ude00\"" in text
    found = [f["source"]["expression"] for f in scan({"nb.ipynb": text}, "-f", "json", "-t", "npu").json["findings"]]
    assert "f('\U0001f600').cuda()" in found


SHELL_CELLS = [["!pip install cupy-cuda12x \\\n", "  torch==2.1.0+cu118\n", "gpus = !nvidia-smi -L\n", "!echo it's \n", "!nvcc x.cu\n",
                "%pip install flash-attn\n", "%env CUDA_VISIBLE_DEVICES=0\n", "%matplotlib nvcc\n", "s = '''\n", "!nvcc\n", "'''\n",
                "!cat <<E"],
               ["%%bash -s\n", "export NCCL_DEBUG=INFO  # nvcc\n", "python \u4e2d.py \\\n", " --backend nccl\n", "cat <<'EOF'\n", "nvcc\n"],
               ["%%html\n", "nvcc\n"], ["!ls \\\n", "\n", "nvcc = 1\n", "!nvidia-smi"],
               ["%%script --bg bash\n", "export NCCL_IB_DISABLE=1\n"], ["%%script perl\n", "nvcc\n"], ["%%!\n", "nvcc -V\n"],
               ["%sx nvcc --help\n", "a = %system nvcc --list\n", "%set_env NCCL_NET=1\n", "%run a.py --device cuda:7"]]


def test_commands_in_a_notebook_are_read_as_a_shell_script_is(scan, opcheck, tmp_path):
    text = notebook(*SHELL_CELLS)
    run = scan({"nb.ipynb": text}, "-f", "json", "-t", "npu")
    assert run.json["source"]["files"] == 1 and run.json["source"]["magics"] == 29 and not run.json["source"]["unread"]
    lines = text.splitlines()
    wanted = [("!pip", "cupy-cuda12x"), ("+cu118", "+cu118"), ("gpus", "nvidia-smi"), ("nvcc x", "nvcc"), ("flash", "flash-attn"),
              ("%env", "CUDA_VISIBLE_DEVICES"), ("export", "NCCL_DEBUG"), ("--backend", "nccl"), ('"!nvidia-smi"', "nvidia-smi"),
              ("NCCL_IB", "NCCL_IB_DISABLE"), ("nvcc -V", "nvcc"), ("--help", "nvcc"), ("--list", "nvcc"), ("NCCL_NET", "NCCL_NET"),
              ("cuda:7", "cuda:7")]
    places = [([i for i, line in enumerate(lines, 1) if part in line][0], word) for part, word in wanted]
    found = sorted((f["source"]["line"], f["source"]["column"], f["source"]["expression"]) for f in run.json["findings"])
    assert found == sorted((line, lines[line - 1].index(word) + 1, word) for line, word in places)
    left = opcheck("port", ".", "-t", "npu", cwd=tmp_path)
    assert left.status == 0 and "nvidia-smi" in left.err


def test_files_that_cells_write_are_read_as_what_they_are(scan, opcheck, tmp_path):
    cells = [["%%writefile train.py\n", "import torch\n", "def f(x):\n", "    x.cuda()\n"],
             ["import torch\n", "y = torch.ones(1).cuda()"], ["%%writefile -a 'sub/go.sh'\n", "nvidia-smi\n"],
             ["%%file conf.yaml\n", "device: cuda\n"], ["%%writefile notes.txt\n", "x.cuda()\n"], ["%%writefile x.py"],
             ["%%writefile two.py\n", "import torch"], ["%%writefile -a two.py\n", "torch.cuda.init()\n"]]
    text = notebook(*cells)
    run = scan({"nb.ipynb": text}, "-f", "json", "-t", "npu")
    assert run.json["source"] == {"files": 1, "lines": text.count("\n") + 1, "left_out": 0, "magics": 8, "unread": []}
    lines = text.splitlines()
    assert {(lines[f["source"]["line"] - 1].strip(' ",'), f["rule"]) for f in run.json["findings"] if f["rule"] != "src-absent-flag"} == {
        ("x.cuda()\\n", "src-device-call"), ("y = torch.ones(1).cuda()", "src-device-call"), ("nvidia-smi\\n", "src-tool"),
        ("device: cuda\\n", "src-device-string"), ("torch.cuda.init()\\n", "src-device-api-missing")}
    assert opcheck("port", ".", "-t", "npu", "-o", "out", cwd=tmp_path).status == 0
    ported = ["".join(cell["source"]) for cell in json.loads((tmp_path / "out" / "nb.ipynb").read_text())["cells"][1:]]
    assert ported[0] == "%%writefile train.py\nimport torch\nimport torch_npu\ndef f(x):\n    x.npu()\n"
    assert ported[1] == "import torch\nimport torch_npu\ny = torch.ones(1).npu()" and ported[3] == "%%file conf.yaml\ndevice: npu\n"
    assert ported[6:] == ["%%writefile two.py\nimport torch\nimport torch_npu", "%%writefile -a two.py\ntorch.npu.init()\n"]


NOTEBOOKS = {  # text, and whether none of it is read
    "no cells": ("{}", True),
    "a list": ("[]", True),
    "nothing": ("", True),
    "cut behind its cells": (notebook(["x.cuda()"])[:-20], False),
    "cut in a cell": (notebook(["x.cuda()"])[:60], True),
    "another language": (notebook(["x.cuda()"], metadata={"language_info": {"name": "R"}}), True),
    "deep": ('{"cells": ' + "[" * 100000, True),
    "odd strings": ('{"cells": [1, [], {"cell_type": "code", "source": [1, "\\ud800x", "\\u00", "\\"]}]}', True),
    "odd kinds": ('{"cells": [{"cell_type": "code", "source": {"a": 1}}, {"cell_type": "code"}]}', False),
    "odd lines": (notebook(["x\\\n"], ["(\n", "!ls\n"], ["%%\n"], ["?"], [""], [], ["!ls \\\n"]), False),
}


@pytest.mark.parametrize("text,unread", NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_a_notebook_that_cannot_be_read_is_listed(scan, text, unread):
    rules = [u["rule"] for u in scan({"nb.ipynb": text}, "-f", "json").json["source"]["unread"]]
    assert ("scan-unread" in rules) == unread


AROUND = {  # name of the file, text, and (line, column, rule, expression, replacement for npu, action)
    "a shell script": ("run.sh", """#!/bin/bash
# CUDA_VISIBLE_DEVICES=0 nvidia-smi
export CUDA_VISIBLE_DEVICES=0,1 OTHER=1
NCCL_DEBUG=INFO python train.py --device cuda:0 --backend=nccl --name cuda --out nccl
if command -v nvidia-smi >/dev/null; then N=$(nvidia-smi -L | wc -l); fi
echo "nvidia-smi nvcc ${CUDA_VISIBLE_DEVICES:-0}" '$CUDA_VISIBLE_DEVICES' my-nvcc cuda
sudo -E /usr/local/cuda/bin/nvcc -o x x.cu
cat <<'EOF'
nvidia-smi
EOF
pip install "flash-attn>=2" torch==2.1.0+cu118 cupy_cuda12x nvccx \\
  --extra-index-url https://download.pytorch.org/whl/cu118
docker run --gpus all -e NCCL_DEBUG=INFO nvidia/cuda:12.1.0-base nvidia-smi
python train.py --gpus 4 CUDA_VISIBLE_DEVICES=1
""", [(3, 8, "src-env", "CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES", "must-change"),
      (4, 1, "src-env", "NCCL_DEBUG", "", "check"),
      (4, 42, "src-device-string", "cuda:0", "npu:0", "must-change"),
      (4, 59, "src-backend", "nccl", "hccl", "must-change"),
      (5, 15, "src-tool", "nvidia-smi", "npu-smi", "must-change"),
      (5, 47, "src-tool", "nvidia-smi", "npu-smi", "must-change"),
      (6, 25, "src-env", "CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES", "must-change"),
      (7, 29, "src-extension", "nvcc", "", "must-change"),
      (11, 14, "src-package", "flash-attn", "flash-attn-npu", "check"),
      (11, 41, "src-package", "+cu118", "+cpu", "must-change"),
      (11, 48, "src-package", "cupy_cuda12x", "", "must-change"),
      (12, 21, "src-package", "https://download.pytorch.org/whl/cu118", "https://download.pytorch.org/whl/cpu",
       "must-change"),
      (13, 12, "src-image", "--gpus", "", "must-change"),
      (13, 26, "src-env", "NCCL_DEBUG", "", "check"),
      (13, 42, "src-image", "nvidia/cuda:12.1.0-base", "ascendai/cann", "must-change")]),
    "words with quotes inside": ("run.sh", """python train.py a='$CUDA_HOME' b="$CUDA_HOME" c='x'"$CUDA_HOME"
echo "it's $CUDA_HOME" 'a $CUDA_HOME' 'b'"$CUDA_HOME"
""", [(1, 36, "src-env", "CUDA_HOME", "ASCEND_HOME_PATH", "check"),
      (1, 54, "src-env", "CUDA_HOME", "ASCEND_HOME_PATH", "check"),
      (2, 13, "src-env", "CUDA_HOME", "ASCEND_HOME_PATH", "check"),
      (2, 44, "src-env", "CUDA_HOME", "ASCEND_HOME_PATH", "check")]),
    "a Dockerfile": ("Dockerfile.train", """FROM --platform=linux/amd64 nvidia/cuda:12.1.0-devel-ubuntu22.04 AS base
# FROM nvidia/cuda
ENV CUDA_HOME=/usr/local/cuda
RUN --mount=type=cache,target=/root pip3 install onnxruntime-gpu tqdm && nvcc --version
COPY nvcc /opt/nvidia-smi
CMD ["nvidia-smi", "-L"]
""", [(1, 29, "src-image", "nvidia/cuda:12.1.0-devel-ubuntu22.04", "ascendai/cann", "must-change"),
      (3, 5, "src-env", "CUDA_HOME", "ASCEND_HOME_PATH", "check"),
      (4, 50, "src-package", "onnxruntime-gpu", "onnxruntime-cann", "must-change"),
      (4, 74, "src-extension", "nvcc", "", "must-change"),
      (6, 7, "src-tool", "nvidia-smi", "npu-smi", "must-change")]),
    "requirements": ("requirements-gpu.txt", """# cupy
--extra-index-url https://download.pytorch.org/whl/cu121
torch==2.3.0+cu121 ; python_version >= "3.8"  # apex
Flash_Attn>=2.5
my-apex==1.0
xformers-extra
bitsandbytes
nvidia-cublas-cu12==12.1.3.1
numpy
""", [(2, 19, "src-package", "https://download.pytorch.org/whl/cu121", "https://download.pytorch.org/whl/cpu", "must-change"),
      (3, 13, "src-package", "+cu121", "+cpu", "must-change"),
      (4, 1, "src-package", "Flash_Attn", "flash-attn-npu", "check"),
      (7, 1, "src-package", "bitsandbytes", "", "check"),
      (8, 1, "src-package", "nvidia-cublas-cu12", "", "check")]),
    "settings": ("conf.yaml", """# device: cuda
device: cuda:0   # x
devices: [cuda:0, "cuda:1", cpu]
name: cuda
train: &t
  backend: !!str 'nccl'
  map_location: &m "cuda"
other: *t
\u914d\u7f6e: {device: cuda}
? [a, b]
: "cuda"
note: >
  device: cuda
accelerator: gpu
""", [(2, 9, "src-device-string", "cuda:0", "npu:0", "must-change"),
      (3, 11, "src-device-string", "cuda:0", "npu:0", "must-change"),
      (3, 20, "src-device-string", "cuda:1", "npu:1", "must-change"),
      (6, 19, "src-backend", "nccl", "hccl", "must-change"),
      (7, 21, "src-device-string", "cuda", "npu", "must-change"),
      (9, 14, "src-device-string", "cuda", "npu", "must-change"),
      (14, 14, "src-device-string", "gpu", "npu", "check")]),
    "a job": ("compose.yml", """services:
  train:
    image: nvidia/cuda:12.1.0-base
    runtime: nvidia
    environment: [CUDA_VISIBLE_DEVICES=0, OTHER=CUDA_HOME]
    command: nvidia-smi
    limits: {nvidia.com/gpu: 1}
  other:
    environment:
      NCCL_DEBUG: INFO
    script:
      - |
        pip install cupy-cuda12x  # nvcc
        python train.py --device cuda:1
      - nvcc x.cu
distributed_type: MULTI_GPU
""", [(3, 12, "src-image", "nvidia/cuda:12.1.0-base", "ascendai/cann", "must-change"),
      (4, 14, "src-image", "nvidia", "", "must-change"),
      (5, 19, "src-env", "CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES", "must-change"),
      (6, 14, "src-tool", "nvidia-smi", "npu-smi", "must-change"),
      (7, 14, "src-image", "nvidia.com/gpu", "", "must-change"),
      (10, 7, "src-env", "NCCL_DEBUG", "", "check"),
      (13, 21, "src-package", "cupy-cuda12x", "", "must-change"),
      (14, 34, "src-device-string", "cuda:1", "npu:1", "must-change"),
      (15, 9, "src-extension", "nvcc", "", "must-change"),
      (16, 19, "src-backend", "MULTI_GPU", "MULTI_NPU", "must-change")]),
    "an environment of conda": ("environment.yml", """name: cupy
channels: [pytorch, nvidia]
dependencies:
  - python=3.10
  - nvidia::cudatoolkit=11.3
  - pip:
    - torch==2.1.0+cu118
    - flash-attn>=2
    - --extra-index-url https://download.pytorch.org/whl/cu118
""", [(5, 13, "src-package", "cudatoolkit", "", "must-change"),
      (7, 19, "src-package", "+cu118", "+cpu", "must-change"),
      (8, 7, "src-package", "flash-attn", "flash-attn-npu", "check"),
      (9, 7, "src-package", "--extra-index-url https://download.pytorch.org/whl/cu118",
       "https://download.pytorch.org/whl/cpu", "must-change")]),
    "a project": ("pyproject.toml", """# flash-attn
[build-system]
requires = ["setuptools", "torch==2.1.0+cu118"] # flash-attn
[project]
name = "cupy"
dependencies = [
  "flash-attn>=2", # "xformers"
  'cupy-cuda12x',
]
[project.optional-dependencies]
cupy = ["onnxruntime-gpu"]
[tool.poetry.dependencies]
xformers = "^0.0.2"
bitsandbytes = {version = "1", optional = true}
[[tool.uv.index]]
url = "https://download.pytorch.org/whl/cu121"
[train]
device = "cuda:0"
opts = { backend = "nccl", "devices" = ["cuda"], at = 1979-05-27 07:32:00 }
doc = \"\"\"
device = "cuda"
\"\"\"
a.'b c'.map_location = 'cuda' # "
""", [(3, 40, "src-package", "+cu118", "+cpu", "must-change"),
      (7, 4, "src-package", "flash-attn", "flash-attn-npu", "check"),
      (8, 4, "src-package", "cupy-cuda12x", "", "must-change"),
      (11, 10, "src-package", "onnxruntime-gpu", "onnxruntime-cann", "must-change"),
      (13, 1, "src-package", "xformers", "", "must-change"),
      (14, 1, "src-package", "bitsandbytes", "", "check"),
      (16, 8, "src-package", "https://download.pytorch.org/whl/cu121", "https://download.pytorch.org/whl/cpu", "must-change"),
      (18, 11, "src-device-string", "cuda:0", "npu:0", "must-change"),
      (19, 21, "src-backend", "nccl", "hccl", "must-change"),
      (19, 42, "src-device-string", "cuda", "npu", "must-change"),
      (23, 25, "src-device-string", "cuda", "npu", "must-change")]),
    "a backslash in strings of TOML": ("a.toml", """home = 'C:\\'
device = "cuda"
name = "\\""
device = 'cuda'
""", [(2, 11, "src-device-string", "cuda", "npu", "must-change"),
      (4, 11, "src-device-string", "cuda", "npu", "must-change")]),
    "what setup.cfg requires": ("setup.cfg", """[metadata]
name = cupy
description = flash-attn
# cupy
[options]
packages = find:
install_requires =
    torch>=2
    flash-attn>=2; python_version > "3.8"
zip_safe = False
setup_requires = cupy-cuda12x
[options.extras_require]
fast = xformers
    deepspeed[all]
""", [(9, 5, "src-package", "flash-attn", "flash-attn-npu", "check"),
      (11, 18, "src-package", "cupy-cuda12x", "", "must-change"),
      (13, 8, "src-package", "xformers", "", "must-change"),
      (14, 5, "src-package", "deepspeed", "deepspeed", "check")]),
    "what setup.py requires": ("setup.py", """from setuptools import setup
extras = {"deepspeed": ["flash-attn==2.5"]}
extras["fast"] = ["xformers"] + ["cupy-cuda12x"]
names = ["xformers"]
setup(name="cupy", install_requires=["torch", "mamba_ssm>1"], keywords=["triton"], extras_require=extras)
""", [(2, 25, "src-package", '"flash-attn==2.5"', "flash-attn-npu", "check"),
      (3, 19, "src-package", '"xformers"', "", "must-change"),
      (3, 34, "src-package", '"cupy-cuda12x"', "", "must-change"),
      (5, 47, "src-package", '"mamba_ssm>1"', "", "must-change")]),
    "settings of DeepSpeed": ("ds_config.json", """{
	"fp16": {"enabled": true, "mode": "fixed"},
	"amp": {"enabled": true},
	"optimizer": {"type": "OneBitAdam", "params": {"lr": 1e-3, "comm_backend_name": "nccl"}},
	"sparse_attention": {"mode": "fixed", "block": 16},
	"zero_optimization": {"offload_optimizer": {"device": "cpu", "buffer_path": "a\\/cuda"}}
}
""", [(3, 3, "src-amp", "amp", "", "check"),
      (4, 83, "src-backend", "nccl", "hccl", "must-change"),
      (5, 3, "src-extension", "sparse_attention", "", "must-change")]),
}


@pytest.mark.parametrize("name,text,found", AROUND.values(), ids=AROUND)
def test_words_around_a_program_count_where_they_mean_something(scan, name, text, found):
    run = rows(scan({name: text}, "-f", "csv", "-t", "npu"))
    assert sorted((int(r["line"]), int(r["column"]), r["rule"], r["expression"].lstrip("'"), r["replacement"].lstrip("'"), r["action"])
                  for r in run) == found
    crlf = rows(scan({name: text.replace("\n", "\r\n")}, "-f", "csv", "-t", "npu"))
    assert [(r["line"], r["column"], r["rule"]) for r in crlf] == [(r["line"], r["column"], r["rule"]) for r in run]


def test_a_command_in_a_call_is_one_place(scan):
    found = rows(scan({"a.py": "import os\nn = os.popen('nvidia-smi -L').read()\nc = 'nvidia-smi'\nos.system('nvidia-smi')\n"}, "-f", "csv", "-t", "npu"))
    assert [(r["rule"], r["line"], r["column"]) for r in found] == [("src-tool", "2", "15"), ("src-tool", "4", "11")]


def test_true_is_true_however_it_is_written(scan):
    files = {"a.yaml": "tf32: True\ntorch_compile: TRUE\namp:\n  enabled: True\n", "a.sh": "python a.py --tf32 True --torch_compile=true --tf32 False\n"}
    found = rows(scan(files, "-f", "csv", "-t", "npu"))
    assert sorted((r["path"], r["line"], r["rule"]) for r in found) == [
        ("./a.sh", "1", "src-compile"), ("./a.sh", "1", "src-framework"), ("./a.yaml", "1", "src-framework"), ("./a.yaml", "2", "src-compile"),
        ("./a.yaml", "3", "src-amp")]


@pytest.mark.parametrize("target", ["npu", "musa"])
def test_the_screen_counts_the_edits_of_port_and_the_lines_of_each_file(scan, opcheck, tmp_path, target):
    files = {"a.py": "import torch\nx = torch.ones(1).cuda()\na = torch.profiler.ProfilerActivity.CUDA\nm = torch.nn.DataParallel(m)\n"
                     "t = x.type(torch.cuda.FloatTensor)\nx.pin_memory()\n",
             "b.sh": "nvidia-smi\nexport CUDA_VISIBLE_DEVICES=0 NCCL_DEBUG=INFO\n", "Dockerfile": "FROM nvidia/cuda:12.1.0-devel\n"}
    said = scan(files, "-t", target).text
    ported = opcheck("port", ".", "-t", target, cwd=tmp_path).err
    assert re.search(r"(\d+) edits? automatic", said)[1] == re.search(r"(\d+) changes? in", ported)[1]
    found = [(r["path"], r["action"]) for r in rows(scan({}, "-f", "csv", "-t", target))]
    for path in ("./a.py", "./b.sh", "./Dockerfile"):
        must, check = found.count((path, "must-change")), found.count((path, "check"))
        assert len(re.findall(r"%s: %d lines? must change, %d to check" % (re.escape(path), must, check), said)) == 1, said


WORDS = [  # a line of a shell script, and what it has to change
    ("DEVICE=cuda", ["cuda"]), ('export MY_DEVICE="cuda:0"', ["cuda:0"]), ("BACKEND=${BACKEND:-nccl}", ["nccl"]), ("DEVICE=cuda python a.py", ["cuda"]),
    ('if [ "$DEVICE" = "cuda" ]; then echo cuda; fi', ["cuda"]), ("[[ $DEVICE == cuda ]]", ["cuda"]), ("case $DEVICE in cuda) ;; esac", ["cuda"]),
    ('ARGS="--device cuda:0 --lr 1"', ["cuda:0"]), ('ARGS+=" --backend nccl"', ["nccl"]), ("args=(--device cuda --backend nccl)", ["cuda", "nccl"]),
    ("args=(\n  --device cuda\n  --backend nccl\n)", ["cuda", "nccl"]), ("echo $DEVICE; [ -d cuda ]", []), ("NAME=cuda", []), ('NAME="cuda --device"', []),
    ("mamba install pytorch-cuda=12.1", ["pytorch-cuda"]), ("conda create -y -n xformers pytorch-cuda=12.1", ["pytorch-cuda"]), ("poetry add xformers", ["xformers"]),
    ("uv add xformers", ["xformers"]), ("pip download xformers", ["xformers"]), ("git add xformers", []), ("sudo -E python a.py --device cuda", ["cuda"])]


@pytest.mark.parametrize("text,found", WORDS)
def test_words_of_a_shell_script_name_devices_and_packages(scan, text, found):
    run = rows(scan({"a.sh": text + "\n"}, "-f", "csv", "-t", "npu"))
    assert [r["expression"] for r in run] == found


def test_settings_of_a_container_name_devices_and_variables(scan):
    text = ("spec:\n  command: [python, a.py, --device, cuda]\n  args: [--backend=nccl, cuda, --lr, cuda]\n"
            "  env:\n  - {name: CUDA_VISIBLE_DEVICES, value: 0}\n  - {name: cuda, value: cuda}\n")
    found = rows(scan({"pod.yaml": text}, "-f", "csv", "-t", "npu"))
    assert sorted((r["line"], r["expression"]) for r in found) == [("2", "cuda"), ("3", "nccl"), ("5", "CUDA_VISIBLE_DEVICES")]


ADDRESSES = [  # a requirement, and the package in it
    ("git+https://github.com/NVIDIA/TransformerEngine.git@stable", "TransformerEngine"), ("-e git+https://x/NVIDIA/apex#egg=apex", "apex"),
    ("git+ssh://git@github.com/Dao-AILab/flash-attention@v2.5/x", "flash-attention"), ("xformers @ https://x/apex", "xformers"),
    ("https://x/y/flash_attn-2.5.6-cp310-cp310-linux_x86_64.whl", "flash_attn"),
    ("git+https://github.com/huggingface/transformers", None), ("https://", None), ("git+://apex.git", None), ("-e .", None)]


@pytest.mark.parametrize("text,package", ADDRESSES)
def test_a_package_is_known_by_its_address(scan, text, package):
    found = [r["expression"] for r in rows(scan({"requirements.txt": text + "\n"}, "-f", "csv", "-t", "npu"))]
    assert found == ([package] if package else [])


@pytest.mark.parametrize("name", ["a.sh", "Dockerfile", "requirements.txt", "a.yaml", "a.toml", "setup.cfg"])
@pytest.mark.parametrize("text", [b"", b"\\", b"'", b"<<", b"cat <<E\nx", b"$", b"${", b"a\\", b"\0\xff=", b"\\\r", b"\\\r\n",
                                  b"$(" * 50000, b"a;" * 200000, b"<<-'", b"pip install " + b"-" * 300 + b"+cu", b"+cu+cu1",
                                  bytes(random.Random(2).choices(b" \n\\'\"$(){};<#=-/+acunvi", k=100000))],
                         ids=lambda text: "%d bytes" % len(text))
def test_no_word_is_too_much(scan, name, text):
    source = scan({name: text}, "-f", "json", "-t", "npu").json["source"]
    assert source["files"] + len(source["unread"]) == 1 and (not source["unread"] or name in ("a.yaml", "a.toml"))


def test_switches_of_one_vendor_are_named_with_the_value_that_is_fine(scan):
    script = ("import torch\nimport torch_npu as npu\nfrom torch_npu.npu import set_option\n"
              "npu.npu.set_compile_mode(jit_compile=False)\ntorch.npu.set_compile_mode(jit_compile=True)\n"
              "torch.npu.config.allow_internal_format = False\ntorch.npu.matmul.allow_hf32 = True\n"
              "torch.backends.mudnn.allow_tf32 = True\nmodel.compile(jit_compile=False)\ntorch.compile(f, backend='eager')\n"
              "npu.npu.set_compile_mode(False)\n")
    found = rows(scan({"a.py": script}, "-f", "csv"))
    flags = {(r["line"], r["target"].split("@")[0], r["action"]) for r in found if r["rule"] == "src-vendor-flag"}
    assert flags == {(str(line), target, action) for line, npu, musa in (
        (3, "check", "must-change"), (4, "fine", "must-change"), (5, "check", "must-change"), (6, "check", "must-change"),
        (7, "check", "must-change"), (8, "must-change", "check"), (11, "fine", "must-change")) for target, action in (("npu", npu), ("musa", musa))}
    assert {(r["line"], r["action"]) for r in found if r["rule"] == "src-compile"} == {("10", "fine")}
    assert {(r["line"], r["replacement"]) for r in found if r["target"].startswith("npu")} >= {("8", "torch.npu.matmul.allow_hf32")}


@pytest.mark.parametrize("condition,dynamic", [
    ("torch.add(x, 1) > 1", True), ("torch.get_num_threads() > 1", False), ("torch.is_tensor(x)", False), ("torch.set_x() > 1", False),
    ("torch.numel(x) > 1", False), ("torch.cuda.device_count() > 1", False), ("torch.nn.functional.relu(x) > 1", True)])
def test_a_condition_depends_on_data_where_torch_gives_a_tensor(scan, condition, dynamic):
    found = rows(scan({"a.py": "import torch\nif %s:\n    pass\n" % condition}, "-f", "csv"))
    assert ("src-dynamic" in {r["rule"] for r in found}) == dynamic


def test_a_switch_that_no_script_sets_is_named_where_the_program_starts(scan):
    train = "import os\nimport torch\nx = torch.ones(1).cuda()\nif __name__ == '__main__':\n    pass\n"

    def absent():
        return [(r["path"], r["line"], r["action"], r["target"].split("@")[0], r["replacement"])
                for r in rows(scan({}, "-f", "csv")) if r["rule"] == "src-absent-flag"]
    scan({"train.py": train, "a.py": "import torch\nx.cuda()\n"})
    assert absent() == [("./train.py", "2", "check", "npu", "torch.npu.set_compile_mode(jit_compile=False)")]
    scan({"a.py": "import torch\nimport torch_npu\nx.cuda()\ntorch.npu.set_compile_mode(jit_compile=True)\n"})
    assert absent() == []
    scan({"a.py": "", "train.py": train.replace(".cuda()", "")})
    assert absent() == [], "nothing runs on a device"


def test_a_device_in_a_sum_of_tuples_and_one_that_is_cut_off_are_found(scan):
    script = "import torch\nargs = ('cuda:1',) + args\nname = str(device).replace('cuda:', '')\ntext = 'cuda:1' + x\ns = s.replace('cuda', '')\n"
    assert {(r["line"], r["action"]) for r in rows(scan({"a.py": script}, "-f", "csv")) if r["rule"] == "src-device-string"} == {
        ("2", "check"), ("3", "must-change")}


def test_an_option_with_a_dash_is_followed_to_where_it_is_taken(scan):
    script = "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('--run-on', default='cuda')\n" \
             "p.add_argument('--theme', default='cuda')\na = p.parse_args()\nx = torch.ones(2).to(a.run_on)\n"
    found = [(r["line"], r["action"]) for r in rows(scan({"a.py": script}, "-f", "csv", "-t", "npu")) if r["rule"] == "src-device-string"]
    assert ("4", "must-change") in found and ("5", "must-change") not in found


WAITS = "import torch\ndef f(model, data, opt):\n    for x in data:\n        loss = model(x).sum()\n        loss.backward()\n" \
        "        log(loss.item())\n    a = model.a.item()\n    b = model.b.tolist()\n    c = torch.randperm(3).tolist()\n" \
        "    return [v.item() for v in torch.linspace(0, 1, 3)], model.c.cpu().tolist()\n"


def test_waits_for_the_device_are_one_row_a_script_but_those_of_a_loop_that_trains(scan):
    found = [(r["path"], r["line"], r["rule"], r["expression"]) for r in rows(scan({"a.py": WAITS, "tests/b.py": WAITS}, "-f", "csv", "-t",
             "npu")) if r["rule"].startswith("src-dynamic")]
    assert found == [("./a.py", "6", "src-dynamic", "loss.item()"), ("./a.py", "7", "src-dynamic-script", ".item(), .tolist()"),
                     ("./tests/b.py", "6", "src-dynamic-script", ".item(), .tolist()")]
    text = scan({}, "-f", "json", "-t", "npu").json["findings"]
    assert [f["text"] for f in text if f["rule"] == "src-dynamic-script"] == [
        "2 calls wait for values of the device: .item(), .tolist(), on lines 7, 8",
        "3 calls wait for values of the device: .item(), .tolist(), on lines 6, 7, 8"]


LOOKED_AT = [  # a line, and what stands in plain scan: rule and action on npu@2.1.0 and npu@2.7.1
    ("torch.accelerator.synchronize()", ("src-too-new", "must-change"), None), ("y = x.to(0)", ("src-too-new", "must-change"), None),
    ("m = load(attn_implementation='flash_attention_2')", ("src-framework", "check"), ("src-framework", "check")),
    ("m = load(load_in_4bit=args.bits == 4)", ("src-framework", "check"), ("src-framework", "check")),
    ("a = Args(optim='paged_adamw_8bit')", ("src-framework", "check"), ("src-framework", "check")),
    ("t = pl.Trainer(accelerator='gpu', devices=2)", ("src-framework", "must-change"), ("src-framework", "must-change")),
    ("a = Args(torch_compile=True)", ("src-compile", "check"), ("src-compile", "check")), ("a = Args(torch_compile=False)", None, None),
    ("t = pl.Trainer(gpus=[0])", ("src-framework", "must-change"), ("src-framework", "must-change")),
    ("m = load(load_in_4bit=False, device_map=None)", None, None), ("import pytorch3d", ("src-package", "check"), ("src-package", "check")),
    ("import torch.backends.cudnn as cudnn", None, None),
    ("from torch.backends import cudnn\ncudnn.benchmark = True", ("src-flag", "check"), ("src-flag", "check")),
    ("try:\n    import xformers\nexcept ImportError:\n    xformers = None", ("src-package", "check"), ("src-package", "check")),
    ("try:\n    import xformers\nexcept ImportError:\n    raise SystemExit(1)", ("src-package", "must-change"), ("src-package", "must-change")),
    ("e = load(name, sources=glob.glob('src/*.cu'), with_cuda=True)", ("src-extension", "must-change"), ("src-extension", "must-change"))]


@pytest.mark.parametrize("text,old,new", LOOKED_AT)
def test_what_hides_cuda_is_in_plain_scan(scan, text, old, new):
    for target, expected in (("npu@2.1.0", old), ("npu@2.7.1", new)):
        found = {(r["rule"], r["action"]) for r in rows(scan({"a.py": "import torch\n%s\n" % text}, "-f", "csv", "-t", target))}
        assert (found - {("src-absent-flag", "check")}) == ({expected} if expected else set())


UNSUPPORTED = [  # a call, a target and the action there: by the vendor's list, by the operators, by both
    ("torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)", "npu@2.7.1", "check"), ("torch.poisson(x)", "npu@2.7.1", "must-change"), ("torch.segment_reduce(x, 'max')", "musa@2.7.1", "must-change"),
    ("torch.nn.AvgPool3d(2)", "npu@2.7.1", "check"), ("torch.matmul(x, x)", "npu@2.7.1", None), ("torch.matmul(x, x)", "musa@2.7.1", None),
    ("name.quantize_per_tensor(x)", "npu@2.7.1", None)]


@pytest.mark.parametrize("text,target,action", UNSUPPORTED)
def test_apis_that_a_release_does_not_support_are_in_plain_scan(scan, text, target, action):
    run = scan({"a.py": "import torch\ny = %s\n" % text}, "-f", "csv", "-t", target)
    assert [r["action"] for r in rows(run) if r["rule"] == "src-api-unsupported"] == ([action] if action else [])


AROUND = {  # a file, its line and rule
    "job.slurm": ("#!/bin/bash\n#SBATCH --gres=gpu:8\nsrun python a.py\n", 2, "src-framework"),
    "Makefile": ("NVCC = nvcc\nall:\n\techo\n", 1, "src-extension"), "kernels/a.cu": ("// a kernel\n", 1, "src-extension"),
    "Dockerfile": ("ARG BASE=nvidia/cuda:12.1.0-devel\nFROM ${BASE}\n", 1, "src-image"),
    "config_v1.json": ('{"dist": {\n"dist_backend": "nccl"}}', 2, "src-backend"),
    "setup.py": ("setup(install_requires=['torch==2.1.0+cu118'])\n", 1, "src-package"),
    "requirements.txt": ("cuml-cu11\n", 1, "src-package"), "run.sh": ("python a.py --optim paged_adamw_32bit\n", 1, "src-framework"),
    "c.yaml": ("optim:\n  _target_: apex.optimizers.FusedAdam\n", 2, "src-package")}


@pytest.mark.parametrize("name", AROUND)
def test_files_around_a_program_are_looked_at(scan, name):
    text, line, rule = AROUND[name]
    assert {(r["path"], r["line"], r["rule"]) for r in rows(scan({name: text}, "-f", "csv", "-t", "npu"))} == {("./" + name, str(line), rule)}


def test_python_in_a_shell_script_is_read_where_it_is(scan, opcheck, tmp_path):
    text = ("n=$(python3 -c \"import torch; print(torch.cuda.device_count() * $NODES)\")\n# python -c \"torch.cuda.init()\"\n"
            "python -u - <<'EOF'\nimport torch\nx = torch.ones(1).cuda()\nEOF\npython a.py\necho torch.cuda.init\n")
    found = rows(scan({"run.sh": text}, "-f", "csv", "-t", "npu"))
    assert [(r["line"], r["column"], r["rule"]) for r in found] == [("1", "37", "src-device-api"), ("5", "5", "src-device-call")]
    assert opcheck("port", ".", "-t", "npu", cwd=tmp_path).out == b""


def test_what_is_in_a_folder_and_not_read_is_listed_and_decides_nothing(scan):
    files = {"a.py": "x = 1\n", "k/b.cpp": "", "c.cpp": "", "README.md": "", ".hidden": "", "LICENSE": ""}
    run = scan(files, "-f", "json").json
    assert [(u["rule"], u["params"]) for u in run["source"]["unread"]] == [
        ("scan-skipped", {"count": "5", "kinds": ".cpp (2), .md (1), hidden files (1), other files (1)"})]
    assert {t["verdict"] for t in run["targets"]} == {"ready"}


def test_kinds_of_files_beyond_forty_are_other_files(scan):
    run = scan({"a.py": "x = 1\n", **{"f.k%02d" % i: "" for i in range(45)}}, "-f", "json").json
    params = run["source"]["unread"][0]["params"]
    assert params["count"] == "45" and params["kinds"].count(".k") == 40 and "other files (5)" in params["kinds"]


def test_a_shell_in_a_notebook_may_have_two_signs(scan):
    found = rows(scan({"a.ipynb": notebook(["!!nvidia-smi -L\n"])}, "-f", "csv", "-t", "npu"))
    assert [r["expression"] for r in found] == ["nvidia-smi"]


def test_names_in_braces_are_values_of_the_python_in_a_shell_script(scan):
    run = scan({"run.sh": "python3 -c \"import torch; print(torch.cuda.device_count() * ${NODES}, {1: '\\$'})\"\n"}, "-f", "json", "-t", "npu").json
    assert not run["source"]["unread"] and [f["source"]["column"] for f in run["findings"]] == [33]


def test_a_long_script_is_cut_before_decorators(scan):
    script = "import torch\n" + "@torch.no_grad()\ndef f(): pass\n" * 12000
    assert not scan({"a.py": script}, "-f", "json", "-t", "npu").json["source"]["unread"]


def test_blanks_before_a_comment_are_no_part_of_a_setting(scan):
    found = rows(scan({"a.toml": "[amp]\nenabled = true  # on\n"}, "-f", "csv", "-t", "npu"))
    assert [(r["line"], r["rule"]) for r in found] == [("1", "src-amp")]


def test_a_script_given_by_its_path_is_a_module_by_its_name(scan, opcheck, tmp_path):
    scan({"sub/xformers.py": "", "sub/use.py": "import xformers\n"})
    assert rows(opcheck("scan", "sub/xformers.py", "sub/use.py", "-f", "csv", cwd=tmp_path)) == []


def test_a_projects_own_package_is_no_third_party(scan):
    files = {"mmcv/__init__.py": "from . import ops\nimport mmcv._ext\n", "mmcv/ops.py": "", "use.py": "import mmcv.ops\n"}
    assert rows(scan(files, "-f", "csv")) == []


def test_paths_are_never_cut(scan):
    name = "/".join(["a-folder-of-a-long-name"] * 8) + "/train.py"
    run = scan({name: SCRIPT}, "-f", "csv")
    assert {r["path"] for r in rows(run)} == {"./" + name}
    assert {f["source"]["path"] for f in scan({}, "-f", "json").json["findings"]} == {"./" + name}
    assert name in scan({}, "-f", "sarif").text and name in scan({}, "-f", "junit").text


SERVED = [  # a line of a function, and whether the program has what the target needs beside it
    ("if is_npu_available():\n  d = 'npu'\n elif torch.cuda.is_available():\n  d = torch.device('cuda')", True),
    ("if torch.cuda.is_available():\n  x.cuda()\n else:\n  x.npu()", True),
    ("d = torch.device('npu' if npu else 'cuda')", True), ("ok = torch.cuda.is_available() or torch.npu.is_available()", True),
    ("ok = x.device.type in ('cpu', 'cuda', 'npu')", True), ("m = {'cuda': torch.cuda, 'npu': torch.npu}", True),
    ("if torch.cuda.is_available():\n  d = 'npu'\n  y = torch.device(d)", False),
    ("if on:\n  x.cuda()\n else:\n  raise ValueError('no npu')", False), ("d = torch.device('cuda' if input else 'cpu')", False),
    ("x.npu()\n torch.cuda.synchronize()", False), ("for i in npus:\n  x.cuda()", False),
    ("if torch.cuda.is_available():\n  return torch.device('cuda:0')\n if torch.npu.is_available():\n  return 'npu'", True),
    ("x.is_it = torch.cuda.is_available()\n x.is_it = torch.npu.is_available()", True),
    ("if x:\n  x.cuda()\n if is_npu(x):\n  x.npu()", False)]


def test_a_program_that_chooses_the_target_is_told_so_and_not_half_ported(scan, opcheck, tmp_path):
    text = ("import torch\ndef device():\n    if torch.cuda.is_available():\n        return torch.device('cuda')\n"
            "    if hasattr(torch, 'npu') and torch.npu.is_available():\n        return torch.device('npu')\n    return torch.device('cpu')\n"
            "model = torch.nn.Linear(1, 1).to(device())\n")
    reasons = {t["id"][:3]: t["reason"]["text"] for t in scan({"a.py": text}, "-f", "json").json["targets"]}
    assert reasons["npu"].startswith("the program already supports npu: set its device to npu; no line must change")
    assert "must change" in reasons["mus"] and "already" not in reasons["mus"]
    run = opcheck("port", "a.py", "-t", "npu", cwd=tmp_path)
    assert run.text == "" and "The program already supports npu: set its device to npu. Nothing to port" in run.err
    assert "already" not in opcheck("port", "a.py", "-t", "musa", cwd=tmp_path).err


@pytest.mark.parametrize("line,served", SERVED)
def test_a_program_with_a_branch_for_the_target_needs_no_change_there(scan, opcheck, tmp_path, line, served):
    text = "import torch\ndef f(x):\n %s\n" % line
    found = rows(scan({"a.py": text}, "-f", "csv"))
    for target in ("npu", "musa"):
        actions = {r["action"] for r in found if r["target"].startswith(target) and r["rule"].startswith("src-device")}
        assert actions == ({"check"} if served and target == "npu" else {"must-change"})
    port = opcheck("port", "a.py", "-t", "npu", cwd=tmp_path)
    assert (port.text == "") == served, port.text
    advice = {a["rule"] for f in scan({}, "-f", "json").json["findings"] for a in f["advice"] if f["target"].startswith("npu")}
    assert ("advice-served" in advice) == served


def test_a_program_starts_where_it_imports_torch_and_nearest_to_its_root(scan):
    torch = "import torch\nx = torch.ones(1).cuda()\n"
    main = "if __name__ == '__main__':\n    pass\n"

    def start(files):
        found = [r["path"] for r in rows(scan(files, "-f", "csv", "-t", "npu")) if r["rule"] == "src-absent-flag"]
        return found
    assert start({"data/prepare.py": main, "a.py": torch}) == ["./a.py"]
    assert start({"b/run.py": torch + main}) == ["./b/run.py"]
    assert start({"b/train.py": torch}) == ["./b/train.py"]
    assert start({"b/train.py": torch, "train.py": torch, "b/run.py": torch}) == ["./train.py"]
    assert start({"train.py": torch + main}) == ["./train.py"]


def test_marks_among_parameters_hide_nothing_in_the_body(scan):
    script = "import torch\n" + "".join("def f%d(%s):\n    torch.cuda.synchronize()\n" % each for each in enumerate(
        ("*, a=1", "a, *, b: int", "a, /, b", "*args, c", "**more", "*args: int", "lambda_=lambda *, a: a")))
    assert [r["line"] for r in rows(scan({"a.py": script}, "-f", "csv", "-t", "npu")) if r["rule"] == "src-device-api"] == [
        str(line) for line in range(3, 16, 2)]


def test_the_tables_of_the_vendors_tools_are_written_with_places(scan, tmp_path):
    script = ("import torch\nimport torch.nn.functional as F\nfrom torch.utils.cpp_extension import CUDAExtension\n"
              "x = torch.ones(2).cuda()\ntorch.backends.cudnn.allow_tf32 = True\ny = F.grid_sample(x, x)\n"
              "e = CUDAExtension('k', ['k.cu'])\nz = torch.no_such_thing(x)\nw = 'a b'.split()\nv = x.fft()\n"
              "torch.ao.nn.qat.Linear(2, 2)\n")
    assert scan({"a.py": script}, "--tables", "out", "-f", "csv").status == 0
    tables = {p.stem: list(csv.DictReader(io.StringIO(p.read_text(encoding="utf-8")))) for p in (tmp_path / "out").iterdir()}
    assert set(tables) == {"unsupported_api", "unknown_api", "api_limits", "cuda_op_list", "change_list", "affinity"}
    npu, musa = TARGETS[1], TARGETS[3]
    assert ("8", "torch.no_such_thing", npu) in {(r["line"], r["api"], r["target"]) for r in tables["unknown_api"]}
    assert ("11", "torch.ao.nn.qat.Linear", npu) in {(r["line"], r["api"], r["target"]) for r in tables["unsupported_api"]}
    limits = {(r["line"], r["api"], r["types"]) for r in tables["api_limits"]}
    assert any(line == "6" and api == "torch.nn.functional.grid_sample" and types for line, api, types in limits)
    assert {r["target"] for r in tables["unknown_api"] + tables["unsupported_api"] + tables["api_limits"]} == {npu}
    assert {(r["line"], r["target"]) for r in tables["cuda_op_list"]} >= {("3", npu), ("3", musa)}
    assert {(r["line"], r["replacement"]) for r in tables["change_list"]} >= {("4", ".npu()"), ("4", ".musa()")}
    assert {(r["line"], r["replacement"]) for r in tables["affinity"]} >= {("5", "torch.npu.conv.allow_hf32")}
    assert not any(r["line"] == "9" for rows_of in tables.values() for r in rows_of), "a string has methods of its own"
    assert scan({}, "--tables", "out").status != 0, "files that are there stay"
    assert scan({}, "--tables", "out", "--force").status == 0
