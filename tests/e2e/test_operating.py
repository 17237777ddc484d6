"""What an operator does with a running service: backups, retention, limits of tokens, the audit log, new settings."""
import concurrent.futures
import os
import re
import signal
import threading

import pytest
import requests

from conftest import FIXTURES, Run, environment, program
from daemon import SERVICES, SMALL, Daemon, wait_until
from test_durability import check_state
from test_jobs import bomb, bombs, jobs, starts

ASSESSMENTS = "/api/v1/assessments"
OUTSIDE = {"X-Forwarded-For": "192.0.2.7"}


def opcheckd(*args, **env):
    return Run([program("opcheckd", "OPCHECKD"), *map(str, args)], env=environment(**env))


def backup(daemon, to):
    assert (daemon.state / "store.sqlite").exists()
    return opcheckd("backup", "--state-dir", daemon.state, to)


def token(daemon, scope, *args):
    run = opcheckd("token", "add", *daemon.place, "--scope", scope, *args)
    assert run.status == 0, run.err
    return {"Authorization": "Bearer " + run.text.strip(), **OUTSIDE}


def kept(daemon):
    return daemon.api.json(ASSESSMENTS)["total"]


# --- backup


def test_a_backup_of_a_running_service_is_a_state_directory(fresh, tmp_path):
    """Uploads go on meanwhile, and some are removed: the copy is of one moment and whole."""
    daemon, ends = fresh(), threading.Event()
    before = [daemon.api.submit(SMALL.read_bytes() + b"\n%d\n" % n, name="%d.log" % n).json() for n in range(5)]
    headers = token(daemon, "read")

    def change():
        number = 100
        while not ends.is_set():
            number += 1
            record = daemon.api.submit(SMALL.read_bytes() + b"\n%d\n" % number, name="x.log").json()
            if number % 2:
                assert daemon.api.delete(record["links"]["self"]).status_code == 204

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        changes = pool.submit(change)
        try:
            runs = [backup(daemon, tmp_path / ("backup%d" % n)) for n in range(3)]
        finally:
            ends.set()
        changes.result()
    for number, run in enumerate(runs):
        assert run.status == 0, run.err
        restored = Daemon(tmp_path / ("backup%d" % number))
        pairs = [(record, restored.api.get(record["links"]["report"] + ".json").content) for record in before]
        rows = check_state(restored, pairs)
        assert re.search(r": (\d+) assessments, (\d+) dumps", run.text).groups() == (str(rows), str(rows))
        assert restored.api.get("/api/v1/version", headers=headers).status_code == 200
        assert restored.api.submit(SMALL.read_bytes(), name="new.log").status_code == 201
        restored.stop()


def test_a_backup_takes_what_waits_too(fresh, tmp_path):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0")
    long = (FIXTURES / "torch-2.13" / "lastbatch.a-full.log").read_bytes() * 20
    job = daemon.api.post(ASSESSMENTS, params={"wait": "0"}, data=long).json()
    assert backup(daemon, tmp_path / "backup").status == 0
    restored = Daemon(tmp_path / "backup")
    assert wait_until(lambda: restored.api.json(job["links"]["self"])["status"] == "succeeded")
    restored.stop()


@pytest.mark.parametrize("spoil, code", [
    (lambda state, to: to.mkdir() or (to / "file").touch(), "OPC-2008"),
    (lambda state, to: next((state / "dumps").iterdir()).write_bytes(b"other"), "OPC-5010"),
    (lambda state, to: next((state / "dumps").iterdir()).unlink(), "OPC-5004")], ids=["not empty", "damaged", "missing"])
def test_what_is_no_backup_says_so(fresh, tmp_path, spoil, code):
    daemon = fresh()
    daemon.api.submit(SMALL.read_bytes())
    spoil(daemon.state, tmp_path / "backup")
    run = backup(daemon, tmp_path / "backup")
    assert run.status != 0 and code in run.err
    assert not (tmp_path / "backup" / "store.sqlite").exists()


# --- retention


