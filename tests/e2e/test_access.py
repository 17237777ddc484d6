"""Who may do what: this machine, a proxy that passes requests on, and everybody else."""
import pytest

from conftest import Run, environment, program
from daemon import SMALL

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
