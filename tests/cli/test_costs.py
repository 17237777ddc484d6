"""What a report says of costs follows from what it says elsewhere, from the truth beside a dump, or from another run."""
import json
import re

import pytest

from conftest import FIXTURES

LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
LASTBATCH = FIXTURES / "torch-2.13" / "lastbatch.a-full.log"
OLD = FIXTURES / "eras" / "1.5-npu.log"


def report(opcheck, dump, *args):
    done = opcheck("check", dump, "-f", "json", *args)
    assert done.status == 0, done.err
    return done.json


def readiness(target):
    return target["readiness"]["time"], target["coverage"]["time"]


@pytest.mark.parametrize("dump", [LLAMA, FIXTURES / "traces" / "lastbatch.c.trace.json.gz"], ids=["table", "trace"])
@pytest.mark.parametrize("target", ["npu@v1.11.0-3.0.0", "npu@v2.0.0-5.0.rc2", "musa@v1.0.0", "npu@2.1.0"])
def test_each_step_to_ready_is_what_trying_it_gives(opcheck, dump, target):
    """--assume and another target show what a step of the way says."""
    found = report(opcheck, dump, "-t", target)["targets"][0]
    if dump != LLAMA and not found["fixes"]:
        return
    assert found["fixes"]
    assumed, where = [], target
    before = found["coverage"]["time"]["lo"]
    for step in found["fixes"]:
        if step["kind"] == "release":
            where = step["what"]
        elif step["kind"] == "replace":
            assumed += ["--assume", step["what"] + "=native"]
        else:
            break
        tried = report(opcheck, dump, "-t", where, *assumed)["targets"][0]
        assert readiness(tried) == (step["readiness"], step["coverage"]), step
        assert step["blockers"] == sum(tried["counts"].get(s, 0) for s in ("unsupported", "needs-package"))
        assert step["blockers"] or step["coverage"]["lo"] >= before
        before = step["coverage"]["lo"]
    if not found["fixes_left"]:
        assert found["fixes"][-1]["readiness"] == {"lo": 1, "hi": 1}


def test_a_ready_target_needs_nothing(opcheck):
    found = report(opcheck, LASTBATCH, "-t", "musa", "--dtype", "fp32")["targets"][0]
    assert found["readiness"]["time"]["lo"] == 1 and found["fixes"] == [] and "fallback_cost" not in found


def elements(shapes):
    """Sizes of the tensors of one call, those without dimensions left out."""
    sizes = []
    for shape in shapes:
        if shape and isinstance(shape[0], list):
            sizes += elements(shape)
        elif shape:
            size = 1
            for dim in shape:
                size *= dim
            sizes.append(size)
    return sizes


def test_bytes_are_those_of_the_truth(opcheck):
    found = report(opcheck, LLAMA, "-t", "npu", "--assume", "aten::_assert_async=native", "--assume", "mm=cpu-fallback")
    truth = json.loads((FIXTURES / "torch-2.13" / "llama.truth.json").read_text(encoding="utf-8"))
    calls = out = back = 0
    for step in truth["steps"]:
        for row in step:
            if row[0] == "aten::mm":
                calls += row[2]
                out += 4 * sum(elements(row[1])) * row[2]
                back += 4 * max(elements(row[1])) * row[2]
    cost = found["targets"][0]["fallback_cost"]
    assert (cost["calls"], cost["bytes_to_host"], cost["bytes_to_device"]) == (calls, out, back)
    assert cost["assumed_bytes"] == out and cost["unsized_calls"] == 0
    assert cost["copy_us"] == pytest.approx((out + back) / 12e3, rel=1e-5)
    mm = next(o for o in found["operators"] if o["name"] == "aten::mm")
    assert cost["host_us"] == max(mm["cpu_total_us"], mm["self_cpu_us"])
    assert found["cost"]["steps"] == len(truth["steps"])
    total = sum(o["self_cpu_us"] for o in found["operators"])
    assert found["cost"]["step_us"] == pytest.approx(total / len(truth["steps"]), abs=0.01)
    lo, hi = (cost["crossings_per_step"][k] for k in ("lo", "hi"))
    assert not cost["crossings_per_step"]["ordered"] and lo == 1 and hi == -(-calls // len(truth["steps"]))


def test_bandwidth_and_speed_are_taken_as_given(opcheck):
    args = ("-t", "npu", "--assume", "mm=cpu-fallback")
    plain, other = (report(opcheck, LLAMA, *args, *more)["targets"][0]["fallback_cost"] for more in
                    ((), ("--host-bandwidth", "6GB/s", "--host-slowdown", "2.5")))
    assert other["copy_us"] == pytest.approx(2 * plain["copy_us"], abs=0.005)
    assert other["host_us"] == pytest.approx(2.5 * plain["host_us"], abs=0.005)
    for wrong in (("--host-bandwidth", "12"), ("--host-bandwidth", "fast"), ("--host-slowdown", "0"), ("--host-slowdown", "-1")):
        done = opcheck("check", LLAMA, *wrong)
        assert done.status == 2 and done.out == b""


def test_compiles_are_the_shapes_of_what_compiles(opcheck):
    target = "npu@2.1.0:910A"
    found = report(opcheck, LASTBATCH, "-t", target)
    compiling = found["targets"][0]["compiling"]
    ops = [o for o in found["operators"] for v in o["verdicts"].values()
           if v["status"] == "native-jit" or "jit-compile" in v["flags"]]
    assert compiling["mode"] == "chip" and compiling["operators"] == len(ops) > 0
    assert compiling["compiles"] == sum(o["shape_count"] for o in ops)
    first = sum(s["steps"][0][0] == 1 for o in ops for s in o["shapes"])
    assert compiling["first_step"] == first < compiling["compiles"]
    assert compiling["stall_s"] == {"lo": compiling["compiles"] * compiling["assumed_s"]["lo"],
                                    "hi": compiling["compiles"] * compiling["assumed_s"]["hi"]}
    assert all(s.startswith("https://") for s in compiling["assumed_s"]["sources"])
    assert "compiling" not in report(opcheck, LASTBATCH, "-t", "musa")["targets"][0]


def test_graphs_are_the_different_steps_of_the_truth(opcheck):
    truth = json.loads((FIXTURES / "torch-2.13" / "lastbatch.truth.json").read_text(encoding="utf-8"))["steps"]
    steps = {json.dumps(sorted((r[0], r[1]) for r in step if r[0].startswith("aten::"))) for step in truth}
    assert report(opcheck, LASTBATCH)["cost"]["graphs"] == len(steps) > 1


def test_a_dump_of_a_device_does_not_tell_the_time_on_a_cpu(opcheck):
    found = report(opcheck, FIXTURES / "eras" / "2.6-cuda.log", "-t", "npu")
    name = found["operators"][0]["name"]
    assert found["basis"] == "self_device_time"
    cost = report(opcheck, FIXTURES / "eras" / "2.6-cuda.log", "-t", "npu", "--assume", name + "=cpu-fallback")
    cost = cost["targets"][0]["fallback_cost"]
    assert not cost["host_known"] and cost["host_us"] == 0


def test_every_form_has_the_costs_in_both_languages(opcheck, tmp_path):
    args = ("check", LLAMA, "-t", "npu@2.1.0:910A", "-t", "musa@v1.2.1", "--assume", "mm=cpu-fallback", "--host-bandwidth", "3GB/s")
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck(*args, "-f", "json").out)
    for lang, words in (("en", ("Fastest path to ready", "CPU fallback cost", "Compilation per shape", "3 GB/s")),
                        ("zh-CN", ("最短迁移路径", "CPU 回退开销", "按 shape 编译", "3 GB/s"))):
        for form in ("text", "html"):
            direct = opcheck(*args, "-f", form, "--lang", lang)
            assert all(word in " ".join(direct.text.split()) for word in words), (lang, form)
            assert opcheck("convert", saved, "-f", form, "--lang", lang).out == direct.out
    page = opcheck("convert", saved, "-f", "html").text
    points = re.findall(r'<polyline class="(?:device|all)" points="([^"]+)"', page)
    targets = json.loads(saved.read_text(encoding="utf-8"))["targets"]
    assert [len(p.split()) for p in points] == [len(t["fixes"]) + 1 for t in targets if t["fixes"] for _ in "12"]
    for line in points:
        heights = [int(p.split(",")[1]) for p in line.split()]
        assert all(6 <= h <= 114 for h in heights)