def test_the_oldest_go_and_kept_ones_stay(fresh):
    daemon = fresh()
    records = [daemon.api.submit(SMALL.read_bytes() + b"\n%d\n" % n, name="%d.log" % n).json() for n in range(5)]
    assert daemon.api.patch(records[0]["links"]["self"] + "?kept=true").status_code == 204
    daemon.stop()
    daemon.take("--limit", "project-assessments=2")
    daemon.restart()
    assert wait_until(lambda: kept(daemon) == 3)
    left = [daemon.api.get(record["links"]["self"]).status_code for record in records]
    assert left == [200, 404, 404, 200, 200]
    assert len(daemon.dumps()) == 3
    assert "retention removed 2 assessments" in daemon.errors()


def test_an_old_one_goes_by_its_age(fresh):
    daemon = fresh()
    daemon.api.submit(SMALL.read_bytes())
    daemon.stop()
    daemon.sql("UPDATE run SET created_at = '2001-01-01T00:00:00Z'")
    daemon.take("--limit", "keep-days=3650")
    daemon.restart()
    assert wait_until(lambda: kept(daemon) == 0)
    assert not daemon.dumps()


def test_keeping_and_removing_want_a_right_and_something_there(fresh):
    daemon = fresh()
    record = daemon.api.submit(SMALL.read_bytes()).json()
    path = record["links"]["self"]
    reader, sender, admin = (token(daemon, scope) for scope in ("read", "submit", "admin"))
    assert daemon.api.patch(path + "?kept=true", headers=reader).status_code == 403
    assert daemon.api.patch(path + "?kept=true", headers=sender).status_code == 204
    assert daemon.api.patch(path + "?kept=perhaps", headers=sender).status_code == 400
    assert daemon.api.delete(path, headers=sender).status_code == 403
    assert daemon.api.delete(path, headers=admin).status_code == 204
    assert daemon.api.delete(path, headers=admin).status_code == 404
    assert daemon.api.patch(path + "?kept=true", headers=admin).status_code == 404
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 201


# --- limits of a token


def test_a_token_may_have_limits_of_its_own(fresh):
    daemon = fresh("--limit", "minute-requests=%d" % (5 * SERVICES))
    wide, narrow = (token(daemon, "read", "--requests", str(most * SERVICES)) for most in (20, 2))
    asked = {name: [daemon.api.get("/api/v1/targets", headers=headers) for _ in range(7 * SERVICES)]
             for name, headers in (("wide", wide), ("narrow", narrow), ("usual", token(daemon, "read")))}
    assert {name: [r.status_code for r in replies].count(200) for name, replies in asked.items()} == {
        "wide": 7 * SERVICES, "narrow": 2 * SERVICES, "usual": 5 * SERVICES}
    assert asked["wide"][0].headers["RateLimit-Policy"] == '"default";q=20;w=60'
    few = token(daemon, "submit", "--bytes", "%dK" % SERVICES)
    sent = [daemon.api.post(ASSESSMENTS, data=SMALL.read_bytes(), headers=few).status_code for _ in range(2 * SERVICES)]
    assert sent == [201] + [200] * (SERVICES - 1) + [429] * SERVICES
    assert opcheckd("token", "add", *daemon.place, "--scope", "read", "--jobs", "x").status == 2


def test_a_caller_has_so_many_jobs_and_others_their_own(fresh):
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "caller-jobs=2")
    standing = set()
    for number in range(SERVICES):  # each stands before the next is sent, so that every service has one
        daemon.api.post(ASSESSMENTS, params={"wait": "0"}, data=bomb(1024))  # this machine is not counted
        assert wait_until(lambda: {job for one in daemon.each for job in jobs(one)} - standing)
        standing |= {job for one in daemon.each for job in jobs(one)}
        for job in standing:
            os.kill(job, signal.SIGSTOP)
        assert len(standing) == number + 1

    def send(headers, number):
        return daemon.api.post(ASSESSMENTS, params={"wait": "0"}, data=SMALL.read_bytes() + b"%d\n" % number, headers=headers)

    one, other, more = token(daemon, "submit"), token(daemon, "submit"), token(daemon, "submit", "--jobs", "3")
    assert [send(one, n).status_code for n in range(3)] == [202, 202, 429]
    refused = send(one, 3)
    assert refused.json()["code"] == "OPC-5011" and int(refused.headers["Retry-After"]) > 0
    assert send(other, 4).status_code == 202
    assert [send(more, n).status_code for n in range(5, 9)] == [202, 202, 202, 429]


