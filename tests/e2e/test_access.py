"""Who may do what: this machine, a proxy that passes requests on, and everybody else."""
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, Run, environment, program
from daemon import SMALL, wait_until

FORWARDED = ({"X-Forwarded-For": "192.0.2.7"}, {"Forwarded": "for=192.0.2.7"}, {"X-Forwarded-Proto": "http"},
             {"x-forwarded-host": "localhost"}, {"X-Forwarded-Anything": "x"}, {"X-Real-IP": "127.0.0.1"}, {"Via": "1.1 proxy"}, {"X-Forwarded-For": "127.0.0.1"})


def opcheckd(*args, **options):
    return Run([program("opcheckd", "OPCHECKD"), *args], env=environment(), timeout=30, **options)


def test_this_machine_needs_no_token(service):
    assert service.api.submit(SMALL.read_bytes()).status_code in (200, 201)
    assert service.api.get("/").status_code == 200


@pytest.mark.parametrize("headers", FORWARDED)
def test_what_a_proxy_passes_on_is_not_local(service, headers):
    for reply in (service.api.get("/api/v1/assessments", headers=headers), service.api.submit_with(headers)):
        assert (reply.status_code, reply.json()["code"]) == (401, "OPC-5008")
        assert reply.headers["WWW-Authenticate"] == "Bearer"
    assert service.api.get("/healthz", headers=headers).status_code == 200
    assert not any((service.state / "incoming").iterdir())


@pytest.mark.parametrize("scope,read,submit", (("none", 401, 401), ("read", 200, 401), ("submit", 200, 422)))
def test_anonymous_requests_may_do_what_the_operator_says(fresh, scope, read, submit):
    daemon = fresh("--anonymous", scope)
    headers = {"X-Forwarded-For": "192.0.2.7"}
    assert daemon.api.get("/api/v1/assessments", headers=headers).status_code == read
    assert daemon.api.submit_with(headers).status_code == submit
    # "none" means this machine, too
    assert daemon.api.get("/api/v1/assessments").status_code == (401 if scope == "none" else 200)


@pytest.mark.parametrize("args,code", (
    (["--anonymous", "all"], "OPC-2009"), (["--proxy-users", "root"], "OPC-2009"), (["--trusted-proxy", "proxy.example"], "OPC-2009"),
    (["--trusted-proxy", "10.0.0.0/33"], "OPC-2009"), (["--trusted-proxy", "10.0.0/8"], "OPC-2009")))
def test_a_wrong_setting_is_an_error(tmp_path, args, code):
    for check in ([], ["--check-config"]):
        run = opcheckd("--state-dir", tmp_path / "state", *args, *check)
        assert run.status == 2 and code in run.err, run.err


def test_settings_come_from_the_file_too(tmp_path):
    path = tmp_path / "opcheckd.conf"
    path.write_text("[access]\nhost = a.example\nhost = b.example\ntrusted-proxy = 10.0.0.0/8\nanonymous = read\n", encoding="utf-8")
    assert opcheckd("--config", path, "--state-dir", tmp_path, "--check-config").status == 0
    path.write_text("[access]\nanonymous = everything\n", encoding="utf-8")
    assert opcheckd("--config", path, "--state-dir", tmp_path, "--check-config").status == 2


def test_users_that_a_trusted_proxy_names(fresh):
    daemon = fresh("--trusted-proxy", "127.0.0.1", "--proxy-users", "submit")
    user = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-User": "ada"}
    assert daemon.api.submit_with(user).status_code == 422
    assert daemon.api.submit_with({"X-Forwarded-For": "192.0.2.7"}).status_code == 401
    stranger = fresh("--trusted-proxy", "127.0.0.9", "--proxy-users", "submit")
    assert stranger.api.submit_with(user).status_code == 401


