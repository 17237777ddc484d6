"""Two assessments beside each other: the service says what `opcheck diff` says."""
import os
import re
import signal

import pytest

from conftest import FIXTURES
from daemon import SMALL, wait_until
from test_jobs import spawner

OTHER = FIXTURES / "torch-2.13" / "resnet50.a.log"


CUT = FIXTURES / "torch-1.13" / "transformer.a.log"


@pytest.fixture
def two(service):
    return [service.api.submit(path.read_bytes(), name=path.name, target="npu@2.7.1").json()["id"] for path in (SMALL, OTHER)]


def test_the_service_compares_as_the_command_does(service, opcheck, two, tmp_path):
    reply = service.api.get("/api/v1/compare?a=%s&b=%s&fail_on=new,worse,shapes" % tuple(two))
    saved = []
    for n, name in enumerate(two):
        saved.append(tmp_path / ("%d.json" % n))
        saved[-1].write_bytes(service.api.get("/api/v1/assessments/%s/report.json" % name).content)
    direct = opcheck("diff", *saved, "-f", "json", "--fail-on", "new,worse,shapes")
    assert reply.content == direct.out and direct.json["operators"]
    assert (direct.status, reply.json()["gate"]) == (1, "failed")
    again = service.api.get("/api/v1/compare?a=%s&b=%s&fail_on=new,worse,shapes" % tuple(two),
                            headers={"If-None-Match": reply.headers["ETag"]})
    assert again.status_code == 304


def test_only_what_is_there_is_unchanged_and_an_id_cut_short_is_asked_for_again(service, two):
    first = service.api.get("/api/v1/compare?a=%s&b=%s" % tuple(two))
    cut = service.api.get("/api/v1/compare?a=%s&b=%s" % (two[0][:12], two[1]))
    assert "immutable" in first.headers["Cache-Control"] and cut.headers["Cache-Control"] == "no-cache"
    assert cut.headers["ETag"] == first.headers["ETag"] and cut.content == first.content
    for names in (("0" * 64, two[1]), ("a%0d%0aSet-Cookie:%20b=c", two[1])):
        assert service.api.get("/api/v1/compare?a=%s&b=%s" % names, headers={"If-None-Match": "*"}).status_code == 404


def test_a_check_that_could_not_compare_fails(service, opcheck):
    sides = [service.api.submit(path.read_bytes(), name=path.name, target="npu@2.7.1").json()["id"]
             for path in (FIXTURES / "torch-1.13" / "resnet18.a-full.log", CUT)]
    asked = "a=%s&b=%s&fail_on=worse,time" % tuple(sides)
    changes = service.api.json("/api/v1/compare?" + asked)
    assert changes["gate"] == "failed"
    assert [(c["failed"], c["not_compared"]["rule"]) for c in changes["checks"]] == [(True, "diff.captures")] * 2
    assert "time: not compared (0 seen), so it fails: captures show 100 % and 84 %" in service.api.get("/compare?lang=en&" + asked).text
    run = opcheck("diff", *sides, "--fail-on", "time", env={"OPCHECK_SERVER": service.api.url})
    assert run.status == 3 and "OPC-3014" in run.err


def test_a_comparison_is_made_once(service, two):
    """The process that starts jobs stands still: what is answered then was kept."""
    paths = ["/api/v1/compare?a=%s&b=%s" % tuple(two), "/api/v1/compare?a=%s&b=%s&fail_on=new" % tuple(two), "/compare?a=%s&b=%s" % tuple(two)]
    first = [service.api.get(path).content for path in paths]
    os.kill(spawner(service), signal.SIGSTOP)
    try:
        assert [service.api.get(path, timeout=30).content for path in paths] == first and first[0] != first[1]
    finally:
        os.kill(spawner(service), signal.SIGCONT)


def test_an_assessment_keeps_a_bounded_number_of_comparisons(fresh):
    daemon = fresh("--limit", "comparisons=2")
    first, *others = [daemon.api.submit(SMALL.read_bytes(), name=SMALL.name, target=target).json()["id"]
                      for target in ("npu@2.7.1", "npu@2.6.0", "npu@2.1.0", "musa")]
    answers = [daemon.api.json("/api/v1/compare", params={"a": other, "b": first}) for other in others]

    def kept():
        return [form for form, in daemon.sql("SELECT form FROM document WHERE form LIKE 'changes-%'")]

    assert wait_until(lambda: any(others[-1] in form for form in kept())) and len(kept()) == 2  # kept behind the answer
    assert [daemon.api.json("/api/v1/compare", params={"a": other, "b": first}) for other in others] == answers


