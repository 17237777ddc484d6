"""Everything at once for some seconds: threads of the service share what they may and nothing else.

Of most use on a build with -Db_sanitize=thread, where stop() fails for a race: `sh deploy/longtest.sh races`.
"""
import concurrent.futures
import os
import random
import signal
import subprocess

from daemon import DUMP, SMALL

ROUNDS = int(os.environ.get("OPCHECK_TOGETHER_ROUNDS", "6"))
PATHS = ("/", "/targets", "/operators", "/operators/aten::add", "/compare", "/metrics", "/readyz", "/api/v1/assessments?limit=3", "/api/v1/targets",
         "/api/v1/operators?q=conv", "/api/v1/version", "/openapi.json", "/help", "/nothing/here")


class Client:
    """What one client does, in an order of its own."""

    def __init__(self, daemon, number):
        self.daemon, self.chance, self.number = daemon, random.Random(number), number

    def upload(self):
        """A dump that another client may be sending, too, with the same key; then views that nobody has seen before."""
        shared = self.chance.randrange(4)
        reply = self.daemon.api.post("/api/v1/assessments", params={"name": "%d.log" % shared}, data=SMALL.read_bytes() + b"\n%d" % shared,
                                     headers={"Idempotency-Key": "key-%d" % shared})
        if reply.status_code in (404, 409):  # removed since, or on its way
            return
        assert reply.status_code in (200, 201), reply.text
        links = reply.json()["links"]
        for path in [links["report"] + suffix for suffix in (".csv", ".html", ".txt?lang=zh-CN")] + [links["page"]]:
            assert self.daemon.api.get(path, headers={"Accept-Encoding": self.chance.choice(("gzip", "identity"))}).status_code in (200, 404)

    def later(self):
        reply = self.daemon.api.post("/api/v1/assessments", params={"wait": "0", "name": "%d-%d.log" % (self.number, self.chance.random() * 1e6)},
                                     data=DUMP.read_bytes() + b"\n%d" % self.chance.randrange(1 << 30))
        if reply.status_code == 202 and self.chance.random() < 0.7:
            job = reply.json()["links"]["self"]
            assert self.daemon.api.delete(job).status_code == 200
            assert self.daemon.api.get(job).status_code == 200

    def read(self):
        for path in self.chance.sample(PATHS, 5):
            assert self.daemon.api.get(path).status_code == (404 if path == "/nothing/here" else 200)

    def change(self):
        items = self.daemon.api.json("/api/v1/assessments")["items"]
        if len(items) > 1:
            first, second = self.chance.sample(items, 2)
            assert self.daemon.api.patch(first["links"]["self"], params={"kept": "true"}).status_code in (204, 404)
            assert self.daemon.api.get("/api/v1/compare", params={"a": first["id"], "b": second["id"]}).status_code in (200, 404)
            assert self.daemon.api.delete(second["links"]["self"]).status_code in (204, 404)

    def reload(self):
        self.daemon.signal(signal.SIGHUP)
        subprocess.run([self.daemon.args[0], "token", "add", "--state-dir", str(self.daemon.state), "--scope", "read"], env=self.daemon.env,
                       capture_output=True, check=True)

    def run(self):
        for _ in range(ROUNDS):
            for act in self.chance.sample((self.upload, self.later, self.read, self.change, self.reload), 5):
                act()


def test_everything_at_once_goes_well(fresh):
    daemon = fresh("--threads", "4", "--limit", "cache-bytes=200K", "--limit", "minute-requests=1000000")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(Client(daemon, number).run) for number in range(8)]:
            done.result()
    daemon.signal(signal.SIGHUP)
    assert daemon.api.get("/healthz").status_code == 200
