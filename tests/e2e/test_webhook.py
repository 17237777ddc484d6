"""The webhook: each run is told to an address of the operator's, signed, again until it is taken, and to no private address unless
that is allowed."""
import hashlib
import hmac
import http.server
import json
import re
import threading
import time

import pytest

from daemon import SERVICES, SMALL, wait_until
from test_operating import opcheckd

KEY = "a key of the operator's"
READY = "name,dtype,calls\naten::relu,float,9\n"
BLOCKED = "name,dtype,calls\naten::no_such_operator,float,9\n"


class Receiver(http.server.ThreadingHTTPServer):
    """Notes what it is sent, and answers with the statuses it is given, then with 204."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.taken, self.answers = [], []
        self.url = "http://127.0.0.1:%d/hook" % self.server_port

    def events(self):
        return [json.loads(body)["event"] for _, body in self.taken]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.taken.append((self.headers, body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


@pytest.fixture
def receiver():
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def hooked(fresh, receiver, tmp_path):
    def start(*args, url=receiver.url):
        (tmp_path / "key").write_text(KEY + "\n", encoding="utf-8")
        return fresh("--webhook", url, "--webhook-secret", tmp_path / "key", "--limit", "webhook-pause=1", *args)

    return start


def submit(daemon, content, **words):
    reply = daemon.api.post("/api/v1/assessments", params={"name": "a.log", **words}, data=content)
    assert reply.status_code in (200, 201), reply.text
    return reply.json()["run"]["id"]


def test_a_run_is_told_with_a_signature(hooked, receiver):
    daemon = hooked("--webhook-private")
    run = submit(daemon, SMALL.read_bytes(), model="llama", branch="main")
    assert wait_until(lambda: receiver.taken)
    headers, body = receiver.taken[0]
    value = json.loads(body)
    daemon.api.validate(value, {"$ref": "#/components/schemas/RunEvent"})
    assert value == {"event": "run.finished", "run": daemon.api.json("/api/v1/runs/" + run), "before": None, "captures_differ": False, "compared": False}
    seconds, signature = re.fullmatch("t=([0-9]+),v1=([0-9a-f]{64})", headers["Opcheck-Signature"]).groups()
    assert signature == hmac.new(KEY.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert abs(time.time() - int(seconds)) < 300
    assert headers["Content-Type"] == "application/json"
    assert (headers["Opcheck-Event"], headers["Opcheck-Delivery"]) == ("run.finished", run)
    again = submit(daemon, SMALL.read_bytes(), model="llama", branch="main")  # the same dump: a run all the same
    assert wait_until(lambda: len(receiver.taken) == 2)
    value = json.loads(receiver.taken[1][1])
    assert (value["event"], value["run"]["id"], value["before"]["id"], value["compared"]) == ("run.finished", again, run, True)
    assert "error" not in daemon.stop()


def test_a_run_that_is_worse_than_the_one_before_is_a_regression(hooked, receiver):
    daemon = hooked("--webhook-private", "--webhook-events", "regressed")
    submit(daemon, READY, model="llama", branch="main")
    submit(daemon, BLOCKED, model="bert", branch="main")
    submit(daemon, BLOCKED, model="llama", branch="topic")
    submit(daemon, BLOCKED)  # of no model
    worse = submit(daemon, BLOCKED, model="llama", branch="main")
    submit(daemon, READY, model="llama", branch="main")  # and better again
    last = submit(daemon, BLOCKED, model="llama", branch="main")
    assert wait_until(lambda: len(receiver.taken) >= 2)
    assert receiver.events() == ["run.regressed"] * 2
    assert [json.loads(body)["run"]["id"] for _, body in receiver.taken] == [worse, last]


def test_a_worse_run_whose_capture_differs_is_no_regression(hooked, receiver):
    daemon = hooked("--webhook-private")
    submit(daemon, SMALL.read_bytes(), model="llama", branch="main")
    submit(daemon, BLOCKED, model="llama", branch="main")  # calls, not time
    assert wait_until(lambda: len(receiver.taken) == 2)
    assert receiver.events() == ["run.finished"] * 2
    assert [json.loads(body)["captures_differ"] for _, body in receiver.taken] == [False, True]


def test_a_run_that_does_not_compare_is_posted_among_regressions(hooked, receiver):
    """Its verdict may be worse: another basis, then no target in common; the last two compare."""
    daemon = hooked("--webhook-private", "--webhook-events", "regressed")
    submit(daemon, SMALL.read_bytes(), model="llama", target="npu@2.7.1")
    differs = submit(daemon, READY, model="llama", target="npu@2.7.1")
    elsewhere = submit(daemon, READY, model="llama", target="npu@2.6.0")
    submit(daemon, READY, model="llama", target="npu@2.6.0")
    worse = submit(daemon, BLOCKED, model="llama", target="npu@2.6.0")
    assert wait_until(lambda: len(receiver.taken) >= 3)
    bodies = [json.loads(body) for _, body in receiver.taken]
    assert [(b["run"]["id"], b["event"], b["captures_differ"], b["compared"]) for b in bodies] == [
        (differs, "run.finished", True, False), (elsewhere, "run.finished", False, False), (worse, "run.regressed", False, True)]
    daemon.api.validate(bodies[0], {"$ref": "#/components/schemas/RunEvent"})


def test_what_is_not_taken_is_sent_again_also_after_a_restart(hooked, receiver):
    daemon = hooked("--webhook-private")
    receiver.answers = [500, 302]
    run = submit(daemon, SMALL.read_bytes())
    assert wait_until(lambda: len(receiver.taken) == 3)  # a redirect is no way to be taken
    assert {headers["Opcheck-Delivery"] for headers, _ in receiver.taken} == {run}
    assert "attempt 1: the webhook answered with 500" in daemon.errors()
    assert "attempt 2: the webhook answered with 302" in daemon.errors()
    receiver.answers = [503]
    other = submit(daemon, SMALL.read_bytes())
    assert wait_until(lambda: len(receiver.taken) == 4)
    daemon.kill()
    daemon.restart()
    assert wait_until(lambda: len(receiver.taken) >= 5)
    assert receiver.taken[-1][0]["Opcheck-Delivery"] == other


def test_what_is_never_taken_is_given_up(hooked, receiver):
    daemon = hooked("--webhook-private", "--limit", "webhook-attempts=2")
    receiver.answers = [500] * 9
    submit(daemon, SMALL.read_bytes())
    assert wait_until(lambda: "attempt 2, the last: the webhook answered with 500" in daemon.errors())
    assert len(receiver.taken) == 2
    receiver.answers = []
    submit(daemon, SMALL.read_bytes())
    assert wait_until(lambda: len(receiver.taken) == 3)


def test_a_private_address_is_not_asked(hooked, receiver):
    hosts = ("127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "192.168.1.1", "[fd00::1]", "0.0.0.0", "[::ffff:127.0.0.1]",
             "0x7f000001", "[64:ff9b::7f00:1]", "100.127.255.254", "172.31.255.254", "198.19.255.254")
    together = len(hosts) // SERVICES  # one database has connections for so many
    for at in range(0, len(hosts), together):
        daemons = {host: hooked("--limit", "webhook-attempts=1", url="http://%s:%d/hook" % (host, receiver.server_port)) for host in hosts[at:at + together]}
        for daemon in daemons.values():
            submit(daemon, BLOCKED)
        for host, daemon in daemons.items():
            assert wait_until(lambda: "the last: the webhook" in daemon.errors()), host
            assert "the webhook has a private address" in daemon.errors() and not receiver.taken, host
            daemon.stop()


def test_a_service_ends_while_nobody_answers_its_webhook(hooked, receiver, monkeypatch):
    asked, ended = threading.Event(), threading.Event()

    def hang(handler):
        asked.set()
        ended.wait(60)

    monkeypatch.setattr(Handler, "do_POST", hang)
    daemon = hooked("--webhook-private", "--limit", "webhook-seconds=300")
    submit(daemon, SMALL.read_bytes())
    assert asked.wait(60)
    daemon.stop()
    ended.set()


@pytest.mark.parametrize("args, word", ((["--webhook", "ftp://example.org"], "not the address of a webhook"), (["--webhook", "http://example.org"],
                         "needs a key"), (["--webhook", "http://example.org", "--webhook-secret", "/nowhere"], "cannot read"),
                         (["--webhook", "http://example.org", "--webhook-secret", "KEY", "--webhook-events", "all"], "not an event")))
def test_mistakes_are_found_before_it_starts(tmp_path, args, word):
    (tmp_path / "key").write_text(KEY, encoding="utf-8")
    run = opcheckd("--check-config", "--state-dir", tmp_path / "state", *(str(tmp_path / "key") if arg == "KEY" else arg for arg in args))
    assert run.status == 2 and word in run.err


def test_without_a_webhook_nothing_waits_for_one(fresh, receiver):
    daemon = fresh()
    submit(daemon, SMALL.read_bytes())
    assert daemon.sql("SELECT count(*) FROM delivery") == [["0"]]
