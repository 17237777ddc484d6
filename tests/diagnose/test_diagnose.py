"""opcheck diagnose: what it says of logs, and that every known fault is known by its sample."""
import csv
import io
import re

import pytest

from conftest import FIXTURES, ROOT

EXCERPTS = [part.partition("\n")[::2] for part in
            (ROOT / "tests" / "diagnose" / "excerpts.txt").read_text(encoding="utf-8").split("\n== ")[1:]]
ROWS = [line.split("\t") for line in (ROOT / "opdb" / "faults" / "faults.tsv").read_text(encoding="utf-8").splitlines()[1:]]
FALLBACK = "[W] Warning: CAUTION: The operator '%s' is not currently supported on the NPU backend and will fall back to run on the CPU."
DTYPE = ("RuntimeError: NPU function error: call %s failed, error code is 161002\n"
         "EZ1001: Tensor self not implemented for DT_DOUBLE, should be in dtype support list [DT_FLOAT,].\n")


@pytest.fixture
def diagnose(opcheck, tmp_path):
    def run(text, *args):
        (tmp_path / "run.log").write_bytes(text if isinstance(text, bytes) else text.encode())
        done = opcheck("diagnose", "run.log", *args, cwd=tmp_path)
        assert done.status == 0, done.err
        return done
    return run


def test_the_table_is_whole():
    assert len(ROWS) >= 80
    assert [row[0] for row in ROWS if len(row) != 11 or "" in row or "https://" not in row[10]] == []
    assert [row[0] for row in ROWS] == sorted({row[0] for row in ROWS})
    assert {row[1] for row in ROWS} == {"npu", "musa", "any"}
    assert {row[3] for row in ROWS} == {"cause", "symptom", "wrapper", "note"}
    assert sum(row[0].startswith("faq-") for row in ROWS) >= 20


def test_commands_that_a_cure_names_are_there(opcheck):
    named = {word for row in ROWS for cell in row[8:10] for word in re.findall(r"`opcheck (\w+)", cell)}
    known = re.findall(r"^  ([a-z]+) ", opcheck("--help").text.split("Commands:\n")[1], re.M)
    assert {"op", "port", "targets"} <= named and named - set(known) == set()


def test_every_fault_is_known_by_its_sample(diagnose):
    found = diagnose("\n".join(row[5] for row in ROWS), "-f", "json").json
    assert [row[0] for row in ROWS if row[0] not in {fault["id"] for fault in found["faults"]}] == []
    assert found["unknown"] == [] and found["lines"] == len(ROWS)
    for number, row in enumerate(ROWS, 1):
        fault = next(fault for fault in found["faults"] if fault["id"] == row[0])
        assert fault["line"] <= number and fault["cause_zh"] == row[7]


CODES = [line.split("\t") for line in (ROOT / "opdb" / "faults" / "codes.tsv").read_text(encoding="utf-8").splitlines()[1:]]


def test_the_first_fault_of_an_excerpt_is_its_cause(diagnose):
    assert len(EXCERPTS) >= 60 and len({fault for fault, _ in EXCERPTS}) >= 50
    wrong = []
    for fault, text in EXCERPTS:
        found = diagnose(text, "-f", "json").json
        first = found["faults"][0]["id"] if found["faults"] else "-"
        if first != fault or (fault == "-" and found["unknown"]):
            wrong.append((fault, first, text))
    assert wrong == []


def test_the_first_line_names_the_cause_in_both_languages(diagnose):
    text = next(text for fault, text in EXCERPTS if fault == "ej0003")
    line = text.splitlines().index(next(one for one in text.splitlines() if "EJ0003" in one)) + 1
    assert diagnose(text).text.splitlines()[0] == "Cause: The port is bound by another process (ej0003, run.log:%d)" % line
    assert diagnose(text, "--lang", "zh-CN").text.splitlines()[0] == "原因：端口已被其他进程绑定（ej0003，run.log:%d）" % line
    assert [fault["id"] for fault in diagnose(text, "-f", "json").json["faults"]][-1] == "err-200"
    assert diagnose("ERR01005 OPS internal error\n").text.startswith("Only a wrapper of the error is known: ")


def code_id(code):
    return code.lower() if not code[0].isdigit() else ("aclnn-" if code[1] == "6" else "acl-") + code


def as_logged(code):
    """The code as a log has it."""
    if code.startswith("HCCL-"):
        return "HCCL function error: HcclSend(), error code is " + code[5:]
    return "NPU function error, error code is " + code if code[0].isdigit() else "%s: [PID: 1] text" % code


