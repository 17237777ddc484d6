"""The first day, as the manual has it: its lines run on an empty machine, one after the other, as root and as the service's user."""
import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, Run, environment, program
from daemon import SMALL, Daemon

NOBODY = 65534


def lines(page, section):
    """The displayed commands of a section, and those within its text."""
    text = (ROOT / "deploy" / "man" / page).read_text(encoding="utf-8").split(".Sh " + section + "\n")[1].split("\n.Sh ")[0]
    return re.findall(r"^\.Dl \$ (.+)$", text, re.M) + re.findall(r"^\.Ql (opcheckd .+?)(?: \.)?$", text, re.M)


class Machine:
    """A directory for everything, and a shell in it whose programs are those of the build."""

    def __init__(self, place):
        self.place, self.state = place, place / "var" / "lib" / "opcheck"
        place.joinpath("opcheckd.conf").write_text("state-dir = %s\n" % self.state, encoding="utf-8")
        place.joinpath("bin").mkdir()
        for name in ("opcheck", "opcheckd"):
            place.joinpath("bin", name).symlink_to(program(name, name.upper()))
        self.env = environment(OPCHECKD_CONFIG=str(place / "opcheckd.conf"), PATH="%s:%s" % (place / "bin", os.environ["PATH"]))
        self.script = []

    def sh(self, line):
        run = Run(["sh", "-c", "\n".join([*self.script, line])], env=self.env, cwd=self.place)
        if line.startswith("export "):
            self.script.append(line)
        return run

    def start(self):
        self.state.parent.mkdir(parents=True, exist_ok=True)  # for the log of the test
        return Daemon(self.state, "--config", str(self.place / "opcheckd.conf"))


def test_the_lines_of_the_manual_run_as_they_stand(tmp_path):
    machine, done = Machine(tmp_path), []
    shutil.copy(SMALL, tmp_path / "profiler.log")
    for rank in range(2):
        shutil.copy(SMALL, tmp_path / ("rank%d.json" % rank))
    tmp_path.joinpath("team.waivers").write_text("[waiver w]\nop = aten::mm\nreason = known\n", encoding="utf-8")
    daemon = record = None
    try:
        for line in lines("opcheckd.8", "A TEAM'S FIRST DAY") + lines("opcheckd.8", "EXAMPLES"):
            done.append(line)
            if daemon:
                line = line.replace("https://opcheck.example", daemon.url).replace("http://127.0.0.1:8787", daemon.url)
            if record:
                line = re.sub(r"\bID\b", record["id"], line)
            run = machine.sh(line.replace("COMMIT", "c0ffee"))
            assert run.status in ((0, 1) if "--fail-on" in line else (0,)), (line, run.err)
            if line.startswith("opcheckd token add"):
                machine.env["OPCHECK_TOKEN"] = run.text.strip()
                daemon = machine.start()  # of the same settings, after the token
            if "opcheck submit" in line:
                record = daemon.api.json("/api/v1/assessments", headers={"Authorization": "Bearer " + machine.env["OPCHECK_TOKEN"]})["items"][0]
        assert len(done) >= 6 and daemon.api.json("/api/v1/runs?model=llama")["items"][0]["project"] == "vision"
    finally:
        if daemon:
            daemon.stop()


def test_what_the_manual_says_of_operating_runs(tmp_path):
    machine = Machine(tmp_path)
    machine.start().stop()
    found = [line for line in lines("opcheckd.conf.5", "OPERATING") if not line.startswith("opcheckd --")]
    assert len(found) == 2
    for line in found:
        run = machine.sh(line.replace("/backup/", str(tmp_path) + "/backup-"))
        assert run.status == 0, (line, run.err)


def test_the_readme_gives_the_same_first_line(tmp_path):
    line = re.search(r"`(opcheckd token add [^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8")).group(1)
    assert Machine(tmp_path).sh(line).text.startswith("opc_")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_sets_up_what_the_services_user_goes_on_with(tmp_path):
    """An empty directory that is the user's already, as a service manager leaves it; then one below it that is missing."""
    for path in (tmp_path, *list(tmp_path.parents)[:2]):
        path.chmod(0o755)
    machine = Machine(tmp_path)
    machine.state.parent.mkdir(parents=True)
    os.chown(machine.state.parent, NOBODY, NOBODY)
    assert machine.sh("opcheckd token add --scope submit").status == 0
    for path in [machine.state, *machine.state.rglob("*")]:
        assert path.stat().st_uid == NOBODY, path
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": [], "env": machine.env, "cwd": "/", "capture_output": True, "text": True}
    program_ = program("opcheckd", "OPCHECKD")
    if not os.access(program_, os.X_OK) or subprocess.run([program_, "--version"], **{**user, "check": False}).returncode:
        pytest.skip("another user cannot run the build")
    assert subprocess.run([program_, "token", "add", "--scope", "read"], check=False, **user).returncode == 0
    listed = machine.sh("opcheckd token list").text
    assert listed.count(" valid ") == 2
    for path in [machine.state, *machine.state.rglob("*")]:
        assert path.stat().st_uid == NOBODY, path
