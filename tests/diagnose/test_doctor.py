"""opcheck doctor: what it finds in a made-up tree, whether that fits, and what the environment means."""
import csv
import io
import os
import re

import pytest

from conftest import ROOT

ROWS = [line.split("\t") for line in (ROOT / "opdb" / "faults" / "environment.tsv").read_text(encoding="utf-8").splitlines()[1:]]
SITE = "usr/lib/python3.11/site-packages/"
CANN = "usr/local/Ascend/ascend-toolkit/latest/"


def package(name, version):
    return {SITE + "%s-%s.dist-info/METADATA" % (name, version): "Metadata-Version: 2.1\nName: %s\nVersion: %s\n\nVersion: 9\n" % (name, version)}


def cann(version):
    return {CANN + "aarch64-linux/ascend_toolkit_install.info":
            "package_name=Ascend-cann-toolkit\ninnerversion=V100R001\nversion=%s\narch=aarch64\n" % version}


@pytest.fixture
def doctor(opcheck, tmp_path):
    def run(files, *args, env=None, status=None):
        root = tmp_path / "a [root]*"
        root.mkdir(exist_ok=True)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        done = opcheck("doctor", "--root", root, *args, env=env, cwd=tmp_path)
        assert status is None or done.status == status, done.out + done.err
        return done
    return run


def said(done, kind="fit"):
    return {row["name"]: (row["state"], row["text"]) for row in done.json["rows"] if row["kind"] == kind}


def values(done):
    return {row["name"]: row["value"] for row in done.json["rows"] if row["kind"] == "part"}


NPU = {**package("torch", "2.7.1+cpu"), **package("torch_npu", "2.7.1.post2"), **cann("8.5.0"),
       "usr/local/Ascend/driver/version.info": "Version=25.5.0\nascendhal_version=7.35.23\n",
       "usr/local/Ascend/firmware/version.info": "Version=7.8.0.5.216\n",
       "sys/bus/pci/devices/0000:01:00.0/vendor": "0x8086\n", "sys/bus/pci/devices/0000:01:00.0/device": "0xd802\n",
       "sys/bus/pci/devices/0000:c1:00.0/vendor": "0x19e5\n", "sys/bus/pci/devices/0000:c1:00.0/device": "0xd802\n"}
MUSA = {**package("torch", "2.7.1"), **package("torch_musa", "2.7.1"),
        "usr/local/musa/version.json": '{"mcc": {"version": "1.0"},\n "musa_toolkits": {\n  "version": "4.3.5",\n  "commit": "8"}}\n',
        "sys/module/mtgpu/version": "3.3.1\n", "proc/driver/musa/gpu0/devname": "MTT S4000\n"}


def test_the_table_of_variables_is_whole():
    assert len(ROWS) >= 30
    assert [row[0] for row in ROWS if len(row) != 6 or "" in row or row[2] not in ("note", "check") or "https://" not in row[5]] == []
    assert [row[0] for row in ROWS] == sorted(row[0] for row in ROWS)
    assert len({(row[0], row[1]) for row in ROWS}) == len(ROWS)
    for place, row in enumerate(ROWS):  # what any value means comes after what one value means
        assert row[1] != "*" or row[0] not in [later[0] for later in ROWS[place + 1:]]


def test_a_stack_of_one_release_fits(doctor):
    done = doctor(NPU, "-f", "json", env={"ASCEND_HOME_PATH": "/" + CANN.rstrip("/")}, status=0)
    assert values(done) == {"torch": "2.7.1+cpu", "torch_npu": "2.7.1.post2", "CANN": "8.5.0", "npu driver": "25.5.0",
                            "npu firmware": "7.8.0.5.216", "npu chip": "Ascend910B"}
    fits = said(done)
    assert (done.json["verdict"], fits["torch"][0], fits["CANN"][0]) == ("fits", "fits", "fits")
    assert fits["npu driver"][0] == "unknown" and "25.5.0" in fits["npu driver"][1]
    assert said(done, "install") == {}


