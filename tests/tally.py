"""Adds up the results of meson's test runs: tally.py BUILD_DIR...; the last line is what the whole comes to."""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def count(build):
    """Passed, failed and skipped test cases of the last run in a build directory, and the names of the failed."""
    path = pathlib.Path(build) / "meson-logs" / "testlog.junit.xml"
    passed, skipped, failed = 0, 0, []
    for suite in ElementTree.parse(path).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            kinds = {child.tag for child in case}
            if kinds & {"failure", "error"}:
                failed.append("%s: %s: %s" % (build, case.get("classname"), case.get("name")))
            elif "skipped" in kinds:
                skipped += 1
            else:
                passed += 1
    return passed, failed, skipped


def main(builds):
    passed, failed, skipped = 0, [], 0
    for build in builds:
        try:
            here = count(build)
        except (OSError, ElementTree.ParseError) as error:
            here = (0, ["%s: no test results: %s" % (build, error)], 0)
        passed, failed, skipped = passed + here[0], failed + here[1], skipped + here[2]
    for name in failed:
        print("FAILED " + name)
    print("%d passed, %d failed, %d skipped" % (passed, len(failed), skipped))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
