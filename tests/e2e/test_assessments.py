"""Assessments: one for each distinct submit, found again, listed in pages, sent once."""
import pytest

from daemon import DUMP, SMALL


def test_the_same_upload_is_the_same_assessment(service):
    first = service.api.submit(DUMP.read_bytes(), name="twice.log")
    again = service.api.submit(DUMP.read_bytes(), name="twice.log")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["run"]["id"] != again.json()["run"]["id"]
    assert {**first.json(), "run": None} == {**again.json(), "run": None}
    assert first.headers["Location"] == again.headers["Location"] == first.json()["links"]["self"]
    assert {**service.api.json(first.headers["Location"]), "run": None} == {**first.json(), "run": None}


def test_another_name_or_option_is_another_assessment(service):
    ids = {service.api.submit(SMALL.read_bytes(), **options).json()["id"]
           for options in ({"name": "x.log"}, {"name": "y.log"}, {"name": "x.log", "target": "npu"},
                           {"name": "x.log", "torch": "2.7.1"}, {"name": "x.log", "fail_on": "unknown"})}
    assert len(ids) == 5


def test_names_for_one_release_are_one_option(service):
    one = service.api.submit(SMALL.read_bytes(), target=["npu", "musa"]).json()
    other = service.api.submit(SMALL.read_bytes(), target=one["options"]["targets"]).json()
    usual = service.api.submit(SMALL.read_bytes()).json()
    assert one["id"] == other["id"] == usual["id"]


def test_pages_of_the_list_hold_everything_once(fresh):
    daemon = fresh()
    made = [daemon.api.submit(SMALL.read_bytes(), name="%d.log" % i).json()["id"] for i in range(7)]
    seen, path = [], "/api/v1/assessments?limit=3"
    while path:
        reply = daemon.api.get(path)
        assert reply.json()["total"] == 7
        seen += [item["id"] for item in reply.json()["items"]]
        following = reply.links.get("next", {}).get("url")
        assert bool(following) == bool(reply.json()["next_cursor"])
        # what arrives meanwhile is newer and moves nothing
        if following:
            daemon.api.submit(SMALL.read_bytes(), name="0.log")
        path = following
    assert seen == made[::-1]
    assert [item["id"] for item in daemon.api.json("/api/v1/assessments")["items"]] == made[::-1]
    assert "?cursor=" not in daemon.api.get("/").text


def test_the_first_page_leads_to_older_assessments(fresh):
    daemon = fresh()
    for i in range(25):
        daemon.api.submit(SMALL.read_bytes(), name="%d.log" % i)
    first = daemon.api.get("/").text
    assert ">24.log<" in first and ">4.log<" not in first
    older = first.split('<a rel="next" href="')[1].split('"')[0]
    assert ">4.log<" in daemon.api.get(older).text


@pytest.mark.parametrize("query", ("limit=0", "limit=1001", "limit=x", "cursor=x", "cursor=0", "cursor=-1",
                                   "cursor=99999999999999999999", "page=2", "limit=%zz", "limit=%00", "lang=tlh"))
def test_a_query_that_is_not_understood_is_refused(service, query):
    reply = service.api.get("/api/v1/assessments?" + query)
    assert reply.status_code == 400
    assert reply.json()["hint"]


@pytest.mark.parametrize("suffix", ("", "/report", "/report.json", "/report.html", "/report.csv", "/report.txt", "/report.md"))
def test_what_the_client_has_is_not_sent_again(service, suffix):
    path = service.api.submit(SMALL.read_bytes()).headers["Location"] + suffix
    first = service.api.get(path)
    assert first.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    again = service.api.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = service.api.get(path, headers={"If-None-Match": '"another"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_languages_and_formats_have_tags_of_their_own(service):
    path = service.api.submit(SMALL.read_bytes()).headers["Location"] + "/report"
    asked = [("application/json", "en"), ("text/html", "en"), ("text/html", "zh-CN"), ("text/plain", "en"),
             ("text/plain", "zh-CN"), ("text/markdown", "en"), ("text/markdown", "zh-CN"), ("text/csv", "en")]
    tags = {service.api.get(path, headers={"Accept": media, "Accept-Language": lang}).headers["ETag"] for media, lang in asked}
    assert len(tags) == len(asked)


def test_a_head_is_a_get_without_a_body(service):
    for path in ("/", "/healthz", service.api.submit(SMALL.read_bytes()).headers["Location"] + "/report.html"):
        get, head = service.api.get(path), service.api.head(path)
        assert head.content == b""
        for name in ("Content-Type", "Content-Length", "ETag"):
            assert get.headers.get(name) == head.headers.get(name)


def test_the_form_of_a_report_is_chosen_by_preference(service):
    path = service.api.submit(SMALL.read_bytes()).headers["Location"] + "/report"
    for accept, media in (("*/*", "application/json"), ("text/html,*/*;q=0.8", "text/html"),
                          ("text/csv", "text/csv"), ("text/markdown", "text/markdown"), ("text/plain;q=0.5,text/csv;q=0.4", "text/plain")):
        assert service.api.get(path, headers={"Accept": accept}).headers["Content-Type"].split(";")[0] == media
    assert service.api.get(path, headers={"Accept": "image/png"}).status_code == 406


def test_a_browser_that_sends_the_form_is_led_to_the_page(service):
    accept = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    with SMALL.open("rb") as file:
        reply = service.api.post("/api/v1/assessments?lang=zh-CN", files={"file": file}, headers=accept)
    assert reply.status_code == 303
    page = service.api.get(reply.headers["Location"])
    assert page.headers["Content-Language"] == "zh-CN" and SMALL.name in page.text
    failed = service.api.post("/api/v1/assessments", files={"file": ("a.log", b"nothing")}, headers=accept)
    assert failed.status_code == 422 and failed.headers["Content-Type"].startswith("text/html")
    assert "OPC-3005" in failed.text


def test_another_word_for_a_target_is_in_the_report(service):
    plain = service.api.submit(SMALL.read_bytes(), target=["npu:910B", "musa"]).json()
    spoken = service.api.submit(SMALL.read_bytes(), target=["910b,musa"]).json()
    assert spoken["options"]["targets"] == plain["options"]["targets"] and spoken["options"]["asked"][0] == "910b"
    report = service.api.get("/api/v1/assessments/%s/report.json" % spoken["id"]).json()
    assert [t.get("asked") for t in report["targets"]] == ["910b", None]
