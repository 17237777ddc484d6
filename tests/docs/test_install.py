"""What `meson install` puts in place runs from any directory, without a setting."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess

import pytest

from conftest import FIXTURES, ROOT

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
    paths = [path for path in root.rglob(name) if path.is_file() and "completion" not in str(path)]
    assert len(paths) == 1, paths
    return paths[0]


def test_everything_is_put_in_place(installed):
    for name in ("opcheck", "opcheckd", "opdb.sqlite", "opcheck.1", "opcheck-config.5", "opcheckd.8", "opcheckd.conf", "opcheckd.service"):
        assert find(installed, name).stat().st_size


def test_the_quickstart_builds_all_that_is_installed(installed):
    asked = subprocess.run(["meson", "introspect", "--targets", BUILD], capture_output=True, text=True, check=True).stdout
    built = re.search(r"^meson compile -C build ([^#\n]+)", (ROOT / "deploy/quickstart.sh").read_text(), re.M).group(1).split()
    assert {target["name"] for target in json.loads(asked) if target["installed"]} == set(built)


def test_the_program_and_its_database_belong_together(installed, tmp_path):
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "OPCHECK_DB": str(find(installed, "opdb.sqlite"))}
    done = subprocess.run([find(installed, "opcheck"), "check", FIXTURES / "torch-2.13" / "resnet50.a.log"], cwd=tmp_path,
                          capture_output=True, text=True, env=env)
    assert done.returncode == 0 and done.stdout.startswith("resnet50.a: "), done.stderr
    missing = subprocess.run([find(installed, "opcheck"), "op", "aten::add"], cwd=tmp_path, capture_output=True, text=True,
                             env={"PATH": os.environ["PATH"], "OPCHECK_DB": "/nowhere/opdb.sqlite"})
    assert missing.returncode == 4 and "OPC-4001" in missing.stderr


def test_an_installed_program_finds_the_database_beside_it(installed, tmp_path):
    """Moved as a whole, without a setting: bin/opcheck and share/opcheck/opdb.sqlite."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "share" / "opcheck").mkdir(parents=True)
    shutil.copy(find(installed, "opcheck"), tmp_path / "bin")
    shutil.copy(find(installed, "opdb.sqlite"), tmp_path / "share" / "opcheck")
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    done = subprocess.run([tmp_path / "bin" / "opcheck", "db", "info"], cwd="/", capture_output=True, text=True, env=env)
    assert done.returncode == 0 and "file       %s/bin/../share/opcheck/opdb.sqlite\n" % tmp_path in done.stdout, done.stderr


@pytest.mark.parametrize("shell, path", [("bash", "bash-completion/completions/opcheck"), ("zsh", "zsh/vendor-completions/_opcheck"),
                                         ("fish", "fish/vendor_completions.d/opcheck.fish")])
def test_completions_are_where_the_shells_look_and_are_those_of_the_program(installed, opcheck, shell, path):
    places = [p for p in installed.rglob("share/" + path) if p.is_file()]
    assert len(places) == 1 and places[0].read_bytes() == opcheck("completion", shell).out


def typed(setup, line, enough):
    """What an interactive bash shows after a line, whose TABs it completes."""
    pid, terminal = pty.fork()
    if not pid:
        os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {"PATH": os.environ["PATH"], "TERM": "dumb", "PS1": "> ", "HISTFILE": ""})
    os.write(terminal, ("bind 'set bell-style none'; %s; echo rea''dy\n" % setup).encode())
    shown = b""
    while b"ready\r\n> " not in shown:
        shown += os.read(terminal, 4096)
    os.write(terminal, line.encode())
    shown = b""
    while enough not in shown and len(shown) < 4096 and select.select([terminal], [], [], 60)[0]:
        shown += os.read(terminal, 4096)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    return shown.decode()


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
@pytest.mark.parametrize("line, becomes", [("opcheck ch\t", "opcheck check "), ("opcheck check --max-b\t", "--max-blocked-time "),
                                           ("opcheck db ver\t", "opcheck db verify "), ("opcheck check -f sar\t", "-f sarif ")])
def test_a_tab_in_bash_completes(installed, line, becomes):
    script = next(installed.rglob("share/bash-completion/completions/opcheck"))
    assert becomes in typed(". '%s'" % script, line, becomes.encode())


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
