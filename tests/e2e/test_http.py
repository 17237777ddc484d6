"""HTTP by raw sockets: requests that a proxy and the service could read differently, names of others, and slowness."""
import os
import pathlib
import re
import resource
import shutil
import socket
import struct
import sys
import time

import pytest

from conftest import Run, environment, program
from daemon import SMALL, raw, wait_until

POST = b"POST /api/v1/assessments HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
HIDDEN = b"0\r\n\r\nGET /targets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

AMBIGUOUS = {
    "a length and chunks": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + HIDDEN,
    "chunks and a length behind GET": GET + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + HIDDEN,
    "two lengths": POST + b"Content-Length: 4\r\nContent-Length: 71\r\n\r\n" + HIDDEN,
    "the same length twice": POST + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
    "a list of lengths": POST + b"Content-Length: 4, 4\r\n\r\nabcd",
    "a length with a sign": POST + b"Content-Length: +4\r\n\r\nabcd",
    "a blank before the colon": POST + b"Content-Length : 4\r\n\r\nabcd",
    "a tab before the colon": GET + b"Transfer-Encoding\t: chunked\r\n\r\n" + HIDDEN,
    "two codings": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + HIDDEN,
    "an unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n" + HIDDEN,
    "a coding before chunked": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + HIDDEN,
    "a folded field": GET + b"X-A: b\r\n c\r\n\r\n",
    "a folded length": POST + b"Content-Length:\r\n 4\r\n\r\nabcd",
    "a folded coding": POST + b"Transfer-Encoding:\r\n\tchunked\r\n\r\n" + HIDDEN,
    "a folded first field": b"GET /healthz HTTP/1.1\r\n X: b\r\nHost: localhost\r\n\r\n",
    "two hosts": GET + b"Host: localhost\r\n\r\n",
    "two tokens": GET + b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
    "a field without a colon": GET + b"garbage\r\n\r\n",
    "a blank in a name": GET + b"X Y: garbage\r\n\r\n",
    "a CR in a value": GET + b"X: a\rContent-Length: 4\r\n\r\n",
    "a NUL in a value": GET + b"X: a\0b\r\nX-B: c\r\n\r\n",
    "a NUL in the last value": GET + b"X: a\0b\r\n\r\n",
    "a NUL at the end of a value": GET + b"X: a\0\r\nX-B: c\r\n\r\n",
    "a NUL at the end of the last value": GET + b"X: a\0\r\n\r\n",
    "a NUL as the last value": GET + b"X: \0\r\n\r\n",
    "a NUL in the host": b"GET /healthz HTTP/1.1\r\nHost: localhost\0.evil.example\r\n\r\n",
    "a NUL at the end of lines without CR": b"GET /healthz HTTP/1.1\nHost: localhost\0\n\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
}


@pytest.mark.parametrize("kind", sorted(AMBIGUOUS))
def test_a_request_with_two_meanings_is_refused_and_nothing_behind_it_is_read(service, kind):
    answer = raw(service, AMBIGUOUS[kind])
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 ")), answer[:300]
    assert answer.count(b"HTTP/1.") == answer.count(b"\r\n\r\n") == 1 or b"<html>" in answer
    assert b"Targets" not in answer and b"200 OK" not in answer


def test_fields_that_are_lists_may_be_repeated(service):
    answer = raw(service, GET + b"Accept: text/html\r\nAccept: */*\r\nX-A: 1\r\nX-A: 2\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("target,status", (
    (b"http://localhost/healthz", 200), (b"HTTP://LOCALHOST:80/healthz", 200), (b"http://localhost/api/v1/targets?lang=en", 200),
    (b"http://localhost", 200), (b"http://evil.example/healthz", 421), (b"http:///healthz", 421)))
def test_a_whole_address_is_a_target(service, target, status):
    answer = raw(service, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:100]


@pytest.mark.parametrize("host,status", (
    ("localhost", 200), ("localhost:1", 200), ("LOCALHOST.", 200), ("127.0.0.1", 200), ("127.0.0.1:8787", 200), ("127.0.0.2", 421),
    ("evil.example", 421), ("localhost.evil.example", 421), ("evil.example:8787", 421), ("", 421), ("[::1]", 421),
    ("127.0.0.1@evil.example", 421), ("opcheck.example", 200), ("OPCHECK.example:443", 200)))
