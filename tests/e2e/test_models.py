"""The pages of a team without scripts: models, their trend, what changed, runs that are renamed, kept and removed."""
import html
import os
import re
import subprocess
import urllib.parse

import pytest
import yaml

from conftest import FIXTURES, ROOT, environment, program
from daemon import DUMP, SMALL, begin
from test_access import add, bearer

CI = ROOT / "deploy" / "ci"
TRACE = FIXTURES / "traces" / "lastbatch.c.trace.json.gz"
HOSTILE = "<img src=x>/\"'&$(id)"


def text_of(page):
    """What a page shows, without its markup."""
    main = re.search(r"<main.*?</main>", page, re.S).group()
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", main)))


def page(daemon, path, **options):
    reply = daemon.api.get(path, headers={"Accept": "text/html"}, **options)
    assert reply.status_code == 200, reply.text
    return reply.text


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """Two branches of a model, one of which got worse, and models of a project and of a hostile name."""
    daemon = begin(tmp_path_factory.mktemp("team") / "state")
    for dump, settings in (
            (SMALL, {"model": "resnet", "branch": "main", "commit": "c1", "target": ["npu@v2.7.1-26.0.0", "musa"]}),
            (DUMP, {"model": "resnet", "branch": "main", "commit": "c2", "target": ["npu@v2.7.1-26.0.0", "musa"], "tag": "nightly"}),
            (DUMP, {"model": "resnet", "branch": "dev", "target": ["npu@1.8.1", "musa@1.0.0"]}),
            (SMALL, {"model": "llama", "project": "p1", "target": "npu"}),
            (SMALL, {"model": HOSTILE, "target": "npu"})):
        assert daemon.api.submit(dump.read_bytes(), name=dump.name, **settings).status_code in (200, 201)
    yield daemon
    daemon.stop()


def test_a_row_a_model_and_branch_has_what_the_fleet_has(team):
    shown = page(team, "/models")
    rows = re.findall(r"<tr>.*?</tr>", shown.split("<tbody>")[1], re.S)
    items = team.api.json("/api/v1/fleet")["items"]
    assert len(rows) == len(items) == 4
    for row, item in zip(rows, items):
        assert item["model"] in html.unescape(row)
        for target in item["targets"]:
            assert target["id"] in row and "v-" + target["verdict"] in row
        short, badge = re.findall(r'<a href="([^"]+)">', row)
        newest = team.api.json("/api/v1/runs", params={"model": item["model"], "branch": item["branch"]})["items"][0]
        assert newest["assessment"].startswith(short[len("/assessments/"):]) and len(short) < 30 and team.api.get(short).status_code == 200
        assert team.api.get(html.unescape(badge)).headers["Content-Type"] == "image/svg+xml"
        assert row.count("<rect") == team.api.json("/api/v1/models", params={"model": item["model"], "branch": item["branch"]})["total"]
    assert "nightly" in shown and "p1" in shown and "<img" not in shown


@pytest.mark.parametrize("words, found", (("RES", ["resnet", "resnet"]), ("lama", ["llama"]), ("100%", []), ("_", [])))
def test_a_search_finds_parts_of_names_in_either_case(team, words, found):
    assert re.findall(r'<a class="name"[^>]*>(\w+)</a>', page(team, "/models", params={"q": words})) == found


def test_a_list_goes_on_where_it_ended(fresh):
    daemon = fresh()
    for at in range(33):
        daemon.api.submit(SMALL.read_bytes(), model="m%02d" % at, target="npu")
    first = page(daemon, "/models?lang=en")
    following = page(daemon, html.unescape(re.search(r'rel="next" href="([^"]+)"', first).group(1)))
    names = re.findall(r'<a class="name"[^>]*>(m\d+)</a>', first) + re.findall(r'<a class="name"[^>]*>(m\d+)</a>', following)
    assert names == ["m%02d" % at for at in range(33)] and 'rel="next"' not in following


def test_a_list_of_one_project_goes_on_in_that_project(fresh):
    daemon = fresh()
    for settings in [{"model": "m%03d" % at, "project": "p&1"} for at in range(101)] + [{"model": "other", "project": "p2"}]:
        daemon.api.submit(SMALL.read_bytes(), target="npu", **settings)
    for path, rows in (("/models", 30), ("/fleet", 100)):
        names, address = [], path + "?lang=en&project=p%261"
        while address:
            shown = page(daemon, address)
            names += re.findall(r'<a class="name"[^>]*>(m\d+|other)</a>', shown)
            assert path == "/fleet" or 'name="project" value="p&amp;1"' in shown
            following = re.search(r'rel="next" href="([^"]+)"', shown)
            address = html.unescape(following.group(1)) if following else None
            assert len(names) % rows == 0 or not address
        assert names == ["m%03d" % at for at in range(101)]
    shown = page(daemon, "/demand?lang=en&project=p%261&target=npu")
    assert 'name="project" value="p&amp;1"' in shown and '/api/v1/demand.md?project=p%261&amp;target=npu&amp;lang=en"' in shown


