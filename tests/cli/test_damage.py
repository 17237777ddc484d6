"""Damage in every kind of dump: it costs a row or an event, is told, and never more; packed ones too."""
import gzip
import json
import subprocess

import pytest

TABLE_HEAD = (b"Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),"
              b"Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\r\n")


def trace_event(inside=b'"dur": 2', name=b"aten::mm", dims=b"[[4, 4]]", at=10):
    return (b'{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 1, "tid": 1, "ts": %d, %s, "args": {"External id": 1, "Input Dims": %s, '
            b'"Input type": ["float"]}}' % (name, at, inside, dims))


def et_node(number, name=b"aten::mm", more=b""):
    return (b'{"id": %d, "name": "%s", "ctrl_deps": 1, %s"inputs": {"values": [], "shapes": [[4, 4]], "types": ["Tensor(float)"]}, '
            b'"outputs": {"values": [], "shapes": [], "types": []}, "attrs": [{"name": "rf_id", "type": "uint64", "value": %d}, '
            b'{"name": "op_schema", "type": "string", "value": "%s(Tensor self, Tensor mat2) -> Tensor"}]}' %
            (number, name, more, number, name))


def csv_row(name=b"aten::mm", figures=b"1,2,3,4,5,6"):
    return name + b',"4,4;\r\n4,4;\r\n",,' + figures + b"\r\n"


FORMATS = {
    "trace": lambda middle: b'{"schemaVersion": 1, "traceEvents": [\n' + b",\n".join([trace_event(), *middle, trace_event(at=90)]) + b"\n]}",
    "et": lambda middle: b'{"schema": "1.1.1-chakra.0.0.4", "pid": 1, "time": "x", "start_ts": 1, "nodes": [' +
                         b",".join([et_node(2), *middle, et_node(900)]) + b'], "finish_ts": 9}',
    "csv": lambda middle: TABLE_HEAD + csv_row() + b"".join(middle) + csv_row(),
}


def report_of(opcheck, path, *args):
    run = opcheck("check", path, "-f", "json", *args)
    assert run.status == 0, run.err
    return json.loads(run.out)


def calls(report):
    return {o["name"]: o["calls"] for o in report["operators"]}


def rules(report):
    return {w["rule"] for w in report["inputs"][0]["capture"]["warnings"]}


# What stands between two good elements, and whether it is one more call of aten::mm, another operator, or lost and told.
SAME, LOST, EITHER = "same", "lost", "either"
PIECES = {
    ("trace", "control bytes"): (trace_event(name=b"my \x01\x02\x1b label"), EITHER),
    ("trace", "bad UTF-8"): (trace_event(name=b"my \xff\xc3 label"), EITHER),
    ("trace", "bare N/A"): (trace_event(inside=b'"dur": N/A'), EITHER),
    ("trace", "bare NaN"): (trace_event(inside=b'"dur": NaN'), EITHER),
    ("trace", "-Infinity"): (trace_event(inside=b'"dur": -Infinity'), EITHER),
    ("trace", "missing value"): (trace_event(inside=b'"dur": '), EITHER),
    ("trace", "duplicate keys"): (trace_event(inside=b'"dur": 2, "name": "aten::mm", "dur": 3'), SAME),
    ("trace", "times as text"): (trace_event(inside=b'"dur": "2.5"').replace(b'"ts": 10', b'"ts": "1704161511420306.491"'), SAME),
    ("trace", "numbers over 64 bits"): (trace_event(inside=b'"dur": 99999999999999999999999999'), EITHER),
    ("trace", "sizes over 64 bits"): (trace_event(dims=b"[[99999999999999999999999999, 4]]"), EITHER),
    ("trace", "an unescaped quote"): (trace_event(name=b'{"device": "cpu"}(12): run'), LOST),
    ("trace", "a depth bomb"): (trace_event(dims=b"[" * 100_000), LOST),
    ("trace", "a closed depth bomb"): (trace_event(dims=b"[" * 5000 + b"]" * 5000), LOST),
    ("trace", "an event over its limit"): (trace_event(name=b"x" * 2_000_000), LOST),
    ("et", "control bytes"): (et_node(3, b"my \x01 label"), EITHER),
    ("et", "bad UTF-8"): (et_node(3, b"my \xff label"), EITHER),
    ("et", "bare NaN"): (et_node(3, more=b'"x": NaN, "y": inf, '), SAME),
    ("et", "bare N/A"): (et_node(3, more=b'"x": N/A, '), SAME),
    ("et", "duplicate keys"): (et_node(3, more=b'"id": 4, "name": "aten::mm", '), SAME),
    ("et", "numbers as text"): (et_node(3, more=b'"z": "18446744073709551615", '), SAME),
    ("et", "numbers over 64 bits"): (et_node(99999999999999999999999999), EITHER),
    ("et", "a depth bomb"): (et_node(3, more=b'"x": ' + b"[" * 100_000), LOST),
    ("et", "a node over its limit"): (et_node(3, b"x" * 2_000_000), LOST),
    ("csv", "control bytes"): (csv_row(b"my \x01\x1b label"), EITHER),
    ("csv", "bad UTF-8"): (csv_row(b"my \xff\xfe label"), EITHER),
    ("csv", "N/A"): (csv_row(figures=b"N/A,N/A,N/A,N/A,N/A,N/A"), EITHER),
    ("csv", "NaN"): (csv_row(figures=b"nan,NaN,inf,1,2,3"), EITHER),
    ("csv", "numbers ended by TABs"): (csv_row(figures=b"1\t,2\t,3\t,4\t,5\t,6\t"), SAME),
    ("csv", "numbers over 64 bits"): (csv_row(figures=b"99999999999999999999999999,1,2,3,4,5"), EITHER),
    ("csv", "a quote in a cell"): (b'aten::"mm,,,1,2,3,4,5,6\r\n', EITHER),
    ("csv", "too few cells"): (b"aten::mm,4\r\n", LOST),
    ("csv", "a cell over its limit"): (b"x" * 2_000_000 + b",,,1,2,3,4,5,6\r\n", LOST),
}


