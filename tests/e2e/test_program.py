"""opcheckd as a program: options, starting, logging, telling the service manager."""
import os
import re
import signal
import socket
import stat
import subprocess

import pytest

from conftest import Run, environment, program
from daemon import SMALL, raw, wait_until


def opcheckd(*args, **env):
    return Run([program("opcheckd", "OPCHECKD"), *args], env=environment(**env), timeout=30)


def test_help_fits_a_screen_and_version_is_one_line():
    run = opcheckd("--help")
    assert run.status == 0 and run.err == ""
    lines = run.text.splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    assert "--routes" not in run.text
    assert re.fullmatch(r"opcheckd \d+\.\d+\.\d+\n", opcheckd("--version").text)


@pytest.mark.parametrize("args,status,code", (
    (["--colour"], 2, "OPC-2001"), (["--listen"], 2, "OPC-2002"), (["extra"], 2, "OPC-2002"), (["--threads", "0"], 2, "OPC-2003"),
    (["--threads", "x"], 2, "OPC-2003"), (["--limit", "speed=3"], 2, "OPC-2003"), (["--limit", "connections=1"], 2, "OPC-2003"),
    (["--listen", "0.0.0.0:0"], 2, "OPC-2003"), (["--listen", "nowhere"], 2, "OPC-2003"),
    (["--listen", "192.0.2.1:0", "--insecure"], 5, "OPC-5003")))
def test_what_it_cannot_do_it_says_and_ends(tmp_path, args, status, code):
    run = opcheckd("--state-dir", tmp_path / "state", *args)
    assert (run.status, run.out) == (status, b"")
    assert code in run.err and len(run.err.splitlines()) == 1, run.err


def test_health_asks_the_running_service(service):
    run = opcheckd("health", "--listen", "127.0.0.1:%d" % service.port)
    assert (run.status, run.out, run.err) == (0, b"", "")
    run = opcheckd("health", OPCHECKD_LISTEN="0.0.0.0:%d" % service.port)
    assert run.status == 0, run.err
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        run = opcheckd("health", "--listen", "127.0.0.1:%d" % unused.getsockname()[1])
    assert run.status == 5 and "OPC-5001: no service answers at 127.0.0.1:" in run.err
    assert opcheckd("health", "now").status == 2


def test_a_port_in_use_and_a_directory_in_use(service, tmp_path):
    run = opcheckd("--listen", "127.0.0.1:%d" % service.port, "--state-dir", tmp_path / "state")
    assert run.status == 5 and "OPC-5003" in run.err
    run = opcheckd("--listen", "127.0.0.1:0", "--state-dir", service.state)
    assert run.status == 5 and "another opcheckd" in run.err
    run = opcheckd("--listen", "127.0.0.1:0", "--state-dir", "/dev/null/state")
    assert run.status == 5 and "OPC-5004" in run.err


def test_where_the_state_goes(tmp_path):
    places = {"STATE_DIRECTORY": tmp_path / "managed", "XDG_STATE_HOME": tmp_path / "xdg", "HOME": tmp_path / "home"}
    for used, below in (("STATE_DIRECTORY", ""), ("XDG_STATE_HOME", "opcheckd"), *([("HOME", ".local/state/opcheckd")] if os.geteuid() else ())):
        # it ends at the address, behind the store
        run = opcheckd("--listen", "nowhere", **{**{k: "" for k in places}, used: str(places[used])})
        assert run.status == 2
        assert (places[used] / below / "store.sqlite").exists()
    run = opcheckd("--check-config", **{k: "" for k in places})
    assert "state directory: /var/lib/opcheck\n" in run.text if os.geteuid() == 0 else run.status == 2
    # the setting of a file wins over what the manager says, and both over the rest
    conf = tmp_path / "opcheckd.conf"
    conf.write_text("state-dir = %s\n" % (tmp_path / "set"), encoding="utf-8")
    run = opcheckd("--check-config", OPCHECKD_CONFIG=str(conf), **{k: str(v) for k, v in places.items()})
    assert "state directory: %s\n" % (tmp_path / "set") in run.text