def test_every_setting_of_the_example_is_one_and_is_described(tmp_path):
    text = (ROOT / "deploy" / "opcheckd.conf").read_text(encoding="utf-8")
    path, overlay = tmp_path / "opcheckd.conf", tmp_path / "site.tsv"
    path.write_text(re.sub("^#(?=[a-z-]+ = )", "", text, flags=re.M), encoding="utf-8")
    overlay.write_text("", encoding="utf-8")
    (tmp_path / "webhook.key").write_text("k" * 32 + "\n", encoding="utf-8")
    run = opcheckd("--config", path, "--state-dir", tmp_path, "--check-config")
    assert run.status == 0, run.err
    manual = (ROOT / "deploy" / "man" / "opcheckd.conf.5").read_text(encoding="utf-8")
    for name in re.findall("^#([a-z-]+) = ", text, re.M):
        assert name in manual or name == "upload-seconds", name


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_the_unit_is_exposed_as_little_as_a_service_can_be(tmp_path):
    unit = tmp_path / "opcheckd.service"
    text = (ROOT / "deploy" / "opcheckd.service.in").read_text(encoding="utf-8").replace("@bindir@", "/usr/bin")
    unit.write_text(text, encoding="utf-8")
    run = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=12", unit], capture_output=True, check=False)
    assert run.returncode == 0, run.stdout.decode()


# --- tokens

OUTSIDE = {"X-Forwarded-For": "192.0.2.7"}


def add(daemon, scope, *args):
    run = opcheckd("token", "add", *daemon.place, "--scope", scope, *args)
    assert run.status == 0 and re.fullmatch(r"opc_[0-9a-f]{12}_[0-9a-f]{64}\n", run.text), run.err
    return run.text.strip()


def bearer(token, **more):
    return {**OUTSIDE, "Authorization": "Bearer " + token, **more}


def listed(daemon):
    return [line.split() for line in opcheckd("token", "list", *daemon.place).text.splitlines()[1:]]


@pytest.mark.parametrize("scope,read,submit", (("read", 200, 403), ("submit", 200, 422), ("admin", 200, 422)))
def test_a_token_allows_what_its_scope_says_while_the_service_runs(fresh, scope, read, submit):
    daemon = fresh()
    headers = bearer(add(daemon, scope))
    assert daemon.api.get("/api/v1/assessments", headers=headers).status_code == read
    reply = daemon.api.submit_with(headers)
    assert reply.status_code == submit and (submit == 422 or reply.json()["code"] == "OPC-5009")


def test_a_token_that_was_revoked_or_is_past_its_time_holds_no_more(fresh):
    daemon = fresh()
    token, other = add(daemon, "read", "--name", "ci", "--project", "llama"), add(daemon, "read", "--expires", "90d")
    assert daemon.api.get("/targets", headers=bearer(token)).status_code == 200
    assert opcheckd("token", "revoke", token.split("_")[1], *daemon.place).status == 0
    assert daemon.api.get("/targets", headers=bearer(token)).status_code == 401
    assert daemon.api.get("/targets", headers=bearer(other)).status_code == 200
    daemon.sql("UPDATE token SET expires_at = 1000 WHERE expires_at > 0")
    assert daemon.api.get("/targets", headers=bearer(other)).status_code == 401
    rows = {row[0]: row for row in listed(daemon)}
    assert rows[token.split("_")[1]][5:] == ["revoked", "llama", "ci"] and rows[other.split("_")[1]][5] == "expired"


@pytest.mark.parametrize("spoil", (lambda t: t[:-1] + ("0" if t[-1] != "0" else "1"), lambda t: t[:-1], lambda t: t + "0", lambda t: t.upper(),
                                   lambda t: "opc_" + "0" * 12 + t[16:], lambda t: "opc__", lambda t: "", lambda t: "x" * 1000))
def test_what_is_nearly_a_token_is_none_not_even_for_this_machine(fresh, spoil):
    daemon = fresh()
    token = add(daemon, "admin")
    assert daemon.api.get("/targets", headers=bearer(spoil(token))).status_code == 401
    if spoil(token):
        assert daemon.api.get("/targets", headers={"Authorization": "Bearer " + spoil(token)}).status_code == 401