def test_a_name_of_somebody_else_is_misdirected(fresh, host, status):
    daemon = fresh("--host", "opcheck.example")
    assert daemon.api.get("/api/v1/assessments", headers={"Host": host}).status_code == status
    assert daemon.api.post("/api/v1/assessments", headers={"Host": host}, data=b"x").status_code == (422 if status == 200 else 421)


def test_any_name_where_the_operator_says_so(fresh):
    assert fresh("--host", "*").api.get("/healthz", headers={"Host": "evil.example"}).status_code == 200


def test_a_thousand_parameters_get_an_answer(service):
    for query in ("&".join("p%d=v" % i for i in range(1000)), "&".join(["target=npu@2.7.1"] * 1000)):
        reply = service.api.get("/api/v1/operators?q=add&" + query)
        assert reply.status_code in (200, 400), reply.text
        assert reply.json()


def test_many_fields_of_a_form_are_read_in_a_time_that_grows_with_them(service):
    """60,000 fields of a byte were three billion comparisons."""
    boundary = b"--x\r\nContent-Disposition: form-data; name=\"lang\"\r\n\r\n\r\n"
    body = boundary * 15000 + b"--x--\r\n"
    reply = service.api.post("/api/v1/assessments", data=body, headers={"Content-Type": "multipart/form-data; boundary=x"}, timeout=20)
    assert reply.status_code in (400, 413)


# --- slowness


def dripping(daemon, head, drops, pause=0.1):
    """Sends drops until the service has enough of it; how many it took."""
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=60) as connection:
        connection.sendall(head)
        connection.settimeout(pause)
        for number in range(drops):
            try:
                connection.sendall(b"x")
                if connection.recv(100) == b"":
                    return number
            except TimeoutError:
                continue
            except OSError:
                return number
        return drops


@pytest.mark.parametrize("head", (b"GET /", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", GET + b"\r\nGET /"))
def test_a_head_that_comes_by_drops_ends_in_time(fresh, head):
    daemon = fresh("--limit", "header-seconds=1")
    assert dripping(daemon, head, 100) < 60


def test_a_body_that_comes_by_drops_ends_in_time(fresh):
    daemon = fresh("--limit", "header-seconds=1")
    assert dripping(daemon, POST + b"Content-Length: 100000\r\n\r\n", 100) < 60
    assert wait_until(lambda: not any((daemon.state / "incoming").iterdir()))


def test_an_answer_that_is_not_taken_ends_in_time(fresh):
    daemon = fresh("--limit", "header-seconds=1", "--limit", "transfer-rate=1G", "--limit", "connection-seconds=60")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", daemon.port))
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)
        time.sleep(0.1)
        assert wait_until(lambda: " cut " in daemon.errors() or broken(connection), 30)


def broken(connection):
    try:
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
    except OSError:
        return True
    return False


def segments_in(connection):
    """Data segments that a connection has received (tcpi_data_segs_in)."""
    return struct.unpack_from("I", connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256), 152)[0]


def test_a_head_leaves_with_its_body(service):
    """Of a file or of memory, for the first request of a connection and for the next ones: in one segment, if that holds both."""
    record = service.api.submit(SMALL.read_bytes(), name="segments.log").json()
    for coding, most in (("identity", 65000), ("gzip", 32768)):
        sent = {}
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            for form in ("json", "json", "html", "csv", "csv"):
                before, answer = segments_in(connection), b""
                connection.sendall(b"GET %s/report.%s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: %s\r\n\r\n" % (
                    record["links"]["self"].encode(), form.encode(), coding.encode()))
                while b"\r\n\r\n" not in answer:
                    answer += connection.recv(65536)
                length = int(re.search(rb"\r\nContent-Length: (\d+)\r\n", answer).group(1))
                while len(answer) < answer.index(b"\r\n\r\n") + 4 + length:
                    answer += connection.recv(65536)
                sent[form] = length
                assert length > most or segments_in(connection) == before + 1, (form, length)
        assert any(length <= most for length in sent.values()) and (coding == "gzip" or any(32768 <= length <= most for length in sent.values())), sent


