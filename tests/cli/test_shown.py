"""How much of a run's time a dump shows: the low ends of all shares are of the whole."""
import json
import re

from conftest import FIXTURES

NPU = "npu@v2.7.1-26.0.0"


def table(rows, footers, device=False):
    """A table of one step. Rows: name, self CPU and self device microseconds."""
    columns = [("Name", 60), ("Self CPU %", 12), ("Self CPU", 12), ("CPU total", 12)]
    columns += [("Self CUDA", 12), ("Self CUDA %", 12), ("CUDA total", 12)] if device else []
    columns += [("# of Calls", 12)]
    dashes = "  ".join("-" * width for _, width in columns)
    lines = [dashes, "  ".join(name.rjust(width) for name, width in columns), dashes]
    for name, host, cuda in rows:
        cells = [name, "0.00%", f"{host:.3f}us", f"{host:.3f}us"]
        cells += [f"{cuda:.3f}us", "0.00%", f"{cuda:.3f}us"] if device else []
        lines.append("  ".join(cell.rjust(width) for cell, (_, width) in zip(cells + ["1"], columns)))
    return "\n".join(lines + [dashes] + footers) + "\n"


def report(opcheck, tmp_path, text, *more):
    (tmp_path / "a.log").write_text(text)
    return opcheck("check", tmp_path / "a.log", "-t", NPU, "-f", "json", *more).json


def rules(found):
    return [warning["rule"] for warning in found["inputs"][0]["capture"]["warnings"]]


ROWS = [("aten::relu", 90, 0), ("aten::abs", 60, 0), ("Optimizer.step#SGD.step", 50, 0)]


def test_a_table_that_shows_all_of_its_time_says_nothing_of_it(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(ROWS, ["Self CPU time total: 200.000us"]))
    assert "shown" not in found and found["targets"][0]["readiness"]["time"] == {"lo": 1, "hi": 1}


def test_rows_that_were_cut_are_in_no_low_end(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(ROWS, ["Self CPU time total: 1.050ms"]))
    target = found["targets"][0]
    assert found["shown"] == 0.15 and target["verdict"] == "inconclusive"
    for share in ("readiness", "coverage"):
        for basis in ("time", "calls", "operators"):
            assert target[share][basis] == {"lo": 0.15, "hi": 1}, (share, basis)
    assert target["where"]["unknown"] == {"lo": 0.85, "hi": 0.85}
    assert [op["time_share"] for op in found["operators"]] == [0.09, 0.06]
    assert "capture-rows-uncovered" in rules(found)
    assert found["inputs"][0]["capture"]["host_time"] == {"operators": 150, "missing": 850}


def test_the_first_sentence_is_how_little_is_shown(opcheck, tmp_path):
    (tmp_path / "a.log").write_text(table(ROWS, ["Self CPU time total: 1.050ms"]))
    for form, lead in (("text", r"^Readiness report[^\n]*\na\.log[^\n]*\n"), ("md", r"^")):
        text = opcheck("check", tmp_path / "a.log", "-t", NPU, "-f", form).text
        assert re.match(lead + r"The dump shows 15\.0 % of the self CPU time", text), form
    assert "The dump shows 15.0 %" in opcheck("check", tmp_path / "a.log", "-t", NPU, "-f", "html").text
    assert "15.0 %" not in opcheck("check", tmp_path / "a.log", "-t", NPU, "--max-uncovered-time", "90%").text.split("Target")[0]


def test_a_cut_table_of_ours_is_of_the_whole(opcheck, tmp_path):
    """Half of the rows of a real table, whose footer stays."""
    text = (FIXTURES / "eras/2.6-cuda.log").read_text()
    before = report(opcheck, tmp_path, text)
    rows = [line for line in text.splitlines(True) if re.search(r"\d\.\d\d%", line)]
    after = report(opcheck, tmp_path, "".join(line for line in text.splitlines(True) if line not in rows[::2]))
    assert after["shown"] < before["shown"] < 1
    assert after["targets"][0]["readiness"]["time"]["lo"] <= after["shown"]


FUNCTIONS = [("aten::mm", 10, 540), ("_LayerNormMLPBackward", 10, 460), ("sm80_gemm", 0, 1000)]


def test_functions_with_device_time_of_their_own_are_uncovered_work(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(FUNCTIONS, ["Self CPU time total: 20.000us", "Self CUDA time total: 1.000ms"], True))
    assert found["shown"] == 0.54 and found["targets"][0]["readiness"]["time"] == {"lo": 0.54, "hi": 1}
    assert found["inputs"][0]["capture"]["device_time"] == {"operators": 540, "graphs": 0, "unlinked": 460}
    assert {"capture-device-uncovered", "capture-uncovered-unlinked"} <= set(rules(found))


def test_device_time_beyond_the_rows_is_told_apart_from_functions(opcheck, tmp_path):
    found = report(opcheck, tmp_path, table(FUNCTIONS, ["Self CPU time total: 20.000us", "Self CUDA time total: 2.000ms"], True))
    assert found["shown"] == 0.27
    assert found["inputs"][0]["capture"]["device_time"] == {"operators": 540, "graphs": 0, "unlinked": 460, "missing": 1000}
    assert {"capture-uncovered-rows", "capture-uncovered-unlinked"} <= set(rules(found))


def test_the_span_of_a_step_is_no_work(opcheck, tmp_path):
    """PyTorch 2.1 to 2.4 add the spans of steps and labels to the footer, later ones do not."""
    rows = [("aten::mm", 10, 990), ("sm80_gemm", 0, 990), ("ProfilerStep*", 100, 0), ("ProfilerStep*", 0, 1200)]
    for total in ("2.190ms", "990.000us"):
        found = report(opcheck, tmp_path, table(rows, ["Self CPU time total: 110.000us", f"Self CUDA time total: {total}"], True))
        assert "shown" not in found, total


def test_collectives_are_not_uncovered(opcheck, tmp_path):
    rows = [("aten::mm", 10, 600), ("c10d::allreduce_", 10, 400)]
    found = report(opcheck, tmp_path, table(rows, ["Self CPU time total: 20.000us", "Self CUDA time total: 1.000ms"], True))
    assert "shown" not in found
    assert found["inputs"][0]["capture"]["device_time"] == {"operators": 600, "collectives": 400, "graphs": 0, "unlinked": 0}


def test_a_report_says_how_much_was_shown_when_it_is_read_again(opcheck, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report(opcheck, tmp_path, table(ROWS, ["Self CPU time total: 1.050ms"]))))
    assert opcheck("convert", path, "-f", "json").json["shown"] == 0.15
    assert "The dump shows 15.0 %" in opcheck("convert", path, "-f", "text").text