# torch, torch_npu, CANN; the part that does not fit; releases to install, the one that keeps CANN first
@pytest.mark.parametrize("torch, plugin, sdk, wrong, install", [
    ("2.6.0", "2.7.1.post2", "8.5.0", "torch", ["npu@v2.6.0-7.3.0"]),
    ("2.7.1", "2.7.1.post2", "8.3.RC1", "CANN", ["npu@v2.7.1-7.2.0"]),
    ("2.8.0", "2.7.1.post2", "8.5.0", "torch", None),
    ("2.7.1", None, "8.5.0", "torch_npu", ["npu@v2.7.1-7.3.0"]),
    (None, "2.7.1.post2", "8.5.0", "torch", None),
    ("2.7.1", "2.7.1.post2", None, "CANN", None),
])
def test_what_does_not_fit_is_said_with_what_to_install(doctor, torch, plugin, sdk, wrong, install):
    files = {**(package("torch", torch) if torch else {}), **(package("torch_npu", plugin) if plugin else {}), **(cann(sdk) if sdk else {}),
             "usr/local/Ascend/driver/version.info": "Version=25.5.0\n"}
    done = doctor(files, "-f", "json", status=1)
    assert [part for part, (state, _) in said(done).items() if state == "does-not-fit"] == [wrong]
    proposed = said(done, "install")
    assert proposed and all("pip install torch==" in text and "CANN" in text for _, text in proposed.values())
    assert install is None or list(proposed) == install


@pytest.mark.parametrize("sdk, state", [("8.5.0", "fits"), ("8.5.0.alpha1", "fits"), ("8.5.01", "note"), ("8.5", "does-not-fit"), ("9.0.0", "note"),
                                        ("8.5.RC1", "does-not-fit")])
def test_a_version_has_the_one_that_it_is_a_part_of_by_a_dot(doctor, sdk, state):
    files = {**package("torch", "2.7.1"), **package("torch_npu", "2.7.1.post2"), **cann(sdk)}
    assert said(doctor(files, "-f", "json"))["CANN"][0] == state


def test_what_no_release_has_both_of_is_proposed_by_each(doctor):
    done = doctor({**package("torch", "2.1.0"), **cann("8.5.0")}, "-f", "json", status=1)
    proposed = [text for _, text in said(done, "install").values()]
    assert len(proposed) == 2 and "CANN 8.5.0" in proposed[0] and "torch==2.1.0" in proposed[1]


# torch, torch_npu, CANN; the part that is newer than what the vendor published
@pytest.mark.parametrize("torch, plugin, sdk, newer", [("2.7.1", "2.7.1.post2", "9.0.0", "CANN"), ("2.7.2", "2.7.1.post2", "8.5.0", "torch")])
def test_newer_than_the_published_pair_is_a_note(doctor, torch, plugin, sdk, newer):
    done = doctor({**package("torch", torch), **package("torch_npu", plugin), **cann(sdk)}, "-f", "json", status=0)
    assert done.json["verdict"] == "fits" and said(done, "install") == {}
    assert said(done)[newer][0] == "note" and "newer" in said(done)[newer][1]


@pytest.mark.parametrize("build, checked", [("+cu118", True), ("+rocm6.1", True), ("+cpu", False), ("+git05a3", False)])
@pytest.mark.parametrize("stack, word", [(NPU, "https://download.pytorch.org/whl/cpu"), (MUSA, "comes with it")])
def test_a_torch_built_for_another_device_is_a_check(doctor, stack, word, build, checked):
    done = doctor({**{name: stack[name] for name in stack if "/torch-" not in name}, SITE + "torch/version.py": "__version__ = '2.7.1%s'\n" % build},
                  "-f", "json")
    rows = [row for row in done.json["rows"] if row["kind"] == "fit" and "built for another device" in row["text"]]
    assert [(row["name"], row["state"]) for row in rows] == [("torch", "check")] * checked
    assert not checked or "2.7.1" + build in rows[0]["text"] and word in rows[0]["text"]


def test_a_plugin_that_the_database_has_not_still_names_its_pytorch(doctor):
    done = doctor({**package("torch", "2.6.0"), **package("torch_npu", "2.7.1.post99"), **cann("8.5.0")}, "-f", "json", status=1)
    fits = said(done)
    assert fits["torch_npu"][0] == "unknown" and fits["CANN"][0] == "unknown"
    assert fits["torch"] == ("does-not-fit", "torch_npu 2.7.1.post99 is for PyTorch 2.7.1, and 2.6.0 is installed.")