def test_a_connection_that_works_slowly_but_well_is_left_alone(fresh):
    daemon = fresh("--limit", "header-seconds=1")
    for _ in range(4):
        assert daemon.api.get("/healthz").status_code == 200  # one connection, longer than the seconds of a head
        time.sleep(0.5)


def test_an_address_has_a_share_of_the_connections(fresh):
    daemon = fresh("--limit", "address-connections=5")
    held = [socket.create_connection(("127.0.0.1", daemon.port), source_address=("127.0.0.2", 0)) for _ in range(20)]
    try:
        open_ = [connection for connection in held if answers(connection)]
        assert len(open_) == 5
        assert daemon.api.get("/healthz").status_code == 200  # another address
        open_[0].close()
        assert wait_until(lambda: answers(socket.create_connection(("127.0.0.1", daemon.port), source_address=("127.0.0.2", 0))))
    finally:
        for connection in held:
            connection.close()


SLOW = int(os.environ.get("OPCHECK_SLOW_HEADS", "0"))  # of each of two addresses; deploy/longtest.sh asks for 1,100


def test_slow_heads_of_two_addresses_stop_nothing(fresh):
    """Each has its share, and both together would have all: the slowest makes room for who comes."""
    limits = [] if SLOW else ["--limit", "connections=96", "--limit", "address-connections=64", "--limit", "header-seconds=600", "--limit",
                                "connection-seconds=600"]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
    daemon, held = fresh(*limits), []
    try:
        for address in ("127.0.0.2", "127.0.0.3"):
            for _ in range(SLOW or 80):
                held.append(socket.create_connection(("127.0.0.1", daemon.port), source_address=(address, 0)))
                held[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: ")
        for _ in range(10):
            assert raw(daemon, GET + b"Connection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    finally:
        for connection in held:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_number_of_connections_follows_from_that_of_descriptors(fresh):
    daemon = fresh(prefix=["prlimit", "--nofile=1024:4096"])
    soft, hard = re.search(r"Max open files +(\d+) +(\d+)",
                           pathlib.Path("/proc/%d/limits" % daemon.process.pid).read_text(encoding="utf-8")).groups()
    assert soft == hard == "4096"
    assert daemon.api.json("/api/v1/version")["limits"]["connections"] == (4096 - 128) // 2


# Run as root of a network of its own: prints how many of ten connections from each address are answered.
OF_SITES = """
import socket, subprocess, sys
for command in (["link", "set", "lo", "up"], *(["addr", "add", address + "/128", "dev", "lo", "nodad"] for address in sys.argv[1:4])):
    subprocess.run(["ip", *command], check=True)
service = subprocess.Popen(sys.argv[4:], stdout=subprocess.PIPE)
port = int(service.stdout.readline().decode().strip().rsplit(":", 1)[1])
held = []
def answers(address):
    held.append(socket.create_connection(("::1", port), source_address=(address, 0)))
    try:
        held[-1].sendall(b"GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
        return held[-1].recv(1000).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False
print(*[sum(answers(address) for _ in range(4)) for address in sys.argv[1:4]])
service.terminate()
service.wait()
"""


def test_the_addresses_of_a_site_share_their_connections(tmp_path):
    alone = ["unshare", "--map-root-user", "--net"]
    if not shutil.which("ip") or not shutil.which("unshare") or Run([*alone, "ip", "link", "set", "lo", "up"]).status:
        pytest.skip("there is no network of its own to be had")
    run = Run([*alone, sys.executable, "-c", OF_SITES, "fd00:1::1", "fd00:1::2", "fd00:1:0:1::1", program("opcheckd", "OPCHECKD"), "--listen", "[::1]:0",
               "--state-dir", tmp_path / "state", "--limit", "address-connections=5"], env=environment())
    assert run.text.split() == ["4", "1", "4"], run.err


def test_a_trusted_proxy_has_any_number_of_connections(fresh):
    daemon = fresh("--limit", "address-connections=5", "--trusted-proxy", "127.0.0.2/31")
    held = [socket.create_connection(("127.0.0.1", daemon.port), source_address=("127.0.0.2", 0)) for _ in range(20)]
    assert all(map(answers, held))
    for connection in held:
        connection.close()


def answers(connection):
    try:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection.recv(1000).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False
