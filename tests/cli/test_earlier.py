"""Reports and settings of an earlier program, which people keep: reports convert and serve as baselines, settings hold."""
import gzip
import json
import os

import pytest

from conftest import FIXTURES

REPORTS = ("plain", "trace", "policy")
LATER = {"status": "slow-motion", "verdict": "hopeful", "severity": "fatal", "kind": "wavy", "gate": "ajar", "where": "beyond"}


def earlier(name):
    return gzip.decompress((FIXTURES / "earlier" / (name + ".json.gz")).read_bytes())


def assert_holds(new, old, path=""):
    """Everything of the old value is in the new one; new keys are free."""
    if isinstance(old, dict):
        for key in old:
            assert key in new, path + "/" + key
            assert_holds(new[key], old[key], path + "/" + key)
    elif isinstance(old, list):
        assert len(new) == len(old), path
        for index, (a, b) in enumerate(zip(new, old)):
            assert_holds(a, b, "%s/%d" % (path, index))
    elif not path.endswith("/text"):
        assert new == old, path


@pytest.mark.parametrize("name", REPORTS)
def test_converting_keeps_every_value(opcheck, name):
    run = opcheck("convert", FIXTURES / "earlier" / (name + ".json.gz"), "-f", "json")
    assert run.status == 0, run.err
    assert_holds(run.json, json.loads(earlier(name)))


def test_an_earlier_report_is_a_baseline(opcheck):
    dump = FIXTURES / "torch-2.13" / "llama.a-full.log"
    base = FIXTURES / "earlier" / "plain.json.gz"
    known = {f["fingerprint"] for f in json.loads(earlier("plain"))["findings"]}
    run = opcheck("check", dump, "-t", "npu@v2.7.1-26.0.0", "--baseline", base, "-f", "json")
    assert run.status == 0, run.err
    ages = {f["fingerprint"]: f["age"] for f in run.json["findings"]}
    assert ages == {name: "known" if name in known else "new" for name in ages}
    assert "known" in ages.values()


def with_later_words(value):
    if isinstance(value, dict):
        return {k: LATER[k] if k in LATER and isinstance(v, str) else with_later_words(v) for k, v in value.items()}
    return [with_later_words(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("format", ["text", "json", "html", "csv"])
def test_words_of_a_later_program_are_no_error(opcheck, tmp_path, name, format):
    path = tmp_path / "later.json"
    path.write_text(json.dumps(with_later_words(json.loads(earlier(name)))), encoding="utf-8")
    run = opcheck("convert", path, "-f", format)
    assert run.status in (0, 1), run.err
    assert run.out


def values(path):
    """Each setting of a file with its values."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if " = " in line:
            name, value = line.split(" = ")
            found.setdefault(name, []).append(value)
    return found


def test_every_setting_of_an_earlier_file_holds(opcheck, tmp_path):
    folder = FIXTURES / "earlier"
    env = {"OPCHECK_CONFIG": str(folder / "opcheck.conf")}
    assert opcheck("config", "check", env=env).status == 0
    shown = {}
    for one in opcheck("config", "show", "-f", "json", env=env).json["settings"]:
        if "opcheck.conf:" in one["origin"]:
            shown.setdefault(one["name"], []).append(one["value"])
    given, of_the_service = values(folder / "opcheck.conf"), values(folder / "opcheckd.conf")
    assert len(given) == 58 and of_the_service.keys() - given.keys() == {"listen", "insecure"}
    assert given.keys() - shown.keys() == {"window-events", "pack-bytes", "upload-bytes", "upload-seconds", "connections", "connection-bytes", "connection-seconds",
                                           "stop-seconds"}  # accepted without an effect, and those of the service
    for name in ("overlay", "waivers", "baseline"):
        assert [os.path.normpath(path) for path in shown.pop(name)] == [os.path.normpath(folder / path) for path in given[name]]
    assert shown == {name: given[name] for name in shown}
    done = opcheck("check", FIXTURES / "torch-2.13" / "llama.a-full.log", env=env)
    assert done.status == 1, done.err
    assert [one["id"].split("@")[0] for one in done.json["targets"]] == ["npu", "musa"] and done.json["db"]["overlays"][0]["name"] == "site.tsv"
    assert {finding["age"] for finding in done.json["findings"]} == {"new", "known"}
