"""What reports, tables and commands say of estimated device times."""
import csv
import io
import json
import re

import pytest

from conftest import FIXTURES

TRACE = FIXTURES / "traces" / "lastbatch.c.trace.json.gz"
TABLE = FIXTURES / "torch-2.13" / "llama.a-full.log"
DEVICE = FIXTURES / "traces" / "kineto-2.6.pt.trace.json.gz"
FOLDER = FIXTURES / "device" / "run_ascend_pt"

# By the study's own model: calls, roofline and middle on 910B2 and S4000, in us.
MODEL = {"kineto-1.8.pt.trace.json.gz": (20, 0.305, 73.156, 0.698, 122.500),
         "kineto-2.6.pt.trace.json.gz": (22, 0.344, 80.502, 0.789, 134.821)}


def target(opcheck, dump, *args):
    done = opcheck("check", dump, "-f", "json", *args)
    assert done.status == 0, done.err
    return done.json["targets"][0], done.json


def test_an_interval_holds_its_middle_and_the_parts_add_up(opcheck):
    one, report = target(opcheck, TRACE, "-t", "npu:910B2")
    found = one["device_time"]
    assert found["chips"] == "910B2" and "refused" not in found and "range" not in found
    assert found["lo_us"] == pytest.approx(found["middle_us"] / 1.6, abs=0.002)
    assert found["hi_us"] == pytest.approx(found["middle_us"] * 1.6, abs=0.002)
    assert sum(part["middle_us"] for part in found["classes"]) == pytest.approx(found["middle_us"], abs=0.05)
    for part in found["classes"] + found["operators"]:
        assert part["lo_us"] <= part["middle_us"] <= part["hi_us"]
    assert len(found["operators"]) == 5
    shares = [verdict.get("device_share", 0) for op in report["operators"] for verdict in op["verdicts"].values()]
    assert sum(shares) == pytest.approx(1, abs=0.001)


def test_the_range_of_a_family_is_that_of_its_chips(opcheck):
    whole = target(opcheck, TRACE, "-t", "npu")[0]["device_time"]
    chips = [target(opcheck, TRACE, "-t", "npu:" + chip)[0]["device_time"] for chip in whole["chips"].split(", ")]
    assert whole["range"] and len(chips) == 4 and whole["left_out"] == "910A, 310P, 310B, 910_93, 950"
    assert "left out: 910A, 310P, 310B, 910_93, 950; these have no sourced peak" in " ".join(opcheck("check", TRACE, "-t", "npu", "-vv").text.split())
    assert whole["lo_us"] == min(chip["lo_us"] for chip in chips)
    assert whole["hi_us"] == max(chip["hi_us"] for chip in chips)


