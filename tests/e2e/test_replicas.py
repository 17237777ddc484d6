"""Several services on one PostgreSQL: jobs done once by whichever claims them, whatever ends; what one keeps, the others show."""
import collections
import concurrent.futures
import contextlib
import http.server
import json
import os
import random
import signal
import socket
import threading
import time

import pytest
import requests

import cluster
from conftest import ROOT, Run, environment, program
from daemon import SMALL, Daemon, wait_until
from test_jobs import bomb, jobs, short_rows, spawner
from test_proxies import find, free_port, listens, started
from test_runs import all_pages
from test_site_facts import COLUMNS, MM

pytestmark = pytest.mark.skipif(cluster.programs() is None, reason="PostgreSQL is not installed")
KILLS = int(os.environ.get("OPCHECK_REPLICA_KILLS", "10"))  # deploy/longtest.sh asks for more
KINDS = ("service", "starter", "job", "database") if "OPCHECK_REPLICA_KILLS" in os.environ else ("service",)
PAUSE = 0 if "OPCHECK_REPLICA_KILLS" in os.environ else 0.2  # of a client in seconds
KILLED = "OPC-5007"  # the process of the job was
SHORT = "--limit", "lease-seconds=2"


@pytest.fixture(scope="module")
def two(database, tmp_path_factory):
    """Both do everything; they share the directory of dumps."""
    state, url = tmp_path_factory.mktemp("two") / "state", database.create("two")
    replicas = [Daemon(state, "--store", url, *SHORT) for _ in range(2)]
    yield replicas
    for replica in replicas:
        replica.stop()


@pytest.fixture
def start(database, tmp_path, request):
    """Services on a database of the test's own."""
    url, started = database.create(request.node.name.replace("test_", "")[:50].lower()), []

    def run(*args, **options):
        started.append(Daemon(tmp_path / "state", "--store", url, *SHORT, *args, **options))
        return started[-1]

    yield run
    for replica in started:
        if replica.process.poll() is None:
            replica.signal(signal.SIGCONT)  # a failed test may leave it standing
            replica.stop()


def send(replica, content=None, headers=None, **words):
    return replica.api.post("/api/v1/assessments", params={"name": "a.log", **words}, data=content or SMALL.read_bytes(), headers=headers)


def names(replica):
    return sorted(item["name"] for item in replica.api.json("/api/v1/runs")["items"])


def status(replica, job):
    return replica.api.json("/api/v1/jobs/" + job["id"])["status"]


def hold_job(*replicas):
    """The one of them that does a job, which stands still from now on: looked for and stopped in one go, before it ends."""
    held = []

    def holds():
        for replica in replicas:
            for process in jobs(replica)[:1]:
                os.kill(process, signal.SIGSTOP)
                held.append(replica)
        return held

    assert wait_until(holds)
    return held[0]


def long_job(replica, other, content=None):
    """A job that runs in one of them and stands still: the job, the one that has it, and the other."""
    job = send(replica, content or bomb(256), wait="0", name="long.log").json()
    worker = hold_job(replica, other)
    return job, worker, other if worker is replica else replica


def test_what_one_keeps_changes_and_removes_the_other_shows(two):
    first, second = two
    run = send(first, name="seen.log", model="llama").json()["run"]
    home = second.api.get("/", headers={"Accept": "text/html"}).text
    assert "seen.log" in names(second) and "seen.log" in home
    assert first.api.patch(run["links"]["self"], params={"name": "renamed.log"}).status_code == 204
    assert wait_until(lambda: "renamed.log" in second.api.get("/", headers={"Accept": "text/html"}).text)
    assert "renamed.log" in names(second)
    assert second.api.delete(run["links"]["self"]).status_code == 204
    assert "renamed.log" not in names(first) and wait_until(lambda: "renamed.log" not in first.api.get("/", headers={"Accept": "text/html"}).text)


