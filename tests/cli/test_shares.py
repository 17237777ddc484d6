"""No share of anything is more than all of it, whatever the dump."""
import os
import pathlib
import re

import pytest

from conftest import FIXTURES

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
    for path in files:
        run = opcheck("check", path, "-f", "json")
        if run.status == 3:
            continue
        wrong = [(where, share) for where, share in shares_of(run.json) if not 0 <= share <= 1]
        assert wrong == [], path.name
        text = opcheck("check", path).text
        assert [share for share in re.findall(r"([\d.]+) ?%", text) if float(share) > 100] == [], path.name
