"""However a dump comes in, the report is that of `opcheck check`, byte for byte."""
import gzip
import json
import re
import shutil
import sqlite3
import tarfile

import pytest

from daemon import DUMP, SMALL

FORMATS = {"json": "json", "html": "html", "csv": "csv", "txt": "text", "md": "md", "sarif": "sarif", "junit.xml": "junit", "svg": "svg",
           "codequality.json": "codequality", "annotations.txt": "annotations", "metrics.txt": "metrics", "badge.json": "badge"}

ELSEWHERE = (("-vvv lists each", "JSON has each"), ("-vvv 逐项列出", "JSON 中逐项列出"),
             (r"\.\.\. and (\d+) more [a-z]+; -vvv lists .*", r"... and \1 more rows; JSON and CSV have them all."),
             (r"(\d+) of these operators run on the device; -vvv lists .*", r"... and \1 more rows; JSON and CSV have them all."),
             (r"……另有 (\d+) 个算子；-vvv .*", r"……另有 \1 行；JSON 与 CSV 列出全部。"),
             (r"其中 (\d+) 个算子可在设备上运行；-vvv .*", r"……另有 \1 行；JSON 与 CSV 列出全部。"))


def report(service, reply, suffix="json", **parameters):
    assert reply.status_code in (200, 201), reply.text
    path = reply.headers["Location"] + "/report." + suffix
    return service.api.get(path, params=parameters).content


def without_options(text):
    """As the service says it, which has no -v: other forms list what a text does not."""
    for option, form in ELSEWHERE:
        text = re.sub(option.encode(), form.encode(), text)
    return text


@pytest.mark.parametrize("lang", ("en", "zh-CN"))
@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_every_format_and_language(service, opcheck, suffix, lang):
    reply = service.api.submit(DUMP.read_bytes(), name=DUMP.name)
    direct = opcheck("check", DUMP, "-f", FORMATS[suffix], "--lang", lang)
    assert direct.status == 0
    assert report(service, reply, suffix, lang=lang) == without_options(direct.out)


def test_a_form_gives_the_name_of_its_file(service, opcheck):
    with DUMP.open("rb") as file:
        reply = service.api.post("/api/v1/assessments", files={"file": file}, data={"target": ["npu@2.7.1", "musa"]})
    assert reply.json()["name"] == DUMP.name
    assert report(service, reply) == opcheck("check", DUMP, "-f", "json", "-t", "npu@2.7.1", "-t", "musa").out


def test_fields_of_a_form_may_come_before_and_behind_the_file(service):
    with DUMP.open("rb") as file:
        parts = [("target", (None, "musa@v2.0.0")), ("file", ("a.log", file)), ("fail_on", (None, "unsupported,unknown")),
                 ("torch", (None, "")), ("name", (None, "b.log"))]
        reply = service.api.post("/api/v1/assessments", files=parts)
    assert reply.json()["name"] == "b.log"
    assert reply.json()["options"] == {"targets": ["musa@v2.0.0"], "fail_on": ["unsupported", "unknown"]}
    assert reply.json()["targets"][0]["gate"] in ("passed", "failed")


def test_pieces_of_unknown_number_and_length(service, opcheck):
    content = DUMP.read_bytes()
    pieces = (content[at:at + 777] for at in range(0, len(content), 777))
    reply = service.api.submit(pieces, name=DUMP.name)
    assert report(service, reply) == opcheck("check", DUMP, "-f", "json").out


def test_an_archive_of_dumps(service, opcheck, tmp_path):
    packed = tmp_path / "run.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(DUMP, "run/rank0.log")
        archive.add(SMALL, "run/rank1.log")
        archive.add(__file__, "run/notes")
    reply = service.api.submit(packed.read_bytes(), name=packed.name)
    direct = opcheck("check", packed, "-f", "json")
    assert report(service, reply) == direct.out
    assert [i["name"] for i in direct.json["inputs"]] == ["run.tar.gz/run/rank0.log", "run.tar.gz/run/rank1.log"]
    assert direct.json["warnings"][0]["params"]["names"] == "run.tar.gz/run/notes"


def test_compressed_as_the_file_is(service, opcheck, tmp_path):
    packed = tmp_path / "dump.log.gz"
    packed.write_bytes(gzip.compress(DUMP.read_bytes(), mtime=0))
    for headers in ({}, {"Content-Encoding": "gzip"}):
        reply = service.api.post("/api/v1/assessments?name=dump.log.gz", data=packed.read_bytes(), headers=headers)
        assert report(service, reply) == opcheck("check", packed, "-f", "json").out