def test_the_trend_of_a_model_is_that_of_the_interface(team):
    shown = page(team, "/models/resnet?branch=main")
    points = team.api.json("/api/v1/models", params={"model": "resnet", "branch": "main"})["items"]
    rows = re.findall(r"<tr>.*?</tr>", shown.split('id="runs"')[1].split("<tbody>")[1], re.S)
    assert len(rows) == len(points) == 2
    for row, point in zip(rows, points):
        assert point["run"] in row and point["commit"] in row
        assert "%.1f %%" % (100 * min(t["readiness"]["lo"] for t in point["targets"])) in text_of("<main>%s</main>" % row)
    # the drawing has a bar for each run on each target, and each says what it is
    drawing = re.search(r'<svg class="drawing releases trend".*?</svg>', shown, re.S).group()
    assert len(re.findall(r"<title>\d{4}-", drawing)) == sum(len(point["targets"]) for point in points)
    # an axis with its unit for each target, and the days of the runs
    names = re.search(r'<svg class="names".*?</svg>', shown, re.S).group()
    targets = {target["id"] for point in points for target in point["targets"]}
    assert [names.count(">%s</text>" % end) for end in ("100 %", "0 %")] == [len(targets)] * 2
    assert all(">%s</text>" % target in names for target in targets) and ">%s</text>" % points[-1]["created_at"][:10] in drawing
    newest = points[0]["targets"][0]
    assert newest["id"] in text_of(shown) and "v-" + newest["verdict"] in shown


def test_the_digest_of_a_commit_is_short_in_the_trend_and_whole_on_the_page_of_its_run(fresh):
    daemon = fresh()
    digest, word = "0123456789abcdef0123456789abcdef01234567", "release-of-the-2026-11-28-with-a-long-name"
    runs = [daemon.api.submit(SMALL.read_bytes(), model="m", commit=commit).json()["run"]["id"] for commit in (digest, word)]
    rows = page(daemon, "/models/m").split('id="runs"')[1]
    assert digest[:12] in rows and digest not in rows and word in rows
    assert digest in page(daemon, "/runs/" + runs[0])


def test_a_trend_breaks_exactly_where_captures_differ(fresh):
    daemon = fresh()
    for dump in (SMALL, SMALL, DUMP, DUMP):  # the first one shows 84 % of the time
        daemon.api.submit(dump.read_bytes(), name=dump.name, model="resnet", target=["npu", "musa"])
    trend = {"model": "resnet"}
    points = daemon.api.json("/api/v1/models", params=trend)["items"]
    assert [point["captures_differ"] for point in points] == [False, True, False, False]
    assert [(point["basis"], point["shown"]) for point in points] == [("self_cpu_time", 1)] * 2 + [("self_cpu_time", 0.84405)] * 2
    assert daemon.api.json("/api/v1/models", params={**trend, "limit": 2})["items"] == points[:2]
    shown = page(daemon, "/models/resnet?lang=en")
    drawing = re.search(r'<svg class="drawing releases trend".*?</svg>', shown, re.S).group()
    lines = [(int(x), int(x) + int(width)) for x, width in re.findall(r'<rect x="(\d+)"(?: y="\d+")? width="(\d+)" height="1"', drawing)]
    bars = sorted({int(x) for x in re.findall(r'<rect x="(\d+)"[^>]*><title>\d{4}-', drawing)})
    (older, newer), = set(zip(lines[::2], lines[1::2]))
    assert older[0] <= bars[0] < bars[1] < older[1] < newer[0] <= bars[2] < bars[3] < newer[1]
    assert re.findall(r"<title>(Captures.*?)</title>", drawing) == [
        "Captures not comparable: they show 84.4 % of self CPU time and 100.0 % of self CPU time"] * 2
    rows = re.findall(r"<tr>.*?</tr>", shown.split('id="runs"')[1].split("<tbody>")[1], re.S)
    assert ["Captures not comparable" in row for row in rows] == [point["captures_differ"] for point in points]
    # the newest run is compared with one of the same kind; a first one of another kind is not
    assert "captures differ" not in page(daemon, "/models?lang=en")
    daemon.api.submit(SMALL.read_bytes(), name=SMALL.name, model="resnet", target=["npu", "musa"])
    assert text_of(page(daemon, "/models?lang=en")).count("captures differ") == 1 == text_of(page(daemon, "/?lang=en")).count("captures differ")
    assert "\u91c7\u96c6\u4e0d\u53ef\u6bd4" in page(daemon, "/models?lang=zh-CN")


