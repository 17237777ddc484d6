"""What is no dump, no database, no target or no option: one line that says so, a hint, the right exit code, bounded memory."""
import gzip
import json
import re
import shutil
import sqlite3
import subprocess

import pytest

from conftest import FIXTURES, ROOT, environment, program

DUMP = FIXTURES / "torch-2.13" / "resnet50.a.log"
LABEL_TABLE = """\
--------------------  ------------  ------------  ------------  ------------  ------------  ------------
                Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls
--------------------  ------------  ------------  ------------  ------------  ------------  ------------
            my label         1.00%       1.000us         1.00%       1.000us       1.000us             1
--------------------  ------------  ------------  ------------  ------------  ------------  ------------
Self CPU time total: 1.000us
"""

REFUSED = {
    "empty": (b"", "OPC-3003"),
    "only NULs": (b"\0" * 5000, "OPC-3003"),
    "a PNG": (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "OPC-3004"),
    "a zip": (b"PK\x03\x04" + b"\x14" * 200, "OPC-3004"),
    "a PDF": (b"%PDF-1.7\n", "OPC-3004"),
    "an SQLite file": (b"SQLite format 3\0" + b"\0" * 100, "OPC-3004"),
    "binary": (bytes(range(256)) * 40, "OPC-3004"),
    "a CSV of something else": (b"city,people\nBerlin,3\n", "OPC-3005"),
    "a log without tables": (b"epoch 1 loss 0.3\n" * 100, "OPC-3005"),
    "a traceback": (b"Traceback (most recent call last):\nTypeError: x\n", "OPC-3005"),
    "a header without a table": (b"Name  Self CPU %  Self CPU\n", "OPC-3005"),
    "a table without an operator": (LABEL_TABLE.encode(), "OPC-3006"),
    "a Kineto trace without an operator": (b'{"schemaVersion": 1, "traceEvents": [{"ph": "X"}]}', "OPC-3006"),
    "an execution trace without an operator": (b'{"schema": "1.1.1-chakra.0.0.4", "pid": 1, "nodes": []}', "OPC-3006"),
    "a memory table of torch_npu": (b"Name,Size(KB),Allocation Time(us)\r\naten::empty,4.0,1\r\n", "OPC-3008"),
    "a CSV of torch_npu without the names": (b"Input Shapes,Host Self Duration(us)\r\n4,1\r\n", "OPC-3004"),
    "a CSV of torch_npu without operators": (b"OP Type,Core Type,Count,Total Time(us)\r\nMatMulV2,AI_CORE,3,1\r\n", "OPC-3006"),
    "damaged gzip": (b"\x1f\x8b\x08\0\0\0\0\0\0\3" + b"\xff" * 50, "OPC-3010"),
}
# tables are dumps without an operator, too, of which extract makes empty lists
LISTED_EMPTY = ("a table without an operator", "a CSV of torch_npu without operators")


def one_error(run, code):
    """The message is one line with this code, and at most one hint behind it."""
    lines = run.err.splitlines()
    assert 1 <= len(lines) <= 2, run.err
    assert " error %s: " % code in lines[0] and lines[0].startswith("opcheck: ")
    assert len(lines) == 1 or lines[1].startswith("  hint: ")
    assert run.out == b""
    return lines[0]


@pytest.mark.parametrize("kind", sorted(REFUSED))
@pytest.mark.parametrize("command", ("check", "extract"))
def test_what_is_no_dump_is_refused_by_name(opcheck, tmp_path, kind, command):
    content, code = REFUSED[kind]
    path = tmp_path / "input.log"
    path.write_bytes(content)
    if command == "check" and kind == "a zip":
        code = "OPC-3010"  # it looks into archives, and this one is cut
    run = opcheck(command, path, cwd=tmp_path)
    if command == "extract" and kind in LISTED_EMPTY:
        assert (run.status, run.text, run.err) == (0, "all_ops: []\ndynamic_ops []\n", "")
        return
    assert run.status == 3
    assert str(path) in one_error(run, code)


def test_a_missing_file_and_a_directory_are_told_apart(opcheck, tmp_path):
    assert "OPC-3001" in one_error(opcheck("check", tmp_path / "none.log"), "OPC-3001")
    run = opcheck("check", tmp_path)
    assert run.status == 3 and one_error(run, "OPC-3002")
    run = opcheck("extract", tmp_path)
    assert run.status == 3 and one_error(run, "OPC-3002")


def report_of(opcheck, path):
    run = opcheck("check", path, "-f", "json")
    assert run.status == 0, run.err
    return json.loads(run.out)


