"""Reports: what they say, that every format says the same, and that nothing in a dump can do harm through them."""
import csv
import html.parser
import io
import json
import re
import unicodedata

import jsonschema
import pytest

from conftest import FIXTURES, ROOT, sampled

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
TARGETS = ("-t", "npu@2.1.0", "-t", "musa@v1.3.0")
FORMATS = ("text", "json", "html", "csv")


@pytest.fixture(scope="module")
def schema():
    text = json.loads((ROOT / "schema" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(text)
    return jsonschema.Draft202012Validator(text)


def logs():
    return sampled(sorted(path.relative_to(FIXTURES).as_posix() for path in FIXTURES.rglob("*.log")))


@pytest.mark.parametrize("log", logs())
def test_the_json_report_keeps_its_schema(opcheck, schema, log):
    report = opcheck("check", FIXTURES / log, *TARGETS, "-f", "json").json
    schema.validate(report)
    assert [t["id"] for t in report["targets"]] == ["npu@v2.1.0-7.2.0", "musa@v1.3.0"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("lang", ("en", "zh-CN"))
def test_convert_gives_the_bytes_of_the_direct_run(opcheck, tmp_path, format, lang):
    saved = tmp_path / "report.json"
    saved.write_bytes(opcheck("check", DUMP, *TARGETS, "-f", "json").out)
    direct = opcheck("check", DUMP, *TARGETS, "-f", format, "--lang", lang)
    assert direct.status == 0 and direct.out
    assert opcheck("convert", saved, "-f", format, "--lang", lang).out == direct.out


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_input_gives_the_same_bytes(opcheck, format):
    assert opcheck("check", DUMP, "-f", format).out == opcheck("check", DUMP, "-f", format).out


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in line)


@pytest.mark.parametrize("lang", ("en", "zh-CN"))
@pytest.mark.parametrize("log", logs())
def test_the_text_report_fits_eighty_columns(opcheck, lang, log):
    """But for addresses and code, which stay whole."""
    code = {line.strip() for path in (ROOT / "opdb" / "recipes").glob("*.py") for line in path.read_text(encoding="utf-8").split("\n")}
    text = opcheck("check", FIXTURES / log, *TARGETS, "--lang", lang, "-f", "text", "-v").text
    assert [line for line in text.split("\n") if columns(line) > 80 and " " in line.strip() and line.strip() not in code] == []


def test_colour_is_for_a_screen_and_never_in_a_file(opcheck, tmp_path):
    file = tmp_path / "r.txt"
    assert b"\x1b[" in opcheck("check", DUMP, *TARGETS, "--color", "always").out
    assert opcheck("check", DUMP, *TARGETS, "--color", "always", "-o", file).status == 0
    assert file.stat().st_size and b"\x1b" not in file.read_bytes()


def test_every_operator_is_in_the_json_and_unknown_is_never_certain(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    truth = json.loads((FIXTURES / "torch-2.13" / "llama.truth.json").read_text(encoding="utf-8"))
    want = {row[0] for step in truth["steps"] for row in step if "::" in row[0] and not row[0].startswith("autograd::")}
    assert {o["name"] for o in report["operators"]} == want
    calls = {o["name"]: o["calls"] for o in report["operators"]}
    assert calls == {name: truth["ops"][name]["calls"] for name in want}
    for target in report["targets"]:
        for interval in list(target["readiness"].values()) + list(target["coverage"].values()):
            assert 0 <= interval["lo"] <= interval["hi"] <= 1
        certain = sum(o["time_share"] for o in report["operators"]
                      if o["verdicts"][target["id"]]["status"] in ("native", "native-jit", "composite", "equivalent")
                      and not o["verdicts"][target["id"]]["conditions"])
        assert target["readiness"]["time"]["lo"] == pytest.approx(certain, abs=1e-4)
        assert sum(target["counts"].values()) == len(report["operators"])


def test_the_csv_has_a_row_for_each_operator_and_target(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    rows = list(csv.DictReader(io.StringIO(opcheck("check", DUMP, *TARGETS, "-f", "csv").text, newline="")))
    want = {(o["name"], t, v["status"]) for o in report["operators"] for t, v in o["verdicts"].items()}
    assert {(r["operator"], r["target"], r["status"]) for r in rows} == want
    assert len(rows) == 2 * len(report["operators"])


# --- shapes that change, row limits, no times

def table(rows, header=None, footer="Self CPU time total: 12.345ms"):
    header = header or ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls", "Input Shapes"]
    widths = [max(len(str(line[i])) for line in [header] + rows) + 2 for i in range(len(header))]
    widths[0] = max(widths[0], 12)
    dashes = "".join("-" * w + "  " for w in widths) + "\n"
    line = lambda cells: "".join(str(c).rjust(w) + "  " for c, w in zip(cells, widths)) + "\n"
    return dashes + line(header) + dashes + "".join(map(line, rows)) + dashes + footer + "\n\n"


def row(name, shapes="[]", us=100.0, calls=1):
    return [name, "1.00%", "%.3fus" % us, "1.00%", "%.3fus" % us, "%.3fus" % us, calls, shapes]


def check(opcheck, tmp_path, text, *args):
    path = tmp_path / "profiler.log"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return opcheck("check", path, *(args or ("-t", "npu", "-f", "json")))


def test_one_step_printed_in_two_orders_counts_once(opcheck, tmp_path):
    rows = [row("aten::op%d" % i, us=100 + i * 1.234) for i in range(6)]
    report = check(opcheck, tmp_path, table(rows) + table(rows[::-1])).json
    assert report["inputs"][0]["steps"] == 1
    assert {o["calls"] for o in report["operators"]} == {1}
    assert "capture-views" in [w["rule"] for w in report["inputs"][0]["capture"]["warnings"]]


def test_equal_totals_with_different_rows_are_two_steps(opcheck, tmp_path):
    first, second = [row("aten::add", us=100.5)], [row("aten::add", us=101.5)]
    assert check(opcheck, tmp_path, table(first) + table(second)).json["inputs"][0]["steps"] == 2


def test_a_dump_without_times_weighs_by_calls_and_says_so(opcheck, tmp_path):
    header = ["Name", "CPU time", "CUDA time", "Calls", "CPU total", "CUDA total"]
    rows = [["conv2d", "1.000us", "0.000us", 3, "3.000us", "0.000us"], ["add", "1.000us", "0.000us", 1, "1.000us", "0.000us"]]
    report = check(opcheck, tmp_path, table(rows, header)).json
    assert report["basis"] == "calls"
    assert {o["name"]: o["time_share"] for o in report["operators"]} == {"aten::conv2d": 0.75, "aten::add": 0.25}
    assert "capture-no-times" in [w["rule"] for w in report["inputs"][0]["capture"]["warnings"]]


def test_a_cut_name_is_completed_where_only_one_operator_begins_so(opcheck, tmp_path):
    name = "aten::_scaled_dot_product_efficient_attention_backward"
    report = check(opcheck, tmp_path, table([row(name[:52] + "..."), row("aten::scaled_dot_product_attention")])).json
    assert name in [o["name"] for o in report["operators"]]
    assert report["inputs"][0]["capture"]["truncated_names"] == 1


def test_a_cut_name_with_several_ends_is_unknown_or_common_to_all(opcheck, tmp_path):
    report = check(opcheck, tmp_path, table([row("aten::_scaled_dot_product_fused_attention_overrideabl...")])).json
    (operator,) = report["operators"]
    assert operator["name"].endswith("...")
    (verdict,) = operator["verdicts"].values()
    assert verdict["status"] in ("unknown", "unsupported", "equivalent") and "inferred" in verdict["flags"]


def test_device_time_is_the_basis_where_there_is_some(opcheck, tmp_path):
    text = (FIXTURES / "eras" / "2.6-cuda.log").read_text(encoding="utf-8")
    assert check(opcheck, tmp_path, text).json["basis"] == "self_device_time"


def test_everything_recorded_stands_somewhere(opcheck, tmp_path):
    names = ["aten::add", "AddBackward0", "autograd::engine::evaluate_function: AddBackward0", "ProfilerStep#3", "my label",
             "Optimizer.step#SGD.step", "cudaLaunchKernel", "Memcpy HtoD (Pageable -> Device)", "nccl:all_reduce", "[memory]",
             "void at::native::vectorized_elementwise_kernel<4>(int)", "nn.Module: Linear_0", "unknown", "detach",
             "Torch-Compiled Region: 0/0", "rpc_async#aten::mul(w1 -> w2)", "<forward op>"]
    report = check(opcheck, tmp_path, table([row(n, us=100 + i) for i, n in enumerate(names)])).json
    classes = {i["name"]: i["class"] for i in report["ignored"]}
    assert [o["name"] for o in report["operators"]] == ["aten::add"]
    assert sorted(classes) == sorted(names[1:])
    assert classes == dict(zip(names[1:], [
        "autograd", "engine", "step", "label", "optimizer", "runtime", "memory", "collective", "memory", "kernel", "python-frame",
        "unknown-name", "bookkeeping", "compile", "remote", "torchscript"]))


# --- hostile names

HOSTILE = ["<script>alert(1)</script>", "\x1b[31mred\x1b[0m \x07bell", "=cmd|' /C calc'!A0", "@SUM(1+1)", "+1", "-2+3",
           "'; DROP TABLE x; --", "\"quoted\", comma", "a\u202eb\u2066c", "\u009b31mC1", "</td><img src=x onerror=alert(1)>",
           "{operator} {target}", "%s%n%x", "nul-like \\x00", "\ufeffmark", "tab\there"]


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "evil.log"
    names = ["aten::add"] + ["mylib::" + re.sub(r"\W", "_", n) for n in HOSTILE[:2]] + HOSTILE
    path.write_bytes(table([row(n, us=100 + i) for i, n in enumerate(names)]).encode("utf-8"))
    return path


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def controls(text):
    return [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\n\r\t"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("lang", ("en", "zh-CN"))
def test_names_come_out_harmless(opcheck, hostile, format, lang):
    out = opcheck("check", hostile, "-f", format, "-v", "--lang", lang).text
    if format == "json":
        assert {"<script>alert(1)</script>", "=cmd|' /C calc'!A0"} <= {i["name"] for i in json.loads(out)["ignored"]}
        assert "<script" not in out and not controls(re.sub(r"[\u202e\u2066\u009b\ufeff]", "", out))
        return
    assert not controls(out)
    if format == "html":
        page = Page()
        page.feed(out)
        assert [t for t, _ in page.tags].count("script") == 2 and "img" not in [t for t, _ in page.tags]
        assert not [a for _, attrs in page.tags for a in attrs if a.startswith("on") or a == "style"]
        assert not [a for _, attrs in page.tags for a, v in attrs.items() if a in ("src", "href") and not v.startswith(("https://", "#"))]
    if format == "csv":
        for cells in csv.reader(io.StringIO(out, newline="")):
            assert not [c for c in cells if c[:1] in "=@" and c or re.match(r"[+-](?![\d.]+$)", c)]


def test_a_hostile_file_name_is_only_text(opcheck, tmp_path):
    path = tmp_path / "<b>\x1b[31m.log"
    path.write_text(table([row("aten::add")]), encoding="utf-8")
    for format in FORMATS:
        assert "\x1b" not in opcheck("check", path, "-f", format).text
    assert "<b>" not in opcheck("check", path, "-f", "html").text
    path.write_text("nothing", encoding="utf-8")
    assert "\x1b" not in opcheck("check", path).err


def test_html_needs_no_network_and_no_script(opcheck):
    page = Page()
    out = opcheck("check", DUMP, *TARGETS, "-f", "html").text
    page.feed(out)
    assert not [attrs for tag, attrs in page.tags if tag in ("link", "img", "iframe") or "src" in attrs]
    policy = [a["content"] for t, a in page.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    assert policy and policy[0].startswith("default-src 'none'")
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    text = "".join(page.text)
    assert all(o["name"] in text for o in report["operators"])


def test_markdown_is_short_and_begins_with_the_headline(opcheck, tmp_path):
    saved = tmp_path / "report.json"
    args = ("check", FIXTURES / "torch-1.13" / "transformer.a.log", "-t", "npu@v2.7.1-26.0.0")
    short, whole = opcheck(*args, "-f", "md").text, opcheck(*args, "-f", "md", "-v").text
    for text in (short, whole):
        assert text.startswith("**transformer.a: UNKNOWN on npu@v2.7.1-26.0.0**\n\nThe dump shows 84.4 %")
        assert text.split("\n\n")[2].startswith("- **UNKNOWN** `npu@v2.7.1-26.0.0` at least ")
    assert short.index("### Limits of this dump") < short.index("opcheck snippet") < short.index("| Target |")
    assert len(short) < 60000 and len(short) < len(whole)
    assert "### Operators" in whole and "### Operators" not in short
    opcheck(*args, "-o", "json=%s" % saved, "-q")
    assert opcheck("convert", saved, "-f", "md").text == short


def test_markdown_of_hostile_names_is_text(opcheck, tmp_path):
    path = tmp_path / "operators.txt"
    path.write_text("aten::a|b](http://x)\naten::<script>\naten::`x` @user #12\n", encoding="utf-8")
    text = opcheck("check", path, "-f", "md", "-v", "-t", "npu").text
    assert "<script>" not in text and "a|b" not in text.replace("\\|", "") and "@user" not in text and "#12" not in text
