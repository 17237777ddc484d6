"""The reader, the guide's lists and the shape analysis over the reference samples, against their truth and their oracles."""
import collections
import csv
import io
import json
import re
import shutil
import subprocess
import sys

import pytest

from conftest import REFERENCE, environment, fact_rows, rows_by_table, sampled

MODELS = [("torch-1.13", m) for m in ("misc", "resnet18", "transformer")] + [
    ("torch-2.13", m) for m in ("bert", "compile", "compilemarks", "ctc", "lastbatch", "llama", "resnet50")]


def cut_name(name):
    return name[:52] + "..." if len(name) >= 52 else name


@pytest.mark.parametrize("torch, model", MODELS)
def test_every_row_of_the_uncut_logs_equals_the_truth(events, reference, torch, model):
    folder = reference / "samples" / torch
    steps = json.loads((folder / (model + ".truth.json")).read_text(encoding="utf-8"))["steps"]
    tables = rows_by_table(events(folder / (model + ".a-full.log")))
    assert len(tables) == len(steps)
    for table, step in zip(tables, steps):
        want = collections.Counter((cut_name(row[0]), str(row[1])[:80].rstrip(), row[2]) for row in step)
        assert collections.Counter((name, shapes, calls) for name, _, shapes, calls in table) == want


def printed_rows(text):
    """How many rows stand between the dashes of a table, counted without knowing its columns."""
    lines = text.split("\n")
    dashes = [i for i, line in enumerate(lines) if re.match(r"^-{6,}(  -{3,}){2,} *$", line)]
    body = lines[dashes[1] + 1:dashes[2]] if len(dashes) == 3 else []
    return len(dashes) // 3, sum(1 for line in body if re.search(r"\d(us|ms|s) .* \d+ ", line))


@pytest.mark.parametrize("torch", ["torch-1.13", "torch-2.13"])
def test_every_table_of_the_matrix_is_read_whole(events, reference, torch):
    folder = reference / "samples" / torch / "matrix"
    index = sampled(json.loads((folder / "index.json").read_text(encoding="utf-8")))
    refused = 0
    for entry in index:
        found = events(folder / entry["file"])
        tables, rows = printed_rows((folder / entry["file"]).read_text(encoding="utf-8"))
        assert (entry["file"], found["facts"]["tables"], found["facts"]["rows"]) == (entry["file"], tables, rows)
        assert entry["dash_lines"] == 3 * tables
        if not tables:
            refused += 1
            assert found["status"] == 3 and re.match(r"OPC-300[35]:", found["err"]), entry["file"]
        # a label with a line feed in it: its row was printed in two pieces
        torn = "\nline " in (folder / entry["file"]).read_text(encoding="utf-8")
        assert found["facts"]["skipped_lines"] == (1 if torn else 0), entry["file"]
    assert refused == sum(1 for entry in index if entry["dash_lines"] == 0)


@pytest.mark.parametrize("name, tables, rows, skipped", [
    ("bom-utf8.log", 4, 400, 0), ("chinese-gbk.log", 4, 400, 0), ("chinese-utf8.log", 4, 400, 0), ("crlf.log", 4, 400, 0),
    ("cut-before-footer.log", 4, 400, 0), ("cut-in-row.log", 3, 300, 0), ("glued-progress.log", 4, 400, 0),
    ("markdown.md", 4, 400, 0), ("no-dashes.log", 4, 400, 0), ("noise.log", 4, 400, 0), ("prefix-rank.log", 4, 400, 0),
    ("prefix-time.log", 4, 400, 0), ("prefix-torchrun.log", 4, 400, 0), ("quoted.eml", 4, 400, 0), ("stripped.log", 4, 400, 0),
    ("utf16le.log", 4, 400, 0), ("wrapped-200.log", 4, 400, 0),
    # the pipe tore one row, and the log begins in the middle of a table whose 16 rows are read by their cells
    ("interleaved-pipe.log", 7, 605, 2),
])
def test_every_messy_log_is_read_whole_or_its_losses_are_counted(events, reference, name, tables, rows, skipped):
    facts = events(reference / "samples" / "torch-1.13" / "messy" / name)["facts"]
    assert (facts["tables"], facts["rows"], facts["skipped_lines"]) == (tables, rows, skipped)


def test_every_layout_of_older_versions_is_read_whole(events, reference):
    logs = sorted((reference / "samples" / "eras").glob("*.log"))
    assert logs
    for log in logs:
        facts = events(log)["facts"]
        assert (log.name, facts["tables"], facts["rows"], facts["skipped_lines"]) == (log.name, 4, 180, 0)


# --- the porting guide's script

# The guide's script on many files in one process: script, then a log and a folder for each, which gets what was printed, too.
GUIDE = """
import contextlib, pathlib, runpy, sys
script, *rest = sys.argv[1:]
for log, folder in zip(rest[::2], rest[1::2]):
    sys.argv = [script, "--profiler_file", log, "--out-dir", folder]
    with open(folder + "/printed", "w") as out, contextlib.redirect_stdout(out):
        try:
            runpy.run_path(script, run_name="__main__")
        except UnicodeDecodeError:
            pathlib.Path(folder, "refused").touch()
"""


