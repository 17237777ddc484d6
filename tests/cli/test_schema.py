"""schema/report.schema.json and web/openapi.json say of names, types, required keys, words and bounds what the records say that write a
report and the objects of the API."""
import json
import subprocess

import pytest
from conftest import ROOT, program
from contract import resolved, types_of, words_of

SCHEMA = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
FIELDS = ROOT / "schema" / "report.fields.json"
API_FIELDS = ROOT / "schema" / "api.fields.json"
REST = json.loads((ROOT / "web" / "openapi.json").read_text(encoding="utf-8"))
COMPONENTS = REST["components"]["schemas"]
BOTH = {"$defs": SCHEMA["$defs"], "components": REST["components"]}
UNWRITTEN = {"report.operators[].observed.where": {"absent"}}  # of comparisons alone


def print_fields(*arguments):
    return subprocess.run([program("record_schema", "OPCHECK_RECORD_SCHEMA"), *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def printed():
    return print_fields()


@pytest.fixture(scope="module")
def printed_api():
    return print_fields("api")


def differences(field, node, path):
    """What the schema says otherwise of a value than its field."""
    node = resolved(BOTH, node)
    if "made" in field:
        return
    if "enum" in field:
        if not words_of(BOTH, node) <= set(field["enum"]) or not set(field["enum"][1:]) - UNWRITTEN.get(path, set()) <= words_of(BOTH, node):
            yield "%s: words %s" % (path, sorted(words_of(BOTH, node) ^ set(field["enum"])))
        return
    wanted = {field["type"]} | ({"null"} if field.get("nullable") else set())
    if types_of(BOTH, node) != wanted:
        yield "%s: type %s, not %s" % (path, types_of(BOTH, node), wanted)
    if "minimum" in field and node.get("minimum", field["minimum"] - 1) < field["minimum"]:
        yield "%s: minimum %s" % (path, field["minimum"])
    if "maximum" in field and node.get("maximum", field["maximum"] + 1) > field["maximum"]:
        yield "%s: maximum %s" % (path, field["maximum"])
    if "items" in field and field["items"]:
        yield from differences(field["items"], node.get("items", {}), path + "[]")
    if "propertyNames" in field:
        yield from differences(field["propertyNames"], node.get("propertyNames", {}), path + " keys")
    if "additionalProperties" in field:
        yield from differences(field["additionalProperties"], node.get("additionalProperties", {}), path + ".*")
    if "properties" in field:
        yield from differences_of_keys(field, node, path)


def differences_of_keys(field, node, path):
    properties, required, always = node.get("properties", {}), set(node.get("required", ())), set(field["required"])
    for key in sorted(field["properties"].keys() ^ properties.keys()):
        yield "%s.%s: only in the %s" % (path, key, "schema" if key in properties else "record")
    for key in sorted(required - always - set(field.get("later", ()))):
        yield "%s.%s: required, but may be left out" % (path, key)
    for key in sorted(always - required):
        yield "%s.%s: always written, but not required" % (path, key)
    for key in sorted(field["properties"].keys() & properties.keys()):
        yield from differences(field["properties"][key], properties[key], path + "." + key)


def test_the_fields_are_those_of_the_records(printed):
    assert printed == FIELDS.read_text(encoding="utf-8"), "write the output of tests/record_schema to %s" % FIELDS


def test_the_schema_says_the_same_as_the_fields(printed):
    assert list(differences(json.loads(printed), SCHEMA, "report")) == []


def test_the_fields_of_the_api_are_those_of_the_records(printed_api):
    assert printed_api == API_FIELDS.read_text(encoding="utf-8"), "write the output of `record_schema api` to %s" % API_FIELDS


def test_the_description_says_the_same_as_the_fields(printed_api):
    found = [line for name, field in json.loads(printed_api).items() for line in differences(field, COMPONENTS[name], name)]
    assert found == []


@pytest.mark.parametrize("component, key, change, found", [
    ("Job", "progress", {"nullable": False}, "Job.progress: type"),
    ("Run", "tags", {"type": "string"}, "Run.tags: type"),
    ("Run", "kept", None, "Run.kept: only in the schema"),
    ("Assessment", "input", {"required": []}, "Assessment.input.bytes: required, but may be left out"),
    ("Target", "aliases", {"items": {"type": "integer"}}, "Target.aliases[]: type"),
    ("Operator", "operators", {"items": {"type": "object", "properties": {}, "required": []}}, "Operator.operators[].facts: only in the schema"),
])
def test_a_difference_of_the_api_is_seen(printed_api, component, key, change, found):
    field = json.loads(printed_api)[component]
    if change is None:
        del field["properties"][key]
    else:
        field["properties"][key].update(change)
    assert any(found in line for line in differences(field, COMPONENTS[component], component))


@pytest.mark.parametrize("path, change, found", [
    (("properties", "inputs", "items", "properties", "bytes"), {"type": "string"}, "bytes: type"),
    (("properties", "inputs", "items", "properties", "bytes"), {"minimum": 1}, "bytes: minimum 1"),
    (("properties", "basis", "enum"), ["self_device_time", "calls", "moons"], "basis: words"),
    (("required",), ["inputs"], "warnings: required, but may be left out"),
    (("properties", "warnings"), None, "warnings: only in the schema"),
    (("properties", "operators", "items", "properties", "time_share"), {"maximum": 0.5}, "time_share: maximum 0.5"),
])
def test_a_difference_is_seen(printed, path, change, found):
    fields = json.loads(printed)
    *outer, last = path
    node = fields
    for step in outer:
        node = node[step]
    if change is None:
        del node[last]
    elif isinstance(change, dict):
        node[last].update(change)
    else:
        node[last] = change
    assert any(found in line for line in differences(fields, SCHEMA, "report"))