def npu_database(path):
    connection = sqlite3.connect(path)
    connection.executescript("""
        CREATE TABLE STRING_IDS (id INTEGER, value TEXT);
        CREATE TABLE PYTORCH_API (startNs, endNs, globalTid, name, inputShapes, type);
        INSERT INTO STRING_IDS VALUES (1, 'aten::add'), (2, '4,12;4,12');
        INSERT INTO PYTORCH_API VALUES (10, 40, 7, 1, 2, 50001);""")
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["csv", "list", "json", "database"])
def test_every_kind_of_dump(service, opcheck, tmp_path, kind):
    path = tmp_path / "dump"
    content = {"csv": b'Name,Input Shapes,Host Self Duration(us)\r\naten::add,"4,12;\r\n4,12",1.5\r\n',
               "list": b"aten::add\naten::mm\n", "json": b'{"aten::add": 3}'}.get(kind) or npu_database(path)
    path.write_bytes(content)
    direct = opcheck("check", path, "-f", "json")
    assert direct.status == 0 and "aten::add" in {o["name"] for o in json.loads(direct.out)["operators"]}
    assert report(service, service.api.submit(content, name="dump")) == direct.out


def test_without_a_name_it_is_that_of_standard_input(service, opcheck):
    reply = service.api.submit(DUMP.read_bytes())
    assert reply.json()["name"] == "-"
    assert report(service, reply) == opcheck("check", "-", "-f", "json", input=DUMP.read_bytes()).out


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
@pytest.mark.parametrize("way", ("--data-binary @{path} {url}?name={name}", "-T {path} -X POST {url}?name={name}",
                                 "-F file=@{path} {url}", "-F file=@{path} -F target= -F torch= {url}",
                                 "-T - -X POST {url}?name={name}"))
def test_by_curl(service, opcheck, curl, way):
    url = service.url + "/api/v1/assessments"
    run = curl(*way.format(path=DUMP, url=url, name=DUMP.name).split(), input=DUMP.read_bytes())
    links = json.loads(run.stdout)["links"]
    assert curl(service.url + links["report"] + ".csv").stdout == opcheck("check", DUMP, "-f", "csv").out


@pytest.mark.parametrize("format", ("json", "html", "csv", "text", "sarif"))
def test_by_the_client(service, opcheck, submit, format):
    mine, theirs = opcheck("check", DUMP, "-f", format), submit(service, DUMP, "-f", format)
    assert (theirs.status, theirs.out, theirs.err) == (0, mine.out, "")


def test_the_client_takes_the_options_of_check(service, opcheck, submit, tmp_path):
    options = ["-t", "npu@1.11.0", "-t", "musa@v1.0.0", "--fail-on", "unsupported,cpu-fallback,dynamic-bounded", "-v"]
    mine, theirs = opcheck("check", SMALL, *options), submit(service, SMALL, *options)
    assert (theirs.status, theirs.out) == (mine.status, mine.out)
    assert mine.status == 1
    assert submit(service, SMALL, *options, "--exit-zero").status == 0
    page = tmp_path / "report.html"
    run = submit(service, SMALL, *options, "-o", "html=%s" % page)
    assert run.status == 1 and run.out == b"" and "npu@v1.11.0" in run.err
    assert page.read_bytes() == opcheck("check", SMALL, *options, "-f", "html").out


ASKS = ("-t", "npu@v2.7.1-26.0.0:910A")  # without bf16: a dump without data types leaves a question open


@pytest.mark.parametrize("way", ("query", "form"))
def test_what_is_stated_about_the_program(service, opcheck, way):
    direct = opcheck("check", DUMP, *ASKS, "--dtype", "fp32,bf16", "--max-uncovered-time", "50%", "--require-dtypes", "-f", "json")
    fields = {"target": ASKS[1], "dtype": "bf16, fp32", "max_uncovered_time": "50%", "require_dtypes": "true"}
    if way == "form":
        with DUMP.open("rb") as file:
            reply = service.api.post("/api/v1/assessments", files={"file": file}, data=fields)
    else:
        reply = service.api.submit(DUMP.read_bytes(), name=DUMP.name, **fields)
    assert direct.status == 0 and report(service, reply) == direct.out
    options = reply.json()["options"]
    assert (options["dtype"], options["max_uncovered_time"], options["require_dtypes"]) == (["fp32", "bf16"], "50.0000%", True)


def test_a_dump_that_leaves_types_open_is_refused_where_they_are_required(service, opcheck, submit):
    reply = service.api.submit(DUMP.read_bytes(), target=ASKS[1], require_dtypes="true")
    assert (reply.status_code, reply.json()["code"]) == (422, "OPC-3014") and "--dtype" in reply.json()["hint"]
    assert service.api.submit(DUMP.read_bytes(), target=ASKS[1], require_dtypes="false").status_code in (200, 201)
    for extra in ([], ["--dtype", "fp32"]):
        options = [*ASKS, "--require-dtypes", "--max-uncovered-time", "12.5%", *extra]
        mine, theirs = opcheck("check", DUMP, *options), submit(service, DUMP, *options)
        assert (theirs.status, theirs.out) == (mine.status, mine.out) and mine.status == (0 if extra else 3)