def test_as_guide_gives_the_guides_bytes_on_every_sample(opcheck, reference, tmp_path):
    files = sampled(sorted(path for path in (reference / "samples").rglob("*") if path.is_file()))
    assert len(files) > 50
    pairs = [(log, tmp_path / ("guide%d" % number)) for number, log in enumerate(files)]
    for _, theirs in pairs:
        theirs.mkdir()
    subprocess.run([sys.executable, "-c", GUIDE, reference / "tools" / "guide_extract.py", *(path for pair in pairs for path in pair)],
                   check=True, env=dict(environment(), PYTHONUTF8="1"))
    ours = tmp_path / "ours"
    for log, theirs in pairs:
        ours.mkdir()
        got = opcheck("extract", "--as-guide", log, "--out-dir", ours)
        if (theirs / "refused").exists():
            assert got.status == 3 and "OPC-3007" in got.err and " position " in got.err, log
            assert not list(ours.iterdir()), log
        else:
            assert got.status == 0 and got.out == (theirs / "printed").read_bytes(), log
            for name in ("all_ops.txt", "dynamic_ops.txt"):
                assert (ours / name).read_bytes() == (theirs / name).read_bytes(), log
        shutil.rmtree(ours)


# --- shapes

def one_shape_comes_and_goes(op, steps):
    """After the first step at most one shape is in some steps and not in others: the operator is called or not called."""
    later = [sum(min(last, steps) - max(first, 2) + 1 for first, last in s["steps"] if last >= 2) for s in op["shapes"]]
    return sum(0 < count < steps - 1 for count in later) <= 1


@pytest.mark.parametrize("torch, model", sampled([m for m in MODELS if m[1] not in ("compile",)]))
def test_the_changing_operators_are_those_of_the_truth(opcheck, reference, torch, model):
    folder = reference / "samples" / torch
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[model]
    report = opcheck("check", folder / (model + ".a-full.log"), "-f", "json").json
    kinds = {o["name"]: o["dynamic"] for o in report["operators"]}
    changing = {n for n, d in kinds.items() if d["kind"] in ("last-batch", "bounded", "unbounded", "data-dependent")}
    steps = report["inputs"][0]["steps"]
    presence = {o["name"] for o in report["operators"] if one_shape_comes_and_goes(o, steps)}
    want = set(expected["set_without_step_1"])
    assert len((want - presence) & changing) >= 0.97 * len(want - presence)
    assert len(want - presence) >= 0.75 * len(want)
    by_steps = {n for n, d in kinds.items() if d["kind"] in ("last-batch", "bounded", "unbounded")}
    assert not by_steps - want
    assert {n for n, d in kinds.items() if d["guide_rule"] == "dynamic"} == set(expected["first"])


@pytest.mark.parametrize("torch, model", [("torch-1.13", "resnet18"), ("torch-2.13", "resnet50")])
def test_no_operator_of_a_static_model_changes(opcheck, reference, torch, model):
    for log in (model + ".a-full.log", model + ".a.log", model + ".b.log"):
        report = opcheck("check", reference / "samples" / torch / log, "-f", "json").json
        assert {o["dynamic"]["kind"] for o in report["operators"]} <= {"static", "warm-up", "late", "unknown"}, log


def test_the_smaller_last_batch_of_an_epoch_is_told_apart(opcheck, reference):
    report = opcheck("check", reference / "samples" / "torch-2.13" / "lastbatch.a-full.log", "-f", "json").json
    kinds = collections.Counter(o["dynamic"]["kind"] for o in report["operators"])
    assert kinds["last-batch"] >= 50 and not kinds["bounded"] and not kinds["unbounded"]


def test_compiling_steps_are_left_out_and_named(opcheck, reference):
    report = opcheck("check", reference / "samples" / "torch-2.13" / "compile.a-full.log", "-f", "json").json
    warnings = {w["rule"]: w.get("params") for w in report["inputs"][0]["capture"]["warnings"]}
    assert warnings["capture-compiling-steps"] == {"steps": "2"}
    assert not [o["name"] for o in report["operators"] if o["dynamic"]["kind"] in ("bounded", "unbounded")]


# --- the database

def test_op_all_equals_the_reference_resolver(opcheck, reference):
    want = collections.defaultdict(dict)
    for row in fact_rows(reference, "resolved_ops.csv"):
        want[row["target"] + "@" + row["release"]][row["op"]] = row["status"]
    overloads = {row["target"] + "@" + row["release"]: int(row["overloads"]) for row in fact_rows(reference, "resolved_counts.csv")}
    assert len(want) == 22 and sum(map(len, want.values())) == (65321 if REFERENCE else 360)
    for target, statuses in sampled(want.items(), 8):
        listed = opcheck("op", "--all", "-t", target, "-f", "csv")
        got = {row["op"]: row["status"] for row in csv.DictReader(io.StringIO(listed.text, newline=""))}
        assert len(got) == overloads[target] and {op: got.get(op) for op in statuses} == statuses, target