def chosen(page, name):
    options = re.findall("<option([^>]*)>([^<]*)", re.search(r'<select id="%s".*?</select>' % name, page, re.S).group())
    attributes, text = next((option for option in options if "selected" in option[0]), options[0])
    value = re.search('value="([^"]*)"', attributes)
    return value[1] if value else text


def test_pages_lead_on_and_preselect_two_different_sides(team):
    lost = team.api.get("/nothing", headers={"Accept": "text/html"})
    main = lost.text[lost.text.index("<main"):]
    assert lost.status_code == 404 and all('href="%s"' % path in main for path in ("/", "/models", "/operators", "/targets"))
    run = team.api.json("/api/v1/runs")["items"][0]
    for path in ("/", "/help", "/runs/" + run["id"], "/assessments/" + run["assessment"], "/models/resnet?branch=main", "/compare"):
        bar = re.search(r'<nav class="bar-top".*?</nav>', page(team, path), re.S).group()
        assert 'href="/tokens"' in bar and 'href="/queue"' in bar, path
    compare, releases = page(team, "/compare"), page(team, "/targets")
    assert chosen(compare, "a") != chosen(compare, "b")
    assert chosen(releases, "from") != chosen(releases, "to")
    assert '<label for="file" class="choose js-only-inline">\u9009\u62e9\u6587\u4ef6</label>' in page(team, "/?lang=zh-CN")


def test_a_model_is_found_without_its_project_and_its_newest_branch_without_a_name(team):
    assert "<strong class=\"name\">dev</strong>" in page(team, "/models/resnet")
    assert "llama" in text_of(page(team, "/models/llama")) and "project=p1" in page(team, "/models/llama")


def test_what_changed_is_what_the_comparison_says(team):
    newest, before = (team.api.json("/api/v1/runs/" + point["run"])["assessment"]
                      for point in team.api.json("/api/v1/models", params={"model": "resnet", "branch": "main"})["items"])
    changes = text_of(page(team, "/models/resnet?branch=main&view=changes"))
    compared = text_of(page(team, "/compare?a=%s&b=%s" % (before, newest)))
    assert changes.split("\u2192", 1)[1] == compared.split("\u2192", 1)[1]
    assert "nothing to compare" in text_of(page(team, "/models/resnet?branch=dev&view=changes"))


def code_of(shown):
    """The texts that a page has to copy."""
    return [html.unescape(text).strip() + "\n" for text in re.findall(r"<code[^>]*>([^<]*)</code></pre>", shown)]


def test_jobs_for_ci_are_the_files_of_the_sources_with_values_that_nothing_expands(team):
    texts = code_of(page(team, "/models/" + urllib.parse.quote(HOSTILE, safe=""), params={"view": "ci"}))
    sources = [(CI / name).read_text(encoding="utf-8") for name in ("github.yml", "gitlab-ci.yml", "Jenkinsfile", "opcheck.sh", "action.yml")]
    given = re.compile(r"^(\s*OPCHECK_(?:SERVER|MODEL|PROJECT)(?:: \"| = ')).*(.)$", re.M)
    assert [given.sub(r"\1\2", text) for text in texts[:5]] == sources
    github, gitlab = (yaml.safe_load(text) for text in texts[:2])
    github, gitlab = github["jobs"]["opcheck"]["env"], gitlab["opcheck"]["variables"]
    assert github["OPCHECK_MODEL"] == HOSTILE.replace("$", "${{ '$' }}") and gitlab["OPCHECK_MODEL"] == HOSTILE.replace("$", "$$")
    assert "OPCHECK_MODEL = '%s'\n" % HOSTILE.replace("'", "\\'") in texts[2]
    assert github["OPCHECK_SERVER"] == gitlab["OPCHECK_SERVER"] == team.url
    badge = re.fullmatch(r"!\[opcheck\]\(%s(/[^)]+)\)\n" % team.url, texts[5]).group(1)
    reply = team.api.get(badge)
    assert reply.headers["Content-Type"] == "image/svg+xml" and reply.headers["Cache-Control"] == "no-cache"


