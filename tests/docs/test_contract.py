"""Programs written for 1.0 go on: everything of the promise in tests/fixtures/contract.json is in the tree, with the same types."""
import copy

import pytest

import contract

REPORT, ADVICE, API = "schema/report.fields.json", "schema/advice.schema.json", "schema/api.fields.json"


@pytest.fixture(scope="module")
def tree():
    return contract.of_tree()


def test_everything_promised_is_in_the_tree(tree):
    assert contract.breaks(contract.promised(), tree) == [], "1.0 promises these: add beside them"


def test_the_promise_is_of_every_schema_and_operation(tree):
    """A new schema is promised from the day it comes: python3 tests/contract.py."""
    promise = contract.promised()
    files = {"schema/" + path.name for path in (contract.ROOT / "schema").glob("*.schema.json")} - {"schema/report.schema.json"}  # its fields say the same
    assert promise.keys() == tree.keys() == files | {REPORT, API, contract.REST}
    operations = [operation for item in promise[contract.REST]["paths"].values() for method, operation in item.items() if method in contract.METHODS]
    assert len(operations) > 70 and all(operation["responses"] for operation in operations)
    assert len(promise[REPORT]["properties"]) > 20 and len(promise[API]) >= 8


def operation(documents, method="get", path="/api/v1/runs"):
    return documents[contract.REST]["paths"][path][method]


def component(documents, name):
    return documents[contract.REST]["components"]["schemas"][name]


def parameter(documents, name, path="/api/v1/assessments", method="post"):
    return next(one for one in operation(documents, method, path)["parameters"] if one.get("name") == name)


def form(documents):
    return operation(documents, "post", "/api/v1/assessments")["requestBody"]["content"]["multipart/form-data"]["schema"]


def input_of(documents):
    return documents[REPORT]["properties"]["inputs"]["items"]


BROKEN = {
    "a field of a report goes": (lambda d: d[REPORT]["properties"].pop("warnings"), ".warnings: is missing"),
    "a field of a report has another type": (lambda d: input_of(d)["properties"]["bytes"].update(type="string"), ".inputs[].bytes: type ['string'] was ['integer']"),
    "a field of a report may be null": (lambda d: input_of(d)["properties"]["bytes"].update(nullable=True), ".inputs[].bytes: type ['integer', 'null']"),
    "a field of a report is left out": (lambda d: input_of(d)["required"].remove("sha256"), ".inputs[].sha256: may now be left out"),
    "a word of a report goes": (lambda d: d[REPORT]["properties"]["basis"]["enum"].remove("calls"), ".basis: words ['calls'] are missing"),
    "a share is above 1": (lambda d: d[REPORT]["properties"]["shown"].update(maximum=100), ".shown: maximum was 1"),
    "an object of the API goes": (lambda d: d[API].pop("Recipe"), "Recipe: is missing"),
    "a field of another document goes": (lambda d: d[ADVICE]["properties"].popitem(), "schema/advice.schema.json"),
    "an address goes": (lambda d: d[contract.REST]["paths"].pop("/api/v1/runs"), "GET /api/v1/runs: is missing"),
    "a method goes": (lambda d: d[contract.REST]["paths"]["/api/v1/runs/{run}"].pop("patch"), "PATCH /api/v1/runs/{run}: is missing"),
    "a function has another name": (lambda d: operation(d).update(operationId="allRuns"), "GET /api/v1/runs: operationId was listRuns"),
    "a parameter goes": (lambda d: operation(d)["parameters"].clear(), "GET /api/v1/runs model: is missing"),
    "a parameter becomes required": (lambda d: parameter(d, "name").update(required=True), "POST /api/v1/assessments name: is now required"),
    "a new parameter is required": (lambda d: operation(d)["parameters"].append({"name": "who", "in": "query", "required": True, "schema": {"type": "string"}}),
                                    "GET /api/v1/runs who: is now required"),
    "a parameter takes less": (lambda d: parameter(d, "name")["schema"].update(maxLength=3), "POST /api/v1/assessments name: maxLength was None"),
    "a parameter takes a few words": (lambda d: parameter(d, "name")["schema"].update(enum=["a"]), "POST /api/v1/assessments name: words ['other']"),
    "a field of a form goes": (lambda d: form(d)["properties"].pop("target"), "multipart/form-data.target: is missing"),
    "a field of a form becomes required": (lambda d: form(d)["required"].append("target"), "multipart/form-data.target: is now required"),
    "a status goes": (lambda d: operation(d, "post", "/api/v1/assessments")["responses"].pop("201"), "POST /api/v1/assessments 201: is missing"),
    "a media type goes": (lambda d: operation(d, path="/api/v1/jobs/{job}")["responses"]["200"]["content"].pop("text/event-stream"), "200 text/event-stream: is missing"),
    "a header of an answer goes": (lambda d: operation(d, path="/api/v1/assessments/{id}")["responses"]["200"]["headers"].pop("ETag"), "200 ETag: is missing"),
    "an answer lacks a field": (lambda d: component(d, "Run")["properties"].pop("tags"), ".tags: is missing"),
    "a webhook lacks a field": (lambda d: d[contract.REST]["webhooks"]["run"]["post"]["requestBody"].update(content={}), "POST run body application/json: is missing"),
    "a request needs a token": (lambda d: operation(d, path="/healthz").update(security=[{"token": []}]), "GET /healthz: security was None"),
}


@pytest.mark.parametrize("change", BROKEN)
def test_a_broken_promise_is_seen(tree, change):
    spoil, found = BROKEN[change]
    documents = copy.deepcopy(tree)
    spoil(documents)
    lines = contract.breaks(tree, documents)
    assert any(found in line for line in lines), lines


def test_what_comes_besides_breaks_nothing(tree):
    documents = copy.deepcopy(tree)
    documents[REPORT]["properties"]["later"] = {"type": "string"}
    documents[REPORT]["properties"]["basis"]["enum"].append("joules")
    documents[REPORT]["required"].append("later")
    documents[API]["Later"] = {"type": "object", "properties": {}}
    operation(documents)["parameters"].append({"name": "later", "in": "query", "schema": {"type": "string"}})
    operation(documents)["responses"]["418"] = {}
    parameter(documents, "name")["schema"] = {"type": ["string", "integer"]}
    form(documents)["properties"]["later"] = {"type": "string"}
    component(documents, "Run")["properties"]["later"] = {"type": "string"}
    documents[contract.REST]["paths"]["/api/v1/later"] = {"get": operation(documents)}
    assert contract.breaks(tree, documents) == []
    assert contract.breaks(documents, tree) != []
