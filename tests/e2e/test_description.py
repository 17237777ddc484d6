"""/openapi.json and the service say the same, both ways."""
import json
import re

import jsonschema
import pytest

from conftest import ROOT, Run, environment, program, sampled
from daemon import SMALL


def routes():
    """What opcheckd says that it answers: {(method, path): query parameters}."""
    run = Run([program("opcheckd", "OPCHECKD"), "--routes"], env=environment())
    lines = [line.split() for line in run.text.splitlines()]
    return {(method.lower(), path): set(parameters) for method, path, *parameters in lines}


def described(api):
    """What the description says, the same way."""
    found = {}
    for path, item in api.description["paths"].items():
        for method in item.keys() & {"get", "post", "put", "delete", "patch"}:
            parameters = [api.resolved(p) for p in item.get("parameters", []) + item[method].get("parameters", [])]
            assert {p["name"] for p in parameters if p["in"] == "path"} == set(re.findall(r"{(\w+)}", path))
            found[method, path] = {p["name"] for p in parameters if p["in"] == "query"}
    return found


def test_every_route_is_described_and_every_description_is_a_route(service):
    assert described(service.api) == routes()


def test_the_description_is_the_file_of_the_tree(service):
    text = service.api.get("/openapi.json").text
    assert text == (ROOT / "web" / "openapi.json").read_text(encoding="utf-8")
    assert json.loads(text)["openapi"].startswith("3.1")


def test_every_reference_leads_somewhere(service):
    def walk(value):
        if isinstance(value, dict):
            if "$ref" in value:
                assert service.api.resolved(value)
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(service.api.description)


def operations(api):
    for path, item in api.description["paths"].items():
        for method in item.keys() & {"get", "post", "put", "delete", "patch"}:
            yield method, path, item[method]


def test_every_operation_has_an_id_of_its_own(service):
    """Generated clients call their functions by it."""
    ids = [operation.get("operationId", path) for _, path, operation in operations(service.api)]
    assert [word for word in ids if not re.fullmatch("[a-z]+([A-Z][a-z]+)*", word)] == []
    assert len(ids) > 50 and len(set(ids)) == len(ids)


def json_answers(api):
    """(path, method, status, what is described of it) of every answer that is JSON."""
    for method, path, operation in operations(api):
        for status, response in operation["responses"].items():
            for media, content in api.resolved(response).get("content", {}).items():
                if re.fullmatch(r"application/(\w+\+)?json", media):
                    yield path, method, status, content


def test_every_answer_in_json_has_an_example_that_its_schema_allows(service):
    used = set()
    for path, method, status, content in json_answers(service.api):
        assert content.get("examples"), (method, path, status)
        for example in content["examples"].values():
            used.add(example["$ref"].rsplit("/")[-1])
            service.api.validate(service.api.resolved(example)["value"], content["schema"])
    assert used == set(service.api.description["components"]["examples"])


@pytest.fixture(scope="module")
def values(service):
    """What the parts of addresses in braces are of this service."""
    record = service.api.submit(SMALL.read_bytes(), model="described", tag="t", project="p").json()
    job = service.api.post("/api/v1/assessments", params={"wait": "0", "name": "job.log"}, data=SMALL.read_bytes()).json()
    return {"id": record["id"], "job": job["id"], "run": record["run"]["id"], "model": "described", "name": "aten%3A%3Aadd", "code": "OPC-3005", "project": "p", "token": "0" * 12}


def filled(api, values, path):
    """The address of a path, with what has to follow it."""
    wanted = [p["name"] for p in map(api.resolved, api.description["paths"][path]["get"].get("parameters", []))
              if p["in"] == "query" and p.get("required")]
    query = "?" + "&".join("%s=%s" % (name, values["id"]) for name in wanted) if wanted else ""
    return re.sub(r"{(\w+)}", lambda m: values[m.group(1)], path) + query


def test_every_described_get_answers_as_described(service, values):
    """The requests of daemon.Api hold each reply against the description; here every address is asked once."""
    media = {"/api/v1/assessments/{id}/report": ["application/json", "text/html", "text/plain", "text/csv", "text/markdown"]}
    for method, path in described(service.api):
        if method != "get":
            continue
        for accept in media.get(path, ["*/*"]):
            reply = service.api.get(filled(service.api, values, path), headers={"Accept": accept})
            assert reply.status_code == 200, path
            documented = service.api.description["paths"][path]["get"]["responses"]["200"]
            assert reply.headers["Content-Type"].split(";")[0] in service.api.resolved(documented)["content"], path


