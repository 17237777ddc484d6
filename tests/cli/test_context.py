"""A verdict in its context, over every dump at hand: static models are ready, reports warn of their case alone, printed pairs have findings."""
import csv
import os
import pathlib
import re

import pytest

from conftest import FIXTURES, ROOT, sampled

NPU, MUSA = "npu@v2.12.0-26.1.0", "musa@v2.7.1"
SAMPLES = pathlib.Path(os.environ.get("OPCHECK_REFERENCE_DIR", "/nowhere")) / "samples"
SHORT = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float64": "fp64"}


def dumps():
    """The tests' own and, where it is at hand, the reference material's."""
    folders = [FIXTURES / name for name in ("eras", "torch-1.13", "torch-2.13", "traces", "walks")]
    folders += [SAMPLES / name for name in ("torch-1.13", "torch-2.13", "real-traces", "real-traces/public", "eras")]
    for folder in folders:
        for path in sorted(folder.glob("*")) if folder.is_dir() else ():
            if path.name.endswith((".log", ".json", ".gz", ".txt")) and not re.search(r"truth|expected|index|graph|triton|kernel", path.name):
                yield path


DUMPS = sampled(dumps(), 3 if SAMPLES.is_dir() else 2)


@pytest.fixture(scope="module")
def reports(opcheck):
    found = {}
    for path in DUMPS:
        run = opcheck("check", path, "-t", NPU, "-t", MUSA, "-t", "npu@v2.1.0-6.0.0", "-f", "json")
        if run.status == 0:
            found[path] = run.json
    return found


@pytest.mark.parametrize("dump", ["torch-1.13/vit.a-full.log.gz", "torch-1.13/resnet18.a-full.log", "torch-2.13/lastbatch.a-full.log",
                                  "traces/lastbatch.c.trace.json.gz"])
def test_static_models_in_fp32_are_ready_on_the_newest_npu(opcheck, dump):
    target, = opcheck("check", FIXTURES / dump, "-t", "npu", "--dtype", "fp32", "-f", "json").json["targets"]
    assert target["verdict"] == "ready", target["reason"]["text"]


def test_every_printed_pair_of_operator_and_target_has_a_finding(reports):
    several = grouped = 0
    for path, report in reports.items():
        pairs = {(f["operator"], f["target"]) for f in report["findings"]}
        pairs |= {(name, f["target"]) for f in report["findings"] for name in f.get("operators", [])}
        of = {f["fingerprint"]: f for f in report["findings"]}
        for target in report["targets"]:
            name = target["reason"]["params"].get("operator", "").split(" (")[0]
            assert not name or (name, target["id"]) in pairs, (path.name, target["reason"]["text"])
        for cause in report["causes"]:
            own = {(f["operator"], f["target"]) for f in map(of.get, cause["findings"])}
            own |= {(name, f["target"]) for f in map(of.get, cause["findings"]) for name in f.get("operators", [])}
            on = cause.get("on_targets") or dict.fromkeys(cause["targets"], cause["operators"])
            several += len(cause["targets"]) > 1
            for target, names in on.items():
                assert {(name, target) for name in names} <= own, (path.name, cause["text"])
            for said in [cause["statement"], *cause.get("also", ())]:
                grouped += said["rule"].endswith("-each")
                for group in said["text"].split(": ", 1)[1].split("; ") if said["rule"].endswith("-each") else ():
                    targets, _, names = group.rpartition(": ")  # the text groups targets before their operators
                    for name in re.findall(r"[a-z_]\w*::\w+", names):
                        assert all((name, target) in own for target in targets.split(", ")), said["text"]
    assert several >= 3 and grouped >= 3


def test_no_report_warns_of_a_case_that_the_dump_excludes(reports):
    """Types and graph capture are what dumps of the kinds at hand tell: the type of a report is among those of the calls, or unknown."""
    with open(ROOT / "opdb" / "reported.tsv", encoding="utf-8") as lines:
        rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    columns = rows[0]
    columns[0] = columns[0].lstrip("# ")
    table = [dict(zip(columns, row)) for row in rows[1:]]
    warned = 0
    for path, report in reports.items():
        shown = {op["name"]: {t for shape in op["shapes"] for t in shape.get("dtypes") or ()} - {"", "-"} for op in report["operators"]}
        captured = any("apture" in entry["name"] for entry in report["ignored"])
        for finding in report["findings"]:
            if finding["rule"] not in ("op-reported-crash", "op-reported-wrong", "op-reported-broken") or finding["severity"] == "note":
                continue
            sources = {e["ref"] for e in finding["evidence"] if e["kind"] == "report"}
            told = [row for row in table if row["op"].split(".")[0] == finding["operator"] and row["source"] in sources
                    and row["target"] == finding["target"].split("@")[0]]
            assert told, (path.name, finding["text"])
            warned += 1
            kinds = [({SHORT.get(t, t) for t in row["dtype"].split(",")} if row["dtype"] != "." else set(), row["condition"]) for row in told]
            types = shown[finding["operator"]]
            assert any((not wanted or not types or wanted & types) and (condition != "mode:capture" or captured) and condition != "?"
                       for wanted, condition in kinds), (path.name, finding["text"])
    assert len(reports) > 20
