#!/usr/bin/python3
"""Put faults into the sources, one at a time, and count those that the tests notice.

    tests/mutants/mutants.py [OPTION]... [FOLDER | FILE | FILE:FUNCTION]...

Makes a seeded sample of COUNT changes in what is named, or in all layers by their size: a comparison (< to <=), a bound (one more), a sign,
a returned error (success in its place), a statement (dropped), a member of a condition, a key or an initialiser (dropped). Builds each in
a copy of the tree and runs tests until one fails: the unit tests that include the module's header, then those of its layer, then the
suites of SUITES. Replaces a change that does not compile, or compiles to the same code. Counts a hung test as one that noticed.

Prints each change with the test that noticed it, then the survivors, as FILE:LINE, and the sums. Exits with 1 when fewer than --least
percent were noticed. A survivor is a missing assertion, code without a use, or equivalent: read it.

Keeps the copy and its build in --folder (build-mutants). The same command goes on where it was stopped, as long as the sources and tests
are the same. Names and leaves out a test that fails without a change or takes longer than --longest.
"""
import argparse
import collections
import fcntl
import filecmp
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from changes import changes_of, code_lines

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Of each layer the suites that reach it, after its unit tests; e2e is for the service alone, which nothing else runs.
SUITES = {
    "base": ["golden", "cli", "scan"],
    "io": ["golden", "traces", "tables", "cli"],
    "json": ["golden", "traces", "cli"],
    "record": ["golden", "cli"],
    "op": ["golden", "traces", "tables", "cli"],
    "dump": ["golden", "traces", "tables", "cli"],
    "opdb": ["golden", "oracle", "cli"],
    "import": ["imports", "cli"],
    "assess": ["golden", "traces", "cli"],
    "report": ["golden", "cli"],
    "scan": ["scan", "golden", "cli"],
    "diagnose": ["diagnose", "cli"],
    "check": ["golden", "cli", "traces"],
    "store": ["e2e"],
    "server": ["e2e", "golden"],
    "cli": ["golden", "cli", "scan", "diagnose", "imports"],
}
SPARE_SECONDS, SLOWER = 30, 10  # a test has this long, and this many times as long as without a change
MEMORY_BYTES = 64 << 30  # what a mutant may map
TRIES = 1000


def limit_process():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Test:
    """A test as Meson lists it."""

    def __init__(self, entry, targets, build):
        self.name, self.cmd, self.env, self.cwd = entry["name"], entry["cmd"], entry["env"], entry["workdir"]
        self.suite = [name.split(":")[-1] for name in entry["suite"]][-1]
        self.targets = sorted({targets[target] for target in entry["depends"] if target in targets})
        self.seconds = entry["timeout"]
        self.build = build
        self.noticed = collections.Counter()  # changes, a layer

    def start(self, temporary):
        env = dict(os.environ, **self.env, TMPDIR=temporary, PYTEST_ADDOPTS="-x", MALLOC_PERTURB_="165")
        with open(self.log(), "wb") as log:
            return subprocess.Popen(self.cmd, env=env, cwd=self.cwd or self.build, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    start_new_session=True, preexec_fn=limit_process)

    def mentions(self, module):
        """How often the text of the test has the words of a module's name, up to ten."""
        words = [word for word in module.split("_") if len(word) > 3] or [module]
        source = pathlib.Path(self.cmd[-1])
        text = source.read_text() if source.suffix == ".py" else ""
        return min(10, min(len(re.findall(word, text)) for word in words))

    def log(self):
        return self.build / "mutants-logs" / (self.name.replace("/", "-") + ".log")

    def is_skipped(self):
        text = self.log().read_text(errors="replace")
        return "ok 1" in text and not re.search(r"^ok (?!.*# SKIP)", text, re.M)


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


