"""What is refused: with the right status, as a problem that says why, and without anything left behind."""
import os
import socket

import pytest

from daemon import SMALL, nothing_left

TABLE = b"""\
--------------------  ------------  ------------  ------------  ------------  ------------  ------------
                Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls
--------------------  ------------  ------------  ------------  ------------  ------------  ------------
            my label         1.00%       1.000us         1.00%       1.000us       1.000us             1
--------------------  ------------  ------------  ------------  ------------  ------------  ------------
Self CPU time total: 1.000us
"""

DUMPS = {
    "empty": (b"", 422, "OPC-3003"),
    "a PNG": (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, 415, "OPC-3004"),
    "random": (os.urandom(5000), 415, "OPC-3004"),
    "no table": (b"epoch 1 loss 0.3\n" * 100, 422, "OPC-3005"),
    "no operator": (TABLE, 422, "OPC-3006"),
    "a trace without operators": (b'{"schemaVersion": 1, "traceEvents": [{"ph": "X"}]}', 422, "OPC-3006"),
    "an execution trace without operators": (b'{"schema": "1.1.1", "nodes": []}', 422, "OPC-3006"),
    "a list of allocations": (b"Name,Size(KB),Allocation Time(us)\n", 415, "OPC-3008"),
    "broken gzip": (b"\x1f\x8b\x08\0\0\0\0\0\0\3" + b"\xff" * 50, 422, "OPC-3010"),
}


@pytest.mark.parametrize("kind", sorted(DUMPS))
@pytest.mark.parametrize("way", ("raw", "form", "chunked"))
def test_what_is_no_dump(service, kind, way):
    content, status, code = DUMPS[kind]
    if way == "form":
        reply = service.api.post("/api/v1/assessments", files={"file": ("mine.log", content)})
    else:
        body = (content[i:i + 100] for i in range(0, len(content), 100)) if way == "chunked" else content
        reply = service.api.post("/api/v1/assessments?name=mine.log", data=body)
    assert (reply.status_code, reply.json()["code"]) == (status, code)
    assert reply.json()["where"].startswith("mine.log") and reply.json()["hint"]
    if status == 415:
        assert "text/plain" in reply.headers["Accept-Post"]
    assert nothing_left(service)


@pytest.mark.parametrize("query,code", (
    ("target=tpu", "OPC-2005"), ("target=npu@0.0.1", "OPC-2005"), ("target=npu@2.1.0&torch=1.8.1", "OPC-2005"),
    ("fail_on=everything", "OPC-2003"), ("dtype=fp33", "OPC-2003"), ("max_uncovered_time=5", "OPC-2003"), ("require_dtypes=maybe", "OPC-2003"),
    ("colour=red", "OPC-2001"), ("name=" + "x" * 256, "OPC-2003"),
    ("lang=klingon", "OPC-2003"), ("wait=soon", "OPC-2003"), ("wait=2147483648", "OPC-2003"),
    ("name=a%00b", "OPC-2003")))
def test_what_is_asked_wrongly(service, query, code):
    reply = service.api.post("/api/v1/assessments?" + query, data=SMALL.read_bytes())
    assert (reply.status_code, reply.json()["code"]) == (400, code)
    assert nothing_left(service)


