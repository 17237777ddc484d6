"""Reports of an earlier program, which people keep: they convert, and they serve as baselines."""
import gzip
import json

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
