"""A page holds each thing once: addresses, tables of types, recipes, what rows open to. Bytes of known dumps are bounded."""
import re

import pytest

import page_data
from conftest import FIXTURES

LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
KB = 1000


@pytest.mark.parametrize("dump, most", [("ctc.c.trace.json.gz", 350), ("llama.c.trace.json.gz", 280)])
def test_pages_of_models_are_small(opcheck, whole_reference, dump, most):
    page = opcheck("check", whole_reference / "samples" / "torch-2.13" / dump, "-f", "html").out
    assert len(page) <= most * KB


@pytest.mark.parametrize("lang, most", [("en", 1600), ("all", 2500)])
def test_ten_thousand_operators_are_small(opcheck, tmp_path, lang, most):
    event = '{"ph": "X", "cat": "cpu_op", "name": "mine::op_%05d", "pid": 1, "tid": 1, "ts": %d, "dur": %d, "args": {"Input Dims": [[%d]]}}'
    dump, count = tmp_path / "many.json", 10000
    dump.write_text('{"traceEvents": [%s]}' % ",".join(event % (i, i * 50000, 2 * count - i, i + 1) for i in range(count)))
    page = opcheck("check", dump, "-f", "html", "--lang", lang).text
    assert len(page.encode()) <= most * KB and len(page_data.rows(page)) == count


def test_an_address_is_written_once_and_cited_by_its_number(opcheck):
    report = opcheck("check", LLAMA, "-t", "npu", "-t", "musa", "-f", "json").json
    page = opcheck("check", LLAMA, "-t", "npu", "-t", "musa", "-f", "html").text
    listed = re.findall(r'<li id="source-(\d+)"><a [^>]*>([^<]+)</a></li>', page)
    refs = {e["ref"] for op in report["operators"] for v in op["verdicts"].values() for e in v["evidence"] if e["ref"]}
    refs |= {e["ref"] for f in report["findings"] for e in f["evidence"] if e["ref"]}
    assert [int(number) for number, _ in listed] == list(range(1, len(refs) + 1)) and {ref for _, ref in listed} == refs
    numbers = dict((ref, number) for number, ref in listed)
    rows = page_data.rows(page)
    for op in report["operators"]:
        for verdict in op["verdicts"].values():
            assert all('<a href="#source-%s">[%s]</a>' % ((numbers[e["ref"]],) * 2) in rows[op["name"]] for e in verdict["evidence"] if e["ref"])
    drafts = re.sub(r"<pre><code>.*?</code></pre>", "", page, flags=re.S)
    assert all(len(re.findall(">%s<" % re.escape(ref), drafts)) == 1 and drafts.count('href="%s"' % ref) == 1 for ref in refs)


def test_a_row_opens_to_its_findings_and_their_recipe(opcheck):
    report = opcheck("check", LLAMA, "-t", "npu", "-t", "musa", "-f", "json").json
    rows = page_data.rows(opcheck("check", LLAMA, "-t", "npu", "-t", "musa", "-f", "html").text)
    found = [f for f in report["findings"] if f["operator"] in rows]
    assert found and all("<code>%s</code> %s" % (f["rule"], f["target"] or "") in rows[f["operator"]] for f in found)
    assert "(recipe isin, " in rows["aten::isin"]


def test_a_page_without_a_script_has_the_gravest_rows(opcheck):
    page = page_data.without(opcheck("check", LLAMA, "-t", "npu", "-f", "html").text)
    shown = re.findall(r'<td><span class="name">([^<]+)</span></td>', page)
    report = opcheck("check", LLAMA, "-t", "npu", "-f", "json").json
    grave = {f["operator"] for f in report["findings"] if f["severity"] != "note" and f["operator"]}
    assert len(shown) == 30 and grave and grave <= set(shown) and "%d operators in all" % len(report["operators"]) in page
