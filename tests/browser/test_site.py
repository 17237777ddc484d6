"""The pages of `opcheck site` in a browser: from files and below a path of a server, with and without scripts; axe on three of them."""
import functools
import http.server
import os
import threading

import pytest

pytest.importorskip("selenium", reason="python3-selenium is not installed")
from selenium.webdriver.common.keys import Keys  # noqa: E402
from test_axe import look, serious  # noqa: E402
from test_pages import Browser, until  # noqa: E402


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(opcheck, small_db, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "deep" / "public"
    folder.parent.mkdir()
    done = opcheck("site", folder, "-t", "npu@2.7.1", "-t", "musa", "--releases", "2", "--db", small_db)
    assert done.status == 0, done.err
    return folder


@pytest.fixture(scope="module")
def served(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site.parent.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "http://127.0.0.1:%d/deep/public" % server.server_port
    server.shutdown()


@pytest.fixture(scope="module")
def page():
    opened = Browser("")
    yield opened
    opened.close()


@pytest.mark.parametrize("lang, status", (("", "native"), ("/zh-CN", "原生")))
@pytest.mark.parametrize("place", ("file", "served"))
def test_an_operator_is_found_by_a_part_of_its_name(page, site, served, place, lang, status):
    page.base = site.as_uri() if place == "file" else served
    page.open(lang + "/recipes.html")
    page.complaints()
    page.find("#find").send_keys("IsIn at")
    assert until(lambda: [found.text for found in page.all("#found a")] == ["aten::isin"])
    assert status in page.find("#found li").text
    page.find("#find").send_keys(Keys.CONTROL, "a")
    page.find("#find").send_keys("<b>")
    assert until(lambda: page.all("#found a") == [] and page.find("#found p").text.startswith("0 "))
    page.find("#find").send_keys(Keys.CONTROL, "a")
    page.find("#find").send_keys("isin")
    assert until(lambda: page.all("#found a"))
    page.follow(page.find("#found a"))
    assert page.find("h1").text == "aten::isin" and page.driver.current_url == page.base + lang + "/operators/aten.isin.html"
    assert page.complaints() == []


def test_pages_are_whole_without_scripts(site):
    page = Browser(site.as_uri(), scripts=False)
    try:
        page.open("/index.html")
        assert not page.find("#find").is_displayed()
        page.link("Operators").click()
        assert until(lambda: page.driver.current_url.endswith("/operators.html"))
        assert page.find("main a[href$='aten.isin.html']").is_displayed()
    finally:
        page.close()


@pytest.mark.skipif(not os.environ.get("OPCHECK_AXE"), reason="OPCHECK_AXE names no axe.min.js: tests/browser/axe.sh fetches it")
@pytest.mark.parametrize("width, scheme", ((1280, "light"), (390, "dark")))
@pytest.mark.parametrize("path", ("/index.html", "/operators/aten.isin.html", "/zh-CN/releases/*.html"))
def test_no_page_of_a_site_keeps_anybody_out(page, site, path, width, scheme):
    page.base = site.as_uri()
    look(page, width, scheme)
    page.open("/" + min(site.glob(path[1:])).relative_to(site).as_posix())
    page.find("#find").send_keys("is")
    assert until(lambda: page.all("#found a"))
    assert serious(page) == []
