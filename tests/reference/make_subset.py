#!/usr/bin/env python3
"""Makes the files of subset, which the tests read where the reference material is not at hand:

	python3 tests/reference/make_subset.py REFERENCE_DIR

Tables of facts are samples by a fixed seed of REFERENCE_DIR/facts, in the form of the fact text.
The dumps are those of REFERENCE_DIR/samples, made by its own scripts; traces of models are thinned: of calls that repeat, with
all that runs inside them, a step keeps the first. A trace and the execution trace of its run keep the same calls. Traces of
devices, tables of tasks and execution traces of older schemas are written here. The same input gives the same bytes.
"""
import collections
import csv
import gzip
import io
import json
import lzma
import pathlib
import random
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from subset import ARCHIVE, FIXTURES, SUBSET, TRACED  # noqa: E402

# not read by any test, or made from others when they are unpacked: subset.py
LEFT_OUT = (*(model + ".e.log" for model in ("bert", "compile", "ctc", "resnet50")), ".py", "lastbatch.2to1.log", ".d.log", "trace_view.json", "README.md", "kineto-2.6.pt.trace.json.gz")


def unpacked(raw):
    return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw


def parse(raw):
    return json.loads(unpacked(raw), strict=False)


def dump(document):
    return json.dumps(document, ensure_ascii=False, separators=(", ", ": ")).encode()


# --- thinning

def is_call(event):
    return event.get("ph") == "X" and event.get("cat", "cpu_op") in ("cpu_op", "user_annotation", "Operator")


def span(event):
    return event["ts"], event["ts"] + event["dur"]


def nested(events):
    """[event, children] of the calls that lie in no other."""
    threads, roots = collections.defaultdict(list), []
    for event in filter(is_call, events):
        threads[event["pid"], event["tid"]].append(event)
    for calls in threads.values():
        around = []
        for event in sorted(calls, key=lambda e: (e["ts"], -e["dur"])):
            while around and span(around[-1][0])[1] <= event["ts"]:
                around.pop()
            (around[-1][1] if around else roots).append((event, []))
            if event["dur"]:
                around.append((around[-1][1] if around else roots)[-1])
    return roots


def call_of(event):
    args = event.get("args", {})
    return json.dumps([event["name"], *(args.get(key) for key in ("Input Dims", "Input type", "Input Strides"))])


def signature(node):
    return (call_of(node[0]), *map(signature, node[1]))


def kept_calls(events):
    """The calls of which no equal one, with equal ones inside, came before it in its step and place."""
    steps = sorted(e["ts"] for e in events if is_call(e) and e["name"].startswith("ProfilerStep#"))
    kept, seen = [], set()

    def walk(nodes, path):
        for node in nodes:
            event, children = node
            inside = path
            if not event["name"].startswith("ProfilerStep#"):
                key = (sum(step <= event["ts"] for step in steps), path, signature(node))
                if key in seen:
                    continue
                seen.add(key)
                inside = path + (call_of(event),)
            kept.append(event)
            walk(children, inside)

    walk(nested(events), ())
    return kept


def first_steps(document, count):
    """A trace that ends where this many steps are over."""
    events = document["traceEvents"]
    end = sorted(span(e)[1] for e in events if is_call(e) and e["name"].startswith("ProfilerStep#"))[count - 1]
    return dict(document, traceEvents=[e for e in events if e.get("ts", 0) < end or e.get("cat") == "Trace"])


def thin_trace(document):
    """A trace without calls that repeat, the frames around them, their arrows and their use of memory; the numbers of those left."""
    events = document["traceEvents"] if isinstance(document, dict) else document
    kept = kept_calls(events)
    numbers = {e["args"].get("Record function id") for e in kept}
    whole = {id(e) for e in kept}
    gone = {e["args"]["External id"] for e in events if is_call(e) and id(e) not in whole and "External id" in e["args"]}
    begins = {(e["tid"], e["ts"]) for e in kept}
    ends = collections.Counter(e["id"] for e in events if e.get("cat") == "fwdbwd" and (e["tid"], e["ts"]) in begins)
    threads = collections.defaultdict(list)
    for event in kept:
        threads[event["tid"]].append(event["ts"])

    def stays(event):
        if is_call(event):
            return id(event) in whole
        if event.get("cat") == "fwdbwd":
            return ends[event["id"]] == 2
        if event.get("cat") in ("cuda_runtime", "Runtime", "kernel", "Kernel"):
            return event["args"]["correlation"] not in gone
        if event.get("cat") == "ac2g":
            return event["id"] not in gone
        if event.get("cat") == "python_function":
            begin, end = span(event)
            return any(begin <= ts < end for ts in threads[event["tid"]])
        return event.get("name") != "[memory]"

    left = list(filter(stays, events))
    for event in left:
        event.get("args", {}).pop("Call stack", None)
    return (dict(document, traceEvents=left) if isinstance(document, dict) else left), numbers


