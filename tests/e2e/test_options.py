"""Every option of `opcheck check` over REST and through `opcheck submit`: the same report, exit status and errors."""
import http.server
import json
import re
import threading

import pytest
import requests

from conftest import FIXTURES
from daemon import SMALL
from test_runs import token

TARGET = "npu@v2.7.1-26.0.0"
OVERLOAD = FIXTURES / "eras" / "2.9-overload.log"
WAIVER = '[waiver w1]\nop = aten::*\nreason = looked at\nuntil = 2030-01-01\n'

OPTIONS = {
    "fail-on": "unsupported,cpu-fallback,unknown,dynamic-unknown,conditional", "max-blocked-time": "0.5%", "max-fallback-time": "0%", "max-unknown-time": "1%",
    "max-dynamic-time": "0%", "min-readiness": "99.25%", "min-coverage": "50%", "max-aicpu-time": "3%", "max-uncovered-time": "7.5%",
    "dtype": "fp32,bf16", "assume": "aten::addmm=unsupported", "host-bandwidth": "2.5GB/s", "host-slowdown": "1.75",
}
WRONG = {"fail-on": "everything", "max-blocked-time": "two", "min-readiness": "200%", "dtype": "fp33", "assume": "aten::add", "host-bandwidth": "fast",
         "host-slowdown": "0", "max-uncovered-time": "x", "date": "yesterday"}

NOT_IN_THIS_DUMP = {"max-uncovered-time", "dtype"}


def words(options):
    return [word for name, value in options.items() for word in ("--" + name, value)]


def both(service, opcheck, submit, path, *args):
    """What the command says here and what it says by way of the service."""
    direct, served = (run(*start, path, "-t", TARGET, "-f", "json", *args) for run, start in ((opcheck, ["check"]), (submit, [service])))
    assert served.text == direct.text and served.status == direct.status, (direct.err, served.err)
    return direct


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_means_the_same_to_the_service(service, opcheck, submit, name):
    plain = opcheck("check", OVERLOAD, "-t", TARGET, "-f", "json").text
    assert (both(service, opcheck, submit, OVERLOAD, "--" + name, OPTIONS[name]).text != plain) == (name not in NOT_IN_THIS_DUMP)


def test_all_options_go_together(service, opcheck, submit, tmp_path):
    waivers = [tmp_path / "team.txt", tmp_path / "own.txt"]
    waivers[0].write_text(WAIVER)
    waivers[1].write_text("[waiver w2]\nop = aten::addmm\nreason = old\nuntil = 2020-01-01\n")
    run = both(service, opcheck, submit, OVERLOAD, *words(OPTIONS), "--waivers", waivers[0], "--waivers", waivers[1], "--date", "2029-12-31",
               "--fail-on-expired-waiver")
    assert run.status == 1
    assert [item["name"] for item in run.json["policy"]["waivers"]] == ["team.txt", "own.txt"]
    assert run.json["waived"] and run.json["policy"]["date"] == "2029-12-31"


def test_several_files_make_one_report(service, opcheck, submit, tmp_path):
    paths = [tmp_path / name for name in ("b_rank_1.log", "b_rank_0.log")]
    for path in paths:
        path.write_bytes(SMALL.read_bytes())
    direct, served = opcheck("check", *paths, "-t", TARGET, "-f", "json"), submit(service, *paths, "-t", TARGET, "-f", "json")
    assert served.text == direct.text and len(served.json["inputs"]) == 2
    each = submit(service, *paths, "-t", TARGET, "-f", "json", "--each")
    assert each.status == 0 and len(re.findall(r'^ "basis"', each.text, re.M)) == 2
    assert submit(service, *paths, "--each", "-o", tmp_path / "x.json").status == 2
    with open(paths[0], "rb") as stdin:
        assert len(submit(service, "-", paths[1], "-t", TARGET, "-f", "json", stdin=stdin).json["inputs"]) == 2


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_has_the_same_error(service, opcheck, name):
    reply = service.api.submit(SMALL.read_bytes(), **{name.replace("-", "_"): WRONG[name]})
    run = opcheck("check", SMALL, "--" + name, WRONG[name])
    assert run.status == 2 and reply.status_code == 400
    problem = reply.json()
    assert "error %s: %s" % (problem["code"], problem["detail"]) in run.err and problem["hint"] in run.err


def test_every_option_of_check_is_a_parameter(service, opcheck):
    """But for what is of the machine where the command runs, and what shapes its output."""
    here = {"format", "output", "force", "lang", "color", "verbose", "quiet", "csv-bom", "each", "db", "overlay", "limit", "exit-zero", "new-only", "help",
            "config", "no-config", "debug", "waivers", "estimate", "section", "summary", "severity"}
    text = opcheck("check", "--help").text + opcheck("help", "gate").text
    options = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", text, re.M))
    described = {p["name"] for p in map(service.api.resolved, service.api.description["paths"]["/api/v1/assessments"]["post"]["parameters"])}
    assert {name for name in options - here if name.replace("-", "_") not in described} == set()
    assert len(options - here) > 18


def test_a_wrong_time_to_wait_is_refused_also_where_the_answer_is_there(service):
    assert service.api.submit(SMALL.read_bytes(), name="wait.log").status_code == 201
    for wait in ("x", "-1", "1.5", "9" * 30):
        assert service.api.submit(SMALL.read_bytes(), name="wait.log", wait=wait).status_code == 400