class Tree:
    """A copy of the sources with a build of its own."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, jobs
        self.source, self.build = folder / "tree", folder / "build"
        self.temporary = folder / "tmp"
        self.passing = set()  # tests that noticed a change and pass without
        self.original = folder / "original.json"  # the source that has a change now: its path and text

    def lock(self):
        """One run at a time; puts back what a run left that was killed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.held = open(self.folder / "lock", "w")
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("mutants: another run uses %s" % self.folder)
        if self.original.exists():
            path, text = json.loads(self.original.read_text())
            (self.source / path).write_text(text)
            self.original.unlink()

    def copy(self):
        """Makes the copy what the sources are now. Returns whether it was something else."""
        def files(root):
            for at, folders, names in os.walk(root):
                builds = [name for name in folders if at == str(root) and name.startswith("build")]
                folders[:] = set(folders) - {".git", "__pycache__", ".pytest_cache", *builds}
                yield from (os.path.relpath(os.path.join(at, name), root) for name in names if name != ".git")

        wanted, changed = set(files(ROOT)), False
        for name in wanted:
            source, copied = ROOT / name, self.source / name
            if not (copied.exists() and filecmp.cmp(source, copied, shallow=False)):
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, copied)
                changed = True
        for name in set(files(self.source)) - wanted:
            (self.source / name).unlink()
            changed = True
        return changed

    def set_up(self):
        if self.copy():
            (self.folder / "results.jsonl").unlink(missing_ok=True)
        if not (self.build / "build.ninja").exists():
            env = dict(os.environ, CC=os.environ.get("CC") or ("ccache gcc" if shutil.which("ccache") else "gcc"))
            if shutil.which("mold"):
                env.setdefault("CC_LD", "mold")
            grammar = ROOT / "build-grammar"
            options = ["-Dgrammar=%s" % grammar] if grammar.exists() else []
            # No debug information: the same code is the same object, and a change often brings a warning.
            subprocess.run(["meson", "setup", self.build, self.source, "-Dauto_features=enabled", "--buildtype=plain", "-Doptimization=1",
                            "-Dwerror=false", *options], check=True, env=env, stdout=subprocess.DEVNULL)
        (self.build / "mutants-logs").mkdir(exist_ok=True)
        if not self.ninja(["all"]):
            sys.exit("mutants: the copy in %s does not build" % self.source)
        targets = {}
        for target in self.introspect("--targets"):
            targets[target["id"]] = os.path.relpath(target["filename"][0], self.build)
        self.tests = [Test(entry, targets, self.build) for entry in self.introspect("--tests")]
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.objects = {os.path.relpath((self.build / entry["file"]).resolve(), self.source): entry["output"] for entry in commands
                        if "/src/" in entry["file"]}

    def introspect(self, what):
        return json.loads(subprocess.run(["meson", "introspect", what, self.build], check=True, capture_output=True).stdout)

    def ninja(self, targets):
        with open(self.build / "mutants-logs" / "ninja.log", "wb") as log:
            return subprocess.run(["ninja", "-C", self.build, *targets], stdout=log, stderr=log, preexec_fn=limit_process).returncode == 0

    def first_failure(self, tests, measured=None):
        """Runs tests side by side. Returns the first that fails twice or hangs; with measured, each one's seconds or None go there."""
        waiting, running, failed, again = list(tests), {}, None, set()
        self.temporary.mkdir(exist_ok=True)
        try:
            while (waiting or running) and not failed:
                while waiting and len(running) < self.jobs:
                    test = waiting.pop(0)
                    running[test.start(str(self.temporary))] = (test, time.monotonic())
                time.sleep(0.02)
                for process, (test, begun) in list(running.items()):
                    seconds = time.monotonic() - begun
                    late = process.poll() is None and seconds > test.seconds
                    if process.poll() is None and not late:
                        continue
                    stop(process)
                    del running[process]
                    if measured is not None:
                        measured[test.name] = seconds if process.returncode == 0 else None
                    elif process.returncode and not late and test not in again:
                        again.add(test)
                        waiting.insert(0, test)
                    elif process.returncode:
                        failed, test.late = test, late
        finally:
            for process in running:
                stop(process)
            shutil.rmtree(self.temporary, ignore_errors=True)
        return failed

    def measure(self, longest):
        """Learns how long each test takes without a change; leaves out what fails, is skipped or takes longer than allowed."""
        path = self.folder / "seconds.json"
        measured = json.loads(path.read_text()) if path.exists() else {}
        wanted = [test for test in self.tests if test.name not in measured and
                  (test.suite == "unit" or any(test.suite in row for row in SUITES.values()))]
        self.first_failure(wanted, measured)
        for test in wanted:
            if measured[test.name] is not None and test.suite != "unit" and test.is_skipped():
                measured[test.name] = None
        path.write_text(json.dumps(measured))
        for name in sorted(name for name, seconds in measured.items() if seconds is None):
            print("mutants: %s fails or is skipped without a change and is left out" % name)
        for name in sorted(name for name, seconds in measured.items() if seconds and seconds > longest):
            print("mutants: %s takes %.0f s and is left out (--longest)" % (name, measured[name]))
        self.tests = [test for test in self.tests if measured.get(test.name) is not None and measured[test.name] <= longest]
        for test in self.tests:
            test.usual = measured[test.name]
            test.seconds = SPARE_SECONDS + SLOWER * test.usual

    def stages(self, path):
        """The tests that may notice a change of a source, in groups: each is built and run before the next."""
        layer, header = path.split("/")[1], re.sub(r"^src/|\.c$", "", path) + ".h"
        own, near = [], []
        for test in self.tests:
            source = self.source / "tests" / "unit" / ("test_%s.c" % test.name)
            if test.suite != "unit" or not source.exists():
                continue
            included = re.findall(r'#include "(.*?)"', source.read_text())
            if header in included or test.name == pathlib.Path(path).stem:
                own.append(test)
            elif any(name.startswith(layer + "/") for name in included):
                near.append(test)
        later = [test for test in self.tests if test.suite in SUITES[layer]]
        later.sort(key=lambda test: (test.suite != SUITES[layer][0], -test.mentions(pathlib.Path(path).stem) - test.noticed[layer], test.usual))
        return [group for group in (own, near, later) if group]

    def noticing(self, change):
        """Returns the test that noticed a change; "build", None for a survivor, or False where the change is none."""
        path, output = self.source / change.path, self.objects.get(change.path)
        text = path.read_text()
        if not output:
            return False
        # The object of the text as it is: what was changed before has been put back.
        if not self.ninja([output]):
            sys.exit("mutants: %s does not build without a change" % change.path)
        usual = (self.build / output).read_bytes()
        try:
            self.original.write_text(json.dumps([change.path, text]))
            path.write_text(text[:change.begin] + change.new + text[change.end:])
            if not self.ninja([output]) or (self.build / output).read_bytes() == usual:
                return False
            for group in self.stages(change.path):
                if not self.ninja(sorted({target for test in group for target in test.targets})):
                    return "build"
                failed = self.first_failure(group)
                if failed:
                    return failed
            return None
        finally:
            path.write_text(text)
            self.original.unlink()

    def verdict(self, change):
        """Returns what noticed a change by its name, as above. A test that notices for the first time must pass without the change."""
        while isinstance(test := self.noticing(change), Test):
            if test not in self.passing:
                late = test.late
                if not self.ninja(test.targets) or self.first_failure([test]):
                    print("mutants: %s fails without a change and is left out" % test.name, flush=True)
                    self.tests.remove(test)
                    continue
                self.passing.add(test)
                test.late = late
            test.noticed[change.path.split("/")[1]] += 1
            return test.name + (" (time)" if test.late else "")
        return test


