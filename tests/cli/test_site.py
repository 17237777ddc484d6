"""A site of static pages: every link leads somewhere below it, nothing is loaded from elsewhere, and the bytes are the same each time."""
import contextlib
import hashlib
import html.parser
import json
import re
import shutil
import sqlite3
import urllib.parse

import pytest

TARGETS = ("-t", "npu@2.7.1", "-t", "musa", "--releases", "3")
EMPTY = ("br", "col", "hr", "img", "input", "link", "meta", "wbr")  # elements without an end
HOSTILE = ("<img src=x onerror=alert(1)>&\"'", "../../etc/x", "ABS", "x" * 300)


class Links(html.parser.HTMLParser):
    """Addresses of a page: what it loads, where it leads, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.links, self.anchors, self.lang, self.policy, self.open = [], [], set(), None, None, []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.open += [] if tag in EMPTY else [tag]
        self.anchors |= {attrs["id"]} if "id" in attrs else set()
        self.lang = attrs["lang"] if tag == "html" else self.lang
        if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy":
            self.policy = attrs["content"]
        if tag in ("script", "img", "link", "iframe", "form", "object"):
            self.loaded += [attrs[name] for name in ("src", "href", "action", "data") if name in attrs]
        elif tag == "a":
            self.links.append(attrs["href"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()


@pytest.fixture(scope="module")
def site(opcheck, small_db, tmp_path_factory):
    """A site of two targets."""
    folder = tmp_path_factory.mktemp("site") / "public"
    done = opcheck("site", folder, *TARGETS, "--db", small_db)
    assert done.status == 0 and done.out == b"", done.err
    return folder


def pages_of(folder):
    return {path.relative_to(folder).as_posix(): Links(path) for path in sorted(folder.rglob("*.html"))}


def digest(folder):
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*") if path.is_file()}


def test_every_link_leads_to_a_page_of_the_site_or_to_a_public_source(site):
    pages, reached, todo = pages_of(site), set(), ["index.html"]
    while todo:
        name = todo.pop()
        if name in reached:
            continue
        reached.add(name)
        for address in pages[name].links:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme:
                assert parts.scheme in ("http", "https") and parts.netloc, (name, address)
                continue
            assert not address.startswith("/"), (name, address)
            path = (site / name).parent / urllib.parse.unquote(parts.path) if parts.path else site / name
            target = path.resolve().relative_to(site.resolve()).as_posix()
            assert target in pages, (name, address)
            assert not parts.fragment or parts.fragment in pages[target].anchors, (name, address)
            todo.append(target)
    assert reached == set(pages) and len(pages) > 300
    assert not any(page.open for page in pages.values())


def test_nothing_is_loaded_but_files_of_the_site(site):
    for name, page in pages_of(site).items():
        assert page.policy and "default-src 'none'" in page.policy and "http" not in page.policy
        assert len(page.loaded) == 5
        for address in page.loaded:
            assert not urllib.parse.urlsplit(address).scheme and not address.startswith("/")
            assert ((site / name).parent / address).is_file(), (name, address)
    assert not [path for path in (site / "assets").iterdir() if re.search(rb"https?://(?!www\.w3\.org/)", path.read_bytes())]


def test_every_page_is_there_in_both_languages(site):
    pages = pages_of(site)
    english = {name for name in pages if not name.startswith("zh-CN/")}
    assert {name for name in pages if name.startswith("zh-CN/")} == {"zh-CN/" + name for name in english}
    assert all(page.lang == ("zh-CN" if name.startswith("zh-CN/") else "en") for name, page in pages.items())
    assert "版本" in (site / "zh-CN/index.html").read_text(encoding="utf-8")


def test_pages_say_what_the_command_says(opcheck, small_db, site):
    rows = opcheck("op", "aten::isin", *TARGETS[:4], "-f", "json", "--db", small_db).json["operators"][0]["verdicts"]
    text = (site / "operators/aten.isin.html").read_text(encoding="utf-8")
    for target, verdict in rows.items():
        assert re.search(r'<strong class="name">%s</strong> <span class="tag s-%s' % (re.escape(target), verdict["status"]), text)
    data = (site / "index.js").read_text(encoding="utf-8")
    index = json.loads(data[len("window.opcheckIndex = "):-2])
    assert sorted(index["targets"]) == sorted(rows)
    entry = next(entry for entry in index["operators"] if entry[0] == "aten::isin")
    assert {target: index["statuses"][status][0] for target, status in zip(index["targets"], entry[2:])} == {
        target: verdict["status"] for target, verdict in rows.items()}
    assert len(index["operators"]) == len(list((site / "operators").iterdir()))


def test_a_release_lists_the_operators_that_do_not_run_there(opcheck, small_db, site):
    releases = sorted(path.stem for path in (site / "releases").iterdir())
    rows = (site / "releases.html").read_text(encoding="utf-8")
    assert len(releases) == 6 and sum(name.startswith("npu@") for name in releases) == 3
    for release in releases:
        page = Links(site / "releases" / (release + ".html"))
        assert re.search(r">%s</a></td><td>\d+\.[\d.]+</td>" % re.escape(release), rows), release
        listed = {urllib.parse.unquote(link).rsplit("/", 1)[1][:-5].replace(".", "::", 1) for link in page.links if "operators/" in link}
        assert listed
        status = opcheck("op", "aten::isin", "-t", release, "-f", "json", "--db", small_db).json["operators"][0]["verdicts"][release]["status"]
        assert ("aten::isin" in listed) >= (status in ("unsupported", "cpu-fallback", "needs-package"))


def test_the_same_database_gives_the_same_bytes_and_replaces_an_earlier_site(opcheck, small_db, site, tmp_path):
    other = tmp_path / "again"
    assert opcheck("site", other, *TARGETS, "--db", small_db, "-q", env={"LC_ALL": "C", "TZ": "Asia/Shanghai"}).err == ""
    assert digest(other) == digest(site)
    (other / "CNAME").write_text("ops.example")
    (other / "operators/aten.gone.html").write_text("of an earlier one")
    (other / "operators/aten.isin.html").unlink()
    (other / "operators/aten.isin.html").symlink_to(tmp_path / "outside")
    (tmp_path / "outside").write_text("kept")
    assert opcheck("site", other, *TARGETS, "--db", small_db).status == 0
    assert (tmp_path / "outside").read_text() == "kept" and (other / "CNAME").read_text() == "ops.example"
    (other / "CNAME").unlink()
    assert digest(other) == digest(site)


def test_a_folder_with_other_files_is_refused(opcheck, small_db, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/index.html").write_text("<html>my own page</html>")
    done = opcheck("site", tmp_path / "mine", "--db", small_db)
    assert done.status == 2 and "OPC-2008" in done.err and [path.name for path in (tmp_path / "mine").iterdir()] == ["index.html"]
    (tmp_path / "file").write_text("x")
    done = opcheck("site", tmp_path / "file", "--db", small_db)
    assert done.status == 6 and "OPC-6001" in done.err and "hint" not in done.err.splitlines()[0]
    assert opcheck("site", tmp_path / "no" / "such", "--db", small_db).status == 6
    for wrong in ("0", "-1", "x", "1001"):
        done = opcheck("site", tmp_path / "new", "--releases=" + wrong, "--db", small_db)
        assert done.status == 2 and "OPC-2003" in done.err and not (tmp_path / "new").exists()


def test_names_of_any_bytes_are_escaped_and_have_files_of_their_own(opcheck, small_db, tmp_path):
    shutil.copy(small_db, tmp_path / "odd.sqlite")
    with contextlib.closing(sqlite3.connect(tmp_path / "odd.sqlite")) as database, database:
        database.executemany("INSERT INTO name VALUES ('aten', ?)", [(name,) for name in HOSTILE])
    done = opcheck("site", tmp_path / "odd", *TARGETS, "--db", tmp_path / "odd.sqlite")
    assert done.status == 0, done.err
    pages = pages_of(tmp_path / "odd")
    assert all(re.fullmatch(r"(zh-CN/)?([a-z]+/)?[a-z0-9_.~@-]{1,160}\.html", name) for name in pages)
    files = {path.name for path in (tmp_path / "odd/operators").iterdir()}
    assert {"aten.abs.html", "aten.~41~42~53.html", "aten.~2e~2e~2f~2e~2e~2fetc~2fx.html"} <= files
    index = json.loads((tmp_path / "odd/index.js").read_text(encoding="utf-8")[len("window.opcheckIndex = "):-2])
    assert {"aten::" + name for name in HOSTILE} <= {entry[0] for entry in index["operators"]} and len(index["operators"]) == len(files)
    for name in pages:
        assert "<img" not in (tmp_path / "odd" / name).read_text(encoding="utf-8")
    linked = {urllib.parse.unquote(link).rsplit("/", 1)[1] for link in pages["operators.html"].links if "operators/" in link}
    assert linked == files
    assert "</script" not in (tmp_path / "odd/index.js").read_text(encoding="utf-8") and "<img" not in (tmp_path / "odd/index.js").read_text(encoding="utf-8")
