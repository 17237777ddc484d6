"""Dumps in a bucket that holds AWS's signature against its own: what is there, while it is gone, and what is never said."""
import gzip
import hashlib
import hmac
import http.server
import pathlib
import sqlite3
import threading

import pytest

from conftest import Run, environment, program
from daemon import SMALL, Daemon, wait_until

ID, SECRET, TOKEN = "AKIDEXAMPLE", "wJalrXUtnFEMI+K7MDENG/bPxRfiCYEXAMPLEKEY", "session-token-of-the-test"
KEY = {"AWS_ACCESS_KEY_ID": ID, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": TOKEN}


def signature(request, body):
    """By the rules of version 4, from what arrived."""
    given = dict(part.split("=", 1) for part in request.headers["Authorization"].split(" ", 1)[1].replace(", ", ",").split(","))
    date, region = given["Credential"].split("/")[1:3]
    names = given["SignedHeaders"].split(";")
    assert "host" in names and "x-amz-content-sha256" in names and "x-amz-security-token" in names
    assert request.headers["x-amz-content-sha256"] == hashlib.sha256(body).hexdigest()
    assert given["Credential"].split("/")[0] == ID and request.headers["x-amz-security-token"] == TOKEN
    headers = "".join("%s:%s\n" % (name, request.headers[name].strip()) for name in names)
    canonical = "\n".join([request.command, request.path, "", headers, ";".join(names), request.headers["x-amz-content-sha256"]])
    text = "\n".join(["AWS4-HMAC-SHA256", request.headers["x-amz-date"], "%s/%s/s3/aws4_request" % (date, region),
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in (date, region, "s3", "aws4_request"):
        key = hmac.new(key, part.encode(), "sha256").digest()
    return hmac.new(key, text.encode(), "sha256").hexdigest() == given["Signature"]


class Bucket(http.server.ThreadingHTTPServer):
    def __init__(self, port=0, objects=None):
        self.objects = {} if objects is None else objects
        super().__init__(("127.0.0.1", port), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        objects, found = self.server.objects, b""
        if not signature(self, body):
            status = 403
        elif self.command == "PUT":
            objects[self.path], status = body, 200
        elif self.command == "HEAD":
            status = 200 if self.path == "/dumps" else 404
        elif self.path not in objects:
            status = 404
        elif self.command == "DELETE":
            del objects[self.path]
            status = 204
        else:
            found, status = objects[self.path], 200
        self.send_response(status)
        self.send_header("Content-Length", str(len(found)))
        self.end_headers()
        self.wfile.write(found)

    do_GET = do_PUT = do_HEAD = do_DELETE = answer


@pytest.fixture
def bucket():
    running = Bucket()
    yield running
    running.end()


def address(bucket):
    return "s3://dumps/opcheck?region=eu-central-1&endpoint=http://127.0.0.1:%d" % bucket.server_address[1]


def opcheckd(*args, env=None):
    return Run([program("opcheckd", "OPCHECKD"), *args], env=environment(**(env or {})))


def test_dumps_are_objects_and_the_key_is_never_said(tmp_path, bucket):
    daemon = Daemon(tmp_path / "state", "--blobs", address(bucket), env=KEY)
    dump = SMALL.read_bytes()
    reply = daemon.api.submit(dump, name="a.log")
    assert reply.status_code == 201, reply.text
    path = "/dumps/opcheck/" + hashlib.sha256(dump).hexdigest()
    report = daemon.api.get(reply.json()["links"]["report"] + ".json").content
    assert bucket.objects[path] == dump and [gzip.decompress(packed) for name, packed in bucket.objects.items() if name != path] == [report]
    assert sqlite3.connect(daemon.state / "store.sqlite").execute("SELECT sum(length(content)) FROM document").fetchone() == (0,)
    assert not list((tmp_path / "state" / "dumps").iterdir())
    assert daemon.api.get("/readyz").status_code == 200
    daemon.stop()
    daemon.restart()
    assert daemon.api.get(reply.json()["links"]["self"] + "/advice").status_code == 200  # reads it
    assert daemon.api.get(reply.json()["links"]["report"] + ".json").content == report
    assert wait_until(lambda: not list((tmp_path / "state" / "incoming").iterdir()))
    assert SECRET not in pathlib.Path("/proc/%d/cmdline" % daemon.process.pid).read_text(encoding="utf-8")
    copied = opcheckd("backup", tmp_path / "copy", "--state-dir", daemon.state, "--blobs", address(bucket), env=KEY)
    assert copied.status == 0 and "0 dumps" in copied.text and "copy the bucket" in copied.text
    log = daemon.stop()
    assert SECRET not in log and TOKEN not in log


def test_a_bucket_that_is_gone_is_503_and_work_resumes(tmp_path, bucket):
    daemon = Daemon(tmp_path / "state", "--blobs", address(bucket), env=KEY)
    bucket.end()
    ready = daemon.api.get("/readyz")
    assert ready.status_code == 503 and "the bucket cannot be reached" in ready.json()["detail"] and ready.headers["Retry-After"]
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 503
    assert daemon.api.json("/api/v1/runs")["items"] == [] and daemon.api.get("/healthz").status_code == 200
    again = Bucket(bucket.server_address[1], bucket.objects)
    assert wait_until(lambda: daemon.api.get("/readyz").status_code == 200)
    assert daemon.api.submit(SMALL.read_bytes()).status_code == 201
    daemon.stop()
    again.end()


def test_a_damaged_object_is_an_error_until_it_is_sent_again(tmp_path, bucket):
    daemon = Daemon(tmp_path / "state", "--blobs", address(bucket), env=KEY)
    dump = SMALL.read_bytes()
    record = daemon.api.submit(dump, name="a.log").json()["links"]["self"]
    path = "/dumps/opcheck/" + hashlib.sha256(dump).hexdigest()
    for damaged in (b"x" + dump[1:], dump + b"longer", None):
        if damaged is None:
            del bucket.objects[path]
        else:
            bucket.objects[path] = damaged
        for path_of in (record + "/advice", "/readyz"):
            reply = daemon.api.get(path_of)
            assert (reply.status_code, reply.json()["code"]) == (500, "OPC-5010"), reply.text
    assert daemon.api.submit(dump, target="npu@v2.7.1-26.0.0").status_code == 201
    assert bucket.objects[path] == dump and daemon.api.get("/readyz").status_code == 200
    daemon.stop()


def test_a_store_in_a_bucket_moves(tmp_path, bucket):
    daemon = Daemon(tmp_path / "state", "--blobs", address(bucket), env=KEY)
    record = daemon.api.submit(SMALL.read_bytes(), name="a.log").json()["links"]
    report = daemon.api.get(record["report"] + ".json").content
    daemon.stop()
    ends = "--from", "sqlite:%s" % daemon.state, "--to", "sqlite:%s" % (tmp_path / "other")
    moved = opcheckd("migrate", *ends, "--blobs", address(bucket), env=KEY)
    assert moved.status == 0 and moved.text.startswith("1 assessments, 1 runs, 2 dumps and documents"), moved.err + moved.text
    other = Daemon(tmp_path / "other", "--blobs", address(bucket), env=KEY)
    assert other.api.get(record["report"] + ".json").content == report and other.api.get(record["self"] + "/advice").status_code == 200
    other.stop()


def test_keys_come_from_the_environment_or_a_file(tmp_path, bucket):
    state = "--state-dir", tmp_path / "state", "--listen", "127.0.0.1:0", "--blobs", address(bucket)
    missing = opcheckd(*state)
    assert missing.status == 2 and "the key of the bucket is missing" in missing.err
    (tmp_path / "key").write_text("only-an-id\n", encoding="utf-8")
    half = opcheckd(*state, "--blobs-key-file", tmp_path / "key")
    assert half.status == 2 and "an id and a secret" in half.err
    refused = opcheckd("--check-config", "--state-dir", tmp_path / "state", "--blobs", "s3://%s:%s@dumps" % (ID, SECRET))
    assert refused.status == 2
    large = opcheckd("--check-config", "--state-dir", tmp_path / "state", "--blobs", address(bucket), "--limit", "upload-bytes=5G")
    assert large.status == 2 and "at most 5 GB" in large.err and "4G" in large.err
    assert opcheckd("--check-config", "--state-dir", tmp_path / "state", "--blobs", address(bucket), "--limit", "upload-bytes=4G").status == 0
    alone = opcheckd("--check-config", "--state-dir", tmp_path / "state", "--blobs", "database")
    assert alone.status == 2 and "--store" in alone.err


@pytest.mark.parametrize("place, word", [("database", "which has the dumps, too"), ("directory", "copy the directory"), ("s3://dumps", "copy the bucket")])
def test_backup_names_the_programs_of_postgresql(tmp_path, place, word):
    run = opcheckd("backup", tmp_path / "copy", "--state-dir", tmp_path / "state", "--store", "postgresql://opcheck@db/opcheck", "--blobs", place)
    assert run.status == 2 and "pg_dump" in run.err and word in run.err
