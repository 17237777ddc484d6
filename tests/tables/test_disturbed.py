"""What loggers, launchers, editors, mails and crashes do to a log: the same rows come out, or the loss is counted."""
import json
import random

import pytest

from conftest import FIXTURES, rows_by_table

CLEAN = (FIXTURES / "torch-1.13" / "transformer.a.log").read_text(encoding="utf-8")
LINES = CLEAN.split("\n")[:-1]


def each(change):
    return "".join(change(i, line) + "\n" for i, line in enumerate(LINES))


def noisy():
    out = []
    for line in LINES:
        if line.startswith("Epoch:"):
            out += ["\x1b[32m%s\x1b[0m" % line,
                    "\r".join("%3d%%|%s| %d/4 [00:01<00:00,  3.21it/s]" % (p, "#" * (p // 10), p // 25) for p in range(0, 101, 25)),
                    "/usr/lib/python3/dist-packages/torch/nn/x.py:12: UserWarning: lists [[1, 2]] and [] are slow",
                    "  warnings.warn(\"lists [[1, 2]] and [] are slow\")",
                    "STAGE:2023-02-21 15:15:48 101902:101902 ActivityProfilerController.cpp:294] Completed Stage: Warm Up"]
        else:
            out.append(line)
    return "\n".join(out) + "\n"


def glued():
    out = []
    for line in LINES:
        opens = line.startswith("-") and (not out or not out[-1].startswith(" "))
        out.append(("\r 50%|#####     | 2/4 [00:01<00:01,  1.9it/s]" if opens else "") + line)
    return "\n".join(out) + "\n"


def as_markdown_table():
    out = []
    for line in LINES:
        if line.startswith("---"):
            continue
        cells = [cell for cell in line.strip().split("  ") if cell.strip()]
        if len(cells) == 8:
            out.append("| " + " | ".join(cell.strip() for cell in cells) + " |")
            if cells[0] == "Name":
                out.append("|---|---:|---:|---:|---:|---:|---:|---|")
        else:
            out.append(line)
    return "\n".join(out) + "\n"


def wrapped(width):
    return "".join("".join(line[i:i + width] + "\n" for i in range(0, max(1, len(line)), width)) for line in LINES)


def notebook(text, source, shown=False):
    """As nbformat 4 stores the output of a cell: printed, or the value of its last line."""
    lines = text.splitlines(True)
    output = ({"output_type": "execute_result", "execution_count": 2, "data": {"text/plain": repr(text).splitlines(True)}, "metadata": {}}
              if shown else {"output_type": "stream", "name": "stdout", "text": lines})
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Profile of [[1, 2]]\n", "in bf16"]},
             {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [output], "source": [source]}]
    return json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


CHINESE = CLEAN.replace("=> creating model", "\u521b\u5efa\u6a21\u578b").replace("Epoch:", "\u7b2c 0 \u8f6e \u8bad\u7ec3:")

DISTURBED = {
    "crlf": "\r\n".join(LINES) + "\r\n",
    "byte order mark": b"\xef\xbb\xbf" + CLEAN.encode(),
    "utf-16 little endian": b"\xff\xfe" + CLEAN.encode("utf-16-le"),
    "utf-16 big endian": b"\xfe\xff" + CLEAN.encode("utf-16-be"),
    "utf-16 without a mark": CLEAN.encode("utf-16-le"),
    "chinese in utf-8": CHINESE,
    "chinese in gb18030": CHINESE.encode("gb18030"),
    "time stamps": each(lambda i, s: "2024-05-06 10:%02d:%02d,%03d INFO train.py:88 - %s" % (i // 60 % 60, i % 60, i % 997, s)),
    "kubernetes": each(lambda i, s: "2024-05-06T10:00:00.%09dZ stdout F %s" % (i, s)),
    "containerd without trailing zeros": each(lambda i, s: "2024-05-06T10:00:00.%sZ stdout F %s" % (str(i + 1).rstrip("0"), s)),
    "rank tag": each(lambda i, s: "[rank0]: " + s),
    "torchrun tag": each(lambda i, s: "[default0]:" + s),
    "mpirun tag": each(lambda i, s: "[1,0]<stdout>:" + s),
    "srun label": each(lambda i, s: " 0: " + s),
    "pdsh host": each(lambda i, s: "node-17: " + s),
    "compose": each(lambda i, s: "trainer-1  | " + s),
    "ray": each(lambda i, s: "(RayTrainWorker pid=4711, ip=10.0.0.7) " + s),
    "vllm": each(lambda i, s: "(EngineCore_DP0 pid=44565) INFO 11-05 13:22:49 [cpu_worker.py:210] " + s),
    "quoted mail": each(lambda i, s: "> " + s.rstrip()),
    "indented": each(lambda i, s: "    " + s),
    "fenced markdown": "Here is what I get:\n\n```text\n" + "\n".join(s.rstrip() for s in LINES) + "\n```\n",
    "markdown table": as_markdown_table(),
    "colours, bars and warnings": noisy(),
    "progress bar glued to the dashes": glued(),
    "without dashes": "\n".join(s for s in LINES if not s.startswith("---")) + "\n",
    "stripped": "\n".join(s.strip() for s in LINES) + "\n",
    "squeezed": "\n".join(" ".join(s.split()) if not s.startswith("---") else s for s in LINES) + "\n",
    "squeezed without dashes": "\n".join(" ".join(s.split()) for s in LINES if not s.startswith("---")) + "\n",
    "tabs": "\n".join(s.replace("        ", "\t") for s in LINES) + "\n",
    "wrapped at 80": wrapped(80),
    "wrapped at 120": wrapped(120),
    "wrapped at 200": wrapped(200),
    "hole of NULs": CLEAN[:5000].encode() + b"\0" * 4096 + CLEAN[5000:].encode(),
    "coloured tables": each(lambda i, s: "\x1b[1m" + s + "\x1b[0m"),
    "notebook, printed": notebook(CLEAN, "print(prof.key_averages(group_by_input_shape=True).table(row_limit=-1))"),
    "notebook, shown": notebook(CLEAN, "text", shown=True),
    "notebook in one line": notebook(CHINESE, "profile(\"model\")").replace("\n", ""),
    "notebook saved without its end": notebook(CLEAN, "profile()")[:-400],
    "a string of JSON": json.dumps({"model": "resnet \"18\"", "took": 1.5, "table": CLEAN}),
    "a string of JSON in another": json.dumps({"result": json.dumps({"table": CLEAN})}),
    "container log": each(lambda i, s: json.dumps({"log": s + "\n", "stream": "stdout", "time": "2024-05-06T10:00:%02dZ" % (i % 60)})),
    "logger of JSON lines": each(lambda i, s: json.dumps({"level": "info", "time": i, "message": s}, separators=(",", ":"))),
    "without footers": "\n".join(s for s in LINES if not s.startswith("Self CPU time")) + "\n",
}


def read(events, tmp_path, text):
    path = tmp_path / "profiler.log"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return events(path)


@pytest.fixture
def clean(events, tmp_path):
    return read(events, tmp_path, CLEAN)


@pytest.mark.parametrize("kind", sorted(DISTURBED))
def test_the_same_rows_come_out(events, tmp_path, clean, kind):
    found = read(events, tmp_path, DISTURBED[kind])
    assert found["status"] == 0, found["err"]
    assert rows_by_table(found) == rows_by_table(clean)
    assert found["facts"]["tables"] == 4
    assert found["facts"]["skipped_lines"] == 0


def test_two_ranks_line_by_line_are_told_apart(events, tmp_path, clean):
    chooser = random.Random(1)
    ranks = [["[rank0]: " + s for s in LINES], ["[rank1]: " + s for s in LINES]]
    mixed = []
    while any(ranks):
        some = chooser.choice([r for r in ranks if r])
        mixed.append(some.pop(0))
    found = read(events, tmp_path, "\n".join(mixed) + "\n")
    assert sorted(label for label, in found["stream"]) == ["rank0", "rank1"]
    for stream in (0, 1):
        tables = {}
        for table, at, name, overload, shapes, calls, _ in found["row"]:
            if at == stream:
                tables.setdefault(table, []).append([name, overload, shapes, calls])
        assert [tables[key] for key in sorted(tables)] == rows_by_table(clean)


def test_a_table_cut_in_a_row_is_marked_and_its_whole_rows_count(events, tmp_path):
    found = read(events, tmp_path, "\n".join(LINES[:60]) + "\n" + LINES[60][:90])
    assert found["facts"]["cut_tables"] == 1
    assert len(found["row"]) == 60 - 4
    assert found["facts"]["skipped_lines"] == 1


def test_rows_without_their_header_are_read_by_their_cells(events, tmp_path, clean):
    rows = [s for s in LINES if "%" in s and "Name" not in s]
    found = read(events, tmp_path, "what is slow here?\n" + "\n".join(rows[:30]) + "\n")
    assert rows_by_table(found) == [rows_by_table(clean)[0][:30]]


def test_lines_that_ran_into_each_other_are_counted(events, tmp_path):
    torn = LINES[:40] + [LINES[40][:70] + LINES[200]] + LINES[41:]
    found = read(events, tmp_path, "\n".join(torn) + "\n")
    assert found["facts"]["rows"] == 399
    assert found["facts"]["skipped_lines"] == 1


def test_foreign_lines_inside_a_table_are_counted_and_leave_it_whole(events, tmp_path, clean):
    disturbed = LINES[:50] + ["WARNING: loss is nan", "  at step 3"] + LINES[50:]
    found = read(events, tmp_path, "\n".join(disturbed) + "\n")
    assert rows_by_table(found) == rows_by_table(clean)
    assert found["facts"]["skipped_lines"] == 2


TREE = """
Module                  | Self CPU total | CPU total | Self CUDA total | CUDA total | CPU Mem   | Number of Calls
------------------------|----------------|-----------|-----------------|------------|-----------|----------------
Net                     |                |           |                 |            |           |
├── features            |                |           |                 |            |           |
│├── 0                  |                |           |                 |            |           |
││├── aten::conv2d      | 15.500us       | 1.800ms   | 14.000us        | 1.900ms    | 756.50 Kb | 1
││└── aten::add_        | 57.000us       | 57.000us  | 18.000us        | 18.000us   | 0 b       | 3
└── classifier          | 11.398ms       | 12.130ms  | 1.000us         | 1.000us    | 0 b       | 1
 └── aten::addmm        | 24.000us       | 24.000us  | 25.000us        | 25.000us   | 0 b       | 2
"""


@pytest.mark.parametrize("end", ["", "\nEpoch 1 of 2\n"])
def test_a_tree_of_torchprof_has_operators_below_modules(events, tmp_path, end):
    found = read(events, tmp_path, "loading\n" + TREE + end)
    assert rows_by_table(found) == [[["aten::conv2d", None, "", 1], ["aten::add_", None, "", 3], ["classifier", None, "", 1],
                                     ["aten::addmm", None, "", 2]]]
    assert found["facts"]["skipped_lines"] == found["facts"]["cut_tables"] == 0