def test_who_sends_many_does_not_keep_another_waiting(fresh):
    """One place, and turns by caller. Their starts are held: a job frees its place before one of several threads keeps its result."""
    daemon = fresh("--limit", "jobs=1", "--limit", "small-bytes=0")
    first, *contents = bombs(7)
    tickets = {"first": daemon.api.post(ASSESSMENTS, params={"wait": "0"}, data=first).json()["links"]["self"]}
    assert wait_until(lambda: jobs(daemon))
    os.kill(jobs(daemon)[0], signal.SIGSTOP)
    one, other = token(daemon, "submit"), token(daemon, "submit")
    for number, (content, headers) in enumerate(zip(contents, (one, one, one, one, other, other))):
        reply = daemon.api.post(ASSESSMENTS, params={"wait": "0"}, data=content, headers=headers)
        assert reply.status_code == 202
        tickets[number] = reply.json()["links"]["self"]
    assert starts(daemon, tickets) == ["first", 0, 4, 1, 5, 2, 3]


# --- the audit log


def entries(daemon, **options):
    return daemon.api.json("/api/v1/audit", **options)["items"]


def test_the_audit_log_says_who_did_what_from_where(fresh):
    daemon = fresh("--trusted-proxy", "127.0.0.1")
    headers = token(daemon, "submit", "--name", "ci")
    secret = headers["Authorization"].split("_")[-1]
    name = "token " + headers["Authorization"].split("_")[1]
    record = daemon.api.post(ASSESSMENTS, data=SMALL.read_bytes(), headers=headers).json()
    refused = daemon.api.delete(record["links"]["self"], headers=headers)
    assert refused.status_code == 403
    assert daemon.api.get(ASSESSMENTS, headers={**OUTSIDE, "Authorization": "Bearer opc_x_y"}).status_code == 401
    assert daemon.api.get(ASSESSMENTS, headers=headers).status_code == 200  # reading is in the log alone
    assert wait_until(lambda: len(entries(daemon)) == 4)
    told = [(e["who"], e["address"], e["action"], e["subject"], e["status"]) for e in entries(daemon)]
    assert told[3][2:] == ("token add", name.split()[1], 0) and told[3][0].startswith("system user ")
    if SERVICES > 1:  # each writes down its own, within a second
        told[:3] = sorted(told[:3], key=lambda entry: "" if entry[2] == "GET -" else entry[2])
    assert told[0] == ("anonymous", "192.0.2.7", "GET -", "", 401)
    assert told[1] == (name, "192.0.2.7", "DELETE /api/v1/assessments/{id}", record["id"], 403)
    assert told[2] == (name, "192.0.2.7", "POST /api/v1/assessments", record["id"], 201)
    assert [e["request_id"] for e in entries(daemon) if e["status"] == 403] == [refused.headers["X-Request-Id"]]
    page = daemon.api.json("/api/v1/audit?limit=3")
    assert [e["status"] for e in entries(daemon, params={"cursor": page["next_cursor"]})] == [0]
    assert daemon.api.get("/api/v1/audit", headers=headers).status_code == 403
    tables = daemon.sql("SELECT * FROM token") + daemon.sql("SELECT * FROM audit")
    log = daemon.stop()
    assert secret not in log + str(tables)
    for path in daemon.state.rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes()


# --- settings


VARIABLES = {
    "OPCHECKD_LISTEN": ("nowhere", "OPC-2003"), "OPCHECKD_THREADS": ("0", "OPC-2009"), "OPCHECKD_INSECURE": ("yes", "OPC-2009"),
    "OPCHECKD_TRUSTED_PROXY": ("10.0.0.0/8,x", "OPC-2009"), "OPCHECKD_ANONYMOUS": ("write", "OPC-2009"),
    "OPCHECKD_PROXY_USERS": ("write", "OPC-2009"), "OPCHECKD_LIMIT": ("jobs=1,upload-bytes=x", "OPC-2009"),
    "OPCHECKD_CONFIG": ("/nowhere.conf", "OPC-2009")}


