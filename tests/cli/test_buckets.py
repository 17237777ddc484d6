"""The bucket plan on real dumps: what it finds is in the truth beside the dump, what it says it wastes is wasted."""
import csv
import io
import itertools
import json

import pytest

from conftest import FIXTURES

FOLDER = FIXTURES / "torch-2.13"
MODELS = ["llama", "lastbatch", "compilemarks"]


def plan(opcheck, model, *args):
    done = opcheck("buckets", FOLDER / (model + ".a-full.log"), "-f", "json", *args)
    assert done.status == 0, done.err
    return done.json


def truth_of(folder, model):
    """For each step, operator and shapes: calls."""
    steps = json.loads((folder / (model + ".truth.json")).read_text(encoding="utf-8"))["steps"]
    return [[(row[0], row[1], row[2]) for row in step] for step in steps]


def size_at(shapes, place):
    """The size at a place, None where the shapes have none there."""
    value = shapes
    for index in ([place["argument"], place["dim"]]):
        if not isinstance(value, list) or index >= len(value):
            return None
        value = value[index]
    return value if isinstance(value, int) else None


def check_against_truth(found, truth):
    for dim in found["dimensions"]:
        sizes = {size for size, _ in dim["values"]}
        assert not dim["coarse"] and len(sizes) == dim["distinct"]
        assert (min(sizes), max(sizes)) == (dim["min"], dim["max"])
        assert sum(calls for _, calls in dim["values"]) == dim["calls"]
        for place in [p for p in dim["places"] if not p["tensor"]]:
            seen = [{size_at(shapes, place) for name, shapes, _ in step if name == place["operator"]} for step in truth]
            assert sizes <= set().union(*seen), (place, sizes)
            assert any(size not in step for size in sizes for step in seen), (place, sizes)


def test_every_dimension_is_in_the_truth(opcheck):
    for model in MODELS:
        found = plan(opcheck, model)
        assert found["dimensions"], model
        check_against_truth(found, truth_of(FOLDER, model))


def wasted(values, sizes):
    """Elements of padding, and of what is there after it."""
    padded = sum(min(s for s in sizes if s >= size) * calls for size, calls in values)
    return padded - sum(size * calls for size, calls in values), padded


@pytest.mark.parametrize("model", MODELS)
def test_no_choice_of_sizes_wastes_less(opcheck, model):
    tried = 0
    for dim in plan(opcheck, model)["dimensions"]:
        sizes = [size for size, _ in dim["values"]]
        assert [p["k"] for p in dim["plans"]] == [2, 4, 8, 16]
        for chosen in dim["plans"]:
            assert len(chosen["sizes"]) <= chosen["k"] and set(chosen["sizes"]) <= set(sizes)
            assert chosen["sizes"][-1] == max(sizes)
            waste, padded = wasted(dim["values"], chosen["sizes"])
            assert chosen["waste"] == pytest.approx(waste / padded, abs=1e-6)
            if len(sizes) <= 12:
                rest = min(chosen["k"], len(sizes)) - 1
                others = itertools.combinations([s for s in sizes if s != max(sizes)], rest)
                assert waste == min(wasted(dim["values"], list(other) + [max(sizes)])[0] for other in others)
                tried += 1
    assert tried


def test_kinds_lead_to_advice(opcheck):
    assert {d["advice"]["rule"] for d in plan(opcheck, "lastbatch")["dimensions"]} == {"bucket-drop-last"}
    assert {d["advice"]["rule"] for d in plan(opcheck, "llama")["dimensions"]} == {"bucket-pad"}
    assert "drop_last=True" in opcheck("buckets", FOLDER / "lastbatch.a-full.log").text


def test_a_dump_whose_shapes_stay_has_no_plan(opcheck):
    done = opcheck("buckets", FOLDER / "resnet50.a.log")
    assert done.status == 0 and "k = " not in done.text


def test_csv_and_text_say_what_json_says(opcheck, tmp_path):
    dump, found = FOLDER / "llama.a-full.log", plan(opcheck, "llama")
    out = tmp_path / "buckets.csv"
    assert opcheck("buckets", dump, "-f", "csv", "-o", out).out == b""
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    assert len(rows) == 4 * len(found["dimensions"])
    for row in rows:
        dim = found["dimensions"][int(row["dimension"]) - 1]
        chosen = next(p for p in dim["plans"] if p["k"] == int(row["k"]))
        assert [int(s) for s in row["sizes"].split()] == chosen["sizes"] and float(row["waste"]) == chosen["waste"]
        assert (int(row["calls"]), row["kind"], len(row["places"].split())) == (dim["calls"], dim["kind"], len(dim["places"]))
    for lang in ("en", "zh-CN"):
        text = opcheck("buckets", dump, "-v", "--lang", lang).text
        assert max(map(len, text.splitlines())) <= 80
        assert all(p["operator"] in text for d in found["dimensions"] for p in d["places"])
    assert opcheck("buckets", dump, "-f", "csv", "-o", out).status == 2  # it is there
    assert opcheck("buckets", dump, "-f", "csv", "-o", out, "--force").status == 0


def test_limits_hold_and_are_told(opcheck):
    found = plan(opcheck, "llama", "--limit", "bucket-dims=2", "--limit", "bucket-values=2")
    assert len(found["dimensions"]) == 2 and found["left_out"] > 0
    assert all(len(d["values"]) == 2 for d in found["dimensions"]) and found["dimensions"][0]["coarse"]
    assert "left out" in opcheck("buckets", FOLDER / "llama.a-full.log", "--limit", "bucket-dims=2").text


@pytest.mark.parametrize("args, status", [(("buckets",), 2), (("buckets", "-f", "sarif", "x"), 2), (("buckets", "/nonexistent"), 3)])
def test_errors(opcheck, args, status):
    done = opcheck(*args)
    assert done.status == status and done.err.startswith("opcheck: ") and done.out == b""


def test_the_report_has_steps_and_calls_of_every_dimension(opcheck):
    """Steps and calls of a dimension in the report are those of the shapes in the truth that differ there."""
    report = opcheck("check", FOLDER / "lastbatch.a-full.log", "-f", "json").json
    dims = [d for o in report["operators"] for d in o["dynamic"]["dims"]]
    assert dims and all(0 <= d["steps"] <= report["inputs"][0]["steps"] for d in dims)
    assert all((d["steps"] > 0) == (d["calls"] > 0) for d in dims) and any(d["calls"] for d in dims)