def test_an_example_has_no_member_that_answers_lack(service, values):
    for path, method, status, content in json_answers(service.api):
        if (method, status) == ("get", "200") and content["schema"].get("type") != "array":
            example = service.api.resolved(content["examples"]["usual"])["value"]
            assert example.keys() - service.api.json(filled(service.api, values, path)).keys() == set(), path


# --- every address with every parameter


GOOD = {"lang": ["en", "zh-CN"], "limit": ["1", "1000"], "kept": ["true"], "project": ["p"], "model": ["described", "none"], "branch": ["main"], "tag": ["t"],
        "q": ["add", "described"], "verdict": ["ready", "blocked"], "sort": ["created_at", "-created_at", "model", "-branch"], "target": ["npu@v2.7.1-26.0.0", "musa"],
        "torch": ["2.7.1"], "fail_on": ["new"], "next": ["/help"], "assume": ["aten::add=native"], "host_bandwidth": ["3GB/s"],
        "host_slowdown": ["2"], "date": ["2026-01-31"], "wait": ["0", "60"], "require_dtypes": ["false"], "fail_on_expired_waiver": ["true"],
        "dtype": ["fp32,bf16"], "commit": ["c"], "name": ["named.log"],
        **{name: ["2%", "0.5 %"] for name in ("max_blocked_time", "max_fallback_time", "max_unknown_time", "max_dynamic_time", "min_readiness",
                                              "min_coverage", "max_aicpu_time", "max_uncovered_time")}}
STRANGE = ["", "%00", "%FF%FE", "%0A", "%E2%80%AE", "..%2F..%2Fetc", "%27%3B--", "%25s%25n", "x" * 5000, "9" * 30, "-1", "1e3"]


def query_values(api, name, schema, values):
    """(value as an address has it, whether it is right: True, False or unknown) of one parameter."""
    schema = api.resolved(schema)
    if name in ("a", "b"):
        yield from ((values["id"], True), (values["id"][:8], True), ("0" * 64, False), ("x", False))
    for value in GOOD.get(name, []):
        yield value, True
    if schema.get("type") == "integer":
        yield from ((value, False) for value in (str(schema["minimum"] - 1), "x", "-1", "1.5", "9" * 30))
    elif "enum" in schema:
        yield from ((value, False) for value in ("x", "%00", "READY"))
    yield from ((value, None) for value in (STRANGE[:3] if name == "lang" else STRANGE))  # every address has lang


def queries(api, path, values, method="get"):
    """(query, whether it is right) of an address: none, each parameter alone with each of its values, and what it does not know."""
    item = api.description["paths"][path]
    named = {p["name"]: p for p in map(api.resolved, item[method].get("parameters", [])) if p["in"] == "query"}
    # a and b go together also where they may be left out
    needed = {name: value for name, value in (("a", values["id"]), ("b", values["id"]), ("model", "described"), ("kept", "true"))
              if name in named and (name in "ab" or named[name].get("required"))}
    yield "", not any(parameter.get("required") for parameter in named.values())
    for name in needed:
        yield "&".join("%s=%s" % (other, value) for other, value in needed.items() if other != name), False
    for name, parameter in named.items():
        for value, right in query_values(api, name, parameter["schema"], values):
            yield "&".join("%s=%s" % pair for pair in {**needed, name: value}.items()), right
    if named:
        yield "&".join(["no_such=1"] + ["%s=%s" % pair for pair in needed.items()]), False


