"""The reader of traces over the reference samples, against Python's json and against the truth of the same programs."""
import collections
import decimal
import gzip
import json

import pytest

from conftest import sampled, traced

DEVICE = ("kernel", "Kernel", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset")
VALID = ["torch-2.13/%s.c.trace.json.gz" % m for m in ("bert", "compile", "ctc", "llama", "resnet50")] + [
    "torch-2.13/" + name for name in ("compilemarks.c.trace.json", "lastbatch.c.trace.json", "lastbatch.c-legacy.trace.json",
                                      "lastbatch.c-odd-labels.trace.json", "lastbatch.c-python.trace.json")] + [
    "torch-1.13/%s.c.trace.json" % m for m in ("misc", "resnet18", "transformer")] + [
    "synthetic/" + name for name in ("kineto-1.8.pt.trace.json", "kineto-2.6.pt.trace.json", "kineto-2.6.pt.trace.json.gz",
                                     "kineto-array.json", "kineto-overload.json")] + [
    "real-traces/" + name for name in ("hta-2024-ns-resolution.pt.trace.json.gz", "hta-amd-mi250.json.gz", "hta-sampled-rank0.json.gz",
                                       "kineto-2021-resnet50.pt.trace.json.gz", "npu-2024-trace_view.json.gz")]


def events_of(path, **options):
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    document = json.loads(raw.decode("utf-8", "replace"), strict=False, **options)
    return document if isinstance(document, list) else document["traceEvents"]


def is_operator(event):
    return event.get("ph") == "X" and event.get("cat", "cpu_op") in ("cpu_op", "Operator") and event["name"].startswith("aten::")


def dims_of(event):
    args = event.get("args", {})
    dims = args.get("Input Dims", args.get("Input dims"))
    return "" if dims is None else str(dims)


def types_of(event):
    types = event.get("args", {}).get("Input type")
    return "" if types is None else json.dumps(types)


def rows_of(found):
    """Each row of a trace as a dict."""
    for row, more in zip(found["row"], found["stepped"]):
        _, _, name, overload, shapes, calls, self_ns = row
        step, known, dtypes, total_ns, device_ns = more
        yield {"name": name + ("." + overload if overload else ""), "base": name, "shapes": shapes, "dtypes": dtypes, "calls": calls,
               "step": step, "known": known, "self": self_ns, "total": total_ns, "device": device_ns}


def is_region(name):
    return name.startswith(("Torch-Compiled Region", "CompiledFunction", "## Call CompiledFxGraph"))


@pytest.mark.parametrize("sample", sampled(VALID))
def test_every_operator_shape_and_type_is_read(events, reference, sample):
    path = reference / "samples" / sample
    want = collections.Counter()
    for event in filter(is_operator, events_of(path)):
        want[event["name"], dims_of(event), types_of(event)] += 1
    got = collections.Counter()
    for row in rows_of(events(path)):
        if row["name"].startswith("aten::") and row["calls"]:
            got[row["name"], row["shapes"], row["dtypes"]] += row["calls"]
    assert got == want


def nested_times(trace):
    """Self and total time in ns by name, from the intervals of each thread."""
    threads = collections.defaultdict(list)
    for event in trace:
        if event.get("ph") == "X" and event.get("cat", "cpu_op") in ("cpu_op", "Operator", "user_annotation", "cuda_runtime", "cuda_driver", "Runtime"):
            begin, dur = (int(decimal.Decimal(event[key]) * 1000) for key in ("ts", "dur"))
            threads[str(event["pid"]), str(event["tid"])].append((begin, dur, event["name"]))
    self_ns, total_ns = collections.Counter(), collections.Counter()
    for spans in threads.values():
        stack = []
        for begin, dur, name in sorted(spans, key=lambda s: (s[0], -s[1])):
            while stack and stack[-1][0] <= begin:
                stack.pop()
            if stack:
                self_ns[stack[-1][1]] -= min(begin + dur, stack[-1][0]) - begin
            self_ns[name] += dur
            total_ns[name] += dur
            if dur:
                stack.append((begin + dur, name))
    return self_ns, total_ns


@pytest.mark.parametrize("sample", sampled(["torch-2.13/bert.c.trace.json.gz", "torch-2.13/ctc.c.trace.json.gz", "torch-1.13/misc.c.trace.json",
                                            "real-traces/hta-2024-ns-resolution.pt.trace.json.gz", "real-traces/hta-sampled-rank0.json.gz",
                                            "real-traces/kineto-2021-resnet50.pt.trace.json.gz"]))
def test_the_time_of_an_operator_itself_is_what_it_did_not_spend_in_others(events, reference, sample):
    path = reference / "samples" / sample
    self_ns, total_ns = nested_times(events_of(path, parse_float=decimal.Decimal))
    got_self, got_total = collections.Counter(), collections.Counter()
    for row in rows_of(events(path)):
        got_self[row["name"]] += row["self"]
        got_total[row["name"]] += row["total"]
    names = [name for name in total_ns if name.startswith("aten::")]
    assert names
    assert {name: got_total[name] for name in names} == {name: total_ns[name] for name in names}
    # which of two events with the same begin and end is the outer one nobody can tell
    assert sum(abs(got_self[name] - self_ns[name]) for name in names) <= 0.002 * sum(self_ns[name] for name in names)


@pytest.mark.parametrize("sample", sampled(["hta-2024-ns-resolution.pt.trace.json.gz", "hta-amd-mi250.json.gz", "hta-sampled-rank0.json.gz",
                                            "kineto-2021-resnet50.pt.trace.json.gz"]))
def test_the_time_on_the_device_goes_to_the_operators(events, reference, sample):
    path = reference / "samples" / "real-traces" / sample
    work = [event for event in events_of(path) if event.get("ph") == "X" and event.get("cat") in DEVICE]
    found = events(path)
    told = sum(row["device"] for row in rows_of(found))
    of_operators = sum(row["device"] for row in rows_of(found) if row["known"] == "operator")
    total = sum(round(event["dur"] * 1000) for event in work)
    assert found["facts"]["unmatched_work"] <= 0.1 * len(work)
    assert 0.85 * total <= told <= total
    assert of_operators >= 0.3 * total  # of the sampled one many operators are missing


def repeats_its_caller(trace):
    """(name, dims) of operators that are the only child of one of the same name: tables show the outer one alone."""
    found, stack, children = set(), [], {}
    spans = [e for e in trace if e.get("ph") == "X" and e.get("cat") in ("cpu_op", "user_annotation")]
    for event in sorted(spans, key=lambda e: (e["ts"], -e["dur"])):
        while stack and stack[-1]["ts"] + stack[-1]["dur"] <= event["ts"]:
            stack.pop()
        if stack:
            children.setdefault(id(stack[-1]), (stack[-1], []))[1].append(event)
        stack.append(event)
    for parent, inner in children.values():
        if len(inner) == 1 and inner[0]["name"].split(".")[0] == parent["name"].split(".")[0]:
            found.add((inner[0]["name"].split(".")[0], dims_of(inner[0])))
    return found


def as_a_trace_shows(dims):
    return str([[] if argument and isinstance(argument[0], list) and len(argument) > 30 else argument for argument in dims])


@pytest.mark.parametrize("model, steps", sampled([("lastbatch", [0, 1, 2, 3, 4, 5]), ("resnet50", [0, 1, 2, 3]), ("bert", [0, 1, 2, 3]), ("llama", [0, 1]),
                                                  ("compile", [1, 1, 3, 3]), ("compilemarks", [0, 1, 2]), ("ctc", [0, 1, 2])]))
def test_each_step_holds_the_operators_and_shapes_of_the_truth(events, reference, model, steps):
    folder, steps = reference / "samples" / "torch-2.13", traced(model, steps)
    path = next(folder.glob(model + ".c.trace.json*"))
    truth = json.loads((folder / (model + ".truth.json")).read_text(encoding="utf-8"))["steps"]
    got = collections.defaultdict(set)
    found = events(path)
    for row in rows_of(found):
        if row["base"].startswith("aten::") and row["calls"]:
            got[row["step"]].add((row["base"], row["shapes"]))
    assert sorted(got) == list(range(1, len(steps) + 1)) and found["end"][0][5] == len(steps)
    spare = repeats_its_caller(events_of(path))
    for number, index in enumerate(steps, 1):
        want = {(name, as_a_trace_shows(variant["dims"])) for name, _, _, variants, *_ in truth[index] if name.startswith("aten::")
                for variant in variants}
        assert want <= got[number]
        assert got[number] - want <= spare


@pytest.mark.parametrize("model", sampled(["llama", "resnet50", "bert", "ctc", "compile", "compilemarks", "lastbatch"]))
def test_a_trace_and_the_execution_trace_of_one_run_hold_the_same_operators(events, reference, model):
    folder = reference / "samples" / "torch-2.13"
    raw = next(folder.glob(model + ".et.json*")).read_bytes()
    nodes = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)["nodes"]
    want = collections.Counter(node["name"] for node in nodes if node["name"].startswith("aten::"))
    got = collections.Counter()
    for row in rows_of(events(next(folder.glob(model + ".c.trace.json*")))):
        if row["base"].startswith("aten::"):
            got[row["base"]] += row["calls"]
    assert got == want