def test_requests_with_one_key_to_both_make_one_run(two):
    content = SMALL.read_bytes() + b"\n\n"

    def ask(replica):
        reply = send(replica, content, {"Idempotency-Key": "once"}, name="once.log")
        while reply.status_code == 409:
            time.sleep(0.05)
            reply = send(replica, content, {"Idempotency-Key": "once"}, name="once.log")
        return reply.json()["run"]["id"]

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(ask, two * 3))) == 1
    assert names(two[0]).count("once.log") == 1


def test_equal_dumps_sent_to_both_are_one_assessment(two):
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        sent = list(pool.map(lambda at: send(two[at % 2], SMALL.read_bytes() + b"\n\n\n", name="equal.log"), range(6)))
    assert {reply.status_code for reply in sent} <= {200, 201} and len({reply.json()["id"] for reply in sent}) == 1
    assert names(two[1]).count("equal.log") == 6


def test_a_job_is_seen_and_cancelled_from_either(two):
    for at in range(2):
        job, worker, other = long_job(*two)
        assert wait_until(lambda: status(other, job) == status(worker, job) == "running")
        assert wait_until(lambda: other.api.json("/api/v1/jobs/" + job["id"])["progress"])
        assert "long.log" in other.api.get("/queue", headers={"Accept": "text/html"}).text
        reply = (other, worker)[at].api.delete("/api/v1/jobs/" + job["id"])
        assert reply.json()["status"] == "cancelled" and wait_until(lambda: not jobs(worker))
        assert status(worker, job) == status(other, job) == "cancelled"
    assert "long.log" not in names(two[0])


