"""What a target asks of a program beside its operators, and what a profile of training or of inference lacks."""
import json

import pytest

from test_unseen import check, table  # noqa: F401

NPU, MUSA = "npu@v2.7.1-26.0.0", "musa@v2.7.1"


def rules(report):
    return {f["rule"]: f for f in report["findings"] if f["rule"].startswith("constraint-")}


def modes(report):
    return {w["rule"] for w in report["warnings"] if w["rule"].startswith("mode-")}


def test_collectives_of_another_backend_are_named(opcheck, tmp_path):
    seen = ["aten::add", "nccl:all_reduce"]
    assert rules(check(opcheck, tmp_path, seen, NPU))["constraint-collectives"]["params"]["backend"] == "hccl"
    assert rules(check(opcheck, tmp_path, seen, MUSA))["constraint-collectives"]["params"]["backend"] == "mccl"
    assert not rules(check(opcheck, tmp_path, ["aten::add", "hccl:all_reduce"], NPU))


def test_data_parallel_is_told_from_its_nodes(opcheck, tmp_path):
    for node in ("GatherBackward", "BroadcastBackward"):
        assert "constraint-data-parallel" in rules(check(opcheck, tmp_path, ["aten::add", node], NPU)), node
    assert not rules(check(opcheck, tmp_path, ["aten::add", "AddBackward0"], NPU))


def test_torchscript_matters_on_npu_alone(opcheck, tmp_path):
    seen = ["aten::add", "<forward op>"]
    assert "constraint-torchscript" in rules(check(opcheck, tmp_path, seen, NPU))
    assert not rules(check(opcheck, tmp_path, seen, MUSA)) and not rules(check(opcheck, tmp_path, seen[:1], NPU))


def trace(name, dtype):
    return json.dumps({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 1, "dur": 5,
                                        "args": {"Input Dims": [[2], [2]], "Input type": [dtype, dtype]}}]})


def test_autocast_bans_an_operator_only_in_low_precision(opcheck, tmp_path):
    path = tmp_path / "trace.json"
    for dtype, banned in (("c10::Half", True), ("c10::BFloat16", True), ("float", False)):
        path.write_text(trace("aten::binary_cross_entropy", dtype), encoding="utf-8")
        report = opcheck("check", path, "-t", NPU, "-f", "json").json
        assert ("constraint-autocast" in rules(report)) == banned, dtype
    path.write_text(trace("aten::add", "c10::Half"), encoding="utf-8")
    assert not rules(opcheck("check", path, "-t", NPU, "-f", "json").json)


def test_sparse_tensors_name_the_operators_without_sparse_kernels(opcheck, tmp_path):
    seen = ["aten::add", "aten::mm", "aten::_sparse_coo_tensor_unsafe"]
    names = rules(check(opcheck, tmp_path, seen, "musa@v1.3.0"))["constraint-sparse"]["params"]["operators"]
    assert "aten::mm" in names.split(", ")
    assert "constraint-sparse" not in rules(check(opcheck, tmp_path, seen[:2], "musa@v1.3.0"))


def test_a_dump_with_sparse_tensors_never_runs_whole_without_their_kernels(opcheck, tmp_path):
    seen = ["aten::add", "aten::mm", "aten::_sparse_coo_tensor_unsafe"]
    report = check(opcheck, tmp_path, seen, "musa@v1.3.0")
    target, = report["targets"]
    assert target["coverage"]["operators"]["lo"] < 1 and target["verdict"] != "ready"
    found = [finding for finding in report["findings"] if finding["rule"] == "op-sparse"]
    assert {"aten::mm", "aten::add"} & {finding["operator"] for finding in found}
    assert all(finding["severity"] == "warning" for finding in found)
    dense = check(opcheck, tmp_path, seen[:2], "musa@v1.3.0")
    assert dense["targets"][0]["coverage"]["operators"]["lo"] == 1 and "op-sparse" not in json.dumps(dense)