@pytest.mark.parametrize("name, skipped, cut, rows", [
    ("control", 0, False, 51), ("na", 0, False, 51), ("nan", 0, False, 51), ("quote", 1, False, 50), ("trailing-comma", 0, False, 51),
    ("truncated", 0, True, 36), ("utf8", 0, False, 51)])
def test_damage_costs_one_event_at_most_and_is_told(events, reference, name, skipped, cut, rows):
    path = reference / "samples" / "synthetic" / ("kineto-bad-%s.json" % name)
    facts = events(path)["facts"]
    assert (facts["skipped_events"], facts["cut_at"] > 0, facts["rows"]) == (skipped, cut, rows)
    if skipped:
        bad = path.read_bytes().index(b'"{"device"')
        assert path.read_bytes().rindex(b"{", 0, bad) == facts["first_offset"]


def test_a_label_with_a_quote_costs_that_label(events, reference):
    broken = reference / "samples" / "torch-2.13" / "lastbatch.c-broken.trace.json"
    found = events(broken)
    assert found["facts"]["skipped_events"] >= 1 and found["facts"]["cut_at"] == 0
    assert sum(row["calls"] for row in rows_of(found) if row["base"].startswith("aten::")) == broken.read_bytes().count(b'"name": "aten::')


# --- what runs inside what

