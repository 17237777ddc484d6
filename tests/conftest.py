"""What the Python tests share: where the programs are, and what a run of one answers."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(os.environ.get("OPCHECK_SOURCE_ROOT", pathlib.Path(__file__).resolve().parent.parent))
FIXTURES = ROOT / "tests" / "fixtures"
SANITIZED = os.environ.get("OPCHECK_SANITIZED") == "1"


def sampled(cases, one_in=4):
    """All cases of a long list of the same kind. With sanitizers one in so many: they watch how an answer is made, which takes three
    times as long and is the same code for all of them; whether each answer is right is for the other build. All samples are read by
    the readers there as well: tests/golden/test_dumps.py."""
    return list(cases)[::one_in if SANITIZED else 1]


def program(name, variable):
    path = os.environ.get(variable)
    if not path:
        pytest.skip("%s is not set, so %s cannot be run" % (variable, name))
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


@pytest.fixture(scope="session")
def reference():
    """The folder with reference material; suites over it are skipped without."""
    path = os.environ.get("OPCHECK_REFERENCE_DIR")
    if not path:
        pytest.skip("OPCHECK_REFERENCE_DIR is not set")
    return pathlib.Path(path)


@pytest.fixture(scope="session")
def sanitized():
    """Whether the programs were built with sanitizers, whose memory and time say nothing about opcheck's."""
    return SANITIZED
