"""Programs that `opcheck port` has edited run: two steps of training against a stand-in for the plugin, and each edit is needed.

The stand-in is for PyTorch 1.13, which has no other devices: ported/stub says what it answers. What needs PyTorch 2 is checked by its
source in test_port.py: torch.amp.GradScaler(device), torch.accelerator, torch.set_default_device, `with torch.device(...)`.
"""
import json
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

torch = pytest.importorskip("torch")
HERE = ROOT / "tests" / "scan" / "ported"
PROGRAMS = sorted(path.name for path in (HERE / "programs").iterdir())
if not torch.__version__.startswith("1.13"):
    pytest.skip("the stand-in is for PyTorch 1.13", allow_module_level=True)


def with_edits(files, edits):
    """The texts with edits as JSON lists them: by line and column, a line of its own for what belongs below another."""
    files = {name: text.split("\n") for name, text in files.items()}
    for edit in sorted(edits, key=lambda edit: (edit["path"], edit["line"], edit["column"]), reverse=True):
        lines, at, column, new = files[edit["path"].removeprefix("./")], edit["line"] - 1, edit["column"] - 1, edit["replacement"]
        if edit["rule"] == "import":
            lines.insert(at, new)
        elif not edit["expression"] and " = " in new:
            method = next(line for line in reversed(lines[:at]) if line.lstrip().startswith("def "))
            lines[at:at] = ["", method[:len(method) - len(method.lstrip())] + new]
        else:
            assert lines[at][column:].startswith(edit["expression"]), edit
            lines[at] = lines[at][:column] + new + lines[at][column + len(edit["expression"]):]
    return {name: "\n".join(lines) for name, lines in files.items()}


def prepare(opcheck, source, kind, folder):
    """The edits of a program, and a folder for each variant: all edits, none, all but one."""
    run = opcheck("port", ".", "-t", kind, "-f", "json", "-q", cwd=source)
    if "without the grammar" in run.err:
        pytest.skip("opcheck was built without the grammar of Python")
    edits = run.json["edits"]
    files = {path.name: path.read_text(encoding="utf-8") for path in source.iterdir()}
    variants = {"whole": edits, "none": [], **{"without-%d" % i: edits[:i] + edits[i + 1:] for i in range(len(edits))}}
    for variant, kept in variants.items():
        shutil.copytree(source, folder / variant)
        for file, text in with_edits(files, kept).items():
            (folder / variant / file).write_text(text, encoding="utf-8")
    return edits, list(variants)


@pytest.fixture(scope="module")
def ran(opcheck, tmp_path_factory):
    """What became of each variant of each program on one kind of device: all run behind one import of PyTorch."""
    known = {}

    def run(kind):
        if kind not in known:
            root = tmp_path_factory.mktemp(kind)
            made = {name: prepare(opcheck, HERE / "programs" / name, kind, root / name) for name in PROGRAMS}
            folders = [root / name / variant for name, (_, variants) in made.items() for variant in variants]
            done = subprocess.run([sys.executable, HERE / "run.py", kind, *folders], capture_output=True, text=True, check=True)
            words = dict(zip(folders, done.stdout.split()))
            known[kind] = {name: (root / name, edits, {variant: words[root / name / variant] for variant in variants})
                           for name, (edits, variants) in made.items()}
        return known[kind]
    return run


@pytest.mark.parametrize("kind", ["npu", "musa"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_ported_program_takes_two_steps_and_needs_each_edit(opcheck, ran, tmp_path, name, kind):
    folder, edits, words = ran(kind)[name]
    assert opcheck("port", ".", "-t", kind, "-q", "-o", tmp_path / "out", cwd=HERE / "programs" / name).status == 0
    for path in (tmp_path / "out").iterdir():
        assert path.read_text(encoding="utf-8") == (folder / "whole" / path.name).read_text(encoding="utf-8")
    assert words["whole"] == "ok", (folder / "whole" / "log").read_text(encoding="utf-8")
    needless = [edits[int(variant.split("-")[1])] for variant, word in words.items() if word == "ok" and variant != "whole"]
    assert len(edits) > 2 and needless == []
