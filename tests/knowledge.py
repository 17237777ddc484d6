"""The same trace with less and less told of its calls: what an answer is made of when a dump shows less."""
import gzip
import json

TARGETS = ("npu@v2.7.1-26.0.0", "npu@v2.7.1-26.0.0:910A", "npu@v2.12.0-26.1.0:910B", "npu@v2.1.0-6.0.0:310P",
           "npu@v2.7.1-26.0.0:910_95", "npu@v1.11.0-5.0.0", "musa@v2.7.1:S4000", "musa@v1.3.0")
TYPES = {"Input type", "Input Type"}
VALUES = {"Concrete Inputs"}
MEASURES = [(figure, by) for figure in ("readiness", "coverage") for by in ("time", "calls", "operators")]


def load(path):
    raw = path.read_bytes()
    return json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw, strict=False)


def without(document, keys):
    """A copy of a trace whose calls lack these arguments."""
    copy = json.loads(json.dumps(document))
    for event in copy["traceEvents"] if isinstance(copy, dict) else copy:
        for key in keys & set(event.get("args") or {}):
            del event["args"][key]
    return copy


def report(opcheck, path, targets=TARGETS):
    done = opcheck("check", path, "-f", "json", *[word for target in targets for word in ("-t", target)])
    assert done.status == 0, done.err
    return done.json


def is_shown_alone(verdict):
    """Whether a doubt counts only where the dump shows the calls: a type that nobody tested, an argument that a kernel refuses."""
    return "untested" in verdict["flags"] or any(c["rule"] == "op-argument" for c in verdict["conditions"])


def shown_alone(report, target, by):
    """The share of such operators."""
    weights = {"time": lambda op: op["time_share"], "calls": lambda op: op["calls"], "operators": lambda op: 1}
    whole = 1 if by == "time" else sum(map(weights[by], report["operators"]))
    return sum(weights[by](op) for op in report["operators"] if is_shown_alone(op["verdicts"][target])) / whole


def hold_inside(more, less, what):
    """Every interval of the report that knows more lies inside the one of the report that knows less, but for doubts
    about what it shows, and is in order."""
    assert [t["id"] for t in more["targets"]] == [t["id"] for t in less["targets"]]
    for known, unknown in zip(more["targets"], less["targets"]):
        for figure, by in MEASURES:
            inner, outer = known[figure][by], unknown[figure][by]
            doubt = shown_alone(more, known["id"], by)
            least = outer["lo"] - (doubt + 2e-6 if doubt else 0)
            assert 0 <= outer["lo"] and least <= inner["lo"] <= inner["hi"] <= outer["hi"] <= 1, (
                what, known["id"], figure, by, inner, outer)


def hold_knowledge(opcheck, tmp_path, document, name="trace.json"):
    """A trace with all it has, without values, and without the types of its arguments."""
    steps = [document, without(document, VALUES), without(document, VALUES | TYPES)]
    reports = []
    for number, step in enumerate(steps):
        path = tmp_path / str(number) / name
        path.parent.mkdir()
        path.write_text(json.dumps(step), encoding="utf-8")
        reports.append(report(opcheck, path))
    for number in range(1, len(reports)):
        hold_inside(reports[number - 1], reports[number], "step %d" % number)
    return reports
