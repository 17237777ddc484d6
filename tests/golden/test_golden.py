"""What the commands print, held against the files beside this one.

OPCHECK_UPDATE_GOLDEN=1 writes the files anew; `git diff` then shows what changed for the reader. Pages are held without their style and
script, one element a line.
"""
import gzip
import os
import pathlib
import re

import pytest

from conftest import FIXTURES

HERE = pathlib.Path(__file__).resolve().parent / "expected"
UPDATE = os.environ.get("OPCHECK_UPDATE_GOLDEN") == "1"

RESNET = FIXTURES / "torch-2.13" / "resnet50.a.log"
LLAMA = FIXTURES / "torch-2.13" / "llama.a-full.log"
CTC = FIXTURES / "eras" / "2.9-overload.log"
OLD = FIXTURES / "eras" / "1.5-npu.log"
CUT = FIXTURES / "torch-1.13" / "transformer.a.log"
WHOLE = FIXTURES / "torch-1.13" / "resnet18.a-full.log"
TRACE = FIXTURES / "traces" / "lastbatch.c-broken.trace.json.gz"
MODULES = FIXTURES / "traces" / "lastbatch.c.trace.json.gz"
DEVICE = FIXTURES / "device" / "run_ascend_pt"
COLLECTIVE = FIXTURES / "traces" / "collective.trace.json"
TARGETS = ["-t", "npu@v2.7.1-26.0.0", "-t", "musa@v2.7.1"]
POLICY = ["--fail-on", "unsupported", "--waivers", FIXTURES / "waivers.txt", "--date", "2026-11-21", "--max-blocked-time", "2.5%",
          "--min-coverage", "90%", "--fail-on-expired-waiver"]
NPU = ["-t", "npu@v2.7.1-26.0.0"]
MODULE_ARGS = ["check", MODULES, "-t", "npu@v2.0.1-5.0.0", "--assume", "aten::convolution=unsupported", "--assume",
               "aten::mm=cpu-fallback", "--assume", "aten::neg=cpu-fallback"]