def test_targets_of_many_shapes_say_what_each_says_alone(opcheck, tmp_path):
    event = '{"ph": "X", "cat": "cpu_op", "name": "aten::%s", "pid": 1, "tid": 1, "ts": %d, "dur": 7, "args": {"Input type": ["float", "float"], "Input Dims": [[%d, 128], [128, %d]]}}'
    dump = tmp_path / "trace.json"
    dump.write_text('{"schemaVersion": 1, "traceEvents": [%s]}' % ",".join(event % (("mm", "add")[i % 2], 10 * i, i // 2 + 1, 128) for i in range(2400)))
    specs = ("npu:910B2", "musa:s4000", "npu", "musa")
    together = opcheck("check", dump, "-f", "json", *(arg for spec in specs for arg in ("-t", spec))).json["targets"]
    for spec, found in zip(specs, together, strict=True):
        assert found["device_time"] == target(opcheck, dump, "-t", spec)[0]["device_time"] and found["device_time"]["middle_us"] > 0


def test_copies_of_operators_on_the_host_are_named_beside_the_device_time(opcheck):
    one = target(opcheck, TRACE, "-t", "npu:910B2", "--assume", "aten::convolution=cpu-fallback")[0]
    found, cost = one["device_time"], one["fallback_cost"]
    assert found["fallback_bytes"] == cost["bytes_to_host"] + cost["bytes_to_device"] > 0
    assert found["fallback_us"] == cost["host_us"] > 0
    assert "fallback_bytes" not in target(opcheck, TRACE, "-t", "npu:910B2", "--assume", "aten::convolution=native")[0]["device_time"]


def test_a_dump_without_types_is_refused_until_they_are_stated(opcheck):
    refused = target(opcheck, TABLE, "-t", "npu:910B2")[0]["device_time"]
    assert list(refused) == ["refused"] and refused["refused"]["rule"] == "estimate-no-type"
    stated = target(opcheck, TABLE, "-t", "npu:910B2", "--dtype", "fp16")[0]["device_time"]
    assert stated["middle_us"] > 0 and stated["known"] >= 0.8


@pytest.mark.parametrize("spec, rule", [("npu:910_93", "estimate-no-chip"), ("npu:310P", "estimate-unmeasured"), ("musa:S5000", "estimate-no-peak")])
def test_chips_without_peaks_or_runs_are_refused(opcheck, spec, rule):
    assert target(opcheck, TRACE, "-t", spec)[0]["device_time"]["refused"]["rule"] == rule


def test_an_assumed_peak_is_said_wherever_its_time_is(opcheck):
    args = ("check", TABLE, "-t", "musa:S5000", "--dtype", "fp16")
    for more in ((), ("-vv",), ("-f", "md")):
        assert "(assumed peak for fp16, bf16)" in opcheck(*args, *more).text
    assert "fp16, bf16 峰值为假设值" in opcheck(*args, "--lang", "zh-CN").text
    total = next(csv.DictReader(io.StringIO(opcheck(*args, "--estimate", "-f", "csv").text)))
    assert total["part"] == "total" and total["note"].startswith("the peak for fp16, bf16 is assumed")
    assert "assumed" not in opcheck("check", TABLE, "-t", "musa:S4000", "--dtype", "fp16").text


def test_csv_names_the_types_of_assumed_peaks(opcheck):
    def types(*args):
        rows = csv.DictReader(io.StringIO(opcheck("check", TABLE, "-t", "musa:S5000", "-t", "musa:S4000", "-f", "csv", *args).text))
        return {row["target"][-5:]: row.get("target_device_assumed") for row in rows}
    assert types("--dtype", "fp16") == {"S5000": "fp16, bf16", "S4000": ""}
    assert types() == {"S5000": None, "S4000": None}


def test_a_dump_without_times_is_refused_by_its_calls(opcheck, tmp_path):
    calls = tmp_path / "calls.csv"
    calls.write_text("name,calls\naten::mm,3\naten::add,1\n")
    (one, report), _ = target(opcheck, calls, "-t", "npu:910B2"), None
    assert report["basis"] == "calls" and one["device_time"]["refused"]["rule"] == "estimate-no-shapes"
    assert "only 0 % of the calls have a formula" in one["device_time"]["refused"]["text"]
    text = opcheck("check", calls, "-t", "npu:910B2", "-vv", "--lang", "zh-CN").text
    assert "未估算：只有 0 % 的调用带有" in text
    assert "only 0 % of the time has" in target(opcheck, TABLE, "-t", "npu:910B2")[0]["device_time"]["refused"]["text"]


def test_a_lower_bound_is_said_to_be_one(opcheck):
    assert re.search(r"heaviest, estimated: aten::randperm at\s+least 414 us", opcheck("check", TRACE, "-t", "npu:910B2", "-vv").text)


def test_verdicts_do_not_depend_on_estimates(opcheck, tmp_path):
    """Ratios a thousand times as long change no verdict and no share."""
    slow = tmp_path / "slow.tsv"
    slow.write_text("# class\tfamily\tbin\tp10\tp50\tp90\tcalls\tworkloads\n*\tall\ts\t1000\t1000\t1000\t9\t9\n"
                    + "".join("%s\tall\t%s\t1000\t1000\t1000\t9\t9\n" % (c, b) for c in ("elementwise", "matmul", "conv") for b in "sml*"))
    (before, _), (after, _) = target(opcheck, TRACE, "-t", "npu:910B2"), target(opcheck, TRACE, "-t", "npu:910B2", "--overlay", slow)
    assert after.pop("device_time")["middle_us"] > 100 * before.pop("device_time")["middle_us"]
    assert before == after


def test_the_table_says_what_json_says(opcheck):
    found = target(opcheck, TRACE, "-t", "npu:910B2")[0]["device_time"]
    rows = list(csv.DictReader(io.StringIO(opcheck("check", TRACE, "-t", "npu:910B2", "--estimate", "-f", "csv").text)))
    assert [float(rows[0][key]) for key in ("lo_us", "middle_us", "hi_us")] == [found["lo_us"], found["middle_us"], found["hi_us"]]
    assert [row["name"] for row in rows if row["part"] == "class"] == [part["name"] for part in found["classes"]]
    assert opcheck("check", TRACE, "--estimate", "-f", "json").json["estimates"][0]["part"] == "total"
    done = opcheck("check", TRACE, "--estimate", "-f", "sarif")
    assert done.status == 2 and "--estimate prints text" in done.err


def test_formats_carry_the_estimate(opcheck):
    said = r"910B2: [\d.]+-[\d.]+ ms for 6 steps, estimated from shapes; step time\s+not\s+estimated"
    text = opcheck("check", TRACE, "-t", "npu:910B2", "-vv").text
    assert re.search(said, text) and "Device time, estimated from shapes" in text and "Est." in text
    assert re.search(r"^  time +" + said, opcheck("check", TRACE, "-t", "npu:910B2").text, re.M)
    assert "按 shape 估算" in opcheck("check", TRACE, "-t", "npu:910B2", "--lang", "zh-CN").text
    assert "estimated from shapes; step time not estimated" in opcheck("check", TRACE, "-t", "npu:910B2", "-f", "md").text
    page = opcheck("check", TRACE, "-t", "npu:910B2", "-f", "html").text
    assert '<svg class="drawing estimate"' in page and "thin line: from p10 to p90 of such calls" in page
    rows = list(csv.DictReader(io.StringIO(opcheck("check", TRACE, "-t", "npu:910B2", "-f", "csv").text)))
    assert float(rows[0]["target_device_lo_us"]) < float(rows[0]["target_device_hi_us"])
    assert "device_share" not in opcheck("check", TABLE, "-t", "npu:910B2", "-f", "csv").text
    assert "throughput, device alone: 910B2:" in opcheck("plan", TRACE, "-t", "npu:910B2", "-f", "md").text


def test_a_saved_report_says_the_same(opcheck, tmp_path):
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck("check", TRACE, "-t", "npu:910B2", "-f", "json").out)
    for form in ("html", "md", "text", "csv"):
        assert opcheck("convert", saved, "-f", form).out == opcheck("check", TRACE, "-t", "npu:910B2", "-f", form).out


# --- honesty

@pytest.mark.parametrize("name", MODEL)
def test_sums_of_device_dumps_are_those_of_the_model(opcheck, name):
    calls, *sums = MODEL[name]
    found = []
    for chip in ("910B2", "S4000"):
        row = opcheck("db", "score", "--time", FIXTURES / "traces" / name, "--chip", chip, "-f", "json").json["dumps"][0]
        assert row["calls"] == calls and row["class"] == "all"
        found += [row["roofline_us"], row["shipped_us"]]
    assert found == pytest.approx(sums, rel=0.001, abs=0.0006)


def test_each_dump_is_predicted_by_the_others(opcheck):
    dumps = [FIXTURES / "traces" / name for name in MODEL]
    rows = [row for row in opcheck("db", "score", "--time", *dumps, "--chip", "910B2", "-f", "json").json["dumps"] if row["class"] == "all"]
    assert len(rows) == 2 and all(row["others_us"] > 0 and row["others_factor"] >= 1 for row in rows)
    alone = opcheck("db", "score", "--time", dumps[0], "--chip", "910B2", "-f", "json").json["dumps"][0]
    assert alone["others_us"] == 0
    assert re.search(r"factor p50 [\d.]+, p80 [\d.]+, worst [\d.]+", opcheck("db", "score", "--time", *dumps, "--chip", "910B2").text)


def test_rebuilt_ratios_predict_the_dump_that_they_are_of(opcheck, tmp_path):
    dumps = [FIXTURES / "traces" / name for name in MODEL]
    own = tmp_path / "own.tsv"
    own.write_bytes(opcheck("db", "score", "--time", *dumps, "--chip", "910B2", "--ratios").out)
    assert opcheck("db", "check-overlay", own).status == 0
    assert own.read_text().startswith("# class\tfamily\tbin\tp10\tp50\tp90\tcalls\tworkloads\n")


@pytest.mark.parametrize("args, text", [
    (("--time", TRACE, "--chip", "910B2"), "the dump has no times of a device"),
    (("--time", DEVICE, "--chip", "910Z"), "the peaks of the chip '910Z' are unknown"),
    (("--chip", "910B2", TRACE), "--chip, --ratios and several files go with --time")])
def test_a_score_that_cannot_be_made_says_why(opcheck, args, text):
    done = opcheck("db", "score", *args)
    assert done.status != 0 and text in done.err


def test_a_comparison_says_estimated_over_measured(opcheck):
    found = opcheck("compare", TRACE, FOLDER, "-f", "json").json["device_time"]
    assert found[0]["class"] == "all" and found[0]["measured_us"] > 0
    for row in found:
        assert row["held"] == (row["lo_us"] <= row["measured_us"] <= row["hi_us"])
        if "estimated_over_measured" in row:
            assert row["estimated_over_measured"] == pytest.approx(row["middle_us"] / row["measured_us"], rel=0.01, abs=0.002)
    assert "estimated over measured" in opcheck("compare", TRACE, FOLDER, "-v").text
    assert "device_time" not in json.dumps(opcheck("compare", TABLE, FOLDER, "-f", "json").json)


def test_targets_list_the_chips(opcheck):
    chips = {chip["chip"]: chip for chip in opcheck("targets", "-f", "json").json["chips"]}
    assert chips["910B2"]["fp16"] == 376 and chips["910B2"]["source"].startswith("https://gitcode.com/Ascend/msmodeling")
    assert chips["S5000"]["assumed"] == "fp16 bf16" and "fp32" not in chips["S5000"]
    assert chips["310P3"]["measured"] == "0"
    assert re.search(r"^S5000 .* assumed: fp16 bf16$", opcheck("targets").text, re.M)