def test_the_script_for_ci_gives_the_run_to_the_service_of_its_variables(fresh, tmp_path):
    daemon = fresh()
    (tmp_path / "opcheck").symlink_to(program("opcheck", "OPCHECK"))
    settings = {"OPCHECK_SERVER": daemon.url, "OPCHECK_MODEL": "it's a $model", "GITHUB_REF_NAME": "main", "GITHUB_SHA": "c0ffee"}
    done = subprocess.run(["sh", CI / "opcheck.sh", SMALL, "--fail-on", "unsupported,needs-package", "-t", "npu"], cwd=tmp_path,
                          env=environment(PATH="%s:%s" % (tmp_path, os.environ["PATH"]), **settings), capture_output=True, text=True)
    assert done.returncode == 0 and {p.name for p in (tmp_path / "opcheck-report").iterdir()} >= {"report.json", "report.svg"}, done.stderr
    run, = daemon.api.json("/api/v1/runs")["items"]
    assert (run["model"], run["branch"], run["commit"]) == ("it's a $model", "main", "c0ffee")


def test_addresses_to_copy_are_those_of_the_browser_behind_a_proxy_that_speaks_tls(fresh):
    daemon = fresh("--trusted-proxy", "127.0.0.1", "--anonymous", "submit", "--host", "ops.example")
    forwarded = {"Host": "ops.example", "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "Accept": "text/html"}
    daemon.api.submit(SMALL.read_bytes(), model="m", target="npu")
    for path, text in (("/models/m?view=ci", "![opcheck](https://ops.example/models/m/badge.svg)"), ("/help", "--server https://ops.example")):
        assert text in daemon.api.get(path, headers=forwarded).text


@pytest.mark.parametrize("dump, exact", ((DUMP, True), (TRACE, False)))
def test_the_lists_of_a_model_are_those_of_the_guide(fresh, opcheck, tmp_path, dump, exact):
    daemon = fresh()
    record = daemon.api.submit(dump.read_bytes(), name=dump.name, model="m", target="npu").json()
    report = daemon.api.json(record["links"]["report"] + ".json")
    lists = {"all_ops.txt": "".join(o["name"] + "\n" for o in report["operators"]),
             "dynamic_ops.txt": "".join(o["name"] + "\n" for o in report["operators"] if o["dynamic"]["guide_rule"] == "dynamic")}
    if exact:
        assert opcheck("extract", dump, "--as-guide", "--out-dir", tmp_path, "--quiet").status == 0
        lists = {name: (tmp_path / name).read_text(encoding="utf-8") for name in lists}
    shown = page(daemon, "/models/m?view=lists")
    for at, (name, text) in enumerate(lists.items()):
        assert text and daemon.api.get("/api/v1/assessments/%s/%s" % (record["id"], name)).text == text
        assert code_of(shown)[at] == text and "/%s\"" % name in shown
    assert ("byte for byte" in shown) == exact


def test_a_model_shows_releases_and_shapes_of_its_newest_report(team):
    newest = team.api.json("/api/v1/models", params={"model": "resnet", "branch": "main"})["items"][0]
    whole = page(team, "/assessments/" + team.api.json("/api/v1/runs/" + newest["run"])["assessment"])
    for view, head in (("releases", "On every release"), ("shapes", "New shapes in each step")):
        for _ in range(2):  # made, then from the store
            shown = page(team, "/models/resnet?branch=main&view=" + view)
            part = shown[shown.index("%s</h2>" % head):shown.index("</main>")]
            assert re.sub(r"<script.*|\s", "", part) in re.sub(r"\s", "", whole) or part.split("<h2")[0] in whole
    assert team.api.get("/models/resnet?view=none").status_code == 400


def test_a_run_is_renamed_tagged_kept_and_removed_by_its_forms(fresh):
    daemon = fresh()
    record = daemon.api.submit(SMALL.read_bytes(), model="m", target="npu").json()
    address = "/runs/" + record["run"]["id"]

    def send(**fields):
        return daemon.api.post(address, files={name: (None, value) for name, value in fields.items()})

    assert send(name="better", tag="b,a").headers["Location"] == address
    assert send(kept="true").status_code == 303
    run = daemon.api.json("/api/v1" + address)
    assert (run["name"], run["tags"], run["kept"]) == ("better", ["a", "b"], True)
    shown = page(daemon, address)
    assert 'value="better"' in shown and 'value="a,b"' in shown and 'name="kept" value="false"' in shown
    assert send(name="x" * 200).status_code == 400 and send(no_such="1").status_code == 400
    assert send(remove="true").headers["Location"] == "/models"
    assert daemon.api.get(address).status_code == 404 and "resnet" not in page(daemon, "/models")


@pytest.mark.parametrize("address", ("/runs/{id}", "/models/m"))
def test_only_administrators_remove_a_run_or_a_model(fresh, address):
    daemon = fresh()
    run = daemon.api.submit(SMALL.read_bytes(), model="m", target="npu").json()["run"]
    for scope, status in (("read", 403), ("submit", 403), ("admin", 303)):
        reply = daemon.api.post(address.format(**run), files={"remove": (None, "true")}, headers=bearer(add(daemon, scope)))
        assert reply.status_code == status


def test_a_model_is_renamed_kept_and_removed_as_a_whole(fresh):
    daemon = fresh()

    def send(name="m", **settings):
        return daemon.api.submit(SMALL.read_bytes(), model=name, target="npu", **settings).json()["run"]

    def form(model, **fields):
        return daemon.api.post("/models/" + model, files={name: (None, value) for name, value in fields.items()})

    def names(**query):
        return [item["model"] for item in daemon.api.json("/api/v1/runs", params=query)["items"]]

    send(branch="main"), send(branch="dev"), send("other"), send(project="p")
    assert form("m?lang=en", name="a b/\"c").headers["Location"] == "/models/a%20b%2F%22c?lang=en"
    assert names() == ["m", "other", 'a b/"c', 'a b/"c'] and names(q='b/"c') == ['a b/"c'] * 2
    assert "<h1 class=\"name\">a b/&quot;c" in page(daemon, "/models/a%20b%2F%22c?branch=dev")
    # the old name leads there, and what is sent under it belongs to the model
    path = "/api/v1/models/a%20b%2F%22c"
    assert daemon.api.patch(path, params={"name": "new", "kept": "true"}).status_code == 204
    old = send(branch="main")
    assert (old["model"], daemon.api.json("/api/v1/runs/" + old["id"])["model"]) == ("new", "new")
    for former in ("/models/a%20b%2F%22c", "/models/a%20b%2F%22c/badge.svg"):
        reply = daemon.api.get(former, params={"branch": "main", "lang": "zh-CN"}, allow_redirects=False)
        assert (reply.status_code, reply.headers["Location"]) == (307, "/models/new%s?project=&branch=main&lang=zh-CN" % former[20:])
        assert daemon.api.get(reply.headers["Location"]).url.startswith(daemon.url + "/models/new")
    assert [run["kept"] for run in daemon.api.json("/api/v1/runs", params={"model": "new"})["items"]] == [False, True, True]
    # "m" is one of the project still; a name is given once
    assert names(model="m") == ["m"] and daemon.api.get("/models/m").status_code == 200
    for model, name, status, code in (("new", "other", 409, "OPC-2023"), ("new", "", 400, "OPC-2003"), ("none", "x", 404, "OPC-2011")):
        reply = daemon.api.patch("/api/v1/models/" + model, params={"name": name})
        assert (reply.status_code, reply.json()["code"]) == (status, code)
    # another model may take a name that nobody has
    assert daemon.api.patch("/api/v1/models/other", params={"name": "m"}).status_code == 204
    assert send(branch="x")["model"] == "m" and send("other")["model"] == "m"
    assert daemon.api.delete("/api/v1/models/new").status_code == 204 and sorted(names()) == ["m"] * 4
    assert daemon.api.get("/models/new").status_code == daemon.api.get("/models/a%20b%2F%22c").status_code == 404
    assert form("m", remove="true").headers["Location"] == "/models" and names() == ["m"]
    assert form("m?lang=en", name="x", project="p").headers["Location"] == "/models/x?project=p&lang=en" and names() == ["x"]


def test_a_former_name_leads_no_token_into_another_project(fresh):
    daemon = fresh()
    daemon.api.submit(SMALL.read_bytes(), model="old", project="p1", target="npu")
    assert daemon.api.patch("/api/v1/models/old", params={"name": "secret", "project": "p1"}).status_code == 204
    own, other = (bearer(add(daemon, "read", "--project", name)) for name in ("p1", "p2"))
    for path in ("/models/old", "/models/old/badge.svg"):
        assert [daemon.api.get(path, headers=headers, allow_redirects=False).status_code for headers in (own, other)] == [307, 404]
        assert "secret" not in daemon.api.get(path, headers=other).text


def test_the_runs_of_no_branch_are_found_behind_those_of_a_newer_one(fresh):
    daemon = fresh()
    first = daemon.api.submit(SMALL.read_bytes(), name="first.log", model="m", target="npu").json()
    daemon.api.submit(DUMP.read_bytes(), model="m", branch="main", target="npu")
    daemon.sql("UPDATE run SET created_at = '2020-01-01T00:00:00Z' WHERE branch = ''")
    links = [html.unescape(link) for link in re.findall(r'<a class="name" href="(/models/m[^"]*)">-</a>', page(daemon, "/models/m?branch=main"))]
    links += [html.unescape(link) for link in re.findall(r'<a class="name" href="(/models/m[^"]*)">m</a>', page(daemon, "/models"))][:1]
    links += [html.unescape(re.search(r'href="(/models/m[^"]*)">m</a>', page(daemon, "/runs/" + first["run"]["id"])).group(1))]
    assert len(links) == 3 and all("first.log" in page(daemon, link) for link in links)


def test_an_example_is_checked_as_a_dump_that_is_sent(fresh):
    daemon = fresh()
    sample = daemon.api.get("/assets/example.log").content
    sent = daemon.api.submit(sample, name="resnet50-example.log").json()
    reply = daemon.api.post("/example", files={"lang": (None, "en")}, headers={"Accept": "text/html"}, allow_redirects=False)
    assert reply.status_code == 303 and reply.headers["Location"] == "/assessments/" + sent["id"]


def test_the_fleet_has_every_model_on_every_target(team):
    shown = page(team, "/fleet")
    matrix = shown.split('id="fleet"')[1]
    heads = re.findall(r'<th scope="col">([^<]*@[^<]*)</th>', matrix)
    rows = re.findall(r"<tr>(.*?)</tr>", matrix.split("<tbody>")[1], re.S)
    items = team.api.json("/api/v1/fleet")["items"]
    assert len(rows) == len(items)
    for row, item in zip(rows, items):
        cells = dict(zip(heads, re.findall(r"<td>(.*?)</td>", row, re.S)[1:]))
        assert {head for head, cell in cells.items() if cell} == {target["id"] for target in item["targets"]}
        for target in item["targets"]:
            assert "v-" + target["verdict"] in cells[target["id"]] and "%.1f\u00a0%%" % (100 * target["readiness"]["lo"]) in cells[target["id"]]
    # the counts are those of the matrix
    counts = re.findall(r'<tr><td class="name fixed">([^<]+)</td>.*?((?:<td class="n">\d+</td>)+)</tr>', shown.split('id="fleet"')[0], re.S)
    for target, cells in counts:
        assert sum(map(int, re.findall(r">(\d+)<", cells))) == sum(t["id"] == target for item in items for t in item["targets"])
    assert len(counts) == len(heads)


def test_demand_is_that_of_the_interface_and_of_one_target(team):
    items = team.api.json("/api/v1/demand")["items"]
    rows = page(team, "/demand").split("<tbody>")[1]
    assert re.findall(r'href="/operators/[^"]+">([^<]+)</a>', rows) == [item["operator"] for item in items]
    assert re.findall(r'class="tag s-([^"]+)"', rows) == [item["status"] for item in items]
    target = items[0]["target"]
    shown = page(team, "/demand", params={"target": target})
    assert set(re.findall(r'<td class="name fixed">([^<]+)</td>', shown)) == {target} and "/api/v1/demand.md?target=" in shown
    assert "No operator blocks a run." in page(team, "/demand?target=none")


def test_bars_of_demand_are_measured_by_the_largest_share(team):
    shares = [item["mean_time_share"] for item in team.api.json("/api/v1/demand")["items"]]
    bars = [int(width) for width in re.findall(r'<rect class="lo" height="10" width="(\d+)"', page(team, "/demand"))]
    assert max(bars) == 1000 and len(bars) == len(shares) > 1
    for share, bar in zip(shares, bars):
        assert abs(bar - max(1000 * share / max(shares), 10 if share else 0)) <= 1


@pytest.mark.parametrize("path, status", (("/models/none", 404), ("/models/resnet?branch=none", 404), ("/models/resnet?view=x", 400),
                                          ("/models?cursor=x", 400), ("/runs/00000000", 404)))
def test_what_is_not_there_is_said(team, path, status):
    assert team.api.get(path).status_code == status
