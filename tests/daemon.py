"""opcheckd for tests: started on a free port with a state directory of its own, stopped by its process id.

A pytest plugin: the suites of the service run with -p daemon.
"""
import collections
import contextlib
import functools
import json
import os
import random
import re
import signal
import socket
import sqlite3
import string
import subprocess
import sys
import time

import jsonschema
import pytest
import requests

import behind_nginx
from conftest import FIXTURES, Run, environment, program

DUMP = FIXTURES / "torch-2.13" / "lastbatch.a-full.log"
SMALL = FIXTURES / "torch-1.13" / "transformer.a.log"
LONG_NAMES = ["npu::" + "".join(random.Random(n).choices(string.ascii_lowercase, k=n)) for n in (20, 507, 508, 3000, 7000)] + [
    "npu::" + "a" * 6000 + last for last in "bc"]  # operators that torch_musa lacks; the second one has 512 bytes
REPLICAS = int(os.environ.get("OPCHECK_REPLICAS", "0"))
SERVICES = REPLICAS or 1  # that give a caller their part of its rate

class Daemon:
    """One running opcheckd. stop() and kill() wait for its end."""

    def __init__(self, state, *args, prefix=(), env=None, db=None):
        self.state = state
        self.log_path = state.parent / (state.name + ".log")
        self.args = [*prefix, program("opcheckd", "OPCHECKD"), "--listen", "127.0.0.1:0", "--state-dir", str(state),
                     "--limit", "job-seconds=600", "--limit", "job-attempts=100", *args]  # jobs stand still in tests, on loaded machines, and are killed
        if db:
            self.args += ["--db", str(db)]
        self.env = environment(**(env or {}))
        self.start()

    def start(self):
        self.log = open(self.log_path, "ab")
        self.process = subprocess.Popen(self.args, stdout=subprocess.PIPE, stderr=self.log, env=self.env)
        line = self.process.stdout.readline().decode()
        match = re.fullmatch(r"opcheckd: listening on (http://127\.0\.0\.1:(\d+))\n", line)
        assert match, "opcheckd did not start: %r %s" % (line, self.errors())
        self.url, self.port = match.group(1), int(match.group(2))
        self.api = Api(self.url)

    @property
    def each(self):
        """The processes that it is."""
        return [self]

    @property
    def place(self):
        """What its commands are given."""
        return "--state-dir", str(self.state)

    def alone(self):
        """For what is about one process: over several services it is left out before it begins."""
        return self.process.pid

    def sql(self, text):
        """Runs a statement on the store, which both databases must know: rows of texts."""
        with contextlib.closing(sqlite3.connect(self.state / "store.sqlite")) as store, store:
            return [[str(value) for value in row] for row in store.execute(text)]

    def dumps(self):
        """The names of the dumps that it holds."""
        return [path.name for path in (self.state / "dumps").iterdir()]

    def take(self, *args):
        """Starts with these words, too, from its next start on."""
        self.args += args

    @property
    def lives(self):
        return self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=60):
        status = self.process.wait(timeout)
        self.process.stdout.close()
        self.log.close()
        return status

    def kill(self):
        self.signal(signal.SIGKILL)
        self.wait()

    def stop(self):
        """Ends it as a service manager does; what sanitizers found is a failure."""
        self.signal(signal.SIGTERM)
        status = self.wait()
        log = self.errors()
        assert "Sanitizer" not in log and "runtime error" not in log, log
        assert status == 0, log
        return log

    def errors(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def restart(self):
        self.start()


@functools.lru_cache
def description_of(text):
    """The description, what leads to its parts, and (pattern, item) of each path. All services of a run have the same text."""
    description = json.loads(text)
    paths = [(re.compile("".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]+\})", path))), item)
             for path, item in description["paths"].items()]
    return description, jsonschema.RefResolver.from_schema(description), paths