def test_every_code_of_the_tables_is_known(diagnose):
    rows = [row for row in CODES if row[0][0] not in "@="]
    assert len(rows) > 800 and [row for row in CODES if len(row) != 10 or "" in row] == []
    assert {row[9] for row in rows} <= {row[0] for row in CODES if row[0][0] == "@" and row[9].startswith("https://")}
    assert {row[2] for row in rows} <= {row[0] for row in CODES if row[0][0] == "="} | {"."}
    ids = [code_id(row[0]) for row in rows]
    assert len(set(ids)) == len(ids) and set(ids) & {row[0] for row in ROWS} == set()
    found = diagnose("\n".join(as_logged(row[0]) for row in rows), "-f", "json").json
    assert sorted(set(ids) - {fault["id"] for fault in found["faults"]}) == [] and found["unknown"] == []
    for head in "EI", "EJ", "EE", "EH", "EK", "EL", "EP", "EZ", "E1", "E2", "E3", "E4":
        assert any(row[0].startswith(head) for row in rows), head


def test_a_code_that_no_table_has_is_named_with_its_module(diagnose):
    text = "EI0777: x\n[PID: 1] Some_Error(EZ0777): y\nerror code is 507777\nERR05001 z\nER0001: new\nES0002 and EV6 are names\n"
    found = diagnose(text, "-f", "json").json
    assert [(error["code"], error["module"]) for error in found["unknown"]] == [
        ("EI0777", "HCCL"), ("EZ0777", "Operator"), ("507777", ""), ("ER0001", "")] and [fault["id"] for fault in found["faults"]] == ["err-001"]
    assert "run.log:1: EI0777 (HCCL), 1 time" in diagnose(text).text
    rows = list(csv.DictReader(io.StringIO(diagnose(text, "-f", "csv").text, newline="")))
    assert [row["fault"] for row in rows] == ["err-001", "EI0777", "EZ0777", "507777", "ER0001"]


def test_a_code_is_no_part_of_a_longer_number(diagnose):
    found = diagnose("error code is 5070150\nerror code is 507015.\n", "-f", "json").json["faults"]
    assert [(fault["id"], fault["line"], fault["count"]) for fault in found] == [("acl-507015", 2, 1)]


def test_fallbacks_are_counted_by_operator_and_joined_with_the_dump(diagnose):
    text = "\n".join([FALLBACK % "aten::mm", FALLBACK % "torchvision::nms", FALLBACK % "aten::mm"])
    dump = FIXTURES / "torch-2.13" / "llama.a-full.log"
    found = diagnose(text, "--with", dump, "-f", "json").json["faults"]
    assert [fault["id"] for fault in found] == ["npu-fallback"]
    mm, nms = found[0]["subjects"]
    assert (mm["name"], mm["count"], nms["name"], nms["count"]) == ("aten::mm", 2, "torchvision::nms", 1)
    assert mm["calls"] > 0 and mm["time_share"] > 0 and "calls" not in nms
    assert "of its time" in diagnose(text, "--with", dump).text
    assert mm["overlay"].split("\t")[:6] == ["aten::mm", "npu", "*", ".", ".", "cpu-fallback"]


def test_an_overlay_cites_the_line_that_names_its_operator(diagnose):
    text = "\n".join([FALLBACK % "aten::mm", "fine", FALLBACK % "torchvision::nms", FALLBACK % "aten::mm"])
    fault, = diagnose(text, "-f", "json").json["faults"]
    assert [subject["overlay"].split("\t")[8] for subject in fault["subjects"]] == ["run.log:1", "run.log:3"]


def test_a_kernel_is_joined_with_its_operator_in_the_dump(diagnose, tmp_path):
    dump = tmp_path / "trace.json"
    dump.write_text('{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::expm1", "ts": 1, "dur": 5}]}')
    fault = diagnose(DTYPE % "aclnnExpm1", "--with", dump, "-f", "json").json["faults"][0]
    assert [(subject["name"], subject["calls"]) for subject in fault["subjects"]] == [("aclnnExpm1", 1)]


def test_a_name_of_a_log_is_shorter_than_160_bytes(diagnose):
    names = ["aten::" + "x" * more for more in (153, 154)]
    fault, = diagnose("\n".join(FALLBACK % name for name in names), "-f", "json").json["faults"]
    assert [subject["name"] for subject in fault["subjects"]] == names[:1] and fault["count"] == 2