# the file with the output, the exit status, the arguments
CASES = [
    ("check-resnet50.txt", 0, ["check", RESNET, *TARGETS, "-f", "text"]),
    ("check-resnet50.zh.txt", 0, ["check", RESNET, *TARGETS, "--lang", "zh-CN", "-f", "text"]),
    ("check-cut.txt", 0, ["check", CUT, *TARGETS, "-v", "-f", "text"]),
    ("check-overloads.txt", 1, ["check", CTC, *TARGETS, "--fail-on", "unsupported,cpu-fallback", "-f", "text"]),
    ("check-waived.txt", 1, ["check", CTC, *TARGETS, *POLICY, "-f", "text"]),
    ("check-waived.zh.txt", 1, ["check", CTC, *TARGETS, *POLICY, "--lang", "zh-CN", "-f", "text"]),
    ("diff.txt", 1, ["diff", CTC, WHOLE, *TARGETS, "--fail-on", "new,worse,time", "-f", "text"]),
    ("diff-unseen.txt", 3, ["diff", CTC, CUT, *TARGETS, "--fail-on", "new,worse,time", "-f", "text"]),
    ("diff.zh.txt", 0, ["diff", CTC, CUT, *TARGETS, "--lang", "zh-CN", "-f", "text"]),
    ("diff.md", 0, ["diff", CTC, WHOLE, "-t", "npu@v2.7.1-26.0.0", "-f", "md"]),
    ("help-gate.txt", 0, ["help", "gate"]),
    ("check-old.json", 0, ["check", OLD, "-t", "npu@v2.1.0-6.0.0", "-f", "json"]),
    ("check-old.csv", 0, ["check", OLD, "-t", "npu@v2.1.0-6.0.0", "-f", "csv"]),
    ("check-waived.sarif", 1, ["check", CTC, *TARGETS, *POLICY, "-f", "sarif"]),
    ("check-waived.junit.xml", 1, ["check", CTC, *TARGETS, *POLICY, "-f", "junit"]),
    ("check-old.html", 0, ["check", OLD, "-t", "npu@v2.1.0-6.0.0", "-f", "html"]),
    ("check-waived.html", 1, ["check", CTC, *TARGETS, *POLICY, "-f", "html"]),
    ("check-waived.md", 1, ["check", CTC, *TARGETS, *POLICY, "-f", "md"]),
    ("check-modules.md", 0, [*MODULE_ARGS, "-f", "md", "-v"]),
    ("check-trace.zh.md", 0, ["check", TRACE, *TARGETS, "-f", "md", "--lang", "zh-CN"]),
    ("check-trace.html", 0, ["check", TRACE, *TARGETS, "-f", "html"]),
    ("check-trace.zh.html", 0, ["check", TRACE, *TARGETS, "-f", "html", "--lang", "zh-CN"]),
    ("check-modules.txt", 0, [*MODULE_ARGS, "-v", "-f", "text"]),
    ("check-modules.html", 0, [*MODULE_ARGS, "-f", "html"]),
    ("check-modules.zh.html", 0, [*MODULE_ARGS, "-f", "html", "--lang", "zh-CN"]),
    ("check-collective.txt", 0, ["check", COLLECTIVE, *NPU, "-f", "text"]),
    ("check-collective.html", 0, ["check", COLLECTIVE, *NPU, "-f", "html"]),
    ("check-device.txt", 0, ["check", DEVICE, *NPU, "-f", "text"]),
    ("check-device.html", 0, ["check", DEVICE, *NPU, "-f", "html"]),
    ("compare.txt", 0, ["compare", CTC, DEVICE, "-f", "text"]),
    ("compare.zh.txt", 0, ["compare", CTC, DEVICE, "-v", "--lang", "zh-CN"]),
    ("compare.html", 0, ["compare", CTC, DEVICE, "-f", "html"]),
    ("compare.zh.html", 0, ["compare", CTC, DEVICE, "-f", "html", "--lang", "zh-CN"]),
    ("diff.html", 0, ["diff", CTC, CUT, *NPU, "-f", "html"]),
    ("diff.zh.html", 0, ["diff", CTC, CUT, *NPU, "-f", "html", "--lang", "zh-CN"]),
    ("advise.html", 0, ["advise", CTC, "-f", "html", "--from", "npu@v2.1.0-6.0.0"]),
    ("advise.zh.html", 0, ["advise", CTC, "-f", "html", "--lang", "zh-CN"]),
    ("db-diff.txt", 0, ["db", "diff", "npu@v2.7.1-7.3.0", "npu@v2.7.1-26.0.0"]),
    ("db-diff.md", 0, ["db", "diff", "npu@v2.7.1-7.3.0", "npu@v2.7.1-26.0.0", "-f", "md"]),
    ("check-trace.txt", 0, ["check", TRACE, *TARGETS, "-f", "text"]),
    ("check-trace.zh.txt", 0, ["check", TRACE, *TARGETS, "--lang", "zh-CN", "-f", "text"]),
    *[("earlier-%s.%s" % (name, suffix), 0, ["convert", FIXTURES / "earlier" / (name + ".json.gz"), "-f", format])
      for name in ("plain", "policy", "trace") for suffix, format in (("txt", "text"), ("csv.gz", "csv"))],
    ("op-isin.txt", 0, ["op", "aten::isin", "-t", "npu@v2.7.1-26.0.0", "-t", "musa@v2.7.1"]),
    ("op-isin.json", 0, ["op", "aten::isin", "-t", "npu@v2.7.1-26.0.0", "-f", "json"]),
    ("advise.txt", 0, ["advise", LLAMA, "--from", "npu@v2.1.0-6.0.0", "-f", "text"]),
    ("advise.zh.txt", 0, ["advise", LLAMA, "--lang", "zh-CN", "-f", "text"]),
    ("advise.md", 0, ["advise", LLAMA, "-f", "md", "--assume", "isin=native"]),
    ("buckets.txt", 0, ["buckets", LLAMA]),
    ("buckets.zh.txt", 0, ["buckets", LLAMA, "--lang", "zh-CN", "-v"]),
    ("buckets.csv", 0, ["buckets", LLAMA, "-f", "csv"]),
    ("issue-draft.md", 0, ["op", "aten::logit", "-t", "npu@v2.2.0-6.0.rc1", "--issue-draft"]),
    ("targets.txt", 0, ["targets"]),
    ("explain.txt", 0, ["explain", "op-cpu-fallback"]),
    ("explain-error.txt", 0, ["explain", "OPC-3005", "--lang", "en"]),
    ("snippet-1.13.py", 0, ["snippet", "--torch", "1.13"]),
    ("snippet-2.7.py", 0, ["snippet", "--torch", "2.7"]),
    ("help.txt", 0, ["--help"]),
    ("help-check.txt", 0, ["check", "--help"]),
]
# The same from the folder of the tests, whose paths commands name.
PLAN = ["plan", "fixtures/eras/2.9-overload.log", "scan/scripts/imagenet.py", "-t", "musa@v2.7.1"]
PLANS = [
    ("plan.txt", 0, [*PLAN, "-f", "text"]),
    ("plan.zh.txt", 0, [*PLAN, "--lang", "zh-CN", "-f", "text"]),
    ("plan-effort.txt", 0, [*PLAN, "--effort", "fixtures/days.tsv", "-f", "text"]),
    ("plan-npu.md", 0, ["plan", "fixtures/torch-2.13/resnet50.a.log", "scan/scripts/imagenet.py", *NPU, "-f", "md"]),
]
ERRORS = [
    ("error-target.txt", 2, ["check", RESNET, "-t", "npu@9.9"]),
    ("error-option.txt", 2, ["check", RESNET, "--targt", "npu"]),
    ("error-no-table.txt", 3, ["check", FIXTURES / "eras" / "make_eras.py"]),
]
# the file with the page, its address
PAGES = [
    ("page-home.html", "/"),
    ("page-targets.zh.html", "/targets?lang=zh-CN"),
    ("page-operators.html", "/operators?q=isin"),
    ("page-operator.html", "/operators/aten::isin?target=npu@v2.7.1-26.0.0"),
    ("page-help.html", "/help?lang=en"),
    ("page-problem.zh.html", "/problems/OPC-3005?lang=zh-CN"),
    ("page-compare.html", "/compare"),
]


