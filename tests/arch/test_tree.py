"""The shape of the tree: includes run one way, libraries stay in their layers, functions and headers stay small."""
import fnmatch
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

LAYERS = ["base", "io", "json", "record", "op", "dump", "opdb", "import", "assess", "report", "scan", "diagnose", "check", "store", "server", "cli"]
# The rooms of a layer in the order of their includes; what lies in the layer's own folder comes last.
ROOMS = {
    "base": ["view", "memory", "value", "setup"],
    "dump": ["common", "table", "npu", "trace", "et", "list", "guide"],
    "opdb": ["model", "text", "build", "db", "resolve"],
    "assess": ["model", "shape", "judge", "finding", "plan", "estimate", "compare", "gate"],
    "report": ["doc", "record", "drawings", "sections", "screen", "answers", "ci"],
    "scan": ["source", "find", "port", "plan"],
    "check": ["asked", "input", "database", "score", "lookup", "site"],
    "store": ["engine", "blobs"],
    "server": ["http", "jobs", "service", "api", "pages"],
    "cli": ["shared", "dumps", "scripts", "facts", "team", "machine"],
}
# Headers that are yet to be split, so that each module has its own: by layer and name, whatever room they lie in.
SEVERAL = set()
# Headers that declare the rows of a table, which the modules of a room define: commands, formats of dumps and of findings,
# parts of a report, handlers of routes.
REGISTRIES = {"cli/command", "dump/format", "report/ci", "report/parts", "server/handlers"}
# A build compiles the one or the other, and the sort for the static program alone.
ALTERNATIVES = {"scan/source/parse", "scan/source/parse_missing", "store/engine/postgresql", "store/engine/postgresql_missing",
                "store/engine/postgresql_steps", "store/engine/postgresql_text", "base/memory/stable_sort"}
SIBLINGS = {("cli", "store"), ("cli", "server")}  # programs beside each other: neither sees the other
KEEPERS = {"sqlite3.h": {"dump", "opdb", "store"}, "libpq-fe.h": {"store"}, "microhttpd.h": {"server"}, "curl/curl.h": {"io"},
           "cjson/cJSON.h": {"dump", "server", "cli"}, "yaml.h": {"scan"}, "csv.h": {"dump", "import", "check"},
           "zlib.h": {"io"}, "zstd.h": {"io"}, "openssl/evp.h": {"base"}, "openssl/crypto.h": {"base"},
           "tree_sitter/api.h": {"scan"}}
MAX_LINE, MAX_HEADER_LINES, MAX_FUNCTION_LINES, MAX_PARAMETERS, MAX_README_LINES = 120, 80, 70, 5, 25
MAX_MODULES = 30  # of a room
# Verbs that say nothing in a backtrace while they stand alone: `keep_bytes`, not `keep`.
BARE_VERBS = set("""add advance announce append apply ask begin bind build check choose clear compare copy count describe drain end
    execute extract fail fill find finish follow gather get grow harden join judge keep look lose make merge narrow note parse pass place
    prepare put reach refill refuse release replay rest run say serve set settle show skip sniff sort start take tell visit walk warn
    write""".split())
# Callbacks whose parameters a library sets.
MANY_PARAMETERS = {"allow", "on_piece", "on_request"}
# Words for which an engineer has a plain one (web/i18n/glossary.tsv holds the catalogues, the manual and the README).
CALQUES = re.compile(r"\b(foretold|foretell|(is|are|not|be|as|nobody) told(?! apart)|stands? behind|what stands|if nothing is done|find out about|so many bytes"
                     r"|lets? go of|hand(s|ed)? in|runs at all|at all reckoned)\b", re.I)

# A sentence opens with its subject or a verb.
RIDDLES = re.compile(r"(?:^|[.;:] )(What|Who|Whose|How|Whether|Which)\b|\b([Nn]obody|[Ss]omebody|[Ee]verybody|[Aa]nybody)\b")


def sources(pattern="*.[ch]"):
    return [path for layer in LAYERS for path in sorted((ROOT / "src" / layer).rglob(pattern))]


def layer_of(path):
    return path.relative_to(ROOT / "src").parts[0]


def room_rank(layer, parts):
    """Place of a file among the rooms of its layer; parts are its folders below the layer."""
    rooms = ROOMS.get(layer, [])
    return rooms.index(parts[0]) if parts else len(rooms)


def includes(path):
    return re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.M)