# --- waivers and baselines


def with_waivers(api, *texts, **fields):
    files = [("file", ("a.log", OVERLOAD.read_bytes()))] + [("waivers", ("w%d.txt" % i, text)) for i, text in enumerate(texts)]
    return api.post("/api/v1/assessments", data={"target": TARGET, **fields}, files=files)


def test_waivers_are_part_of_what_is_asked(service):
    first, second, none = (with_waivers(service.api, *texts) for texts in ([WAIVER], [WAIVER + "# x\n"], []))
    assert len({reply.json()["id"] for reply in (first, second, none)}) == 3
    assert with_waivers(service.api, WAIVER).json()["id"] == first.json()["id"]


@pytest.mark.parametrize("text, status, code", [("[waiver w]\nop = x\n", 400, "OPC-2015"), ("\0", 400, "OPC-2003"), ("#" * (1 << 20) + "\n", 413, "OPC-3009")])
def test_waivers_that_are_none_are_refused(service, text, status, code):
    reply = with_waivers(service.api, text)
    assert (reply.status_code, reply.json()["code"]) == (status, code)


def test_waivers_are_no_parameter_of_the_address(service):
    assert service.api.submit(SMALL.read_bytes(), waivers=WAIVER).status_code == 400


def test_a_baseline_is_an_assessment_of_the_service(service, opcheck, tmp_path):
    gate = {"target": TARGET, "fail_on": "unsupported,cpu-fallback,unknown,conditional,dynamic-unknown", "name": "base.log"}
    before = service.api.submit(OVERLOAD.read_bytes(), **gate).json()
    assert before["targets"][0]["gate"] == "failed"
    for begin in (before["id"], before["id"][:9]):
        after = service.api.submit(OVERLOAD.read_bytes(), **{**gate, "baseline": begin}).json()
        assert after["targets"][0]["gate"] == "passed"
        report = service.api.json(after["links"]["report"] + ".json")
        assert report["policy"]["baseline"]["name"] == before["id"] and {f["age"] for f in report["findings"]} == {"known"}
    assert service.api.submit(OVERLOAD.read_bytes(), baseline="0" * 64).status_code == 400


def test_a_baseline_of_another_project_is_not_there(fresh):
    daemon = fresh()
    vision, audio = (token(daemon, "submit", name) for name in ("vision", "audio"))
    mine = daemon.api.post("/api/v1/assessments", data=SMALL.read_bytes(), headers=vision).json()["id"]
    path = "/api/v1/assessments?name=other&baseline=" + mine
    assert daemon.api.post(path, data=SMALL.read_bytes(), headers=audio).status_code == 400
    assert daemon.api.post(path, data=SMALL.read_bytes(), headers=vision).status_code == 201


# --- a service that answers later


class Later(http.server.BaseHTTPRequestHandler):
    """The service as one that is slow and busy: each submit becomes a job, and every second question comes too often."""
    url, asked = "", 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path = re.sub(r"wait=\d+", "wait=0", self.path)
        self.forward(requests.post(self.url + path, data=body, headers={"Content-Type": self.headers["Content-Type"]}, timeout=60))

    def do_GET(self):
        type(self).asked += 1
        if self.asked % 2:
            self.send(429, b'{"code": "OPC-5011", "detail": "too often"}', [("Retry-After", "1")])
        else:
            self.forward(requests.get(self.url + self.path, timeout=60))

    def forward(self, reply):
        self.send(reply.status_code, reply.content, [(name, reply.headers[name]) for name in ("Retry-After", "Location") if name in reply.headers])

    def send(self, status, body, headers):
        self.send_response(status)
        for name, value in headers + [("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def later(fresh):
    daemon = fresh()
    handler = type("Handler", (Later,), {"url": daemon.url})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.url = "http://127.0.0.1:%d" % server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def test_the_client_waits_for_a_job(later, opcheck, submit, tmp_path):
    direct = opcheck("check", SMALL, "-t", TARGET, "-f", "json", "--fail-on", "unknown")
    served = submit(later, SMALL, "-t", TARGET, "-f", "json", "--fail-on", "unknown")
    assert (served.text, served.status) == (direct.text, direct.status), served.err
    (tmp_path / "no.log").write_text("nothing\n")
    failed = submit(later, tmp_path / "no.log")
    assert failed.status == 3 and "OPC-3005" in failed.err and "no.log" in failed.err


def test_a_service_without_stacks_does_not_say_where_programs_call_operators(fresh, opcheck):
    trace = FIXTURES / "traces" / "lastbatch.c.trace.json.gz"
    api, lines = fresh("--no-stacks").api, {}
    record = api.submit(trace.read_bytes(), name=trace.name, target="npu@v2.7.1-26.0.0").json()
    assert record["options"]["no_stacks"] is True
    for form in ("json", "html", "text", "csv"):
        lines[form] = api.get(record["links"]["report"], headers={"Accept": {"text": "text/plain"}.get(form, "text/" + form)
                                                                  if form != "json" else "application/json"}).text
    assert "gen_lastbatch.py(" in opcheck("check", trace, "-t", "npu@v2.7.1-26.0.0", "-f", "json").text
    assert not any("gen_lastbatch.py(" in text for text in [*lines.values(), api.get(record["links"]["page"]).text])
    assert not any(operator.get("callers") for operator in json.loads(lines["json"])["operators"])
