"""What a machine says of itself becomes a release of its own, with the PyTorch that is here as the machine."""
import subprocess
import sys

import pytest

import text
from conftest import FIXTURES

DUMP = FIXTURES / "torch-1.13" / "resnet18.a-full.log"
MACHINE = """\
# opcheck registrations 1
target\tnpu
torch\t2.7.1+cpu
plugin\t2.7.1.post4+git1234
sdk\t8.5.0
soc\tAscend910B2
device\tPrivateUse1
fallback\t1
date\t2026-11-01
op\taten::add.Tensor\tPrivateUse1 AutogradPrivateUse1 CPU CompositeExplicitAutogradNonFunctional
op\taten::relu\tCPU
op\tnpu::npu_own.out\tPrivateUse1
op\tquantized::add\tQuantizedPrivateUse1
"""


def run_import(opcheck, opdb, path, *more):
    run = opcheck("db", "import", "registrations", path, "--opdb", opdb, *more)
    assert run.status == 0, run.err
    return run.text


def built(opcheck, opdb):
    assert opcheck("db", "build", opdb, "-o", opdb.parent / "new.sqlite").status == 0
    return ["--db", opdb.parent / "new.sqlite"]


@pytest.fixture(scope="module")
def machines(opcheck, tmp_path_factory):
    """The fact text with three machines in it, and the options to look into the database of it."""
    folder = tmp_path_factory.mktemp("machines")
    opdb = text.copy(folder)
    for content, *more in ((MACHINE,), (MACHINE.replace("2.7.1+cpu", "2.10.9+cpu"), "--release", "2.10.9+desk"),
                           (MACHINE.replace("target\tnpu", "target\tmusa").replace("fallback\t1", "fallback\t0"), "--release", "2.7.1+desk")):
        (folder / "machine.tsv").write_text(content, encoding="utf-8")
        run_import(opcheck, opdb, folder / "machine.tsv", *more)
    return opdb, built(opcheck, opdb)


def test_a_machine_is_a_release_of_its_own(opcheck, machines):
    opdb, db = machines
    newest = opcheck("op", "aten::add", "-t", "npu").text
    found = text.registrations(opdb, "npu", "2.7.1.post4+local")
    assert set(found) == {("aten", "add.Tensor", "PrivateUse1"), ("aten", "add.Tensor", "AutogradPrivateUse1"),
                          ("npu", "npu_own.out", "PrivateUse1"), ("quantized", "add", "QuantizedPrivateUse1")}
    assert {(r["origin"], r["status"], r["note"], r["source"]) for r in found.values()} == {("dispatcher", "native", "Ascend910B2", "dispatcher")}
    release = next(r for r in text.table(opdb, "npu/releases.tsv") if r["release"] == "2.7.1.post4+local")
    assert (release["torch"], release["kind"], release["date"], release["fallback"]) == ("2.7.1", "dev", "2026-11-01", "boxed")
    assert "cann" in text.table(opdb, "npu/versions.tsv")[0]
    assert [r["cann"] for r in text.table(opdb, "npu/versions.tsv") if r["release"] == "2.7.1.post4+local"] == ["8.5.0"]
    answer = opcheck("op", "aten::add", "-t", "npu@2.7.1.post4+local", *db)
    assert answer.status == 0 and "npu@2.7.1.post4+local: native\n" in answer.text
    # a machine is never the newest release, and its own name stays that of the pip package
    assert opcheck("op", "aten::add", "-t", "npu", *db).text.splitlines()[2:6] == newest.splitlines()[2:6]
    assert "2.7.1-" in opcheck("op", "aten::add", "-t", "npu@2.7.1", *db).text.split("npu@v", 1)[1][:9]


def test_another_patch_version_takes_the_universe_of_its_minor(machines):
    release = next(r for r in text.table(machines[0], "npu/releases.tsv") if r["release"] == "2.10.9+desk")
    assert release["torch"] == "2.10.0"


def test_musa_has_such_releases_too(opcheck, machines):
    assert "musa@2.7.1+desk: native\n" in opcheck("op", "aten::add", "-t", "musa@2.7.1+desk", *machines[1]).text


def test_a_machine_read_again_is_compared_with_what_it_said_before(opcheck, tmp_path):
    opdb, path = text.copy(tmp_path), tmp_path / "machine.tsv"
    said = {}
    for name, content in (("first", MACHINE), ("same", MACHINE), ("less", MACHINE.replace("op\tnpu::npu_own.out\tPrivateUse1\n", "")),
                          ("chip", MACHINE.replace("op\tnpu::npu_own.out\tPrivateUse1\n", "").replace("910B2", "910B3"))):
        path.write_text(content, encoding="utf-8")
        said[name] = run_import(opcheck, opdb, path, *([] if name == "first" else ["--force"])).splitlines()[1]
    assert said == {"first": "4 added, 0 removed, 0 changed", "same": "0 added, 0 removed, 0 changed",
                    "less": "0 added, 1 removed, 0 changed", "chip": "0 added, 0 removed, 3 changed"}


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    pytest.importorskip("torch", reason="python3-torch is not installed")
    return tmp_path_factory.mktemp("machine")


def test_the_fragment_writes_what_this_pytorch_has(opcheck, machine):
    opdb = text.copy(machine)
    torch = pytest.importorskip("torch", reason="python3-torch is not installed")
    script = opcheck("snippet", "--registrations").text
    assert max(map(len, script.splitlines())) <= 110
    (machine / "registrations.py").write_text(script, encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "ignore", "registrations.py"], cwd=machine, capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    release = torch.__version__.split("+")[0] + "+cpu"
    run_import(opcheck, opdb, machine / "registrations.tsv", "--as", "npu", "--release", release)
    db = built(opcheck, opdb)
    row = next(r for r in text.table(opdb, "npu/releases.tsv") if r["release"] == release)
    found = text.registrations(opdb, "npu", release)
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    # the other way round: every operator of the universe whose CPU kernel the dispatcher has, and no other
    names = [v["version"] for v in text.table(opdb, "torch/versions.tsv")]
    universe = [u["op"] for u in text.table(opdb, "torch/universe.tsv") if row["torch"] in text.covered(u["torch"], names)]
    assert len(universe) > 2000

    def registered(op, key):
        try:
            return has("aten::" + op, key)
        except RuntimeError:
            return False

    expected = {op for op in universe if registered(op, "CPU")}
    assert len(expected) > 900
    assert {op for ns, op, key in found if ns == "aten" and key == row["key"]} & set(universe) == expected
    assert {op for op in universe if registered(op, "AutocastCPU")} == {
        op for ns, op, key in found if ns == "aten" and key == "Autocast" + row["key"]} & set(universe)
    report = opcheck("check", DUMP, "-t", "npu@" + release, "-f", "json", *db).json
    statuses = {o["name"]: o["verdicts"]["npu@" + release]["status"] for o in report["operators"]}
    assert statuses["aten::addmm"] == statuses["aten::relu_"] == "native" and statuses["aten::linear"] == "composite"