def test_a_token_is_kept_as_its_hash_and_stands_in_no_log_and_no_query(fresh):
    daemon = fresh()
    token = add(daemon, "submit")
    secret = token.split("_")[2]
    assert daemon.api.get("/targets?token=" + token, headers=OUTSIDE).status_code in (400, 401)
    assert daemon.api.post("/login?token=" + token, files={"x": (None, "")}, headers=OUTSIDE).status_code == 400
    daemon.api.get("/api/v1/assessments", headers=bearer(token))
    daemon.api.get("/" + token, headers=bearer("opc_" + token))
    log = daemon.stop()
    assert secret not in log.replace("GET /" + token, "")
    assert "from 192.0.2.7 by token" not in log  # nobody trusts that header
    assert "from 127.0.0.1 by token %s\n" % token.split("_")[1] in log
    for path in daemon.state.rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes(), path


def test_the_address_that_a_trusted_proxy_forwards_is_logged(fresh):
    daemon = fresh("--trusted-proxy", "127.0.0.0/8", "--anonymous", "read")
    daemon.api.get("/targets", headers={"X-Forwarded-For": "6.6.6.6, 192.0.2.7, 127.0.0.5"})
    daemon.api.get("/targets", headers={"Forwarded": 'for=6.6.6.6, for="[2001:db8::7]:4711";proto=https'})
    daemon.api.get("/targets", headers={"X-Forwarded-For": "no address"})
    log = daemon.stop()
    for address in ("192.0.2.7", "2001:db8::7", "unknown"):
        assert "from %s by anonymous" % address in log


@pytest.mark.parametrize("args,code", (
    (["token"], "OPC-2004"), (["token", "show"], "OPC-2004"), (["token", "add"], "OPC-2002"), (["token", "add", "--scope", "root"], "OPC-2003"),
    (["token", "add", "--scope", "read", "--expires", "1999-01-01"], "OPC-2003"), (["token", "add", "--scope", "read", "--expires", "1969-12-31"], "OPC-2003"),
    (["token", "add", "--scope", "read", "--expires", "soon"], "OPC-2003"),
    (["token", "add", "--scope", "read", "--name", "a\nb"], "OPC-2003"), (["token", "revoke"], "OPC-2004"), (["token", "revoke", "x"], "OPC-2002")))
def test_what_token_does_not_understand(tmp_path, args, code):
    run = opcheckd(*args, "--state-dir", tmp_path / "state")
    assert run.status == 2 and code in run.err and run.out == b"", run.err


def test_a_public_address_needs_tokens_or_insecure(tmp_path, fresh):
    daemon = fresh()
    daemon.stop()
    public = [*daemon.place, "--listen", "0.0.0.0:0"]
    assert opcheckd(*public).status == 2
    add(daemon, "read")
    with subprocess.Popen([program("opcheckd", "OPCHECKD"), *public], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()) as process:
        assert process.stdout.readline().startswith(b"opcheckd: listening on http://0.0.0.0:")
        process.terminate()


def test_the_client_sends_its_token(fresh, tmp_path, opcheck):
    daemon = fresh("--anonymous", "none")
    token = add(daemon, "submit")
    path = tmp_path / "token"
    path.write_text(token + "\n", encoding="utf-8")
    send = ["submit", SMALL, "--server", daemon.url]
    assert opcheck(*send).status == 5
    assert opcheck(*send, "--token-file", path).status == 0
    assert opcheck(*send, "--token-file", tmp_path / "missing").status == 3
    run = Run([program("opcheck", "OPCHECK"), *send], env=environment(OPCHECK_TOKEN=token))
    assert run.status == 0, run.err
    assert Run([program("opcheck", "OPCHECK"), *send], env=environment(OPCHECK_TOKEN="a b")).status == 2


# --- browsers


