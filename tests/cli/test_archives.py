"""Archives of dumps: read in one pass like the folder that was packed, whatever packs them, within limits."""
import gzip
import io
import json
import shutil
import subprocess
import tarfile
import zipfile

import pytest

from conftest import FIXTURES, environment, program

LOGS = {"run/rank0.log": FIXTURES / "torch-2.13" / "llama.a-full.log", "run/rank1.log": FIXTURES / "torch-2.13" / "resnet50.a.log"}


def tar(members, **options):
    """A tar archive of (name, bytes)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", **options) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def zstd(content):
    return subprocess.run(["zstd", "-qc"], input=content, capture_output=True, check=True).stdout


def dumps():
    return [(name, path.read_bytes()) for name, path in LOGS.items()]


def folder_of(path, members):
    for name, content in members:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def report_of(run):
    assert run.status == 0, run.err
    return json.loads(run.out)


def body(report):
    """What does not depend on what the inputs are called."""
    return [report[key] for key in ("operators", "ignored", "targets", "findings", "basis")]


def one_error(run, code):
    assert run.status == 3 and run.out == b"", run.err
    return [line for line in run.err.splitlines() if " error %s: " % code in line][0]


PACKERS = {"tar": tar, "pax": lambda m: tar(m, format=tarfile.PAX_FORMAT), "gnu": lambda m: tar(m, format=tarfile.GNU_FORMAT),
           "tar.gz": lambda m: gzip.compress(tar(m)), "tar.zst": lambda m: zstd(tar(m)), "zip": zipped,
           "members": lambda m: tar([(n + ".gz", gzip.compress(c)) for n, c in m])}


@pytest.mark.parametrize("kind", sorted(PACKERS))
@pytest.mark.parametrize("way", ["file", "pipe"])
def test_an_archive_says_what_the_folder_says(opcheck, tmp_path, kind, way):
    members = dumps() + [("run/notes.txt", b"nothing here\n" * 9)]
    packed = PACKERS[kind](members[::-1])
    (tmp_path / "x.bin").write_bytes(packed)
    plain = report_of(opcheck("check", folder_of(tmp_path / "folder", members), "-f", "json"))
    run = opcheck("check", tmp_path / "x.bin", "-f", "json") if way == "file" else opcheck("check", "-", "-f", "json", input=packed)
    report = report_of(run)
    assert body(report) == body(plain)
    called = ("x.bin/" if way == "file" else "-/")
    end = ".gz" if kind == "members" else ""
    assert [i["name"] for i in report["inputs"]] == [called + n + end for n in LOGS]
    if kind != "members":
        assert [i["sha256"] for i in report["inputs"]] == [i["sha256"] for i in plain["inputs"]]
    assert [w["rule"] for w in report["warnings"]][0] == "input-left-out"
    assert report["warnings"][0]["params"] == {"files": "1", "names": called + "run/notes.txt" + end}
    assert "notes.txt%s: left out: no profiler table" % end in run.err


def test_the_order_of_members_does_not_matter(opcheck, tmp_path):
    (tmp_path / "x.tar").write_bytes(tar(dumps()))
    one = opcheck("check", tmp_path / "x.tar", "-f", "json")
    (tmp_path / "x.tar").write_bytes(tar(dumps()[::-1]))
    assert report_of(one) == report_of(opcheck("check", tmp_path / "x.tar", "-f", "json"))


def test_a_report_of_an_archive_converts_to_the_same_bytes(opcheck, tmp_path):
    (tmp_path / "x.tar").write_bytes(tar(dumps() + [("junk\x1b[31m<b>", b"\x00\x01" * 99)]))
    assert opcheck("check", tmp_path / "x.tar", "-q", "-o", "json=%s" % (tmp_path / "r.json")).status == 0
    for form in ("text", "html", "csv", "json"):
        out = opcheck("check", tmp_path / "x.tar", "-f", form).out
        assert opcheck("convert", tmp_path / "r.json", "-f", form).out == out
        assert b"\x1b[31m" not in out and (form != "html" or b"<b>" not in out)


OPERATORS = (b"Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),"
             b"Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\r\n"
             b'aten::mm,"4,4;\r\n4,4;\r\n",,5,5,9,9,9,9\r\n')
TASKS = (b"Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),Task Wait Time(us)\r\n"
         b"aclnnNonzero,NonZero,AI_CPU,1.0\t,20.5,0\r\naclnnMm,MatMulV3,AI_CORE,30\t,7,1\r\n")

KERNELS = (b"Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us)\r\n"
           b"1,0,1,1,1,aclnnMm,MatMulV3,dynamic,AI_CORE,1.0\t,7\r\n1,0,1,2,1,aclnnMm,MatMulV3,dynamic,AI_CORE,9.0\t,7\r\n")
STATISTIC = (b"Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\r\n"
             b"0,MatMulV3,AI_CORE,5,35,7,7,7,100\r\n")


def ascend(root, rank, database=False):
    out = root + "/ASCEND_PROFILER_OUTPUT/"
    members = [(root + "/profiler_info_%d.json" % rank, b"{}"), (root + "/FRAMEWORK/torch.op_range", b"\x00\x01\x02" * 500),
               (out + "step_trace_time.csv", b"Device_id,Step,Computing,Communication(Not Overlapped)\r\n0,,3.0,0\r\n"),
               (root + "/PROF_1/mindstudio_profiler_output/op_summary_2024.csv", TASKS),
               (root + "/PROF_1/mindstudio_profiler_output/task_time_2024.csv", b"x,y\n1,2\n")]
    return members + [(out + "ascend_pytorch_profiler_%d.db" % rank, b"SQLite format 3\0" + b"\0" * 200) if database else
                      (out + "operator_details.csv", OPERATORS)]


def test_an_ascend_folder_is_one_dump_in_an_archive_too(opcheck, tmp_path):
    members = ascend("w0_ascend_pt", 0) + ascend("w1_ascend_pt", 1)
    plain = report_of(opcheck("check", folder_of(tmp_path / "all", members), "-f", "json"))
    (tmp_path / "all.tar").write_bytes(tar(members))
    run = opcheck("check", tmp_path / "all.tar", "-f", "json")
    report = report_of(run)
    assert body(report) == body(plain) and run.err == ""
    assert [i["name"] for i in plain["inputs"]] == sorted(i["name"][len("all.tar/"):] for i in report["inputs"])
    rules = [w for i in report["inputs"] for w in i["capture"]["warnings"] if w["rule"] == "capture-aicpu"]
    assert [w["params"] for w in rules] == [{"calls": "1", "types": "NonZero"}] * 2
    assert {o["name"]: o["calls"] for o in report["operators"]} == {"aten::mm": 2}


def test_of_tables_that_repeat_each_other_the_most_complete_counts(opcheck, tmp_path):
    out = "w0_ascend_pt/ASCEND_PROFILER_OUTPUT/"
    tables = [(out + "operator_details.csv", OPERATORS), (out + "op_statistic.csv", STATISTIC), (out + "kernel_details.csv", KERNELS)]
    for members, tasks in ((tables, 2), (tables[:2], 5)):
        (tmp_path / "x.tar").write_bytes(tar(members))
        report = report_of(opcheck("check", tmp_path / "x.tar", "-f", "json"))
        rule, = [w for i in report["inputs"] for w in i["capture"]["warnings"] if w["rule"] == "capture-device-tasks"]
        assert rule["params"]["tasks"] == str(tasks), members


@pytest.mark.parametrize("about", ["profiler_info.json", "profiler_info_3.json", "profiler_metadata.json"])
def test_what_a_profiler_says_of_itself_is_no_file_left_out(opcheck, tmp_path, about):
    """Beside another dump no folder says who wrote it."""
    (tmp_path / "x.tar").write_bytes(tar([("w/" + about, b'{"rank_id": 3}'), dumps()[0]]))
    run = opcheck("check", tmp_path / "x.tar", "-f", "json")
    assert run.err == "" and [w["rule"] for w in report_of(run)["warnings"] if w["rule"] == "input-left-out"] == []


def test_tasks_alone_are_stated_with_what_ran_on_the_ai_cpu(opcheck, tmp_path):
    """Lone tables of the device: an msprof folder, its table, and a folder with nothing else."""
    root = folder_of(tmp_path / "p", [("PROF_1/mindstudio_profiler_output/op_summary_2024.csv", TASKS),
                                      ("PROF_1/mindstudio_profiler_output/task_time_2024.csv", b"x,y\n1,2\n"),
                                      ("PROF_1/device_0/data/raw.bin", b"\0\1" * 99)])
    for path in (root / "PROF_1" / "mindstudio_profiler_output", root / "PROF_1" / "mindstudio_profiler_output" / "op_summary_2024.csv", root):
        line = one_error(opcheck("check", path), "OPC-3006")
        assert "2 tasks that ran on a device, 1 of them on the AI CPU (NonZero), and no operator" in line


def test_a_database_in_an_archive_is_left_out_and_told_why(opcheck, tmp_path):
    (tmp_path / "x.tar").write_bytes(tar(ascend("w_ascend_pt", 0, True) + dumps()[:1]))
    run = opcheck("check", tmp_path / "x.tar", "-f", "json")
    assert "ascend_pytorch_profiler_0.db: left out: a database can only be read as a file of its own" in run.err
    assert report_of(run)["warnings"][0]["rule"] == "input-left-out"


def test_an_archive_in_an_archive_is_refused_with_a_word(opcheck, tmp_path):
    (tmp_path / "x.tar").write_bytes(tar([("inner.tar.gz", gzip.compress(tar(dumps())))] + dumps()[:1]))
    run = opcheck("check", tmp_path / "x.tar", "-f", "json")
    assert "x.tar/inner.tar.gz: left out: an archive inside an archive is not read" in run.err
    assert len(report_of(run)["inputs"]) == 1
    (tmp_path / "y.tar").write_bytes(tar([("inner.tar.gz", gzip.compress(tar(dumps())))]))
    assert "none of the 1 files in the archive is a dump" in one_error(opcheck("check", tmp_path / "y.tar"), "OPC-3004")


@pytest.mark.parametrize("content", [b"", b"nothing\n"])
def test_an_archive_without_a_dump_is_an_error(opcheck, tmp_path, content):
    (tmp_path / "x.tar").write_bytes(tar([("notes", content)]))
    one_error(opcheck("check", tmp_path / "x.tar"), "OPC-3004")


def test_names_lead_nowhere(opcheck, tmp_path):
    (tmp_path / "x.tar").write_bytes(tar([("../../../tmp/evil.log", dumps()[0][1]), ("/etc/rank1.log", dumps()[1][1])]))
    report = report_of(opcheck("check", tmp_path / "x.tar", "-f", "json"))
    assert [i["name"] for i in report["inputs"]] == ["x.tar/etc/rank1.log", "x.tar/tmp/evil.log"]


def test_a_cut_archive_is_read_as_far_as_it_goes(opcheck, tmp_path):
    whole = gzip.compress(tar(dumps()))
    (tmp_path / "x.tar.gz").write_bytes(whole[:-3000])
    report = report_of(opcheck("check", tmp_path / "x.tar.gz", "-f", "json"))
    assert any(w["rule"] == "capture-damaged" for i in report["inputs"] for w in i["capture"]["warnings"])
    assert all(t["verdict"] in ("inconclusive", "blocked") for t in report["targets"])
    (tmp_path / "x.tar.gz").write_bytes(whole[:200])
    assert opcheck("check", tmp_path / "x.tar.gz").status == 3


def test_a_bad_trailer_of_the_packing_is_told(opcheck, tmp_path):
    whole = bytearray(gzip.compress(tar(dumps())))
    whole[-5] ^= 0xff
    (tmp_path / "x.tar.gz").write_bytes(whole)
    report = report_of(opcheck("check", tmp_path / "x.tar.gz", "-f", "json"))
    assert any(w["rule"] == "capture-damaged" for i in report["inputs"] for w in i["capture"]["warnings"])


def test_the_limits_of_archives_hold(opcheck, tmp_path):
    (tmp_path / "x.tar").write_bytes(tar(dumps()))
    assert opcheck("check", tmp_path / "x.tar", "--limit", "archive-members=2").status == 0
    assert "more than 1 members" in one_error(opcheck("check", tmp_path / "x.tar", "--limit", "archive-members=1"), "OPC-3009")
    (tmp_path / "bomb.zip").write_bytes(zipped([("bomb.log", b" " * 50_000_000)]))
    assert "unpacks to more than" in one_error(opcheck("check", tmp_path / "bomb.zip"), "OPC-3009")
    (tmp_path / "bomb.tar").write_bytes(tar([("bomb.gz", gzip.compress(b" " * 50_000_000, 9))]))
    one_error(opcheck("check", tmp_path / "bomb.tar"), "OPC-3009")


def test_a_hole_in_a_member_counts_as_unpacked(opcheck, tmp_path):
    if not shutil.which("tar"):
        pytest.skip("there is no tar")
    with open(tmp_path / "hole", "wb") as out:
        out.truncate(3 << 30)
        out.seek(0, 2)
        out.write(b"aten::mm\n")
    subprocess.run(["tar", "-C", tmp_path, "--sparse", "-cf", tmp_path / "x.tar", "hole"], check=True)
    assert (tmp_path / "x.tar").stat().st_size < 100_000
    one_error(opcheck("check", tmp_path / "x.tar"), "OPC-3009")


def test_extract_names_an_archive(opcheck, tmp_path):
    (tmp_path / "x.tar").write_bytes(tar(dumps()))
    assert "this is a tar archive" in one_error(opcheck("extract", tmp_path / "x.tar", cwd=tmp_path), "OPC-3004")


def test_many_members_take_little_memory(tmp_path, sanitized):
    if sanitized:
        pytest.skip("sanitizers take memory of their own")
    log = (FIXTURES / "torch-2.13" / "resnet50.a.log").read_bytes()
    (tmp_path / "x.tar").write_bytes(tar([("rank%d.log" % i, log) for i in range(1000)]))
    code = ("import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
            "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run(["/usr/bin/python3", "-c", code, program("opcheck", "OPCHECK"), "check", tmp_path / "x.tar"],
                          capture_output=True, env=environment(), timeout=300)
    status, kib = map(int, done.stdout.split())
    assert status == 0 and kib < 256 * 1024
