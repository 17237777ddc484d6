"""How often and how much: per token and per address; what is left on the disk; and what /metrics counts of it."""
import re

from daemon import SERVICES, SMALL, metrics
from test_access import OUTSIDE, add, bearer


def asked(daemon, headers, count):
    return [daemon.api.get("/api/v1/version", headers=headers) for _ in range(count)]


def test_an_address_that_asks_too_often_is_told_when_to_come_again(fresh):
    daemon = fresh("--anonymous", "read", "--trusted-proxy", "127.0.0.1", "--limit", "minute-requests=%d" % (5 * SERVICES))
    replies = asked(daemon, OUTSIDE, 7 * SERVICES)
    assert [reply.status_code for reply in replies] == [200] * 5 * SERVICES + [429] * 2 * SERVICES
    assert [reply.headers["RateLimit"].split(";t=")[0] for reply in replies[:3 * SERVICES]] == [
        '"default";r=%d' % left for left in (4, 3, 2) for _ in range(SERVICES)]
    assert replies[0].headers["RateLimit-Policy"] == '"default";q=5;w=60'
    assert replies[-1].json()["code"] == "OPC-5011" and 1 <= int(replies[-1].headers["Retry-After"]) <= 13
    # others are not concerned: another address, this machine
    assert daemon.api.get("/targets", headers={"X-Forwarded-For": "192.0.2.8"}).status_code == 200
    assert all(reply.status_code == 200 and "RateLimit" not in reply.headers for reply in asked(daemon, {}, 10))
    # a client cannot choose its address
    assert daemon.api.get("/targets", headers={"X-Forwarded-For": "6.6.6.6, 192.0.2.7"}).status_code == 429


def test_a_page_that_comes_too_often_says_when_to_come_again_in_the_language_of_its_reader(fresh):
    daemon = fresh("--anonymous", "read", "--limit", "minute-requests=%d" % SERVICES)
    asked(daemon, OUTSIDE, SERVICES)
    reply = daemon.api.get("/models?lang=zh-CN", headers={**OUTSIDE, "Accept": "text/html"})
    assert reply.status_code == 429 and '<html lang="zh-CN">' in reply.text
    assert "请在 %s 秒后重试" % reply.headers["Retry-After"] in reply.text
    bad = daemon.api.get("/targets", headers={**bearer("opc_x"), "Accept-Language": "zh"})
    assert (bad.status_code, bad.headers["Content-Language"]) == (429, "zh-CN")


def test_the_addresses_of_a_site_count_as_one(fresh):
    daemon = fresh("--anonymous", "read", "--trusted-proxy", "127.0.0.1", "--limit", "minute-requests=%d" % (5 * SERVICES))
    statuses = [daemon.api.get("/targets", headers={"X-Forwarded-For": "2001:db8:0:1::%x" % i}).status_code for i in range(7 * SERVICES)]
    assert statuses == [200] * 5 * SERVICES + [429] * 2 * SERVICES
    assert daemon.api.get("/targets", headers={"X-Forwarded-For": "2001:db8:0:2::1"}).status_code == 200


def test_a_token_counts_wherever_it_comes_from(fresh):
    daemon = fresh("--trusted-proxy", "127.0.0.1", "--limit", "minute-requests=%d" % (5 * SERVICES))
    one, other = add(daemon, "read"), add(daemon, "read")
    statuses = [daemon.api.get("/targets", headers=bearer(one, **{"X-Forwarded-For": "192.0.2.%d" % i})).status_code for i in range(6 * SERVICES)]
    assert statuses == [200] * 5 * SERVICES + [429] * SERVICES
    assert daemon.api.get("/targets", headers=bearer(other)).status_code == 200


def test_who_tries_tokens_is_stopped(fresh):
    daemon = fresh("--limit", "minute-requests=%d" % (5 * SERVICES))
    token = add(daemon, "read")
    statuses = [daemon.api.get("/targets", headers=bearer(token[:-3] + "%03x" % i)).status_code for i in range(8 * SERVICES)]
    assert statuses == [401] * 5 * SERVICES + [429] * 3 * SERVICES
    assert daemon.api.post("/login", files={"token": (None, token)}, headers=OUTSIDE).status_code == 429
    assert daemon.api.get("/targets", headers=bearer(token)).status_code == 200


def test_bytes_are_counted_too(fresh):
    daemon = fresh("--anonymous", "submit", "--limit", "hour-bytes=%d" % (SMALL.stat().st_size // 2 * SERVICES))
    sent = [daemon.api.submit_with(OUTSIDE, SMALL.read_bytes()).status_code for _ in range(SERVICES)]
    assert sent == [201] + [200] * (SERVICES - 1)
    for _ in range(SERVICES):
        reply = daemon.api.submit_with(OUTSIDE, b"x")
        assert reply.status_code == 429 and int(reply.headers["Retry-After"]) > 600


def test_a_disk_that_is_nearly_full_takes_no_dump_and_serves_the_rest(fresh, tmp_path):
    daemon = fresh()
    record = daemon.api.submit(SMALL.read_bytes()).json()
    daemon.stop()
    full = fresh("--limit", "free-bytes=200000G", state=daemon.state)
    for reply in (full.api.submit(b"x" * 100000), full.api.post("/api/v1/assessments", files={"file": ("a", b"x" * 100000)})):
        assert (reply.status_code, reply.json()["code"]) == (507, "OPC-5005")
    assert full.api.get("/readyz").status_code == 507
    assert full.api.get(record["links"]["report"] + ".json").status_code == 200
    assert not any((full.state / "incoming").iterdir())


def test_metrics_count_what_happened_and_name_nobody(fresh):
    daemon = fresh("--limit", "minute-requests=%d" % (2 * SERVICES))
    token = add(daemon, "read", "--name", "someone")
    record = daemon.api.submit(SMALL.read_bytes()).json()
    daemon.api.get("/nothing/like/that")
    asked(daemon, bearer(token), 3 * SERVICES)
    for one in daemon.each:
        reply = one.api.get("/metrics")
        assert reply.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
        lines = reply.text.splitlines()
        names = [line.rsplit(" ", 1)[0] for line in lines if not line.startswith("#")]
        assert lines[-1] == "# EOF" and all(re.fullmatch(r"[a-z_]+(\{[^{}]*\})?", name) for name in names if "route" not in name)
        for private in (token.split("_")[1], "someone", record["id"], "like", "192.0.2.7"):
            assert private not in reply.text
    values = metrics(*daemon.each)
    assert values['opcheckd_http_requests_total{method="POST",route="/api/v1/assessments",code="201"}'] == 1
    assert values['opcheckd_http_requests_total{method="",route="",code="404"}'] == 1
    assert values["opcheckd_rate_limited_total"] == SERVICES
    assert values["opcheckd_input_bytes_total"] == SMALL.stat().st_size
    assert values["opcheckd_services"] == SERVICES ** 2  # each counts all
    assert values["opcheckd_http_request_duration_seconds_count"] == values['opcheckd_http_request_duration_seconds_bucket{le="+Inf"}']
    assert daemon.api.get("/metrics", headers=OUTSIDE).status_code == 401