def log_in(daemon, token, headers, **options):
    return daemon.api.post("/login", files={"token": (None, token)}, headers=headers, **options)


def session_of(reply):
    assert reply.status_code == 303, reply.text
    return reply.headers["Set-Cookie"].split(";")[0]


def test_a_browser_logs_in_and_out(fresh):
    daemon = fresh()
    token = add(daemon, "submit")
    page = {**OUTSIDE, "Accept": "text/html"}
    refused = daemon.api.get("/targets", headers=page)
    assert refused.status_code == 401 and 'href="/login?next=%2Ftargets"' in refused.text
    assert 'name="token"' in daemon.api.get("/login?next=%2Ftargets", headers=page).text
    reply = log_in(daemon, token, page, params={"next": "/targets"})
    assert reply.headers["Location"] == "/targets"
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(reply.headers["Set-Cookie"].split("; "))
    assert token.split("_")[2] not in reply.headers["Set-Cookie"]
    page["Cookie"] = session_of(reply)
    home = daemon.api.get("/", headers=page)
    assert home.status_code == 200
    csrf = re.search('name="csrf" value="([0-9a-f]{64})"', home.text).group(1)
    send = {"file": ("a.log", SMALL.read_bytes())}
    assert daemon.api.post("/api/v1/assessments", files={**send, "csrf": (None, csrf)}, headers=page).status_code == 303
    for wrong in ({}, {"csrf": (None, "")}, {"csrf": (None, csrf[:-1] + "x")}):
        assert daemon.api.post("/api/v1/assessments", files={**send, **wrong}, headers=page).status_code == 403
    raw = {**page, "Accept": "application/json"}
    assert daemon.api.submit_with(raw).status_code == 403
    assert daemon.api.submit_with({**raw, "X-CSRF-Token": csrf}).status_code == 422
    assert daemon.api.post("/logout", files={"x": (None, "")}, headers=page).status_code == 400
    assert daemon.api.post("/logout", files={"csrf": (None, csrf)}, headers=page).headers["Location"] == "/login"
    assert daemon.api.get("/", headers=page).status_code == 401
    assert not any((daemon.state / "incoming").iterdir())


@pytest.mark.parametrize("method", ("PATCH", "DELETE"))
def test_a_change_by_cookie_needs_the_value_of_its_session(fresh, method):
    daemon = fresh()
    run = daemon.api.submit(SMALL.read_bytes()).json()["run"]
    browser = {**OUTSIDE, "Cookie": session_of(log_in(daemon, add(daemon, "admin"), OUTSIDE))}
    path, change = run["links"]["self"], {"params": {"name": "x"}} if method == "PATCH" else {}
    csrf = re.search('name="csrf" value="([0-9a-f]{64})"', daemon.api.get("/", headers={**browser, "Accept": "text/html"}).text).group(1)
    for wrong in ({}, {"X-CSRF-Token": "0" * 64}, {"X-CSRF-Token": csrf, "Sec-Fetch-Site": "cross-site"}):
        assert daemon.api.request(method, path, headers={**browser, **wrong}, **change).status_code == 403, wrong
    # nor does a browser send one for another site without any cookie, to a service that trusts this machine
    assert daemon.api.request(method, path, headers={"Sec-Fetch-Site": "cross-site"}, **change).status_code == 403
    assert daemon.api.request(method, path, headers={"Origin": "https://evil.example"}, **change).status_code == 403
    reply = daemon.api.request(method, path, headers={**browser, "X-CSRF-Token": csrf, "Sec-Fetch-Site": "same-origin"}, **change)
    assert reply.status_code in (200, 204), reply.text


def test_a_session_ends_with_its_token(fresh):
    daemon = fresh()
    token = add(daemon, "read")
    headers = {**OUTSIDE, "Cookie": session_of(log_in(daemon, token, OUTSIDE))}
    assert daemon.api.get("/targets", headers=headers).status_code == 200
    assert len(listed(daemon)) == 1  # sessions are no tokens of the list
    opcheckd("token", "revoke", token.split("_")[1], *daemon.place)
    assert daemon.api.get("/targets", headers=headers).status_code == 401


