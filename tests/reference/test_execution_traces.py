"""The reader of execution traces over the reference samples, against Python's json."""
import collections
import gzip
import json
import re

import pytest

from conftest import sampled

SAMPLES = ["torch-2.13/%s.et.json.gz" % m for m in ("bert", "ctc", "lastbatch", "llama", "resnet50")] + [
    "torch-2.13/compile.et.json", "torch-2.13/compilemarks.et.json", "torch-1.13/execution_graph.json", "synthetic/et-1.1.1.json",
    "real-traces/et-1.0.1-linear.json.gz", "real-traces/et-1.0.3-resnet.json.gz"]


class Node:
    """A node of either schema."""

    def __init__(self, node):
        attrs = {attr["name"]: attr["value"] for attr in node.get("attrs", [])}
        inputs = node["inputs"] if isinstance(node["inputs"], dict) else {}
        self.name, self.id, self.parent = node["name"], node["id"], node.get("ctrl_deps", node.get("parent"))
        self.schema = node.get("op_schema", attrs.get("op_schema"))
        self.tid = node.get("tid", attrs.get("tid"))
        self.shapes, self.types = (node.get("input_" + key, inputs.get(key)) for key in ("shapes", "types"))
        self.strides, self.values = inputs.get("strides"), inputs.get("values", node["inputs"])

    @property
    def overload(self):
        name, _, overload = self.schema.split("(")[0].partition(".")
        assert name == self.name
        return overload

    @property
    def key(self):
        shapes = [shape if "Tensor(" in kind else [] for shape, kind in zip(self.shapes, self.types)]
        return self.name, self.overload, str(shapes), json.dumps([word_for(kind) for kind in self.types])


    @property
    def details(self):
        """Strides, and values as traces print them."""
        return ("" if self.strides is None else str([item if "Tensor(" in kind else [] for item, kind in zip(self.strides, self.types)]),
                json.dumps([print_value(item) if word_for(kind).startswith("Scalar") else "" for item, kind in zip(self.values, self.types)]))


def print_value(value):
    if isinstance(value, list):
        return "[%s]" % ", ".join(map(print_value, value))
    return re.sub(r"0+$", "", value) if isinstance(value, Decimal) else str(value)


class Decimal(str):
    """A number with a point, as it stands in the file."""


def word_for(kind):
    tensors = set(re.findall(r"Tensor\((.*?)\)", kind))
    if tensors:
        return "" if any("nullptr" in t for t in tensors) else tensors.pop() if len(tensors) == 1 else "TensorList"
    return ("ScalarList" if kind.startswith("GenericList") else "Scalar" if kind in ("Int", "Double", "Bool") else "")


def nodes_of(path):
    raw = path.read_bytes()
    return [Node(node) for node in json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw, strict=False, parse_float=Decimal)["nodes"]]


class Sample:
    """A trace, as the reader has it and as Python's json has it."""

    def __init__(self, path, events):
        self.found, self.nodes = events(path), nodes_of(path)


@pytest.fixture(scope="module", params=sampled(SAMPLES))
def sample(request, events, reference):
    return Sample(reference / "samples" / request.param, events)


def is_operator(node):
    return node.schema and node.name.startswith("aten::")


def test_every_operator_overload_shape_and_type_is_read(sample):
    found, nodes = sample.found, sample.nodes
    assert found["status"] == 0 and found["facts"]["format"] == "execution-trace"
    assert (found["facts"]["rows"], found["facts"]["skipped_events"], found["facts"]["cut_at"]) == (len(nodes), 0, 0)
    got = collections.Counter()
    for (_, _, name, overload, shapes, calls, _), (_, known, dtypes, *_) in zip(found["row"], found["stepped"]):
        if name.startswith("aten::") and known == "operator":
            got[name, overload, shapes, dtypes] += calls
    assert got == collections.Counter(node.key for node in nodes if is_operator(node))


def test_strides_and_values_are_the_smallest_of_the_calls(sample):
    want = collections.defaultdict(lambda: (set(), set()))
    for node in filter(is_operator, sample.nodes):
        for seen, text in zip(want[node.key], node.details):
            seen.add(text)
    found = sample.found
    told = collections.defaultdict(lambda: (set(), set()))
    for (strides, strides_vary, concrete, concrete_varies), at in zip(found["details"], found["detailed"]):
        key = tuple(found["row"][at][2:5]) + (found["stepped"][at][2],)
        if key[0].startswith("aten::"):
            assert strides in want[key][0] and concrete in want[key][1]
            for texts, text, varies, seen in ((told[key][0], strides, strides_vary, want[key][0]), (told[key][1], concrete, concrete_varies, want[key][1])):
                texts.add(text)
                assert not varies or len(seen) > 1
    assert {key: tuple(map(min, seen)) for key, seen in told.items()} == {key: tuple(map(min, seen)) for key, seen in want.items()}


def test_steps_are_those_that_the_parents_lead_to(sample):
    """And on other threads, where they lead to none, those that were running when a node began."""
    nodes = sample.nodes
    by_id = {node.id: node for node in nodes}
    steps = sorted((node for node in nodes if node.name.startswith("ProfilerStep#")), key=lambda node: node.id)

    def step_of(node):
        below = node
        while below and not below.name.startswith("ProfilerStep#"):
            below = by_id.get(below.parent) if below.parent != below.id else None
        if below or not steps or node.tid == steps[0].tid:
            return steps.index(below) + 1 if below else 0 if steps else 1
        return sum(1 for step in steps if step.id < node.id)

    found = sample.found
    got = collections.Counter()
    for (_, _, name, _, _, calls, _), (step, known, *_) in zip(found["row"], found["stepped"]):
        if name.startswith("aten::") and known == "operator":
            got[step, name] += calls
    assert got == collections.Counter((step_of(node), node.name) for node in nodes if is_operator(node))
    assert found["end"][0][5] == max(len(steps), 1)


LOADER = "enumerate(DataLoader)#__next__"  # whatever the class of its iterator


def is_named(node):
    """Whether links may lead to it: operators, nodes of autograd, compiled regions and the loader of batches."""
    return is_operator(node) or node.name.startswith("enumerate(DataLoader)#") or re.fullmatch(r"torch::autograd::\w+|(?!Compiled)\w+Backward\d*", node.name) or is_region(node)


def is_region(node):
    return node.name.startswith(("Torch-Compiled Region", "CompiledFunction", "## Call CompiledFxGraph"))


def test_parents_are_the_innermost_operators_or_autograd_nodes(sample):
    nodes = sample.nodes
    by_id = {node.id: node for node in nodes}
    want = collections.Counter()
    for node in filter(is_operator, nodes):
        above = by_id.get(node.parent)
        while above and not is_named(above):
            above = by_id.get(above.parent) if above.parent != above.id else None
        if above:
            want[node.name, "Torch-Compiled Region" if is_region(above) else LOADER if above.name.startswith("enumerate(DataLoader)#") else above.name] += 1
    got = {(name, other): calls for relation, name, other, calls, *_ in sample.found["link"]
           if relation == "parent" and name.startswith("aten::")}
    assert got == dict(want)
