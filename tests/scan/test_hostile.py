"""Scripts that are damaged, deep, long or random: scan and port end, say what they could not read, and edit nothing else."""
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

import pytest

from conftest import ROOT

SCRIPTS = sorted((ROOT / "tests" / "scan" / "scripts").rglob("*.py"))
DEEP = 3000
AS_ANOTHER = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
CASES = {
    "nested calls": b"x = " + b"f(" * DEEP + b"'cuda'" + b")" * DEEP + b"\n",
    "nested lists": b"x.to(" + b"[" * DEEP + b"'cuda'" + b"]" * DEEP + b")\n",
    "attributes": b"import torch\ntorch" + b".cuda" * DEEP + b"\nx" + b".cuda()" * DEEP + b"\n",
    "blocks": b"".join(b" " * i + b"if x.is_cuda:\n" for i in range(90)) + b" " * 90 + b"x.cuda()\n",
    "long line": b"import torch\nx = [" + b"'cuda', " * 200000 + b"]; y.cuda()\n",
    "long name": b"import torch\ntorch.cuda." + b"a" * 1000000 + b"()\n",
    "long import": b"from torch.cuda import " + b", ".join(b"a%d" % i for i in range(3000)) + b"\n",
    "unicode": "import torch\n\u0441uda = '\u202ecuda'; x.cud\u0430(); x.cuda()\n".encode(),
    "only a mark": b"\xef\xbb\xbf",
    "nothing": b"",
    "no line end": b"import torch;x.cuda()",
    "returns": b"import torch\rx.cuda()\r",
    "nul": b"import torch\n\0x.cuda()\n",
}


def run(opcheck, tree, *args, **options):
    done = opcheck(*args, cwd=tree, **options)
    if "without the grammar" in done.err:
        pytest.skip("opcheck was built without the grammar of Python")
    return done


def port(opcheck, tree):
    """The patch takes the program to what port writes, changes no other byte, and leaves nothing for a second one."""
    before = {path: path.read_bytes() for path in tree.rglob("*.py")}
    patch = run(opcheck, tree, "port", ".", "-t", "npu", "-q")
    assert patch.status == 0, patch.err
    assert {path: path.read_bytes() for path in tree.rglob("*.py")} == before
    assert run(opcheck, tree, "port", ".", "-t", "npu", "-q", "-o", "out/").status == 0
    out = {path.relative_to(tree / "out"): path.read_bytes() for path in (tree / "out").rglob("*.py")}
    for path in sorted(tree.glob("out/**/*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    if patch.out:
        subprocess.run(["patch", "-p1", "-s", "--binary"], input=patch.out, cwd=tree, check=True)
    after = {path: path.read_bytes() for path in before}
    assert {path.relative_to(tree): data for path, data in after.items() if data != before[path]} == out
    for path, data in after.items():
        text = data.replace(b"import torch_npu\r\n", b"").replace(b"import torch_npu\n", b"")
        assert len(text) >= len(before[path]) // 2
    assert run(opcheck, tree, "port", ".", "-t", "npu", "-q").out == b""


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_script_is_scanned_and_ported(opcheck, tmp_path, name):
    (tmp_path / "a.py").write_bytes(CASES[name])
    done = run(opcheck, tmp_path, "scan", ".", "-t", "npu", "-f", "json", "-q")
    assert done.status == 0 and done.json["source"]["files"] + len(done.json["source"]["unread"]) >= 1
    port(opcheck, tmp_path)


@pytest.mark.parametrize("name, text, unread", [
    ("a.yaml", "[" * 300000, 1), ("a.yaml", "{a: " * 300000, 1), ("config.json", '{"a":' * 90000 + "1" + "}" * 90000, 1),
    ("a.yaml", "[" * 900 + "cuda" + "]" * 900, 0), ("pyproject.toml", "a = " + "[" * 300000, 1),
    ("a.sh", "python <<A\n" * 90000, 0), ("a.sh", "".join("python <<A%d\n" % i for i in range(70000)), 0),
])
def test_settings_and_jobs_that_are_hostile_take_no_more_than_their_length(opcheck, tmp_path, name, text, unread):
    (tmp_path / name).write_text(text)
    done = run(opcheck, tmp_path, "scan", ".", "-t", "npu", "-f", "json", "-q", timeout=20)
    assert done.status == 0 and len(done.json["source"]["unread"]) == unread


def test_folders_that_may_not_be_read_leave_the_verdict_open(opcheck):
    """As another user: root may read all."""
    tree = pathlib.Path(tempfile.mkdtemp())
    (tree / "closed").mkdir()
    (tree / "a.py").write_text("x = 1\n")
    (tree / "closed" / "b.py").write_text("x.cuda()\n")
    try:
        for mode in (0o000, 0o444):  # its list, or what is in it, stays unknown
            (tree / "closed").chmod(mode)
            tree.chmod(0o755)
            done = run(opcheck, "/", "scan", tree, "-t", "npu", "-f", "json", "-q", **AS_ANOTHER)
            assert (done.status, done.json["targets"][0]["verdict"]) == (0, "inconclusive"), mode
            assert ["/closed" in str(message) for message in done.json["source"]["unread"]] == [True]
        (tree / "closed").chmod(0o000)
        done = run(opcheck, "/", "scan", tree / "closed", "-t", "npu", **AS_ANOTHER)
        assert done.status == 3 and "cannot open it" in done.err
    finally:
        shutil.rmtree(tree)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_scripts_are_scanned_and_ported(opcheck, tmp_path, seed):
    """Cut, with bytes changed, with lines swapped, or random altogether."""
    chance = random.Random(seed)
    for number, script in enumerate(SCRIPTS):
        data = bytearray(script.read_bytes())
        if seed == 0:
            data = data[:chance.randrange(len(data) + 1)]
        elif seed == 1:
            for _ in range(8):
                data[chance.randrange(len(data))] = chance.randrange(256)
        elif seed == 2:
            lines = bytes(data).splitlines(True)
            chance.shuffle(lines)
            data = b"".join(lines)
        else:
            data = chance.randbytes(2000)
        (tmp_path / ("s%d.py" % number)).write_bytes(data)
    assert run(opcheck, tmp_path, "scan", ".", "-t", "npu", "-f", "csv", "-q").status == 0
    port(opcheck, tmp_path)


@pytest.mark.parametrize("package, use", [
    ({"pkg/__init__.py": "from . import _C\n"}, "pkg._C.run()"),  # a compiled module, in no file
    ({"pkg/__init__.py": "from .a import x\n", "pkg/a.py": "from .b import x\n", "pkg/b.py": "try:\n    from .a import x\nexcept ImportError:\n    from pkg import x\n"}, "pkg.x()"),
    ({"pkg/__init__.py": "from .a import *\n", "pkg/a.py": "from pkg import *\nfrom pkg import x\nx = x\n"}, "pkg.x.y()"),
])
def test_imports_that_go_in_circles_end(opcheck, tmp_path, package, use):
    for name, text in {**package, "main.py": "import pkg\nimport torch\n%s\ntorch.cuda.synchronize()\n" % use}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    done = run(opcheck, tmp_path, "scan", ".", "-t", "npu", "-f", "csv")
    assert done.status == 0, done.err
    assert "main.py,4,1,src-device-api," in done.text