def test_every_published_version_means_its_branch(opcheck, reference):
    known = {t["id"] for t in opcheck("targets", "-f", "json").json["targets"]}
    resolved = 0
    for row in sampled(fact_rows(reference, "npu_versions.csv")):
        want = "npu@" + row["branch"]
        if want not in known:
            continue
        pip = row["torch_npu_pip"].replace("\uff08beta\uff09", "")
        for spec in (["npu@pip-" + pip] if pip else []) + ["npu@cann-" + row["cann"]]:
            found = opcheck("op", "aten::add", "-t", spec, "--torch", row["pytorch_version"], "-f", "csv").text
            assert want.split("@")[1] in found.splitlines()[1].split(","), (spec, found)
            resolved += 1
    assert resolved > (20 if REFERENCE else 8)


def test_all_releases_are_there(opcheck, reference):
    listed = [t["id"] for t in opcheck("targets", "-f", "json").json["targets"]]
    want = [row["target"] + "@" + row["release"] for row in fact_rows(reference, "resolved_counts.csv")]
    assert sorted(listed) == sorted(want) and len(listed) == 87


@pytest.mark.parametrize("model", sampled(["lastbatch", "bert", "compile", "compilemarks", "ctc", "llama", "resnet50"]))
def test_the_bucket_plan_is_about_operators_that_change(opcheck, reference, model):
    """Every operator with a planned dimension changes by the truth, and where operators change most of them are in the plan."""
    folder = reference / "samples" / "torch-2.13"
    changing = set(json.loads((folder / "expected.json").read_text(encoding="utf-8"))[model]["set_dims_without_step_1"])
    found = opcheck("buckets", folder / (model + ".a-full.log"), "-f", "json").json
    planned = {place["operator"] for dim in found["dimensions"] for place in dim["places"]}
    assert planned <= changing
    if model != "compile":  # it changes only in steps in which torch.compile was compiling, which are left out
        assert len(planned) * 2 >= len(changing)


# --- tables of torch_npu's profiler, and lists

ASCEND = "samples/synthetic/npu_20240501101010123_ascend_pt/ASCEND_PROFILER_OUTPUT"


def csv_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def shapes_of(cell):
    return str([[int(n) for n in part.split(",") if n.strip()] for part in cell.split(";")]) if cell.strip() else ""


def test_every_call_of_operator_details_is_read(events, reference):
    path = reference / ASCEND / "operator_details.csv"
    rows = csv_rows(path)
    found = events(path)
    calls, times = collections.Counter(), collections.Counter()
    for row in rows:
        calls[row["Name"], shapes_of(row["Input Shapes"])] += 1
        times[row["Name"], shapes_of(row["Input Shapes"])] += round(float(row["Host Self Duration(us)"]) * 1000)
    told, took = collections.Counter(), collections.Counter()
    for _, _, name, _, shapes, count, own in found["row"]:
        told[name, shapes] += count
        took[name, shapes] += own
    assert told == calls and took == times
    assert found["facts"]["skipped_lines"] == 0 and found["facts"]["cut_tables"] == 0


def test_operator_details_agree_with_the_run_they_were_made_of(events, reference):
    """The generator wrote each distinct row of a step at most three times; lists of tensors do not show in this form."""
    steps = json.loads((reference / "samples/torch-1.13/transformer.truth.json").read_text(encoding="utf-8"))["steps"]
    want = collections.Counter()
    for step in steps:
        for name, _, calls in step:
            want[name] += min(calls, 3)
    found = collections.Counter()
    for row in events(reference / ASCEND / "operator_details.csv")["row"]:
        found[row[2]] += row[5]
    assert found == want


@pytest.mark.parametrize("path", [ASCEND + "/kernel_details.csv", "samples/real-traces/npu-2023-kernel_details.csv"])
def test_every_task_of_kernel_details_is_read(events, reference, path):
    found = events(reference / path)
    told = collections.Counter()
    for row in found["row"]:
        told[row[2]] += row[5]
    assert told == collections.Counter(row["Type"] for row in csv_rows(reference / path))
    assert found["facts"]["format"] == "npu-kernel-details" and found["facts"]["skipped_lines"] == 0


@pytest.mark.parametrize("name, rows, code", [
    ("api_statistic.csv", 1, None), ("op_statistic.csv", 2, None), ("step_trace_time.csv", 1, None), ("operator_memory.csv", 0, "OPC-3008")])
def test_the_other_tables_are_read_or_refused(events, reference, name, rows, code):
    found = events(reference / ASCEND / name)
    assert found["facts"]["rows"] == rows == len(found["row"]) and found["facts"]["skipped_lines"] == 0
    assert found["status"] == (3 if code else 0) and found["err"].startswith(code or "")


@pytest.mark.parametrize("model", [m for t, m in MODELS if t == "torch-2.13"])
@pytest.mark.parametrize("kind", ["all_ops", "dynamic_ops"])
def test_the_guides_lists_are_read_line_by_line(events, reference, model, kind):
    path = reference / "samples" / "torch-2.13" / ("%s.%s.txt" % (model, kind))
    found = events(path)
    assert [row[2] for row in found["row"]] == [line for line in path.read_text(encoding="utf-8").split("\n") if line]
    assert found["facts"]["format"] == "list"