@pytest.mark.parametrize("query, length, status", (("?name=a%00b", 1 << 20, 400), ("?colour=red", 1 << 27, 400), ("", 1 << 50, 413)))
def test_a_client_that_still_sends_gets_the_answer(service, query, length, status):
    """A reset could overtake it: what comes behind the end of the answer is read on."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        connection.sendall(b"POST /api/v1/assessments%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (query.encode(), length))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 %d " % status), answer
        for _ in range(256):
            connection.sendall(bytes(65536))


FORMS = {
    "no file": ({"target": (None, "npu")}, "OPC-2002"),
    "no chosen file": ({"file": ("", b"")}, "OPC-2002"),
    "an unknown field": ({"file": ("a.log", b"x"), "colour": (None, "red")}, "OPC-2001"),
    "a NUL in a field": ({"file": ("a.log", b"x"), "torch": (None, b"2\x001")}, "OPC-2003"),
}


@pytest.mark.parametrize("kind", sorted(FORMS))
def test_what_is_no_right_form(service, kind):
    files, code = FORMS[kind]
    reply = service.api.post("/api/v1/assessments", files=files)
    assert (reply.status_code, reply.json()["code"]) == (400, code)
    assert nothing_left(service)


@pytest.mark.parametrize("body", (b"", b"garbage", b"--x\r\n", b"--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\ncut",
                                  b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nno end\r\n"))
def test_a_broken_form(service, body):
    for boundary in ("multipart/form-data; boundary=x", "multipart/form-data"):
        reply = service.api.post("/api/v1/assessments", data=body, headers={"Content-Type": boundary})
        assert reply.status_code == 400, reply.text
    assert nothing_left(service)


def test_fields_without_end(service):
    reply = service.api.post("/api/v1/assessments", files={"torch": (None, "2" * 100000), "file": ("a", b"x")})
    assert reply.status_code == 413
    reply = service.api.post("/api/v1/assessments", files=[("target", (None, "npu"))] * 20000)
    assert reply.status_code == 413


def test_an_encoding_that_is_not_read(service):
    reply = service.api.post("/api/v1/assessments", data=SMALL.read_bytes(), headers={"Content-Encoding": "br"})
    assert (reply.status_code, reply.json()["code"]) == (415, "OPC-3008")


@pytest.mark.parametrize("headers,status", (
    ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-origin"}, 200), ({"Origin": "OWN"}, 200)))
def test_forms_of_other_sites(service, headers, status):
    service.api.submit(SMALL.read_bytes())
    headers = {k: v.replace("OWN", service.url) for k, v in headers.items()}
    reply = service.api.post("/api/v1/assessments", data=SMALL.read_bytes(), headers=headers)
    assert reply.status_code == status


def test_addresses_and_methods(service):
    for path in ("/nothing", "/api/v1", "/api/v2/targets", "/api/v1/assessments/", "/api/v1/assessments/x/report.xml",
                 "/assets/", "/assets/app.css/x", "/%2e%2e/etc/passwd", "//etc/passwd", "/api/v1/assessments/%2e%2e"):
        assert service.api.get(path).status_code == 404, path
    for method, path in (("DELETE", "/api/v1/assessments"), ("PUT", "/api/v1/assessments"), ("POST", "/"), ("PATCH", "/healthz"),
                         ("POST", "/api/v1/assessments/x"), ("BREW", "/help")):
        reply = service.api.request(method, path, data=b"x" * 100)
        assert reply.status_code == 405 and "OPTIONS" in reply.headers["Allow"], (method, path)
    reply = service.api.options("/api/v1/assessments")
    assert (reply.status_code, reply.headers["Allow"]) == (204, "POST, GET, HEAD, OPTIONS")


def test_pages_answer_errors_as_pages_and_programs_get_problems(service):
    page = service.api.get("/nothing")
    assert page.headers["Content-Type"].startswith("text/html") and page.headers["X-Request-Id"] in page.text
    problem = service.api.get("/nothing", headers={"Accept": "application/json", "Accept-Language": "zh-CN"})
    assert problem.headers["Content-Type"] == "application/problem+json"
    assert problem.json()["title"] == "未找到"


def test_a_sentence_of_an_error_is_in_the_readers_language(service):
    """Of the service itself and of a job's process, with what stands in their texts."""
    for lang, unknown, hint, empty in (
            ("en", "no operator 'aten::nothing_like_it' in any version", "lists those of a release", "no profiler table found (1 line read)"),
            ("zh-CN", "任何版本都没有算子 'aten::nothing_like_it'", "列出某版本的全部算子", "没有找到 profiler 表格（已读 1 行）")):
        for accept, path in (("text/html", "/operators/aten::nothing_like_it"), ("application/json", "/api/v1/operators/aten::nothing_like_it")):
            text = service.api.get(path, headers={"Accept": accept, "Accept-Language": lang}).text.replace("&#39;", "'")
            assert unknown in text and hint in text
        problem = service.api.post("/api/v1/assessments", params={"name": "a.txt"}, data=b"nothing\n", headers={"Accept-Language": lang}).json()
        assert problem["detail"] == empty and "row_limit=-1" in problem["hint"]


def test_every_code_has_a_page_in_both_languages(service, opcheck):
    codes = [line for line in opcheck("explain", "--list").text.split() if line.startswith("OPC-")]
    assert len(codes) > 30
    for code in codes:
        for lang in ("en", "zh-CN"):
            page = service.api.get("/problems/%s?lang=%s" % (code, lang))
            assert page.status_code == 200 and code in page.text and page.headers["Content-Language"] == lang


def test_the_client_says_what_the_service_said(service, submit, opcheck, tmp_path):
    path = tmp_path / "log.txt"
    path.write_bytes(b"nothing\n")
    mine, theirs = opcheck("check", path), submit(service, path)
    assert theirs.status == mine.status == 3
    assert theirs.err.splitlines()[1:] == mine.err.splitlines()[1:]
    assert "log.txt: error OPC-3005" in theirs.err
    run = submit(service, SMALL, "-t", "tpu")
    assert run.status == 2 and "OPC-2005" in run.err
    assert submit(service, SMALL, "--fail-on", "everything").status == 2
    assert submit(service, tmp_path).status == 3
    assert submit(service, tmp_path / "missing").status == 3


def test_the_client_without_a_service(opcheck, tmp_path):
    run = opcheck("submit", SMALL, "--server", "http://127.0.0.1:1")
    assert run.status == 5 and "OPC-5001" in run.err
    assert opcheck("submit", SMALL).status == 2
    assert opcheck("submit", SMALL, "--server", "ftp://127.0.0.1").status == 2
    assert opcheck("submit", "--server", "http://127.0.0.1:1").status == 2


def test_the_client_with_another_service(opcheck, tmp_path):
    """Whatever it says comes out printable, and as exit status 5."""
    import http.server
    import threading

    class Other(http.server.BaseHTTPRequestHandler):
        answers = [(200, b"{}"), (200, b"not JSON"), (201, b'{"id": "../../x"}'), (502, b"<html>"), (302, b""),
                   (503, b'{"code": "OPC-5004", "detail": "\\u001b[31mred\\u001b[0m", "hint": "a\\nb"}')]

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            status, body = self.answers.pop(0)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    count = len(Other.answers)
    for _ in range(count):
        run = opcheck("submit", SMALL, "--server", "http://127.0.0.1:%d" % server.server_port)
        assert run.status == 5 and "OPC-5002" in run.err and "\x1b" not in run.err, run.err
    assert "\\x1b[31mred" in run.err
    server.shutdown()