def sources(tree, named):
    """(path, function or None) of what is named; all layers when nothing is."""
    found = []
    for name in named or ["src"]:
        path, _, function = name.partition(":")
        at = tree / path
        if not at.exists():
            sys.exit("mutants: there is no %s" % path)
        files = sorted(at.rglob("*.c")) if at.is_dir() else [at]
        found += [(str(file.relative_to(tree)), function or None) for file in files]
    return [(path, function) for path, function in found if path.count("/") > 1]


class Pool:
    """The changes of the sources of one layer, drawn by a line of code at random."""

    def __init__(self, tree, named, seed):
        self.random = random.Random(seed)
        self.lines, self.changes, self.drawn = [], collections.defaultdict(list), set()
        for path, function in named:
            text = (tree / path).read_text()
            for change in changes_of(path, text):
                if function in (None, change.function):
                    self.changes[path, change.line].append(change)
            self.lines += [(path, line) for line in code_lines(text) if function is None or (path, line) in self.changes]

    def draw(self):
        """Another change, or None when too few are left to be found."""
        for _ in range(TRIES):
            on_line = self.changes.get(self.random.choice(self.lines)) if self.lines else None
            if on_line:
                change = self.random.choice(on_line)
                if change not in self.drawn:
                    self.drawn.add(change)
                    return change
        return None