def sparse_trace(strides=True):
    """A graph network: mm gets a sparse and then a dense matrix, transpose a dense one, and a sparse one that it clones."""
    calls = [("aten::_sparse_coo_tensor_unsafe", 0, 8, [[2, 9], [9]], [[9, 1], [1]]),
             ("aten::mm", 10, 60, [[4, 4], [4, 2]], [[], [2, 1]]), ("aten::_nnz", 15, 20, [[4, 4]], [[]]),
             ("aten::mm", 70, 80, [[3, 3], [3, 3]], [[3, 1], [3, 1]]), ("aten::add", 90, 95, [[4, 2], [4, 2]], [[2, 1], [2, 1]]),
             ("aten::transpose", 100, 160, [[4, 4], [], []], [[], [], []]), ("aten::clone", 110, 150, [[4, 4], []], [[], []]),
             ("aten::sparse_resize_", 120, 130, [[4, 4], [], [], []], [[], [], [], []]),
             ("aten::t", 200, 250, [[4, 2]], [[2, 1]]), ("aten::transpose", 210, 240, [[4, 2], [], []], [[2, 1], [], []])]
    return json.dumps({"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": begin, "dur": end - begin,
         "args": dict({"Input Dims": dims, "Input type": ["float" if d else "Scalar" for d in dims]}, **({"Input Strides": strides_of} if strides else {}))}
        for name, begin, end, dims, strides_of in calls]})


def test_sparse_tensors_of_a_trace_name_the_operators_that_got_them(opcheck, tmp_path):
    path = tmp_path / "trace.json"
    for strides in (True, False):
        path.write_text(sparse_trace(strides), encoding="utf-8")
        report = opcheck("check", path, "-t", "musa@v1.3.0", "-f", "json").json
        names = rules(report)["constraint-sparse"]["params"]["operators"].split(", ")
        assert "aten::mm" in names and not {"aten::add", "aten::t"} & set(names), strides
        # and what only a sparse argument reaches says nothing of dense ones
        calls = {f["operator"] for f in report["findings"] if f["rule"] == "op-calls"}
        assert not {"aten::transpose", "aten::t"} & calls, strides
        cause, = (c for c in report["causes"] if c["rule"] == "op-unsupported")
        assert cause["id"] == "op-unsupported/sparse" and {"aten::_nnz", "aten::sparse_resize_"} <= set(cause["operators"])
        assert [c["under"] for c in report["causes"] if c["rule"] == "constraint-sparse"] == [cause["id"]]


def test_the_other_mode_is_asked_for(opcheck, tmp_path):
    assert modes(check(opcheck, tmp_path, ["aten::add"], NPU)) == {"mode-inference-only"}
    train = ["aten::add", "AddBackward0", "aten::scaled_dot_product_attention"]
    assert modes(check(opcheck, tmp_path, train, NPU)) == {"mode-no-optimizer", "mode-training-only"}
    assert modes(check(opcheck, tmp_path, train[:2] + ["Optimizer.step#SGD.step"], NPU)) == set()