def nested(events):
    """Each event of the threads with what it lies in, the outermost first: a second reading of nesting, event by event."""
    threads = {}
    for event in events:
        if event.get("ph") == "X" and isinstance(event.get("ts"), (int, decimal.Decimal)) and "dur" in event:
            threads.setdefault((event["pid"], event["tid"]), []).append(event)
    for spans in threads.values():
        around = []
        for event in sorted(spans, key=lambda e: (e["ts"], e.get("cat") != "python_function", -e["dur"])):
            while around and around[-1]["ts"] + around[-1]["dur"] <= event["ts"]:
                around.pop()
            yield event, around
            if event["dur"]:
                around.append(event)


def is_node(name):
    name = name.rstrip("0123456789")
    return name.endswith("Backward") and " " not in name and name != "CompiledFunctionBackward" or name.startswith("torch::autograd::")


LOADER = "enumerate(DataLoader)#__next__"  # whatever the class of its iterator


def is_loader(name):
    return name.startswith("enumerate(DataLoader)#")


def is_source(name):
    return ".py(" in name and not name.startswith("torch/") and name.split("/")[0].split(".py(")[0] not in ("contextlib", "functools", "copy")


@pytest.mark.parametrize("sample", sampled(["torch-2.13/%s.c.trace.json.gz" % m for m in ("compile", "bert", "llama", "resnet50")]))
def test_parents_modules_and_lines_are_those_around(events, reference, sample):
    path = reference / "samples" / sample
    want = collections.Counter()
    for event, around in nested(events_of(path, parse_float=decimal.Decimal)):
        if event["cat"] != "cpu_op" or not event["name"].startswith("aten::"):
            continue
        name = event["name"].split(".")[0]
        frames = [a["name"] for a in around if a["cat"] == "python_function"]
        modules = [f.removeprefix("nn.Module: ") for f in frames if f.startswith("nn.Module: ")]
        sources = [f for f in frames if is_source(f)]
        parents = ["Torch-Compiled Region" if is_region(a["name"]) else LOADER if is_loader(a["name"]) else a["name"].split(".")[0] for a in around
                   if is_region(a["name"]) or is_loader(a["name"]) or a["cat"] == "cpu_op" and (a["name"].startswith("aten::") or is_node(a["name"]))]
        for relation, others in ("module", ["/".join(modules)] * bool(modules)), ("source", sources[-1:]), ("parent", parents[-1:]):
            want.update((relation, name, other) for other in others)
    got = collections.Counter()
    for relation, name, other, calls, _, _ in events(path)["link"]:
        if relation != "forward" and name.startswith("aten::"):
            got[relation, name, other] += calls
    assert len({key[0] for key in want}) == 3
    assert got == want


@pytest.mark.parametrize("sample", sampled(["torch-2.13/bert.c.trace.json.gz", "torch-2.13/resnet50.c.trace.json.gz"]))
def test_nodes_belong_to_the_operators_that_the_arrows_name(events, reference, sample):
    """By number in the reader, by fwdbwd arrows here."""
    path = reference / "samples" / sample
    all_events = events_of(path, parse_float=decimal.Decimal)
    begins, arrows = {}, {}
    for event in sorted((e for e in all_events if e.get("cat") == "cpu_op"), key=lambda e: -e["dur"]):
        begins.setdefault((event["tid"], event["ts"]), []).append(event["name"].split(".")[0])
    for event in all_events:
        if event.get("cat") == "fwdbwd":
            arrows.setdefault(event["id"], {})[event["ph"]] = begins[event["tid"], event["ts"]]
    want = collections.Counter()
    for ends in arrows.values():
        node = [n.removeprefix("autograd::engine::evaluate_function: ") for n in ends["f"]][-1]
        want[node, ends["s"][-1]] += 1
    got = {(name, other): calls for relation, name, other, calls, _, _ in events(path)["link"] if relation == "forward"}
    assert want and {key: got.get(key, 0) for key in want} == want


def test_arrows_give_the_time_of_tasks_to_their_operators(events, reference):
    path = reference / "samples" / "real-traces" / "npu-2024-trace_view.json.gz"
    all_events = events_of(path)
    took = {(e["pid"], e["tid"], e["ts"]): e["dur"] for e in all_events if e["ph"] == "X" and "cat" not in e}
    ends = {(e["pid"], e["tid"], e["ts"]) for e in all_events if e.get("cat") == "async_npu" and e["ph"] == "f"}
    got = sum(row["device"] for row in rows_of(events(path)))
    assert ends and abs(got - sum(took[end] * 1000 for end in ends)) < len(ends)
