"""opcheck db score: rows that agree, false greens and false reds, on tables of the test's own; and on the known reports."""
import os
import pathlib

import pytest

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


def test_both_scores_are_printed(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,2.7.1,26.0.0,aten::relu,native,,x,"])
    assert done.status == 0, done.err
    assert table(done.out, "with reported facts")["all"] == [1, 1, 0, 0, 0, 0]
    assert table(done.out, "without reported facts")["all"] == [1, 1, 0, 0, 0, 0]


def test_a_row_without_versions_agrees_if_any_release_does(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,,,aten::isin,not_implemented,,x,"], "--without", "reported")
    assert table(done.out, "without reported facts")["not_implemented"][:2] == [1, 1]


def test_a_name_in_a_report_is_called_by_name(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["musa,2.7.1,2.7.1,aten::cudnn_batch_norm,not_implemented,,x,"], "--without", "reported")
    assert table(done.out, "without reported facts")["not_implemented"][:2] == [1, 1]


def test_third_parties_are_counted_apart(opcheck, tmp_path):
    done = score(opcheck, tmp_path, ["npu,,,somebody::op,not_implemented,,x,", "npu,,,aten::relu,native,,x,"])
    figures = table(done.out, "with reported facts")
    assert figures["all"][0] == 1 and figures["third-party namespaces"][:2] == [1, 1]


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


def test_the_shipped_reports_are_explained(opcheck):
    """The reports of the fact text themselves: with them no false green is left and nearly all agree."""
    text = pathlib.Path(os.environ["OPCHECK_SOURCE_ROOT"]) / "opdb/reported.tsv"
    done = opcheck("db", "score", str(text))
    assert done.status == 0, done.err
    rows, agree, _, green, _, _ = table(done.out, "with reported facts")["all"]
    assert rows > 100 and green == 0 and agree >= 0.97 * rows
    plain = [table(done.out, "without reported facts")[kind] for kind in ("native", "cpu_fallback", "not_implemented")]
    assert sum(p[1] for p in plain) >= 0.85 * sum(p[0] for p in plain)
