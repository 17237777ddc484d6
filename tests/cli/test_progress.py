"""Progress on standard error: on a terminal alone, after a second, one line that is gone at the end."""
import os
import pty
import re
import select
import signal
import subprocess
import threading
import time

import pytest

from conftest import FIXTURES, environment, program

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


def stderr_of(*args, feed=None, terminal=True, env=None, rest=0):
    """The output of a command, and what it wrote on standard error; feed fills its standard input. It rests for so many seconds."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    seen = []
    child = subprocess.Popen([program("opcheck", "OPCHECK"), *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=theirs, env=environment(**{"TERM": "xterm", **(env or {})}))
    os.close(theirs)
    if rest:
        child.send_signal(signal.SIGSTOP)
        time.sleep(rest)
        child.send_signal(signal.SIGCONT)
    reader = threading.Thread(target=drain, args=(ours, seen))
    reader.start()
    if feed:
        feed(child.stdin)
    child.stdin.close()
    out = child.stdout.read()
    assert child.wait(60) == 0
    reader.join()
    os.close(ours)
    return out, b"".join(seen).decode()


def slowly(seconds):
    def feed(pipe):
        text = DUMP.read_bytes()
        for i in range(8):
            pipe.write(text[len(text) * i // 8:len(text) * (i + 1) // 8])
            pipe.flush()
            time.sleep(seconds / 8)
    return feed


@pytest.mark.parametrize("command", [("check", "-"), ("advise", "-"), ("buckets", "-")])
def test_work_of_more_than_a_second_is_shown_and_the_line_removed(opcheck, command):
    out, err = stderr_of(*command, feed=slowly(1.8))
    assert re.match("%sread %s, %s/s" % (re.escape(ERASED), SIZE, SIZE), err) and "left" not in err and "\n" not in err
    assert err.endswith(ERASED) and err.count(ERASED) >= 2
    assert out == opcheck(*command, input=DUMP.read_bytes()).out


def test_of_a_file_the_remaining_time_is_told(tmp_path):
    path = tmp_path / "rank0.log"
    path.write_bytes(DUMP.read_bytes())
    os.truncate(path, 1 << 30)  # a hole, as log rotation leaves it
    err = stderr_of("check", path, rest=1.2)[1]
    assert re.match(r"%sread %s of 1\.0 GiB, %s/s, \d+ (s|min) left" % (re.escape(ERASED), SIZE, SIZE), err)


@pytest.mark.parametrize("how", [dict(terminal=False), dict(env={"CI": "true"}), dict(env={"TERM": "dumb"}), dict(seconds=0.1),
                                 dict(more=["--quiet"])])
def test_it_is_not_shown_where_nobody_looks_and_for_short_work(how):
    assert stderr_of("check", "-", *how.get("more", []), feed=slowly(how.get("seconds", 1.6)), terminal=how.get("terminal", True),
                     env=how.get("env"))[1] == ""


def test_what_is_left_out_is_told_on_a_line_of_its_own(tmp_path):
    """The folder is done long before the pipe is: the message comes at the pipe's turn, over the progress."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "zz.txt").write_text("nothing here\n")
    (tmp_path / "a" / "rank1.log").write_bytes(DUMP.read_bytes())
    err = stderr_of("check", "-", tmp_path / "a", feed=slowly(1.8))[1]
    lines = [line for line in err.replace("\r\n", "\n").split("\n") if "left out" in line]
    assert len(lines) == 1 and lines[0].split(ERASED)[-1].startswith("opcheck: ")
