"""Pages of what the database knows: operators by every kind of name, their life and types, and two releases beside each other."""
import collections
import concurrent.futures
import html
import http.client
import re
import select
import socket
import urllib.parse

import pytest

import mixed
from conftest import FIXTURES, ROOT
from daemon import DUMP, SMALL, raw
from test_access import add, bearer
from test_models import page, text_of


@pytest.mark.parametrize("name", ("torch.isin", "aten.isin.default", "nn.Conv2d", "F.conv2d", "torch.ops.aten.isin.default"))
def test_a_name_of_python_or_of_a_graph_leads_to_the_operator(service, name):
    reply = service.api.get("/operators", params={"q": name, "lang": "en"}, allow_redirects=False)
    assert reply.status_code == 303 and reply.headers["Location"] == "/operators/%s?lang=en" % name
    assert "aten::" in text_of(page(service, reply.headers["Location"]))


def test_a_python_name_that_nobody_knows_is_a_search(service):
    assert "0 operators found" in text_of(page(service, "/operators?q=torch.no_such_thing"))


@pytest.mark.parametrize("status", ("unsupported", "cpu-fallback", "needs-package"))
def test_a_filter_shows_the_operators_with_a_status_on_a_release(service, status):
    address, names, pages = "/operators?q=_&target=musa%%40v2.0.0&status=%s" % status, [], 0
    while address and pages < 3:
        shown = page(service, address)
        names += [html.unescape(found) for found in re.findall(r'<td><a class="name" href="/operators/[^"]+">([^<]+)</a>', shown)]
        following = re.search(r'rel="next" href="([^"]+)"', shown)
        address, pages = html.unescape(following.group(1)) if following else None, pages + 1
    assert pages > 1 and sorted(names) == sorted(set(names))
    for name in names[:3] + names[-3:]:
        verdicts = service.api.json("/api/v1/operators/" + urllib.parse.quote(name, safe=""), params={"target": "musa@v2.0.0"})["operators"][0]["verdicts"]
        assert verdicts["musa@v2.0.0"]["status"] == status
    assert names or status == "cpu-fallback"  # which this plugin does not have


def test_a_list_of_operators_goes_on_with_every_target(service):
    shown = page(service, "/operators?q=conv&target=npu%40v2.7.1-26.0.0&target=musa%40v2.7.1")
    following = page(service, html.unescape(re.search(r'rel="next" href="([^"]+)"', shown).group(1)))
    for list_of in (shown, following):
        assert [head for head in ("npu@v2.7.1-26.0.0", "musa@v2.7.1") if re.search("<th[^>]*>" + head, list_of)] == ["npu@v2.7.1-26.0.0", "musa@v2.7.1"]


def test_what_most_runs_use_comes_first_for_who_may_see_them(fresh):
    daemon, used = fresh(), collections.Counter()
    for dump, settings in ((SMALL, {"project": "p1"}), (DUMP, {"project": "p1"}), (DUMP, {"project": "p2"})):
        record = daemon.api.submit(dump.read_bytes(), name=dump.name, target="npu", **settings).json()
        used.update(o["name"] for o in daemon.api.json(record["links"]["report"] + ".json")["operators"])

    def rows(path, **options):
        shown = page(daemon, path, **options)
        return [(html.unescape(name), int(runs)) for name, runs in
                re.findall(r'<td><a class="name" href="/operators/[^"]+">([^<]+)</a></td>.*?<td class="n">(\d*)</td>\s*</tr>', shown, re.S) if runs]

    known = {name: runs for name, runs in used.items() if daemon.api.get("/api/v1/operators/" + urllib.parse.quote(name, safe="")).status_code == 200}
    expected = sorted(known.items(), key=lambda item: (-item[1], item[0]))
    assert rows("/operators") == expected[:50] and expected[0][1] == 3
    assert rows("/operators?q=conv") == [item for item in expected if "conv" in item[0]]
    reader = bearer(add(daemon, "read", "--project", "p2"))
    shown = daemon.api.get("/operators", headers={**reader, "Accept": "text/html"}).text
    assert set(re.findall(r'<td class="n">(\d+)</td>', shown)) == {"1"}
    # a run that goes no longer counts
    for run in daemon.api.json("/api/v1/runs?project=p1")["items"]:
        assert daemon.api.delete("/api/v1/runs/" + run["id"]).status_code == 204
    assert {runs for _, runs in rows("/operators")} == {1}


