"""The pages in a real browser: with and without scripts, by mouse, by drag and drop and by keyboard alone."""
import base64
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import time
import urllib.parse

import pytest

import mixed
from conftest import FIXTURES
from daemon import DUMP, SMALL, wait_until

selenium = pytest.importorskip("selenium", reason="python3-selenium is not installed")
from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import WebDriverException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--window-size=1280,1000")
PAGES = ("/", "/models", "/fleet", "/demand", "/compare", "/operators", "/operators?q=conv", "/operators/aten%3A%3Aisin", "/targets", "/targets?from=musa%40v2.0.0&to=musa", "/help", "/problems/OPC-3005",
         "/tokens", "/queue")


def every_page(service):
    """Pages of the service, and those of a model with two runs, of a run, of a report, and of what is not there."""
    for dump in (DUMP, SMALL):
        record = service.api.submit(dump.read_bytes(), name=dump.name, model="paged", target=["npu@1.8.1", "musa@1.0.0", "npu"]).json()
    views = ("/models/paged?view=" + view for view in ("trend", "changes", "releases", "shapes", "lists", "ci"))
    return (*PAGES, *views, "/login", "/runs/" + record["run"]["id"], record["links"]["page"], "/models/none")


def until(condition, seconds=60):
    """Waits for what a page comes to. What is not there yet, or no longer, is asked for again: elements and pages go while one looks."""
    def holds():
        try:
            return condition()
        except WebDriverException:
            return False

    return wait_until(holds, seconds)