def thin_nodes(document, numbers):
    """An execution trace with the calls of these numbers, and the threads and processes they run in; without results."""
    def number(node):
        return next((a["value"] for a in node["attrs"] if a["name"] == "rf_id"), 0)

    nothing = {"values": [], "shapes": [], "types": [], "strides": []}
    return dict(document, nodes=[dict(n, outputs=nothing) for n in document["nodes"] if number(n) == 0 or number(n) in numbers])


# --- traces of devices and older execution traces: written here, from the trace and the execution trace of the fixtures

def older_nodes(document, schema):
    """The nodes as earlier schemas have them: 1.0.3 without strides, 1.0.1 with all attributes in the node."""
    nodes = []
    for node in document["nodes"]:
        attrs = {a["name"]: a["value"] for a in node["attrs"]}
        io_of = {key: {k: v for k, v in node[key].items() if k != "strides"} for key in ("inputs", "outputs")}
        if schema == "1.0.3-chakra.0.0.4":
            kept = [a for a in node["attrs"] if a["name"] in ("rf_id", "fw_parent", "seq_id", "scope", "tid", "fw_tid", "op_schema")]
            nodes.append({"id": node["id"], "name": node["name"], "ctrl_deps": node["ctrl_deps"], **io_of, "attrs": kept})
        else:
            nodes.append({"name": node["name"], "id": node["id"], "rf_id": attrs["rf_id"], "parent": node["ctrl_deps"],
                          **{key: attrs[key] for key in ("fw_parent", "seq_id", "scope", "tid", "fw_tid", "op_schema")},
                          **{side + end: io_of[side + "s"][key] for side in ("input", "output")
                             for end, key in (("s", "values"), ("_shapes", "shapes"), ("_types", "types"))}})
    return dict(document, schema=schema, nodes=nodes)


def leaves(events):
    """The aten calls with none inside, in time."""
    found, left = [], nested(events)
    while left:
        event, children = left.pop()
        left += children
        if not children and event["name"].startswith("aten::"):
            found.append(event)
    return sorted(found, key=lambda e: e["ts"])


def trim(event, keys):
    return dict(event, args={key: value for key, value in event.get("args", {}).items() if key in keys})


ARGS = ("External id", "Input Dims", "Input type", "Ev Idx", "Sequence number", "Fwd thread id", "Record function id")


def launch(call, number, api, kernel, **more):
    """What a call starts on the device: the runtime's call inside of it, the kernel behind it, and the arrow between."""
    begin, at = call["ts"] + call["dur"] / 4, call["ts"] + call["dur"] + 5
    link = {"External id": call["args"]["External id"], "correlation": number}
    ids = {"pid": call["pid"], "tid": call["tid"]}
    return [{"ph": "X", "cat": "cuda_runtime", "name": api, **ids, "ts": begin, "dur": call["dur"] / 2, "args": {**link, "cbid": 211}},
            {"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": at, "dur": round(call["dur"] / 3, 3),
             "args": {**link, "device": 0, "context": 1, "stream": 7, **more}},
            {"ph": "s", "id": number, **ids, "ts": begin, "cat": "ac2g", "name": "ac2g"},
            {"ph": "f", "id": number, "pid": 0, "tid": 7, "ts": at, "cat": "ac2g", "name": "ac2g", "bp": "e"}]


def on_device(document, api="cudaLaunchKernel", every=1):
    """A trace of a GPU: every leaf call starts a kernel."""
    events = [trim(e, ARGS) if is_call(e) else e for e in document["traceEvents"] if e.get("cat") != "python_function"]
    for number, call in enumerate(leaves(events)[::every], 1000):
        events += launch(call, number, api, "void %s_kernel<4, float>(int, float*)" % call["name"][6:])
    return dict(document, traceEvents=events)


def whole_microseconds(document):
    """Times as traces before nanoseconds had them; what begins and ends in between is where the whole numbers put it."""
    for event in document["traceEvents"]:
        if "ts" in event:
            end = int(event["ts"] + event.get("dur", 0))
            event["ts"] = int(event["ts"])
            if "dur" in event:
                event["dur"] = end - event["ts"]
    return document


