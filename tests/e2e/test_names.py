"""Names are text of strangers: shown everywhere, and nowhere taken for anything else."""
import html
import os
import re

import pytest

from daemon import SMALL

NAMES = {
    "markup": "<script>alert(1)</script><img src=x onerror=alert(2)>.log",
    "end of data": "</script></style><!--.log",
    "attribute": "\"' onmouseover=alert(1) x='.log",
    "entities": "&lt;b&gt;&#60;.log",
    "terminal": "\x1b]0;title\x07\x1b[31mred\x1b[0m.log",
    "controls": "a\x01\x7f\x85\u2028b.log",
    "direction": "\u202egol.exe\u2066.log",
    "lines": "a\r\nX-Injected: yes\r\n\r\nb.log",
    "sql": "'); DROP TABLE assessment; --.log",
    "percent": "100%25 %s %n %00.log",
    "quotes": "a\"b\\c.log",
    "chinese": "训练 日志.log",
    "formula": "=cmd|'/c calc'!A1",
    "dots": "..",
    "blanks": "  a b  ",
    "long": "x" * 255,
    "no text": b"a\xff\xfe\xc0b.log",
}


def file_called(tmp_path, name):
    """A file of this name, if a file can have it; its bytes."""
    name = os.fsencode(name)
    path = os.path.join(os.fsencode(tmp_path), name)
    try:
        with open(path, "wb") as file:
            file.write(SMALL.read_bytes())
    except OSError:
        return None
    return path


def check_everywhere(service, reply, name):
    """The name is in the record, in lists and pages, escaped; no header and no log line has it as it is."""
    assert reply.status_code in (200, 201), reply.text
    assert not any("Injected" in key for key in reply.headers)
    record = reply.json()
    shown = os.fsencode(name).decode("utf-8", "replace").rsplit("/", 1)[-1]  # directories are left out
    assert service.api.json(record["links"]["self"])["name"] == record["name"] == shown
    assert record["name"] in [item["name"] for item in service.api.json("/api/v1/assessments?limit=1000")["items"]]
    for path in ("/", record["links"]["page"], record["links"]["report"] + ".html"):
        page = service.api.get(path).text
        assert "<script>alert" not in page and "onerror=alert(2)>" not in page and "\x1b" not in page
        visible = html.unescape(page)
        if shown.isprintable():
            assert shown in visible
    text = service.api.get(record["links"]["report"] + ".txt").text
    assert "\x1b" not in text and "\x85" not in text and "\u202e" not in text
    assert all(line.startswith("opcheckd: ") and line.isprintable() for line in service.errors().splitlines())


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_as_a_parameter(service, opcheck, tmp_path, kind):
    name = NAMES[kind]
    reply = service.api.submit(SMALL.read_bytes(), name=name)
    check_everywhere(service, reply, name)
    path = file_called(tmp_path, name)
    if path:
        mine = opcheck("check", os.fsdecode(path), "-f", "json")
        assert service.api.get(reply.json()["links"]["report"] + ".json").content == mine.out


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_as_a_file_of_the_client(service, opcheck, submit, tmp_path, kind):
    path = file_called(tmp_path, NAMES[kind])
    if not path:  # it has a folder in it that is not there, or is one
        run = submit(service, os.fsdecode(os.path.join(os.fsencode(tmp_path), os.fsencode(NAMES[kind]))))
        assert run.status == 3 and re.match(r"opcheck: [^\x1b]*: error OPC-300[12]: ", run.err), run.err
        return
    run = submit(service, os.fsdecode(path), "-f", "json")
    assert run.out == opcheck("check", os.fsdecode(path), "-f", "json").out


@pytest.mark.parametrize("kind", ("markup", "attribute", "sql", "chinese", "dots", "long", "formula"))
def test_as_the_file_of_a_form(service, kind):
    reply = service.api.post("/api/v1/assessments", files={"file": (NAMES[kind].replace('"', "%22"), SMALL.read_bytes())})
    check_everywhere(service, reply, NAMES[kind])


@pytest.mark.parametrize("given,kept", (("../../etc/passwd", "passwd"), ("/a/b/c.log", "c.log"), ("a/", "a"), ("///", "-"),
                                        ("", "-")))
def test_directories_are_left_out(service, given, kept):
    reply = service.api.submit(SMALL.read_bytes(), name=given)
    assert reply.json()["name"] == kept


def test_hostile_words_elsewhere(service):
    for path in ("/operators?q=<script>alert(1)</script>\"'", "/operators/<script>alert(1)<%2Fscript>", "/<script>alert(1)</script>",
                 "/assessments/'%20OR%20'1'='1", "/problems/<b>", "/?cursor=<script>alert(1)</script>", "/help?lang=\"><script>"):
        reply = service.api.get(path, headers={"Host": "x\"><script>alert(1)</script>"})
        assert "<script>alert" not in reply.text and '"><script>' not in reply.text, path
    assert "<script>alert" not in service.api.get("/help", headers={"Host": "<script>alert(1)</script>"}).text


def test_dumps_lie_under_their_digest_alone(service):
    service.api.submit(SMALL.read_bytes(), name="../../escape.log")
    assert {len(name) for name in service.dumps()} == {64}
    assert not list(service.state.parent.rglob("*escape*"))
