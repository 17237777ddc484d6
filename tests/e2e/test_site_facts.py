"""A service with facts of its site: every answer follows them, and other facts make another assessment."""
import hashlib

from conftest import Run, environment, program
from daemon import SMALL, Daemon

COLUMNS = "# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n"
MM = "aten::mm\tmusa\t*\t.\t.\tunsupported\t.\tcrashes\tseen here\t.\n"


def submit(daemon):
    reply = daemon.api.submit(SMALL.read_bytes(), name="a.log", target="musa@v2.7.1")
    assert reply.status_code in (200, 201), reply.text
    return reply.json()["id"]


def test_every_answer_follows_the_overlay_and_a_changed_one_makes_another_assessment(tmp_path):
    site = tmp_path / "site.tsv"
    site.write_text(COLUMNS + MM, encoding="utf-8")
    daemon = Daemon(tmp_path / "state", "--overlay", str(site))
    try:
        first = submit(daemon)
        assert submit(daemon) == first
        report = daemon.api.json("/api/v1/assessments/%s/report.json" % first)
        digest = hashlib.sha256(site.read_bytes()).hexdigest()
        assert report["db"]["overlays"] == [{"name": "site.tsv", "sha256": digest, "facts": 1}]
        assert daemon.api.json("/api/v1/version")["db"]["overlays"] == report["db"]["overlays"]
        direct = Run([program("opcheck", "OPCHECK"), "op", "aten::mm", "-t", "musa@v2.7.1", "--overlay", site, "-f", "json"],
                     env=environment()).json
        assert daemon.api.json("/api/v1/operators/aten::mm?target=musa@v2.7.1") == direct
        page = daemon.api.get("/operators/aten::mm?target=musa@v2.7.1")
        assert "seen here" in page.text and "overlay" in page.text
        site.write_text(COLUMNS + MM.replace("unsupported", "cpu-fallback"), encoding="utf-8")
        second = submit(daemon)
        assert second != first
        verdicts = daemon.api.json("/api/v1/assessments/%s/report.json" % second)["operators"]
        assert all(o["verdicts"]["musa@v2.7.1"]["status"] == "cpu-fallback" for o in verdicts if o["name"] == "aten::mm")
        site.write_text(COLUMNS + MM + MM, encoding="utf-8")
        assert daemon.api.submit(SMALL.read_bytes(), name="b.log").status_code == 503
    finally:
        daemon.stop()


def test_it_does_not_start_with_an_overlay_that_is_wrong(tmp_path):
    site = tmp_path / "site.tsv"
    site.write_text(COLUMNS + MM.replace("aten::mm", "aten::mmm"), encoding="utf-8")
    run = Run([program("opcheckd", "OPCHECKD"), "--listen", "127.0.0.1:0", "--state-dir", tmp_path / "state", "--overlay", site],
              env=environment(), timeout=30)
    assert run.status == 4 and 'site.tsv:2' in run.err and "aten::mmm" in run.err
