"""The examples of deploy/proxy do what they say: TLS in front, a token for everybody who comes through."""
import json
import re
import shutil
import socket
import ssl
import subprocess
import threading
import urllib.parse

import pytest
import requests

from conftest import ROOT
from daemon import LONG_NAMES, SMALL, trace_of, wait_until

NAME = "opcheck.example.org"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def find(name):
    return shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin")


def signed(folder, names, *key):
    subprocess.run(["openssl", "req", "-x509", *key, "-nodes", "-days", "2", "-subj", "/CN=" + NAME, "-addext", "subjectAltName=" + names,
                    "-keyout", folder / "key", "-out", folder / "pem"], check=True, capture_output=True)
    return folder / "pem", folder / "key"


@pytest.fixture
def certificate(tmp_path):
    return signed(tmp_path, "DNS:" + NAME, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


@pytest.fixture
def behind(fresh, tmp_path):
    """The service as the examples configure it, and a token for it."""
    daemon = fresh("--host", NAME, "--trusted-proxy", "127.0.0.1", "--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "upload-bytes=300M")
    token = subprocess.run([daemon.args[0], "token", "add", "--state-dir", str(daemon.state), "--scope", "submit"],
                           capture_output=True, text=True, check=True, env=daemon.env).stdout
    return daemon, re.search(r"opc_\S+", token).group()


@pytest.fixture
def started():
    processes = []
    yield lambda command, **options: processes.append(subprocess.Popen(command, **options))
    for process in processes:
        process.terminate()
        process.wait()


def listens(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def curl(certificate, port, path, *args):
    """The status and the body of what a client gets that knows the proxy's name and certificate."""
    run = subprocess.run(["curl", "-sS", "--cacert", certificate[0], "--resolve", "%s:%d:127.0.0.1" % (NAME, port), "-w", "\n%{http_code}",
                          *args, "https://%s:%d%s" % (NAME, port, path)], capture_output=True, text=True, check=True, timeout=60)
    body, status = run.stdout.rsplit("\n", 1)
    return int(status), body


def first_event(certificate, port, path, *args):
    """The first line of a job's events, while the job still waits."""
    with subprocess.Popen(["curl", "-sSN", "-m", "20", "--cacert", certificate[0], "--resolve", "%s:%d:127.0.0.1" % (NAME, port), *args,
                           "-H", "Accept: text/event-stream", "https://%s:%d%s" % (NAME, port, path)], stdout=subprocess.PIPE) as events:
        line = events.stdout.readline()
        events.terminate()
    return line


def hold_browser(token, certificate, port, folder):
    """It logs in, its cookie is one of TLS, and forms want the secret of its session."""
    jar = folder / "cookies"
    status, _ = curl(certificate, port, "/login", "-c", jar, "-F", "token=" + token)
    assert status == 303 and "__Host-opcheck" in jar.read_text()
    status, page = curl(certificate, port, "/", "-b", jar)
    assert status == 200
    form = ("-b", jar, "-H", "Accept: text/html", "-F", "file=@%s" % SMALL)
    assert curl(certificate, port, "/api/v1/assessments", *form)[0] == 403
    csrf = re.search(r'name="csrf" value="([^"]+)"', page).group(1)
    assert curl(certificate, port, "/api/v1/assessments", "-F", "csrf=" + csrf, *form)[0] == 303


def hold_proxy(daemon, token, certificate, port):
    bearer = ("-H", "Authorization: Bearer " + token)
    assert curl(certificate, port, "/healthz")[0] == 200
    assert curl(certificate, port, "/api/v1/assessments")[0] == 401
    assert curl(certificate, port, "/api/v1/assessments", "-H", "X-Forwarded-For: 127.0.0.1")[0] == 401
    assert curl(certificate, port, "/api/v1/assessments", "-H", "X-Forwarded-User: admin", "-H", "Forwarded: for=127.0.0.1")[0] == 401
    status, body = curl(certificate, port, "/api/v1/assessments?name=a.log", *bearer, "--data-binary", "@%s" % SMALL)
    assert status == 201, body
    assert curl(certificate, port, "/api/v1/assessments", *bearer)[0] == 200
    assert curl(certificate, port, "/login")[0] == 200
    assert requests.get(daemon.url + "/api/v1/assessments", headers={"Host": "evil.example"}).status_code == 421
    hold_browser(token, certificate, port, daemon.state.parent)
    big = daemon.state.parent / "big.log"
    big.write_bytes(SMALL.read_bytes() * 3000)
    for dump in (big, SMALL):
        status, body = curl(certificate, port, "/api/v1/assessments?wait=0&name=waits.log&min_coverage=1%25", *bearer, "--data-binary", "@%s" % dump)
        assert status == 202, body
    job = json.loads(body)["links"]["self"]
    assert first_event(certificate, port, job, *bearer) == b"event: job\n"


def hold_lists(token, certificate, port):
    """The head of each page fits, however long names of operators and the query are."""
    bearer = ("-H", "Authorization: Bearer " + token)
    status, body = curl(certificate, port, "/api/v1/assessments?name=long.json", *bearer, "--data-raw", trace_of(LONG_NAMES))
    assert status == 201, body
    path, cursor, items = "/api/v1/demand?limit=1&target=musa@v2.7.1", "", []
    while cursor is not None:
        status, body = curl(certificate, port, path + "&cursor=%s" % urllib.parse.quote(cursor, safe="") * bool(cursor), *bearer)
        assert status == 200, body
        page = json.loads(body)
        items, cursor = items + page["items"], page["next_cursor"]
    assert items == json.loads(curl(certificate, port, "/api/v1/demand?target=musa@v2.7.1", *bearer)[1])["items"] and len(items) == len(LONG_NAMES)
    status, body = curl(certificate, port, "/api/v1/operators?limit=1&fields=" + ",".join(["name"] * 1200), *bearer)
    assert status == 200 and json.loads(body)["next_cursor"]


def hold_refusals(daemon, token, certificate, port):
    """Uploads that the service does not read: it answers while the proxy still sends them."""
    large, bearer = daemon.state.parent / "large", ("-H", "Authorization: Bearer " + token)
    with large.open("wb") as file:
        file.truncate(320 << 20)
    for path, args, wanted in (("?name=a", (), 401), ("?name=a%00b", bearer, 400), ("?name=a", bearer, 413)):
        for protocol in ("--http1.1", "--http2"):
            for _ in range(4):
                assert curl(certificate, port, "/api/v1/assessments" + path, *args, protocol, "-H", "Expect:", "-X", "POST", "-T", large)[0] == wanted


@pytest.mark.skipif(not find("nginx"), reason="there is no nginx")
def test_nginx_as_in_the_example(behind, certificate, started, tmp_path):
    daemon, token = behind
    port, plain = free_port(), free_port()
    text = (ROOT / "deploy" / "proxy" / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"\n\tlisten \[::\][^\n]*", "", text)
    for ours, theirs in (("listen 443", "listen 127.0.0.1:%d" % port), ("listen 80;", "listen 127.0.0.1:%d;" % plain),
                         ("/etc/ssl/opcheck.example.org.pem", str(certificate[0])), ("/etc/ssl/opcheck.example.org.key", str(certificate[1])),
                         ("127.0.0.1:8787;", "127.0.0.1:%d;" % daemon.port)):
        assert ours in text
        text = text.replace(ours, theirs)
    paths = "".join("%s_temp_path %s/%s;" % (kind, tmp_path, kind) for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    configuration = tmp_path / "nginx.conf"
    configuration.write_text("pid %s/pid;\nevents {}\nhttp {\naccess_log off;\n%s\n%s\n}\n" % (tmp_path, paths, text))
    started([find("nginx"), "-c", configuration, "-p", tmp_path, "-e", tmp_path / "error.log", "-g", "daemon off; user root;"])
    assert wait_until(lambda: listens(port), 20), (tmp_path / "error.log").read_text()
    hold_proxy(daemon, token, certificate, port)
    hold_lists(token, certificate, port)
    hold_refusals(daemon, token, certificate, port)
    moved = requests.get("http://127.0.0.1:%d/help" % plain, headers={"Host": NAME}, allow_redirects=False)
    assert (moved.status_code, moved.headers["Location"]) == (301, "https://%s/help" % NAME)


@pytest.mark.skipif(not find("caddy"), reason="there is no Caddy")
def test_caddy_as_in_the_example(behind, certificate, started, tmp_path):
    daemon, token = behind
    port = free_port()
    text = (ROOT / "deploy" / "proxy" / "Caddyfile").read_text(encoding="utf-8")
    for ours, theirs in ((NAME + " {", "https://%s:%d {\n\ttls %s %s" % (NAME, port, *certificate)),
                         ("127.0.0.1:8787", "127.0.0.1:%d" % daemon.port)):
        assert ours in text
        text = text.replace(ours, theirs)
    configuration = tmp_path / "Caddyfile"
    configuration.write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text)
    started([find("caddy"), "run", "--config", configuration, "--adapter", "caddyfile"], stderr=subprocess.DEVNULL,
            env={"HOME": str(tmp_path), "PATH": "/usr/bin"})
    assert wait_until(lambda: listens(port), 20)
    hold_proxy(daemon, token, certificate, port)


# --- the client


@pytest.fixture
def relay():
    """Passes the bytes of every connection on to a port, out of TLS where it has a certificate."""
    listeners = []

    def copy(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def serve(listener, port, context):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                inner = context.wrap_socket(connection, server_side=True) if context else connection
            except (ssl.SSLError, OSError):
                continue
            outer = socket.create_connection(("127.0.0.1", port))
            for pair in ((inner, outer), (outer, inner)):
                threading.Thread(target=copy, args=pair, daemon=True).start()

    def start(port, certificate=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
        if certificate:
            context.load_cert_chain(*certificate)
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        threading.Thread(target=serve, args=(listener, port, context), daemon=True).start()
        return listener.getsockname()[1]

    yield start
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@pytest.mark.parametrize("key", (("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"), ("rsa:2048",)), ids=("EC", "RSA"))
def test_the_client_trusts_the_authority_that_it_is_given(fresh, relay, opcheck, tmp_path, key):
    """Signatures are of the authority's key: the names of their algorithms are known also after digests were made."""
    (tmp_path / "authority").mkdir()
    authority, secret = signed(tmp_path / "authority", "DNS:authority", "-newkey", *key)
    server = signed(tmp_path, "IP:127.0.0.1", "-newkey", *key, "-CA", authority, "-CAkey", secret, "-addext", "basicConstraints=critical,CA:false")
    send = ["submit", SMALL, "--server", "https://127.0.0.1:%d" % relay(fresh().port, server)]
    refused = opcheck(*send)
    assert refused.status == 5 and "certificate" in refused.err
    assert opcheck(*send, "--ca-file", authority).text == opcheck("check", SMALL).text
    assert opcheck("runs", *send[2:], "--ca-file", authority).text.count("\n") == 2
    missing = opcheck(*send, "--ca-file", tmp_path / "none")
    assert missing.status == 3 and "none" in missing.err


def test_the_client_goes_through_the_proxy_that_it_is_given(fresh, relay, opcheck):
    daemon = fresh("--host", "opcheck.invalid")
    send = ["submit", SMALL, "--server", "http://opcheck.invalid"]
    assert opcheck(*send).status == 5
    assert opcheck(*send, "--proxy", "http://127.0.0.1:%d" % relay(daemon.port)).text == opcheck("check", SMALL).text