def stored(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def store(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def lines_of_page(content):
    """Line feeds between elements mean nothing."""
    content = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", content, flags=re.DOTALL)
    content = re.sub(r"'sha256-[^']*'", "'sha256-'", content)
    content = re.sub(r"\?v=[0-9a-f]{16}\"", '?v="', content)
    return re.sub(r">\n*<", ">\n<", content)


@pytest.fixture
def build(opcheck):
    """The digest of the database, which changes with every fact."""
    return re.search(r"^sha256 +([0-9a-f]{64}) ", opcheck("db", "info").text, re.MULTILINE).group(1)


def hold(name, content, build):
    path = HERE / name
    content = content.replace(build.encode(), b"0" * 64).replace(build[:12].encode(), b"0" * 12)
    if path.suffix == ".html":
        content = lines_of_page(content.decode()).encode()
    if UPDATE:
        store(path, content)
    assert path.exists(), "no golden file; OPCHECK_UPDATE_GOLDEN=1 writes it"
    assert content.decode() == stored(path).decode()


@pytest.mark.parametrize("name, status, args", CASES, ids=[c[0] for c in CASES])
def test_output_is_as_kept(opcheck, build, name, status, args):
    done = opcheck(*args, env={"COLUMNS": "80"})
    assert done.status == status, done.err
    hold(name, done.out, build)


@pytest.mark.parametrize("name, status, args", PLANS, ids=[c[0] for c in PLANS])
def test_plan_is_as_kept(opcheck, build, name, status, args):
    done = opcheck(*args, env={"COLUMNS": "80"}, cwd=FIXTURES.parent)
    if "without the grammar" in done.err:
        pytest.skip("opcheck was built without the grammar of Python")
    assert done.status == status, done.err
    hold(name, done.out, build)


@pytest.mark.parametrize("name, status, args", ERRORS, ids=[c[0] for c in ERRORS])
def test_error_is_as_kept(opcheck, build, name, status, args):
    done = opcheck(*args)
    assert (done.status, done.out) == (status, b"")
    hold(name, done.err.replace(str(FIXTURES), "FIXTURES").encode(), build)


@pytest.mark.parametrize("name, address", PAGES, ids=[p[0] for p in PAGES])
def test_page_is_as_kept(service, build, name, address):
    reply = service.api.get(address, headers={"Accept-Language": "en"})
    assert reply.status_code == 200
    hold(name, reply.content.replace(service.api.url.split("//")[1].encode(), b"HOST"), build)


def test_no_golden_file_is_left_over():
    assert {p.name for p in HERE.iterdir()} == {c[0] for c in CASES + PLANS + ERRORS + PAGES}