def test_versions_are_read_from_version_files_too(doctor):
    done = doctor({**package("torch", "2.7.1"), SITE + "torch_npu/version.py": "# by the build\n__version__ = '2.7.1.post2+git0af3'\n",
                   "opt/cann/version.cfg": "runtime_running_version=[7.7:8.1]\ntoolkit_running_version=[7.3.0.1.231:8.5.0]\n"},
                  "-f", "json", env={"ASCEND_HOME_PATH": "/opt/cann"}, status=0)
    assert values(done) == {"torch": "2.7.1", "torch_npu": "2.7.1.post2+git0af3", "CANN": "8.5.0"}


def test_a_stack_of_moore_threads(doctor):
    done = doctor(MUSA, "-f", "json", status=0)
    assert values(done) == {"torch": "2.7.1", "torch_musa": "2.7.1", "MUSA SDK": "4.3.5", "musa driver": "3.3.1", "musa chip": "MTT S4000"}
    assert said(done)["torch"][0] == "fits" and said(done)["MUSA SDK"][0] == "unknown"
    done = doctor(package("torch_musa", "1.3.0"), "-f", "json", status=1)
    assert {text for _, text in said(done, "install").values()} == {"PyTorch 2.7.1 with torch_musa 2.7.1 of Moore Threads"}


def test_nothing_of_a_device_has_an_exit_status_of_its_own(doctor):
    done = doctor(package("torch", "2.7.1"), "-f", "json", status=3)
    assert done.json["verdict"] == "nothing-found" and "OPC-3015" in done.err


def test_variables_in_force_have_a_meaning_with_its_source(doctor):
    env = {"TASK_QUEUE_ENABLE": "2", "CUDA_VISIBLE_DEVICES": "0,1", "HCCL_NOBODY_KNOWS": "\x1b[1m", "MUSA_VISIBLE_DEVICES": "",
           "PYTORCH_NPU_ALLOC_CONF": "base_addr_aligned_kb:16,expandable_segments:True", "ASCEND_HOME_PATH": "relative"}
    done = doctor(NPU, "-f", "json", env=env)
    rows = {row["name"]: row for row in done.json["rows"] if row["kind"] == "variable"}
    assert list(rows) == sorted(env)
    assert {name: row["state"] for name, row in rows.items()} == {
        "TASK_QUEUE_ENABLE": "note", "CUDA_VISIBLE_DEVICES": "check", "HCCL_NOBODY_KNOWS": "unknown", "MUSA_VISIBLE_DEVICES": "check",
        "PYTORCH_NPU_ALLOC_CONF": "note", "ASCEND_HOME_PATH": "note"}
    assert "fragmentation" in rows["PYTORCH_NPU_ALLOC_CONF"]["text"] and "https://" in rows["TASK_QUEUE_ENABLE"]["source"]
    assert "\x1b" not in done.text and "ASCEND_RT_VISIBLE_DEVICES" in rows["CUDA_VISIBLE_DEVICES"]["text"]


RANGES = [(row[0],) + tuple(int(end) for end in row[1][1:-1].split(",")) for row in ROWS if row[1].startswith("[")]


@pytest.mark.parametrize("name, low, high", RANGES)
def test_a_value_out_of_its_documented_range_is_a_check(doctor, name, low, high):
    for value, state in (low, "note"), (high, "note"), (high + 1, "check"), ("%d.5" % low, "check"), ("soon", "check"):
        done = doctor(NPU, "-f", "json", env={name: str(value)})
        assert said(done, "variable")[name][0] == state, value
    if low:
        text = said(doctor(NPU, "-f", "json", env={name: str(low - 1)}), "variable")[name]
        assert text[0] == "check" and "%d to %d" % (low, high) in text[1]