@pytest.mark.parametrize("said", ({"X-Forwarded-Proto": "https"}, {"Forwarded": "for=192.0.2.7;proto=https"}))
def test_behind_tls_the_cookie_is_bound_to_the_host(fresh, said):
    daemon = fresh("--trusted-proxy", "127.0.0.1")
    token, tls = add(daemon, "read"), {**OUTSIDE, **said}
    reply = log_in(daemon, token, tls)
    name, value = session_of(reply).split("=")
    assert name == "__Host-opcheck" and "; Secure" in reply.headers["Set-Cookie"]
    assert daemon.api.get("/targets", headers={**tls, "Cookie": "a=b; %s=%s" % (name, value)}).status_code == 200
    # one that somebody planted without TLS does not count
    assert daemon.api.get("/targets", headers={**tls, "Cookie": "opcheck=" + value}).status_code == 401


def test_a_session_logs_in_with_another_token(fresh):
    daemon = fresh()
    page = {**OUTSIDE, "Accept": "text/html"}
    page["Cookie"] = session_of(log_in(daemon, add(daemon, "read"), page))
    assert 'href="/login?next=%2Ftokens"' in daemon.api.get("/tokens", headers=page).text
    csrf = re.search('action="/login.*?name="csrf" value="([0-9a-f]{64})"', daemon.api.get("/login", headers=page).text, re.S).group(1)
    other = daemon.api.post("/login", files={"token": (None, add(daemon, "admin")), "csrf": (None, csrf)}, headers=page)
    page["Cookie"] = session_of(other)
    assert daemon.api.get("/tokens", headers=page).status_code == 200


def test_the_login_leads_back_to_the_address_with_its_query_and_language(fresh):
    daemon = fresh()
    page = {**OUTSIDE, "Accept": "text/html"}
    refused = daemon.api.get("/compare?a=1&b=%26&lang=zh-CN", headers=page).text
    assert 'href="/login?next=%2Fcompare%3Fa%3D1%26b%3D%2526%26lang%3Dzh-CN&amp;lang=zh-CN"' in refused
    assert 'href="/login?next=%2Fdemand%3Ftarget%3Dnpu"' in log_in(daemon, "wrong", page, params={"next": "/demand?target=npu"}).text
    again = daemon.api.get("/login?next=%2Fdemand", headers={**page, "Authorization": "Bearer wrong"}).text
    assert 'href="/login?next=%2Fdemand"' in again
    assert 'href="/login?next=%2Foperators"' in daemon.api.get("/operators?q=" + "x" * 3000, headers=page).text
    assert log_in(daemon, add(daemon, "read"), page, params={"next": "/compare?a=1&b=%26"}).headers["Location"] == "/compare?a=1&b=%26"


def test_pages_have_the_forms_that_the_token_allows(fresh):
    daemon = fresh()
    run = daemon.api.submit(SMALL.read_bytes(), model="resnet").json()["run"]["id"]
    for scope, forms in (("read", 0), ("submit", 1), ("admin", 2)):
        daemon.api.cookies.clear()
        page = {**OUTSIDE, "Accept": "text/html"}
        page["Cookie"] = session_of(log_in(daemon, add(daemon, scope), page))
        home, *others = (daemon.api.get(path, headers=page).text for path in ("/", "/runs/" + run, "/models/resnet"))
        assert ('id="upload"' in home, 'href="/login"' in home) == (forms > 0, forms == 0)
        for text in others:
            assert ('name="kept"' in text, 'name="remove"' in text) == (forms > 0, forms > 1)


@pytest.mark.parametrize("next_", ("//evil.example", "https://evil.example", "/\\evil.example", "\\evil", "/a\nb"))
def test_the_login_leads_to_no_other_site(fresh, next_):
    daemon = fresh()
    assert log_in(daemon, add(daemon, "read"), OUTSIDE, params={"next": next_}).headers["Location"] == "/"