class Browser:
    """Chromium with a profile of its own."""

    def __init__(self, base, lang="en-US", scripts=True):
        self.base = base
        self.profile = tempfile.mkdtemp(prefix="opcheck-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in (*FLAGS, "--user-data-dir=" + self.profile):
            options.add_argument(flag)
        options.add_experimental_option("prefs", {
            "intl.accept_languages": lang,
            "profile.managed_default_content_settings.javascript": 1 if scripts else 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.chrome.service.Service(shutil.which("chromedriver"))
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.set_page_load_timeout(60)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def open(self, path):
        self.driver.get(self.base + path)
        styled = "return [...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)"
        assert until(lambda: self.script(styled)), (path, self.complaints())

    def follow(self, element):
        """Clicks what leads to another page, and waits for that."""
        self.script("window.left = true")
        element.click()
        assert until(lambda: self.script("return !window.left && document.readyState === 'complete'")), self.driver.current_url

    def find(self, selector):
        """The first of these; events of a page may put it there a little later."""
        assert until(lambda: self.all(selector)), (selector, self.driver.current_url)
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def link(self, text):
        assert until(lambda: self.driver.find_elements(By.LINK_TEXT, text)), (text, self.driver.current_url)
        return self.driver.find_element(By.LINK_TEXT, text)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def complaints(self):
        """What the console holds: errors, and whatever a policy blocked."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def assessment(self):
        """Waits for the page of an assessment and answers with its id."""
        pattern = re.compile(re.escape(self.base) + r"/assessments/([0-9a-f]{64})(\?lang=[\w-]+)?$")
        assert until(lambda: pattern.match(self.driver.current_url) and self.script("return document.readyState === 'complete'")), \
            self.driver.current_url
        return pattern.match(self.driver.current_url).group(1)

    def drop(self, path, x, y):
        """Drags a file from outside onto a place of the window, as the desktop does."""
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})


def browser_fixture(scope, **settings):
    @pytest.fixture(scope=scope)
    def make(service):
        for name in ("chromium", "chromedriver"):
            if not shutil.which(name):
                pytest.skip(name + " is not installed")
        opened = Browser(service.url, **settings)
        yield opened
        opened.close()

    return make


browser = browser_fixture("module")
chinese = browser_fixture("module", lang="zh-CN")
scriptless = browser_fixture("module", scripts=False)


def report_of(service, number):
    return service.api.get("/api/v1/assessments/%s/report.json" % number).content


@pytest.mark.parametrize("which", ("browser", "scriptless", "chinese"))
def test_a_chosen_file_gives_the_report_of_check(request, service, opcheck, which):
    page = request.getfixturevalue(which)
    page.open("/")
    page.find("#file").send_keys(str(DUMP))
    page.find("#send").click()
    assert report_of(service, page.assessment()) == opcheck("check", DUMP, "-f", "json").out
    assert DUMP.name in page.find("h1 + p").text
    assert page.complaints() == []


@pytest.mark.parametrize("place", ("#drop", "h1"))
def test_a_dropped_file_gives_the_report_of_check(service, opcheck, browser, place):
    browser.open("/")
    box = browser.find(place).rect
    browser.drop(SMALL, box["x"] + 20, box["y"] + 10)
    assert until(lambda: browser.script("return document.getElementById('file').files.length") == 1)
    assert browser.driver.current_url == browser.base + "/"
    browser.find("#send").click()
    assert report_of(service, browser.assessment()) == opcheck("check", SMALL, "-f", "json").out
    assert browser.complaints() == []


@pytest.fixture
def blank(browser):
    """The first page as somebody sees it who was never there."""
    browser.open("/help")
    browser.script("localStorage.clear()")
    browser.open("/")
    yield browser
    browser.script("localStorage.clear()")


def test_the_keyboard_alone_is_enough(service, opcheck, blank):
    """Tab leads through everything in its order; nothing needs a mouse but the system's own file dialog."""
    browser, seen = blank, []

    def press(key):
        webdriver.ActionChains(browser.driver).send_keys(key).perform()

    press(Keys.TAB)
    for _ in range(30):
        focused = browser.driver.switch_to.active_element
        seen.append(focused.get_attribute("id") or focused.text)
        visible = browser.script("return getComputedStyle(arguments[0]).outlineStyle", focused)
        assert visible != "none" or focused.get_attribute("id") == "file", seen
        if seen[-1] == "file":
            focused.send_keys(str(SMALL))
        if seen[-1] == "mode-newest":  # to the next one of the group
            press(Keys.ARROW_DOWN)
        if seen[-1] == "torch":
            focused.send_keys("2.7.1")
        if seen[-1] == "send":
            focused.send_keys(Keys.ENTER)
            break
        press(Keys.TAB)  # not to the element: a file field would take the key for a path
    assert seen[0] == "Skip to content" and seen[1] == "opcheck" and seen[-1] == "send", seen
    chosen = browser.find("body") and browser.assessment()
    record = service.api.json("/api/v1/assessments/" + chosen)
    npu, musa = record["options"]["targets"]
    assert npu.startswith("npu@v2.7.1-") and musa == "musa@v2.7.1"
    assert report_of(service, chosen) == opcheck("check", SMALL, "-f", "json", "-t", npu, "-t", musa).out


@pytest.mark.parametrize("torch, cann, chip, targets", (
    ("2.7.1", "", "", ["npu@v2.7.1-26.1.0", "musa@v2.7.1"]), ("2.7.1", "8.5.0", "910B", ["npu@v2.7.1-7.3.0:910B", "musa@v2.7.1"]),
    ("2.7", "", "", ["npu@v2.7.1-26.1.0", "musa@v2.7.1"]), ("9.9", "", "", [])))
def test_versions_become_the_exact_release_that_is_checked(service, blank, torch, cann, chip, targets):
    blank.find("#mode-versions").click()
    blank.find("#torch").send_keys(torch)
    blank.find("#cann").send_keys(cann)
    blank.script("const c = document.getElementById('chip-npu'); c.value = arguments[0]; c.dispatchEvent(new Event('input'))", chip)
    assert blank.find("#exact").text == (", ".join(targets) or "no stable release for these versions")
    blank.find("#file").send_keys(str(SMALL))
    blank.find("#send").click()
    if targets:
        assert service.api.json("/api/v1/assessments/" + blank.assessment())["options"]["targets"] == targets
    else:
        assert until(blank.find("#problem").is_displayed) and blank.driver.current_url == blank.base + "/"


def test_a_dropped_folder_is_one_run(service, blank, tmp_path):
    for rank, dump in enumerate((SMALL, SMALL)):
        (tmp_path / "ranks" / "deep").mkdir(parents=True, exist_ok=True)
        (tmp_path / "ranks" / ("deep" if rank else ".") / ("rank%d.log" % rank)).write_bytes(dump.read_bytes())
    blank.drop(tmp_path / "ranks", 200, 300)
    assert until(lambda: blank.script("return document.getElementById('file').files.length") == 2)
    blank.find("#send").click()
    report = service.api.json("/api/v1/assessments/%s/report.json" % blank.assessment())
    assert sorted(item["name"] for item in report["inputs"]) == ["rank0.log", "rank1.log"]


def test_the_choice_of_targets_is_remembered_and_no_cookie_is_set(blank):
    blank.find("#mode-versions").click()
    blank.find("#torch").send_keys("2.5.1")
    blank.open("/")
    assert blank.find("#mode-versions").is_selected() and blank.find("#torch").get_attribute("value") == "2.5.1"
    assert blank.find("#exact").text.startswith("npu@v2.5.1-") and not blank.find("#target-npu").is_displayed()
    blank.find("#mode-all").click()
    blank.script("""const list = document.getElementById("target-npu"); [...list.options].forEach((o) => { o.selected = o.value === "npu@v1.8.1"; });
        list.dispatchEvent(new Event("change"))""")
    blank.open("/")
    assert blank.script("return [...document.getElementById('target-npu').selectedOptions].map((o) => o.value)") == ["npu@v1.8.1"]
    assert blank.driver.get_cookies() == []
    blank.script("localStorage.setItem('opcheck targets', '{\"mode\": 7}')")
    blank.open("/")
    assert blank.find("#mode-newest").is_selected() and blank.complaints() == []


def test_a_release_is_found_by_parts_of_its_versions(blank):
    blank.find("#mode-all").click()
    blank.find("#find-release").send_keys("CANN 9.0 2.7")
    shown = blank.script("return [...document.querySelectorAll('select[name=target] option')].filter((o) => !o.hidden).map((o) => o.textContent)")
    assert shown and all("CANN 9.0" in text and "2.7" in text for text in shown)


def test_pasted_text_is_a_dump(service, blank):
    blank.find("#pasting summary").click()
    blank.script("""const box = document.getElementById("paste"); box.value = arguments[0]; box.dispatchEvent(new Event("input"))""",
                 SMALL.read_text(encoding="utf-8"))
    blank.find("#send").click()
    assert report_of(service, blank.assessment())
    assert "pasted.log" in blank.find("h1 + p").text


@pytest.mark.parametrize("which", ("browser", "scriptless"))
def test_an_example_comes_with_the_service(request, service, opcheck, which, tmp_path):
    page = request.getfixturevalue(which)
    page.open("/")
    page.find("#example button").click()
    path = tmp_path / "resnet50-example.log"
    path.write_bytes(service.api.get("/assets/example.log").content)
    assert report_of(service, page.assessment()) == opcheck("check", path, "-f", "json").out


def test_work_that_takes_long_is_followed_to_its_end(service, blank, tmp_path):
    path = tmp_path / "long.json"
    many_operators(path, 30000)
    blank.find("#file").send_keys(str(path))
    blank.find("#send").click()
    assert until(lambda: blank.script("""const of = (id) => document.getElementById(id);
        return of("state").textContent && of("progress").offsetParent && of("send").disabled"""))
    assert until(lambda: blank.driver.current_url != blank.base + "/", seconds=300)  # with sanitizers and a busy machine
    assert service.api.json("/api/v1/assessments/" + blank.assessment())["name"] == "long.json"


def test_models_that_ran_last_stand_on_the_first_page(service, browser):
    service.api.submit(SMALL.read_bytes(), name="t.log", model="trendy", branch="main", target="npu")
    browser.open("/")
    row = browser.find("#models tbody tr")
    assert row.text.startswith("trendy main") and row.find_elements(By.CSS_SELECTOR, "svg.spark rect")
    browser.follow(row.find_element(By.CSS_SELECTOR, "a"))
    assert browser.find("h1").text == "trendy"


def test_chosen_releases_are_those_of_the_report(service, blank):
    browser = blank
    browser.find("#mode-all").click()
    browser.find("#file").send_keys(str(SMALL))
    for target, values in (("npu", {"npu@v1.8.1", "npu@v2.1.0-6.0.0"}), ("musa", set())):
        for option in browser.all("#target-%s option" % target):
            wanted = option.get_attribute("value") in values
            browser.script("arguments[0].selected = arguments[1]", option, wanted)
    browser.find("#send").click()
    record = service.api.json("/api/v1/assessments/" + browser.assessment())
    assert set(record["options"]["targets"]) == {"npu@v1.8.1", "npu@v2.1.0-6.0.0"}


def test_what_the_form_states_is_in_the_report(service, opcheck, blank):
    browser = blank
    browser.find("#file").send_keys(str(SMALL))
    browser.find("#mode-versions").click()
    browser.find("fieldset details summary").click()
    browser.find("#torch").send_keys("2.7.1")
    browser.find("#dtype").send_keys("fp32, bf16")
    browser.find("#max_uncovered_time").send_keys("10%")
    browser.find("#require_dtypes").click()
    browser.find("#send").click()
    chosen = browser.assessment()
    options = service.api.json("/api/v1/assessments/" + chosen)["options"]
    assert (options["dtype"], options["max_uncovered_time"], options["require_dtypes"]) == (["fp32", "bf16"], "10.0000%", True)
    direct = opcheck("check", SMALL, "--torch", "2.7.1", "--dtype", "fp32,bf16", "--max-uncovered-time", "10%", "-f", "json")
    assert report_of(service, chosen) == direct.out


def test_an_error_is_told_beside_the_form(blank, tmp_path):
    browser = blank
    wrong = tmp_path / "<b>wrong.log"
    wrong.write_text("no table in here\n")
    browser.find("#file").send_keys(str(wrong))
    browser.find("#mode-versions").click()
    browser.find("#torch").send_keys("2.7.1")
    browser.find("#send").click()
    problem = browser.find("#problem")
    assert until(lambda: problem.is_displayed() and browser.find("#send").is_enabled())
    assert "<b>wrong.log: no profiler table" in problem.text and "OPC-3005" in problem.text
    # the form is as it was, and works
    assert browser.find("#torch").get_attribute("value") == "2.7.1"
    assert browser.script("return document.getElementById('file').files[0].name") == "<b>wrong.log"
    browser.find("#file").clear()  # another file is chosen in place of it
    browser.find("#file").send_keys(str(SMALL))
    assert until(lambda: not problem.is_displayed())
    browser.find("#send").click()
    browser.assessment()
    complaints = browser.complaints()
    assert all("422" in text for text in complaints), complaints  # the browser notes the refused upload itself


def test_without_scripts_an_error_is_a_page(scriptless, tmp_path):
    wrong = tmp_path / "wrong.log"
    wrong.write_text("no table in here\n")
    scriptless.open("/?lang=zh-CN")
    scriptless.find("#file").send_keys(str(wrong))
    scriptless.find("#send").click()
    assert until(lambda: "没有找到 profiler 表格" in scriptless.driver.title), scriptless.driver.title
    assert "OPC-3005" in scriptless.find("main").text and "没有找到 profiler 表格" in scriptless.find("h1").text
    assert not scriptless.all(".js-only-inline:not([hidden])") or not scriptless.find("main").text.count("拖")


@pytest.mark.parametrize("name", ('<img src=x onerror=alert(1)>.log', "a\"b'c&lt;.log", "日志 训练.log", "100%25 a%22b.log"))
@pytest.mark.parametrize("which", ("browser", "scriptless"))
def test_any_file_name_is_shown_as_it_is(request, service, opcheck, tmp_path, which, name):
    page = request.getfixturevalue(which)
    page.complaints()
    path = tmp_path / name
    path.write_bytes(SMALL.read_bytes())
    page.open("/")
    page.find("#file").send_keys(str(path))
    page.find("#send").click()
    number = page.assessment()
    if "%22" not in name:  # which browsers write for a quote and do not tell apart
        assert report_of(service, number) == opcheck("check", path, "-f", "json").out
        assert name in page.find("h1 + p").text
        page.open("/")
        assert name in [link.text for link in page.all("td a.name")]
    assert page.all("img") == []
    assert page.complaints() == []


def rows(browser, column):
    """The text of a column, of the rows that are shown."""
    return browser.script("""return [...document.querySelectorAll("#operators tr[data-name]")].filter((row) => row.offsetParent)
        .map((row) => row.cells[arguments[0]].innerText.trim())""", column)


def open_report(service, browser, dump=SMALL, fragment="", **options):
    record = service.api.submit(dump.read_bytes(), name=dump.name, **options).json()
    browser.open(record["links"]["page"] + fragment)
    return record


def test_the_table_of_a_report_is_sorted_by_its_headings(service, browser):
    open_report(service, browser)
    number = lambda text: float(text.replace("%", "").strip())  # noqa: E731
    grave = lambda text: ["error", "warning", "note", ""].index(text)  # noqa: E731
    given = list(zip(map(grave, rows(browser, 0)), [-number(text) for text in rows(browser, 1)]))
    assert given == sorted(given) and len(given) > 20 and given[0][0] < given[-1][0]
    for column, key in ((1, number), (2, number), (3, str.lower), (1, number), (0, grave)):
        for again in range(2):
            browser.all("#operators thead th button")[column].click()
            order = browser.all("#operators thead th")[column].get_attribute("aria-sort")
            shown = [key(text) for text in rows(browser, column)]
            assert shown == sorted(shown, reverse=order == "descending"), (column, order)
    assert len(browser.all("#operators thead th[aria-sort]")) == 1


def test_the_table_of_a_report_is_filtered_and_the_address_remembers(service, browser):
    open_report(service, browser)
    everything = len(rows(browser, 3))
    browser.find("#search").send_keys("norm back")
    names = rows(browser, 3)
    assert 0 < len(names) < everything and all("norm" in name and "back" in name for name in names)
    assert browser.find("#shown").text == "%d / %d" % (len(names), everything)
    assert until(lambda: browser.driver.current_url.endswith("#q=norm+back"))
    address = browser.driver.current_url
    browser.find("#search").clear()
    browser.find("#search").send_keys(" ")
    browser.script("const s = document.getElementById('status'); s.value = 'composite'; s.dispatchEvent(new Event('input'))")
    composite = rows(browser, 3)
    assert 0 < len(composite) < everything
    browser.open("/help")
    browser.driver.get(address)
    assert rows(browser, 3) == names
    # a filter that fits nothing leaves nothing, and its removal brings all back
    browser.find("#search").send_keys("zzz")
    assert rows(browser, 3) == []


def test_every_filter_comes_back_with_the_address(service, browser):
    record = open_report(service, browser)
    report = service.api.json(record["links"]["report"] + ".json")
    target = report["targets"][0]["id"]
    worst = {f["rule"]: set() for f in report["findings"] if f["operator"]}
    for finding in report["findings"]:
        worst.get(finding["rule"], set()).add(finding["operator"])
    rule = max(worst, key=lambda one: len(worst[one]))
    cases = (({"target": target, "status": "composite"},
              {o["name"] for o in report["operators"] if o["verdicts"][target]["status"] == "composite"}),
             ({"shapes": "static"}, {o["name"] for o in report["operators"] if o["dynamic"]["kind"] == "static"}),
             ({"ns": "aten"}, {o["name"] for o in report["operators"] if o["name"].startswith("aten::")}),
             ({"rule": rule}, worst[rule]))
    for state, expected in cases:
        fragment = urllib.parse.urlencode(state)
        browser.open("/help")
        browser.open(record["links"]["page"] + "#" + fragment)
        assert set(rows(browser, 3)) == expected, state
        assert until(lambda: browser.driver.current_url.endswith("#" + fragment)), browser.driver.current_url
    browser.open("/help")  # to another fragment alone the page would not be left
    browser.open(record["links"]["page"] + "#sort=-3")
    names = rows(browser, 3)
    assert names == sorted(names, key=str.lower, reverse=True)


def test_a_module_is_chosen_with_all_that_is_inside_and_a_target_by_its_tab(opcheck, browser, tmp_path):
    asked = ("check", FIXTURES / "traces" / "lastbatch.c.trace.json.gz")
    report = opcheck(*asked, "-f", "json").json
    places = [place["path"] for place in report["modules"]]
    saved = tmp_path / "modules.html"
    saved.write_bytes(opcheck(*asked, "-f", "html").out)
    inside = lambda path: {o["name"] for o in report["operators"]  # noqa: E731
                           if any(places[at] == path or places[at].startswith(path + "/") for at in o.get("in_modules", []))}
    shown = min((inside(path), path) for path in places if inside(path))
    for path in (places[0], shown[1]):
        browser.open("/help")
        browser.driver.get(saved.as_uri() + "#" + urllib.parse.urlencode({"module": path}))
        assert set(rows(browser, 3)) == inside(path) < {o["name"] for o in report["operators"]}
        assert len(inside(path)) == report["modules"][places.index(path)]["operators"]
    first, second = browser.all(".tabs")[0].find_elements(By.CSS_SELECTOR, "details")
    assert abs(first.find_element(By.TAG_NAME, "summary").rect["y"] - second.find_element(By.TAG_NAME, "summary").rect["y"]) < 1
    second.find_element(By.TAG_NAME, "summary").click()
    seen = "return arguments[0].querySelector('svg').checkVisibility({ contentVisibilityProperty: true })"
    assert [browser.script(seen, tab) for tab in (first, second)] == [False, True]


def test_fixes_can_be_ticked(opcheck, browser, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    report = opcheck("check", dump, "-t", "musa@v1.3.0", "-f", "json").json
    fixes = report["targets"][0]["fixes"]
    # no fact leads to a fix that builds on another today: a report may say so
    parent, child = (next(i for i, fix in enumerate(fixes) if fix["kind"] == kind) for kind in ("replace", "settle"))
    fixes[child]["alone"]["after"] = parent + 1
    (tmp_path / "mixed.report.json").write_text(json.dumps(report))
    saved = tmp_path / "mixed.html"
    saved.write_bytes(opcheck("convert", tmp_path / "mixed.report.json", "-f", "html").out)
    browser.driver.get(saved.as_uri())
    figures = lambda: [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")[3:]] for row in browser.all("tr[data-alone]")]  # noqa: E731
    lines = lambda: browser.script("return [...document.querySelectorAll('.curve polyline')].map((l) => l.getAttribute('points'))")  # noqa: E731
    boxes = browser.all("tr[data-alone] input")
    way, drawn = figures(), lines()
    assert len(boxes) == len(fixes) and [int(row[2]) for row in way] == [fix["blockers"] for fix in fixes]
    # nothing is ticked at first: the sum is the state now, the rows are the whole plan
    assert not any(box.is_selected() for box in boxes) and not browser.all("tr.off")
    now = report["targets"][0]["readiness"]["time"]
    assert browser.find(".sum").text.startswith("Ticked: 0 of %d. On device %.1f" % (len(fixes), 100 * now["lo"]))
    for box in boxes:
        if not box.is_selected():  # one that others build on may be ticked by them
            box.click()
    assert (figures(), lines()) == (way, drawn)
    assert browser.find(".sum").text.startswith("Ticked: %d of %d. On device 100.0 %%" % (len(fixes), len(fixes)))
    # without the move to another release, what only that brings is gone, at once and everywhere
    assert fixes[0]["kind"] == "release"
    boxes[0].click()
    assert figures() != way and lines() != drawn and "%d of %d" % (len(fixes) - 1, len(fixes)) in browser.find(".sum").text
    boxes[0].click()
    assert (figures(), lines()) == (way, drawn)
    # what builds on another fix goes with it and brings it back
    boxes[parent].click()
    assert not boxes[child].is_selected() and boxes[0].is_selected()
    boxes[child].click()
    assert boxes[parent].is_selected() and figures() == way
    assert boxes[child].get_attribute("aria-label") == "%s %s" % ("test", fixes[child]["what"])
    assert browser.complaints() == [] or all("favicon" in text for text in browser.complaints())


def test_the_number_of_sizes_to_pad_to_is_chosen(opcheck, browser, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    dim = opcheck("check", dump, "-f", "json").json["buckets"][0]
    saved = tmp_path / "mixed.html"
    saved.write_bytes(opcheck("check", dump, "-f", "html").out)
    browser.driver.get(saved.as_uri())
    browser.find("details:has(> .slider) > summary").click()  # as many sizes as padding would use: closed
    slider = browser.find(".slider input")
    for keys, at in ((Keys.HOME, 0), (Keys.ARROW_RIGHT, 1), (Keys.END, len(dim["plans"]) - 1)):
        slider.send_keys(keys)
        plan = dim["plans"][at]
        says = browser.find(".slider output").text
        assert says.startswith("%d \u00b7 " % plan["k"]) and says.endswith(" ".join(map(str, plan["sizes"])))
        edges = browser.script("return [...document.querySelector('.padding').querySelectorAll('.edge title')].map((t) => t.textContent)")
        assert edges == list(map(str, plan["sizes"]))


def test_details_of_an_operator_have_the_whole_width(service, browser):
    open_report(service, browser)
    browser.find("#operators summary").click()
    opened = browser.find("#operators tr.inside td")
    assert until(opened.is_displayed)
    assert opened.rect["width"] > 0.9 * browser.find("#operators").rect["width"]
    # evidence cites the numbered list of addresses, and leads to it
    cited = opened.find_element(By.CSS_SELECTOR, "a[href^='#source-']")
    listed = browser.find(cited.get_attribute("hash"))
    assert listed.text.startswith("https://")
    cited.click()
    assert until(lambda: browser.script("return arguments[0].getBoundingClientRect().top < innerHeight", listed))
    browser.find("#operators summary").click()
    assert until(lambda: not browser.all("#operators tr.inside"))


def test_keys_and_contents_lead_through_a_report(service, browser):
    record = open_report(service, browser)
    report = service.api.json(record["links"]["report"] + ".json")
    heads = [head.text for head in browser.all("main > h2")]
    assert [link.text for link in browser.all(".contents a")] == heads and len(heads) > 4
    assert browser.script("""return new Promise((done) => new PerformanceObserver((shifts) => done(shifts.getEntries().map((one) => one.value)))
        .observe({type: "layout-shift", buffered: true}) || setTimeout(() => done([]), 500))""") == []
    browser.all(".contents a")[-1].click()
    in_view = "return document.querySelectorAll('main > h2')[arguments[0]].getBoundingClientRect().top < innerHeight"
    assert until(lambda: browser.script(in_view, len(heads) - 1))
    leading = [cause for cause in report["causes"] if not cause.get("under")]
    for key in "nnp":
        webdriver.ActionChains(browser.driver).send_keys(key).perform()
    assert until(lambda: browser.driver.switch_to.active_element.text == leading[0]["text"])
    # what a cause opens to leads to the rows of the table
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    links = lambda: [link for link in browser.all("a[href^='#rule=']") if link.is_displayed()]  # noqa: E731
    assert until(links)
    links()[0].click()
    expected = {finding["operator"] for finding in report["findings"] if finding["rule"] == leading[0]["rule"]}
    assert until(lambda: set(rows(browser, 3)) == expected)


def many_operators(path, count=1000):
    event = '{"ph": "X", "cat": "cpu_op", "name": "mine::op_%04d", "pid": 1, "tid": 1, "ts": %d, "dur": %d, "args": {"Input Dims": [[%d]]}}'
    path.write_text('{"traceEvents": [%s]}' % ",".join(event % (i, i * 5000, 2 * count - i, i + 1) for i in range(count)))


def opened(browser, name):
    """What the row of an operator says and what stands below it. Rows that come into view are built in later frames and move those in view: a
    click can miss, and a row can go."""
    row = "#operators tr[data-name='%s']" % name
    read = """const row = document.querySelector(arguments[0]); row?.scrollIntoView({ block: "center" });
        const below = row?.nextElementSibling; return below?.matches(".inside") ? [row.innerText, below.innerText] : []"""
    texts = []

    def is_open():
        texts[:] = browser.script(read, row)
        if not texts and not browser.all(row + " details[open]"):
            browser.driver.find_element(By.CSS_SELECTOR, row + " summary").click()
        return texts

    assert until(is_open)
    return texts


def test_rows_of_a_long_table_are_built_when_they_come_into_view(opcheck, browser, tmp_path):
    many_operators(tmp_path / "many.json")
    report = opcheck("check", tmp_path / "many.json", "-f", "json").json
    saved = tmp_path / "many.html"
    saved.write_bytes(opcheck("check", tmp_path / "many.json", "-f", "html", "--lang", "all").out)
    assert saved.read_text(encoding="utf-8").count('id="operator-data"') == 1
    browser.complaints()
    browser.driver.get(saved.as_uri())
    assert browser.find("#shown").text == "1000 / 1000"
    assert len(rows(browser, 3)) < 500
    to_end = "const s = document.getElementById('operators').parentElement; s.scrollIntoView(); s.scrollTop = s.scrollHeight"
    last = report["operators"][-1]
    assert until(lambda: browser.script(to_end) or last["name"] in rows(browser, 3))
    # what is said of an operator is the same from the data as in a row of the page
    row, below = opened(browser, last["name"])
    assert all(target in below for target in last["verdicts"]) and "[[1000]]" in below
    assert "%.1f %%" % (100 * last["time_share"]) in row
    # sorted and filtered as if all rows were there; the head stays in view
    browser.find("#search").send_keys("op_09")
    assert until(lambda: set(rows(browser, 3)) == {"mine::op_%04d" % i for i in range(900, 1000)})
    assert browser.find("#operators thead th").rect["y"] >= browser.find("#operators").find_element(By.XPATH, "..").rect["y"]
    # the other language has its words from the same data
    browser.find("button.language").click()
    browser.find("#search").send_keys("99")  # behind what the address kept
    row, below = opened(browser, last["name"])
    assert "出现于 step 1" in below and "[[1000]]" in below and "未知" in row
    assert browser.complaints() == []


def test_without_scripts_the_first_operators_show_and_the_page_says_that_there_are_more(service, scriptless):
    record = open_report(service, scriptless)
    names = {operator["name"] for operator in service.api.json(record["links"]["report"] + ".json")["operators"]}
    shown = {name.text for name in scriptless.all("#operators tbody .name") if name.is_displayed()}
    assert len(shown) > 20 and shown < names
    assert "%d operators in all, and what each row opens to, need a script." % len(names) in scriptless.find("main").text
    assert scriptless.find("#source-1").text.startswith("https://")
    assert not scriptless.find("#search").is_displayed()


@pytest.mark.parametrize("which", ("browser", "chinese", "scriptless"))
def test_no_page_complains(request, service, which):
    page = request.getfixturevalue(which)
    page.complaints()
    record = service.api.submit(SMALL.read_bytes(), name=SMALL.name).json()
    for path in (*PAGES, record["links"]["page"]):
        page.open(path)
        assert page.find("html").get_attribute("lang") == ("zh-CN" if which == "chinese" else "en")
        assert page.find("h1").text
        assert page.complaints() == [], path


def test_the_report_as_a_file_complains_neither_here_nor_there(service, opcheck, browser, tmp_path):
    record = service.api.submit(SMALL.read_bytes(), name=SMALL.name).json()
    browser.open(record["links"]["report"] + ".html")
    browser.find("#search").send_keys("conv")
    assert browser.find("#shown").text
    saved = tmp_path / "report.html"
    saved.write_bytes(opcheck("check", SMALL, "-f", "html").out)
    browser.driver.get(saved.as_uri())
    browser.find("#search").send_keys("conv")
    assert browser.find("#shown").text
    assert [text for text in browser.complaints() if "favicon" not in text] == []


def test_a_language_that_was_chosen_is_kept(service, browser):
    browser.open("/")
    browser.follow(browser.find(".languages a"))
    assert browser.find("html").get_attribute("lang") == "zh-CN"
    for label in ("算子", "版本", "帮助", "评估"):
        browser.follow(browser.link(label))
        assert browser.find("html").get_attribute("lang") == "zh-CN"
    browser.find("#file").send_keys(str(SMALL))
    browser.find("#send").click()
    browser.assessment()
    assert re.search("npu@[^ ]+ (无法运行|尚不确定|可运行)", browser.find("h1").text)
    browser.follow(browser.find(".languages a"))
    assert re.search("(STOPS|UNKNOWN|RUNS) on npu@", browser.find("h1").text)


def test_the_search_of_operators_leads_to_one(service, browser):
    browser.open("/operators")
    browser.find("input[name=q]").send_keys("ISIN", Keys.ENTER)
    assert until(lambda: "q=ISIN" in browser.driver.current_url)
    browser.follow(browser.link("aten::isin"))
    assert browser.find("h1").text == "aten::isin"
    choice = browser.find("#target")
    choice.send_keys("musa@v1.0.0")
    browser.follow(browser.find("form.controls button"))
    assert "target=musa" in browser.driver.current_url
    assert "musa@v1.0.0" in browser.find("section.answer").text


def test_every_link_of_the_service_leads_somewhere(service, browser):
    record = service.api.submit(SMALL.read_bytes(), name=SMALL.name).json()
    links = set()
    for path in (*PAGES, record["links"]["page"], record["links"]["page"] + "?lang=zh-CN", "/?lang=en"):
        browser.open(path)
        links |= set(browser.script("return [...document.querySelectorAll('a[href]')].map((link) => link.href)"))
    own = {urllib.parse.urldefrag(link).url for link in links if link.startswith(browser.base)}
    assert len(own) > 50
    for link in sorted(own):
        path = "/" + link.removeprefix(browser.base).removeprefix("/")
        assert service.api.get(path).status_code == 200, path


@pytest.mark.parametrize("lang", ("en", "zh-CN"))
def test_no_page_is_wider_than_a_telephone(service, browser, lang):
    record = service.api.submit(SMALL.read_bytes(), name="x" * 255, target=["npu@1.8.1", "musa@1.0.0", "npu"]).json()
    other = service.api.submit(SMALL.read_bytes(), name="y" * 255, target=["npu@1.8.1", "musa@2.7.1"]).json()
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for path in (*every_page(service), record["links"]["page"], "/compare?a=%s&b=%s" % (record["id"], other["id"])):
            browser.open(path + ("&" if "?" in path else "?") + "lang=" + lang)
            assert browser.script("return document.documentElement.scrollWidth") <= 390, path
    finally:
        browser.complaints()  # of the address where nothing is
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_long_source_line_does_not_widen_the_page(opcheck, browser, tmp_path):
    trace, saved = tmp_path / "trace.json", tmp_path / "lines.html"
    calls = [{"ph": "X", "cat": "Operator", "name": "aten::" + name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5,
              "args": {"Call stack": "/home/%s/%s.py(%d): forward" % ("long-folder/" * 12, name, i)}} for i, name in enumerate(("add", "mul"))]
    trace.write_text(json.dumps({"schemaVersion": 1, "traceEvents": calls}))
    saved.write_bytes(opcheck("check", trace, "-t", "npu@2.1.0", "-f", "html").out)
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.driver.get(saved.as_uri())
        assert browser.script("return Math.max(...[...document.querySelectorAll('select option')].map((one) => one.text.length))") > 150
        assert browser.script("return document.documentElement.scrollWidth") <= 390
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_releases_on_a_telephone_begin_at_the_mark(opcheck, browser, tmp_path):
    saved = tmp_path / "releases.html"
    saved.write_bytes(opcheck("check", SMALL, "-t", "npu@2.12.0", "-f", "html").out)
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.driver.get(saved.as_uri())
        box, names, mark = browser.script("""const mark = document.querySelector(".releases .mark rect"), side = (e) => e.getBoundingClientRect().toJSON();
            return [side(mark.closest(".wide")), side(mark.closest(".wide").firstChild), side(mark)]""")
        # beside the names, which stay
        assert box["width"] < 390 and abs(names["left"] - box["left"]) < 1 and names["right"] < mark["left"] and mark["right"] < box["right"]
        assert browser.script("return document.querySelector('.wide:has(.releases)').scrollLeft") > 0
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def luminance(color):
    channels = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_text_stands_out_from_what_is_behind_it(service, browser, scheme):
    """WCAG AA: 4.5 to 1."""
    record = service.api.submit(SMALL.read_bytes(), name=SMALL.name, target=["npu@1.8.1", "musa@1.0.0", "npu"]).json()
    feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    script = """
        const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
            if (!c.endsWith(", 0)") && c !== "transparent") return c; } return getComputedStyle(document.body).backgroundColor; };
        return [...document.querySelectorAll("a, p, h1, .tag, .soft, button, td, th, label, code, legend")]
            .filter((e) => e.offsetParent && e.textContent.trim())
            .map((e) => [getComputedStyle(e).color, behind(e), e.tagName + "." + e.className]);"""
    try:
        for path in ("/", "/operators?q=conv", "/operators/aten%3A%3Aisin", "/help", record["links"]["page"]):
            browser.open(path)
            found = {(front, back): what for front, back, what in browser.script(script)}
            for (front, back), what in found.items():
                lighter, darker = sorted((luminance(front), luminance(back)), reverse=True)
                assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (path, what, front, back)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_report_prints_without_what_only_a_screen_needs(service, browser):
    open_report(service, browser)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not browser.find(".bar-top").is_displayed() and not browser.find(".controls").is_displayed()
        # the summary goes on paper; the lists behind it stay on the screen
        assert browser.find("h1").is_displayed() and browser.find("h2").is_displayed()
        assert not browser.find("#operators").is_displayed()
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_plan_prints_on_one_page(browser, opcheck, tmp_path):
    page = tmp_path / "plan.html"
    done = opcheck("plan", FIXTURES / "torch-2.13" / "llama.a-full.log", FIXTURES.parent / "scan" / "scripts" / "imagenet.py", "-t",
                   "npu@v2.7.1-26.0.0", "-o", page)
    if "without the grammar" in done.err:
        pytest.skip("opcheck was built without the grammar of Python")
    browser.driver.get(page.as_uri())
    made = browser.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": False, "paperWidth": 8.27, "paperHeight": 11.69})
    assert len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(made["data"]))) == 1


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler-utils is not installed")
def test_paper_has_the_decision_on_one_page_and_four_in_all(opcheck, browser, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    saved, paper = tmp_path / "mixed.html", tmp_path / "mixed.pdf"
    saved.write_bytes(opcheck("check", dump, "-t", "npu@2.1.0", "-t", "musa@v1.3.0", "-f", "html").out)
    report = opcheck("check", dump, "-t", "npu@2.1.0", "-t", "musa@v1.3.0", "-f", "json").json
    browser.driver.get(saved.as_uri())
    made = browser.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": False, "paperWidth": 8.27, "paperHeight": 11.69})
    paper.write_bytes(base64.b64decode(made["data"]))
    pages = subprocess.run(["pdftotext", "-layout", paper, "-"], capture_output=True, text=True, check=True).stdout.split("\f")[:-1]
    assert 1 <= len(pages) <= 4
    first = " ".join(pages[0].split())
    assert all(target["id"] in first for target in report["targets"]) and "Effort" in first and "Risks" in first
    addresses = re.findall(r"https?://\S+", "".join(pages))
    assert len(addresses) == len(set(addresses))


@pytest.mark.skipif(not shutil.which("firefox-esr"), reason="firefox-esr is not installed")
def test_firefox_draws_a_report_too(opcheck, tmp_path):
    """What it draws is kept where OPCHECK_SCREENSHOTS says."""
    saved, kept = tmp_path / "report.html", pathlib.Path(os.environ.get("OPCHECK_SCREENSHOTS", tmp_path))
    saved.write_bytes(opcheck("check", mixed.write(tmp_path / "mixed.json"), "-t", "npu@2.1.0", "-t", "musa@v1.3.0", "-f", "html").out)
    (tmp_path / "profile").mkdir()
    subprocess.run(["firefox-esr", "--headless", "--no-remote", "--profile", tmp_path / "profile", "--window-size=1280,2400",
                    "--screenshot", kept / "firefox.png", saved.as_uri()], env={**os.environ, "HOME": str(tmp_path)}, timeout=120, check=True)
    picture = (kept / "firefox.png").read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (1280, 2400)
    assert len(picture) > 200_000  # an empty page has 10,000 bytes


def test_a_page_with_both_languages_changes_between_them(opcheck, browser, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    saved = {}
    for lang in ("en", "zh-CN", "all"):
        saved[lang] = tmp_path / (lang + ".html")
        saved[lang].write_bytes(opcheck("check", dump, "-f", "html", "--lang", lang).out)
    text = lambda: browser.script("""return [document.title, ...[...document.querySelectorAll("body > *:not(script)")]
        .map((part) => part.innerText), ...[...document.querySelectorAll("main [title], main [aria-label], main [placeholder]")]
        .map((one) => one.title + one.ariaLabel + one.placeholder)]""")  # noqa: E731
    alone = {}
    for lang in ("en", "zh-CN"):
        browser.driver.get(saved[lang].as_uri())
        alone[lang] = text()
    browser.driver.get(saved["all"].as_uri())
    for lang, name in (("en", "中文"), ("zh-CN", "English"), ("en", "中文")):
        assert browser.find("html").get_attribute("lang") == lang
        button = browser.find("button.language")
        assert button.text == name
        shown = text()
        assert [line.replace(name, "", 1).strip() for line in shown] == [line.strip() for line in alone[lang]]
        # it acts as a page of its own: filters, boxes, one step a key
        assert len(browser.all("#operators thead th button")) == len(browser.all("#operators thead th"))
        browser.find("#search").send_keys("sort")
        assert rows(browser, 3) == ["aten::sort"]
        browser.find("#search").clear()
        browser.find("#search").send_keys(" ", Keys.BACKSPACE)
        button.click()
        assert until(lambda: browser.find("html").get_attribute("lang") != lang)

