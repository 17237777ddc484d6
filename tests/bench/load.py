#!/usr/bin/python3
"""The service under work: uploads against the command, others meanwhile, a crowd of connections, all attacks at once.

	python3 tests/bench/load.py BUILD_DIR [uploads|load|crowd|attacks]... [--seconds N] [--folder DIR]

Wants Debian's wrk for uploads. Those of load arrive in an open loop: at set times, whether those before them are answered or not.
One alone takes longer than its command: it waits for 3.3 syncs of the disk (2 ms each on a busy one), while uploads side by side use
the processor meanwhile. The capacity is of both processors, and the clients take part of it.
Nothing here passes or fails; the load of the machine is printed with each figure that depends on it.
"""
import argparse
import concurrent.futures
import contextlib
import gzip
import json
import os
import pathlib
import random
import re
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time

from serve import DUMP, Service, ended

MIB = 1024 * 1024
BENCH = pathlib.Path(__file__).resolve().parent


def store_arguments(description, runs, turns):
    """A parser with those that every measurement of a full store takes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--runs", type=int, default=runs)
    parser.add_argument("--turns", type=int, default=turns)
    return parser


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def dump(number):
    """A MiB of tables, each dump another one."""
    table = DUMP.read_bytes()
    return table * (MIB // len(table)) + b"\n%d\n" % number


def resident_kib(pid):
    with contextlib.suppress(OSError, IndexError):
        return int(pathlib.Path("/proc/%d/status" % pid).read_text(encoding="utf-8").split("VmRSS:")[1].split()[0])
    return 0


def descendants(pid):
    with contextlib.suppress(OSError):
        for child in pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)).read_text(encoding="utf-8").split():
            yield int(child)
            yield from descendants(int(child))


class Memory(threading.Thread):
    """The peaks of the service and of all its processes together, in KiB; pages that they share count for each."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.pid, self.alone, self.together, self.ends = service.process.pid, 0, 0, threading.Event()
        self.start()

    def run(self):
        while not self.ends.wait(0.02):
            alone = resident_kib(self.pid)
            self.alone = max(self.alone, alone)
            self.together = max(self.together, alone + sum(map(resident_kib, descendants(self.pid))))

    def figures(self):
        self.ends.set()
        self.join()
        return "service %d MiB, with its jobs %d MiB" % (self.alone // 1024, self.together // 1024)


def loads():
    return "load %.1f" % os.getloadavg()[0]


def open_loop(act, rate, seconds):
    """The seconds that each call took from its set time on; act(number) is called rate times a second."""
    begun = time.monotonic()

    def one(number):
        due = begun + number / rate
        time.sleep(max(0, due - time.monotonic()))
        act(number)
        return time.monotonic() - due

    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        return list(pool.map(one, range(max(1, int(rate * seconds)))))


# --- uploads


def command_seconds(options, path):
    times = []
    for _ in range(9):
        begun = time.monotonic()
        subprocess.run([options.build / "src" / "opcheck", "check", path, "-f", "json"], env=options.environment, check=True,
                       stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - begun)
    return statistics.median(times)


def uploads_a_second(service, clients, seconds):
    numbers, ends = iter(range(1, 1 << 30)), time.monotonic() + seconds

    def client(_):
        count = 0
        while time.monotonic() < ends:
            number = next(numbers)
            service.submit(dump(number), "%d.log" % number)
            count += 1
        return count

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        return sum(pool.map(client, range(clients))) / seconds


def bench_uploads(options, folder):
    """32 connections of wrk, which takes less of the processor than as many clients here."""
    service = Service(options, folder, "--limit", "minute-requests=100000000", "--limit", "hour-bytes=%d" % (1 << 40))
    with ended(service.process):
        path, table = folder / "dump.log", DUMP.read_bytes()
        for times in (1, 10):
            path.write_bytes(table * times)
            ratios = []
            for turn in range(options.runs + 1):
                seconds = command_seconds(options, path)
                text = subprocess.run(["wrk", "-t1", "-c32", "-d%ds" % options.seconds, "--timeout", "60", "-s", BENCH / "post.lua",
                                       "http://127.0.0.1:%d/api/v1/assessments" % service.port, "--", path],
                                      capture_output=True, text=True, check=True).stdout
                assert "Non-2xx" not in text, text
                ratios.append(float(re.search(r"Requests/sec:\s+([0-9.]+)", text).group(1)) * seconds)
            print("uploads of %d bytes: %.2f of commands one after another, turn by turn %s; a command takes %.1f ms (%s)" % (
                path.stat().st_size, statistics.median(ratios[1:]), ", ".join("%.2f" % ratio for ratio in ratios[1:]), seconds * 1000, loads()),
                flush=True)


def bench_load(options, folder):
    service = Service(options, folder)
    with ended(service.process):
        memory = Memory(service)
        rates, alone, path = [], [], folder / "dump.log"
        path.write_bytes(dump(0))
        for _ in range(3):
            alone.append(command_seconds(options, path))
            rates.append(uploads_a_second(service, 4, options.seconds) * alone[-1])
        print("capacity: %.2f of commands one after another (%s)" % (statistics.median(rates), loads()), flush=True)
        seconds = statistics.median(alone)
        times = open_loop(lambda number: service.submit(dump(1000000 + number), "o%d.log" % number),
                          0.6 * statistics.median(rates) / seconds, 5 * options.seconds)
        print("open loop at 60 %%: median %.1f, p99 %.1f of the command's %.0f ms, %d uploads (%s)" % (
            percentile(times, 0.5) / seconds, percentile(times, 0.99) / seconds, seconds * 1000, len(times), loads()), flush=True)
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            done = list(pool.map(lambda number: service.submit(dump(2000000 + number), "a%d.log" % number), range(32)))
        print("32 at once: %d finish; %s" % (len(set(done)), memory.figures()), flush=True)


# --- connections


def report_times(service, path, seconds):
    return open_loop(lambda _: service.request("GET", path), 50, seconds)


@contextlib.contextmanager
def held(service, count, head):
    """Connections that have sent so much, a byte more each second, and are opened again when the service has closed them."""
    ends = threading.Event()

    def hold(number):
        address = ("127.0.0.%d" % (2 + number % 250), 0)
        while not ends.is_set():
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", service.port), source_address=address) as connection:
                connection.sendall(head)
                while not ends.wait(1) and head:
                    connection.sendall(b"x")
                ends.wait()

    threads = [threading.Thread(target=hold, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    yield
    ends.set()
    for thread in threads:
        thread.join()


def bench_crowd(options, folder):
    service = Service(options, folder, "--limit", "connection-seconds=60")
    with ended(service.process):
        path = "/api/v1/assessments/%s/report.json" % service.submit(DUMP.read_bytes(), DUMP.name)
        for name, count, head in (("idle", 1000, b""), ("slow", 200, b"GET / HTTP/1.1\r\nX: ")):
            found = []
            for _ in range(options.runs):
                before = percentile(report_times(service, path, options.seconds), 0.99)
                with held(service, count, head):
                    found.append(percentile(report_times(service, path, options.seconds), 0.99) / before)
            print("%d %s connections: p99 of others %.2f times, turn by turn %s (%s)" % (
                count, name, statistics.median(found), ", ".join("%.2f" % turn for turn in found), loads()), flush=True)


# --- attacks


def join_bomb(folder):
    """700 equal ids and 700 calls: a join of them has 700^3 rows."""
    path = folder / "bomb.db"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript("CREATE TABLE STRING_IDS (id INTEGER, value TEXT);"
                         "CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER,"
                         " sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER,"
                         " type INTEGER);")
        db.executemany("INSERT INTO STRING_IDS VALUES (1, ?)", (("aten::add%d" % number,) for number in range(700)))
        db.executemany("INSERT INTO PYTORCH_API VALUES (?, ?, 1, 0, 1, 0, 0, 1, 1, 0, 50001)",
                       ((str(number * 1000), str(number * 1000 + 500)) for number in range(700)))
        db.commit()
    return path.read_bytes()


def wide_trace():
    """Every name and shape that the limits allow: hundreds of KB that become a report of 78 MB."""
    events = ({"ph": "X", "cat": "cpu_op", "name": "m::%s%05d" % ("x" * 600, number % 10000), "pid": 1, "tid": 1, "ts": number * 20000, "dur": 9,
               "args": {"Input Dims": [[number // 10000 + 1, number % 10000 + 1]], "Input type": ["float"]}} for number in range(100000))
    text = json.dumps({"traceEvents": list(events)}).encode()
    return subprocess.run(["zstd", "-q", "-c", "-9"], input=text, stdout=subprocess.PIPE, check=True).stdout


def attacks(service, folder):
    """What each attacker sends again and again."""
    table = DUMP.read_bytes()
    bomb = gzip.compress(table * (16 * MIB // len(table)), 6) * 64
    joins, wide = join_bomb(folder), wide_trace()
    head = b"POST /api/v1/assessments HTTP/1.1\r\nHost: localhost\r\n"

    def upload(content):
        return lambda chance: service.request("POST", "/api/v1/assessments?name=%d" % chance.randrange(1 << 40), content)

    def raw(*choices):
        def send(chance):
            with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
                connection.sendall(chance.choice(choices))
                connection.recv(65536)
        return send

    def view(chance):
        items = json.loads(service.request("GET", "/api/v1/assessments?limit=20")[1])["items"]
        if items:
            service.request("GET", "/assessments/%s?lang=%s" % (chance.choice(items)["id"], chance.choice(("en", "zh-CN"))))

    fields = b"".join(b"--b\r\nContent-Disposition: form-data; name=\"target\"\r\n\r\nnpu\r\n" for _ in range(1000))
    return [("bombs of gzip", 8, upload(bomb)), ("joins", 8, upload(joins)), ("wide traces", 2, upload(wide)), ("views", 4, view),
            ("mistakes", 4, raw(head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"GET / HTTP/1.1\r\nHost: evil\r\n\r\n",
                                b"GET /?" + b"a=b&" * 1000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                head + b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n" % len(fields) + fields))]


def bench_attacks(options, folder):
    service = Service(options, folder)
    ends = threading.Event()
    counts = {}

    def attack(name, act, number):
        chance = random.Random(number)
        while not ends.is_set():
            with contextlib.suppress(Exception):
                act(chance)
                counts[name] = counts.get(name, 0) + 1

    with ended(service.process):
        calm = report_times(service, "/healthz", options.seconds)
        kinds = attacks(service, folder)
        memory = Memory(service)
        with held(service, 200, b"GET / HTTP/1.1\r\nX: "):
            threads = [threading.Thread(target=attack, args=(name, act, number), daemon=True) for name, clients, act in kinds
                       for number in range(clients)]
            for thread in threads:
                thread.start()
            times = report_times(service, "/healthz", 10 * options.seconds)
            ends.set()
        print("health: p99 %.1f ms of %d answers, %.1f ms before; 200 slow connections and %s; %s (%s)" % (
            percentile(times, 0.99) * 1000, len(times), percentile(calm, 0.99) * 1000,
            ", ".join("%d %s" % (counts.get(name, 0), name) for name, _, _ in kinds), memory.figures(), loads()), flush=True)


BENCHES = {"uploads": bench_uploads, "load": bench_load, "crowd": bench_crowd, "attacks": bench_attacks}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build directory, of --buildtype=release")
    parser.add_argument("benches", nargs="*", help=", ".join(BENCHES))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4, help="of one turn")
    parser.add_argument("--folder", type=pathlib.Path, help="where state directories are made")
    options = parser.parse_args()
    options.environment = dict(os.environ, OPCHECK_DB=str(options.build / "opdb" / "opdb.sqlite"), LC_ALL="C.UTF-8")
    for name in options.benches or BENCHES:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            BENCHES[name](options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