def test_what_is_no_login(fresh):
    daemon = fresh()
    for token in ("", "opc_x_y", "x" * 5000):
        reply = log_in(daemon, token, OUTSIDE)
        assert reply.status_code == 401 and "Set-Cookie" not in reply.headers
    assert daemon.api.post("/login", data=b"x" * 100, headers=OUTSIDE).status_code == 415
    assert daemon.api.post("/login", files={"file": ("a", b"x" * 100)}, headers=OUTSIDE).status_code == 400
    assert daemon.api.post("/login", files={"token": (None, "x" * 100000)}, headers=OUTSIDE).status_code == 413
    assert log_in(daemon, add(daemon, "read"), {**OUTSIDE, "Origin": "http://evil.example"}).status_code == 403
    assert not any((daemon.state / "incoming").iterdir())


def test_administrators_make_and_revoke_tokens_on_a_page(fresh):
    daemon = fresh()
    admin, other, reader = bearer(add(daemon, "admin")), bearer(add(daemon, "admin", "--project", "p1")), bearer(add(daemon, "submit"))
    for path in ("/tokens", "/queue"):
        assert daemon.api.get(path, headers=reader).status_code == 403

    def send(path, who, **fields):
        return daemon.api.post(path, files={name: (None, value) for name, value in fields.items()}, headers={**who, "Accept": "text/html"})

    assert send("/tokens", reader, scope="admin", name="mine").status_code == 403
    made = send("/tokens", admin, scope="submit", name="<b>ci</b>", expires="90d")
    assert made.status_code == 400  # no word for a name
    made = send("/tokens", admin, scope="submit", name="ci", expires="90d")
    text = re.search(r"opc_([0-9a-f]{12})_[0-9a-f]{64}", made.text)
    assert made.status_code == 200 and made.headers["Cache-Control"] == "no-store"
    assert daemon.api.get("/models", headers=bearer(text.group(0))).status_code == 200
    shown = daemon.api.get("/tokens", headers=admin).text
    assert text.group(1) in shown and text.group(0) not in shown
    # an administrator of one project has to do with its tokens alone
    assert text.group(1) not in daemon.api.get("/tokens", headers=other).text
    assert send("/tokens/" + text.group(1), other, sure="true").status_code == 404
    own = re.search(r"opc_[0-9a-f]{12}_[0-9a-f]{64}", send("/tokens", other, scope="read", project="p2").text).group(0)
    assert [line for line in listed(daemon) if line[0] == own.split("_")[1] and "p1" in line]
    assert send("/tokens/" + text.group(1), admin, sure="true").headers["Location"] == "/tokens"
    assert daemon.api.get("/models", headers=bearer(text.group(0))).status_code == 401
    noted = lambda: [(a["action"], a["subject"]) for a in daemon.api.json("/api/v1/audit")["items"] if "/tokens" in a["action"] and a["status"] < 400]  # noqa: E731
    assert wait_until(lambda: {("POST /tokens", text.group(1)), ("POST /tokens/{token}", text.group(1))} <= set(noted()))


def test_a_session_makes_tokens_with_the_secret_of_its_form_alone(fresh):
    daemon = fresh()
    browser = {**OUTSIDE, "Accept": "text/html"}
    browser["Cookie"] = session_of(log_in(daemon, add(daemon, "admin"), browser))
    shown = daemon.api.get("/tokens", headers=browser).text
    csrf = re.search(r'name="csrf" value="([0-9a-f]+)"', shown[shown.index('action="/tokens'):]).group(1)
    for fields, status in (({}, 403), ({"csrf": "0" * 64}, 403), ({"csrf": csrf}, 200)):
        parts = {name: (None, value) for name, value in {"scope": "read", **fields}.items()}
        assert daemon.api.post("/tokens", files=parts, headers=browser).status_code == status
