"""deploy/ci: what the examples run is run, on a dump that passes, one that fails and none."""
import json
import os
import re
import shutil
import subprocess

import pytest
import yaml

from conftest import FIXTURES, ROOT, environment

CI = ROOT / "deploy" / "ci"
DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
FAILS = "aten::mm=unsupported"
FILES = {"report." + s for s in ("json", "html", "md", "sarif", "junit.xml", "codequality.json", "annotations.txt", "metrics.txt", "badge.json", "svg")}


def parsed(name):
    return yaml.safe_load((CI / name).read_text(encoding="utf-8"))


def action_step(name):
    return next(step for step in parsed("action.yml")["runs"]["steps"] if step["name"] == name)


@pytest.fixture
def job(tmp_path, opcheck):
    """A checkout with a dump, and opcheck in the path. Runs a piece of shell in it."""
    shutil.copytree(CI, tmp_path / "deploy" / "ci")
    shutil.copy(DUMP, tmp_path / "profiler.log")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "opcheck").symlink_to(os.path.abspath(os.environ["OPCHECK"]))

    def run(script, shell="sh", **variables):
        env = environment(PATH="%s:%s" % (tmp_path / "bin", os.environ["PATH"]), CI="true", **variables)
        return subprocess.run([shell, "-e", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)

    run.path = tmp_path
    return run


def jenkins_shell():
    return re.search(r"sh '''(.*?)'''", (CI / "Jenkinsfile").read_text(encoding="utf-8"), re.S).group(1)


SCRIPTS = {"gitlab": lambda: "\n".join(parsed("gitlab-ci.yml")["opcheck"]["script"]), "jenkins": jenkins_shell,
           "github": lambda: action_step("check")["run"]}


@pytest.mark.parametrize("system", SCRIPTS)
def test_the_check_of_each_system_writes_every_file_and_ends_with_the_gate(job, system):
    variables = {k: str(v) for k, v in parsed("gitlab-ci.yml")["opcheck"]["variables"].items()}
    summary = job.path / "summary.md"
    if system == "github":
        variables.update(GITHUB_ACTION_PATH="deploy/ci", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary),
                         OPTIONS="--fail-on unsupported,needs-package -t npu")
    out = job.path / "opcheck-report"
    done = job(SCRIPTS[system](), "bash" if system == "github" else "sh", **variables)
    assert done.returncode == 0, done.stderr
    assert {p.name for p in out.iterdir()} == FILES and all(p.stat().st_size for p in out.iterdir())
    failing = SCRIPTS[system]().replace("--fail-on", "--assume %s --fail-on" % FAILS)
    if system == "github":
        variables["OPTIONS"] += " --assume " + FAILS
    done = job(failing, "bash" if system == "github" else "sh", **variables)
    assert done.returncode == 1 and json.loads((out / "report.badge.json").read_text())["isError"]
    if system == "github":
        assert "::error title=op-unsupported" in done.stdout and summary.read_text().count("<!-- opcheck report -->") == 2


@pytest.mark.parametrize("system", SCRIPTS)
def test_a_merge_request_is_compared_with_the_report_of_its_target_branch(job, system):
    """What each system brings is a file; GitLab's job asks for it itself."""
    variables = {k: str(v) for k, v in parsed("gitlab-ci.yml")["opcheck"]["variables"].items()}
    out, shell = job.path / "opcheck-report", "bash" if system == "github" else "sh"
    found = job("sh deploy/ci/opcheck.sh profiler.log --assume %s --fail-on unsupported" % FAILS)
    assert found.returncode == 1 and "Since the baseline" not in (out / "report.md").read_text()
    shutil.copy(out / "report.json", job.path / "target.json")
    if system == "gitlab":
        curl = job.path / "bin" / "curl"
        curl.write_text('#!/bin/sh\necho "$*" >asked\ncp target.json opcheck-baseline.json\n')
        curl.chmod(0o755)
        variables.update(CI_MERGE_REQUEST_TARGET_BRANCH_NAME="release/1", CI_JOB_TOKEN="t", CI_API_V4_URL="https://git/api/v4", CI_PROJECT_ID="7",
                         CI_JOB_NAME="opcheck")
    elif system == "jenkins":
        copied, = re.findall(r"OPCHECK_BRANCH_REPORT = '(.*?)'", (CI / "Jenkinsfile").read_text(encoding="utf-8"))
        variables["OPCHECK_BRANCH_REPORT"] = copied
        (job.path / copied).parent.mkdir()
        (job.path / "target.json").rename(job.path / copied)
    else:
        restored = next(s for s in parsed("action.yml")["runs"]["steps"] if s.get("uses", "").startswith("actions/cache/restore"))["with"]["path"]
        variables["OPCHECK_BRANCH_REPORT"] = restored.replace("${{ inputs.output }}", "opcheck-report")
        variables.update(GITHUB_ACTION_PATH="deploy/ci", OPTIONS="--fail-on unsupported,needs-package --assume " + FAILS)
    done = job(SCRIPTS[system]().replace("--fail-on", "--assume %s --fail-on" % FAILS), shell, **variables)
    assert done.returncode == 0, done.stderr
    assert "Since the baseline: 0 fixed, 0 new" in (out / "report.md").read_text()
    if system == "gitlab":
        assert "/projects/7/jobs/artifacts/release%2F1/raw/opcheck-report/report.json?job=opcheck" in (job.path / "asked").read_text()


def test_what_a_pull_request_restores_is_what_a_push_keeps():
    restore, keep = [next(s for s in parsed("action.yml")["runs"]["steps"] if s.get("uses") == "actions/cache/%s@v4" % act) for act in ("restore", "save")]
    assert restore["with"]["path"] == keep["with"]["path"]
    key = keep["with"]["key"].replace("github.ref_name", "github.base_ref")
    assert restore["with"]["key"] == key and key.startswith(restore["with"]["restore-keys"])


