"""Runs: who submitted what, found again by its words; a project sees its own alone."""
import csv
import hashlib
import http.server
import json
import re
import tarfile
import threading
import urllib.parse

import pytest
import requests

from conftest import FIXTURES, Run, environment, program
from daemon import DUMP, LONG_NAMES, SMALL, Daemon, begin, trace_of

TARGET = "npu@v2.7.1-26.0.0"


def token(daemon, scope, project=""):
    run = Run([program("opcheckd", "OPCHECKD"), "token", "add", "--name", project or "any", "--scope", scope, "--project", project,
               *daemon.place], env=environment())
    assert run.status == 0, run.err
    return {"Authorization": "Bearer " + run.text.strip()}


def send(api, dump=SMALL, headers=None, **words):
    reply = api.post("/api/v1/assessments", params={"target": TARGET, "name": dump.name, **words}, data=dump.read_bytes(),
                     headers=headers)
    assert reply.status_code in (200, 201), reply.text
    return reply.json()


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """A service with some runs, and its runs by number."""
    daemon = begin(tmp_path_factory.mktemp("team") / "state")
    daemon.runs = [send(daemon.api, model="llama", branch="main", commit="c%d" % i, tag=["nightly", "n%d" % i])["run"]
                   for i in range(5)]
    daemon.runs.append(send(daemon.api, DUMP, model="bert", branch="topic", assume=["aten::mm=unsupported", "aten::add=cpu-fallback"])["run"])
    yield daemon
    daemon.stop()


def found(api, **query):
    return [item["id"] for item in api.json("/api/v1/runs", params=query)["items"]]


def test_each_submit_is_a_run_of_the_same_assessment(team):
    first, second = (team.api.json(team.runs[i]["links"]["self"]) for i in (0, 1))
    assert first["id"] != second["id"] and first["assessment"] == second["assessment"]
    assert (first["model"], first["branch"], first["commit"]) == ("llama", "main", "c0") and first["tags"] == ["n0", "nightly"]
    assert 0 <= first["targets"][0]["readiness"]["lo"] <= first["targets"][0]["readiness"]["hi"] <= 1
    report = team.api.json(first["links"]["report"])
    assert report["targets"][0]["readiness"]["time"] == first["targets"][0]["readiness"]


@pytest.mark.parametrize("query, wanted", [
    ({}, [5, 4, 3, 2, 1, 0]), ({"sort": "created_at"}, [0, 1, 2, 3, 4, 5]), ({"model": "llama"}, [4, 3, 2, 1, 0]),
    ({"branch": "topic"}, [5]), ({"tag": "n3"}, [3]), ({"q": "BER"}, [5]), ({"q": "transformer"}, [4, 3, 2, 1, 0]),
    ({"model": "llama", "tag": "n1", "q": "nightly"}, [1]), ({"model": "none"}, []), ({"project": "x"}, []), ({"verdict": "ready"}, []),
    ({"sort": "model"}, [5, 0, 1, 2, 3, 4]), ({"sort": "-model"}, [4, 3, 2, 1, 0, 5]), ({"sort": "-branch", "tag": "nightly"}, [4, 3, 2, 1, 0]),
])
def test_runs_are_found_by_their_words(team, query, wanted):
    assert found(team.api, **query) == [team.runs[i]["id"] for i in wanted]


def test_pages_of_a_list_are_the_list(team):
    seen, path = [], "/api/v1/runs?limit=2&model=llama"
    while path:
        reply = team.api.get(path)
        seen += [item["id"] for item in reply.json()["items"]]
        assert reply.json()["total"] == 5
        path = reply.links.get("next", {}).get("url")
    assert seen == [team.runs[i]["id"] for i in (4, 3, 2, 1, 0)]


def all_pages(api, path):
    while path:
        reply = api.get(path)
        assert reply.status_code == 200, reply.text
        yield from reply.json()["items"]
        path = reply.links.get("next", {}).get("url")


@pytest.mark.parametrize("sort", ["model", "-model", "branch", "-verdict"])
def test_pages_of_an_ordered_list_are_the_list(team, sort):
    ids = [item["id"] for item in all_pages(team.api, "/api/v1/runs?limit=2&sort=" + sort)]
    assert ids == found(team.api, sort=sort) and len(set(ids)) == 6