OPERATOR_DETAILS = ("Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us)\r\n"
                    "aten::mm,\"4,12;\r\n12,8\",,3.5,9.25,%s\t\r\naten::nonzero,64,,1,1,2\r\n")
KERNEL_DETAILS = ("Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us)\r\n"
                  "1,aclnnMm_x,MatMulV2,AI_CORE,1.5\t,2\r\n1,aclnnNonzero_x,NonZero,AI_CPU,9.5\t,2\r\n")


def ascend_folder(path, rank, device_us="1.5"):
    output = path / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (path / ("profiler_info_%d.json" % rank)).write_text("{}")
    (output / "operator_details.csv").write_bytes((OPERATOR_DETAILS % device_us).encode())
    (output / "kernel_details.csv").write_bytes(KERNEL_DETAILS.encode())
    (output / "operator_memory.csv").write_bytes(b"Name,Size(KB),Allocation Time(us)\r\n")
    return path


def unobserved(report):
    return [{key: value for key, value in operator.items() if key not in ("observed", "first_seen")} for operator in report["operators"]]


def test_a_folder_of_torch_npu_is_one_dump(opcheck, tmp_path):
    folder = ascend_folder(tmp_path / "worker_20240501101010123_ascend_pt", 0)
    report = report_of(opcheck, folder)
    assert [i["format"] for i in report["inputs"]] == ["npu-kernel-details", "npu-operator-details"]
    assert {o["name"]: (o["calls"], o["shapes"][0]["dims"]) for o in report["operators"]} == \
        {"aten::mm": (1, [[4, 12], [12, 8]]), "aten::nonzero": (1, [[64]])}
    assert [(n["name"], n["class"]) for n in report["ignored"]] == [("MatMulV2", "kernel"), ("NonZero", "kernel")]
    warnings = {w["rule"]: w for i in report["inputs"] for w in i["capture"]["warnings"]}
    assert warnings["capture-aicpu"]["params"] == {"calls": "1", "types": "NonZero"}
    assert "capture-no-steps" in warnings and report["basis"] == "self_device_time"
    assert {o["dynamic"]["kind"] for o in report["operators"]} == {"unknown", "data-dependent"}
    assert report_of(opcheck, folder / "ASCEND_PROFILER_OUTPUT")["operators"] == report["operators"]
    (folder / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv").write_text("")
    run = opcheck("check", folder, "-f", "json")
    assert "kernel_details.csv: left out: the file is empty" in run.err
    assert unobserved(json.loads(run.out)) == unobserved(report)  # tasks are one more proof of where operators ran
    (folder / "ASCEND_PROFILER_OUTPUT" / "operator_details.csv").write_text("")
    assert opcheck("check", folder).status == 3


def test_folders_of_ranks_are_ranks_in_any_order(opcheck, tmp_path):
    for rank in (10, 2):
        ascend_folder(tmp_path / "all" / ("worker%d_ascend_pt" % rank), rank)
    report = report_of(opcheck, tmp_path / "all")
    assert [i["name"].split("/")[0] for i in report["inputs"]] == ["worker2_ascend_pt"] * 2 + ["worker10_ascend_pt"] * 2
    assert {o["name"]: o["calls"] for o in report["operators"]} == {"aten::mm": 2, "aten::nonzero": 2}
    again = tmp_path / "again"
    for rank in (2, 10):
        ascend_folder(again / ("worker%d_ascend_pt" % rank), rank)
    assert report_of(opcheck, again) == report


def test_what_is_no_dump_in_a_folder_is_left_out_and_told(opcheck, tmp_path):
    shutil.copy(DUMP, tmp_path / "rank1.log")
    shutil.copy(DUMP, tmp_path / "rank0.log")
    (tmp_path / "notes.txt").write_text("nothing here\n")
    run = opcheck("check", tmp_path, "-f", "json")
    assert run.status == 0 and "notes.txt: left out: no profiler table" in run.err
    assert [i["name"] for i in json.loads(run.out)["inputs"]] == ["rank0.log", "rank1.log"]
    (tmp_path / "rank0.log").unlink()
    (tmp_path / "rank1.log").unlink()
    run = opcheck("check", tmp_path)
    assert run.status == 3 and "OPC-3002" in run.err


def test_a_folder_over_its_limits_is_an_error(opcheck, tmp_path):
    shutil.copy(DUMP, tmp_path / "a.log")
    shutil.copy(DUMP, tmp_path / "b.log")
    assert one_error(opcheck("check", tmp_path, "--limit", "folder-files=1"), "OPC-3009")


def test_names_with_formulas_and_markup_stay_harmless(opcheck, tmp_path):
    evil = '=HYPERLINK(""http://x"")<script>alert(1)</script>'
    (tmp_path / "operator_details.csv").write_bytes(
        (OPERATOR_DETAILS % "1" + '"%s",,,1,1,1\r\n"\x1b[31mred",,,1,1,1\r\n' % evil).encode())
    page = opcheck("check", tmp_path / "operator_details.csv", "-f", "html").out.decode()
    assert "<script>alert" not in page and "\x1b" not in page
    sheet = opcheck("check", tmp_path / "operator_details.csv", "-f", "csv").out.decode()
    assert not any(cell.startswith("=") for line in sheet.splitlines() for cell in line.split(",")) and "\x1b" not in sheet
    assert "\x1b" not in opcheck("check", tmp_path / "operator_details.csv").out.decode()


@pytest.mark.parametrize("lists", [b"aten::mm\naten::nonzero\n", b"op,calls\naten::mm,2\naten::nonzero,1\n",
                                   b'{"aten::mm": 2, "aten::nonzero": 1}'])
def test_operator_lists_are_checked(opcheck, tmp_path, lists):
    (tmp_path / "ops").write_bytes(lists)
    report = report_of(opcheck, tmp_path / "ops")
    assert sorted(o["name"] for o in report["operators"]) == ["aten::mm", "aten::nonzero"]
    assert report["basis"] == "calls" and report["inputs"][0]["format"].startswith("list")
    rules = {w["rule"] for w in report["inputs"][0]["capture"]["warnings"]}
    assert {"capture-no-shapes", "capture-no-times", "capture-no-steps"} <= rules


def test_an_extracted_list_holds_the_operators_it_was_made_of(opcheck, tmp_path):
    assert opcheck("extract", DUMP, "--out-dir", tmp_path, "-q").status == 0
    names = lambda report: sorted(o["name"] for o in report["operators"])
    assert names(report_of(opcheck, tmp_path / "all_ops.txt")) == names(report_of(opcheck, DUMP))


@pytest.mark.parametrize("args, code", [
    (("chek", "x"), "OPC-2004"), ((), "OPC-2004"), (("check",), "OPC-2002"), (("check", DUMP, "--targt", "npu"), "OPC-2001"),
    (("check", DUMP, "-Z"), "OPC-2001"), (("check", DUMP, "-t"), "OPC-2002"), (("check", DUMP, "-f", "xml"), "OPC-2003"),
    (("check", DUMP, "-o", "html"), "OPC-2003"), (("check", DUMP, "--fail-on", "sorrow"), "OPC-2003"),
    (("check", DUMP, "--lang", "tlh"), "OPC-2003"), (("check", DUMP, "--limit", "line-bytes=0"), "OPC-2003"),
    (("check", DUMP, "--limit", "nonsense=3"), "OPC-2003"), (("check", DUMP, "-q=3"), "OPC-2001"),
    (("check", DUMP, "--quiet=yes"), "OPC-2001"), (("check", DUMP, "-t", "gpu"), "OPC-2005"),
    (("check", DUMP, "-t", "npu@9.9.9"), "OPC-2005"), (("check", DUMP, "-t", "musa@2.0.0"), "OPC-2006"),
    (("op", "aten::isn"), "OPC-2010"), (("op",), "OPC-2002"), (("op", "--all", "x"), "OPC-2002"),
    (("explain", "op-unsuported"), "OPC-2007"), (("snippet", "--torch", "two"), "OPC-2003"), (("db",), "OPC-2004"),
    (("convert", DUMP), "OPC-3011"), (("db", "build", ROOT / "nowhere", "-o", "/dev/null"), "OPC-4005"),
])
def test_wrong_use_says_what_is_wrong(opcheck, args, code):
    run = opcheck(*args)
    assert run.status == {"2": 2, "3": 3, "4": 4}[code[4]]
    one_error(run, code)


@pytest.mark.parametrize("given, meant", [(("chek",), "check"), (("check", DUMP, "--formt=json"), "--format"),
                                          (("op", "aten::isn"), "aten::isin"), (("check", DUMP, "-t", "npuu"), "npu"),
                                          (("explain", "op-unsuported"), "op-unsupported")])
def test_the_nearest_name_is_offered(opcheck, given, meant):
    assert meant in opcheck(*given).err.splitlines()[1]


# --- databases

@pytest.fixture
def database(tmp_path):
    path = tmp_path / "opdb.sqlite"
    shutil.copy(program("opcheck", "OPCHECK_DB"), path)
    path.chmod(0o644)
    return path


def test_a_short_version_means_the_one_that_has_a_final_release(opcheck):
    targets = [t["id"] for t in opcheck("check", DUMP, "-t", "npu@2.0", "-f", "json").json["targets"]]
    assert targets == ["npu@v2.0.1-5.0.0"]  # of 2.0.0 there are candidates alone


def test_a_missing_database_is_said_with_where_to_get_one(opcheck, tmp_path):
    run = opcheck("check", DUMP, "--db", tmp_path / "none.sqlite")
    assert run.status == 4 and one_error(run, "OPC-4001")


def test_a_file_of_another_kind_is_no_database(opcheck, tmp_path):
    (tmp_path / "x").write_text("hello, I am no database at all, really none")
    assert one_error(opcheck("check", DUMP, "--db", tmp_path / "x"), "OPC-4002")
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("create table t (a)")
    other.commit()
    assert one_error(opcheck("check", DUMP, "--db", tmp_path / "other.sqlite"), "OPC-4002")


def test_a_database_of_another_version_is_refused(opcheck, database):
    connection = sqlite3.connect(database)
    connection.execute("pragma user_version = 99")
    connection.commit()
    connection.close()
    assert one_error(opcheck("check", DUMP, "--db", database), "OPC-4003")


def test_a_cut_database_is_an_error(opcheck, database):
    database.write_bytes(database.read_bytes()[:100000])
    run = opcheck("check", DUMP, "--db", database)
    assert run.status == 4 and one_error(run, "OPC-4004")


# --- outputs

def test_an_existing_file_is_kept_unless_forced(opcheck, tmp_path):
    out = tmp_path / "report.json"
    out.write_text("mine")
    run = opcheck("check", DUMP, "-o", "json=%s" % out)
    assert run.status == 2 and "OPC-2008" in run.err and out.read_text() == "mine"
    assert opcheck("check", DUMP, "-o", "json=%s" % out, "--force").status == 0
    assert out.read_text().startswith("{")
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize("args", [("-o", "json=/dev/full"), ("-o", "json=/nowhere/report.json")])
def test_a_report_that_cannot_be_written_is_an_error(opcheck, args):
    run = opcheck("check", DUMP, *args)
    assert run.status == 6 and "OPC-6001" in run.err


def test_a_full_standard_output_is_an_error():
    with open("/dev/full", "wb") as full:
        run = subprocess.run([program("opcheck", "OPCHECK"), "check", DUMP], stdout=full, stderr=subprocess.PIPE, env=environment())
    assert run.returncode == 6 and b"OPC-6001" in run.stderr


def test_a_reader_that_goes_away_is_no_error_message():
    run = subprocess.run("'%s' check '%s' -v -f html | head -c 10 > /dev/null" % (program("opcheck", "OPCHECK"), DUMP), shell=True,
                         stderr=subprocess.PIPE, env=environment())
    assert run.stderr == b""


def test_several_reports_are_written_in_one_run(opcheck, tmp_path):
    run = opcheck("check", DUMP, "-o", "json=%s" % (tmp_path / "r.json"), "-o", "html=%s" % (tmp_path / "r.html"))
    assert run.status == 0 and run.out == b"" and len(run.err.splitlines()) == 2
    assert (tmp_path / "r.json").read_bytes() == opcheck("check", DUMP, "-f", "json").out
    assert (tmp_path / "r.html").read_bytes() == opcheck("check", DUMP, "-f", "html").out


# --- gates

@pytest.mark.parametrize("gate, status", [("unsupported", 1), ("cpu-fallback", 0), ("unsupported,needs-package", 1),
                                          ("dynamic-unbounded", 1), ("needs-package", 0)])
def test_the_gate_decides_the_exit_status(opcheck, gate, status):
    args = ("check", FIXTURES / "torch-2.13" / "llama.a-full.log", "-t", "musa@v1.0.0", "--fail-on", gate, "-f", "json")
    run = opcheck(*args)
    assert run.status == status
    assert run.json["targets"][0]["gate"] == ("failed" if status else "passed")
    assert opcheck(*args, "--exit-zero").status == 0


# --- compressed, several, standard input

def test_a_compressed_dump_gives_the_same_operators(opcheck, tmp_path):
    packed = tmp_path / "profiler.log.gz"
    text = DUMP.read_bytes()
    packed.write_bytes(gzip.compress(text[:30000]) + gzip.compress(text[30000:]))
    plain, zipped = opcheck("check", DUMP, "-f", "json").json, opcheck("check", packed, "-f", "json").json
    assert zipped["operators"] == plain["operators"] and zipped["inputs"][0]["compression"] == "gzip"


def test_a_gzip_file_cut_short_is_read_as_far_as_it_goes(opcheck, tmp_path):
    packed = tmp_path / "profiler.log.gz"
    packed.write_bytes(gzip.compress(DUMP.read_bytes())[:-4000])
    report = opcheck("check", packed, "-f", "json").json
    assert "capture-damaged" in [w["rule"] for w in report["inputs"][0]["capture"]["warnings"]]
    assert all(t["verdict"] in ("inconclusive", "blocked") for t in report["targets"])


def test_a_bomb_is_stopped_by_its_ratio(opcheck, tmp_path):
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b" " * 40_000_000, 9))
    run = opcheck("check", bomb)
    assert run.status == 3 and one_error(run, "OPC-3009")


