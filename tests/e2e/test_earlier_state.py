"""A state directory of an earlier program is opened and served as it is."""
import json
import tarfile

from conftest import FIXTURES
from daemon import Daemon

ID = "0513c9df41d699be970dd2450af63bfa2dd8ab8f78122bf8339f723e306313c7"


def test_what_an_earlier_service_kept_is_served(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    with tarfile.open(FIXTURES / "earlier" / "state.tar.gz") as archive:
        archive.extractall(state)
    daemon = Daemon(state)
    record = daemon.api.json("/api/v1/assessments/" + ID)
    assert record["targets"] == [{"id": "npu@v2.7.1-26.0.0", "verdict": "blocked", "gate": "none"}]
    report = daemon.api.get(record["links"]["report"] + ".json")
    assert report.status_code == 200 and json.loads(report.content)["inputs"][0]["name"] == "2.9-overload.log"
    for suffix in (".html", ".csv", ".txt"):
        assert daemon.api.get(record["links"]["report"] + suffix).status_code == 200, suffix
    assert ID in [item["id"] for item in daemon.api.json("/api/v1/assessments")["items"]]
    assert daemon.api.get("/assessments/" + ID).status_code == 200
    daemon.stop()
