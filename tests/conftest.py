"""What the Python tests share: where the programs are, and what a run of one answers."""
import csv
import json
import os
import pathlib
import subprocess

import pytest

import cluster
import subset

ROOT = pathlib.Path(os.environ.get("OPCHECK_SOURCE_ROOT", pathlib.Path(__file__).resolve().parent.parent))
FIXTURES = ROOT / "tests" / "fixtures"
SET_UP = ("a build must be in the environment: meson setup build -Dauto_features=enabled && meson compile -C build && "
          "meson devenv -C build pytest-3 ../tests/cli/test_advise.py")
SANITIZED = os.environ.get("OPCHECK_SANITIZED") == "1"


def sampled(cases, one_in=4):
    """All cases of a long list of the same kind. With sanitizers one in so many: they watch how an answer is made, which takes three
    times as long and is the same code for all of them; whether each answer is right is for the other build. All samples are read by
    the readers there as well: tests/golden/test_dumps.py."""
    return list(cases)[::one_in if SANITIZED else 1]


def python_alone(test):
    """Leaves a test of Python's own answers to the build without sanitizers: they would watch nothing of it."""
    return None if SANITIZED else test


def pytest_configure():
    if "OPCHECK_BUILD_ROOT" not in os.environ:
        raise pytest.UsageError(SET_UP)


def program(name, variable):
    path = os.environ.get(variable)
    assert path, "%s does not name %s" % (variable, name)
    return path


class Run:
    """One finished process."""

    def __init__(self, args, **options):
        options.setdefault("timeout", 300)
        done = subprocess.run([str(a) for a in args], capture_output=True, **options)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    @property
    def text(self):
        return self.out.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.out)


def environment(**more):
    """The surroundings of a run: nothing of the developer's own settings."""
    keep = {k: v for k, v in os.environ.items()
            if k in ("PATH", "HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS")}
    keep["LC_ALL"] = "C.UTF-8"
    keep["OPCHECK_CONFIG"] = "none"
    keep["OPCHECK_DB"] = program("opcheck", "OPCHECK_DB")
    keep.update(more)
    return keep


@pytest.fixture(scope="session")
def opcheck():
    path = program("opcheck", "OPCHECK")

    def run(*args, env=None, **options):
        return Run([path, *args], env=environment(**(env or {})), **options)

    return run


@pytest.fixture(scope="session")
def small_db(opcheck, tmp_path_factory):
    """A database of the facts of the unit tests, for what would take minutes on the shipped one and shows no more there."""
    path = tmp_path_factory.mktemp("facts") / "opdb.sqlite"
    assert opcheck("db", "build", ROOT / "tests" / "unit" / "facts", "-o", path).status == 0
    return path


@pytest.fixture(scope="session")
def events():
    """The rows, links, order, table ends and facts that the reader makes of a file."""
    path = program("dump_events", "OPCHECK_DUMP_EVENTS")

    def read(file):
        done = Run([path, file])
        found = {"row": [], "stepped": [], "details": [], "detailed": [], "link": [], "turn": [], "end": [], "stream": [], "facts": None}
        for line in done.text.splitlines():
            for key, value in json.loads(line).items():
                if key == "facts":
                    found[key] = value
                else:
                    found[key].append(value)
                if key == "details":
                    found["detailed"].append(len(found["row"]) - 1)  # the row that they belong to
        found["status"], found["err"] = done.status, done.err
        return found

    return read


def rows_by_table(found):
    """Lists of [name, overload, shapes, calls], one a table, in the order of the tables."""
    tables = {}
    for table, _, name, overload, shapes, calls, _ in found["row"]:
        tables.setdefault(table, []).append([name, overload, shapes, calls])
    return [tables[key] for key in sorted(tables)]


REFERENCE = os.environ.get("OPCHECK_REFERENCE_DIR")


def reference_folder():
    """The folder with reference material, or the subset of it that is unpacked in the build folder."""
    return pathlib.Path(REFERENCE) if REFERENCE else subset.folder(pathlib.Path(program("a build", "OPCHECK_BUILD_ROOT")))


def traced(model, steps):
    """The steps that the traces of a model hold, of those that its program traced."""
    return steps if REFERENCE else steps[:subset.TRACED.get(model)]


@pytest.fixture(scope="session")
def reference():
    return reference_folder()


@pytest.fixture(scope="session")
def whole_reference():
    """The reference material itself, for the tests of lists of vendors, of whole tables and of runs on devices."""
    if not REFERENCE:
        pytest.skip("OPCHECK_REFERENCE_DIR is not set: vendors' lists, whole tables and runs on devices are not part of the project")
    return pathlib.Path(REFERENCE)


def fact_rows(folder, name):
    """Rows of a table of facts: of the reference material, or of the subset, in whose text "." is empty."""
    path = folder / "facts" / name
    if not REFERENCE:
        columns, *lines = path.with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
        return [dict(zip(columns[2:].split("\t"), ("" if cell == "." else cell for cell in line.split("\t")))) for line in lines]
    tabs = path.suffix == ".tsv"
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t" if tabs else ",", quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL))


@pytest.fixture(scope="module")
def database():
    """A PostgreSQL of the file's own."""
    running = cluster.Cluster()
    yield running
    running.remove()


@pytest.fixture(scope="session")
def sanitized():
    """Whether the programs were built with sanitizers, whose memory and time say nothing about opcheck's."""
    return SANITIZED