@pytest.mark.parametrize("name, value, state", [("TASK_QUEUE_ENABLE", "3", "check"), ("TASK_QUEUE_ENABLE", "1", "note"),
                                                ("ASCEND_GLOBAL_LOG_LEVEL", "5", "check"), ("TORCH_TRANSFER_TO_NPU", "true", "check"),
                                                ("ACL_OP_COMPILER_CACHE_MODE", "enable", "note"), ("STREAMS_PER_DEVICE", "16", "check")])
def test_a_value_that_is_not_documented_is_a_check(doctor, name, value, state):
    assert said(doctor(NPU, "-f", "json", env={name: value}), "variable")[name][0] == state


NODES = {"dev/davinci%d" % number: "" for number in range(8)}


@pytest.mark.parametrize("value, state, word", [
    ("0,1,7", None, ""), ("0,8", "does-not-fit", "device 8; 8 devices are here, 0 to 7"), ("2,1", "check", "ascending"), ("1,1", "check", "ascending"),
    ("0, 1", "check", "is ignored"), ("0,x\x1b", "check", "is ignored"), ("-1", "check", "is ignored"), ("99999999999999999999", "check", "is ignored")])
def test_device_lists_are_held_against_the_devices(doctor, value, state, word):
    done = doctor({**NPU, **NODES}, "-f", "json", env={"ASCEND_RT_VISIBLE_DEVICES": value, "ASCEND_HOME_PATH": "/" + CANN})
    row = said(done).get("ASCEND_RT_VISIBLE_DEVICES")
    assert (row and row[0]) == state and (not state or word in row[1] and row[1].startswith("ASCEND_RT_VISIBLE_DEVICES")) and "\x1b" not in done.text
    assert done.status == (state == "does-not-fit") and said(done, "install") == {}
    musa = {"proc/driver/musa/gpu%d/devname" % number: "MTT S4000\n" for number in range(2)}
    assert said(doctor({**MUSA, **musa}, "-f", "json", env={"MUSA_VISIBLE_DEVICES": "2"}))["MUSA_VISIBLE_DEVICES"][0] == "does-not-fit"


@pytest.fixture
def tools(opcheck, tmp_path):
    """opcheck doctor on this machine, with programs of ours on the path: name -> what it prints."""
    def run(answers, *args, env=None):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        answers = {"python": "python\t3.10.12\t/venv\ntorch\t2.7.1\t/venv\ntorch_npu\t2.7.1.post2\t/venv\n", **answers}
        for name, text in answers.items():
            (folder / (name + ".txt")).write_text(text)
            (folder / name).write_text("#!/bin/sh\n%s\n" % (text[1:] if text.startswith("!") else "exec cat '%s.txt'" % (folder / name)))
            (folder / name).chmod(0o755)
        return opcheck("doctor", "--python", folder / "python", *args, "-f", "json",
                       env={"PATH": "%s:%s" % (folder, os.environ["PATH"]), "HOME": str(tmp_path), **(env or {})}, cwd=tmp_path)
    return run


def fixture(name):
    return (ROOT / "tests" / "diagnose" / "tools" / (name + ".txt")).read_text(encoding="utf-8")


def test_npu_smi_is_asked_for_driver_chip_and_devices(tools):
    done = tools({"npu-smi": fixture("npu-smi-910b")})
    assert (values(done)["npu driver"], values(done)["npu chip"]) == ("25.5.0", "Ascend910B3")
    texts = [row["text"] for row in done.json["rows"] if row["name"] == "npu chip" and row["kind"] == "fit"]
    assert texts == ["npu-smi lists 8 devices.", "Device 5 is in state Alarm.", "2 processes run on the devices."]
    assert said(tools({"npu-smi": fixture("npu-smi-910b")}, env={"ASCEND_RT_VISIBLE_DEVICES": "8"}))["ASCEND_RT_VISIBLE_DEVICES"][0] == "does-not-fit"


def test_a_board_with_two_chips_has_a_device_for_each(tools):
    done = tools({"npu-smi": fixture("npu-smi-910_93")})
    assert values(done)["npu chip"] == "Ascend910" and "npu-smi lists 4 devices." in [row["text"] for row in done.json["rows"]]


