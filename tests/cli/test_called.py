"""Where data types decide, they are part of a call's name: in reasons, causes, fixes, plans and drafts for vendors."""
import html
import re

import pytest

from test_types import FLOAT, trace, written

MUSA = "musa@v2.7.1"
COMPLEX64, COMPLEX128 = "c10::complex<float>", "c10::complex<double>"


@pytest.fixture
def dump(tmp_path):
    return written(tmp_path, trace(("aten::sum", [[4, 4]], [COMPLEX64]), ("aten::exp", [[4]], [COMPLEX128]), ("aten::relu", [[4]], [FLOAT])))


def test_a_call_that_a_type_stops_is_named_with_it(opcheck, dump):
    report = opcheck("check", dump, "-t", MUSA, "-f", "json").json
    verdicts = {op["name"]: op["verdicts"][MUSA] for op in report["operators"]}
    assert {name: (v["status"], v.get("dtypes")) for name, v in verdicts.items()} == {
        "aten::sum": ("unsupported", "complex64"), "aten::exp": ("unsupported", "complex128"), "aten::relu": ("native", None)}
    target, = report["targets"]
    assert re.search(r"aten::(sum \(complex64\)|exp \(complex128\)) \(data type limits\)$", target["reason"]["text"])
    texts = {c["id"]: c["text"] for c in report["causes"]}
    assert texts["op-unsupported/complex64"] == "aten::sum (complex64) does not run on musa@v2.7.1"
    assert texts["op-unsupported/complex128"] == "aten::exp (complex128) does not run on musa@v2.7.1"
    fixes = {f["what"]: (f["dtypes"], f["effort"]) for f in target["fixes"]}
    assert fixes == {"aten::sum": ("complex64", "avoid"), "aten::exp": ("complex128", "avoid")}
    assert {f["effort"] for f in report["findings"] if f["rule"] == "op-unsupported"} == {"avoid"}


def test_the_work_is_to_avoid_the_type_and_never_to_port_the_operator(opcheck, dump):
    pages = [opcheck(*arguments).text for arguments in (
        ("check", dump, "-t", MUSA, "-vv"), ("check", dump, "-t", MUSA, "-f", "html"), ("plan", dump, "-t", MUSA, "-f", "text"),
        ("plan", dump, "-t", MUSA, "-f", "md"))]
    for page in pages:
        assert "aten::sum (complex64)" in page and "avoid complex64" in page and "avoid complex128" in page
        assert "(port the operator)" not in page
    assert "避开 complex64" in opcheck("check", dump, "-t", MUSA, "-vv", "--lang", "zh-CN").text


def test_the_draft_for_the_vendor_names_the_type(opcheck, dump):
    page = html.unescape(opcheck("check", dump, "-t", MUSA, "-f", "html").text)
    drafts = re.findall(r"# (aten::\S+ ?\S*) ", page)
    assert "aten::exp (complex128)" in drafts and "aten::sum (complex64)" in drafts


def test_a_report_is_the_same_after_it_was_saved(opcheck, dump, tmp_path):
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck("check", dump, "-t", MUSA, "-f", "json").out)
    for form in ("text", "html", "md"):
        assert opcheck("convert", saved, "-f", form).out == opcheck("check", dump, "-t", MUSA, "-f", form).out