def test_a_job_installs_the_package_that_it_names(job):
    """An archive is unpacked, a wheel goes into a venv, Debian packages to apt-get: for each a stand-in that keeps its words."""
    (job.path / "bin" / "opcheck").unlink()
    for name, text in (("python3", 'mkdir -p "$3/bin"; cp tools/pip tools/opcheck "$3/bin"'), ("apt-get", "[ $2 = update ] || cp tools/opcheck bin")):
        (job.path / "bin" / name).write_text('#!/bin/sh\necho "%s $*" >>said\n%s\n' % (name, text))
    archive = job.path / "opcheck-1.0.0-linux-x86_64"
    for path, text in ((job.path / "tools" / "opcheck", 'exec "%s" "$@"' % os.path.abspath(os.environ["OPCHECK"])), (job.path / "tools" / "pip", 'echo "pip $*" >>said')):
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n%s\n" % text)
    (archive / "bin").mkdir(parents=True)
    shutil.copy(job.path / "tools" / "opcheck", archive / "bin")
    for path in (*(job.path / "bin").iterdir(), *(job.path / "tools").iterdir(), archive / "bin" / "opcheck"):
        path.chmod(0o755)
    shutil.make_archive(str(archive), "gztar", job.path, archive.name)
    shutil.rmtree(archive)
    for package, said in ((archive.name + ".tar.gz", None), ("opcheck==1.0.0", "pip install --quiet opcheck==1.0.0"),
                          ("a.deb b.deb", "apt-get -qq -y install %s/a.deb %s/b.deb" % (job.path, job.path))):
        done = job("PATH=$PWD/bin:/usr/bin:/bin sh deploy/ci/opcheck.sh profiler.log", OPCHECK_PACKAGE=package, TMPDIR=str(job.path))
        assert done.returncode == 0, done.stderr
        assert {p.name for p in (job.path / "opcheck-report").iterdir()} == FILES and list(job.path.glob("tmp.*")) == []
        assert said is None or said in (job.path / "said").read_text().splitlines()
    (job.path / "bin" / "opcheck").unlink()
    done = job("PATH=$PWD/bin:/usr/bin:/bin sh deploy/ci/opcheck.sh profiler.log", OPCHECK_PACKAGE="absent.tar.gz")
    assert done.returncode == 2 and "absent.tar.gz" in done.stderr


def test_every_job_hands_its_package_on():
    assert "OPCHECK_PACKAGE" in parsed("gitlab-ci.yml")["opcheck"]["variables"] and "OPCHECK_PACKAGE = ''" in (CI / "Jenkinsfile").read_text(encoding="utf-8")
    assert action_step("check")["env"]["OPCHECK_PACKAGE"] == "${{ inputs.package }}"


def test_a_dump_that_is_none_leaves_no_report_of_an_earlier_run(job):
    assert job("sh deploy/ci/opcheck.sh profiler.log").returncode == 0
    (job.path / "profiler.log").write_text("no table\n")
    assert job("sh deploy/ci/opcheck.sh profiler.log").returncode == 3
    assert list((job.path / "opcheck-report").iterdir()) == []


@pytest.mark.parametrize("old", ["", "4711"])
def test_the_comment_is_written_once_and_then_updated(job, old):
    said = job.path / "said"
    gh = job.path / "bin" / "gh"
    gh.write_text('#!/bin/sh\ncase $* in\n*--jq*) printf "%%s" "%s" ;;\n*) echo "$*" >>said ;;\nesac\n' % old)
    gh.chmod(0o755)
    done = job(action_step("comment")["run"], "bash", GITHUB_REPOSITORY="a/b", PULL_REQUEST="7", OPCHECK_OUT="opcheck-report")
    assert done.returncode == 0, done.stderr
    where = "-X PATCH repos/a/b/issues/comments/4711" if old else "repos/a/b/issues/7/comments"
    assert said.read_text() == "api %s -F body=@opcheck-report/report.md\n" % where


def test_the_hook_fails_for_the_dump_that_fails(job):
    hook = parsed("pre-commit-config.yaml")["repos"][0]["hooks"][0]
    assert re.search(hook["files"], "runs/profiler-1.log") and not re.search(hook["files"], "train.py")
    assert job(hook["entry"] + " profiler.log").returncode == 0
    assert job(hook["entry"] + " --assume %s profiler.log" % FAILS).returncode == 1


def test_artefacts_and_inputs_are_those_that_the_script_writes_and_reads():
    reports = parsed("gitlab-ci.yml")["opcheck"]["artifacts"]["reports"]
    assert {os.path.basename(p) for p in reports.values()} <= FILES
    action = parsed("action.yml")
    text = (CI / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.(\w+)", text)) == set(action["inputs"])
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "what others write comes through the environment, not into the script"
        assert "run" not in step or step["shell"] == "bash"
    assert len((CI / "README.md").read_text(encoding="utf-8").splitlines()) <= 25
    assert set(re.findall(r"^\| `([\w.-]+)`", (CI / "README.md").read_text(encoding="utf-8"), re.M)) == {p.name for p in CI.iterdir()} - {"README.md"}


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_the_shell_parts_are_sound(tmp_path):
    scripts = [CI / "opcheck.sh"]
    for name in ("check", "comment"):
        scripts.append(tmp_path / (name + ".sh"))
        scripts[-1].write_text("#!/bin/bash\n" + action_step(name)["run"])
    done = subprocess.run(["shellcheck", *map(str, scripts)], capture_output=True, text=True)
    assert done.stdout == ""