def test_standard_input_is_a_dump_called_dash(opcheck):
    report = opcheck("check", "-", "-f", "json", input=DUMP.read_bytes()).json
    assert report["inputs"][0]["name"] == "-"
    assert report["operators"] == opcheck("check", DUMP, "-f", "json").json["operators"]


def test_files_named_by_rank_are_ranks_and_their_order_is_no_matter(opcheck, tmp_path):
    log = FIXTURES / "torch-2.13" / "compilemarks.a-full.log"
    names = []
    for rank in (10, 2):
        names.append(tmp_path / ("rank%d_key_averages.txt" % rank))
        shutil.copy(log, names[-1])
    one, two = (opcheck("check", *order, "-f", "json") for order in (names, names[::-1]))
    assert one.out == two.out
    single = opcheck("check", log, "-f", "json").json
    assert [i["name"] for i in one.json["inputs"]] == ["rank2_key_averages.txt", "rank10_key_averages.txt"]
    assert {o["name"]: 2 * o["calls"] for o in single["operators"]} == {o["name"]: o["calls"] for o in one.json["operators"]}
    assert {o["name"]: o["dynamic"]["kind"] for o in single["operators"]} == {
        o["name"]: o["dynamic"]["kind"] for o in one.json["operators"]}


def test_each_file_can_have_a_report_of_its_own(opcheck):
    logs = [FIXTURES / "torch-2.13" / n for n in ("resnet50.a.log", "compile.a.log")]
    both = opcheck("check", *logs, "--each", "-f", "text")
    assert both.text == opcheck("check", logs[0], "-vv").text + opcheck("check", logs[1], "-vv").text


