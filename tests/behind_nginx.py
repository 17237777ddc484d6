"""The service as several processes on one PostgreSQL behind nginx: what the fixtures of daemon.py start when OPCHECK_REPLICAS says how many."""
import atexit
import functools
import pathlib
import shutil
import socket
import subprocess
import time

import pytest

import cluster

HTTP = """pid %(folder)s/pid;
error_log %(folder)s/error.log;
events {}
http {
    access_log off;
    client_max_body_size 0;
    large_client_header_buffers 4 64k;
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_read_timeout 600s;
    %(paths)s
    upstream opcheckd {
        %(servers)s
    }
    server {
        listen 127.0.0.1:%(port)d;
        location / {
            proxy_pass http://opcheckd;
            proxy_http_version 1.1;
            proxy_set_header Connection '';
            proxy_set_header Host $http_host;
        }
    }
}
"""


NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")


def has_programs():
    return NGINX and cluster.programs()


@functools.lru_cache
def database():
    """One for the whole run; each site has tables of its own in it."""
    running = cluster.Cluster()
    atexit.register(running.remove)
    return running


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class State(type(pathlib.Path())):
    """The directory of all of them. It has no rows and no dumps."""

    def __truediv__(self, name):
        if name in ("store.sqlite", "dumps"):
            pytest.skip("it looks into the files of SQLite")
        return super().__truediv__(name)


class Site:
    """Has what a test asks of a Daemon, unless it is about one process."""
    made = 0

    def __init__(self, daemon, count, state, *args, **options):
        Site.made += 1
        self.make_api, self.state, self.folder = daemon.Api, State(state), state.parent / ("site%d-nginx" % Site.made)
        self.store = self.state.store = getattr(state, "store", None) or database().create("site%d" % Site.made)
        self.replicas = []
        try:
            for _ in range(count):
                self.replicas.append(daemon.Daemon(state, "--store", self.store, *args, **options))
            assert daemon.wait_until(lambda: all(map(self.sees_all, self.replicas)))
            self.start_nginx()
        except BaseException:
            for replica in self.replicas:
                replica.kill()
            raise

    def sees_all(self, replica):
        """Whether it counts all of them, which decides on its part of a rate."""
        reply = replica.api.get("/metrics")
        return reply.status_code == 401 or "\nopcheckd_services %d\n" % len(self.replicas) in reply.text

    def start_nginx(self):
        self.folder.mkdir(exist_ok=True)
        self.front = free_port()
        values = {"folder": self.folder, "port": self.front, "servers": " ".join("server 127.0.0.1:%d max_fails=0;" % r.port for r in self.replicas),
                  "paths": "".join("%s_temp_path %s/%s;" % (kind, self.folder, kind) for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))}
        (self.folder / "nginx.conf").write_text(HTTP % values, encoding="utf-8")
        self.nginx = subprocess.Popen([NGINX, "-c", self.folder / "nginx.conf", "-p", self.folder,
                                       "-e", self.folder / "error.log", "-g", "daemon off; user root;"])
        while not self.listens():
            assert self.nginx.poll() is None, (self.folder / "error.log").read_text(encoding="utf-8")
            time.sleep(0.02)
        self.url = "http://127.0.0.1:%d" % self.front
        self.api = self.make_api(self.url)

    def listens(self):
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.front)) == 0

    @property
    def each(self):
        return self.replicas

    @property
    def place(self):
        return "--state-dir", str(self.state), "--store", self.store

    def sql(self, text):
        lines = database().query("SET search_path = opcheck, public; " + text, self.store.rsplit("/", 1)[1])
        return [line.split("|") for line in lines.splitlines()]

    def dumps(self):
        return [name for name, in self.sql("SELECT sha256 FROM blob WHERE stored_at > 0 AND unused_at = 0")]

    def take(self, *args):
        for replica in self.replicas:
            replica.take(*args)

    @property
    def lives(self):
        return any(replica.process.poll() is None for replica in self.replicas)

    def alone(self):
        return self.process

    @property
    def process(self):
        return pytest.skip("it looks into one process")

    @property
    def port(self):
        return pytest.skip("it speaks to one process")

    @property
    def args(self):
        return pytest.skip("it changes the command of one process")

    env = log_path = log = args

    def signal(self, number):
        for replica in self.replicas:
            replica.signal(number)

    def wait(self, timeout=60):
        self.end_nginx()
        return max(abs(replica.wait(timeout)) for replica in self.replicas)

    def end_nginx(self):
        self.nginx.terminate()
        self.nginx.wait()

    def kill(self):
        self.end_nginx()
        for replica in self.replicas:
            replica.kill()

    def stop(self):
        self.end_nginx()
        return "".join(replica.stop() for replica in self.replicas)

    def errors(self):
        return self.replicas[0].errors()  # they share the file

    def restart(self):
        for replica in self.replicas:
            replica.restart()
        self.start_nginx()