@pytest.mark.parametrize("path", ["assessments", "runs", "models", "models?model=llama", "fleet", "demand", "operators", "audit"])
def test_a_list_has_the_members_that_are_asked_for(team, path):
    joint = "&" if "?" in path else "?"
    whole = team.api.json("/api/v1/" + path + joint + "limit=2")
    for wanted in ([sorted(whole["items"][0])[0]], sorted(whole["items"][0])[:2]):
        part = team.api.json("/api/v1/%s%slimit=2&fields=%s" % (path, joint, ",".join(wanted)))
        assert part.pop("fields") == wanted and part.keys() == whole.keys()
        assert part["items"] == [{name: item[name] for name in wanted} for item in whole["items"]]
    for wrong in ("none", "id,,", "id "):
        assert team.api.get("/api/v1/%s%sfields=%s" % (path, joint, wrong)).status_code == 400


def test_models_are_listed_with_their_newest_run(team):
    items = team.api.json("/api/v1/models")["items"]
    assert [(item["model"], item["branch"], item["run"]) for item in items] == [
        ("bert", "topic", team.runs[5]["id"]), ("llama", "main", team.runs[4]["id"])]
    assert list(all_pages(team.api, "/api/v1/models?limit=1")) == items


@pytest.mark.parametrize("query, models", [
    ("model=llama", ["llama"]), ("branch=topic", ["bert"]), ("q=ER", ["bert"]), ("target=" + TARGET, ["bert", "llama"]), ("target=none", []),
    ("model=llama&branch=topic", []), ("verdict=ready", []),
])
def test_the_fleet_is_filtered(team, query, models):
    items = team.api.json("/api/v1/fleet?" + query)["items"]
    assert [item["model"] for item in items] == models
    verdicts = {target["verdict"] for item in items for target in item["targets"]}
    for verdict in verdicts:
        assert team.api.json("/api/v1/fleet?%s&verdict=%s" % (query, verdict))["items"]


def test_a_name_longer_than_512_bytes_is_its_beginning_and_a_digest_in_the_demand(fresh):
    api = fresh().api
    assert api.submit(trace_of(LONG_NAMES), name="long.json").status_code == 201
    whole = api.json("/api/v1/demand?target=musa@v2.7.1")["items"]
    assert {item["operator"] for item in whole} == {name if len(name) <= 512 else name[:447] + "~" + hashlib.sha256(name.encode()).hexdigest()
                                                    for name in LONG_NAMES}
    assert list(all_pages(api, "/api/v1/demand?target=musa@v2.7.1&limit=1")) == whole


def test_pages_of_demand_are_the_list(team):
    whole = team.api.json("/api/v1/demand")["items"]
    assert whole and list(all_pages(team.api, "/api/v1/demand?limit=1")) == whole
    for cursor in ("x", "1%0A2", "1%0Ax%0Aa%0Ab%0Ac"):
        assert team.api.get("/api/v1/demand?cursor=" + cursor).status_code == 400


@pytest.mark.parametrize("query", ["sort=name", "sort=-", "sort=model&cursor=3", "sort=model&cursor=x%0Aa", "verdict=fine", "q=ab", "cursor=0", "limit=0", "tags=x", "lang=fr"])
def test_what_no_list_has_is_named(team, query):
    assert team.api.get("/api/v1/runs?" + query).status_code == 400


@pytest.mark.parametrize("words", [{"tag": "two words"}, {"tag": ",".join("t%d" % i for i in range(17))}, {"model": "m" * 129},
                                   {"branch": "a\nb"}])
def test_words_that_are_none_are_refused(team, words):
    assert team.api.submit(SMALL.read_bytes(), **words).status_code == 400