def test_a_client_hears_why_its_dump_is_refused_and_one_that_leaves_ends_its_job(two):
    reply = send(two[0], b"no dump at all")
    assert (reply.status_code, reply.json()["code"]) == (422, "OPC-3005")
    content = bomb(256)
    with socket.create_connection(("127.0.0.1", two[0].port)) as client:
        client.sendall(b"POST /api/v1/assessments?name=left.log HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(content) + content)
        assert wait_until(lambda: jobs(two[0]) or jobs(two[1]))
        os.kill((jobs(two[0]) or jobs(two[1]))[0], signal.SIGSTOP)
    assert wait_until(lambda: not jobs(two[0]) and not jobs(two[1]))
    assert wait_until(lambda: "left.log" not in two[1].api.get("/queue", headers={"Accept": "text/html"}).text)
    assert "left.log" not in names(two[1])


def test_retention_goes_on_without_a_service_that_died(start):
    leader, other = (start("--limit", "project-assessments=1") for _ in range(2))
    for at in range(3):
        send(other, SMALL.read_bytes() + b"\n%d\n" % at, name="%d.log" % at)
    assert len(names(other)) == 3
    leader.kill()

    def swept():
        other.api.patch("/api/v1/runs/" + other.api.json("/api/v1/runs")["items"][0]["id"], params={"tag": "wakes"})
        return names(other) == ["2.log"]

    assert wait_until(swept, every=0.2)


def test_every_model_is_judged_again_when_the_facts_of_all_have_changed(start, tmp_path):
    path = tmp_path / "site.tsv"
    path.write_text(COLUMNS + MM, encoding="utf-8")
    replicas = [start("--overlay", path) for _ in range(2)]
    for model in ("bert", "llama", "vit"):
        assert send(replicas[0], model=model, target="musa@v2.7.1").status_code in (200, 201)
    path.write_text(COLUMNS + MM.replace("unsupported", "cpu-fallback"), encoding="utf-8")

    def judged():
        for replica in replicas:  # each looks after a change
            replica.api.patch("/api/v1/runs/" + replica.api.json("/api/v1/runs")["items"][-1]["id"], params={"kept": "true"})
        return sorted(run["model"] for run in replicas[1].api.json("/api/v1/runs?tag=judged-again")["items"]) == ["bert", "llama", "vit"]

    assert wait_until(judged, 120, every=0.2)


def test_a_rate_is_divided_by_the_number_of_services(two):
    token = Run([program("opcheckd", "OPCHECKD"), "token", "add", "--scope", "read", "--requests", "100", "--state-dir", str(two[0].state),
                 "--store", two[0].args[two[0].args.index("--store") + 1]], env=environment()).text.strip()
    for replica in two:
        reply = replica.api.get("/api/v1/runs", headers={"Authorization": "Bearer " + token, "X-Forwarded-For": "192.0.2.1"})
        assert reply.headers["RateLimit-Policy"].endswith('q=50;w=60')


def test_a_job_of_a_killed_worker_is_done_once_by_the_other(start):
    job, worker, other = long_job(start(), start())
    worker.kill()
    assert wait_until(lambda: status(other, job) == "succeeded", 120, every=0.1)
    assert names(other) == ["long.log"]


def test_a_job_that_ends_its_services_ends(start):
    """Each one that begins it dies; the third reads other dumps instead."""
    first, second = (start("--limit", "job-attempts=2") for _ in range(2))
    job, worker, other = long_job(first, second, short_rows(1024))  # the second may begin it while the first is being killed
    worker.kill()
    hold_job(other).kill()
    third = start("--limit", "job-attempts=2")
    assert wait_until(lambda: status(third, job) == "failed")
    assert "2 services ended while they did the job" in third.api.get("/api/v1/jobs/" + job["id"]).text
    assert send(third, name="next.log").status_code == 201 and names(third) == ["next.log"]


def test_a_worker_that_stood_still_keeps_nothing_when_another_has_its_job(start, database):
    """Its lease is over while its process sleeps: what it finds then is not kept a second time."""
    job, worker, other = long_job(start(), start())
    worker.signal(signal.SIGSTOP)
    assert wait_until(lambda: status(other, job) == "succeeded", 120, every=0.1)
    worker.signal(signal.SIGCONT)
    for process in jobs(worker):
        os.kill(process, signal.SIGCONT)
    assert wait_until(lambda: not jobs(worker), 120)
    assert names(other) == names(worker) == ["long.log"]


def test_web_services_queue_and_workers_do_the_jobs(start):
    web = start("--role", "web")
    waiting = send(web, wait="0", name="later.log").json()
    time.sleep(0.3)
    assert status(web, waiting) == "queued" and not jobs(web)
    worker = start("--role", "worker")
    assert wait_until(lambda: status(web, waiting) == "succeeded", every=0.1)
    assert send(web, name="now.log", content=SMALL.read_bytes() + b"\n").status_code == 201
    assert names(web) == ["later.log", "now.log"]
    refused = worker.api.get("/api/v1/runs")
    assert (refused.status_code, refused.json()["code"]) == (503, "OPC-5006")
    assert worker.api.get("/readyz").text == worker.api.get("/healthz").text == "ok\n"
    assert worker.api.get("/metrics").status_code == 200
    worker.stop()
    again = send(web, wait="0", name="after.log", content=SMALL.read_bytes() + b"\n\n").json()
    assert status(web, again) == "queued"


def test_a_role_needs_a_store_that_services_share(tmp_path):
    for role, said in (("web", "needs a store"), ("both", "not a role")):
        run = Run([program("opcheckd", "OPCHECKD"), "--state-dir", tmp_path, "--role", role], env=environment())
        assert run.status == 2 and said in run.err


def test_a_service_leaves_jobs_of_other_facts_and_says_so(start, database, tmp_path):
    (tmp_path / "own.tsv").write_text(COLUMNS + MM, encoding="utf-8")
    web = start("--role", "web")
    store = web.args[web.args.index("--store") + 1].rsplit("/", 1)[1]
    database.query("INSERT INTO opcheck.replica SELECT 'elsewhere', alive_until + 9999, facts, 1 FROM opcheck.replica", store)
    other = start("--role", "worker", "--overlay", tmp_path / "own.tsv")
    job = send(web, wait="0", name="facts.log").json()
    assert wait_until(lambda: "1 jobs wait for a service with other facts" in other.api.get("/readyz").text)
    assert "other facts" in other.errors() and status(web, job) == "queued"
    start("--role", "worker")
    assert wait_until(lambda: status(web, job) == "succeeded", every=0.1)
    assert wait_until(lambda: other.api.get("/readyz").text == "ok\n")


class Submits:
    """Clients that send keyed submits to services, each again until it is answered; the first of them does not wait for its jobs."""

    def __init__(self, replicas, clients=3):
        self.seed = random.randrange(1 << 30)
        self.chance, self.replicas, self.answers, self.refused, self.over = random.Random(self.seed), replicas, {}, 0, threading.Event()
        self.clients, self.pool = clients, concurrent.futures.ThreadPoolExecutor(clients)

    def client(self, which):
        number = 0
        while not self.over.is_set():
            number += 1
            name, content = "%d-%d.log" % (which, number), SMALL.read_bytes() + b"\n%d %d\n" % (which, number)
            while not self.send(name, content, {} if which else {"wait": "0"}):
                time.sleep(0.05)
            self.over.wait(PAUSE)

    def send(self, name, content, words):
        """Returns whether it was acknowledged."""
        try:
            reply = requests.post(self.chance.choice(self.replicas).url + "/api/v1/assessments", params={"name": name, **words}, data=content,
                                  headers={"Idempotency-Key": name}, timeout=120)
        except requests.ConnectionError:
            return False
        if reply.status_code in (200, 201, 202):
            self.answers[name] = reply.json()
            return True
        assert reply.status_code in (409, 503) and reply.headers["Retry-After"] or reply.json()["code"] == KILLED, (reply.text, self.seed)
        self.refused += 1
        return False

    def more(self, count=3):
        """Waits for so many further answers."""
        enough = len(self.answers) + count
        assert wait_until(lambda: len(self.answers) >= enough or any(run.done() for run in self.running), 120), self.seed

    def __enter__(self):
        self.running = [self.pool.submit(self.client, which) for which in range(self.clients)]
        return self

    def __exit__(self, *args):
        self.over.set()
        self.pool.shutdown()

    def is_over(self, job):
        """Not while a service has not found the database again: that is 503, as the client may try again."""
        reply = self.replicas[0].api.get("/api/v1/jobs/" + job["id"])
        assert reply.status_code == 200 or (reply.status_code == 503 and reply.headers["Retry-After"]), (reply.text, self.seed)
        return reply.status_code == 200 and reply.json()["status"] not in ("queued", "running")

    def failed(self):
        """Names of acknowledged jobs whose process was killed; the others are done."""
        found = []
        for name, answer in self.answers.items():
            if "status" in answer:
                assert wait_until(lambda: self.is_over(answer), 120), self.seed
                job = self.replicas[0].api.json("/api/v1/jobs/" + answer["id"])
                assert job["status"] == "succeeded" or job["problem"]["code"] == KILLED, (job, self.seed)
                found += [name] if job["status"] == "failed" else []
        return found

    def check(self, beside=(), killed=0):
        """What was acknowledged is there once, and nothing else but the runs of these names. killed: processes of jobs."""
        for run in self.running:
            run.result()
        failed = self.failed()
        assert len(failed) <= killed, (failed, self.seed)
        kept = [item["name"] for item in all_pages(self.replicas[-1].api, "/api/v1/runs?limit=1000")]
        print("%d submits answered, %d refused meanwhile, %d jobs killed, seed %d" % (len(self.answers), self.refused, len(failed), self.seed))
        assert sorted([*kept, *failed]) == sorted([*self.answers, *beside]), self.seed


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["run"]["name"])
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.end_headers()

    def log_message(self, *args):
        pass


