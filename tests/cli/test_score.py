"""opcheck db score: rows that agree, false greens and false reds, on tables of the test's own; and on the known reports."""
import csv
import io
import re

import pytest

from conftest import ROOT

HEADER = "target,torch_version,plugin_version,op,observed,detail,source,date\n"


def score(opcheck, tmp_path, rows, *options, name="seen.csv", header=HEADER):
    path = tmp_path / name
    path.write_text(header + "".join(row + "\n" for row in rows))
    return opcheck("db", "score", str(path), *options)


def table(out, title):
    """the figures of one score: {kind: [rows, agree, warned, false green, false red, unknown]}"""
    lines = out.decode().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(title))
    found = {}
    for line in lines[start + 1:]:
        name, *cells = line[:24].strip(), *line[24:].replace("%", "").split()
        if len(cells) != 7 or not cells[0].isdigit():
            break
        found[name] = [int(c) for n, c in enumerate(cells) if n != 2]
    return found


def test_a_row_is_held_against_the_release_that_it_names(opcheck, tmp_path):
    done = score(opcheck, tmp_path, [
        "npu,2.7.1,26.0.0,aten::relu,native,,x,",
        "npu,2.7.1,26.0.0,aten::frexp.Tensor,cpu_fallback,,x,",
        "musa,2.7.1,2.7.1,aten::relu,not_implemented,,x,",
        "musa,2.7.1,2.7.1,aten::_histogramdd_bin_edges,native,,x,",
    ], "--without", "reported")
    assert done.status == 0, done.err
    figures = table(done.out, "without reported facts")
    assert figures["native"] == [2, 1, 0, 0, 1, 0]
    assert figures["cpu_fallback"] == [1, 1, 0, 0, 0, 0]
    assert figures["not_implemented"][:2] == [1, 0]
    assert ":5: false red: aten::_histogramdd_bin_edges observed native, predicted unsupported on musa@v2.7.1" in done.out.decode()
    assert "seen.csv:4:" in done.out.decode()


