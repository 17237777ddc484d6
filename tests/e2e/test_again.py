"""Runs judged again when facts changed: on request, and by the service itself for the newest of each model and branch."""
import concurrent.futures
import contextlib
import os
import re
import signal

import pytest

from daemon import SMALL, wait_until
from test_access import OUTSIDE, add, log_in, session_of
from test_jobs import spawner
from test_runs import token
from test_site_facts import COLUMNS, MM

TARGET = "musa@v2.7.1"


@pytest.fixture
def site(fresh, tmp_path):
    """A service with facts of its site, which change() changes."""
    path = tmp_path / "site.tsv"
    path.write_text(COLUMNS + MM, encoding="utf-8")
    daemon = fresh("--overlay", str(path))
    daemon.path = path
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
    key = {"Idempotency-Key": "again"}
    same = again(site.api, first["run"], headers=key)
    assert (same.status_code, same.json()["id"]) == (200, first["id"]) and "run" not in same.json()
    site.change()
    assert again(site.api, first["run"], headers=key).content == same.content  # a key keeps its answer
    reply = again(site.api, first["run"])
    assert reply.status_code == 201
    second = reply.json()
    assert {**second["options"], "asked": None} == {**first["options"], "asked": None} and second["name"] == "a.log"
    run = site.api.json(second["run"]["links"]["self"])
    assert (run["branch"], run["commit"], run["tags"]) == ("main", "c0", ["a", "b", "judged-again"])
    gates = [record["targets"][0]["gate"] for record in (first, second)]
    assert gates == ["failed", "passed"]
    changes = site.api.json(second["run"]["links"]["changes"])
    change = next(item for item in changes["operators"] if item["name"] == "aten::mm")["statuses"][0]
    assert (change["before"], change["after"]) == ("unsupported", "cpu-fallback")
    facts = [change["facts"][side] for side in ("before", "after")]
    assert [fact["status"] for fact in facts] == ["unsupported", "cpu-fallback"]
    assert all("site.tsv:2" in fact["via"] for fact in facts) and facts[0]["via"] != facts[1]["via"]
    page = site.api.get(second["run"]["links"]["changes_page"]).text
    assert "Changed verdicts of the same dump" in page and "before: overlay site.tsv:2" in page
    assert site.api.json("/api/v1/runs")["total"] == 2


def test_a_run_that_is_judged_again_and_again_keeps_its_tags(site):
    tags = ["t%02d" % at for at in range(15)]
    run = send(site.api, tag=tags)["run"]
    for facts in (MM.replace("unsupported", "cpu-fallback"), MM.replace("unsupported", "composite")):
        site.path.write_text(COLUMNS + facts, encoding="utf-8")
        run = again(site.api, run).json()["run"]
        assert run["tags"] == ["judged-again", *tags]


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
        for one in site.each:
            one.api.patch(none["run"]["links"]["self"], params={"kept": "true"})  # the service looks after each change
        found[:] = site.api.json("/api/v1/runs", params={"tag": "judged-again"})["items"]
        return len(found) == 2

    assert wait_until(all_judged, 120, every=0.2)
    assert {(run["model"], run["name"]) for run in found} == {("llama", "newer.log"), ("bert", "bert.log")}
    assert {run["assessment"] for run in found} & {record["id"] for record in (old, new, other, none)} == set()
    cells = [item["targets"][0]["run"] for item in site.api.json("/api/v1/fleet")["items"]]
    assert sorted(cells) == sorted(run["id"] for run in found)


WAIVER = "[waiver w]\nop = aten::mm\nreason = known\n"


def waived(api, record):
    return sorted({item["operator"] for item in api.json(record["links"]["report"] + ".json")["waived"]})