@pytest.mark.parametrize("kind, damage", sorted(PIECES))
def test_damage_costs_itself_and_is_told(opcheck, tmp_path, kind, damage):
    piece, outcome = PIECES[kind, damage]
    path = tmp_path / "dump"
    path.write_bytes(FORMATS[kind]([piece]))
    report = report_of(opcheck, path)
    found = calls(report)
    told = bool(rules(report) & {"capture-events-skipped", "capture-rows-skipped", "capture-lines-skipped", "capture-long-lines"})
    assert found["aten::mm"] in {SAME: (3,), LOST: (2,), EITHER: (2, 3)}[outcome], found
    assert told or outcome != LOST
    if outcome == EITHER and found["aten::mm"] == 2:  # not counted: then it has a name of its own, or it is told
        assert told or len(found) + len(report["ignored"]) > 1
    text = opcheck("check", path, "-v").out + opcheck("check", path, "-f", "html").out
    assert b"\x1b[" not in text.replace(b"\x1b[0m", b"") and b"\x01" not in text
    text.decode("utf-8")


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_packed_dumps_are_read_whatever_their_suffix_and_damage_is_told(opcheck, tmp_path, kind):
    text = FORMATS[kind]([])
    expected = calls(report_of_bytes(opcheck, tmp_path / "plain.gz", text))  # plain under the suffix of a packed one
    packed = gzip.compress(text)
    cases = {
        "x.txt": packed,                                                     # packed under none
        "members.gz": gzip.compress(text[:70]) + gzip.compress(b"") + gzip.compress(text[70:]),
        "zstd.gz": subprocess.run(["zstd", "-qc"], input=text, capture_output=True, check=True).stdout,
        "padding.gz": packed + b"\0" * 512,
    }
    for name, content in cases.items():
        report = report_of_bytes(opcheck, tmp_path / name, content)
        assert calls(report) == expected and "capture-damaged" not in rules(report), name
    for name, content in {"crc.gz": packed[:-8] + b"\1\2\3\4" + packed[-4:], "length.gz": packed[:-4] + b"\xff\xff\xff\x7f",
                          "no trailer.gz": packed[:-8], "half a trailer.gz": packed[:-3]}.items():
        report = report_of_bytes(opcheck, tmp_path / name, content)
        assert calls(report) == expected and "capture-damaged" in rules(report), name
        assert all(t["verdict"] in ("inconclusive", "blocked") for t in report["targets"])


def report_of_bytes(opcheck, path, content):
    path.write_bytes(content)
    return report_of(opcheck, path)


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_bombs_are_stopped_by_ratio_and_by_size(opcheck, tmp_path, kind):
    text = FORMATS[kind]([])
    bomb = gzip.compress(text[:-3] + b" " * 60_000_000 + text[-3:], 9)
    (tmp_path / "x").write_bytes(bomb)
    for args, word in ((["--limit", "inflate-ratio=500"], "times its size"), (["--limit", "input-bytes=1M", "--limit", "inflate-ratio=1M"], "bytes")):
        run = opcheck("check", tmp_path / "x", *args)
        assert run.status == 3 and "OPC-3009" in run.err and word in run.err and "--limit" in run.err
