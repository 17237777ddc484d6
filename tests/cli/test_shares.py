"""No share of anything is more than all of it, whatever the dump."""
import csv
import io
import json
import os
import pathlib
import re

import pytest

from conftest import FIXTURES, sampled

FOLDERS = [FIXTURES / "traces", FIXTURES / "torch-2.13", FIXTURES / "eras"]
if "OPCHECK_REFERENCE_DIR" in os.environ:
    FOLDERS += [pathlib.Path(os.environ["OPCHECK_REFERENCE_DIR"]) / "samples" / name for name in ("real-traces", "eras", "synthetic")]
NO_DUMPS = (".py", ".truth.json", "README.md", "index.json", "expected.json")


def shares_of(value, path=""):
    """Every number in a report that is a share: time_share and the ends of intervals."""
    if isinstance(value, dict):
        for key, inner in value.items():
            inside = re.search(r"\.(readiness|coverage|where)\b", path)
            if (key == "time_share" or (inside and key in ("lo", "hi"))) and isinstance(inner, (int, float)):
                yield path + "." + key, inner
            yield from shares_of(inner, path + "." + key)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from shares_of(inner, "%s[%d]" % (path, at))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_share_is_over_a_hundred_percent(opcheck, folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(NO_DUMPS))
    assert files
    for path in sampled(files):
        run = opcheck("check", path, "-f", "json")
        if run.status == 3:
            continue
        wrong = [(where, share) for where, share in shares_of(run.json) if not 0 <= share <= 1]
        assert wrong == [], path.name
        text = opcheck("check", path, "-vv").text
        assert [share for share in re.findall(r"([\d.]+) ?%", text) if float(share) > 100] == [], path.name


def test_each_microsecond_is_in_one_place_or_between_those_it_may_be_in(opcheck, tmp_path):
    """Integer keys are sorted on the AI CPU; a complex roll is refused."""
    events = []
    for number, (name, dims, types, us) in enumerate([
            ("aten::sort", [[64], [], []], ["long int", "Scalar", "Scalar"], 100),
            ("aten::relu", [[64]], ["float"], 300),
            ("aten::frexp", [[64]], ["float"], 50), ("aten::roll", [[64], [], []], ["c10::complex<float>", "ScalarList", "ScalarList"], 50)]):
        events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 1000 * number, "dur": us,
                       "args": {"Input Dims": dims, "Input type": types}})
    path = tmp_path / "places.json"
    path.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    done = opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "-f", "json")
    assert done.status == 0, done.err
    assert done.json["targets"][0]["where"] == {
        "aicore": {"lo": 0.6, "hi": 0.6}, "aicpu": {"lo": 0.2, "hi": 0.2}, "host": {"lo": 0.1, "hi": 0.1},
        "nowhere": {"lo": 0.1, "hi": 0.1}, "unknown": {"lo": 0, "hi": 0}}
    slow = [f["text"] for f in done.json["findings"] if f["rule"] == "op-aicpu"]
    assert slow == ["aten::sort runs on the AI CPU in every call on npu@v2.7.1-26.1.0:910B"]
    for form in ("text", "md", "html"):
        shown = " ".join(re.sub(r"<[^>]*>", " ", opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "-f", form).text).split())
        for place, share in (("AI Core", "60.0"), ("AI CPU", "20.0"), ("host CPU", "10.0"), ("stops", "10.0")):
            assert re.search(r"%s *%s %%" % (place, share), shown), (form, place)
        assert "stops 10.0 %, unknown" not in shown, form
    rows = {row["operator"]: row for row in csv.DictReader(io.StringIO(opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "-f", "csv").text))}
    assert (rows["aten::sort"]["aicpu"], rows["aten::relu"]["aicpu"]) == ("1.000000..1.000000", "0.000000..0.000000")
    assert {place: {float(end) for end in row["target_" + place].split("..")} for row in rows.values()
            for place in ("aicore", "aicpu", "host", "nowhere", "unknown")} == {
                "aicore": {0.6}, "aicpu": {0.2}, "host": {0.1}, "nowhere": {0.1}, "unknown": {0}}
    assert opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "--max-aicpu-time", "20%").status == 0
    assert opcheck("check", path, "-t", "npu@v2.7.1-26.1.0:910B", "--max-aicpu-time", "19%").status == 1