def test_includes_run_one_way():
    wrong = []
    for path in sources():
        layer = layer_of(path)
        for name in includes(path):
            other = name.split("/")[0]
            if "/" not in name or other not in LAYERS:
                continue
            if LAYERS.index(other) > LAYERS.index(layer) or (layer, other) in SIBLINGS:
                wrong.append("%s includes %s" % (path.relative_to(ROOT), name))
    assert wrong == []


def test_rooms_include_one_way():
    wrong = []
    for path in sources():
        layer, *folders, _ = path.relative_to(ROOT / "src").parts
        for name in includes(path):
            other, *other_folders, _ = name.split("/") if "/" in name else ("", "")
            if other == layer and room_rank(layer, other_folders) > room_rank(layer, folders):
                wrong.append("%s includes %s" % (path.relative_to(ROOT), name))
    assert wrong == []


def test_the_service_knows_no_http():
    """What one can ask of the service can be asked without a request."""
    wrong = ["%s includes %s" % (name(path), other) for path in sorted((ROOT / "src/server/service").glob("*.[ch]"))
             for other in includes(path) if other.startswith("server/http/") or other == "microhttpd.h"]
    assert wrong == []


def reached(edges, start):
    seen, open_ = set(), list(edges[start])
    while open_:
        module = open_.pop()
        if module not in seen:
            seen.add(module)
            open_ += edges.get(module, ())
    return seen


def modules_in_circles(edges):
    """The modules from which some way leads back to them."""
    return {start for start in edges if start in reached(edges, start)}


def test_no_circle_between_headers():
    edges = {name(path): set(includes(path)) for path in sources("*.h")}
    assert modules_in_circles(edges) == set()


def build_folder():
    """The build that runs this test, or else the one that was built last."""
    named = os.environ.get("OPCHECK_BUILD_ROOT")
    logs = [pathlib.Path(named, ".ninja_log")] if named else list(ROOT.glob("build*/.ninja_log"))
    if not logs:
        pytest.fail("no build directory: run `meson setup build && meson compile -C build` first", pytrace=False)
    return max(logs, key=lambda log: log.stat().st_mtime).parent


def objects():
    """Each module with its object: what was compiled under src, without what the build itself generates."""
    build = build_folder()
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source = pathlib.Path(build, entry["file"]).resolve()
        if entry["output"].startswith("src/") and (ROOT / "src").resolve() in source.parents:
            found[str(source.relative_to((ROOT / "src").resolve()).with_suffix(""))] = build / entry["output"]
    modules = {name(path)[:-2] for path in sources("*.c")} - (ALTERNATIVES - found.keys())
    missing = sorted(module for module in modules if not found.get(module, pathlib.Path("-")).exists())
    if missing:
        pytest.fail("%s has no object of %s: run `meson compile -C %s` first" % (build, ", ".join(missing), build), pytrace=False)
    return {module: found[module] for module in modules}


@functools.cache
def symbols():
    """What each module leaves undefined; the module that defines each symbol."""
    module_of = {str(path): module for module, path in objects().items()}
    listed = subprocess.run(["nm", "-A", "-P", *module_of], capture_output=True, text=True, check=True).stdout
    undefined, defined = {module: set() for module in module_of.values()}, {}
    for line in listed.splitlines():
        path, symbol, kind = re.match(r"(.*): (\S+) (\w)", line).groups()
        if kind == "U":
            undefined[module_of[path]].add(symbol)
        elif kind.isupper() and symbol != "main":
            defined[symbol] = module_of[path]
    return undefined, defined


def needs():
    """The modules that each module needs: those whose objects define a symbol that its own leaves undefined."""
    undefined, defined = symbols()
    return {module: {defined[symbol] for symbol in wanted if symbol in defined} for module, wanted in undefined.items()}


def test_no_circle_between_modules():
    """A module is a header with its source, and needs the modules that define what it calls."""
    edges = needs()
    reach = {module: reached(edges, module) for module in edges}
    circles = {frozenset(other for other in reach[module] if module in reach[other]) for module in edges if module in reach[module]}
    assert sorted(sorted(circle) for circle in circles) == []


def declarations(text):
    """What a header declares and a source defines."""
    code = re.sub(r"/\*.*?\*/|^static inline.*?^}", "", text, flags=re.S | re.M)
    variables = " ".join(re.findall(r"^extern ([^;()]*);", code, re.M))
    return ({found for found, _ in parameters(code)} | set(re.findall(r"(\w+)(?:\[\w*\])?(?=,|$| extern)", variables))
            | set(re.findall(r"^[A-Z_]+\((\w+)\);", code, re.M)))


