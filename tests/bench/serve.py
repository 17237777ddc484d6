#!/usr/bin/python3
"""Stored answers of the service against nginx with the same bytes; load.py has uploads, crowds and attacks.

	python3 tests/bench/serve.py BUILD_DIR [--runs N] [--seconds N] [--folder DIR]

Wants Debian's nginx and wrk. nginx has two workers and writes an access log; both serve 32 keep-alive connections of wrk and take
turns. Uploads arrive in an open loop: at set times, whether those before them are answered or not. Nothing here passes or fails.
"""
import argparse
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

from turns import ROOT

CONNECTIONS = 32
FORMATS = ("json", "html", "csv", "txt", "md", "sarif", "junit.xml", "codequality.json", "badge.json")
DUMP = ROOT / "tests" / "fixtures" / "torch-2.13" / "resnet50.a.log"

NGINX = """
worker_processes 2;
pid %(folder)s/pid;
error_log %(folder)s/error.log;
events { worker_connections 4096; }
http {
	types { application/json json; text/html html; text/csv csv; text/plain txt; text/markdown md; }
	access_log %(folder)s/access.log;
	client_body_temp_path %(folder)s; proxy_temp_path %(folder)s; fastcgi_temp_path %(folder)s;
	uwsgi_temp_path %(folder)s; scgi_temp_path %(folder)s;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000000;
	server {
		listen 127.0.0.1:%(port)d backlog=4096;
		root %(folder)s/root;
		gzip_static on;
	}
}
"""


# --- the two services


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def ended(process):
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


class Service:
    """opcheckd with a state directory of its own, its access log in a file."""

    def __init__(self, options, folder, *args):
        self.port = free_port()
        self.folder = folder
        with open(folder / "opcheckd.log", "ab") as log:
            self.process = subprocess.Popen(
                [options.build / "src" / "opcheckd", "--listen", "127.0.0.1:%d" % self.port, "--state-dir", folder / "state", *args],
                stdout=subprocess.PIPE, stderr=log, env=options.environment)
        self.process.stdout.readline()

    def request(self, method, path, body=None, headers=None, timeout=600):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()

    def submit(self, content, name):
        status, body = self.request("POST", "/api/v1/assessments?name=" + name, content)
        if status not in (200, 201):
            raise SystemExit("an upload was answered with %d: %s" % (status, body.decode()))
        return json.loads(body)["id"]

    def resident_mib(self, key="VmRSS"):
        status = pathlib.Path("/proc/%d/status" % self.process.pid).read_text(encoding="utf-8")
        return int(status.split(key + ":")[1].split()[0]) / 1024


@contextlib.contextmanager
def nginx(folder):
    port = free_port()
    (folder / "nginx.conf").write_text(NGINX % {"folder": folder, "port": port})
    with ended(subprocess.Popen([shutil.which("nginx", path="/usr/sbin:" + os.environ["PATH"]), "-p", folder,
                                 "-e", folder / "error.log", "-c", folder / "nginx.conf", "-g", "daemon off;"])) as process:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        yield port, process.pid


# --- stored answers


def processor_seconds(pid):
    """Of a process and those that it started and that still run."""
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text(encoding="utf-8").rsplit(") ", 1)[1].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    children = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)).read_text(encoding="utf-8").split()
    return own + sum(processor_seconds(int(child)) for child in children)


def wrk(url, coding, seconds, pid):
    """Requests a second, and microseconds of processor for each."""
    before = processor_seconds(pid)
    run = subprocess.run(["wrk", "-t1", "-c%d" % CONNECTIONS, "-d%ds" % seconds, "-H", "Accept-Encoding: " + coding, url],
                         capture_output=True, text=True, check=True)
    if "Non-2xx" in run.stdout or "Socket errors" in run.stdout:
        raise SystemExit("%s: %s" % (url, run.stdout))
    used = processor_seconds(pid) - before
    return (float(re.search(r"Requests/sec:\s+([0-9.]+)", run.stdout).group(1)),
            used * 1e6 / int(re.search(r"([0-9]+) requests in", run.stdout).group(1)))


def copy_answers(service, root, paths):
    """The same bytes for nginx, packed as the service packs them; what comes back plain has no packed form there, either."""
    for name, path in paths.items():
        plain = service.request("GET", path)[1]
        packed = service.request("GET", path, headers={"Accept-Encoding": "gzip"})[1]
        root.joinpath(name).write_bytes(plain)
        if packed != plain:
            assert gzip.decompress(packed) == plain
            root.joinpath(name + ".gz").write_bytes(packed)


def bench_answers(options, folder):
    service = Service(options, folder)
    root = folder / "root"
    root.mkdir()
    root.chmod(0o755)
    folder.chmod(0o755)
    with ended(service.process), nginx(folder) as (port, peer_pid):
        report = service.submit(DUMP.read_bytes(), DUMP.name)
        paths = {"report." + suffix: "/api/v1/assessments/%s/report.%s" % (report, suffix) for suffix in FORMATS}
        paths.update({"page.html": "/assessments/" + report, "home.html": "/"})
        copy_answers(service, root, paths)
        for name, path in paths.items():
            for coding in ("identity", "gzip"):
                found = []
                for turn in range(options.runs + 1):
                    ours = wrk("http://127.0.0.1:%d%s" % (service.port, path), coding, options.seconds, service.process.pid)
                    peer = wrk("http://127.0.0.1:%d/%s" % (port, name), coding, options.seconds, peer_pid)
                    if turn:
                        found.append((ours, peer))
                print("%-24s %8d bytes, %-8s %7.0f requests a second, %.2f of nginx; %.0f us of processor, of which it takes %.2f" % (
                    name, root.joinpath(name + (".gz" if coding == "gzip" and root.joinpath(name + ".gz").exists() else ""))
                    .stat().st_size, coding, statistics.median(a[0] for a, _ in found),
                    statistics.median(a[0] / b[0] for a, b in found), statistics.median(a[1] for a, _ in found),
                    statistics.median(b[1] / a[1] for a, b in found)), flush=True)
        print("service: %.0f MiB" % service.resident_mib("VmHWM"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build directory, of --buildtype=release")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2, help="of one turn")
    parser.add_argument("--folder", type=pathlib.Path, help="where state directories are made")
    options = parser.parse_args()
    options.environment = dict(os.environ, OPCHECK_DB=str(options.build / "opdb" / "opdb.sqlite"), LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench_answers(options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
