"""A client in Python that is generated from /openapi.json alone does what a team's program needs, and so does one of 1.0's description."""
import json
import keyword
import re

import pytest

import contract
from daemon import SMALL
from test_runs import token

HEAD = '''
import json
import urllib.error
import urllib.parse
import urllib.request


class Problem(Exception):
    def __init__(self, status, body):
        super().__init__(body.get("detail", ""))
        self.status, self.code, self.hint = status, body.get("code"), body.get("hint")


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


class Client:
    def __init__(self, server, token=None):
        self.server, self.token = server, token
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay)

    def _ask(self, method, path, query, body, statuses, headers):
        pairs = [(name, str(item)) for name, value in query.items() if value is not None
                 for item in (value if isinstance(value, (list, tuple)) else [value])]
        url = self.server + path + ("?" + urllib.parse.urlencode(pairs) if pairs else "")
        request = urllib.request.Request(url, data=body, method=method, headers=dict(headers or {}))
        if body is not None:
            request.add_header("Content-Type", "application/octet-stream")
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        try:
            reply = self.opener.open(request, timeout=60)
        except urllib.error.HTTPError as error:
            reply = error
        text, kind = reply.read(), reply.headers.get_content_type()
        if str(reply.status) not in statuses:
            raise AssertionError("%s is not described" % reply.status)
        if reply.status >= 400:
            raise Problem(reply.status, json.loads(text) if kind == "application/problem+json" else {})
        return json.loads(text) if kind == "application/json" else text
'''
METHOD = '''
    def {name}(self, {arguments}):
        """{summary}"""
        return self._ask({method!r}, {path}, dict({query}), {body}, {statuses!r}, headers)
'''


def snake(word):
    word = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda m: "_" + m.group(1).lower(), word)
    return word + "_" if keyword.iskeyword(word) else word


def generated(description):
    """The source of a client: a method for each operation, its parts of the path first, then body, then parameters by name."""
    def resolved(item):
        while "$ref" in item:
            at = description
            for key in item["$ref"].split("/")[1:]:
                at = at[key]
            item = at
        return item

    source = HEAD
    for path, item in description["paths"].items():
        for method in ("get", "post", "put", "patch", "delete"):
            if method not in item:
                continue
            operation = item[method]
            parameters = [resolved(p) for p in item.get("parameters", []) + operation.get("parameters", [])]
            places, queries = ([p for p in parameters if p["in"] == kind] for kind in ("path", "query"))
            body = "requestBody" in operation
            arguments = [snake(p["name"]) for p in places] + ["body=None"] * body + ["*", "headers=None"]
            arguments += [snake(p["name"]) + ("" if p.get("required") else "=None") for p in queries]
            source += METHOD.format(
                name=snake(operation["operationId"]), arguments=", ".join(arguments), summary=operation.get("summary", "").replace('"', "'"),
                method=method.upper(), body="body" if body else "None", statuses=sorted(operation["responses"]),
                path=" + ".join(repr(part) if i % 2 == 0 else "urllib.parse.quote(%s, safe='')" % snake(part)
                                for i, part in enumerate(re.split(r"{(\w+)}", path)) if part),
                query="[%s]" % ", ".join("(%r, %s)" % (p["name"], snake(p["name"])) for p in queries))
    return source


@pytest.fixture(scope="module", params=["today", "promised"])
def description(request, service):
    return service.api.description if request.param == "today" else contract.promised()[contract.REST]


@pytest.fixture(scope="module")
def module(description):
    space = {}
    exec(compile(generated(description), "generated_client.py", "exec"), space)  # what openapi.json makes, no more
    return space


def test_every_operation_is_a_method(description, module):
    ids = [item[method]["operationId"] for item in description["paths"].values()
           for method in item.keys() & {"get", "post", "put", "patch", "delete"}]
    assert len(ids) > 50 and [name for name in ids if not hasattr(module["Client"], snake(name))] == []


def test_a_program_submits_waits_and_finds_its_runs(fresh, module):
    daemon = fresh()
    client = module["Client"](daemon.url)
    done = client.create_assessment(SMALL.read_bytes(), name="a.log", target=["npu", "musa"], model="llama", branch="main", tag=["a", "b"], max_blocked_time="90%")
    job = client.create_assessment(SMALL.read_bytes(), name="b.log", model="llama", headers={"Prefer": "respond-async"})
    while job["status"] in ("queued", "running"):
        job = client.get_job(job["id"])
    assert job["status"] == "succeeded"
    runs = client.list_runs(model="llama", limit=1)
    older = client.list_runs(model="llama", limit=1, cursor=runs["next_cursor"])
    assert runs["total"] == 2 and older["items"][0]["id"] == done["run"]["id"]
    report = client.get_report_json(done["id"])
    assert [target["id"].split("@")[0] for target in report["targets"]] == ["npu", "musa"]
    assert client.get_report_csv(done["id"], lang="zh-CN").count(b"\n") > 10
    client.change_run(done["run"]["id"], name="renamed", kept="true")
    assert client.get_run(done["run"]["id"])["name"] == "renamed"
    client.remove_run(done["run"]["id"])
    assert client.list_runs()["total"] == 1


def test_its_errors_are_the_problems_of_the_service(fresh, module):
    daemon = fresh()
    secret = token(daemon, "read")["Authorization"].split()[1]
    for ask, status, code in ((lambda c: c.get_run("0" * 16), 404, "OPC-2011"), (lambda c: c.create_assessment(b"x", target="tpu"), 400, "OPC-2005"),
                              (lambda c: c.create_assessment(b"x"), 422, "OPC-3005"), (lambda c: c.list_runs(limit=0), 400, "OPC-2003")):
        with pytest.raises(module["Problem"]) as found:
            ask(module["Client"](daemon.url))
        assert (found.value.status, found.value.code) == (status, code) and found.value.hint
    with pytest.raises(module["Problem"]) as found:
        module["Client"](daemon.url, secret).create_assessment(b"x")
    assert found.value.status == 403
    with pytest.raises(TypeError):
        module["Client"](daemon.url).list_runs(no_such=1)