def test_a_table_writes_nothing_but_text_to_the_terminal(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,2.7.1,26.0.0,aten::\033[31mred.\033[32mgreen,native,,x,"], "--without", "reported")
    assert done.status == 0 and "31mred" in done.text and "32mgreen" in done.text and "\033" not in done.text


def test_an_operator_that_is_unknown_is_no_false_red(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,2.7.1,26.0.0,aten::no_such_operator,native,,x,"], "--without", "reported")
    assert table(done.out, "without reported facts")["native"] == [1, 0, 1, 0, 0, 0]


def test_a_limit_of_the_last_dimension_is_what_a_row_says_of_it(opcheck, tmp_path):
    rows = ["npu,2.7.1,26.1.0,npu::npu_rms_norm,wrong_result,310P: %s below 8 is wrong,x," % what for what in ("last dim", "first dim")]
    done = score(opcheck, tmp_path, rows, "--without", "reported")
    assert table(done.out, "without reported facts")["wrong_result"][:2] == [2, 1]


def test_both_scores_are_printed(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,2.7.1,26.0.0,aten::relu,native,,x,"])
    assert done.status == 0, done.err
    assert table(done.out, "with reported facts")["all"] == [1, 1, 0, 0, 0, 0]
    assert table(done.out, "without reported facts")["all"] == [1, 1, 0, 0, 0, 0]


def test_the_figures_are_the_same_in_every_format(opcheck, tmp_path):
    rows = ["npu,2.7.1,26.0.0,aten::relu,native,,x,", "musa,2.7.1,2.7.1,aten::_histogramdd_bin_edges,native,,x,"]
    figures = table(score(opcheck, tmp_path, rows, "--without", "reported").out, "without reported facts")
    answer = score(opcheck, tmp_path, rows, "--without", "reported", "-f", "json").json
    (one,) = answer["scores"]
    keys = ("rows", "agree", "warned", "false_green", "false_red", "unknown")
    assert one["reports"] == "none" and {line["about"]: [line[k] for k in keys] for line in one["lines"] if line["rows"]} == figures
    (wrong,) = answer["disagreements"]
    assert wrong["line"] == 3 and wrong["grade"] == "false_red" and wrong["operator"] == "aten::_histogramdd_bin_edges"
    assert (wrong["observed"], wrong["predicted"], wrong["release"]) == ("native", "unsupported", "musa@v2.7.1")
    sheets = score(opcheck, tmp_path, rows, "--without", "reported", "-f", "csv").text.split("\r\n\r\n")
    lines, by_key, alarms, called, apart = [list(csv.DictReader(io.StringIO(sheet))) for sheet in sheets]
    assert {row["about"]: [int(row[k]) for k in keys] for row in lines if row["rows"] != "0"} == figures
    assert [{k: str(v) for k, v in row.items()} for row in one["keys"]] == [
        {k: v for k, v in row.items() if k != "reports"} for row in by_key]
    assert all(str(one[k]) == v for k, v in alarms[0].items() if k != "reports")
    assert called == [{k: str(v) for k, v in row.items()} for row in answer["called"]]
    assert apart == [{k: str(v) if k != "flags" else " ".join(v) for k, v in wrong.items()}]
    for form, begin in (("md", "| reports | about |"), ("html", "<!DOCTYPE html>")):
        text = score(opcheck, tmp_path, rows, "--without", "reported", "-f", form).text
        assert text.startswith(begin) and "Rows that do not agree" in text and "not_contiguous" in text.replace("\\_", "_")


def test_a_row_without_versions_agrees_if_any_release_does(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,,,aten::isin,not_implemented,,x,"], "--without", "reported")
    assert table(done.out, "without reported facts")["not_implemented"][:2] == [1, 1]


def test_a_name_in_a_report_is_called_by_name(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["musa,2.7.1,2.7.1,aten::cudnn_batch_norm,not_implemented,,x,"], "--without", "reported")
    assert table(done.out, "without reported facts")["not_implemented"][:2] == [1, 1]


def test_third_parties_are_counted_apart(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,,,somebody::op,not_implemented,,x,", "npu,,,aten::relu,native,,x,"])
    figures = table(done.out, "with reported facts")
    assert figures["all"][0] == 1 and figures["third-party namespaces"][:2] == [1, 0]


def test_keys_of_third_parties_are_a_line_of_their_own(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu\t2.7.1\t26.1.0\tmmcv::nms\tnative\t.\tx\t.\t.\t.\tstrict",
                                     "npu\t2.7.1\t26.1.0\taten::relu\tnative\t.\tx\t.\t.\t.\tstrict"], name="seen.tsv", header=TABLE)
    found = keys(done.out)[0]
    assert found["native, fallback, missing"][:2] == [1, 1] and found["third-party namespaces"][:2] == [1, 1]


def test_types_in_the_detail_decide(opcheck, tmp_path):
    rows = ["npu,2.7.1,26.0.0,aten::roll,dtype_limited,complex64 rejected,x,", "npu,2.7.1,26.0.0,aten::roll,dtype_limited,fp32 rejected,x,"]
    done = score(opcheck, tmp_path, rows, "--without", "reported")
    assert table(done.out, "without reported facts")["dtype_limited"] == [2, 1, 0, 1, 0, 0]


def test_the_fact_text_is_read_as_well(opcheck, tmp_path):
    header = "# " + HEADER.replace(",", "\t")
    done = score(opcheck, tmp_path, ["npu\t2.7.1\t26.0.0\taten::relu\tnative\tsays \"fine\"\t.\t."], name="seen.tsv", header=header)
    assert done.status == 0, done.err
    assert table(done.out, "with reported facts")["all"][:2] == [1, 1]


def test_a_spreadsheet_of_windows_is_read(opcheck, tmp_path):
    path = tmp_path / "seen.csv"
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + "npu,2.7.1,26.0.0,aten::relu,native,,x,\n").replace("\n", "\r\n").encode())
    done = opcheck("db", "score", str(path))
    assert done.status == 0, done.err
    assert table(done.out, "with reported facts")["all"][:2] == [1, 1]


@pytest.mark.parametrize("row, where, text", [
    ("cuda,,,aten::relu,native,,x,", "line 2", "a target is npu or musa"),
    ("npu,,,relu,native,,x,", "line 2", "with its namespace"),
    ("npu,,,aten::relu,fine,,x,", "line 2", "'fine'"),
    ('npu,,,aten::relu,native,"open,x,', "line", "quotes"),
])
def test_a_bad_row_has_its_line(opcheck, tmp_path, row, where, text):
    done = score(opcheck, tmp_path, [row])
    assert done.status == 3
    assert where in done.err and text in done.err


def test_other_tables_are_refused(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["1,2"], header="a,b\n")
    assert done.status == 3 and "the header lacks the column" in done.err
    assert score(opcheck, tmp_path, [], header="").status == 3
    assert score(opcheck, tmp_path, [], "--without", "sleep").status == 2
    assert opcheck("db", "score", str(tmp_path / "none.csv")).status == 3


@pytest.fixture(scope="module")
def shipped(opcheck):
    """The score of the fact text's own reports."""
    done = opcheck("db", "score", str(ROOT / "opdb/reported.tsv"))
    assert done.status == 0, done.err
    return done.out


def test_the_shipped_reports_are_explained(shipped):
    """With them no false green is left and nearly all agree."""
    rows, agree, _, green, _, _ = table(shipped, "with reported facts")["all"]
    assert rows > 100 and green == 0 and agree >= 0.95 * rows
    plain = [table(shipped, "without reported facts")[kind] for kind in ("native", "cpu_fallback", "not_implemented")]
    assert sum(p[1] for p in plain) >= 0.85 * sum(p[0] for p in plain)


TABLE = "# target\ttorch_version\tplugin_version\top\tobserved\tdetail\tsource\tdate\tchip\tdtype\tconfidence\n"


def keys(out):
    """the keys of the first score: {part: [keys, agreeing, false green]}, and its last line"""
    lines = out.decode().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("operator, type and chip"))
    found = {}
    for line in lines[start + 1:]:
        if "stand apart" in line:
            return found, line
        cells = line[26:].replace("%", "").split()
        found[line[:26].strip()] = [int(cells[0]), int(cells[1]), int(cells[3])]
    return None


def test_keys_are_distinct_operators_types_and_chips_of_strict_rows(opcheck, tmp_path):
    sort = "npu\t2.7.1\t26.1.0\taten::sort\taicpu\t.\tx\t.\t910B\tint64\t"
    done = score(opcheck, tmp_path, [
        sort + "strict", sort + "strict", sort + "loose",
        "npu\t2.7.1\t26.1.0\taten::sort\taicpu\tinteger keys\tx\t.\t.\t.\tstrict",
        "npu\t2.7.1\t26.1.0\taten::relu\taicpu\t.\tx\t.\t910B\tfloat32\tstrict",
        "npu\t2.7.1\t26.1.0\taten::expm1\tdtype_limited\tfp64 rejected, fp32 ok\tx\t.\t.\t.\tstrict",
        "npu\t2.7.1\t26.1.0\taten::mm\tdtype_limited\t.\tx\t.\tA2/A3\tfloat16,float32\tstrict",
        "npu\t2.7.1\t26.1.0\taten::abs\tnative\t.\tx\t.\t.\t.\tstrict",
        "npu\t2.7.1\t26.1.0\taten::abs\tcrash\t.\tx\t.\t.\t.\tstrict",
        "npu\t2.7.1\t26.1.0\taten::linalg_qr\tnative\t.\tx\t.\t910B\tfloat32\tstrict",
        "npu\t2.7.1\t26.1.0\taten::cumsum\tnative\t.\tx\t.\t.\t.\tstrict",
    ], "--without", "reported", name="seen.tsv", header=TABLE)
    assert done.status == 0, done.err
    found, last = keys(done.out)
    assert found["aicpu"][:2] == [3, 2] and found["dtype_limited"][:2] == [2, 1]
    assert found["native, fallback, missing"][:2] == [2, 2], "an operator that was seen to run and to crash stands apart"
    assert last == "1 keys with two outcomes stand apart; 1 of 3 native rows raise an alarm"
    assert re.search(r"^npu@v.*:910B: of \d+ operators with 12 types each, pairs called aicpu \d+, in some cases \d+, ", done.text, re.M)


def test_reports_of_a_rows_own_repository_are_left_out(shipped):
    with_all, others, none = (table(shipped, title)["all"][1] for title in (
        "with reported facts", "without those of its source", "without reported facts"))
    assert none <= others < with_all


def test_the_sources_alone_tell_what_people_saw(opcheck, reference):
    done = opcheck("db", "score", str(reference / "facts" / "reported2.tsv"), "--without", "reported")
    assert done.status == 0, done.err
    found, last = keys(done.out)
    assert found["native, fallback, missing"][1] >= 0.92 * found["native, fallback, missing"][0]
    assert found["aicpu"][1] >= 0.80 * found["aicpu"][0] and found["aicpu"][2] == 0
    assert found["dtype_limited"][1] >= 0.75 * found["dtype_limited"][0] and found["dtype_limited"][2] == 0
    alarms, native = (int(n) for n in re.search(r"(\d+) of (\d+) native rows", last).groups())
    assert alarms <= 0.02 * native


def test_a_type_that_pytorch_does_not_have_is_counted_and_the_row_scored_by_the_rest(opcheck, tmp_path):
    header = HEADER.strip() + ",chip,dtype,confidence\n"
    rows = ["npu,2.7.1,26.0.0,aten::relu,native,,x,,,int4,strict", "npu,2.7.1,26.0.0,aten::abs,native,,x,,,\"float32,int4\",strict"]
    done = score(opcheck, tmp_path, rows, "--without", "reported", header=header)
    assert done.status == 0, done.err
    assert table(done.out, "without reported facts")["native"][:2] == [2, 2]
    assert "seen.csv:2: 'int4' is not a data type of PyTorch; rows with such a type, scored by the rest: 2" in done.text
    assert score(opcheck, tmp_path, rows, "-f", "json", header=header).json["rows_with_unknown_types"] == 2


def test_a_row_agrees_with_a_limit_of_an_argument_that_its_detail_names(opcheck, tmp_path):
    rows = ["npu,2.7.1,26.0.0,aten::copy_,crash,cannot be larger than 8 dimensions,x,",
            "npu,2.7.1,26.0.0,aten::copy_,crash,fails at 82 dimensions,x,",
            "npu,2.7.1,26.0.0,npu::npu_all_gather_base_mm,not_implemented,the op does not support bias,x,",
            "npu,2.7.1,26.0.0,npu::npu_all_gather_base_mm,not_implemented,it raises,x,",
            "npu,2.7.1,26.0.0,aten::masked_fill_.Scalar,dtype_limited,the mask is fp32,x,",
            "npu,2.7.1,26.0.0,aten::masked_fill_.Scalar,dtype_limited,fp32 fails,x,",
            "musa,2.7.1,2.7.1,c10d::reduce_scatter_,not_implemented,PREMUL_SUM is unknown,x,",
            "musa,2.7.1,2.7.1,c10d::reduce_scatter_,not_implemented,SUM is unknown,x,"]
    figures = table(score(opcheck, tmp_path, rows, "--without", "reported").out, "without reported facts")
    assert figures["crash"][:2] == [2, 1]
    assert figures["not_implemented"][:2] == [4, 2]
    assert figures["dtype_limited"][:2] == [2, 1]
    assert figures["the types it names"][:2] == [2, 1]