def test_no_parameter_makes_an_answer_that_is_not_described(fresh):
    """Status, media type and schema of each reply are held against the description by daemon.Api."""
    api = fresh("--limit", "minute-requests=1000000").api
    record = api.submit(SMALL.read_bytes(), model="described", branch="main", tag="t", project="p").json()
    job = api.post("/api/v1/assessments", params={"wait": "0", "name": "job.log"}, data=SMALL.read_bytes()).json()
    values = {"id": record["id"], "job": job["id"], "run": record["run"]["id"], "model": "described", "name": "aten%3A%3Aadd", "code": "OPC-3005", "project": "p", "token": "0" * 12}
    asked, odd = 0, []
    for path in sampled([path for method, path in sorted(described(api)) if method == "get"], 3):
        address = re.sub(r"{(\w+)}", lambda m: values[m.group(1)], path)
        cases = [(address + "?" + query if query else address, right) for query, right in queries(api, path, values)]
        for name in re.findall(r"{(\w+)}", path):
            cases += [(path.replace("{%s}" % name, value), None) for value in [*STRANGE[1:], "0" * 64, "f" * 16, "00000000"]]
        for where, right in cases:
            status = api.get(where).status_code
            asked += 1
            if status >= 500 or status == 429 or right is True and status != 200 or right is False and status not in (400, 404):
                odd.append((where[-120:], status))
    assert odd == []
    assert asked > 300


DONE = {"post": (200, 201, 202, 303), "patch": (204,), "delete": (200, 204, 404), "put": (200,)}


def changes(api, method, path, values):
    """(address, form or None, whether it is right) of every request that changes something: as a query, and where a form is taken, as one."""
    address = re.sub(r"{(\w+)}", lambda m: values[m.group(1)], path)
    body = api.description["paths"][path][method].get("requestBody", {}).get("content", {})
    forms = "multipart/form-data" in body
    for query, right in queries(api, path, values, method):
        yield address + ("?" + query if query else ""), {} if forms else None, None if forms or "fail_on=" in query else right
    if forms:
        fields = api.resolved(body["multipart/form-data"]["schema"])["properties"]
        for name in fields:
            for value in ("", "x", "\r\n--", "\0", "\ud7ff", "1" * 70000, *GOOD.get(name, [])):
                yield address, {name: value}, None
        yield address, {"no_such": "x"}, False
    for name in re.findall(r"{(\w+)}", path):
        for value in [*STRANGE[1:], "0" * 64, "f" * 16, "00000000"]:
            yield path.replace("{%s}" % name, value), {} if forms else None, None


def test_no_change_makes_an_answer_that_is_not_described(fresh):
    api = fresh("--limit", "minute-requests=1000000", "--limit", "caller-jobs=1000", "--limit", "job-queue=1000").api
    asked, odd, paths = 0, [], []
    for method, path in sorted(described(api)):
        if method == "get":
            continue
        record = api.submit(SMALL.read_bytes(), model="described", branch="main", tag="t", project="p").json()
        job = api.post("/api/v1/assessments", params={"wait": "0", "name": "job.log"}, data=SMALL.read_bytes()).json()
        values = {"id": record["id"], "job": job["id"], "run": record["run"]["id"], "model": "described", "name": "aten%3A%3Aadd", "code": "OPC-3005", "project": "p", "token": "0" * 12}
        paths.append((method, path))
        for where, form, right in sampled(changes(api, method, path, values), 3):
            if path == "/api/v1/assessments" and form is not None and form.keys() <= {"csrf"}:
                form = None  # the dump as the body
            if form is None:
                reply = api.request(method.upper(), where, data=SMALL.read_bytes() if path == "/api/v1/assessments" else None,
                                    headers={"If-Match": "*"} if method == "put" else None)
            else:
                file = [("file", ("a.log", SMALL.read_bytes()))] if path == "/api/v1/assessments" else []
                reply = api.request(method.upper(), where, files=[(name, (None, value)) for name, value in form.items()] + file or {"x": (None, "")})
            asked += 1
            renamed = path == "/api/v1/models/{model}" and reply.status_code == 404  # by a request before
            if reply.status_code >= 500 or reply.status_code == 429 or (
                    right is True and reply.status_code not in DONE[method] and not renamed or right is False and reply.status_code not in (400, 404)):
                odd.append((method, where[-120:], form, reply.status_code, reply.text[:200]))
    assert odd == []
    assert asked > 200 and len(paths) >= 9


def test_the_version_tells_the_limits(service, fresh):
    usual = service.api.json("/api/v1/version")
    daemon = fresh("--limit", "upload-bytes=3M", "--limit", "connection-seconds=5")
    limits = daemon.api.json("/api/v1/version")["limits"]
    assert limits == {**usual["limits"], "upload_bytes": 3 * 1024 * 1024, "connection_seconds": 5}
    assert usual["db"]["releases"] > 80 and usual["schema"]["store"] == len(list((ROOT / "schema").glob("store-0*.sql")))