def test_what_it_keeps_is_for_its_user_alone(service):
    service.api.submit(SMALL.read_bytes())
    for path in [service.state, *service.state.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_one_line_a_request(fresh):
    daemon = fresh()
    # a line is written when the reply is out
    assert wait_until(lambda: " GET /openapi.json 200 " in daemon.errors())
    before = len(daemon.errors().splitlines())
    reply = daemon.api.submit(SMALL.read_bytes())
    assert wait_until(lambda: " POST " in daemon.errors())
    raw(daemon, b"GET /no\x1b[31m\xff%0a?secret=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    log = daemon.stop().splitlines()[before:]
    size = SMALL.stat().st_size
    assert re.fullmatch(r"opcheckd: %s POST /api/v1/assessments 201 \d+\.\d ms, %d bytes in, \d+ out, from 127\.0\.0\.1 by local"
                        % (reply.headers["X-Request-Id"], size), log[0])
    assert " GET /no\\x1b[31m\ufffd%0a 404 " in log[1] and "secret" not in log[1] and log[1].isprintable()
    assert log[2] == "opcheckd: ending, 0 requests under way" and len(log) == 3


def test_levels_for_the_journal(fresh, tmp_path):
    daemon = fresh(env={"JOURNAL_STREAM": "8:1"}, db=tmp_path / "missing.sqlite")
    daemon.api.get("/healthz")
    daemon.api.get("/readyz")
    lines = daemon.stop().splitlines()
    assert lines[0].startswith("<3>") and "OPC-4001" in lines[0] and str(tmp_path) in lines[0]
    assert any(re.match("<6>[0-9a-f]{16} GET /healthz 200 ", line) for line in lines)
    failed = [line for line in lines if " GET /readyz 503 " in line]
    assert failed and failed[0].startswith("<3>")


@pytest.mark.parametrize("abstract", (False, True))
def test_the_service_manager_is_told(fresh, tmp_path, abstract):
    name = "\0opcheckd-test-%d" % os.getpid() if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name)
        manager.settimeout(20)
        daemon = fresh(env={"NOTIFY_SOCKET": name.replace("\0", "@")})
        assert daemon.alone()
        assert manager.recv(100) == b"READY=1"
        daemon.signal(signal.SIGINT)
        assert manager.recv(100) == b"STOPPING=1"
        assert daemon.wait() == 0


def test_it_listens_on_ipv6(tmp_path):
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    process = subprocess.Popen([program("opcheckd", "OPCHECKD"), "--listen", "[::1]:0", "--state-dir", tmp_path / "state"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    line = process.stdout.readline().decode()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert re.fullmatch(r"opcheckd: listening on http://\[::1\]:\d+\n", line) and process.returncode == 0


def over_unix(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(b"GET /api/v1/assessments HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer


def test_it_listens_on_a_unix_socket_for_its_user_alone(tmp_path):
    path = tmp_path / "opcheckd.sock"
    for _ in range(2):  # the second time over what the first one left
        process = subprocess.Popen([program("opcheckd", "OPCHECKD"), "--listen", "unix:%s" % path, "--state-dir", tmp_path / "state"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        assert process.stdout.readline().decode() == "opcheckd: listening on unix:%s\n" % path
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert over_unix(path).startswith(b"HTTP/1.1 200 ")
        assert opcheckd("--listen", "unix:%s" % path, "--state-dir", tmp_path / "other").status == 5
        process.send_signal(signal.SIGTERM)
        assert "from unix by local" in process.communicate(timeout=30)[1].decode()


@pytest.mark.parametrize("host,status", (("127.0.0.1", 0), ("0.0.0.0", 2)))
def test_it_takes_the_socket_of_the_service_manager(tmp_path, host, status):
    with socket.create_server((host, 0)) as listener:
        code = ("import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ['LISTEN_PID'] = str(os.getpid()); "
                "os.execv(sys.argv[2], sys.argv[2:])")
        process = subprocess.Popen(["/usr/bin/python3", "-c", code, str(listener.fileno()), program("opcheckd", "OPCHECKD"),
                                    "--state-dir", tmp_path / "state"], pass_fds=(listener.fileno(),),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**environment(), "LISTEN_FDS": "1"})
        line = process.stdout.readline().decode()
        assert line == ("opcheckd: listening on http://127.0.0.1:%d\n" % listener.getsockname()[1] if status == 0 else "")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        assert process.returncode == status


def test_hangup_reads_access_again_and_keeps_the_old_one_on_an_error(fresh, tmp_path):
    path = tmp_path / "opcheckd.conf"
    path.write_text("[access]\nanonymous = read\n", encoding="utf-8")
    daemon = fresh("--config", str(path))
    outside = {"X-Forwarded-For": "192.0.2.7"}

    def hang_up(text, line):
        path.write_text(text, encoding="utf-8")
        before = daemon.errors().count(line)
        daemon.signal(signal.SIGHUP)
        assert wait_until(lambda: daemon.errors().count(line) > before)

    assert daemon.api.get("/targets", headers=outside).status_code == 200
    hang_up("[access]\nanonymous = none\nhost = a.example\n", "read the settings again")
    assert daemon.api.get("/targets", headers=outside).status_code == 401
    assert daemon.api.get("/healthz", headers={"Host": "a.example"}).status_code == 200
    hang_up("[access]\nanonymous = all\n", "OPC-2009")
    assert daemon.api.get("/targets", headers=outside).status_code == 401


def test_the_service_manager_hears_that_it_lives_and_reloads(fresh, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20)
        daemon = fresh(env={"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"})
        assert daemon.alone()
        assert [manager.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        daemon.signal(signal.SIGHUP)
        heard = iter(lambda: manager.recv(100), b"READY=1")
        assert any(re.fullmatch(rb"RELOADING=1\nMONOTONIC_USEC=\d+", state) for state in heard)
