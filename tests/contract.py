"""What 1.0 promises to programs: tests/fixtures/contract.json has the schemas and the REST description as 1.0 has them, without their
words. `python3 tests/contract.py` adds to that file what the tree has besides; it refuses where something of the promise is missing."""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROMISE = ROOT / "tests" / "fixtures" / "contract.json"
REST = "web/openapi.json"
FILES = ("schema/report.fields.json", "schema/api.fields.json", "schema/advice.schema.json", "schema/comparison.schema.json",
         "schema/diff.schema.json", "schema/db-diff.schema.json", REST)
METHODS = ("get", "post", "put", "patch", "delete")
WORDS = ("description", "title", "summary", "tags", "$id", "$schema", "default", "later")
TYPES = {bool: "boolean", str: "string"}
LOWEST, HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), ("maximum", "maxLength", "maxItems")


def without_words(node, names=False):
    """The node without descriptions and examples; names: its keys are names that users chose."""
    if isinstance(node, list):
        return [without_words(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: without_words(value, not names and key in ("properties", "schemas", "parameters", "paths", "$defs")) for key, value in node.items()
            if names or key != "examples" and not (key in WORDS and not isinstance(value, dict))}


def of_tree():
    return {name: without_words(json.loads((ROOT / name).read_text(encoding="utf-8"))) for name in FILES}


def promised():
    return json.loads(PROMISE.read_text(encoding="utf-8"))


def resolved(root, node):
    """The node with what it refers to and is made of."""
    merged = {key: value for key, value in node.items() if key not in ("$ref", "allOf")}
    parts = [*node.get("allOf", ())]
    if node.get("$ref", "").startswith("#"):
        at = root
        for key in node["$ref"].split("/")[1:]:
            at = at[key]
        parts.append(at)
    elif "$ref" in node:
        merged["format"] = node["$ref"]  # of another document
    for part in parts:
        for key, value in resolved(root, part).items():
            if key == "properties":
                merged[key] = {**value, **merged.get(key, {})}
            elif key == "required" and isinstance(value, list):
                merged[key] = value + [one for one in merged.get(key, []) if one not in value]
            else:
                merged.setdefault(key, value)
    return merged


def words_of(root, node):
    node = resolved(root, node)
    alternatives = (*node.get("anyOf", ()), *node.get("oneOf", ()))
    return set(node.get("enum", [node["const"]] if "const" in node else ())).union(*(words_of(root, one) for one in alternatives))


def types_of(root, node):
    """The types that a value may have; none: any."""
    node = resolved(root, node)
    if "type" in node:
        return {node["type"]} | ({"null"} if node.get("nullable") else set()) if isinstance(node["type"], str) else set(node["type"])
    alternatives = (*node.get("anyOf", ()), *node.get("oneOf", ()))
    return {TYPES[type(word)] for word in words_of(root, node)}.union(*(types_of(root, one) for one in alternatives))


class Comparison:
    """Lists what programs written for `old` would miss in `new`. A value that they send must still be taken, one that they receive must
    still be of the old kind."""

    def __init__(self, old, new):
        self.roots, self.seen, self.found = (old, new), set(), []

    def say(self, path, text):
        self.found.append("%s: %s" % (path, text))

    def value(self, old, new, path, sent=False):
        references = (old.get("$ref"), new.get("$ref"), sent)
        if all(references[:2]):
            if references in self.seen:
                return
            self.seen.add(references)
        types = [types_of(root, node) for root, node in zip(self.roots, (old, new))]
        words = [words_of(root, node) for root, node in zip(self.roots, (old, new))]
        old, new = (resolved(root, node) for root, node in zip(self.roots, (old, new)))
        if "made" in old:
            return
        if types[0] != types[1] and not (sent and (types[0] < types[1] or not types[1])):
            self.say(path, "type %s was %s" % (sorted(types[1]), sorted(types[0])))
        if words[1] and (words[0] - words[1] or sent and not words[0]):
            self.say(path, "words %s are missing" % sorted(map(str, words[0] - words[1] or {"other"})))
        self.bounds(old, new, path, sent)
        for key in ("items", "propertyNames", "additionalProperties"):
            if isinstance(old.get(key), dict):
                self.value(old[key], new.get(key) if isinstance(new.get(key), dict) else {}, path + {"items": "[]", "propertyNames": " keys"}.get(key, ".*"), sent)
        for key in ("anyOf", "oneOf"):
            if len(new.get(key, ())) < len(old.get(key, ())):
                self.say(path, "fewer alternatives")
            for index, pair in enumerate(zip(old.get(key, ()), new.get(key, ()))):
                self.value(*pair, "%s|%d" % (path, index), sent)
        self.keys(old, new, path, sent)

    def keys(self, old, new, path, sent):
        if isinstance(old.get("required", []), bool):
            return
        lost = set(new.get("required", ())) - set(old.get("required", ())) if sent else set(old.get("required", ())) - set(new.get("required", ()))
        for key in sorted(lost):
            self.say(path + "." + key, "is now required" if sent else "may now be left out")
        for key, value in old.get("properties", {}).items():
            if key in new.get("properties", {}):
                self.value(value, new["properties"][key], path + "." + key, sent)
            else:
                self.say(path + "." + key, "is missing")

    def bounds(self, old, new, path, sent):
        wide, narrow = (new, old) if sent else (old, new)
        for key in LOWEST:
            if key in wide and wide[key] > narrow.get(key, float("-inf")):
                self.say(path, "%s was %s" % (key, old.get(key)))
        for key in HIGHEST:
            if key in wide and wide[key] < narrow.get(key, float("inf")):
                self.say(path, "%s was %s" % (key, old.get(key)))
        for key in ("pattern", "format"):
            if key in wide and wide[key] != narrow.get(key):
                self.say(path, "%s was %s" % (key, old.get(key)))

    def contents(self, old, new, path, sent):
        for media, content in old.items():
            if media in new:
                self.value(content.get("schema", {}), new[media].get("schema", {}), "%s %s" % (path, media), sent)
            else:
                self.say("%s %s" % (path, media), "is missing")

    def parameters(self, items, operations, path):
        old, new = ({(one["in"], one["name"]): one for one in (resolved(root, p) for p in (*item.get("parameters", ()), *operation.get("parameters", ())))}
                    for root, item, operation in zip(self.roots, items, operations))
        for key in old.keys() - new.keys():
            self.say("%s %s" % (path, key[1]), "is missing")
        for key in new:
            if new[key].get("required") and not old.get(key, {}).get("required"):
                self.say("%s %s" % (path, key[1]), "is now required")
            if key in old:
                self.value(old[key]["schema"], new[key]["schema"], "%s %s" % (path, key[1]), True)

    def operation(self, items, operations, path, sent):
        """sent: the body is one that programs send; that of a webhook they receive."""
        old, new = operations
        self.parameters(items, operations, path)
        for key in ("operationId", "security"):
            if old.get(key) != new.get(key):
                self.say(path, "%s was %s" % (key, old.get(key)))
        bodies = [resolved(root, operation.get("requestBody", {})) for root, operation in zip(self.roots, operations)]
        if bodies[1].get("required") and not bodies[0].get("required"):
            self.say(path + " body", "is now required")
        self.contents(*(body.get("content", {}) for body in bodies), path + " body", sent)
        for status, response in old["responses"].items():
            if status not in new["responses"]:
                self.say("%s %s" % (path, status), "is missing")
                continue
            pair = [resolved(root, one) for root, one in zip(self.roots, (response, new["responses"][status]))]
            for header in pair[0].get("headers", {}).keys() - pair[1].get("headers", {}).keys():
                self.say("%s %s %s" % (path, status, header), "is missing")
            self.contents(*(one.get("content", {}) for one in pair), "%s %s" % (path, status), False)

    def rest(self):
        old, new = self.roots
        for group, sent in (("paths", True), ("webhooks", False)):
            for path, item in old[group].items():
                other = new[group].get(path, {})
                for method in item.keys() & set(METHODS):
                    name = "%s %s" % (method.upper(), path)
                    if method in other:
                        self.operation((item, other), (item[method], other[method]), name, sent)
                    else:
                        self.say(name, "is missing")
        for name in sorted(old["components"]["schemas"].keys() - new["components"]["schemas"].keys()):
            self.say(name, "is missing")


def breaks(old, new):
    """What of the documents `old`, by their names, programs miss in `new`."""
    found = []
    for name, document in old.items():
        comparison = Comparison(document, new.get(name, {}))
        if name == REST:
            comparison.rest()
        elif name == "schema/api.fields.json":
            comparison.keys({"properties": document}, {"properties": new[name]}, "", False)
        else:
            comparison.value(document, new[name], "")
        found += ["%s %s" % (name, line) for line in comparison.found]
    return found


def written(value, open_levels):
    """JSON with a line for each member of the outer levels."""
    if not open_levels or not isinstance(value, dict):
        return json.dumps(value, separators=(",", ":"))
    return "{\n%s\n}" % ",\n".join("%s: %s" % (json.dumps(key), written(item, open_levels - 1)) for key, item in value.items())


if __name__ == "__main__":
    tree = of_tree()
    lost = breaks(promised(), tree) if PROMISE.exists() else []
    if lost:
        sys.exit("\n".join(lost))
    PROMISE.write_text(written(tree, 4) + "\n", encoding="utf-8")