@pytest.mark.parametrize("name", VARIABLES)
def test_every_setting_has_a_variable(tmp_path, name):
    value, code = VARIABLES[name]
    args = ["--check-config"] if code == "OPC-2009" else []
    run = opcheckd("--state-dir", tmp_path / "state", *args, **{name: value})
    assert run.status != 0 and code in run.err


def test_options_win_over_variables_and_those_over_files(fresh, tmp_path):
    path = tmp_path / "opcheckd.conf"
    path.write_text("[limits]\njobs = 3\njob-queue = 3\ncaller-jobs = 3\n[access]\nhost = file.example\n")
    daemon = fresh("--config", str(path), "--limit", "caller-jobs=5",
                   env={"OPCHECKD_LIMIT": "job-queue=4,caller-jobs=4", "OPCHECKD_HOST": "one.example,two.example"})
    limits = daemon.api.json("/api/v1/version")["limits"]
    assert (limits["jobs"], limits["job_queue"], limits["caller_jobs"]) == (3, 4, 5)
    for host, status in (("one.example", 200), ("two.example", 200), ("file.example", 421)):
        assert daemon.api.get("/healthz", headers={"Host": host}).status_code == status


def test_hangup_takes_new_limits_and_names_what_waits_for_a_start(fresh, tmp_path):
    path = tmp_path / "opcheckd.conf"
    path.write_text("")
    daemon = fresh("--config", str(path))
    usual = daemon.api.json("/api/v1/version")["limits"]
    path.write_text("threads = 9\n[limits]\nminute-requests = 7\nupload-bytes = 1K\nconnections = 100\nline-bytes = 1000\n")
    daemon.signal(signal.SIGHUP)
    assert wait_until(lambda: daemon.errors().count("read the settings again") == SERVICES)
    assert daemon.api.json("/api/v1/version")["limits"] == {**usual, "minute_requests": 7, "upload_bytes": 1024}
    for name in ("threads", "connections", "line-bytes"):
        assert "the new %s counts from the next start" % name in daemon.errors()
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 413
    path.write_text("[limits]\nupload-bytes = x\n")
    daemon.signal(signal.SIGHUP)
    assert wait_until(lambda: "OPC-2009" in daemon.errors())
    assert daemon.api.json("/api/v1/version")["limits"]["upload_bytes"] == 1024


# --- descriptors run out


def test_descriptors_that_run_out_cost_nothing_but_time(fresh):
    daemon = fresh("--limit", "connections=64", "--limit", "header-seconds=2")
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()
    report = daemon.api.get(record["links"]["report"] + ".json").content
    daemon.stop()
    daemon.args = ["prlimit", "--nofile=60", *daemon.args]
    daemon.restart()
    sessions = [requests.Session() for _ in range(6)]  # they keep their connections

    def ask(number):
        try:
            return (sessions[number] if number < len(sessions) else requests).post(daemon.url + ASSESSMENTS, params={"name": "%d.log" % number}, timeout=60,
                                         data=SMALL.read_bytes() + b"\n%d\n" % number)
        except requests.RequestException:
            return None

    with concurrent.futures.ThreadPoolExecutor(60) as pool:
        replies = [r for r in pool.map(ask, range(60)) if r is not None]
    for session in sessions:
        session.close()
    answered = [r.json() for r in replies if r.status_code == 201]
    assert 503 in {r.status_code for r in replies} <= {201, 500, 503}
    assert wait_until(lambda: daemon.api.get("/readyz").status_code == 200)
    assert daemon.api.get(record["links"]["report"] + ".json").content == report
    pairs = [(r, daemon.api.get(r["links"]["report"] + ".json").content) for r in answered]
    assert check_state(daemon, pairs) >= 1 + len(answered)