def test_the_life_of_an_operator_is_drawn_as_its_list_says(service):
    shown = page(service, "/operators/aten%3A%3Aisin")
    drawing = re.search(r'<svg class="drawing releases life".*?</svg>', shown, re.S).group()
    titles = re.findall(r"<title>([^<]+)</title>", drawing)
    listed = re.findall(r'<li><span class="name">([^<]+)</span> <span class="tag s-[\w-]+">([^<]+)</span></li>',
                        "".join(re.findall(r'<ol class="history">.*?</ol>', shown, re.S)))
    assert [(title.split(":")[0].split(" .. ")[0], title.split(": ")[1]) for title in titles] == listed and len(listed) > 4
    names = shown.split(drawing)[0].rsplit('<svg class="names"')[-1]
    assert "torch_npu" in names and "torch_musa" in names
    assert drawing in page(service, "/operators/aten%3A%3Aisin?target=musa%40v1.0.0")  # of both, whichever is asked about


def test_an_operator_shows_its_types_and_its_recipe_with_code(service):
    shown = page(service, "/operators/aten%3A%3Aisin?target=npu@v2.12.0-26.1.0")
    assert "AI Core" in shown and re.search(r"<pre><code>[^<]*any", shown)


def test_two_releases_show_what_changed_and_what_each_is_made_for(service, opcheck):
    before, after = "musa@v2.0.0", "musa@v2.7.1"
    shown = page(service, "/targets?from=%s&to=%s&lang=en" % (before, after))
    changes = opcheck("db", "diff", before, after, "-f", "csv").text.splitlines()[1:]
    counts = {label: int(count) for label, count in re.findall(r"<summary>(\w+): (\d+)</summary>", shown)}
    statuses = [row for row in changes if row.split(",")[2] not in ("types", "report")]  # details have a table of their own
    assert sum(counts.values()) == len(statuses) > 10
    assert 'id="card"' in shown and before in shown and after in shown
    assert "same status on both" in page(service, "/targets?from=musa&to=musa@v2.7.1&lang=en")
    chinese = page(service, "/targets?lang=zh-CN")
    assert all(text in shown and text not in chinese for text in {release["fallback"] for release in opcheck("targets", "-f", "json").json["targets"]})


def test_help_has_a_snippet_for_every_version_that_wants_another_one(service, opcheck):
    shown = html.unescape(page(service, "/help?lang=en"))
    versions = ["1.%d" % minor for minor in range(4, 14)] + ["2.%d" % minor for minor in range(0, 13)]
    for snippet in {opcheck("snippet", "--torch", version).text.strip() for version in versions}:
        assert snippet in shown
    assert len(re.findall("def profile_steps", shown)) == 5


@pytest.mark.parametrize("lang", ("en", "zh-CN"))
def test_help_leads_through_the_guides_by_commands_that_exist(service, opcheck, lang):
    shown = page(service, "/help?lang=" + lang)
    table = shown.split('id="guide"')[1].split("</table>")[0]
    assert len(re.findall("<tr>", table)) == 10
    commands = re.findall(r"(?:<code>|^|; )opcheck ([a-z]+)", html.unescape(shown.split('id="guide"')[1]), re.M)
    assert {"advise", "check", "extract", "doctor", "scan", "port", "buckets", "diagnose", "compare", "op"} <= set(commands)
    for command in set(commands):
        assert opcheck(command, "--help").status == 0
    for path in re.findall(r"tests/\S+\.(?:log|py|json)", shown):
        assert (ROOT / path).exists()


def test_help_walks_two_models_through_on_dumps_of_the_sources(service, opcheck, tmp_path):
    assert mixed.write_detector(tmp_path / "made.json").read_bytes() == (FIXTURES / "walks" / "yolov5-like.json").read_bytes()
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    shown, steps = page(service, "/help?lang=en"), 0
    for name in ("guide.resnet", "guide.yolo"):
        rows = re.findall(r"<td>(.*?)</td>\s*<td>(.*?)</td>", shown.split('id="%s"' % name)[1].split("</table>")[0], re.S)
        for command, answer in rows:
            command = html.unescape(re.sub("<[^>]*>", "", command)).strip().split()
            done = opcheck(*command[1:], cwd=tmp_path)
            assert command[0] == "opcheck" and done.status in (0, 1), (command, done.err)
            said = " ".join(done.text.split())
            assert [word for word in map(html.unescape, re.findall("<code>([^<]*)</code>", answer)) if word not in said] == [], command
            steps += 1
    assert steps == 11


