"""No page keeps anybody out: axe-core finds nothing serious, in both themes and languages, on a desk and on a telephone."""
import os
import pathlib

import pytest

pytest.importorskip("selenium", reason="python3-selenium is not installed")
from daemon import wait_until  # noqa: E402
from test_pages import browser, every_page, many_operators  # noqa: E402, F401

AXE = os.environ.get("OPCHECK_AXE")
RUN = """const done = arguments[arguments.length - 1];
axe.run({ resultTypes: ["violations"] }).then((found) => done(found.violations.filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => [v.id, v.nodes.length, v.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))])));"""
pytestmark = pytest.mark.skipif(not AXE, reason="OPCHECK_AXE names no axe.min.js: tests/browser/axe.sh fetches it")


def serious(page):
    page.script(pathlib.Path(AXE).read_text(encoding="utf-8"))
    page.driver.set_script_timeout(120)
    return page.driver.execute_async_script(RUN)


def look(page, width, scheme):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


@pytest.fixture
def plain(browser):  # noqa: F811
    yield browser
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("width, scheme, lang", ((1280, "light", "en"), (390, "dark", "en"), (1280, "dark", "zh-CN"), (390, "light", "zh-CN")))
def test_no_page_of_the_service_keeps_anybody_out(service, plain, width, scheme, lang):
    look(plain, width, scheme)
    found = {}
    for path in every_page(service):
        plain.open(path + ("&" if "?" in path else "?") + "lang=" + lang)
        if serious(plain):
            found[path] = serious(plain)
    assert found == {}


@pytest.mark.parametrize("width, scheme", ((1280, "light"), (390, "dark")))
def test_no_report_in_a_file_keeps_anybody_out(opcheck, plain, tmp_path, width, scheme):
    many_operators(tmp_path / "many.json")
    saved = tmp_path / "many.html"
    saved.write_bytes(opcheck("check", tmp_path / "many.json", "-f", "html").out)
    look(plain, width, scheme)
    plain.driver.get(saved.as_uri())
    plain.find("main td summary").click()
    plain.find("#operators summary").click()
    assert wait_until(lambda: plain.all("#operators tr.inside"))
    assert serious(plain) == []