def test_a_run_is_renamed_kept_and_removed(fresh):
    api = fresh().api
    record = send(api, model="llama")
    run = record["run"]
    assert api.patch(run["links"]["self"], params={"name": "最好的", "tag": "gold,best", "kept": "true"}).status_code == 204
    changed = api.json(run["links"]["self"])
    assert (changed["name"], changed["tags"], changed["kept"]) == ("最好的", ["best", "gold"], True)
    assert api.patch(run["links"]["self"] + "?tag=").status_code == 204
    assert api.json(run["links"]["self"])["tags"] == [] and api.json(run["links"]["self"])["kept"]
    assert found(api, q="最好的") == [run["id"]] and not found(api, tag="gold")
    second = send(api)["run"]
    assert api.delete(run["links"]["self"]).status_code == 204
    assert api.get(run["links"]["self"]).status_code == 404
    assert api.get(record["links"]["self"]).status_code == 200
    assert api.delete(second["links"]["self"]).status_code == 204
    assert api.get(record["links"]["self"]).status_code == 404
    assert api.get(record["links"]["report"]).status_code == 404


def test_an_id_may_be_shortened(team):
    run, record = team.runs[5], team.api.json(team.runs[5]["links"]["self"])["assessment"]
    for path in ("/api/v1/assessments/%s", "/assessments/%s", "/api/v1/assessments/%s/report.csv", "/api/v1/assessments/%s/report.html"):
        assert team.api.get(path % record[:8]).content == team.api.get(path % record).content
        assert "immutable" not in team.api.get(path % record[:8]).headers["Cache-Control"]
        assert team.api.get(path % record[:7]).status_code == 404
    assert team.api.json("/api/v1/runs/" + run["id"][:8])["id"] == run["id"]
    short = team.api.get("/api/v1/assessments/" + record).links["shortlink"]["url"]
    assert short == "/assessments/" + record[:8] and team.api.get(short).status_code == 200


def test_an_ambiguous_id_lists_what_it_may_mean(fresh):
    daemon = fresh()
    first, second = send(daemon.api)["id"], send(daemon.api, DUMP)["id"]
    daemon.stop()
    daemon.sql("UPDATE assessment SET id = '%s' || substr(id, 9) WHERE id = '%s'" % (first[:8], second))
    daemon.restart()
    for path in ("/api/v1/assessments/", "/assessments/"):
        reply = daemon.api.get(path + first[:8], headers={"Accept": "application/json"})
        assert reply.status_code == 409 and reply.json()["code"] == "OPC-2020"
        assert first[:20] in reply.json()["hint"] and first[:8] + second[8:20] in reply.json()["hint"]
    assert daemon.api.get("/api/v1/assessments/" + first).status_code == 200


# --- projects


def test_two_projects_with_the_same_dump_do_not_see_each_other(fresh):
    daemon = fresh()
    vision, audio = (token(daemon, "admin", name) for name in ("vision", "audio"))
    api = daemon.api
    mine = send(api, headers=vision, model="vit")
    assert api.get("/api/v1/assessments/" + mine["id"], headers=audio).status_code == 404
    theirs = api.post("/api/v1/assessments", params={"target": TARGET, "name": SMALL.name}, data=SMALL.read_bytes(), headers=audio)
    assert theirs.status_code == 201 and theirs.json()["id"] == mine["id"]  # as if nobody had sent it before
    assert api.get(mine["run"]["links"]["self"], headers=audio).status_code == 404
    assert [item["project"] for item in api.json("/api/v1/runs", headers=audio)["items"]] == ["audio"]
    assert api.json("/api/v1/assessments", headers=audio)["total"] == 1
    daemon.sql("UPDATE assessment SET created_at = '2001-01-01T00:00:00Z'")  # neither is told when another project sent it
    for headers in (vision, audio):
        times = [api.json(path, headers=headers)["items"][0]["created_at"] for path in ("/api/v1/assessments", "/api/v1/runs")]
        assert times == [api.json("/api/v1/assessments/" + mine["id"], headers=headers)["created_at"]] * 2 and "2001" not in times[0]
        assert not any("2001-01-01" in api.get(path, headers=headers).text for path in ("/", "/compare"))
        judged = "/api/v1/runs/%s/judgement" % api.json("/api/v1/runs", headers=headers)["items"][0]["id"]
        for _ in range(2):  # and again with the same key
            assert api.post(judged, headers={**headers, "Idempotency-Key": "k"}).json()["created_at"] == times[0]
    assert len(api.json("/api/v1/runs")["items"]) == 2  # who has no project sees all
    assert api.delete("/api/v1/assessments/" + mine["id"], headers=audio).status_code == 204
    assert api.get("/api/v1/assessments/" + mine["id"], headers=audio).status_code == 404
    assert api.get("/api/v1/assessments/" + mine["id"], headers=vision).status_code == 200
    assert api.get("/api/v1/runs?project=vision", headers=audio).status_code == 403
    assert api.post("/api/v1/assessments?project=vision", data=SMALL.read_bytes(), headers=audio).status_code == 403
    assert api.get("/api/v1/audit", headers=audio).status_code == 403