def test_waivers_that_came_with_a_dump_count_again(site):
    files = [("file", ("a.log", SMALL.read_bytes())), ("waivers", ("w.txt", WAIVER))]
    first = site.api.post("/api/v1/assessments", data={"target": TARGET}, files=files).json()
    site.change()
    second = again(site.api, first["run"]).json()
    assert waived(site.api, first) and waived(site.api, second) == waived(site.api, first)
    assert second["options"]["waivers"] == first["options"]["waivers"] and second["id"] != first["id"]


def test_what_a_project_has_accepted_counts_for_its_later_runs(site):
    path = "/api/v1/projects/vision/waivers"
    none = site.api.get(path)
    assert (none.status_code, none.text) == (200, "")
    before, other = send(site.api, project="vision"), send(site.api, project="audio", name="b.log")
    for status, code, headers in ((428, "OPC-2022", {}), (412, "OPC-2021", {"If-Match": '"other"'})):
        reply = site.api.put(path, data=WAIVER, headers=headers)
        assert (reply.status_code, reply.json()["code"]) == (status, code)
    changed = site.api.put(path, data=WAIVER, headers={"If-Match": none.headers["ETag"]})
    assert (changed.status_code, changed.text) == (200, WAIVER) and changed.headers["ETag"] != none.headers["ETag"]
    assert site.api.put(path, data="", headers={"If-Match": none.headers["ETag"]}).status_code == 412
    assert site.api.get(path, headers={"If-None-Match": changed.headers["ETag"]}).status_code == 304
    after = send(site.api, project="vision")
    assert waived(site.api, before) == [] and waived(site.api, after) == ["aten::mm"]
    assert after["options"]["waivers"] == [{"name": "project.waivers", "sha256": changed.headers["ETag"].strip('"'), "project": True}]
    assert send_status(site.api, project="audio", name="b.log") == (200, other["id"])
    site.change()
    assert waived(site.api, again(site.api, before["run"]).json()) == ["aten::mm"]
    project = site.api.json("/api/v1/projects/vision")
    assert project["runs"] == 3 and project["waivers"]["bytes"] == len(WAIVER) and project["newest_run"]["tags"] == ["judged-again"]
    assert site.api.get("/api/v1/projects/none").status_code == 404
    assert wait_until(lambda: ("PUT /api/v1/projects/{project}/waivers", "vision", 200) in
                      [(item["action"], item["subject"], item["status"]) for item in site.api.json("/api/v1/audit")["items"]], 30)


@pytest.mark.parametrize("text, status", [("[waiver w]\n", 400), (b"\xff", 422), (b"a\0b", 400), ("#" * 2_000_000, 413)], ids=["cut", "bytes", "nul", "long"])
def test_waivers_of_a_project_that_are_none_are_refused(site, text, status):
    path = "/api/v1/projects/vision/waivers"
    reply = site.api.put(path, data=text, headers={"If-Match": "*"})
    assert reply.status_code == status, reply.text
    assert site.api.get(path).text == ""
    packed = site.api.put(path, data=text, headers={"If-Match": "*", "Content-Encoding": "gzip"})
    assert packed.status_code == 415


def send_status(api, **words):
    reply = api.post("/api/v1/assessments", params={"target": TARGET, "name": "a.log", **words}, data=SMALL.read_bytes())
    return reply.status_code, reply.json()["id"]


def test_what_cannot_be_judged_again_is_refused(site):
    waived = send(site.api)
    assert again(site.api, waived["run"], data=b"a dump").json()["code"] == "OPC-2002"
    assert again(site.api, {"id": "0" * 16}).status_code == 404


def test_a_run_of_another_project_is_not_judged(site):
    vision, audio, reader = token(site, "submit", "vision"), token(site, "submit", "audio"), token(site, "read", "vision")
    run = send(site.api, headers=vision)["run"]
    assert again(site.api, run, headers=audio).status_code == 404
    assert again(site.api, run, headers=reader).status_code == 403
    site.change()
    second = again(site.api, run, headers=vision).json()
    assert site.api.json(second["run"]["links"]["self"], headers=vision)["project"] == "vision"


