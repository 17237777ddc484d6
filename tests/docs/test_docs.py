"""What the documents say is true: the README's commands run, the help fits a terminal, the manual has every option, both
catalogues have every text."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from conftest import FIXTURES, ROOT, environment, program

README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = ROOT / "deploy" / "man"
WIDTH, SCREEN = 80, 25
SAMPLE = ["check", FIXTURES / "torch-2.13" / "llama.a-full.log"]


def block(language, heading):
    """The first block of that language behind a heading of the README."""
    section = README[README.index("\n## " + heading):]
    return re.search("```%s\n(.*?)```" % language, section, re.S).group(1)


def test_readme_commands_run(opcheck, tmp_path):
    script = block("sh", "What it prints")
    export, rest = script.split("\n", 1)
    assert export.startswith("export PATH=")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    path = os.path.dirname(program("opcheck", "OPCHECK")) + ":" + os.environ["PATH"]
    for line in [l for l in rest.splitlines() if l.startswith("opcheck")]:
        done = subprocess.run(["sh", "-euc", rest.split("\n", 1)[0] + "\n" + line], cwd=tmp_path, capture_output=True, text=True,
                              env=environment(PATH=path), timeout=120)
        if "without the grammar" in done.stderr:
            continue  # a build that had no way to fetch it
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout or "-o " in line or ">" in line, line
    assert (tmp_path / "report.html").stat().st_size and (tmp_path / "report.csv").stat().st_size


def without_build(line):
    return re.sub(r"build [0-9a-f]{12}", "build", line)


def test_readme_sample_is_what_is_printed(opcheck):
    sample = block("text", "What it prints").splitlines()
    assert sample[-1] == "..."
    printed = opcheck(*SAMPLE).text.splitlines()[:len(sample) - 1]
    assert [without_build(line) for line in printed] == [without_build(line) for line in sample[:-1]]


def test_readme_says_how_many_releases_there_are(opcheck):
    assert "For %s releases of torch_npu" % re.search(r"(\d+) releases$", opcheck("version").text, re.M).group(1) in README


def test_readme_says_how_many_predictions_agree(opcheck):
    claimed = re.search(r"(\d+) of (\d+) agree; (\d+) that were predicted to run did not \| `opcheck (db score \S+ --without reported)`", README)
    printed = opcheck(*claimed.group(4).split(), cwd=ROOT).text
    rows, agree, false_green = re.search(r"the statuses above +(\d+) +(\d+) +\S+ % +\d+ +(\d+)", printed).groups()
    assert (agree, rows, false_green) == claimed.groups()[:3]


def test_readme_measures_have_commands_that_exist(opcheck):
    table = README[README.index("\n## Measured"):README.index("\n## How it works")]
    called = [row.rsplit("| `", 1)[1].rstrip("` |") for row in re.findall(r"^\| .* \|$", table, re.M) if not row.startswith("| | ")]
    assert len(called) >= 8
    for command in called:
        program_, script = command.split()[:2]
        assert script in commands(opcheck) if program_ == "opcheck" else (ROOT / script).is_file(), command


def test_readme_names_the_packages_that_are_built():
    build = "".join((ROOT / path).read_text(encoding="utf-8") for path in ("deploy/build-static.sh", "deploy/python/wheel.py", "deploy/debian/control"))
    names = re.findall(r"\./(\w[\w-]*)_[\d.]+_(amd64|all)\.deb", README)
    assert [name for name, machine in names if not re.search(r"^Package: %s\nArchitecture: %s$" % (name, {"amd64": "any"}.get(machine, machine)), build, re.M)] == []
    assert len(names) == 3 and "-linux-" in build and "manylinux_2_17_" in build


def test_readme_drawing_has_every_layer():
    drawing = README[README.index("\n## How it works"):README.index("\n## More")]
    layers = {p.name for p in (ROOT / "src").iterdir() if p.is_dir()}
    assert {layer for layer in layers if not re.search(r"\b%s\b" % layer, drawing)} == set()


def test_readme_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_manual_says_every_exit_status():
    listed = manual("opcheck.1").split("EXIT STATUS")[1].split("EXAMPLES")[0]
    assert {int(s) for s in re.findall(r"^ +(\d+) ", listed, re.M)} == {0, 1, 2, 3, 4, 5, 6, 70}


def commands(opcheck):
    listed = opcheck("--help").text.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def test_every_step_of_the_guides_has_a_command_that_exists_or_a_reason(opcheck):
    source = (MANUAL / "opcheck.1").read_text(encoding="utf-8")
    section = source.split(".Sh STEPS OF THE PORTING GUIDES\n")[1].split("\n.Sh ")[0]
    steps = re.findall(r"^\.It (.*)\n((?:(?!\.It |\.El).*\n?)+)", section, re.M)
    known, named = set(commands(opcheck)), set()
    assert len(steps) > 15
    for step, text in steps:
        called = re.findall(r"^\.Cm ([a-z]+)", text, re.M)
        assert called or "None:" in text, step
        assert set(called) <= known, step
        for command, option in re.findall(r"^\.Cm ([a-z]+)(?:(?!^\.Cm )[\s\S])*?^\.Fl Fl ([a-z-]+)", text, re.M):
            assert "--" + option in opcheck(command, "--help").text, (step, command, option)
        named |= set(called)
    assert named >= {"snippet", "extract", "check", "op", "scan", "port", "plan", "diagnose", "doctor", "buckets", "compare"}


def calls(opcheck):
    """The words that call each command, and each part of a group such as db."""
    for command in commands(opcheck):
        yield (command,)
        for part in re.findall(r"^(?:Usage:|      ) opcheck %s ([a-z-]+) " % command, opcheck(command, "--help").text, re.M):
            if opcheck(command, part, "--help").text.startswith("  opcheck %s %s" % (command, part)):
                yield command, part


def options(text):
    return set(re.findall(r"--[a-z_][a-z0-9_-]+", text))


def help_options(text):
    """The options that the list of a help text defines, not those that its sentences mention."""
    return options("\n".join(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", text, re.M)))


def manual(page):
    """A page as a terminal of 80 columns shows it."""
    done = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=80", str(MANUAL / page)], capture_output=True, check=True)
    return re.sub(r".\x08", "", done.stdout.decode("utf-8"))


def test_help_fits_a_terminal(opcheck):
    assert ("db", "build") in set(calls(opcheck))
    for command in calls(opcheck):
        lines = opcheck(*command, "--help").text.splitlines()
        assert max(map(len, lines)) <= WIDTH, command
        assert len(lines) <= SCREEN, command
        assert lines[0].startswith("  opcheck " + " ".join(command)), "an example comes first"
    assert max(map(len, opcheck("--help").text.splitlines())) <= WIDTH


def test_manual_has_every_command_and_option(opcheck):
    page = manual("opcheck.1")
    known = options(page)
    for command in calls(opcheck):
        assert re.search(r"\b%s\b" % command[-1], page), command
        if command != ("db", "import"):  # has a page of its own
            missing = help_options(opcheck(*command, "--help").text) - known
            assert missing == set(), command


def test_gate_is_explained(opcheck):
    """The options that the help of check leaves to a topic of its own."""
    text = opcheck("help", "gate").text
    assert max(map(len, text.splitlines())) <= WIDTH and len(text.splitlines()) <= 2 * SCREEN
    assert len(help_options(text)) > 10
    assert help_options(text) - options(manual("opcheck.1")) == set()


def test_what_a_submit_says_of_its_run_is_explained(opcheck):
    text = opcheck("help", "run").text
    assert help_options(text) == {"--project", "--branch", "--commit", "--tag", "--each"} and max(map(len, text.splitlines())) <= WIDTH
    assert "`opcheck help run`" in opcheck("submit", "--help").text


def test_parts_of_a_text_are_explained(opcheck):
    text = opcheck("help", "text").text
    assert help_options(text) == {"--summary", "--severity", "--section"} and max(map(len, text.splitlines())) <= WIDTH
    assert all("`opcheck help text`" in opcheck(command, "--help").text for command in ("check", "submit", "scan", "convert"))


def test_another_database_is_explained(opcheck):
    assert help_options(opcheck("help", "facts").text) == {"--as-of", "--key", "--unsigned"}
    for command in ("check", "scan", "plan", "advise", "compare", "op", "targets", "site"):
        assert "`opcheck help facts`" in opcheck(command, "--help").text


def test_how_a_server_is_reached_is_explained(opcheck):
    assert help_options(opcheck("help", "server").text) == {"--ca-file", "--proxy"}
    assert all("`opcheck help server`" in opcheck(command, "--help").text for command in ("submit", "runs", "fleet", "demand"))


def test_settings_are_described_and_are_options(opcheck):
    page, settings = manual("opcheck-config.5"), opcheck("config", "show", "-f", "json").json["settings"]
    there = help_options(opcheck("help", "gate").text) | help_options(opcheck("check", "--help").text) | {"--server", "--token-file", "--ca-file", "--proxy"}
    names = [s["name"] for s in settings if s["section"] != "limits"]
    assert len(names) > 15
    assert [n for n in names if not re.search(r"\b%s\b" % n, page) or "--" + n not in there] == []
    listed = re.findall(r"^  ([a-z-]+) ", opcheck("help", "limits").text, re.M)
    assert {s["name"] for s in settings if s["section"] == "limits"} < set(listed)


def test_every_format_of_reports_is_in_the_manual_and_in_the_tests():
    rows = re.findall(r'^\t\{ "(\w+)", "[^"]+", "\.([\w.]+)"', (ROOT / "src/report/render.c").read_text(encoding="utf-8"), re.M)
    page = re.sub(r"^\.\w+ ?|[,()]", "", manual("opcheck.1"), flags=re.M).split()
    same = (ROOT / "tests/e2e/test_same_answer.py").read_text(encoding="utf-8")
    assert len(rows) > 10 and [name for name, _ in rows if name not in page] == []
    assert [suffix for name, suffix in rows if '"%s": "%s"' % (suffix, name) not in same] == []


def test_manual_has_no_option_that_is_not_there(opcheck):
    there = {"--help", "--version"} | options(opcheck("help", "gate").text) | options(opcheck("help", "run").text)
    there |= options(opcheck("help", "text").text)
    there |= options(opcheck("help", "server").text) | options(opcheck("help", "facts").text)
    for command in calls(opcheck):
        there |= options(opcheck(*command, "--help").text)
    there |= {"--profilier_file"}  # accepted, as the porting guide misspells it
    assert options(manual("opcheck.1")) - there == set()


def test_manual_of_the_imports_has_what_their_help_has(opcheck):
    text = opcheck("db", "import", "--help").text
    page = manual("opcheck-db-import.1")
    assert help_options(text) - {"--help"} == options(page) - {"--registrations"}
    assert max(map(len, text.splitlines())) <= WIDTH and len(text.splitlines()) <= SCREEN
    for name in ("registrations", "reported"):
        assert re.search(r"^ +%s\n +" % name, page, re.M) or re.search(r"^ +%s  +" % name, page, re.M), name


def test_every_option_of_the_program_of_facts_is_explained():
    program, readme = ROOT / "opdb" / "extract" / "facts.py", (ROOT / "opdb" / "README.md").read_text(encoding="utf-8")
    for what in ("npu", "musa", "torch", "cann", "musa-kernels"):
        done = subprocess.run([sys.executable, program, what, "--help"], capture_output=True, text=True, check=True)
        assert "python3 opdb/extract/facts.py %s " % what in readme
        assert options(done.stdout) - {"--help", "--opdb"} - options(readme) == set()


@pytest.mark.parametrize("page", ["opcheck.1", "opcheck-db.1", "opcheck-db-import.1", "opcheckd.8", "opcheckd.conf.5", "opcheck-config.5", "opcheck-waivers.5", "opdb.5"])
def test_manual_is_well_formed(page):
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(MANUAL / page)], capture_output=True, text=True)
    assert done.stdout == ""


def test_manual_has_every_exit_status():
    page = manual("opcheck.1")
    section = page[page.index("EXIT STATUS"):page.index("EXAMPLES")]
    assert [int(n) for n in re.findall(r"^ +(\d+) ", section, re.M)] == [0, 1, 2, 3, 4, 5, 6, 70]


def test_every_rule_and_error_is_explained_in_both_languages(opcheck):
    ids = opcheck("explain", "--list").text.split()
    ids = [i for i in ids if re.match(r"^(OPC-\d+|[a-z]+(-[a-z]+)+)$", i)]
    assert len(ids) > 50
    for rule in ids:
        texts = [opcheck("explain", rule, "--lang", lang) for lang in ("en", "zh-CN")]
        assert [t.status for t in texts] == [0, 0], rule
        assert len(texts[0].text.splitlines()) > 1 and texts[0].text != texts[1].text, rule


def catalogue(name):
    lines = (ROOT / "web" / "i18n" / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def parameters(text):
    """The blanks of a text; {advice_en} and {advice_zh} are one: texts of the database come in both languages."""
    return set(re.findall(r"\{(\w+?)(?:_en|_zh)?\}", text))


def test_catalogues_have_the_same_texts_with_the_same_parameters():
    english, chinese = catalogue("en.txt"), catalogue("zh-CN.txt")
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert parameters(text) == parameters(chinese[key]), key


def test_limits_are_listed(opcheck):
    listed = opcheck("help", "limits").text
    names = re.findall(r'^\t\{ "([a-z-]+)",', (ROOT / "src" / "base" / "setup" / "limits.c").read_text(encoding="utf-8"), re.M)
    assert len(names) > 10
    assert [n for n in names if n not in listed] == []


def test_scripts_are_sound():
    scripts = sorted((ROOT / "deploy").glob("*.sh")) + [ROOT / ".ci" / "run"]
    done = subprocess.run(["shellcheck", "-x", "-P", str(ROOT), *map(str, scripts)], capture_output=True, text=True)
    assert done.stdout == ""


def test_scripts_build_and_run_only_what_there_is():
    """Of commands of meson and on_sanitizers: each target, and each test by folder/name."""
    info = pathlib.Path(program("a build", "OPCHECK_BUILD_ROOT")) / "meson-info"
    targets = {target["name"] for target in json.loads((info / "intro-targets.json").read_text())}
    tests = {test["name"].split(" / ")[-1] for test in json.loads((info / "intro-tests.json").read_text())}
    seen = 0
    for script in sorted((ROOT / "deploy").glob("*.sh")):
        text = re.sub(r"#.*|\$\([^)]*\)", "", script.read_text(encoding="utf-8"))
        for words in re.findall(r"meson compile -C \S+([^&|\n]*)", text):
            seen += len(words.split())
            assert set(words.split()) <= targets, (script.name, words)
        for words in re.findall(r"(?:meson test|on_sanitizers) [^&|\n]*", text):
            seen += "/" in words
            assert {word for word in words.split() if re.fullmatch(r"[a-z0-9]+/\w+", word)} <= tests, (script.name, words)
    assert seen > 20