@pytest.mark.parametrize("suffix", ["", ".json", ".html", ".csv", ".txt"])
def test_a_report_that_is_cached_stays_inside_its_project(fresh, suffix):
    daemon = fresh()
    vision, audio = (token(daemon, "read", name) for name in ("vision", "audio"))
    path = send(daemon.api, project="vision")["links"]["report"] + suffix
    for headers in (vision, None, None):  # rendered, cached and answered from there
        assert daemon.api.get(path, headers=headers).status_code == 200
    assert daemon.api.get(path, headers=audio).status_code == 404
    assert daemon.api.get(path, headers=vision).status_code == 200


def test_a_job_of_another_project_is_not_there(fresh):
    daemon = fresh()
    vision, audio = (token(daemon, "admin", name) for name in ("vision", "audio"))
    job = daemon.api.post("/api/v1/assessments?wait=0&model=vit", data=SMALL.read_bytes(), headers=vision).json()
    assert daemon.api.get("/api/v1/jobs/" + job["id"], headers=audio).status_code == 404
    assert daemon.api.delete("/api/v1/jobs/" + job["id"], headers=audio).status_code == 404
    assert daemon.api.get("/api/v1/jobs/" + job["id"], headers=vision).status_code == 200


def test_a_repeated_request_answers_with_the_run_that_it_made(team):
    def again():
        return team.api.post("/api/v1/assessments", params={"name": "again.log", "model": "again"}, data=SMALL.read_bytes(),
                             headers={"Idempotency-Key": "k"})

    first, second = again(), again()
    assert first.json()["run"] == second.json()["run"] and first.status_code == second.status_code == 201
    assert len(found(team.api, model="again")) == 1