class Api(requests.Session):
    """Requests to the service. Every reply is held against the service's own description."""

    def __init__(self, url):
        super().__init__()
        self.trust_env = False
        self.url = url
        text = requests.Session.request(self, "GET", url + "/openapi.json", timeout=60).content.decode()  # to guess an encoding takes longer than a start
        self.description, self.resolver, self.paths = description_of(text)

    def request(self, method, path, **options):
        options.setdefault("timeout", 120)
        options.setdefault("allow_redirects", False)
        reply = super().request(method, self.url + path, **options)
        reply.encoding = reply.encoding or "utf-8"
        self.check(method, path.split("?")[0], reply)
        return reply

    def submit(self, data, **parameters):
        return self.post("/api/v1/assessments", params=parameters, data=data)

    def submit_with(self, headers, data=b"no dump"):
        return self.post("/api/v1/assessments", data=data, headers=headers)

    def json(self, path, **options):
        reply = self.get(path, **options)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def validate(self, value, schema):
        jsonschema.Draft202012Validator(schema, resolver=self.resolver).validate(value)

    def resolved(self, item):
        while "$ref" in item:
            at = self.description
            for key in item["$ref"].split("/")[1:]:
                at = at[key]
            item = at
        return item

    def check(self, method, path, reply):
        if REPLICAS and reply.status_code == 400 and "X-Request-Id" not in reply.headers:
            pytest.skip("nginx refuses it by itself")
        assert re.fullmatch("[0-9a-f]{16}", reply.headers.get("X-Request-Id", "")), (reply.status_code, reply.text[:200])
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        media_type = reply.headers.get("Content-Type", "").split(";")[0]
        if media_type == "text/html":
            assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
            assert reply.headers["Referrer-Policy"] == "no-referrer"
        if reply.status_code >= 400:
            assert media_type in ("application/problem+json", "text/html"), reply.text
        if media_type == "application/problem+json" and method != "HEAD":
            self.check_problem(reply)
        item = next((item for pattern, item in self.paths if pattern.fullmatch(path)), None)
        if item and method.lower() in item:
            self.check_described(item[method.lower()], reply, media_type)

    def check_problem(self, reply):
        problem = reply.json()
        self.validate(problem, {"$ref": "#/components/schemas/Problem"})
        assert problem["status"] == reply.status_code
        assert problem["type"].endswith(problem["code"])
        assert problem["request_id"] == reply.headers["X-Request-Id"]

    def check_described(self, operation, reply, media_type):
        responses = operation["responses"]
        status = str(reply.status_code)
        assert status in responses, "%s is not described" % status
        content = self.resolved(responses[status]).get("content", {})
        if reply.status_code < 400 and reply.content:
            assert media_type in content, "%s with %s is not described" % (media_type, status)
        if media_type in ("application/json", "text/plain") and media_type in content and reply.content:
            value = reply.json() if media_type == "application/json" else reply.text
            self.validate(value, content[media_type]["schema"])


def wait_until(condition, seconds=60, every=0.02):
    """every: seconds between two looks, more of them for what stays as it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(every)
    return False


def nothing_left(daemon):
    """Where another service did the job, it may free its copy behind the answer."""
    def is_empty():
        return not any((daemon.state / "incoming").iterdir())
    return wait_until(is_empty) if REPLICAS else is_empty()


def metrics(*daemons):
    """What they count together."""
    values = collections.Counter()
    for daemon in daemons:
        reply = daemon.api.get("/metrics")
        assert reply.status_code == 200, reply.text
        for line in reply.text.splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                values[name] += float(value)
    return values


def raw(daemon, data, parts=()):
    """Sends bytes as they are and returns all that comes back."""
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=60) as connection:
        answer = b""
        try:
            connection.sendall(data)
            for part in parts:
                connection.sendall(part)
        except OSError:
            pass
        try:
            while chunk := connection.recv(65536):
                answer += chunk
        except ConnectionResetError:
            pass
        return answer


def trace_of(names):
    """A trace that calls each of these operators once."""
    return json.dumps({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": name, "ts": 1000 * at, "dur": 500, "pid": 1, "tid": 1}
                                       for at, name in enumerate(names)]})


# --- fixtures: one service for all tests that only use it, and fresh ones for those that break it


def begin(state, /, *args, **options):
    """One service; with OPCHECK_REPLICAS so many on one database behind nginx."""
    if REPLICAS and not behind_nginx.has_programs():
        pytest.skip("nginx or PostgreSQL is not installed")
    if not REPLICAS:
        return Daemon(options.pop("state", state), *args, **options)
    if "prefix" in options:
        pytest.skip("it runs one process in surroundings of its own")
    return behind_nginx.Site(sys.modules[__name__], REPLICAS, options.pop("state", state), *args, **options)


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    daemon = begin(tmp_path_factory.mktemp("service") / "state")
    yield daemon
    daemon.stop()


@pytest.fixture
def fresh(tmp_path):
    """Starts services of the test's own; they are stopped behind it unless it ended them itself."""
    started = []

    def start(*args, **options):
        daemon = begin(tmp_path / ("state%d" % len(started)), *args, **options)
        started.append(daemon)
        return daemon

    yield start
    for daemon in started:
        if daemon.lives:
            daemon.stop()


@pytest.fixture
def submit():
    """`opcheck submit` to a service."""
    path = program("opcheck", "OPCHECK")

    def run(daemon, *args, **options):
        return Run([path, "submit", *args, "--server", daemon.url], env=environment(), **options)

    return run


@pytest.fixture
def curl():
    def run(*args, **options):
        return subprocess.run(["curl", "-sS", *map(str, args)], capture_output=True, timeout=120, **options)

    return run
