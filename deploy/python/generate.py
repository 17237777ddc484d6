#!/usr/bin/python3
"""Writes the Python module opcheck: its sources, and the dataclasses of schema/report.schema.json.

    python3 deploy/python/generate.py DIR [PROGRAM DATABASE]

DIR/opcheck is made, with the program and its database in it if they are given.
"""
import json
import keyword
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
HEAD = '''"""The report as dataclasses, generated from schema/report.schema.json. Keys that are left out are None."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Mapping, Optional
'''
CLASS = '''

@dataclasses.dataclass(frozen=True)
class {name}:
    """{about}"""

{fields}

    @classmethod
    def read(cls, v: Mapping[str, Any]) -> {name}:
        return cls(
{reads}
        )
'''


def camel(key):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", key))


class Generator:
    def __init__(self, schema):
        self.schema = schema
        self.classes = {}  # name -> text, in the order of their first use

    def definition(self, reference):
        return self.schema["$defs"][reference.rsplit("/", 1)[1]]

    def whole(self, node):
        """A node with the keys of those that it extends."""
        parts = [self.definition(part["$ref"]) for part in node.get("allOf", ())] + [node]
        return dict(node, properties={key: value for part in parts for key, value in part["properties"].items()},
                    required=[key for part in parts for key in part.get("required", ())])

    def kind(self, node, place):
        """The type of a node, and the expression that reads it from $. A class without a definition is named after its place."""
        while "$ref" in node:
            node, place = self.definition(node["$ref"]), camel(node["$ref"].rsplit("/", 1)[1])
        kinds = node.get("type")
        nullable = isinstance(kinds, list)
        if nullable:
            kinds = next(kind for kind in kinds if kind != "null")
        if "properties" in node:
            kind, read = self.add(place, node), place + ".read($)"
        elif kinds == "array":
            kind, read = self.kind(node.get("items", {}), place)
            kind, read = "List[%s]" % kind, "$" if read == "$" else "[%s for v in $]" % read.replace("$", "v")
        elif kinds == "object":
            more = node.get("additionalProperties")
            kind, read = self.kind(more if isinstance(more, dict) else {}, place)
            kind, read = "Dict[str, %s]" % kind, "$" if read == "$" else "{k: %s for k, v in $.items()}" % read.replace("$", "v")
        else:
            values = node.get("enum", [node["const"]] if "const" in node else [])
            kind, read = SCALARS.get(kinds) or ("str" if values and all(isinstance(v, str) for v in values) else "Any"), "$"
        if nullable and kind != "Any":
            kind, read = "Optional[%s]" % kind, read if read == "$" else "None if $ is None else " + read
        return kind, read

    def add(self, name, node):
        if name in self.classes:
            return name
        self.classes[name] = ""  # definitions may refer to each other
        fields, optional, reads = [], [], []
        node = self.whole(node)
        for key, value in node["properties"].items():
            field = re.sub(r"\W", "_", key) + ("_" if keyword.iskeyword(key) else "")
            kind, read = self.kind(value, name + camel(key))
            if key in node["required"]:
                fields.append("    %s: %s" % (field, kind))
                found = read.replace("$", 'v["%s"]' % key)
            else:
                optional.append("    %s: %s = None" % (field, kind if kind == "Any" or kind.startswith("Optional[") else "Optional[%s]" % kind))
                found = 'v.get("%s")' % key
                if read != "$":
                    found = "None if %s is None else %s" % (found, read.replace("$", 'v["%s"]' % key))
            reads.append("            %s=%s," % (field, found))
        about = " ".join(node.get("description", name).split()).replace("\\", r"\\").replace('"', "'")
        self.classes[name] = CLASS.format(name=name, about=about, fields="\n".join(fields + optional), reads="\n".join(reads))
        return name

    def text(self):
        self.add("Report", self.schema)
        return HEAD + "".join(self.classes.values())


def main(folder, *files):
    module = pathlib.Path(folder, "opcheck")
    shutil.copytree(HERE / "opcheck", module, ignore=shutil.ignore_patterns("__pycache__"))
    schema = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
    (module / "schema.py").write_text(Generator(schema).text(), encoding="utf-8")
    version = re.search(r"^  version: '(.*)'", (ROOT / "meson.build").read_text(encoding="utf-8"), re.M).group(1)
    (module / "version.py").write_text('VERSION = "%s"\n' % version, encoding="utf-8")
    if files:
        (module / "bin").mkdir()
        for file in files:
            shutil.copy(file, module / "bin")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
