#!/usr/bin/python3
"""A report page of ten thousand operators in Chromium, beside a bare table of as many cells.

	python3 tests/bench/page.py BUILD_DIR [--operators N] [--runs N]

The dump has every operator of one release by its name, and made-up ones beside them. Prints the size of the page, as it is and packed,
and how long both pages take to load and to sort by a heading, whose layout is waited for. Nothing here passes or fails.
"""
import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from selenium import webdriver

BARE = """<!DOCTYPE html><html lang="en"><title>bare</title><table><thead><tr>%s</tr></thead><tbody>%s</tbody></table><script>
const body = document.querySelector("tbody"), rows = [...body.rows];
document.querySelectorAll("th")[3].onclick = () => {
	rows.sort((a, b) => (a.cells[3].textContent < b.cells[3].textContent ? -1 : 1));
	body.append(...rows);
};</script>"""
LOADED = "return performance.getEntriesByType('navigation')[0].loadEventEnd"
SORT = """const start = performance.now(); (document.querySelectorAll("th button")[3] || document.querySelectorAll("th")[3]).click();
document.body.offsetHeight; return performance.now() - start;"""


def make_dump(path, opcheck, environment, count):
    listed = subprocess.run([opcheck, "op", "--all", "-t", "npu", "-f", "csv"], env=environment, check=True, capture_output=True, text=True)
    names = sorted({line.split(",")[2].split(".")[0] for line in listed.stdout.splitlines()[1:]})
    names = [name if "::" in name else "aten::" + name for name in names]
    names += ["vendor%d::kernel_%d" % (i % 17, i) for i in range(count - len(names))]
    event = '{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 1, "tid": 1, "ts": %d, "dur": %d, "args": {"Input Dims": [[%d, 128]]}}'
    path.write_text('{"traceEvents": [%s]}' % ",".join(event % (n, i * 20, 1 + i % 9, 1 + i % 64) for i, n in enumerate(names)))


def make_bare(path, report):
    targets = [target["id"] for target in report["targets"]]
    heads = ["Severity", "Share", "Calls", "Operator", *targets, "Shapes"]
    rows = "".join("<tr><td>error<td>%.1f %%<td>%d<td>%s%s<td>%s" % (
        100 * op["time_share"], op["calls"], op["name"], "".join("<td>" + op["verdicts"][t]["status"] for t in targets),
        op["dynamic"]["kind"]) for op in report["operators"])
    path.write_text(BARE % ("".join("<th>" + head for head in heads), rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--operators", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    opcheck = options.build / "src" / "opcheck"
    environment = dict(os.environ, OPCHECK_DB=str(options.build / "opdb" / "opdb.sqlite"), LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory() as folder:
        dump, page, bare = (pathlib.Path(folder) / name for name in ("dump.json", "page.html", "bare.html"))
        make_dump(dump, opcheck, environment, options.operators)
        subprocess.run([opcheck, "check", dump, "-q", "-o", page, "-o", dump.with_name("report.json")], env=environment, check=True)
        make_bare(bare, json.loads(dump.with_name("report.json").read_bytes()))
        print("page: %.2f MB, packed %.0f KB" % (page.stat().st_size / 1e6, len(gzip.compress(page.read_bytes())) / 1e3))
        chrome = webdriver.ChromeOptions()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"):
            chrome.add_argument(flag)
        driver = webdriver.Chrome(options=chrome)
        found = {(path, what): [] for path in (page, bare) for what in (LOADED, SORT)}
        for _ in range(options.runs):
            for path, what in found:
                if what == LOADED:
                    driver.get(path.as_uri())
                found[path, what].append(driver.execute_script(what))
        driver.quit()
        for name, what in (("load", LOADED), ("sort", SORT)):
            own, other = (statistics.median(found[path, what]) for path in (page, bare))
            print("%s: %.0f ms, bare table %.0f ms, ratio %.2f" % (name, own, other, own / other))


if __name__ == "__main__":
    main()