def test_the_client_sends_several_dumps_and_standard_input(service, opcheck, submit):
    one, other = (opcheck("check", path, "-f", "csv").out for path in (DUMP, SMALL))
    run = submit(service, DUMP, SMALL, "-f", "csv")
    assert run.out == opcheck("check", DUMP, SMALL, "-f", "csv").out and run.out not in (one, other, one + other)
    assert submit(service, DUMP, SMALL, "--each", "-f", "csv").out == one + other
    run = submit(service, "-", "-f", "json", input=DUMP.read_bytes())
    assert run.out == opcheck("check", "-", "-f", "json", input=DUMP.read_bytes()).out


FAILS = ("-t", "npu@1.11.0", "-t", "musa@v1.0.0", "--fail-on", "unsupported,cpu-fallback,dynamic-bounded")


@pytest.mark.parametrize("options, status", [([*ASKS, "--require-dtypes"], 3), (FAILS, 1), ([*FAILS, "--exit-zero"], 0)])
def test_after_a_dump_that_ends_badly_each_goes_on(service, opcheck, submit, tmp_path, options, status):
    (tmp_path / "no.log").write_text("nothing\n")
    for paths, expected in (([DUMP, SMALL], status), ([DUMP, tmp_path / "no.log", SMALL], 3)):
        mine, theirs = opcheck("check", *paths, "--each", *options), submit(service, *paths, "--each", *options)
        assert (theirs.status, theirs.out) == (mine.status, mine.out)
        assert mine.text.splitlines()[-1].startswith("2 files: ") and mine.status == expected


def test_what_the_database_knows(service, opcheck):
    assert service.api.get("/api/v1/targets").content == opcheck("targets", "-f", "json").out
    for name in ("aten::isin", "aten::add.Tensor", "npu::npu_format_cast", "_mps_convolution"):
        reply = service.api.get("/api/v1/operators/" + name.replace(":", "%3A"))
        assert reply.content == opcheck("op", name, "-f", "json").out
    reply = service.api.get("/api/v1/operators/add?target=npu@2.1.0&target=musa@v1.0.0&target=npu@2.1.0")
    assert reply.content == opcheck("op", "add", "-f", "json", "-t", "npu@2.1.0", "-t", "musa@v1.0.0").out


def test_a_dump_of_a_device_shows_its_agreement(service, opcheck, tmp_path):
    details = tmp_path / "operator_details.csv"
    details.write_text("Name,Input Shapes,Host Self Duration(us),Device Self Duration(us)\r\naten::mm,,1,8.5\r\naten::t,,1,0\r\n", newline="")
    reply = service.api.submit(details.read_bytes(), name=details.name)
    assert report(service, reply) == opcheck("check", details, "-f", "json").out
    assert service.api.get(reply.headers["Location"] + "/report.json").json()["agreement"][0]["score"]["operators"] == 1
    page = service.api.get("/assessments/" + reply.headers["Location"].rsplit("/", 1)[1], headers={"Accept": "text/html"}).text
    assert "Agreement with the device" in page and "made on an Ascend NPU" in page


def test_what_is_asked_for_again_is_answered_as_the_first_time(service):
    """But for its own id: answers that lie ready are told apart by all their headers."""
    where = service.api.submit(DUMP.read_bytes(), name=DUMP.name).headers["Location"]
    asked = [(id + "/report." + suffix, {"Accept-Encoding": coding, "Accept-Language": lang})
             for id in (where, where[:-40]) for suffix in ("html", "csv", "md") for coding in ("gzip", "identity") for lang in ("en", "zh-CN")]
    first, ids = {}, set()
    for _ in range(4):
        for path, headers in asked:
            reply = service.api.get(path, headers=headers)
            ids.add(reply.headers.pop("X-Request-Id"))
            del reply.headers["Date"]
            said = (reply.status_code, sorted(reply.headers.items()), reply.content)
            assert said == first.setdefault((path, *headers.values()), said)
    assert len(ids) == 4 * len(asked)
    assert len(set(str(said) for said in first.values())) == len(asked) - 4  # a table is the same in both languages


@pytest.mark.parametrize("path, command", [("advice", "advise"), ("buckets", "buckets")])
def test_answers_beside_the_report_are_those_of_the_command(service, opcheck, path, command):
    record = service.api.submit(SMALL.read_bytes(), name=SMALL.name, target="npu@v2.7.1-26.0.0").json()
    where = record["links"]["self"] + "/" + path
    for form, media in (("json", "*/*"), ("csv", "text/csv"), ("md", "text/markdown"), ("text", "text/plain")):
        reply = service.api.get(where, headers={"Accept": media})
        assert reply.status_code == 200 and reply.text == opcheck(command, SMALL, "-f", form).text, form
    page = service.api.get(where, headers={"Accept": "text/html"})
    assert page.status_code == 200 and "<table" in page.text
    assert service.api.get(where, headers={"If-None-Match": service.api.get(where).headers["ETag"]}).status_code == 304
    assert service.api.get(where, headers={"Accept": "image/png"}).status_code == 406
    assert service.api.get("/api/v1/assessments/%s/%s" % ("0" * 64, path)).status_code == 404
