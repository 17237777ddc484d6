"""Configuration of the command line and of the service: which value wins, where it is from, and what is refused."""
import pytest

from conftest import FIXTURES, Run, environment, program

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"


@pytest.fixture
def repository(tmp_path, opcheck):
    """A repository with a folder in it; runs start in the folder."""
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()

    class Repository:
        home = tmp_path / "home"

        def write(self, text, path=".opcheck.conf"):
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return file

        def run(self, *args, **env):
            return opcheck(*args, cwd=root / "src", env={"OPCHECK_CONFIG": "", "XDG_CONFIG_HOME": str(self.home), **env})

        def settings(self, **env):
            shown = self.run("config", "show", "-f", "json", **env).json
            return {s["name"]: (s["value"], s["origin"]) for s in shown["settings"]}

    return Repository()


def test_each_value_is_shown_with_where_it_is_from(repository):
    near = repository.write("lang = zh\ntarget = npu\n[gate]\nfail-on = unknown\n[limits]\nshapes = 7\n")
    far = repository.home / "opcheck" / "opcheck.conf"
    far.parent.mkdir(parents=True)
    far.write_text("lang = en\nserver = http://127.0.0.1:1\n[limits]\nshapes = 8\nnames = 9\n")
    settings = repository.settings(OPCHECK_FORMAT="json")
    assert settings["lang"] == ("zh", "%s:1" % near)
    assert settings["fail-on"] == ("unknown", "%s:4" % near)
    assert settings["server"] == ("http://127.0.0.1:1", "%s:2" % far)
    assert settings["format"] == ("json", "$OPCHECK_FORMAT")
    assert settings["shapes"] == ("7", "%s:6" % near) and settings["names"] == ("9", "%s:5" % far)
    assert settings["color"] == ("auto", "default") and settings["baseline"] == ("-", "default")
    text = repository.run("config", "show").text
    assert any(line.split() == ["lang", "zh", "%s:1" % near] for line in text.splitlines())


def test_runs_go_by_the_configuration_and_options_win(repository):
    repository.write("format = json\ntarget = npu@2.1.0\n[gate]\nfail-on = cpu-fallback\nwaivers = ci/w.txt\nmin-coverage = 1%\n")
    repository.write("[waiver a]\nop = aten::add\nreason = r\n", "ci/w.txt")
    run = repository.run("check", DUMP)
    report = run.json
    assert [t["id"] for t in report["targets"]] == ["npu@v2.1.0-7.2.0"]
    assert [c["name"] for c in report["targets"][0]["checks"]] == ["cpu-fallback", "min-coverage"]
    assert run.status == (report["targets"][0]["gate"] == "failed")
    assert {f["operator"] for f in report["waived"]} <= {"aten::add"} and report["policy"]["waivers"][0]["name"] == "w.txt"
    other = repository.run("check", DUMP, "-t", "musa", "--fail-on", "unknown", "--min-coverage", "2%", OPCHECK_FAIL_ON="unsupported").json
    assert [t["id"][:5] for t in other["targets"]] == ["musa@"]
    assert [(c["name"], c.get("limit")) for c in other["targets"][0]["checks"]] == [("unknown", None), ("min-coverage", 0.02)]
    assert repository.run("config", "check").text.endswith("/repo/.opcheck.conf: OK\n")
    assert repository.run("check", DUMP, OPCHECK_CONFIG="none").text.startswith("llama.a-full: ")


@pytest.mark.parametrize("text, line, message", [
    ("lang = en\ntargt = npu\n", 2, "unknown setting 'targt'\n  hint: did you mean target?"),
    ("[gate]\nmax-blocked-time = 2\n", 2, "max-blocked-time takes a share from 0% to 100%, not '2'"),
    ("server = http://example.org\n", 1, "'server' cannot be set by the file of a repository"),
    ("torch = 2.7\n[limits]\nshapes = many\n", 3, "limit shapes needs a whole number"),
    ("fail-on = unknown\n", 1, "unknown setting 'fail-on'\n  hint: it belongs into the section gate"),
    ("[gate]\nlang = en\n", 2, "unknown setting 'lang'\n  hint: it belongs before all sections"),
    ("[gate]\nzzzzzzzz = 1\n", 2, "unknown setting 'zzzzzzzz'\n  hint: see the manual page of the program"),
    ("[gates]\nfail-on = unknown\n", 1, "no section 'gates'"),
    ("[gate]\nfail-on-expired-waiver = yes\n", 2, "'yes' is not true or false"),
    ("lang = en\nlang = zh\n", 2, "'lang' is already set in line 1"),
    ("dtype = fp33\n", 1, "'fp33' is not a data type"),
    ("[gate]\nmax-uncovered-time = 5\n", 2, "max-uncovered-time takes a share"),
    ("lang =\n", 1, "'lang' has no value"),
    ("lang = tlh\n", 1, "no language 'tlh'\n  hint: use en or zh-CN"),
    ("color = blue\n", 1, "color is auto, always or never, not 'blue'"),
    ("[gate]\nfail-on = error\n", 2, "the gate does not know 'error'"),
])
def test_a_mistake_is_told_with_file_and_line(repository, text, line, message):
    file = repository.write(text)
    for args in (("check", DUMP), ("config", "check"), ("config", "show")):
        run = repository.run(*args)
        assert run.status == 2 and run.out == b"", args
        assert run.err.startswith("opcheck: %s:%d: error OPC-2009: %s" % (file, line, message)), args
    assert repository.run("check", "--help").status == 0 and repository.run("explain", "op-unknown").status == 0