def test_a_header_states_one_module():
    """Its own, where it has a source; what others define belongs into their headers."""
    _, defined = symbols()
    several = set()
    for path in sources("*.h"):
        module = name(path)[:-2]
        if {defined[found] for found in declarations(path.read_text(encoding="utf-8")) if found in defined} - {module}:
            several.add("%s/%s" % (layer_of(path), path.stem))
    assert several - SEVERAL - REGISTRIES == set(), "headers that declare what other modules define"
    assert (SEVERAL | REGISTRIES) - several == set(), "mended: strike them from SEVERAL"


def test_every_source_lies_in_a_room():
    stray = [path for path in (ROOT / "src").rglob("*.[ch]") if path.name != "embed.c" and (
        layer_of(path) not in LAYERS
        or len(path.relative_to(ROOT / "src").parts) - 2 > (layer_of(path) in ROOMS)
        or len(path.relative_to(ROOT / "src").parts) == 3 and path.parent.name not in ROOMS[layer_of(path)])]
    assert stray == []


def test_no_room_has_more_modules_than_a_reader_surveys():
    rooms = {}
    for path in sources():
        rooms.setdefault(name(path.parent), set()).add(path.stem)
    assert {room: len(modules) for room, modules in rooms.items() if len(modules) > MAX_MODULES} == {}


def test_libraries_stay_in_the_layers_that_keep_them():
    wrong = ["%s includes %s" % (path.relative_to(ROOT), name) for path in sources() for name in includes(path)
             if name in KEEPERS and layer_of(path) not in KEEPERS[name]]
    assert wrong == []


def name(path):
    return str(path.relative_to(ROOT / "src"))


def test_every_header_has_a_guard_and_is_short():
    texts = {name(path): path.read_text(encoding="utf-8") for path in sources("*.h")}
    assert [path for path, text in texts.items() if not text.startswith("#pragma once\n")] == []
    assert {path for path, text in texts.items() if text.count("\n") > MAX_HEADER_LINES} == set()