def test_mthreads_gmi_is_asked_for_driver_chip_and_devices(tools):
    done = tools({"mthreads-gmi": fixture("mthreads-gmi-s5000")})
    assert (values(done)["musa driver"], values(done)["musa chip"]) == ("3.3.5-server", "MTT S5000")
    texts = [row["text"] for row in done.json["rows"] if row["name"] == "musa chip" and row["kind"] == "fit"]
    assert texts == ["mthreads-gmi lists 3 devices.", "1 process runs on the devices."]


@pytest.mark.parametrize("answer", ["", "dcmi module initialize failed. ret is -8005\n", "! exit 1", "! exec sleep 1000", "| 0 | 1 | 2\n\x1b[1m|||||\n" * 999])
def test_a_tool_that_names_no_device_is_a_check(tools, answer):
    done = tools({"npu-smi": answer}, "--limit", "python-seconds=1")
    assert said(done)["npu chip"][0] == "check" and "npu-smi lists no device" in said(done)["npu chip"][1] and "\x1b" not in done.text


def test_no_tool_is_asked_for_another_root(doctor, tools, tmp_path):
    tools({"npu-smi": fixture("npu-smi-910b")})
    done = doctor(NPU, "-f", "json", env={"PATH": "%s:%s" % (tmp_path / "bin", os.environ["PATH"])})
    assert values(done)["npu chip"] == "Ascend910B" and values(done)["npu driver"] == "25.5.0"


def test_every_format_has_every_row(doctor):
    rows = doctor(NPU, "-f", "json", env={"TASK_QUEUE_ENABLE": "2"}).json["rows"]
    table = list(csv.DictReader(io.StringIO(doctor(NPU, "-f", "csv", env={"TASK_QUEUE_ENABLE": "2"}).text, newline="")))
    assert [(row["kind"], row["name"], row["state"], row["text"]) for row in table] == [
        (row["kind"], row["name"], row["state"], row["text"]) for row in rows]
    english = doctor(NPU, env={"TASK_QUEUE_ENABLE": "2"}).text
    chinese = doctor(NPU, "--lang", "zh-CN", env={"TASK_QUEUE_ENABLE": "2"}).text
    for row in rows:
        assert " ".join(row["text"].split()) in " ".join(english.split())
        assert "".join(row["text_zh"].split()) in "".join(chinese.split())
    assert doctor(NPU, "-f", "md").text.count("\n| ") >= len(rows) - 1 and "<table" in doctor(NPU, "-f", "html").text


def test_python_is_asked_within_its_time(doctor, tmp_path):
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\nprintf 'python\\t3.10.12\\t/venv\\ntorch\\t2.7.1\\t/venv/lib\\ntorch_npu\\t2.7.1.post2\\t/venv/lib\\n'\n")
    fake.chmod(0o755)
    found = values(doctor(cann("8.5.0"), "--python", fake, "-f", "json", status=0))
    assert found == {"python": "3.10.12", "torch": "2.7.1", "torch_npu": "2.7.1.post2", "CANN": "8.5.0"}
    fake.write_text("#!/bin/sh\nexec sleep 1000\n")
    late = doctor(cann("8.5.0"), "--python", fake, "--limit", "python-seconds=1", "-f", "json", status=1)
    assert said(late, "part")["python"][0] == "check"
    assert said(doctor(cann("8.5.0"), "--python", "no-such-python", "-f", "json"), "part")["python"][0] == "check"
    assert re.match(r"3\.\d+", values(doctor({}, "--python", "/usr/bin/python3", "-f", "json"))["python"])


def test_hostile_files_do_no_harm(doctor, tmp_path):
    files = {CANN + "version.cfg": "toolkit_running_version=[" + "x:" * 100000, "usr/local/musa/version.json": '"musa_toolkits" "version"',
             "usr/local/Ascend/driver/version.info": "Version=\x1b[31m\x00\n", SITE + "torch_npu/version.py": "__version__"}
    done = doctor(files)
    assert done.status == 1 and "\x1b" not in done.text
    os.mkfifo(tmp_path / "a [root]*" / "usr/local/Ascend/firmware")
    (tmp_path / "a [root]*" / "sys/module/mtgpu").mkdir(parents=True)
    os.mkfifo(tmp_path / "a [root]*" / "sys/module/mtgpu/version")
    assert doctor(files).status == 1
