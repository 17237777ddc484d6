"""Dumps without end take no memory, whatever in them does not end."""
import os
import subprocess

import pytest
from test_damage import TABLE_HEAD, csv_row, et_node, trace_event

from conftest import environment, program

FEEDS = {
    "trace string": (b'{"schemaVersion": 1, "traceEvents": [' + trace_event() + b', {"ph": "X", "name": "', b"x", b'"}, ' + trace_event() + b"]}"),
    "trace metadata": (b'{"schemaVersion": 1, "x": "', b"y", b'", "traceEvents": [' + trace_event() + b"]}"),
    "trace depth": (b'{"schemaVersion": 1, "traceEvents": [' + trace_event() + b', {"ph": "X", "args": ', b"[", b""),
    "trace blanks": (b'{"schemaVersion": 1, "traceEvents": [' + trace_event(), b"\n", b"]}"),
    "et string": (b'{"schema": "1.1.1-chakra.0.0.4", "nodes": [' + et_node(2) + b', {"id": 3, "name": "', b"x", b'"}, ' + et_node(4) + b"]}"),
    "et depth": (b'{"schema": "1.1.1-chakra.0.0.4", "nodes": [' + et_node(2) + b', {"id": 3, "inputs": ', b"{\"a\":", b""),
    "csv cell": (TABLE_HEAD + csv_row() + b'"', b"x", b'",,,1,2,3,4,5,6\r\n' + csv_row()),
    "csv row": (TABLE_HEAD + csv_row(), b",", b"\r\n" + csv_row()),
    "list": (b"aten::mm\naten::add\n", b"x", b"\naten::mul\n"),
}
# bytes: sixteen times what the program may take; deploy/longtest.sh asks for more
ENDLESS = int(os.environ.get("OPCHECK_ENDLESS", 1 << 30))
FEEDER = """
import sys
head, body, tail = (bytes.fromhex(a) for a in sys.argv[1:4])
put = sys.stdout.buffer.write
piece = body * ((1 << 20) // len(body))
put(head)
for _ in range(int(sys.argv[4]) >> 20):
    put(piece)
put(tail)
"""
MEASURE = ("import resource, subprocess, sys; feed = subprocess.Popen([sys.executable, '-c', *sys.argv[2:]], stdout=subprocess.PIPE);"
           "done = subprocess.run([sys.argv[1], 'check', '-', '-f', 'json', '-t', 'npu'], stdin=feed.stdout, stdout=subprocess.DEVNULL);"
           "feed.stdout.close(); feed.wait(); print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")


@pytest.mark.parametrize("kind", sorted(FEEDS))
def test_what_has_no_end_takes_no_memory(kind, sanitized):
    if sanitized:
        pytest.skip("sanitizers take memory of their own")
    done = subprocess.run(["/usr/bin/python3", "-c", MEASURE, program("opcheck", "OPCHECK"), FEEDER, *(part.hex() for part in FEEDS[kind]),
                           str(ENDLESS)], capture_output=True, env=environment(), timeout=300)
    status, kib = map(int, done.stdout.split())
    assert status in (0, 3) and kib < 64 * 1024
