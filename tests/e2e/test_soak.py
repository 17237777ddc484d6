"""A service under work for a while: the same answers at the end, and no more memory, files or threads than after its first minute.

OPCHECK_SOAK_ROUNDS says how long; deploy/longtest.sh runs many.
"""
import concurrent.futures
import os
import pathlib

from daemon import DUMP, SMALL

ROUNDS = int(os.environ.get("OPCHECK_SOAK_ROUNDS", "2"))
GROWTH_KIB = 16 * 1024


def held(daemon):
    """What the process holds: resident KiB, open files, threads."""
    process = pathlib.Path("/proc/%d" % daemon.process.pid)
    status = process.joinpath("status").read_text(encoding="utf-8")
    number = lambda key: int(status.split(key + ":")[1].split()[0])  # noqa: E731
    return number("VmRSS"), len(list(process.joinpath("fd").iterdir())), number("Threads")


def work(daemon):
    """Uploads, pages and mistakes, four at a time; the bytes of the answers."""
    def one(number):
        dump = (DUMP, SMALL)[number % 2]
        record = daemon.api.submit(dump.read_bytes(), name="%d.log" % (number % 2)).json()
        answers = [daemon.api.get(record["links"]["report"] + "." + suffix).content for suffix in ("json", "csv", "html", "txt")]
        assert daemon.api.submit(b"no dump at all").status_code == 422
        assert daemon.api.get("/").status_code == 200
        return number % 2, answers

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return dict(pool.map(one, range(20)))


def test_work_for_a_long_time_changes_nothing(fresh, sanitized):
    daemon = fresh()
    answers = work(daemon)
    assert work(daemon) == answers
    memory, files, threads = held(daemon)
    for number in range(ROUNDS):
        assert work(daemon) == answers, "round %d" % number
    daemon.api.close()
    after = held(daemon)
    assert sanitized or after[0] <= memory + GROWTH_KIB
    assert after[1] <= files + 8 and after[2] <= threads + 8