def functions(text):
    """Name and length of every function that is defined, by the house style: its brace stands alone on a line."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line == "{" and at and not lines[at - 1].startswith("#"):
            end = next(i for i in range(at, len(lines)) if lines[i].startswith("}"))
            if not lines[end].startswith("};"):
                head = next(i for i in range(at - 1, -1, -1) if re.match(r"\w", lines[i]))
                yield re.search(r"(\w+)\(", lines[head]).group(1), end - at


def test_no_function_is_longer_than_a_page():
    lengths = [(found, length, name(path)) for path in sources("*.c") for found, length in functions(path.read_text(encoding="utf-8"))]
    assert [one for one in lengths if one[1] > MAX_FUNCTION_LINES] == []


def test_no_function_is_a_bare_verb():
    assert [(name(path), found) for path in sources("*.c") for found, _ in functions(path.read_text(encoding="utf-8"))
            if found in BARE_VERBS] == []


def test_nothing_is_called_operator():
    """A keyword of C++, which clang-format lays out as such: `op` is the word."""
    wrong = []
    for path in sources():
        code = re.sub(r"""/\*.*?\*/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""", "", path.read_text(encoding="utf-8"), flags=re.S)
        wrong += [name(path)] * bool(re.search(r"\boperator\b", code))
    assert wrong == []


def parameters(text):
    """Name and number of parameters of every function that is declared or defined."""
    for found in re.finditer(r"^[a-z][\w *]*?\b(\w+)\(((?:[^;{}()]|\([^()]*\))*)\)(?=\n\{|;|\s__attribute__)", text, re.M):
        yield found.group(1), re.sub(r"\([^()]*\)", "", found.group(2)).count(",") + 1


def test_no_function_has_more_parameters_than_a_reader_keeps_apart():
    many = {found for path in sources() for found, count in parameters(path.read_text(encoding="utf-8")) if count > MAX_PARAMETERS}
    assert many == MANY_PARAMETERS


def comments(text):
    return " ".join(re.sub(r"\s*\n[ \t]*\*?", " ", found) for found in re.findall(r"/\*.*?\*/", text, re.S))


def sentences(text):
    for found in re.findall(r"/\*.*?\*/", text, re.S):
        yield re.sub(r"\s*\n[ \t]*\*?", " ", found).strip("/* ")


def test_comments_open_with_their_subject_or_a_verb():
    """A sentence that begins with a circumstance has to be decoded; nobody and somebody are a caller, a user, a release."""
    found = [(name(path), one) for path in sources()
             for one in sentences(path.read_text(encoding="utf-8")) if RIDDLES.search(one)]
    assert found == []


def test_comments_use_plain_words():
    found = {name(path): CALQUES.findall(comments(path.read_text(encoding="utf-8"))) for path in sources()}
    assert {path: words for path, words in found.items() if words} == {}


def test_every_layer_and_room_says_what_it_is():
    wrong = []
    for folder in sorted({path.parent for path in sources()}):
        readme = folder / "README.md"
        if not readme.exists():
            wrong.append("%s has no README.md" % name(folder))
        if readme.exists() and len(readme.read_text(encoding="utf-8").splitlines()) > MAX_README_LINES:
            wrong.append("%s/README.md has more than %d lines" % (name(folder), MAX_README_LINES))
    assert wrong == []


def test_every_source_stands_in_the_readme_of_its_room():
    """In backticks or a list that is indented, without the suffix; `score_*` names several."""
    missing = []
    for path in sources():
        readme = (path.parent / "README.md").read_text(encoding="utf-8")
        code = " ".join(re.findall(r"`[^`]+`|^ {4}.*", readme, re.M))
        missing += [name(path)] * (not any(fnmatch.fnmatchcase(path.stem, word) for word in re.findall(r"[\w*]+", code)))
    assert missing == []


def test_every_test_is_run():
    """Meson lists tests by name, and a file that it does not list would never fail."""
    python, unit = ((ROOT / "tests" / name).read_text(encoding="utf-8") for name in ("meson.build", "unit/meson.build"))
    rows = re.findall(r"^  \['(\w+)', .*?\[([^]]*)\]\],\n", python[python.index("python_tests = ["):], re.M | re.S)
    listed = {"%s/test_%s.py" % (folder, name) for folder, names in rows for name in re.findall(r"'(\w+)'", names)}
    listed |= {"unit/test_%s.c" % name for name in re.findall(r"'(\w+)'", unit)}
    there = {str(path.relative_to(ROOT / "tests")) for path in (ROOT / "tests").glob("*/test_*.*")}
    assert there - listed == set()


def test_pages_stay_small():
    def size(suffix):
        return sum(path.stat().st_size for path in (ROOT / "web").glob("*" + suffix))

    assert size(".js") <= 60 * 1024 and size(".css") <= 25 * 1024


def test_nothing_is_left_to_do():
    pattern = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    assert [p for p in sources() if pattern.search(p.read_text(encoding="utf-8"))] == []


def test_no_line_is_too_long_to_read():
    long = ["%s:%d" % (path.relative_to(ROOT), n) for path in sources()
            for n, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1) if len(line.expandtabs(8)) > MAX_LINE]
    assert long == []


def test_pytest_without_a_build_fails_with_the_line_that_sets_one_up():
    bare = {key: value for key, value in os.environ.items() if not key.startswith(("OPCHECK", "PYTHONPATH", "PYTEST"))}
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", ROOT / "tests" / "cli"], capture_output=True, text=True, env=bare)
    said = (done.stdout + done.stderr).strip().splitlines()
    assert done.returncode == 4 and [line for line in said if "meson setup build" in line] == said[-1:] and "skipped" not in done.stdout


def test_the_top_level_is_as_agreed():
    """What the owner named; beside it only the CI's folder, dot-files and the license."""
    listed = shutil.which("git") and subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True)
    if not listed or listed.returncode:
        pytest.skip("no git, or not a checkout of it")
    there = {line.split("/")[0] for line in listed.stdout.splitlines()}
    named = {"meson.build", "src", "schema", "web", "opdb", "tests", "deploy", "README.md", "LICENSE",
             "meson_options.txt"}  # which meson reads nowhere else
    assert {name for name in there if not name.startswith(".")} == named


def test_every_reader_of_dumps_is_tested_and_fuzzed():
    formats = re.findall(r"&(dump_\w+)", (ROOT / "src/dump/dump.c").read_text(encoding="utf-8").split("formats[]")[1].split("};")[0])
    readers = (ROOT / "tests/unit/test_readers.c").read_text(encoding="utf-8")
    fuzzed = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests/fuzz").glob("*.[ch]")))
    assert len(formats) >= 7
    assert [name for name in formats if "{ &%s," % name not in readers or "&%s" % name not in fuzzed] == []