@pytest.fixture
def receiver(tmp_path):
    """Hears of runs; hook: what a service is given for it; answers: statuses before it takes all."""
    (tmp_path / "key").write_text("a key\n", encoding="utf-8")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        server.heard, server.answers = [], []
        server.hook = "--webhook", "http://127.0.0.1:%d/" % server.server_port, "--webhook-secret", tmp_path / "key", "--webhook-private"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_webhook_hears_of_each_run_once(start, receiver):
    replicas = start(*receiver.hook), start(*receiver.hook)
    for number in range(8):
        send(replicas[number % 2], SMALL.read_bytes() + b"\n" * number, name="%d.log" % number)
    assert wait_until(lambda: len(receiver.heard) >= 8)
    time.sleep(1.5)  # a look of each
    assert sorted(receiver.heard) == ["%d.log" % number for number in range(8)]


@pytest.mark.skipif(not find("nginx"), reason="there is no nginx")
def test_services_are_renewed_behind_nginx_as_in_the_example_without_a_refused_request(start, started, tmp_path):
    ports = free_port(), free_port()
    replicas, front = [start("--listen", "127.0.0.1:%d" % port, "--trusted-proxy", "127.0.0.9") for port in ports], free_port()
    text = (ROOT / "deploy" / "proxy" / "replicas.conf").read_text(encoding="utf-8")
    for ours, theirs in zip(("8787", "8788"), ports):
        assert "127.0.0.1:%s" % ours in text
        text = text.replace(ours, str(theirs))
    paths = "".join("%s_temp_path %s/%s;" % (kind, tmp_path, kind) for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    server = ("server { listen 127.0.0.1:%d; location / { proxy_pass http://opcheckd; proxy_http_version 1.1; proxy_set_header Connection '';"
              " proxy_set_header Host localhost; } }" % front)
    (tmp_path / "nginx.conf").write_text("pid %s/pid;\nevents {}\nhttp {\naccess_log off;\n%s\n%s\n%s\n}\n" % (tmp_path, paths, text, server))
    started([find("nginx"), "-c", tmp_path / "nginx.conf", "-p", tmp_path, "-e", tmp_path / "error.log", "-g", "daemon off; user root;"])
    assert wait_until(lambda: listens(front), 20), (tmp_path / "error.log").read_text()
    over, sent, statuses = threading.Event(), [], set()

    def read():
        while not over.is_set():
            statuses.add(requests.get("http://127.0.0.1:%d/api/v1/runs" % front, timeout=60).status_code)

    def submit():
        while not over.is_set():
            name = "%d.log" % len(sent)
            reply = requests.post("http://127.0.0.1:%d/api/v1/assessments" % front, params={"name": name}, headers={"Idempotency-Key": name},
                                  data=SMALL.read_bytes() + b"\n" * len(sent), timeout=60)
            if reply.status_code in (200, 201):
                sent.append(name)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        clients = pool.submit(read), pool.submit(submit)
        for replica in replicas:
            time.sleep(0.5)
            replica.stop()
            replica.restart()
        time.sleep(0.5)
        over.set()
    for client in clients:
        client.result()
    assert statuses == {200} and sent and names(replicas[0]) == sorted(sent)


def test_the_unit_of_several_services_differs_by_its_port_alone():
    one, many = ((ROOT / "deploy" / name).read_text(encoding="utf-8").split("[Service]\nType")[1] for name in ("opcheckd.service.in", "opcheckd@.service.in"))
    assert many == one.replace("@bindir@/opcheckd\nExecReload", "@bindir@/opcheckd --listen 127.0.0.1:%i\nExecReload").replace(
        "StateDirectory=opcheck\n", "StateDirectory=opcheck-%i\n")


def test_nothing_acknowledged_is_lost_or_done_twice_whatever_is_killed(start, database):
    """Keyed submits to two services, while one of them is killed at random moments, its starter of jobs, a job, or the database."""
    killed = collections.Counter()
    with Submits([start(), start()]) as submits:
        for _ in range(KILLS):
            time.sleep(submits.chance.uniform(0.05, 0.6))
            victim, kind = submits.chance.choice(submits.replicas), submits.chance.choice(KINDS)
            killed[kind] += 1
            if kind == "database":
                database.kill()
                database.start()
            elif kind == "job":
                for process in jobs(victim)[:1]:
                    with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                        os.kill(process, signal.SIGKILL)
            else:
                os.kill(spawner(victim) if kind == "starter" else victim.process.pid, signal.SIGKILL)
                victim.wait()
                victim.restart()
    print(dict(killed))
    submits.check(killed=killed["job"] + killed["starter"])