def test_a_state_directory_of_version_5_has_a_run_for_each_assessment(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    with tarfile.open(FIXTURES / "earlier" / "state-5.tar.gz") as archive:
        archive.extractall(state)
    daemon = Daemon(state)
    newest, oldest = daemon.api.json("/api/v1/runs")["items"]
    assert (oldest["project"], oldest["name"], oldest["kept"], oldest["verdict"]) == ("vision", "transformer.log", False, "inconclusive")
    assert (newest["project"], newest["name"], newest["kept"], newest["verdict"]) == ("", "overload.log", True, "blocked")
    assert "readiness" not in newest["targets"][0]
    assert found(daemon.api, q="overload") == [newest["id"]] and found(daemon.api, project="vision") == [oldest["id"]]
    for run in (newest, oldest):
        assert daemon.api.json(run["links"]["report"])["inputs"][0]["name"] == run["name"]
        assert daemon.api.delete("/api/v1/runs/" + run["id"]).status_code == 204
    assert not list((state / "dumps").iterdir())
    daemon.stop()


# --- what only all runs say


def test_the_trend_of_a_model_is_its_runs_with_their_readiness(team):
    points = team.api.json("/api/v1/models", params={"model": "llama", "branch": "main"})["items"]
    assert [point["run"] for point in points] == [team.runs[i]["id"] for i in (4, 3, 2, 1, 0)]
    assert points[0]["commit"] == "c4" and 0 <= points[0]["targets"][0]["readiness"]["lo"] <= 1
    assert not team.api.json("/api/v1/models", params={"model": "llama", "branch": "other"})["items"]


def test_the_fleet_has_the_newest_run_of_each_branch_and_target(fresh):
    api = fresh().api
    send(api, model="llama", branch="main")
    newest = send(api, model="llama", branch="main", commit="new")["run"]
    other = send(api, model="llama", branch="main", target="musa@v2.7.1")["run"]
    send(api, DUMP, model="bert", branch="main")
    send(api, model="llama", branch="a")
    send(api)  # of no model
    items = api.json("/api/v1/fleet")["items"]
    assert [(item["model"], item["branch"], [cell["id"] for cell in item["targets"]]) for item in items] == [
        ("bert", "main", [TARGET]), ("llama", "a", [TARGET]), ("llama", "main", ["musa@v2.7.1", TARGET])]
    assert [(cell["run"], cell["commit"]) for cell in items[2]["targets"]] == [(other["id"], ""), (newest["id"], "new")]
    assert api.delete(newest["links"]["self"]).status_code == 204  # the one before it takes its place
    assert api.json("/api/v1/fleet")["items"][2]["targets"][1]["commit"] == ""
    seen, path = [], "/api/v1/fleet?limit=1"
    while path:
        reply = api.get(path)
        seen += reply.json()["items"]
        path = reply.links.get("next", {}).get("url")
    assert seen == api.json("/api/v1/fleet")["items"]


def test_demand_counts_runs_and_models_that_an_operator_holds_up(fresh):
    api = fresh().api
    runs = [send(api, FIXTURES / "eras" / "2.9-overload.log", model=model)["run"] for model in ("llama", "llama", "bert")]
    report = api.json(api.json(runs[0]["links"]["self"])["links"]["report"])
    blocking = {(op["name"], op["verdicts"][TARGET]["status"]) for op in report["operators"]
                if op["verdicts"][TARGET]["status"] in ("unsupported", "needs-package", "cpu-fallback")}
    assert blocking
    items = api.json("/api/v1/demand")["items"]
    assert {(item["operator"], item["status"]) for item in items} == blocking
    assert {(item["target"], item["runs"], item["models"]) for item in items} == {(TARGET, 3, 2)}
    assert api.json("/api/v1/demand", params={"target": "musa@v2.7.1"})["items"] == []
    for run in runs[:2]:
        assert api.delete(run["links"]["self"]).status_code == 204
    assert {(item["runs"], item["models"]) for item in api.json("/api/v1/demand")["items"]} == {(1, 1)}
    for lang, word in (("en", "Operators that block our models"), ("zh-CN", "阻碍我们模型的算子")):
        draft = api.get("/api/v1/demand.md", params={"lang": lang}).text
        assert word in draft and all(item["operator"] in draft.replace("\\", "") for item in items)


def test_what_all_runs_say_stays_inside_a_project(fresh):
    daemon = fresh()
    vision, audio = (token(daemon, "submit", name) for name in ("vision", "audio"))
    send(daemon.api, FIXTURES / "eras" / "2.9-overload.log", headers=vision, model="vit", branch="main")
    for path in ("/api/v1/fleet", "/api/v1/demand", "/api/v1/models?model=vit", "/api/v1/runs"):
        assert daemon.api.json(path, headers=vision)["items"] and not daemon.api.json(path, headers=audio)["items"], path


def test_a_target_that_is_asked_twice_is_one(fresh):
    api = fresh().api
    record = send(api, FIXTURES / "eras" / "2.9-overload.log", target=[TARGET, TARGET], model="llama")
    assert len(record["targets"]) == len(api.json("/api/v1/fleet")["items"][0]["targets"]) == 1


# --- opcheck submit


def test_the_client_says_what_its_run_is(team, submit):
    run = submit(team, str(SMALL), "-t", TARGET, "--model", "by client", "--branch", "b/1", "--commit", "c0ffee", "--tag", "x", "--tag=y",
                 "--project", "p q")
    assert run.status == 0, run.err
    found = team.api.json("/api/v1/runs", params={"model": "by client"})["items"]
    assert [(item["branch"], item["commit"], item["tags"], item["project"]) for item in found] == [("b/1", "c0ffee", ["x", "y"], "p q")]


def test_the_client_sends_again_what_a_busy_server_wants_later(team, submit):
    class Busy(http.server.BaseHTTPRequestHandler):
        """Refuses the first dump, as a full queue does; then it is the service."""
        sizes = []

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.sizes.append(len(body))
            if len(self.sizes) == 1:
                self.answer(503, b'{"code": "OPC-5006", "detail": "others wait"}', ("Retry-After", "1"))
            else:
                reply = requests.post(team.url + self.path, data=body, timeout=60)
                self.answer(reply.status_code, reply.content)

        def do_GET(self):
            self.answer(200, requests.get(team.url + self.path, timeout=60).content)

        def answer(self, status, body, *headers):
            self.send_response(status)
            for name, value in (*headers, ("Content-Length", str(len(body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Busy)
    server.url = "http://127.0.0.1:%d" % server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    run = submit(server, str(SMALL), "-t", TARGET)
    server.shutdown()
    assert run.status == 0, run.err
    assert Busy.sizes == [SMALL.stat().st_size] * 2


# --- every address at once


def test_no_address_shows_one_project_what_another_one_has(fresh):
    """Every described address, asked by one project with the ids and words of another one: none of its texts comes back."""
    daemon = fresh()
    vision, audio = (token(daemon, "admin", name) for name in ("vision", "audio"))
    overload = FIXTURES / "eras" / "2.9-overload.log"
    mine = send(daemon.api, overload, headers=vision, name="geheim.log", model="geheim-model", branch="geheim-branch", tag="geheim-tag",
                commit="geheim-commit")
    job = daemon.api.post("/api/v1/assessments?wait=0&name=geheim2.log", data=SMALL.read_bytes(), headers=vision).json()["id"]
    values = {"id": mine["id"], "run": mine["run"]["id"], "job": job, "model": "geheim-model", "name": "aten%3A%3Aadd", "code": "OPC-3005", "project": "vision", "token": "0" * 12}
    words = {"model": "geheim-model", "branch": "geheim-branch", "tag": "geheim-tag", "q": "geheim", "a": mine["id"], "b": mine["id"]}
    accepted = "# geheim-waiver\n[waiver w]\nop = aten::mm\nreason = known\n"
    empty = daemon.api.get("/api/v1/projects/vision/waivers", headers=vision).headers["ETag"]
    assert daemon.api.put("/api/v1/projects/vision/waivers", data=accepted, headers={**vision, "If-Match": empty}).status_code == 200
    secrets = ["geheim-waiver", "geheim.log", "geheim-model", "geheim-branch", "geheim-tag", "geheim-commit", mine["run"]["id"], mine["id"]]
    asked = 0
    for path, item in daemon.api.description["paths"].items():
        captures = set(re.findall(r"{\w+}", path))
        for method in item.keys() & {"get", "put", "patch", "delete"} | ({"post"} & item.keys() if captures else set()):
            named = {p["name"] for p in map(daemon.api.resolved, item[method].get("parameters", [])) if p["in"] == "query"}
            for query in ({}, {name: words[name] for name in named & words.keys()}, {"kept": "true"} if "kept" in named else {}):
                for begin in (64, 12):
                    address = re.sub(r"{(\w+)}", lambda m: values[m.group(1)][:begin], path)
                    form = {"files": {"name": (None, "stolen")}} if method == "post" and path != "/api/v1/runs/{run}/judgement" else {}
                    reply = daemon.api.request(method.upper(), address, params=query, headers=audio, **form)
                    leaks = [text for text in secrets if text not in query.values() and text not in address and text in reply.text]
                    assert leaks == [], (method, address, query)
                    assert reply.status_code < 500
                    if {"{id}", "{run}", "{job}", "{model}", "{project}"} & captures:
                        assert reply.status_code in (400, 403, 404), (method, address, query)
                    asked += 1
    assert asked > 100
    assert daemon.api.json("/api/v1/runs", headers=vision)["items"][-1]["id"] == mine["run"]["id"]  # and nothing of it is changed
    assert daemon.api.get(mine["links"]["report"] + ".html", headers=vision).status_code == 200


# --- opcheck runs, fleet, demand


@pytest.fixture
def listed():
    """`opcheck runs` and the like, asked of a service."""
    def run(command, url, *args, **variables):
        return Run([program("opcheck", "OPCHECK"), command, "--server", url, *args], env=environment(**variables))

    return run


def table(run):
    assert run.status == 0, run.err
    return list(csv.DictReader(run.text.splitlines()))


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """A service of its own with runs of three models, one of them with operators that block it."""
    daemon = begin(tmp_path_factory.mktemp("fleet") / "state")
    overload = FIXTURES / "eras" / "2.9-overload.log"
    daemon.runs = [send(daemon.api, dump, **words)["run"]["id"] for dump, words in (
        (SMALL, {"model": "llama", "branch": "main", "commit": "c0", "tag": ["b", "a"], "project": "p"}),
        (SMALL, {"model": "llama", "branch": "topic/1"}),
        (overload, {"model": "bert, large", "branch": "main", "target": [TARGET, "musa@v2.7.1"]}),
        (overload, {"model": "=gpt"}))]
    yield daemon
    daemon.stop()


@pytest.mark.parametrize("args, wanted", [
    ([], [3, 2, 1, 0]), (["--model", "llama"], [1, 0]), (["--branch=main"], [2, 0]), (["--tag", "a"], [0]), (["--project", "p"], [0]),
    (["--verdict", "blocked"], [3, 2]), (["--search", "RGE"], [2]), (["--limit", "2"], [3, 2]), (["--model", "llama", "--branch", "none"], []),
    (["--sort", "created_at"], [0, 1, 2, 3]), (["--sort=-model"], [1, 0, 2, 3]),
])
def test_runs_are_listed_by_their_words(fleet, listed, args, wanted):
    assert [row["run"] for row in table(listed("runs", fleet.url, "-f", "csv", *args))] == [fleet.runs[i] for i in wanted]


@pytest.mark.parametrize("command, args", [
    ("fleet", {"project": "p"}), ("fleet", {"model": "llama"}), ("fleet", {"branch": "topic/1"}), ("fleet", {"target": "musa@v2.7.1"}),
    ("fleet", {"verdict": "blocked"}), ("fleet", {"search": "RGE"}), ("demand", {"project": "p"}), ("demand", {"target": "musa@v2.7.1"}),
])
def test_the_fleet_and_the_demand_are_chosen_as_the_service_does(fleet, listed, command, args):
    (name, value), = args.items()
    run, whole = listed(command, fleet.url, "-f", "json", "--" + name, value), fleet.api.json("/api/v1/" + command)["items"]
    wanted = fleet.api.json("/api/v1/" + command, params={"q" if name == "search" else name: value})["items"]
    assert run.status == 0 and run.json["items"] == wanted != whole


def test_a_list_is_the_same_in_every_format(fleet, listed):
    for command, words in (("runs", fleet.runs), ("fleet", ["llama", "topic/1", "musa@v2.7.1"]), ("demand", [TARGET])):
        for form in ("text", "csv", "md", "html", "json"):
            run = listed(command, fleet.url, "-f", form)
            assert run.status == 0 and not run.err and all(word in run.text for word in words), (command, form, run.text)
        assert listed(command, fleet.url, "-f", "json").json == {"items": fleet.api.json("/api/v1/" + command)["items"], "more": False}


@pytest.mark.parametrize("command, wanted", [
    ("runs", "run created_at verdict model branch"), ("fleet", "model branch target verdict readiness_lo"),
    ("demand", "target status runs models mean_time_share operator"),
])
def test_text_shows_the_columns_that_fit_a_terminal(fleet, listed, command, wanted):
    assert listed(command, fleet.url).text.splitlines()[0].split() == wanted.split()


def test_a_row_has_what_its_item_has(fleet, listed):
    oldest, gpt = table(listed("runs", fleet.url, "-f", "csv"))[::-3]
    assert (oldest["model"], oldest["commit"], oldest["tags"], oldest["project"], oldest["name"]) == ("llama", "c0", "a b", "p", SMALL.name)
    assert gpt["model"] == "'=gpt"  # no formula of a spreadsheet
    cells = [(row["model"], row["branch"], row["target"], row["verdict"], row["readiness_lo"])
             for row in table(listed("fleet", fleet.url, "-f", "csv"))]
    wanted = [(item["model"], item["branch"], cell["id"], cell["verdict"], "%g" % cell["readiness"]["lo"])
              for item in fleet.api.json("/api/v1/fleet")["items"] for cell in item["targets"]]
    assert [(model.lstrip("'"), *rest, "%g" % float(ready)) for model, *rest, ready in cells] == wanted and len(wanted) == 5
    for row, item in zip(table(listed("demand", fleet.url, "-f", "csv")), fleet.api.json("/api/v1/demand")["items"], strict=True):
        assert [row[key] for key in ("target", "operator", "status", "runs")] == [str(item[key]) for key in ("target", "operator", "status", "runs")]


@pytest.mark.parametrize("command, args, count", [("runs", ["--limit", "3"], 3), ("fleet", ["--limit=1"], 1), ("demand", ["--limit", "1"], 1)])
def test_a_list_that_is_cut_says_so(fleet, listed, command, args, count):
    run = listed(command, fleet.url, "-f", "json", *args, OPCHECK_LIMIT="groups=9")  # that are other limits
    assert run.status == 0 and run.json["more"] and len(run.json["items"]) == count
    assert "%d listed, there are more" % count in run.err


def pages(ask, wrong=None):
    """A service of a thousand pages of one item each, whose cursors are texts; wrong: what it answers in place of a page."""
    class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
            at = int(query.get("cursor", "at\n0").split("\n")[1])
            page = {"items": [{"id": "run%d" % at, "model": "\u202e\u001b[2J"}], "next_cursor": "at\n%d" % (at + 1) if at < 999 else None}
            body = json.dumps(page).encode() if wrong is None else wrong
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        return ask("http://127.0.0.1:%d" % server.server_port)
    finally:
        server.shutdown()
        server.server_close()


def test_every_page_of_a_list_is_read(listed):
    run = pages(lambda url: listed("runs", url, "-f", "csv", "--limit", "10000"))
    assert [row["run"] for row in table(run)] == ["run%d" % i for i in range(1000)] and not run.err
    run = pages(lambda url: listed("runs", url, "--limit", "7"))
    assert len(run.text.splitlines()) == 8 and "there are more" in run.err
    assert "\x1b" not in run.text and "\u202e" not in run.text


@pytest.mark.parametrize("wrong", [b"", b"[]", b"{", b'{"items": {}}', b'{"items": [{"id": "\xff"}]}', b"<html>"])
def test_what_is_no_list_is_no_answer_of_the_service(listed, wrong):
    run = pages(lambda url: listed("runs", url), wrong)
    assert run.status == 5 and not run.out and "not as opcheckd does" in run.err


@pytest.mark.parametrize("wrong", [b'{"items": []}', b'{"items": [], "next_cursor": "again"}', b'{"items": [3, null, {"tags": [1], "id": {}}]}'])
def test_a_list_with_odd_items_ends(listed, wrong):
    for command in ("runs", "fleet", "demand"):
        assert pages(lambda url: listed(command, url, "-f", "md"), wrong).status == 0


@pytest.mark.parametrize("args, status, word", [
    (["--limit", "0"], 2, "'0' is not a value of --limit"), (["--limit=x"], 2, "--limit"), (["--limit=10001"], 2, "10000"),
    (["--verdict", "fine"], 2, "no verdict 'fine'"), (["--search", "ab"], 2, "letters"), (["extra"], 2, "extra"),
    (["--token-file", "/nowhere"], 3, "token"), (["--server", "http://127.0.0.1:1"], 5, "check the address"), (["--server", "nowhere"], 2, "not the address"),
])
def test_a_list_that_cannot_be_had_says_why(fleet, listed, args, status, word):
    run = listed("runs", fleet.url, *args)
    assert run.status == status and word in run.err and not run.out, run.err


def test_a_list_stays_inside_the_project_of_its_token(fresh, listed, tmp_path):
    daemon = fresh()
    vision, audio = (token(daemon, "submit", name) for name in ("vision", "audio"))
    send(daemon.api, FIXTURES / "eras" / "2.9-overload.log", headers=vision, model="vit", branch="main")
    for headers, count in ((vision, 1), (audio, 0)):
        (tmp_path / "token").write_text(headers["Authorization"].split()[1] + "\n", encoding="ascii")
        for command in ("runs", "fleet", "demand"):
            run = listed(command, daemon.url, "--token-file", tmp_path / "token", "-f", "json")
            assert run.status == 0 and bool(run.json["items"]) == bool(count), (command, run.text)
        assert listed("runs", daemon.url, "--project", "vision", "--token-file", tmp_path / "token").status == (0 if count else 5)
