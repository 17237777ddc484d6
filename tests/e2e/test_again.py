"""Runs judged again when facts changed: on request, and by the service itself for the newest of each model and branch."""
import pytest

from daemon import SMALL, wait_until
from test_runs import token
from test_site_facts import COLUMNS, MM

TARGET = "musa@v2.7.1"


@pytest.fixture
def site(fresh, tmp_path):
    """A service with facts of its site, which change() changes."""
    path = tmp_path / "site.tsv"
    path.write_text(COLUMNS + MM, encoding="utf-8")
    daemon = fresh("--overlay", str(path))
    daemon.change = lambda: path.write_text(COLUMNS + MM.replace("unsupported", "cpu-fallback"), encoding="utf-8")
    return daemon


def send(api, headers=None, **words):
    reply = api.post("/api/v1/assessments", params={"target": TARGET, "name": "a.log", **words}, data=SMALL.read_bytes(), headers=headers)
    assert reply.status_code == 201, reply.text
    return reply.json()


def again(api, run, **options):
    return api.post("/api/v1/runs/%s/judgement" % run["id"], **options)


def test_a_run_is_judged_again_by_the_facts_of_today(site):
    first = send(site.api, branch="main", commit="c0", tag=["b", "a"], fail_on="unsupported", assume="aten::add=unknown")
    same = again(site.api, first["run"])
    assert (same.status_code, same.json()["id"]) == (200, first["id"]) and "run" not in same.json()
    site.change()
    reply = again(site.api, first["run"])
    assert reply.status_code == 201
    second = reply.json()
    assert {**second["options"], "asked": None} == {**first["options"], "asked": None} and second["name"] == "a.log"
    run = site.api.json(second["run"]["links"]["self"])
    assert (run["branch"], run["commit"], run["tags"]) == ("main", "c0", ["a", "b", "judged-again"])
    gates = [record["targets"][0]["gate"] for record in (first, second)]
    assert gates == ["failed", "passed"]
    changes = site.api.json(second["run"]["links"]["changes"])
    assert any(item["name"] == "aten::mm" for item in changes["operators"]), changes.keys()
    assert site.api.json("/api/v1/runs")["total"] == 2


def test_several_files_are_judged_again_as_they_were_sent(site):
    files = [("file", (name, SMALL.read_bytes())) for name in ("x_rank_1.log", "x_rank_0.log")]
    first = site.api.post("/api/v1/assessments", data={"target": TARGET}, files=files).json()
    site.change()
    second = again(site.api, first["run"]).json()
    inputs = [site.api.json(record["links"]["report"] + ".json")["inputs"] for record in (first, second)]
    assert inputs[0] == inputs[1] and len(inputs[0]) == 2


def test_the_service_judges_the_newest_run_of_each_model_and_branch(site):
    old = send(site.api, model="llama", branch="main")
    new = send(site.api, model="llama", branch="main", name="newer.log")
    other = send(site.api, model="bert", name="bert.log")
    none = send(site.api, name="none.log")
    site.change()
    found = []

    def all_judged():
        site.api.patch(none["run"]["links"]["self"], params={"kept": "true"})  # the service looks after each change
        found[:] = site.api.json("/api/v1/runs", params={"tag": "judged-again"})["items"]
        return len(found) == 2

    assert wait_until(all_judged, 120)
    assert {(run["model"], run["name"]) for run in found} == {("llama", "newer.log"), ("bert", "bert.log")}
    assert {run["assessment"] for run in found} & {record["id"] for record in (old, new, other, none)} == set()
    cells = [item["targets"][0]["run"] for item in site.api.json("/api/v1/fleet")["items"]]
    assert sorted(cells) == sorted(run["id"] for run in found)


def test_what_cannot_be_judged_again_is_refused(site):
    files = [("file", ("a.log", SMALL.read_bytes())), ("waivers", ("w.txt", "[waiver w]\nop = aten::mm\nreason = known\n"))]
    waived = site.api.post("/api/v1/assessments", data={"target": TARGET}, files=files).json()
    reply = again(site.api, waived["run"])
    assert (reply.status_code, reply.json()["code"]) == (400, "OPC-2003") and "waivers" in reply.json()["hint"]
    assert again(site.api, waived["run"], data=b"a dump").json()["code"] == "OPC-2002"
    assert again(site.api, {"id": "0" * 16}).status_code == 404


def test_a_run_of_another_project_is_not_judged(site):
    vision, audio, reader = token(site.state, "submit", "vision"), token(site.state, "submit", "audio"), token(site.state, "read", "vision")
    run = send(site.api, headers=vision)["run"]
    assert again(site.api, run, headers=audio).status_code == 404
    assert again(site.api, run, headers=reader).status_code == 403
    site.change()
    second = again(site.api, run, headers=vision).json()
    assert site.api.json(second["run"]["links"]["self"], headers=vision)["project"] == "vision"
