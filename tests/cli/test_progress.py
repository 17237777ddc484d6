"""Progress on standard error: on a terminal alone, after a second, one line that is gone at the end."""
import os
import pty
import re
import select
import subprocess
import threading
import time

import pytest

from conftest import FIXTURES, environment, program
from daemon import wait_until

DUMP = FIXTURES / "torch-2.13" / "resnet50.a.log"
ERASED = "\r\x1b[K"
SIZE = r"\d+\.\d (B|KiB|MiB|GiB)"


def drain(fd, into):
    while select.select([fd], [], [], 30)[0]:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            return
        if not piece:
            return
        into.append(piece)


def stderr_of(*args, feed, terminal=True, env=None):
    """The output of a command, and what it wrote on standard error; feed fills its standard input and sees what was written so far."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    seen = []
    child = subprocess.Popen([program("opcheck", "OPCHECK"), *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=theirs, env=environment(**{"TERM": "xterm", **(env or {})}))
    os.close(theirs)
    reader = threading.Thread(target=drain, args=(ours, seen))
    reader.start()
    feed(child.stdin, seen)
    child.stdin.close()
    out = child.stdout.read()
    assert child.wait(60) == 0
    reader.join()
    os.close(ours)
    return out, b"".join(seen).decode()


def halves(between):
    """Writes a dump; between its halves it does what is given."""
    def feed(pipe, seen):
        text = DUMP.read_bytes()
        pipe.write(text[:len(text) // 2])
        pipe.flush()
        between(seen)
        pipe.write(text[len(text) // 2:])
    return feed


until_shown = halves(lambda seen: wait_until(lambda: seen, 60))


@pytest.mark.parametrize("command", [("check", "-"), ("advise", "-"), ("buckets", "-")])
def test_work_of_more_than_a_second_is_shown_and_the_line_removed(opcheck, command):
    out, err = stderr_of(*command, feed=until_shown)
    assert re.match("%sread %s, %s/s" % (re.escape(ERASED), SIZE, SIZE), err) and "left" not in err and "\n" not in err
    assert err.endswith(ERASED) and err.count(ERASED) >= 2
    assert out == opcheck(*command, input=DUMP.read_bytes()).out


def test_of_a_file_the_remaining_time_is_shown(tmp_path):
    path = tmp_path / "rank0.log"
    path.write_bytes(DUMP.read_bytes())
    os.truncate(path, 64 << 30)  # a hole, as log rotation leaves it, and more than can be read in a second
    ours, theirs = pty.openpty()
    child = subprocess.Popen([program("opcheck", "OPCHECK"), "check", path], stdout=subprocess.DEVNULL, stderr=theirs,
                             env=environment(TERM="xterm"))
    os.close(theirs)
    seen = []
    reader = threading.Thread(target=drain, args=(ours, seen))
    reader.start()
    assert wait_until(lambda: b"left" in b"".join(seen), 60)
    child.kill()
    child.wait()
    reader.join()
    os.close(ours)
    line = b"".join(seen).decode()
    assert re.match(r"%sread %s of 64\.0 GiB, %s/s, \d+ (s|min) left" % (re.escape(ERASED), SIZE, SIZE), line)


@pytest.mark.parametrize("how", [dict(terminal=False), dict(env={"CI": "true"}), dict(env={"TERM": "dumb"}), dict(more=["--quiet"])])
def test_it_is_not_shown_where_nobody_looks(how):
    assert stderr_of("check", "-", *how.get("more", []), feed=halves(lambda seen: time.sleep(1.5)),
                     terminal=how.get("terminal", True), env=how.get("env"))[1] == ""


def test_work_of_less_than_a_second_shows_nothing():
    begun = time.monotonic()
    err = stderr_of("check", "-", feed=halves(lambda seen: None))[1]
    assert err == "" or time.monotonic() - begun > 1  # a machine may be that slow


def test_what_is_left_out_stands_on_a_line_of_its_own(tmp_path):
    """The folder is done long before the pipe is: the message comes at the pipe's turn, over the progress."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "zz.txt").write_text("nothing here\n")
    (tmp_path / "a" / "rank1.log").write_bytes(DUMP.read_bytes())
    err = stderr_of("check", "-", tmp_path / "a", feed=until_shown)[1]
    lines = [line for line in err.replace("\r\n", "\n").split("\n") if "left out" in line]
    assert len(lines) == 1 and lines[0].split(ERASED)[-1].startswith("opcheck: ")