def test_what_the_program_computes_in_is_a_setting(repository):
    asks = ("check", DUMP, "-t", "npu@v2.7.1-26.0.0:910A", "-f", "json")
    repository.write("[gate]\nrequire-dtypes = true\n")
    assert repository.run(*asks).status == 3
    repository.write("dtype = fp32\ndtype = bf16\n[gate]\nrequire-dtypes = true\nmax-uncovered-time = 50%\n")
    by_setting, by_option = repository.run(*asks), repository.run(*asks, "--dtype", "fp32,bf16", OPCHECK_CONFIG="none")
    assert by_setting.status == 0 and by_setting.out == by_option.out
    assert repository.run(*asks, OPCHECK_CONFIG="none", OPCHECK_DTYPE="fp32,bf16").out == by_option.out


def test_variables_count_as_settings_and_mistakes_name_them(repository):
    waivers = [repository.write("[waiver %s]\nop = aten::isin\nreason = r\n" % n, "w/%s.txt" % n) for n in "ab"]
    run = repository.run("check", DUMP, OPCHECK_FORMAT="json", OPCHECK_TARGET="musa, npu@2.1.0", OPCHECK_FAIL_ON="cpu-fallback,unknown",
                         OPCHECK_WAIVERS="%s:%s" % tuple(waivers), OPCHECK_FAIL_ON_EXPIRED_WAIVER="true")
    report = run.json
    assert [t["id"].split("@")[0] for t in report["targets"]] == ["musa", "npu"] and report["targets"][1]["torch"] == "2.1.0"
    assert [c["name"] for c in report["targets"][0]["checks"]][:2] == ["cpu-fallback", "unknown"]
    assert [w["name"] for w in report["policy"]["waivers"]] == ["a.txt", "b.txt"]
    for variable, value, words in (("OPCHECK_FAIL_ON", "error", "the gate does not know 'error'"), ("OPCHECK_LANG", "tlh", "no language 'tlh'"),
                                   ("OPCHECK_FAIL_ON_EXPIRED_WAIVER", "yes", "'yes' is not true or false"), ("OPCHECK_FORMAT", "xml", "no format 'xml'")):
        wrong = repository.run("check", DUMP, **{variable: value})
        if variable == "OPCHECK_LANG":  # as with LANG, a language that is not there is English
            assert wrong.text.startswith("llama.a-full: complete")
            continue
        assert wrong.status == 2 and wrong.err.startswith("opcheck: $%s: error OPC-2009: %s" % (variable, words)), wrong.err


def test_files_that_the_configuration_names_are_checked(repository):
    repository.write("[gate]\nwaivers = w.txt\n")
    assert repository.run("config", "check").status == 3
    repository.write("[waiver a]\nreason = r\n", "w.txt")
    run = repository.run("config", "check")
    assert run.status == 2 and "w.txt:1: error OPC-2015" in run.err


@pytest.fixture
def opcheckd(tmp_path):
    path = program("opcheckd", "OPCHECKD")

    def run(*args, **env):
        return Run([path, "--check-config", *args], env=environment(STATE_DIRECTORY=str(tmp_path / "state"), **env))

    return run


def test_the_service_checks_its_configuration(opcheckd, tmp_path):
    main, part = tmp_path / "opcheckd.conf", tmp_path / "conf.d" / "10-site.conf"
    part.parent.mkdir()
    main.write_text("listen = 127.0.0.1:0\nthreads = 8\ninsecure = false\n[limits]\nupload-bytes = 1M\n")
    part.write_text("threads = 9\n")
    run = opcheckd("--config", main)
    assert run.status == 0 and run.text == "%s: OK\n%s: OK\nstate directory: %s\n" % (part, main, tmp_path / "state")
    assert opcheckd(CONFIGURATION_DIRECTORY=str(tmp_path)).text == run.text
    for text, message in (("thread = 9\n", "unknown setting 'thread'"), ("threads = 0\n", "'0' is not a number of threads"),
                          ("[limits]\nupload-bytes = x\n", "limit upload-bytes needs a whole number")):
        part.write_text(text)
        run = opcheckd("--config", main)
        assert run.status == 2 and message in run.err and "10-site.conf:%d" % text.count("\n") in run.err
    assert opcheckd("--config", tmp_path / "nowhere.conf").status == 2
    assert not (tmp_path / "state").exists()


def test_settings_are_a_table_in_every_format(repository):
    repository.write("[gate]\nfail-on = unsupported\n")
    names = set(repository.settings())
    for form in ("csv", "md", "html"):
        text = repository.run("config", "show", "-f", form).text.replace("\\", "")
        assert all(name in text for name in names) and "unsupported" in text, form