def test_reports_without_costs_are_still_read(opcheck, tmp_path):
    """As earlier versions wrote them."""
    old = report(opcheck, OLD, "-t", "npu@v2.1.0-6.0.0")
    for key in ("cost", "modules", "modules_by", "calls_placed_nowhere"):
        old.pop(key, None)
    for target in old["targets"]:
        for key in ("fixes", "fixes_left", "compiling", "fallback_cost"):
            target.pop(key, None)
    saved = tmp_path / "old.json"
    saved.write_text(json.dumps(old), encoding="utf-8")
    for form in ("text", "html", "csv", "json"):
        assert opcheck("convert", saved, "-f", form).status == 0, form


def test_modules_are_a_tree_of_what_they_hold(opcheck, tmp_path):
    """Of a real trace with modules: a parent before its children and not less than they, and no more than all there is."""
    args = ("check", FIXTURES / "traces" / "lastbatch.c.trace.json.gz", "-t", "npu", "--assume", "mkldnn_convolution=unsupported",
            "--assume", "aten::convolution=unsupported")
    found = opcheck(*args, "-f", "json").json
    target = found["targets"][0]["id"]
    assert found["modules_by"] == "module" and found["calls_placed_nowhere"] == 0
    open_places, held = [], {}
    for place in found["modules"]:
        del open_places[place["depth"]:]
        assert len(open_places) == place["depth"]
        around = "/".join(place["path"].split("/")[:-1])
        if open_places:
            assert open_places[-1]["path"] == around and place["calls"] <= open_places[-1]["calls"]
            held[around] = held.get(around, 0) + place["time_share"]
        open_places.append(place)
        here = place["targets"][target]
        rest = sum(here[k] for k in ("fallback", "blocked", "unknown"))
        assert here["device"]["lo"] <= here["device"]["hi"] <= place["time_share"] + 2e-6
        assert here["device"]["lo"] + rest <= place["time_share"] + 4e-6
    shares = {p["path"]: p["time_share"] for p in found["modules"]}
    assert all(share <= shares[path] + 1e-5 for path, share in held.items())
    assert sum(p["time_share"] for p in found["modules"] if p["depth"] == 0) <= 1
    blocked = {p["path"] for p in found["modules"] if p["targets"][target]["blockers"]}
    assert blocked and all("Conv2d" in p or any(b.startswith(p + "/") and "Conv2d" in b for b in blocked) for p in blocked)
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck(*args, "-f", "json").out)
    named = ['<span class="name">%s</span>' % place["path"].split("/")[-1] for place in found["modules"]]
    for form, words in (("text", ("By module", "/Conv2d_")), ("html", ['<details class="place" open>'] + named)):
        direct = opcheck(*args, "-f", form)
        assert all(word in direct.text for word in words)
        assert opcheck("convert", saved, "-f", form).out == direct.out