def test_a_dtype_error_gives_an_overlay_that_the_database_takes(diagnose, opcheck, tmp_path):
    found = diagnose(DTYPE % "aclnnExpm1", "-f", "json").json["faults"]
    subject = next(fault for fault in found if fault["id"] == "aclnn-dtype")["subjects"][0]
    assert (subject["name"], subject["dtype"]) == ("aclnnExpm1", "DT_DOUBLE")
    cells = subject["overlay"].split("\t")
    assert cells[:6] == ["aten::expm1", "npu", "*", ".", "float64", "unsupported"]
    overlay = tmp_path / "site.tsv"
    overlay.write_text("# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n" + subject["overlay"] + "\n")
    assert opcheck("db", "check-overlay", overlay).status == 0


def test_errors_that_are_not_known_are_gathered_by_their_form(diagnose):
    found = diagnose("FooError: bar 12\nfine\nFooError: bar 1345\nBazError: bar 12\n", "-f", "json").json
    assert [(error["line"], error["count"], error["text"]) for error in found["unknown"]] == [
        (1, 2, "FooError: bar 12"), (4, 1, "BazError: bar 12")]
    assert "2 errors that are not known" in diagnose("FooError: bar 12\nBazError: x\n").text


def test_the_answer_has_both_languages_and_a_row_for_each_fault(diagnose):
    text = "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB\n"
    assert "cause: The memory of the device is used up" in diagnose(text).text
    assert "原因: 设备内存耗尽" in diagnose(text, "--lang", "zh-CN").text
    rows = list(csv.DictReader(io.StringIO(diagnose(text, "-f", "csv").text, newline="")))
    assert [(row["path"], row["line"], row["fault"], row["kind"]) for row in rows] == [("run.log", "1", "npu-oom", "memory")]
    assert diagnose(text, "-f", "csv", "--lang", "zh-CN").out == diagnose(text, "-f", "csv").out


def test_hostile_logs_are_read(diagnose):
    assert diagnose(b"\x81\xff" * 3000 + b"\n" + b"y" * 3000000, "-f", "json").json["lines"] == 2
    found = diagnose(b"\x1b[31mEZ9999: <b>\x07\xff\n", "-f", "json").json["faults"]
    assert [fault["id"] for fault in found] == ["ez9999"] and "\x1b" not in found[0]["text"]


def test_a_log_that_is_not_there_is_named(opcheck):
    done = opcheck("diagnose", "nothing.log")
    assert done.status == 3 and "nothing.log" in done.err


SYMBOL = "ImportError: /usr/lib/libtorch_npu.so: undefined symbol: _ZN5torch10ValueErrorC1EPKcz"


@pytest.mark.parametrize("log,wrong,right", [
    ("torch==2.6.0\ntorch_npu==2.7.1.post2\n" + SYMBOL, "torch", {"torch==2.6.0", "torch==2.7.1"}),
    ("PyTorch version: 2.6.0+cpu\ntorch-npu     2.7.1.post2\n", "torch", {"torch==2.6.0"}),
    ("torch 2.5.1\ntorch_npu 2.1.0.post3\ntorch_musa 2.5.0\n", "torch", {"torch==2.5.1"}),
    ("torch 2.7.1\ntorch_npu 2.7.1.post2\n/usr/local/Ascend/ascend-toolkit/8.3.RC1/lib64\n" + SYMBOL, "CANN", {"CANN 8.3.RC1"}),
    ("torch 2.7.1\ntorch_npu 2.7.1.post2\n" + SYMBOL, None, set())])
def test_versions_of_a_log_that_do_not_fit_are_named_with_those_that_do(diagnose, log, wrong, right):
    rows = diagnose(log, "-f", "json").json["versions"]
    assert [row["name"] for row in rows if row["state"] == "does-not-fit"] == ([wrong] if wrong else [])
    assert {row["source"].split(":")[0] for row in rows if row["kind"] == "part"} == {"run.log"}
    install = " ".join(row["text"] for row in rows if row["kind"] == "install")
    assert {word for word in right if word in install} and install or not right
    table = list(csv.DictReader(io.StringIO(diagnose(log, "-f", "csv").text, newline="")))
    assert [(row["path"] + ":" * bool(row["line"]) + row["line"], row["cause"]) for row in table if row["kind"] == "version"] == [
        (row["source"], row["text"]) for row in rows]
    assert not wrong or "does not fit" in diagnose(log).text.lower() or "do not fit" in diagnose(log).text.lower()


@pytest.mark.parametrize("log", ["torch 2.7.1\ntorch_npu 2.7.1.post2\nall is well\n", "my-torch-2.6.0\npytorch_npu 2.1.0\ntorch.2.6.0\n",
                                 "torch_npu 2.7.1.post2\n" + SYMBOL, "torch 2.7\ntorch_npu nightly\n" + SYMBOL])
def test_no_versions_are_compared_where_nothing_asks_for_it_or_one_is_missing(diagnose, log):
    assert "versions" not in diagnose(log, "-f", "json").json