def test_with_each_a_bad_file_does_not_stop_the_others(opcheck, tmp_path):
    log = FIXTURES / "eras" / "1.8.log"
    (tmp_path / "empty.log").write_bytes(b"")
    done = opcheck("check", tmp_path / "empty.log", log, tmp_path / "gone.log", log, "--each", "-f", "text", "--fail-on", "dynamic-unknown,unknown,unsupported")
    assert done.status == 3
    assert done.text.count("Readiness report") == 2
    assert sorted(line.split("error ")[1][:8] for line in done.err.splitlines() if "error " in line) == ["OPC-3001", "OPC-3003"]


def test_each_takes_the_dumps_of_a_folder_one_by_one(opcheck, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("compile.a.log", "resnet50.a.log"):
        shutil.copy(FIXTURES / "torch-2.13" / name, folder)
    (folder / "notes.txt").write_text("nothing here\n")
    ascend_folder(folder / "z_1_ascend_pt", 0)
    done = opcheck("check", folder, "--each", "-vv")
    assert done.status == 0, done.err
    assert done.text.count("Readiness report") == 3 and "notes.txt" in done.err
    for name in ("compile.a.log", "resnet50.a.log", "z_1_ascend_pt"):
        assert opcheck("check", folder / name, "-f", "text").text in done.text, name
    refused = opcheck("check", folder, "--each", "-o", "json=%s" % (tmp_path / "out.json"))
    assert refused.status == 2 and "OPC-2003" in refused.err


def test_each_of_a_folder_without_a_dump_is_an_error(opcheck, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing here\n")
    done = opcheck("check", tmp_path, "--each")
    assert done.status == 3 and done.err.count("OPC-3005") == len(list(tmp_path.iterdir()))


def test_each_cannot_write_several_reports_to_one_file(opcheck, tmp_path):
    log = FIXTURES / "eras" / "1.8.log"
    done = opcheck("check", log, log, "--each", "-o", "json=%s" % (tmp_path / "out.json"))
    assert done.status == 2 and "OPC-2003" in done.err and not list(tmp_path.iterdir())


def test_an_output_that_is_there_is_refused_before_the_dump_is_read(opcheck, tmp_path):
    there = tmp_path / "report.json"
    there.write_text("mine")
    done = opcheck("check", tmp_path / "gone.log", "-o", "json=%s" % there)
    assert done.status == 2 and "OPC-2008" in done.err and there.read_text() == "mine"


def test_extract_makes_its_folder_and_refuses_to_replace(opcheck, tmp_path):
    log, folder = FIXTURES / "eras" / "1.8.log", tmp_path / "lists"
    assert opcheck("extract", log, "--out-dir", folder).status == 0
    assert sorted(p.name for p in folder.iterdir()) == ["all_ops.txt", "dynamic_ops.txt"]
    (folder / "all_ops.txt").unlink()
    again = opcheck("extract", log, "--out-dir", folder)
    assert again.status == 2 and "OPC-2008" in again.err and not (folder / "all_ops.txt").exists()
    assert opcheck("extract", log, "--out-dir", tmp_path / "a" / "b").status == 6


# --- size

HEADER = "".join(LABEL_TABLE.splitlines(True)[:3])
ROW = "            %8s         1.00%%       1.000us         1.00%%       1.000us       1.000us             1\n"


def peak_kib(path, *args):
    """Peak memory of a check of a file, measured by the kernel."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run(["/usr/bin/python3", "-c", code, program("opcheck", "OPCHECK"), "check", path, *args],
                          capture_output=True, env=environment(), timeout=300)
    return int(done.stdout)


@pytest.mark.parametrize("kind", ["names", "labels", "tables", "one line"])
def test_memory_is_bounded_whatever_the_size(opcheck, tmp_path, kind, sanitized):
    if sanitized:
        pytest.skip("sanitizers take memory of their own")
    path = tmp_path / "big.log"
    with open(path, "w") as out:
        if kind == "one line":
            for _ in range(200):
                out.write("x" * 1_000_000)
        elif kind == "tables":
            for i in range(100_000):
                out.write(HEADER + ROW % ("aten::t%d" % (i % 9)) + "Self CPU time total: %d.000us\n" % i)
        else:
            out.write(HEADER)
            for i in range(300_000):
                out.write(ROW % ("aten::x%d" % i if kind != "labels" else "l %d" % i))
    assert peak_kib(path) < (80 if kind in ("names", "labels") else 20) * 1024


def test_a_hundred_thousand_shapes_in_a_thousand_steps_fit_64_mib(opcheck, tmp_path, sanitized):
    """Each shape is held once: the first dump is not copied, and what finds rows is given back before they are judged."""
    if sanitized:
        pytest.skip("sanitizers take memory of their own")
    path = tmp_path / "shapes.log"
    dashes, columns, _ = HEADER.splitlines()
    with open(path, "w") as out:
        for step in range(1000):
            out.write("%s  %s\n%s  %40s\n%s  %s\n" % (dashes.rstrip(), "-" * 40, columns.rstrip().ljust(len(dashes.rstrip())), "Input Shapes",
                                                  dashes.rstrip(), "-" * 40))
            for i in range(100):
                row = ROW % ("aten::" + ("add", "mul", "cat", "index")[i % 4])
                out.write("%s  %40s\n" % (row.rstrip().rjust(len(dashes.rstrip())), "[[%d, 64, %d], [%d, 4]]" % (step + 200, i, step + 200)))
            out.write("Self CPU time total: %d.%03dms\n\n" % (step + 10, step))
    found = opcheck("check", path, "-f", "json").json
    assert sum(operator["shape_count"] for operator in found["operators"]) == 100_000
    assert peak_kib(path, "-f", "json") < 64 * 1024


def event(**members):
    return {"ph": "X", "ts": 1, "dur": 1, "pid": 1, "tid": 1, **members}


def named(name, value):
    return {"ph": "M", "pid": 1, "name": name, "args": {"name": value}}


def chrome(*events, **members):
    return json.dumps({"traceEvents": list(events), **members})


OTHERS = [
    ("a table of Nsight Systems", "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,Device,Ctx,Strm,Name\n"
                                  "1,2,3,1,1,1,1,1,1,1,A100,1,7,ampere_sgemm_64x64_nn\n"),
    ("a table of Nsight Systems", "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n99.0,12,1,12.0,1,1,1,1,gemm\n"),
    ("a table of Nsight Systems", " ** CUDA API Summary (cuda_api_sum):\n\n Time (%)  Total Time (ns)  Num Calls  Avg (ns)  Name\n"
                                  " --------  ---------------  ---------  --------  ----------\n     51.0             1000          1    1000.0  cudaMalloc\n"),
    ("an export of Nsight Systems", '{"data":["[0]:x","a"]}\n{"TraceProcessEvent":{"startNs":"1","endNs":"2","correlationId":1,"eventClass":0}}\n'),
    ("an export of Nsight Systems", '{"CudaEvent":{"startNs":"1","endNs":"2","kernel":{"shortName":"1"}},"Type":79}\n'),
    ("an export of Nsight Systems", '{"NvtxEvent":{"Type":59,"Timestamp":"1","Text":"step","GlobalTid":"1"}}\n'),
    ("a table of Nsight Compute", '==PROF== Connected to process 1 (/usr/bin/python3.11)\n"ID","Process ID","Process Name","Host Name","Kernel Name","Context"\n'
                                  '"0","1","python3.11","127.0.0.1","gemm","1"\n'),
    ("a log of nvprof", "==12345== NVPROF is profiling process 12345, command: python train.py\n==12345== Profiling result:\n"
                        "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n GPU activities:   50.00%  1.0us  1  1.0us  1.0us  1.0us  gemm\n"),
    ("a table of rocprof", '"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgrp","lds","scr","DurationNs"\n0,"gemm",0,0,0,1,1,64,64,0,0,120\n'),
    ("a table of rocprof", "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,Kernel_Name,Start_Timestamp,End_Timestamp\n0,4,1,1,1,64,64,\"gemm\",10,20\n"),
    ("a table of rocprof", '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
                           '"KERNEL_DISPATCH",1,1,1,1,16,"gemm",1,10,20\n'),
    ("a table of rocprof", '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n"HIP_RUNTIME_API","hipMalloc",1,1,1,10,20\n'),
    ("a table of rocprof", '"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n"MEMORY_COPY","HOST_TO_DEVICE",0,1,1,10,20\n'),
    ("a table of rocprof", '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Grid_Size","Kernel_Name","Counter_Name","Counter_Value"\n1,1,1,1,1,64,"gemm","SQ_WAVES",1\n'),
    ("a table of rocprof", '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"gemm",1,2,2.0,100\n'),
    ("a trace of rocprof", json.dumps({"rocprofiler-sdk-tool": [{"metadata": {"node": {}}, "agents": [], "buffer_records": {}}]})),
    ("a trace of rocprof", chrome(named("process_name", "0 CPU HIP API"), event(name="hipMalloc", ts="1", dur="2"))),
    ("a profile of Python (cProfile)", "         197 function calls in 0.002 seconds\n\n   Ordered by: cumulative time\n\n"
                                       "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n        1    0.000    0.000    0.001    0.001 train.py:1(<module>)\n"),
    ("a trace of VizTracer", chrome(event(name="f (/a/b.py:1)", cat="FEE"), viztracer_metadata={"version": "1.0.0", "overflow": False})),
    ("a CPU profile of V8", json.dumps({"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}}], "samples": [1], "timeDeltas": [0]})),
    ("a profile of V8", "v8-version,11,3,244,8,-node.16,0\nv8-platform,linux,linux\nshared-library,/usr/bin/node,0x1,0x2,0\n"),
    ("a trace of Chrome", chrome({**named("thread_name", "CrRendererMain"), "cat": "__metadata"}, event(name="RunTask", cat="toplevel"))),
    ("a trace of Chrome", json.dumps([event(name="TracingStartedInBrowser", cat="disabled-by-default-devtools.timeline")])),
    ("a trace of TensorFlow", chrome(named("process_name", "/job:localhost/replica:0/task:0/device:GPU:0 Compute"), event(name="MatMul", cat="Op"))),
    ("a profile of TensorFlow", "node name | requested bytes | total execution time | accelerator execution time\nMatMul  10MB (100.00%), 1ms (100%), 1ms\n"),
    ("a trace of JAX or XLA", chrome(named("thread_name", "XLA Ops"), event(name="fusion.1", args={"hlo_op": "fusion.1"}))),
    ("a trace of TensorFlow or JAX", chrome(named("process_name", "/host:CPU"), event(name="PjitFunction(f)"))),
    ("a trace of a TPU", chrome(named("process_name", "/device:TPU:0"), named("process_name", "/host:CPU"), event(name="fusion.1"))),
    ("a trace of an IBM AIU", json.dumps([{"attr": {"Power": "0x43", "TS1": "0xc0", "TS5": "0xc1"}, "name": "convolution_1 Cmpt Exec", "ph": phase,
                                           "pid": 0, "tid": 20, "ts": 1.5} for phase in "BE"])),
    ("a trace of an IBM AIU", chrome(event(name="aiuLaunchControlBlocks", cat="cuda_runtime"))),
    ("a trace of Gaudi's hardware", chrome(event(name="gemm", cat="kernel", args={"recipeName": "graph_1", "recipeId": 3, "streamHandle": "0x1"}))),
    ("a memory timeline of PyTorch", '<html>\n<head><meta charset="utf-8" /><title>GPU Memory Timeline HTML</title></head>\n<body>\n'
                                     "  <img src='data:image/png;base64,iVBORw0KGgo='>\n</body>\n</html>"),
    ("a memory timeline of PyTorch", json.dumps([[1700000000000, 1700000000001], [[0, 1, 2, 0, 0, 0, 0, 0, 0], [0, 4, 2, 0, 0, 0, 0, 0, 0]]])),
    ("a memory timeline of PyTorch", json.dumps([[1700000000000, 0, 1024, 6], [1700000000001, 3, -1024, 6]])),
    ("a graph of Chakra", json.dumps({"id": "1", "name": "a", "type": "COMP_NODE", "ctrlDeps": []}) + "\n"),
    ("a graph of Chakra", json.dumps({"version": "0.0.4", "node": [{"id": "1", "name": "a", "type": "COMM_COLL_NODE"}]})),
]


@pytest.mark.parametrize("what, text", OTHERS, ids=["%s %d" % (what, at) for at, (what, _) in enumerate(OTHERS)])
def test_files_of_other_profilers_are_named_with_what_to_do(opcheck, tmp_path, what, text):
    path = tmp_path / "run.out"
    path.write_text(text)
    run = opcheck("check", path)
    assert run.status == 3 and "this is %s\n" % what in run.err, run.err
    assert re.search(r"hint: .*(under torch\.profiler|key_averages|ExecutionTraceObserver|export_chrome_trace|use torch\.profiler)", run.err)


@pytest.mark.parametrize("content, what, hint", [
    (b"\2\1\4\3\5QuadDCommon\1\2\3", "a report of Nsight Systems", "nsys stats -r nvtx_sum"),
    (b"\7\n\0050.0.4\x9a\1\1\1", "a Chakra trace in protobuf", "chakra_jsonizer"),
    (b"\n\xd2\1\2\3\x12\r/device:TPU:0\1\2\x12\t/host:CPU", "an XPlane profile of a TPU", "under torch.profiler"),
    (b"\n\xd2\1\2\3\x12\t/host:CPU\1\2", "an XPlane profile of TensorFlow or JAX", "under torch.profiler")])
def test_binary_profiles_of_other_tools_say_the_way_to_operators(opcheck, tmp_path, content, what, hint):
    path = tmp_path / "profile.bin"
    path.write_bytes(content)
    run = opcheck("check", path)
    assert run.status == 3 and "this is %s\n" % what in run.err and hint in run.err, run.err


def test_a_database_of_nsight_says_the_way_to_operators(opcheck, tmp_path):
    with sqlite3.connect(tmp_path / "report.sqlite") as made:
        made.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT)")
    run = opcheck("check", tmp_path / "report.sqlite")
    assert run.status == 3 and "this is a database of Nsight Systems\n" in run.err and "nsys stats -r nvtx_sum" in run.err


def test_the_list_that_a_hint_makes_is_read(opcheck, tmp_path):
    ranges = "aten::mm, seq = 5, op_id = 7\naten::relu, op_id = 8\naten::mm, seq = 9, op_id = 10\n"
    (tmp_path / "ops.txt").write_text("\n".join(sorted(set(re.findall(r"aten::\w+", ranges)))) + "\n")
    assert [operator["name"] for operator in report_of(opcheck, tmp_path / "ops.txt")["operators"]] == ["aten::mm", "aten::relu"]


@pytest.mark.parametrize("device", ["CUDA", "XPU", "NPU", "MUSA", "HPU", "MTIA", "PrivateUse1"])
def test_the_columns_of_every_device_give_its_time(opcheck, tmp_path, device):
    heads = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "Self " + device, "Self %s %%" % device,
             device + " total", device + " time avg", "# of Calls"]
    rows = [["aten::mm", "50.00%", "10.000us", "50.00%", "10.000us", "5.000us", "30.000us", "75.00%", "30.000us", "15.000us", "2"],
            ["aten::relu", "50.00%", "10.000us", "50.00%", "10.000us", "10.000us", "10.000us", "25.00%", "10.000us", "10.000us", "1"]]
    widths = [max(12, *(len(row[i]) for row in [heads, *rows])) for i in range(len(heads))]
    rule = "  ".join("-" * width for width in widths)
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in [heads, *rows]]
    path = tmp_path / "run.log"
    path.write_text("\n".join([rule, lines[0], rule, *lines[1:], rule, "Self CPU time total: 20.000us", "Self %s time total: 40.000us" % device, ""]))
    report = opcheck("check", path, "-t", "npu", "-f", "json").json
    assert report["basis"] == "self_device_time"
    assert {o["name"]: (o["self_device_us"], o["calls"], o["time_share"]) for o in report["operators"]} == {"aten::mm": (30, 2, 0.75), "aten::relu": (10, 1, 0.25)}
