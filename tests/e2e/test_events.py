"""The events of a job, as they come about."""
import json
import re
import socket
import threading

import pytest
import requests

from daemon import SERVICES, SMALL, wait_until
from test_jobs import bombs
from test_replicas import hold_job
from test_runs import token

EVENTS = {"Accept": "text/event-stream"}


def later(api, name="a.log", **options):
    return api.post("/api/v1/assessments", params={"wait": "0", "name": name}, data=SMALL.read_bytes(), **options).json()


def events(reply):
    """(kind, data) of each event; comments are left out."""
    for block in reply.text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            yield fields["event"], json.loads(fields["data"])


def block(daemon):
    """A job in the one slot of each service, which stands still, and the job that waits behind them."""
    free, daemon.first = list(daemon.each), []
    for number, content in enumerate(bombs(SERVICES)):
        daemon.first.append(daemon.api.submit(content, wait="0", name="big%d.log" % number).json())
        free.remove(hold_job(*free))
    daemon.second = later(daemon.api)
    return daemon


@pytest.fixture
def blocked(fresh):
    return block(fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "event-streams=3"))


def test_a_job_tells_its_states_until_it_is_over(service):
    job = later(service.api, "events.log")
    reply = service.each[0].api.get(job["links"]["self"], headers=EVENTS)  # nginx takes its header out
    assert reply.status_code == 200 and reply.headers["Content-Type"] == "text/event-stream"
    assert reply.headers["Cache-Control"] == "no-store" and reply.headers["X-Accel-Buffering"] == "no"
    found = list(events(reply))
    assert [kind for kind, _ in found] == ["job"] * (len(found) - 1) + ["end"]
    kind, last = found[-1]
    assert last == service.api.json(job["links"]["self"]) and last["status"] == "succeeded"
    for _, data in found:
        service.api.validate(data, {"$ref": "#/components/schemas/Job"})
    again = list(events(service.api.get(job["links"]["self"], headers=EVENTS)))
    assert again == [("end", last)]


def test_who_takes_json_too_gets_that(service):
    job = later(service.api, "events2.log")
    assert service.api.get(job["links"]["self"], headers={"Accept": "application/json, text/event-stream"}).json()["id"] == job["id"]
    assert service.api.head(job["links"]["self"], headers=EVENTS).status_code == 200


def test_a_job_that_is_cancelled_ends_its_stream(blocked):
    path, found = blocked.second["links"]["self"], []
    reader = threading.Thread(target=lambda: found.extend(events(requests.get(blocked.url + path, headers=EVENTS, timeout=60))))
    reader.start()
    assert wait_until(lambda: blocked.api.json(path)["status"] == "queued")
    assert blocked.api.delete(path).status_code == 200
    reader.join(60)
    assert found[-1][0] == "end" and found[-1][1]["status"] == "cancelled"


def open_stream(daemon, path):
    connection = socket.create_connection(("127.0.0.1", int(daemon.url.rsplit(":", 1)[1])), timeout=60)
    connection.sendall(b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAccept: text/event-stream\r\n\r\n" % path.encode())
    head = b""
    while b"\n\n" not in head.partition(b"\r\n\r\n")[2]:
        piece = connection.recv(4096)
        if not piece:
            break
        head += piece
    return connection, head


def test_streams_are_bounded_and_one_that_is_left_makes_room(blocked):
    path = blocked.second["links"]["self"]
    held = [open_stream(blocked, path) for _ in range(3 * SERVICES)]
    assert all(b" 200 " in head and b"queued" in head for _, head in held)
    refused = blocked.api.get(path, headers=EVENTS)
    assert refused.status_code == 503 and refused.json()["code"] == "OPC-5006"
    assert blocked.api.json(path)["status"] == "queued"  # others are served meanwhile
    blocked.api.delete(path)
    for connection, head in held:
        said = re.findall(rb"data: (.*)", head + b"".join(iter(lambda: connection.recv(4096), b"")))
        assert len(said) > 1 and not any(event == later for event, later in zip(said, said[1:])), said  # each is a change
        connection.close()
    assert wait_until(lambda: blocked.api.get(path, headers=EVENTS).status_code == 200)


def test_a_token_has_a_share_of_the_streams(fresh):
    daemon = block(fresh("--limit", "jobs=1", "--limit", "small-bytes=0", "--limit", "caller-streams=2"))
    one, other = token(daemon, "submit"), token(daemon, "submit")
    path = daemon.second["links"]["self"]
    held = [requests.get(daemon.url + path, headers={**EVENTS, **one}, stream=True, timeout=60) for _ in range(2 * SERVICES)]
    assert [reply.status_code for reply in held] == [200, 200] * SERVICES
    refused = daemon.api.get(path, headers={**EVENTS, **one})
    assert refused.status_code == 429 and refused.json()["code"] == "OPC-5011" and refused.headers["Retry-After"]
    with requests.get(daemon.url + path, headers={**EVENTS, **other}, stream=True, timeout=60) as reply:
        assert reply.status_code == 200
    daemon.api.delete(path)
    assert all(reply.text.rstrip().splitlines()[-2] == "event: end" for reply in held)


def test_a_service_that_ends_ends_its_streams(blocked):
    connection, _ = open_stream(blocked, blocked.second["links"]["self"])
    for job in blocked.first:
        blocked.api.delete(job["links"]["self"])
    blocked.stop()
    while connection.recv(4096):
        pass
    connection.close()


def test_the_events_of_another_project_are_not_there(fresh):
    daemon = fresh()
    vision, audio = (token(daemon, "submit", name) for name in ("vision", "audio"))
    job = later(daemon.api, headers=vision)
    assert daemon.api.get(job["links"]["self"], headers={**EVENTS, **audio}).status_code == 404
    assert list(events(daemon.api.get(job["links"]["self"], headers={**EVENTS, **vision})))[-1][0] == "end"
