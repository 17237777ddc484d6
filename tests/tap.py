"""A pytest plugin that prints TAP, so that meson counts every test: pytest -p tap -p no:terminal."""
import sys


class Tap:
    def __init__(self):
        self.count = 0

    def line(self, ok, name, note=""):
        self.count += 1
        # a name may hold any text, and the protocol has one line for each test
        shown = " ".join(name.split()).replace("#", "\\#")
        print("%s %d - %s%s" % ("ok" if ok else "not ok", self.count, shown, note.replace("\n", " ")), flush=True)

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.split("::", 1)[-1]
        if report.skipped and report.when != "teardown":
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            self.line(True, name, " # SKIP " + reason.replace("Skipped: ", ""))
        elif report.failed:
            for text in str(report.longrepr).splitlines():
                print("# " + text)
            self.line(False, name + ("" if report.when == "call" else " (%s)" % report.when))
        elif report.when == "call":
            self.line(True, name)

    def pytest_collectreport(self, report):
        if report.failed:
            print("# " + str(report.longrepr).replace("\n", "\n# "))
            self.line(False, "collection of " + report.nodeid)

    def pytest_sessionfinish(self):
        print("1..%d" % self.count)
        sys.stdout.flush()


def pytest_addoption(parser):
    # without its terminal pytest lacks the option by which it decides how to show a failed assertion
    parser.addoption("--tap-verbose", dest="verbose", type=int, default=0)


def pytest_configure(config):
    config.pluginmanager.register(Tap())