def shares(pools, count):
    """The layer of each change, in an order that makes every beginning of it a sample."""
    total = sum(len(pool.lines) for pool in pools.values())
    exact = {layer: count * len(pool.lines) / total for layer, pool in pools.items()}
    parts = {layer: int(part) for layer, part in exact.items()}
    for layer in sorted(exact, key=lambda layer: parts[layer] - exact[layer])[:count - sum(parts.values())]:
        parts[layer] += 1
    return [layer for layer, part in sorted(parts.items()) for _ in range(part)]


def shown(tree, change):
    old = (tree / change.path).read_text()[change.begin:change.end]
    return "%s:%d: %s: %s: '%s' -> '%s'" % (change.path, change.line, change.function or "-", change.kind, " ".join(old.split()),
                                            " ".join(change.new.split()))


def run(tree, options):
    named = collections.defaultdict(list)
    for path, function in sources(tree.source, options.named):
        named[path.split("/")[1]].append((path, function))
    pools = {layer: Pool(tree.source, files, "%d %s" % (options.seed, layer)) for layer, files in named.items()}
    order = shares(pools, options.count)
    random.Random(options.seed).shuffle(order)
    path = tree.folder / "results.jsonl"
    done = {}
    if path.exists():
        for row in map(json.loads, path.read_text().splitlines()):
            done[row["change"]] = row["noticed"]
    counts, survivors = collections.Counter(), []
    until = time.monotonic() + options.minutes * 60
    for layer in order:
        if time.monotonic() > until:
            print("mutants: the time is over")
            break
        while (change := pools[layer].draw()) is not None:
            name = shown(tree.source, change)
            begun = time.monotonic()
            if name in done:
                noticed = done[name]
            else:
                noticed = tree.verdict(change)
                with open(path, "a", encoding="utf-8") as file:
                    print(json.dumps({"change": name, "noticed": noticed, "seconds": round(time.monotonic() - begun, 1)}), file=file)
            if noticed is False:
                continue
            counts[layer, bool(noticed)] += 1
            if not noticed:
                survivors.append(name)
            print("%-9s %s%s" % ("noticed" if noticed else "SURVIVED", name, "  by " + noticed if noticed else ""), flush=True)
            break
    return counts, survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("named", nargs="*", metavar="NAMED", help="folder, file or file:function; all of src by default")
    parser.add_argument("--count", type=int, default=200, help="changes to make (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument("--least", type=float, default=0, help="percent that must be noticed (0)")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin no change after so many")
    parser.add_argument("--longest", type=float, default=60, help="leave out tests that take longer, in seconds (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time (one a processor)")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build-mutants", help="of the copy and its build (build-mutants)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("mutants: stopped"))
    tree = Tree(options.folder.resolve(), options.jobs)
    tree.lock()
    tree.set_up()
    tree.measure(options.longest)
    counts, survivors = run(tree, options)
    print()
    for layer in sorted({layer for layer, _ in counts}):
        print("%-9s %3d of %3d noticed" % (layer, counts[layer, True], counts[layer, True] + counts[layer, False]))
    noticed = sum(count for (_, good), count in counts.items() if good)
    print("all       %3d of %3d noticed, %.1f %%" % (noticed, noticed + len(survivors), 100 * noticed / max(1, noticed + len(survivors))))
    for name in survivors:
        print("survivor: " + name)
    return 1 if 100 * noticed < options.least * (noticed + len(survivors)) else 0


if __name__ == "__main__":
    sys.exit(main())