def test_the_page_shows_the_choice_and_what_changed(service, two):
    empty = service.api.get("/compare").text
    assert all(name in empty for name in two) and "as_strided" not in empty
    page = service.api.get("/compare?a=%s&b=%s&lang=zh-CN" % tuple(two)).text
    assert "变化" in page and "resnet50.a.log" in page and page.count(" selected") == 2
    cut = service.api.get("/compare?a=%s&b=%s" % (two[0][:12], two[1][:12])).text
    assert all(cut.count('value="%s" selected' % name) == 1 for name in two)


def test_the_choice_shows_assessments_behind_the_newest(fresh):
    daemon = fresh()
    old = [daemon.api.submit(SMALL.read_bytes(), name=name, target="npu@2.7.1").json()["id"] for name in "ab"]
    daemon.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO assessment (id, created_at, name,"
               " input_sha256, input_bytes, options, db_sha256, tool_version) SELECT '%s' || (100000 + i), '2026-01-01T00:00:00Z',"
               " 'later', '%s', 1, '{}', '', '1' FROM n" % ("f" * 58, "f" * 64))
    page = daemon.api.get("/compare?a=%s&b=%s" % tuple(old)).text
    assert all("<option selected>%s</option>" % name in page for name in old) and page.count(" selected") == 2


def test_the_page_has_bars_before_and_after_and_each_operator_that_changed_once(service, two):
    address = "compare?a=%s&b=%s" % tuple(two)
    changes, page = service.api.json("/api/v1/" + address), service.api.get("/%s&lang=en" % address).text
    reports = [service.api.json("/api/v1/assessments/%s/report.json" % one) for one in two]
    assert page.count('<svg class="drawing places"') == 2 * len(changes["targets"]) == 2
    for report in reports:
        low, high = (100 * report["targets"][0]["readiness"]["time"][end] for end in ("lo", "hi"))
        assert ("%.1f-%.1f %%" % (low, high) if low != high else "%.1f %%" % low) in page
    parts = {re.sub("<[^>]*>", "", part.split("</h2>")[0]): part for part in re.split("<h2[^>]*>", page)[1:]}
    came, went = parts["New operators"], parts["Operators that are gone"]
    names = lambda part: re.findall(r'<tr>\n?<td class="name">([^<]+)</td>', part)  # noqa: E731
    inside = [{o["name"]: o for o in report["operators"]} for report in reports]
    assert names(came) == [o["name"] for o in changes["operators"] if o["name"] not in inside[0]]
    assert names(went) == [o["name"] for o in changes["operators"] if o["name"] not in inside[1]]
    assert sorted(sum(map(names, parts.values()), [])) == sorted(o["name"] for o in changes["operators"])
    for name in names(came):
        assert re.search(r">%s</td>.*?>%.1f %%</td>" % (re.escape(name), 100 * inside[1][name]["time_share"]), came, re.S)


@pytest.mark.parametrize("query, status", [
    ("", 400), ("?a=x", 400), ("?a=x&b=y", 404), ("?a=x&b=y&fail_on=never", 400), ("?a=x&b=y&c=z", 400),
])
def test_what_cannot_be_compared_is_refused(service, query, status):
    assert service.api.get("/api/v1/compare" + query).status_code == status
    assert query == "" or service.api.get("/compare" + query).status_code == status


def test_the_command_compares_assessments_of_the_server(service, opcheck, two):
    server = {"OPCHECK_SERVER": service.api.url}
    direct = service.api.get("/api/v1/compare?a=%s&b=%s" % tuple(two)).content
    assert opcheck("diff", *two, "-f", "json", env=server).out == direct
    assert opcheck("diff", *two, "-f", "json", "--server", service.api.url).out == direct
    mixed = opcheck("diff", two[0], OTHER, "-f", "json", env=server)
    assert [t["id"] for t in mixed.json["targets"]] == ["npu@v2.7.1-26.1.0"] and mixed.json["operators"]
    assert opcheck("diff", *two).status == 2
    assert opcheck("diff", two[0], "0" * 64, env=server).status == 2


def test_a_baseline_may_be_an_assessment_of_the_server(service, opcheck, two):
    words = "unsupported,cpu-fallback,dynamic-unbounded,dynamic-bounded,dynamic-unknown"
    server = ("--server", service.api.url, "-t", "npu@2.7.1", "-f", "json", "--fail-on", words)
    alone = opcheck("submit", SMALL, *server)
    known = opcheck("submit", SMALL, *server, "--baseline", two[0])
    assert alone.json["findings"] and {f["age"] for f in known.json["findings"]} == {"known"}
    assert known.json["policy"]["baseline"]["name"] == two[0]
    assert sum(c["counted"] for c in known.json["targets"][0]["checks"]) < sum(c["counted"] for c in alone.json["targets"][0]["checks"])
    assert opcheck("check", SMALL, "--baseline", two[0]).status == 2
