"""Composites are judged by what they called: by the nesting of a trace, or by what their bodies always call."""
import json

from test_unseen import table


def trace(*events):
    """Events (name, begin, end) of one thread."""
    return json.dumps({"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": begin, "dur": end - begin, "args": {"Input Dims": [[2, 2]]}}
        for name, begin, end in events]})


def verdict(report, name):
    return next(list(op["verdicts"].values())[0] for op in report["operators"] if op["name"] == name)


def test_the_children_of_a_trace_are_those_inside(opcheck, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(trace(("aten::matmul", 0, 100), ("aten::reshape", 1, 20), ("aten::view", 2, 10), ("aten::mm", 30, 90),
                          ("aten::relu", 200, 300)), encoding="utf-8")
    report = opcheck("check", path, "-t", "musa@v2.7.1", "-f", "json").json
    assert verdict(report, "aten::matmul")["via"] == "CompositeImplicit; calls aten::reshape (composite), aten::mm (native)"
    assert verdict(report, "aten::reshape")["via"].endswith("; calls aten::view (native)")
    assert "calls" not in verdict(report, "aten::relu")["via"]


def test_a_composite_runs_as_well_as_what_it_called(opcheck, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(trace(("aten::matrix_exp", 0, 100), ("aten::linalg_matrix_exp", 10, 90)), encoding="utf-8")
    report = opcheck("check", path, "-t", "musa@v2.7.1", "-f", "json").json
    composite = verdict(report, "aten::matrix_exp")
    assert composite["status"] == "composite"
    assert composite["conditions"][0]["rule"] == "op-calls"
    assert composite["conditions"][0]["params"] == {"operator": "aten::matrix_exp", "target": "musa@v2.7.1",
                                                    "child": "aten::linalg_matrix_exp", "status": "unsupported"}
    assert report["targets"][0]["readiness"]["operators"] == {"lo": 0, "hi": 0.5}
    assert report["targets"][0]["verdict"] == "blocked"


def test_without_nesting_the_body_tells_what_is_called(opcheck, tmp_path):
    path = tmp_path / "profiler.log"
    path.write_text(table("aten::matrix_exp", "aten::linalg_matrix_exp"), encoding="utf-8")
    composite = verdict(opcheck("check", path, "-t", "musa@v2.7.1", "-f", "json").json, "aten::matrix_exp")
    assert composite["via"] == "CompositeImplicit; calls aten::linalg_matrix_exp (unsupported)"


def test_doubts_go_up_through_composites_of_composites(opcheck, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(trace(("aten::einsum", 0, 200), ("aten::matrix_exp", 5, 100), ("aten::linalg_matrix_exp", 10, 90)), encoding="utf-8")
    outer = verdict(opcheck("check", path, "-t", "musa@v2.7.1", "-f", "json").json, "aten::einsum")
    assert [c["params"]["child"] for c in outer["conditions"] if c["rule"] == "op-calls"] == ["aten::matrix_exp"]


def test_a_backends_operator_is_reached_only_through_its_parent(opcheck, tmp_path):
    """_convolution chooses mkldnn_convolution by device; inside of anything else the program names it."""
    path = tmp_path / "trace.json"
    path.write_text(trace(("aten::_convolution", 0, 100), ("aten::mkldnn_convolution", 10, 90)), encoding="utf-8")
    reached = verdict(opcheck("check", path, "-t", "musa@v2.7.1", "-f", "json").json, "aten::mkldnn_convolution")
    assert reached["status"] == "equivalent"
    path.write_text(trace(("aten::_convolution", 0, 100), ("aten::einsum", 200, 300), ("aten::mkldnn_convolution", 210, 290)),
                    encoding="utf-8")
    named = verdict(opcheck("check", path, "-t", "musa@v2.7.1", "-f", "json").json, "aten::mkldnn_convolution")
    assert named["status"] == "unsupported" and named["via"].startswith("called by name: ")
    # a table tells no parents: it is enough that the composite was recorded
    log = tmp_path / "profiler.log"
    log.write_text(table("aten::_convolution", "aten::mkldnn_convolution"), encoding="utf-8")
    assert verdict(opcheck("check", log, "-t", "musa@v2.7.1", "-f", "json").json, "aten::mkldnn_convolution")["status"] == "equivalent"


SDPA = (("aten::scaled_dot_product_attention", 0, 100), ("aten::_scaled_dot_product_flash_attention", 5, 90),
        ("aten::_flash_attention_forward", 10, 80))


def test_what_an_attention_runs_on_follows_its_caller(opcheck, tmp_path):
    """A report that varlen_attn dies for want of a kernel is about calls by name, not about those of scaled_dot_product_attention."""
    path = tmp_path / "trace.json"

    def report(*events):
        path.write_text(trace(*events), encoding="utf-8")
        return opcheck("check", path, "-t", "npu@v2.12.0-26.1.0", "-f", "json").json

    inside = report(*SDPA)
    assert {verdict(inside, name)["status"] for name, _, _ in SDPA} == {"native", "equivalent"}
    assert inside["targets"][0]["verdict"] == "ready" and not inside["findings"]
    for caller in (("torch_attn::_varlen_attn", 200, 300), ("aten::einsum", 200, 300), None):  # None: by the program itself
        mixed = report(*SDPA, *([caller] if caller else []), ("aten::_flash_attention_forward", 210, 290))
        named = verdict(mixed, "aten::_flash_attention_forward")
        assert named["status"] == "unsupported" and named["via"].startswith("called by name: "), caller
        assert verdict(mixed, "aten::_scaled_dot_product_flash_attention")["status"] == "equivalent"
        assert mixed["targets"][0]["verdict"] == "blocked"


def test_an_overload_that_only_calls_the_unnamed_one_runs_no_better(opcheck, tmp_path):
    """interpolate(antialias=True) calls the overload vec, and that one the kernel."""
    path = tmp_path / "dump.log"
    path.write_text(table("aten::_upsample_bilinear2d_aa", "aten::relu"), encoding="utf-8")
    report = opcheck("check", path, "-t", "musa@v1.3.0", "-t", "npu@v2.3.1-6.0.rc2", "-f", "json").json
    raises, falls_back = report["targets"]
    assert raises["verdict"] == "blocked" and raises["coverage"]["operators"] == {"lo": 0.5, "hi": 0.5}
    assert falls_back["readiness"]["operators"] == {"lo": 0.5, "hi": 0.5} and falls_back["coverage"]["operators"]["lo"] == 1
