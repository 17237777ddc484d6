"""What `meson install` puts in place runs from any directory, without a setting."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import FIXTURES

BUILD = os.environ.get("OPCHECK_BUILD_ROOT")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    if not BUILD or not shutil.which("meson"):
        pytest.skip("OPCHECK_BUILD_ROOT is not set, or there is no meson")
    root = tmp_path_factory.mktemp("root")
    done = subprocess.run(["meson", "install", "--no-rebuild", "-C", BUILD, "--destdir", root], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return root


def find(root, name):
    paths = [path for path in root.rglob(name) if path.is_file()]
    assert len(paths) == 1, paths
    return paths[0]


def test_everything_is_put_in_place(installed):
    for name in ("opcheck", "opcheckd", "opdb.sqlite", "opcheck.1", "opcheck-config.5", "opcheckd.8", "opcheckd.conf", "opcheckd.service"):
        assert find(installed, name).stat().st_size


def test_the_program_and_its_database_belong_together(installed, tmp_path):
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "OPCHECK_DB": str(find(installed, "opdb.sqlite"))}
    done = subprocess.run([find(installed, "opcheck"), "check", FIXTURES / "torch-2.13" / "resnet50.a.log"], cwd=tmp_path,
                          capture_output=True, text=True, env=env)
    assert done.returncode == 0 and done.stdout.startswith("Readiness report"), done.stderr
    missing = subprocess.run([find(installed, "opcheck"), "op", "aten::add"], cwd=tmp_path, capture_output=True, text=True,
                             env={"PATH": os.environ["PATH"], "OPCHECK_DB": "/nowhere/opdb.sqlite"})
    assert missing.returncode == 4 and "OPC-4001" in missing.stderr


@pytest.mark.parametrize("name", ["opcheck", "opcheckd"])
def test_the_programs_are_hardened(installed, sanitized, name):
    """Moved about in memory, read-only where it can be, no stack that runs, and lengths checked where the compiler optimises."""
    def shown(*options):
        return subprocess.run(["readelf", "--wide", *options, find(installed, name)], capture_output=True, text=True, check=True).stdout

    head, symbols = shown("--file-header", "--program-headers", "--dynamic"), shown("--symbols")
    assert re.search(r"^ +Type: +DYN", head, re.M) and re.search(r"\bPIE\b", head)
    assert re.search(r"^ +GNU_RELRO ", head, re.M) and "BIND_NOW" in head
    assert re.search(r"^ +GNU_STACK .* RW +0x", head, re.M)
    options = json.loads(pathlib.Path(BUILD, "meson-info", "intro-buildoptions.json").read_text())
    optimised = {option["name"]: option["value"] for option in options}["optimization"] not in ("plain", "0", "g")
    assert sanitized or "__stack_chk_fail" in symbols
    assert sanitized or not optimised or "__memcpy_chk" in symbols or "__snprintf_chk" in symbols


def test_the_unit_starts_what_was_installed(installed):
    started = re.search(r"^ExecStart=(\S+)", find(installed, "opcheckd.service").read_text(), re.MULTILINE).group(1)
    assert (installed / started.lstrip("/")).is_file()