def test_two_releases_show_units_and_types_that_differ_without_the_status(service):
    shown = page(service, "/targets?from=npu@v2.7.1-7.3.0&to=npu@v2.7.1-26.1.0&lang=en")
    counts = {label: int(count) for label, count in re.findall(r"<summary>([\w ]+): (\d+)</summary>", shown)}
    assert counts["Runs on another unit"] > 0 and counts["Accepts other types"] > 0
    row = re.search(r"Runs on another unit.*?<td><a class=\"name\" href=\"/operators/[^>]*>([^<]+)</a></td>\s*<td>([^<]+)</td>\s*<td>([^<]*)</td>\s*<td>([^<]*)</td>", shown, re.S)
    name, types, before, after = map(html.unescape, row.groups())
    units = [service.api.json("/api/v1/operators/" + urllib.parse.quote(name, safe=""), params={"target": release})["operators"][0]
             for release in ("npu@v2.7.1-7.3.0", "npu@v2.7.1-26.1.0")]
    assert before != after and units[0] != units[1] and types.split(",")[0].split()[0]
    assert "<td>AI Core" in shown
    shown = page(service, "/targets?from=npu@v2.7.1-7.3.0&to=npu@v2.7.1-26.1.0&lang=zh-CN")
    assert not re.search(r"<td>(aicore|aicpu|mixed|accepted|rejected)\b", shown)


@pytest.mark.parametrize("path, status", (("/targets?from=npu", 400), ("/targets?from=npu&to=x", 400), ("/operators?status=x", 400)))
def test_what_is_wrong_is_said(service, path, status):
    assert service.api.get(path).status_code in (status, 404)


LONG = ("/operators?q=_&status=needs-package", "/targets?from=musa@v2.0.0&to=musa@v2.7.1", "/api/v1/operators?limit=200")


def test_what_takes_long_holds_no_other_connection(fresh):
    """All are connections of one thread, which answers another one before the last of them."""
    daemon = fresh("--threads", "1", "--limit", "workers=1")
    whole = [daemon.api.get(path).content for path in LONG]
    asked = []
    for path in LONG * 2:
        asked.append(socket.create_connection(("127.0.0.1", daemon.port), timeout=60))
        asked[-1].sendall(("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % path).encode())
    assert raw(daemon, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200")
    assert asked[-1] not in select.select(asked, [], [], 0)[0]
    for number, connection in enumerate(asked):
        with connection, connection.makefile("rb") as answer:
            assert answer.read().endswith(whole[number % len(LONG)])


def test_more_of_what_takes_long_than_may_wait_is_refused_for_now(fresh):
    daemon = fresh("--limit", "workers=1", "--limit", "job-queue=1")
    with concurrent.futures.ThreadPoolExecutor(12) as threads:
        replies = list(threads.map(daemon.api.get, LONG[2:] * 12))
    refused = [reply for reply in replies if reply.status_code == 503]
    assert len(refused) < len(replies) and all("Retry-After" in reply.headers for reply in refused)
    assert all(reply.status_code in (200, 503) for reply in replies)
    assert refused
    assert daemon.api.get(LONG[0]).status_code == 200


def status_of(connection):
    try:
        return connection.getresponse().status
    except (http.client.RemoteDisconnected, ConnectionResetError):
        return None


def test_the_service_ends_while_much_of_it_waits(fresh):
    """One answer is made and forty are asked for, by clients that were heard before: some wait when the service is told to end."""
    daemon = fresh("--limit", "workers=1", "--limit", "job-queue=40", "--limit", "stop-seconds=1")
    asked = [http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60) for _ in range(40)]
    for connection in asked:
        connection.request("GET", "/healthz")
        assert connection.getresponse().read()
    for connection in asked:
        connection.request("GET", LONG[1])
    select.select([connection.sock for connection in asked], [], [], 60)
    log = daemon.stop()
    assert "requests are cut off" in log
    assert {status_of(connection) for connection in asked} <= {200, 503, None}


def test_two_sides_are_never_the_same_at_first(service):
    for dump in (DUMP, SMALL):
        service.api.submit(dump.read_bytes(), name=dump.name, target=["npu"])
    for address, option in (("/compare", r"<option value=\"([^\"]+)\" selected>"), ("/targets", r"<select id=\"(?:from|to)\"[^>]*>\s*<option[^>]*>([^<]+)")):
        first, second = re.findall(option, page(service, address))
        assert first != second, address


def test_a_page_that_is_not_found_leads_on(service):
    reply = service.api.get("/models/none", headers={"Accept": "text/html"})
    assert reply.status_code == 404 and all('<li><a href="%s">' % place in reply.text.split("<h1>")[1] for place in ("/", "/models", "/operators", "/targets"))