def collective(name, dtype):
    """What Kineto writes of a collective, and an operator beside it."""
    args = {"Collective name": name, "dtype": dtype, "In msg nelems": 8, "Out msg nelems": 8, "Group size": 4}
    return json.dumps({"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {}},
        {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": args}]})


@pytest.mark.parametrize("name, dtype, refusing, some", [
    ("allreduce", "Double", {NPU}, {MUSA}), ("allreduce", "Float", set(), {NPU, MUSA}), ("allreduce", "Bool", set(), {NPU, MUSA}),
    ("allreduce", "Short", {MUSA}, {NPU}), ("reduce_scatter", "Byte", {NPU}, {MUSA}), ("broadcast", "Double", set(), set()),
    ("all_to_all", "Float", set(), set()), ("no_such_collective", "Float", set(), set())])
def test_a_collective_of_a_type_that_the_backend_refuses_is_told(opcheck, tmp_path, name, dtype, refusing, some):
    path = tmp_path / "trace.json"
    path.write_text(collective(name, dtype), encoding="utf-8")
    found = opcheck("check", path, "-t", NPU, "-t", MUSA, "-f", "json").json["findings"]
    for rule, targets in (("constraint-collective-dtype", refusing), ("constraint-collective-reduction", some)):
        told = [f for f in found if f["rule"] == rule]
        assert {f["target"] for f in told} == targets
        assert all(f["params"]["collective"] == name and f["params"]["dtype"] == dtype and f["evidence"] for f in told)


def test_each_collective_that_is_refused_is_a_finding_of_its_own_over_all_ranks(opcheck, tmp_path):
    """A baseline that knows one of them takes none of the others for known."""
    files = [tmp_path / ("rank%d.json" % rank) for rank in range(4)]
    first, other = (json.loads(collective(*call)) for call in (("allreduce", "Double"), ("reduce_scatter", "Byte")))
    for rank, file in enumerate(files):
        both = {"distributedInfo": {"rank": rank, "world_size": 4}, "traceEvents": first["traceEvents"] + other["traceEvents"][1:]}
        file.write_text(json.dumps(both), encoding="utf-8")
    (tmp_path / "one.json").write_text(json.dumps(first), encoding="utf-8")
    base = tmp_path / "base.json"
    base.write_bytes(opcheck("check", tmp_path / "one.json", "-t", NPU, "-f", "json").out)
    report = opcheck("check", *files, "-t", NPU, "--baseline", base, "-f", "json").json
    told = [f for f in report["findings"] if f["rule"] == "constraint-collective-dtype"]
    assert {(f["params"]["collective"], f["age"]) for f in told} == {("allreduce", "known"), ("reduce_scatter", "new")} and len(told) == 2
    assert report["policy"]["changes"][0]["params"] == {"fixed": "0", "new": "1"}
    cause, = (c["text"] for c in report["causes"] if c["rule"] == "constraint-collective-dtype")
    assert set(cause.split(": ")[1].split(", ")) == {"allreduce", "reduce_scatter"}


def reduced(how, dtype, calls=1, inner=0):
    """An operator of functional collectives, which records how it reduces, and calls of the backend beside it."""
    events = [{"ph": "X", "cat": "cpu_op", "name": "_c10d_functional::all_reduce", "pid": 1, "tid": 1, "ts": 100 * i, "dur": 5,
               "args": {"Input Dims": [[8], [], []], "Input type": [dtype, "", ""], "Concrete Inputs": ["", how, "0"]}} for i in range(calls)]
    events += [{**json.loads(collective("allreduce", "Float"))["traceEvents"][1], "ts": 100 * i + 50} for i in range(inner)]
    return json.dumps({"traceEvents": [*json.loads(collective("allreduce", "Float"))["traceEvents"][:1], *events]})


def executed(how):
    """The same in an execution trace of PyTorch 2.6: attributes for a collective of c10d, an argument of a functional one."""
    def node(number, name, schema, types, values, **attributes):
        attributes = {"op_schema": schema, **attributes}
        return {"id": number, "name": name, "ctrl_deps": 1, "inputs": {"values": values, "shapes": [[8]] + [[] for _ in types[1:]], "types": types},
                "outputs": {"values": [], "shapes": [], "types": []},
                "attrs": [{"name": key, "type": "string", "value": value} for key, value in attributes.items()]}

    tensor = [2, 3, 0, 8, 4, "cpu"]
    return json.dumps({"schema": "1.1.1-chakra.0.0.4", "pid": 1, "nodes": [
        node(5, "aten::add", "aten::add.Tensor(Tensor self, Tensor other) -> Tensor", ["Tensor(float)", "Tensor(float)"], [tensor, tensor]),
        node(6, "_c10d_functional::all_reduce", "_c10d_functional::all_reduce(Tensor input, str reduce_op, str group_name) -> Tensor",
             ["Tensor(float)", "String", "String"], [tensor, how, "0"]),
        node(7, "record_param_comms", "", ["Tensor(float)"], [tensor], collective_name="allreduce", dtype="Double", in_msg_nelems=8,
             out_msg_nelems=8, pg_name="0", pg_size=4)]})


@pytest.mark.parametrize("how, refusing", [("avg", {"npu@v2.1.0-6.0.0"}), ("band", {"npu@v2.1.0-6.0.0", NPU, MUSA}), ("sum", set())])
def test_an_execution_trace_tells_the_same_of_its_collectives(opcheck, tmp_path, how, refusing):
    path = tmp_path / "et.json"
    path.write_text(executed(how), encoding="utf-8")
    report = opcheck("check", path, "-t", OLD, "-t", NPU, "-t", MUSA, "-f", "json").json
    told = {rule: {f["target"] for f in report["findings"] if f["rule"] == "constraint-collective-" + rule} for rule in ("operation", "dtype", "reduction")}
    assert told == {"operation": refusing, "dtype": {OLD, NPU}, "reduction": {MUSA}}
    assert [(c["name"], c.get("reduction", ""), c["dtype"], c.get("ranks", 0), c["calls"]) for c in report["inputs"][0]["capture"]["collectives"]] == [
        ("_c10d_functional::all_reduce", how.upper(), "float", 0, 1), ("allreduce", "", "Double", 4, 1)]


OLD = "npu@v2.1.0-6.0.0"


@pytest.mark.parametrize("how, dtype, refusing", [
    ("avg", "float", {OLD}), ("sum", "float", set()), ("band", "float", {OLD, NPU, MUSA}), ("\"avg\"", "float", {OLD}), ("unheard_of", "float", set()),
    ("", "float", set())])
def test_an_operation_that_was_recorded_is_judged_with_its_type(opcheck, tmp_path, how, dtype, refusing):
    path = tmp_path / "trace.json"
    path.write_text(reduced(how, dtype), encoding="utf-8")
    report = opcheck("check", path, "-t", OLD, "-t", NPU, "-t", MUSA, "-f", "json").json
    told = [f for f in report["findings"] if f["rule"] == "constraint-collective-operation"]
    assert {f["target"] for f in told} == refusing
    assert all(f["severity"] == "warning" and f["evidence"] and f["params"]["reductions"] == how.strip('"').upper() for f in told)


@pytest.mark.parametrize("inner, open_", [(2, False), (3, True)])
def test_where_all_operations_were_recorded_none_is_left_open(opcheck, tmp_path, inner, open_):
    path = tmp_path / "trace.json"
    path.write_text(reduced("sum", "float", 2, inner), encoding="utf-8")
    report = opcheck("check", path, "-t", NPU, "-f", "json").json
    assert any(f["rule"] == "constraint-collective-reduction" for f in report["findings"]) == open_
    found, = [c for c in report["inputs"][0]["capture"]["collectives"] if c.get("reduction")]
    assert (found["name"], found["reduction"], found["calls"]) == ("_c10d_functional::all_reduce", "SUM", 2)


def test_the_operations_that_a_backend_refuses_are_named_by_release(opcheck, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(collective("allreduce", "Float"), encoding="utf-8")
    targets = ["npu@v2.1.0-6.0.0", "npu@v2.7.1-7.3.0", "npu@v2.7.1-26.0.0", MUSA]
    report = opcheck("check", path, *[word for target in targets for word in ("-t", target)], "-f", "json").json
    told = {f["target"]: f["params"]["reductions"] for f in report["findings"] if f["rule"] == "constraint-collective-reduction"}
    assert [told[target] for target in targets] == ["AVG, BAND, BOR, BXOR, PREMUL_SUM", "BAND, BOR, BXOR, PREMUL_SUM", "BAND, BOR, BXOR",
                                                    "BAND, BOR, BXOR, PREMUL_SUM"]


def test_what_moves_is_shown(opcheck, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(collective("allreduce", "Float"), encoding="utf-8")
    for form in ("text", "html"):
        shown = opcheck("check", path, "-t", NPU, "-f", form).text
        assert "Data movement" in shown and "allreduce of Float among 4 ranks: 1 call, 8 elements" in " ".join(shown.split())


def test_a_trace_and_an_execution_trace_of_other_calls_are_counted_together_with_a_warning(opcheck, reference):
    folder = reference / "samples" / "torch-2.13"
    other = [folder / "compilemarks.c.trace.json", folder / "lastbatch.et.json.gz"]
    same = [other[0], folder / "compilemarks.et.json"]
    told = [[w["rule"] for w in opcheck("check", *paths, "-t", NPU, "-f", "json").json["warnings"]] for paths in (other, other[:1], same)]
    assert ["input-two-formats" in rules for rules in told] == [True, False, False]
    assert ["input-one-run" in rules for rules in told] == [False, False, True]
