"""/openapi.json and the service say the same, both ways."""
import json
import re

from conftest import ROOT, Run, environment, program
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


def test_every_described_get_answers_as_described(service):
    """The requests of daemon.Api hold each reply against the description; here every address is asked once."""
    record = service.api.submit(SMALL.read_bytes()).json()
    job = service.api.post("/api/v1/assessments", params={"wait": "0", "name": "job.log"}, data=SMALL.read_bytes()).json()
    values = {"id": record["id"], "job": job["id"], "run": record["run"]["id"], "name": "aten%3A%3Aadd", "code": "OPC-3005"}
    media = {"/api/v1/assessments/{id}/report": ["application/json", "text/html", "text/plain", "text/csv", "text/markdown"]}
    for method, path in described(service.api):
        if method != "get":
            continue
        for accept in media.get(path, ["*/*"]):
            wanted = [p["name"] for p in map(service.api.resolved, service.api.description["paths"][path]["get"].get("parameters", []))
                      if p["in"] == "query" and p.get("required")]
            query = "?" + "&".join("%s=%s" % (name, record["id"]) for name in wanted) if wanted else ""
            reply = service.api.get(re.sub(r"{(\w+)}", lambda m: values[m.group(1)], path) + query, headers={"Accept": accept})
            assert reply.status_code == 200, path
            documented = service.api.description["paths"][path]["get"]["responses"]["200"]
            assert reply.headers["Content-Type"].split(";")[0] in service.api.resolved(documented)["content"], path


def test_the_version_tells_the_limits(service, fresh):
    usual = service.api.json("/api/v1/version")
    daemon = fresh("--limit", "upload-bytes=3M", "--limit", "connection-seconds=5")
    limits = daemon.api.json("/api/v1/version")["limits"]
    assert limits == {**usual["limits"], "upload_bytes": 3 * 1024 * 1024, "connection_seconds": 5}
    assert usual["db"]["releases"] > 80 and usual["schema"]["store"] == 6
