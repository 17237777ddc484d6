"""A folder of dumps: one assessment for each model, by name, run and version of PyTorch; ranks, steps and formats stay together."""
import json
import shutil

import pytest

from conftest import FIXTURES

RESNET = FIXTURES / "torch-2.13" / "resnet50.a.log"
LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
OLD = FIXTURES / "torch-1.13" / "resnet18.a-full.log"
TRACE, TABLE = FIXTURES / "traces" / "lastbatch.c.trace.json.gz", FIXTURES / "torch-2.13" / "lastbatch.a-full.log"
TARGET = ("-t", "npu@v2.7.1-26.0.0")


def folder_of(folder, files):
    for name, path in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)
    return folder


def reports(done):
    """The documents of standard output, one after the other."""
    text, decoder, found = done.out.decode(), json.JSONDecoder(), []
    while text.strip():
        document, end = decoder.raw_decode(text.lstrip())
        found.append(document)
        text = text.lstrip()[end:]
    return found


def models(opcheck, folder):
    """The names of the dumps of each assessment."""
    found = reports(opcheck("check", folder, *TARGET, "-f", "json"))
    return [[one["name"] for one in report["inputs"]] for report in found]


def test_a_folder_of_models_is_an_assessment_for_each_that_says_so(opcheck, tmp_path):
    folder = folder_of(tmp_path / "all", {"resnet50.log": RESNET, "llama.log": LLAMA})
    done = opcheck("check", folder, *TARGET, "-f", "json")
    assert done.status == 0, done.err
    found = reports(done)
    assert [[one["name"] for one in report["inputs"]] for report in found] == [["llama.log"], ["resnet50.log"]]
    for report, name in zip(found, ("llama", "resnet50")):
        said = next(w for w in report["warnings"] if w["rule"] == "input-models")
        assert said["text"] == f"the folder holds 2 models: this assessment is of {name}.log"
        alone = opcheck("check", folder / (name + ".log"), *TARGET, "-f", "json").json
        assert [t["verdict"] for t in report["targets"]] == [t["verdict"] for t in alone["targets"]]
        assert report["operators"] == alone["operators"]
    text = opcheck("check", folder, *TARGET).text
    assert text.count("the folder holds 2 models: this assessment is of") == 2
    assert opcheck("check", folder, *TARGET, "--lang", "zh-CN").text.count("文件夹中有 2 个模型") == 2


def test_files_that_are_named_are_one_assessment(opcheck, tmp_path):
    done = opcheck("check", RESNET, LLAMA, *TARGET, "-f", "json")
    assert len(done.json["inputs"]) == 2 and not [w for w in done.json["warnings"] if w["rule"] == "input-models"]


@pytest.mark.parametrize("files, expected", [
    ({"bert_rank0.log": RESNET, "bert_rank1.log": LLAMA}, 1),
    ({"rank0/out.log": RESNET, "rank1/out.log": LLAMA}, 1),
    ({"step_1.log": RESNET, "step_2.log": LLAMA}, 1),
    ({"run.trace.json.gz": TRACE, "table.log": TABLE}, 1),
    ({"first.log": RESNET, "second.log": RESNET}, 1),
    ({"vit.log": RESNET, "vit.dynamic.log": LLAMA}, 1),
    ({"bert/rank0.log": RESNET, "vit/rank0.log": LLAMA}, 2),
    ({"net_18.log": RESNET, "net_50.log": LLAMA}, 2),
    ({"exp.vit.log": RESNET, "exp.bert.log": LLAMA}, 2),
    ({"net.log": RESNET, "net2/net.log": OLD}, 2),
    ({"new/net.log": RESNET, "net.log": OLD, "other/net.log": LLAMA}, 3),
], ids=lambda value: " ".join(value) if isinstance(value, dict) else str(value))
def test_ranks_steps_and_formats_of_one_run_stay_together(opcheck, tmp_path, files, expected):
    assert len(models(opcheck, folder_of(tmp_path, files))) == expected


def test_a_table_without_operators_is_no_model(opcheck, tmp_path):
    folder = folder_of(tmp_path / "all", {"resnet50.log": RESNET, "llama.log": LLAMA})
    (folder / "notes.csv").write_text("Name,Calls\nmy_label,3\n", encoding="utf-8")
    assert models(opcheck, folder) == [["llama.log"], ["resnet50.log"]]


def test_several_models_do_not_fit_one_output_file(opcheck, tmp_path):
    folder = folder_of(tmp_path / "all", {"resnet50.log": RESNET, "llama.log": LLAMA})
    done = opcheck("check", folder, *TARGET, "-o", "json=%s" % (tmp_path / "r.json"))
    assert done.status == 2 and "the folder holds 2 models, but --output names one file" in done.err
    assert not (tmp_path / "r.json").exists()


def test_the_worst_gate_is_the_exit_status(opcheck, tmp_path):
    folder = folder_of(tmp_path / "all", {"resnet50.log": RESNET, "llama.log": LLAMA})
    done = opcheck("check", folder, *TARGET, "--fail-on", "dynamic-unknown,unknown,unsupported,cpu-fallback,host-path,aicpu", "-f", "json")
    alone = [opcheck("check", folder / name, *TARGET, "--fail-on", "dynamic-unknown,unknown,unsupported,cpu-fallback,host-path,aicpu").status
             for name in ("llama.log", "resnet50.log")]
    assert done.status == max(alone) and len(reports(done)) == 2