def of_2021(document):
    """The names and types that Kineto wrote in 2021."""
    names = {"cpu_op": "Operator", "user_annotation": "Operator", "cuda_runtime": "Runtime", "kernel": "Kernel", "ac2g": "async"}
    events = []
    for event in whole_microseconds(document)["traceEvents"]:
        event = dict(event, cat=names[event["cat"]]) if event.get("cat") in names else dict(event)
        if event.get("cat") == "fwdbwd":
            continue
        args = event.get("args", {})
        if event.get("cat") == "Operator":
            event["tid"], args = str(event["tid"]), {"Device": event["pid"], "External id": args.get("External id"),
                                                     "Trace name": "PyTorch Profiler", "Trace iteration": 0, "Input Dims": args.get("Input Dims", [])}
            event["args"] = args
        elif event.get("cat") in ("Runtime", "Kernel"):
            event["tid"] = str(event["tid"]) if event["cat"] == "Runtime" else "stream 7"
            event["args"] = dict(args, **{"external id": args["External id"]})
            del event["args"]["External id"]
        elif event.get("cat") == "async":
            event["name"] = "launch"
        events.append(event)
    return {"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}


def of_npu(document):
    """A trace view of torch_npu: a list, times as texts, tasks without a category, arrows from calls to tasks."""
    events = []

    def text(us):
        return "1704161%09d.%03d" % (us // 1 % 10 ** 9, round(us % 1 * 1000) % 1000)

    for event in document["traceEvents"]:
        if event.get("cat") == "cpu_op":
            args = event["args"]
            kept = {"Sequence number": args.get("Sequence number", -1), "Fwd thread id": args.get("Fwd thread id", 0)}
            events.append(dict(event, ts=text(event["ts"]), args=kept))
    for number, call in enumerate(leaves(document["traceEvents"]), 1704161511428844424):
        begin, end = text(call["ts"]), text(call["ts"] + call["dur"] + 5)
        kind = "AI_CPU" if call["name"] in ("aten::nonzero", "aten::index") else "AI_VECTOR_CORE"
        arrow = {"bp": "e", "name": "torch_to_npu", "id": number, "cat": "async_npu"}
        events += [dict(arrow, ph="s", pid=call["pid"], tid=call["tid"], ts=begin), dict(arrow, ph="f", pid=800, tid=3, ts=end),
                   {"name": "aclnn" + call["name"][6:].title().replace("_", ""), "pid": 800, "tid": 3, "ts": end, "dur": round(call["dur"] / 3, 3), "ph": "X",
                    "args": {"Model Id": 4294967295, "Task Type": kind, "Stream Id": 3, "Task Id": number % 1000, "connection_id": number}}]
    return events


def tasks_2023(raw):
    """The table of tasks that torch_npu wrote in 2023: other columns than today's."""
    rows = list(csv.DictReader(io.StringIO(raw.decode(), newline="")))
    gone, names = ("Device_id", "OP State", "HF32 Eligible"), {"Block Num": "Block Dim", "Mix Block Num": "Mix Block Dim"}
    out = io.StringIO(newline="")
    columns = [c for c in rows[0] if c not in gone]
    table = csv.writer(out)
    table.writerow([names.get(c, c) for c in columns] + ["aicore_time(us)", "aic_total_cycles"])
    for row in rows:
        table.writerow([row[c].strip() for c in columns] + [row["Duration(us)"], 0])
    return out.getvalue().encode()


def devices():
    def trace(model):
        return thin_trace(parse((FIXTURES / "traces" / (model + ".c.trace.json.gz")).read_bytes()))[0]

    nodes = parse((FIXTURES / "traces" / "compilemarks.et.json.gz").read_bytes())
    yield "et-1.0.1-linear.json", older_nodes(nodes, "1.0.1")
    yield "et-1.0.3-resnet.json", older_nodes(nodes, "1.0.3-chakra.0.0.4")
    yield "hta-2024-ns-resolution.pt.trace.json", on_device(trace("lastbatch"))
    yield "hta-amd-mi250.json", on_device(trace("compilemarks"), api="hipLaunchKernel")
    yield "hta-sampled-rank0.json", whole_microseconds(on_device(trace("compilemarks"), every=2))
    yield "kineto-2021-resnet50.pt.trace.json", of_2021(on_device(trace("compilemarks")))
    yield "npu-2024-trace_view.json", of_npu(trace("compilemarks"))


# --- the archive

def fixture_of(name, plain):
    """The fixture that holds the same bytes, packed or not."""
    for path in FIXTURES.rglob(name.split("/")[-1].removesuffix(".gz") + "*"):
        if unpacked(path.read_bytes()) == plain:
            return path.relative_to(FIXTURES)
    return None


def thinned(name, plain, numbers):
    """The dump as it is kept: whole, or without calls that repeat. Calls of a model's execution trace are those of its trace."""
    model = name.split("/")[-1].split(".")[0]
    if ".c.trace.json" in name or name.startswith("synthetic/kineto-") and len(plain) > 1 << 20:
        document = parse(plain)
        document, numbers[model] = thin_trace(first_steps(document, TRACED[model]) if model in TRACED else document)
        return dump(document)
    if name.startswith("torch-2.13/") and ".et.json" in name:
        return dump(thin_nodes(parse(plain), numbers[model]))
    if name == "synthetic/et-1.1.1.json":
        document = parse(plain)
        return dump(dict(document, nodes=document["nodes"][:900]))
    return plain


def contents(samples):
    """(name, bytes or the fixture that holds them) of all files; a name ends in .gz where the reference has the file packed."""
    numbers = {}
    for path in sorted(filter(pathlib.Path.is_file, samples.rglob("*"))):
        name = str(path.relative_to(samples))
        if not name.startswith("real-traces/") and not name.endswith(LEFT_OUT):
            plain = unpacked(path.read_bytes())
            yield name, fixture_of(name, plain) or thinned(name, plain, numbers)
    yield "synthetic/kineto-2.6.pt.trace.json.gz", thinned("synthetic/kineto-2.6", (samples / "synthetic/kineto-2.6.pt.trace.json").read_bytes(), {})
    for name, document in devices():
        yield "real-traces/" + name + ".gz", dump(document)
    tasks = next(samples.rglob("ASCEND_PROFILER_OUTPUT/kernel_details.csv"))
    yield "real-traces/npu-2023-kernel_details.csv", tasks_2023(tasks.read_bytes())


def write_archive(samples):
    files = sorted(contents(samples), key=lambda file: (file[0].split(".")[-1], file[0]))
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
            else:
                entry.type, entry.linkname = tarfile.SYMTYPE, str(content)
                tar.addfile(entry)
    packed = lzma.compress(archive.getvalue(), filters=[{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 32 << 20}])
    ARCHIVE.write_bytes(packed)
    print("samples: %d files, %d bytes, %d packed" % (len(files), len(archive.getvalue()), len(packed)))


# --- facts

def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        tabs = path.suffix == ".tsv"
        yield from csv.DictReader(file, delimiter="\t" if tabs else ",", quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL)


def sample(rows, keys, most):
    """At most so many rows of each kind, chosen by a fixed seed."""
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[tuple(row[key] for key in keys)].append(row)
    chosen = random.Random(20261127)
    return [row for kind in sorted(kinds) for row in chosen.sample(kinds[kind], min(most, len(kinds[kind])))]


def measured(rows):
    """What every 37th API of torch calls on a device, and three with many operators."""
    found = collections.defaultdict(lambda: collections.defaultdict(float))
    for row in rows:
        if row["level"] == "top" and row["device"] != "cpu" and row["operator"] != "-" and row["api"].startswith("torch."):
            key = "backward" if row["backward"] == "1" else "forward", "aten::" + row["operator"].split(".")[0]
            found[row["api"]][key] = max(found[row["api"]][key], float(row["share"]))
    apis = [api for api, kinds in sorted(found.items()) if any(kind == "forward" for kind, _ in kinds)]
    for api in sorted({*apis[::37], "torch.nn.LSTM", "torch.nn.TransformerEncoderLayer", "torch.optim.Adam(foreach=True)"}):
        for (kind, operator), share in sorted(found[api].items()):
            yield {"api": api, "kind": kind, "operator": operator, "share": str(share)}


def write_facts(facts):
    units = [row for row in rows_of(facts / "aten_aicpu.tsv") if "." in row["op"]]
    counts = list(rows_of(facts / "resolved_counts.csv"))
    tables = {
        "resolved_ops": (sample(rows_of(facts / "resolved_ops.csv"), ("target", "release", "status"), 3), ("target", "release", "op", "status")),
        "resolved_counts": (counts, tuple(counts[0])),
        "npu_versions": (sample(rows_of(facts / "npu_versions.csv"), ("pytorch_version",), 2), ("cann", "pytorch_version", "torch_npu_pip", "branch")),
        "aten_aicpu": (sample(units, ("release", "chip", "verdict"), 9), ("op", "release", "chip", "verdict", "dtypes")),
        "api_operators": (measured(rows_of(facts / "api_operators.csv")), ("api", "kind", "operator", "share")),
    }
    (SUBSET / "facts").mkdir(exist_ok=True)
    for name, (rows, columns) in tables.items():
        lines = sorted("\t".join(row[column] or "." for column in columns) for row in rows)
        (SUBSET / "facts" / (name + ".tsv")).write_text("\n".join(["# " + "\t".join(columns), *lines]) + "\n", encoding="utf-8")
        print("%s: %d rows" % (name, len(lines)))


def main(reference):
    write_facts(pathlib.Path(reference) / "facts")
    write_archive(pathlib.Path(reference) / "samples")


if __name__ == "__main__":
    main(sys.argv[1])