def waits_for_a_job(daemon):
    fds = "/proc/%d/fd/" % daemon.process.pid
    with contextlib.suppress(FileNotFoundError):
        return any(os.readlink(fds + fd).startswith("/memfd:opcheckd ") for fd in os.listdir(fds))
    return False


def test_advice_by_facts_that_change_before_its_job_starts_is_refused_and_not_kept(site):
    where = send(site.api)["links"]["self"] + "/advice"
    assert wait_until(lambda: not waits_for_a_job(site))
    before = site.path.read_bytes()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        os.kill(spawner(site), signal.SIGSTOP)
        answer = pool.submit(site.api.get, where)
        assert wait_until(lambda: waits_for_a_job(site))
        site.change()
        os.kill(spawner(site), signal.SIGCONT)
        reply = answer.result()
    assert (reply.status_code, reply.json()["code"]) == (503, "OPC-5006") and reply.headers["Retry-After"]
    after = site.api.get(where)
    site.path.write_bytes(before)
    first = site.api.get(where)
    assert after.status_code == first.status_code == 200
    assert after.text != first.text and after.headers["ETag"] != first.headers["ETag"]


def test_an_open_question_is_answered_by_a_button_of_the_runs_page(fresh):
    """Without a script: the page's form and the button's value make a new run, whose page the browser is led to."""
    daemon = fresh()
    page = {**OUTSIDE, "Accept": "text/html"}
    event = '{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "ts": 0, "dur": 5, "tid": 1, "pid": 1, "args": {"Input Dims": [[4]]}}'
    sent = daemon.api.submit(('{"traceEvents": [%s]}' % event).encode(), name="relu.json", target="npu@v2.7.1-26.0.0:910A").json()
    reader = {**page, "Authorization": "Bearer " + add(daemon, "read")}
    assert "answer" not in daemon.api.get("/runs/" + sent["run"]["id"], headers=reader).text
    page["Cookie"] = session_of(log_in(daemon, add(daemon, "submit"), OUTSIDE))
    shown = daemon.api.get("/runs/%s?lang=en" % sent["run"]["id"], headers=page).text
    assert "Do you run in bf16?" in shown and "<h2>Questions</h2>" in shown
    buttons = re.findall(r'<button type="submit"[^>]*form="answer" name="dtype" value="([^"]*)">([^<]*)<', shown)
    assert buttons == [("fp32,bf16", "Yes, bf16"), ("fp32", "No, fp32 alone")]
    form = shown[shown.index('<form id="answer"'):]
    action, csrf = re.search('action="([^"]*)"', form)[1].replace("&amp;", "&"), re.search('name="csrf" value="([^"]*)"', form)[1]
    assert daemon.api.post(action, files={"dtype": (None, "fp32")}, headers=page).status_code == 403
    verdicts = {}
    for value, _ in buttons:
        reply = daemon.api.post(action, files={"csrf": (None, csrf), "dtype": (None, value)}, headers=page)
        assert reply.status_code == 303, reply.text
        led = reply.headers["Location"]
        assert led.startswith("/runs/") and led.endswith("?lang=en") and sent["run"]["id"] not in led
        run = daemon.api.json("/api/v1" + led.split("?")[0])
        record = daemon.api.json("/api/v1/assessments/" + run["assessment"])
        verdicts[value] = record["targets"][0]["verdict"]
        assert record["options"]["dtype"] == value.split(",") and run["tags"] == ["judged-again"]
        assert 'form="answer"' not in daemon.api.get(led, headers=page).text
    assert verdicts == {"fp32,bf16": "inconclusive", "fp32": "ready-with-warnings"}
    refused = daemon.api.post("/api/v1/runs/%s/judgement" % sent["run"]["id"], params={"dtype": "fp7"})
    assert refused.status_code == 400 and "fp7" in refused.json()["detail"]
