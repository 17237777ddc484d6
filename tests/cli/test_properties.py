"""What must not change a report: the order of rows, of events and of ranks. And what must: more steps are more knowledge."""
import itertools
import json
import random

from conftest import REFERENCE, sampled
from test_followers import trace
from test_reports import row, table


def report_of(opcheck, *paths):
    report = opcheck("check", *paths, "-t", "npu@v2.7.1-26.0.0", "-t", "musa@v2.7.1", "-f", "json").json
    for entry in report["inputs"]:
        for key in ("sha256", "bytes", "name"):
            del entry[key]
    for op in report["operators"]:
        del op["first_seen"]  # a place, which is another one then
    return report


NAMES = ["aten::add", "aten::mul", "aten::matmul", "aten::nonzero", "aten::index", "aten::unique_dim", "aten::logit", "my label",
         "AddBackward0", "aten::linalg_lstsq", "aten::copy_", "aten::to", "cudaLaunchKernel", "torchvision::nms"]


def steps(seed):
    """Rows of four steps, with shapes that change in some of them."""
    rng = random.Random(seed)
    return [[row(name, "[[%d, %d], []]" % (rng.choice((4, 8, 16)), 3 + i), us=rng.randrange(1, 10 ** 6) / 1000, calls=rng.randrange(1, 9))
             for name in NAMES for i in range(rng.randrange(1, 3))] for _ in range(4)]


def test_the_order_of_rows_changes_nothing(opcheck, tmp_path):
    for seed in range(3):
        rows = steps(seed)
        want = None
        for shuffle in range(4):
            rng = random.Random(shuffle)
            text = ""
            for step in rows:
                order = list(step)
                rng.shuffle(order)
                text += table(order)
            path = tmp_path / "profiler.log"
            path.write_text(text, encoding="utf-8")
            got = report_of(opcheck, path)
            want = want or got
            assert got == want, (seed, shuffle)


def test_the_order_of_events_changes_nothing(opcheck, tmp_path):
    document = json.loads(trace([[("aten::matmul", [[8, n]]), ("aten::nonzero", [[n, 4]]), ("aten::mul", [[n, 2]])] for n in (5, 9, 6, 11)]))
    want = None
    for shuffle in range(4):
        random.Random(shuffle).shuffle(document["traceEvents"]) if shuffle else None
        path = tmp_path / "trace.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        got = report_of(opcheck, path)
        want = want or got
        assert got == want, shuffle


def test_ranks_may_come_in_any_order(opcheck, tmp_path):
    paths = []
    for rank in range(3):
        path = tmp_path / ("rank%d.log" % rank)
        path.write_text("".join("[rank%d]: %s\n" % (rank, line) for step in steps(rank) for line in table(step).splitlines()), encoding="utf-8")
        paths.append(path)
    reports = [report_of(opcheck, *order) for order in itertools.permutations(paths)]
    for report in reports:
        del report["inputs"]
    assert all(report == reports[0] for report in reports)


def test_intervals_are_ordered_and_unknown_is_never_certain(opcheck, tmp_path):
    for seed in range(4):
        path = tmp_path / "profiler.log"
        path.write_text("".join(map(table, steps(seed))), encoding="utf-8")
        for target in report_of(opcheck, path)["targets"]:
            for basis in ("time", "calls", "operators"):
                ready, covered = target["readiness"][basis], target["coverage"][basis]
                assert 0 <= ready["lo"] <= ready["hi"] <= 1 and ready["lo"] <= covered["lo"] <= covered["hi"] <= 1
                assert ready["hi"] <= covered["hi"]


def width(interval):
    return interval["hi"] - interval["lo"]


def test_names_that_are_whole_narrow_the_interval(opcheck, tmp_path):
    """A cut name is one of several operators; the whole name is one of these."""
    path = tmp_path / "profiler.log"
    path.write_text(table([row("aten::linalg_..."), row("aten::add")]), encoding="utf-8")
    cut = report_of(opcheck, path)["targets"]
    path.write_text(table([row("aten::linalg_lstsq"), row("aten::add")]), encoding="utf-8")
    whole = report_of(opcheck, path)["targets"]
    for before, after in zip(cut, whole):
        assert before["readiness"]["calls"]["lo"] <= after["readiness"]["calls"]["lo"]
        assert after["readiness"]["calls"]["hi"] <= before["readiness"]["calls"]["hi"]
        assert width(after["readiness"]["calls"]) < width(before["readiness"]["calls"])


def test_over_all_samples_a_verdict_has_its_findings_and_operators_their_places(opcheck, reference, sanitized):
    dumps = sampled(sorted(p for p in (reference / "samples").rglob("*") if p.suffix in (".log", ".gz", ".json", ".csv", ".txt", ".ipynb")
                           and p.stat().st_size < 1 << 20 and "matrix" not in p.parts and "truth" not in p.name))
    read = 0
    for path in dumps:
        done = opcheck("check", path, "-t", "npu@v2.7.1-26.0.0", "-t", "npu@v2.1.0-5.0.0", "-t", "musa@v2.7.1", "-f", "json")
        if done.status:
            continue
        report, read = done.json, read + 1
        for target in report["targets"]:
            severities = {f["severity"] for f in report["findings"] if f["target"] in ("", target["id"])}
            assert target["reason"]["text"], path
            for interval in (*target["readiness"].values(), *target["coverage"].values(), *target["where"].values()):
                assert 0 <= interval["lo"] <= interval["hi"] <= 1, (path, target["id"])
            assert target["verdict"] != "ready-with-warnings" or "warning" in severities, (path, target["id"])
            assert target["verdict"] != "blocked" or "error" in severities, (path, target["id"])
            other = {f["rule"] for f in report["findings"] if f["severity"] != "note" and f["target"] == ""}  # seen on another device
            assert target["verdict"] != "ready" or severities <= {"note"} or (
                target["id"].startswith("musa") and other <= {"observed-aicpu", "observed-aicpu-kernel"}), (path, target["id"])
        assert path.suffix == ".ipynb" or all("first_seen" in op for op in report["operators"]), path
        assert all(0 <= op["time_share"] <= 1 for op in report["operators"]) and all(0 <= c["time_share"] <= 1 for c in report["causes"]), path
    assert read > (len(dumps) / 2 if sanitized or not REFERENCE else 90)
