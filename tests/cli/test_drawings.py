"""Drawings of a page: what they show is what the JSON report says."""
import html
import html.parser
import json
import re
import unicodedata

import pytest

import mixed
import page_data
from conftest import FIXTURES

DUMP = FIXTURES / "torch-2.13" / "llama.a-full.log"
TARGETS = ("-t", "npu@2.1.0", "-t", "musa@v1.3.0")


class Drawings(html.parser.HTMLParser):
    """Of each drawing its class and label, and of its shapes the class of their group, the sides and the title,
    which is the text where that says it all; of its texts where they begin. Names at the left are in a drawing of their own."""

    def __init__(self, page):
        super().__init__()
        self.found, self.names, self.css, self.shape, self.in_title, self.in_text, self.others = [], None, None, None, False, False, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        css = attributes.get("class", "").split() if tag == "svg" else []
        self.others &= not css
        if css[:1] == ["names"]:
            self.names = {"shapes": [], "texts": []}
            self.found.append(self.names)
        elif css[:1] == ["drawing"]:
            drawn = self.found.pop() if self.names else {"shapes": [], "texts": []}
            self.found.append({"css": css[1:], "label": attributes["aria-label"], **drawn})
            self.names = None
        elif tag == "g":
            self.css = attributes["class"]
        elif tag == "rect" and self.css:
            self.shape = {"css": self.css, "title": "", "sides": [int(attributes.get(side, 0)) for side in ("x", "y", "width", "height")]}
            self.found[-1]["shapes"].append(self.shape)
        elif tag == "svg":
            self.others = True  # charts with texts of their own
        elif tag == "text" and not self.others:
            self.found[-1]["texts"].append([int(attributes["x"]), int(attributes["y"]), ""])
        self.in_text = tag == "text" and not self.others
        self.in_title = tag == "title" or tag == "text" and self.shape and not self.shape["title"]

    def handle_endtag(self, tag):
        self.in_title = self.in_text = False
        if tag == "g":
            self.css = self.shape = None

    def handle_data(self, data):
        if self.in_title and self.shape:
            self.shape["title"] += data
        if self.in_text:
            self.found[-1]["texts"][-1][2] += data


def drawings(run, kind):
    return [d for d in Drawings(run.text).found if kind in d["css"]]


def percent(share):
    return "%.1f %%" % (int(share * 1e6 + 0.5 + 500) // 1000 / 10)


def test_the_map_has_every_operator_with_its_status_and_share(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    maps = drawings(opcheck("check", DUMP, *TARGETS, "-f", "html"), "map")
    assert len(maps) == len(report["targets"])
    for target, drawn in zip(report["targets"], maps):
        assert target["id"] in drawn["label"]
        titles = [shape["title"] for shape in drawn["shapes"]]
        for op in report["operators"]:
            if op["time_share"] > 0.005:
                line = [t for t in titles if t.startswith(op["name"] + ": ")]
                assert line and line[0].split(" \u00b7 ")[0].endswith(percent(op["time_share"])), op["name"]


def test_the_map_marks_what_a_finding_warns_of(opcheck):
    report = opcheck("check", DUMP, "-t", "musa@v1.3.0", "-f", "json").json
    shapes = drawings(opcheck("check", DUMP, "-t", "musa@v1.3.0", "-f", "html"), "map")[0]["shapes"]
    looks = {shape["title"].split(": ")[0]: shape["css"] for shape in shapes}
    grave = {f["operator"] for f in report["findings"] if f["severity"] != "note" and f["target"]}
    fine = {"native", "composite", "equivalent"}
    assert grave & set(looks)
    for op in report["operators"]:
        verdict = op["verdicts"]["musa@v1.3.0"]
        if op["name"] in looks and verdict["status"] in fine:
            limited = op["name"] in grave or bool(verdict["conditions"])
            assert looks[op["name"]] == ("limited" if limited else "fine"), op["name"]


def test_the_bar_of_a_target_has_a_legend_of_its_own(opcheck):
    page = opcheck("check", DUMP, *TARGETS, "-f", "html")
    legends = re.findall(r'<ul class="legend">(.*?)</ul>', page.text, re.S)
    bars = drawings(page, "places")
    assert len(legends) == len(bars) == len(TARGETS) // 2
    for legend, bar in zip(legends, bars):
        shown = set(re.findall(r'<i class="([a-z-]+)">', legend))
        assert {shape["css"] for shape in bar["shapes"]} - {"w-either"} <= shown and "%" in legend


def test_a_card_says_effort_risks_and_the_date_of_its_facts(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    page = opcheck("check", DUMP, *TARGETS, "-f", "html").text
    cards = page.split('<section class="card">')[1:]
    edits = ("flag", "config", "recipe")
    for target, card in zip(report["targets"], cards):
        assert "facts of %s" % target["date"] in card
        effort, risks = (re.search("<dt>%s</dt>\\s*<dd>([^<]+)" % word, card)[1] for word in ("Effort", "Risks"))
        count = sum(fix["effort"] in edits for fix in target["fixes"])
        assert ("%d edit" % count in effort) == (count > 0) and risks
    # digests are read last
    assert page.index(report["inputs"][0]["sha256"]) > page.index('id="glossary"')


def test_the_bar_of_places_has_each_microsecond_once(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    bars = drawings(opcheck("check", DUMP, *TARGETS, "-f", "html"), "places")
    assert len(bars) == len(report["targets"])
    for target, bar in zip(report["targets"], bars):
        places = {"w-" + ("gpu" if place == "aicore" and target["id"].startswith("musa") else place): 1000 * share["lo"]
                  for place, share in target["where"].items()}
        places["w-either"] = 1000 - sum(places.values())
        assert sum(shape["sides"][2] for shape in bar["shapes"]) in (999, 1000)
        for shape in bar["shapes"]:
            assert abs(places[shape["css"]] - shape["sides"][2]) <= 1


def test_a_card_says_why_and_what_to_do_first(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    page = opcheck("check", DUMP, *TARGETS, "-f", "html").text
    for target in report["targets"]:
        fix = target["fixes"][0]
        assert re.search("First [a-z ]+ %s " % re.escape(fix["what"]), page)
        assert "%d blocker%s left" % (fix["blockers"], "" if fix["blockers"] == 1 else "s") in page


def test_the_curve_has_a_point_for_each_step(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    page = opcheck("check", DUMP, *TARGETS, "-f", "html").text
    curves = re.findall(r'<svg class="curve".*?</svg>', page, re.DOTALL)
    for target, curve in zip((t for t in report["targets"] if t["fixes"]), curves):
        titles = ["before the first step: " + percent(target["readiness"]["time"]["lo"])]
        titles += ["%d. %s: %s" % (i, fix["what"], percent(fix["readiness"]["lo"])) for i, fix in enumerate(target["fixes"], 1)]
        assert re.findall("<title>(.*?)</title>", curve) == titles


MIXED_TARGETS = ("-t", "npu@2.1.0", "-t", "musa@v1.3.0", "-t", "npu:310P")


def figures(change):
    return [round(1e6 * change[key][end]) for key in ("readiness", "coverage") for end in ("lo", "hi")] + [change["blockers"]]


def base_of(target):
    blockers = sum(target["counts"].get(status, 0) for status in ("unsupported", "needs-package"))
    return figures({"readiness": target["readiness"]["time"], "coverage": target["coverage"]["time"], "blockers": blockers})


def test_what_fixes_change_adds_up_to_the_way(opcheck, tmp_path):
    report = opcheck("check", mixed.write(tmp_path / "mixed.json"), *MIXED_TARGETS, "-f", "json").json
    kinds = set()
    for target in report["targets"]:
        for count in range(1, len(target["fixes"]) + 1):
            taken = target["fixes"][:count]
            moved = any(fix["kind"] == "release" for fix in taken)
            sums = base_of(target)
            for fix in taken:
                change = fix["alone"]["moved"] if moved and fix["kind"] != "release" else fix["alone"]
                sums = [one + other for one, other in zip(sums, figures(change))]
            assert sums == figures(taken[-1]), (target["id"], count)
        kinds |= {fix["kind"] for fix in target["fixes"]}
        for number, fix in enumerate(target["fixes"], 1):
            before = fix["alone"].get("after", 0)
            assert before < number
            # what was found in a package is confirmed after it
            if before and fix["kind"] == "settle":
                assert target["fixes"][before - 1]["kind"] == "package"
    assert kinds == {"release", "package", "settle", "replace"}


def test_rows_of_fixes_have_what_each_changes(opcheck, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    report = opcheck("check", dump, *MIXED_TARGETS, "-f", "json").json
    page = opcheck("check", dump, *MIXED_TARGETS, "-f", "html").text
    rows = re.findall('<tr data-alone="([^"]*)" data-fix="([a-z]*)">', page)
    fixes = [fix for target in report["targets"] for fix in target["fixes"]]
    assert len(rows) == len(fixes)
    for (row, kind), fix in zip(rows, fixes):
        alone = fix["alone"]
        expected = [alone.get("after", 0)] + figures(alone) + (figures(alone["moved"]) if "moved" in alone else [])
        assert (list(map(int, row.split())), kind) == (expected, fix["kind"])
    bases = re.findall('data-base="([^"]*)"', page)
    assert [list(map(int, base.split())) for base in bases] == [base_of(t) for t in report["targets"] if t["fixes"]]


def test_an_earlier_report_has_no_fixes_to_tick(opcheck, tmp_path):
    report = opcheck("check", mixed.write(tmp_path / "mixed.json"), *MIXED_TARGETS, "-f", "json").json
    for target in report["targets"]:
        for fix in target["fixes"]:
            del fix["alone"]
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(report))
    page = opcheck("convert", earlier, "-f", "html").text
    assert ">Fastest path to ready</h2>" in page and "<tr data-alone" not in page


def test_the_cpu_and_the_ai_cpu_are_one_bar(opcheck, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    report = opcheck("check", dump, *MIXED_TARGETS, "-f", "json").json
    bars = drawings(opcheck("check", dump, *MIXED_TARGETS, "-f", "html"), "costs")
    cost, expected = report["cost"], []
    for target in report["targets"]:
        host, aicpu = target.get("fallback_cost", {"copy_us": 0, "host_us": 0}), target["where"]["aicpu"]
        parts = {"w-copy": host["copy_us"] / cost["steps"], "w-host": host["host_us"] / cost["steps"],
                 "w-aicpu": aicpu["lo"] * cost["step_us"], "w-maybe": (aicpu["hi"] - aicpu["lo"]) * cost["step_us"]}
        if any(parts.values()):
            expected.append({css: us for css, us in parts.items() if us})
    assert len(expected) == len(bars) == 2  # nothing to draw on musa
    for parts, bar in zip(expected, bars):
        assert [shape["css"] for shape in bar["shapes"]] == list(parts)
        for shape, us in zip(bar["shapes"], parts.values()):
            assert abs(float(re.search(r"([0-9.]+) ms$", shape["title"])[1]) - us / 1000) <= 0.0011
            assert abs(shape["sides"][2] - 1160 * us / sum(parts.values())) <= 1


def test_compilations_are_drawn_by_target(opcheck, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    report = opcheck("check", dump, *MIXED_TARGETS, "-f", "json").json
    drawn, = drawings(opcheck("check", dump, *MIXED_TARGETS, "-f", "html"), "compiles")
    compiling = {t["id"]: t["compiling"] for t in report["targets"] if t.get("compiling")}
    most = max(one["compiles"] for one in compiling.values())
    assert [shape["title"] for shape in drawn["shapes"] if shape["title"] in compiling] == list(compiling)
    for at, one in enumerate(compiling.values()):
        first, later = [s for s in drawn["shapes"] if s["css"].startswith("heat")][2 * at:2 * at + 2]
        assert first["title"].startswith("%d compilation" % one["compiles"])
        assert abs(first["sides"][2] - 900 * one["first_step"] / most) <= 1
        assert abs(first["sides"][2] + later["sides"][2] - 900 * one["compiles"] / most) <= 1


def test_modules_are_as_wide_as_their_share(opcheck):
    dump = FIXTURES / "traces" / "lastbatch.c.trace.json.gz"
    report = opcheck("check", dump, *TARGETS, "-f", "json").json
    icicles = drawings(opcheck("check", dump, *TARGETS, "-f", "html"), "icicle")
    whole = sum(place["time_share"] for place in report["modules"] if not place["depth"])
    assert len(icicles) == len(report["targets"])
    for target, drawn in zip(report["targets"], icicles):
        tiles = {shape["title"].split(": ")[0]: shape for shape in drawn["shapes"]}
        for place in report["modules"]:
            tile, there = tiles[place["path"]], place["targets"][target["id"]]
            assert abs(tile["sides"][2] - 1160 * place["time_share"] / whole) <= 1 and tile["sides"][1] == 24 * place["depth"]
            assert percent(place["time_share"]) in tile["title"]
            assert tile["css"] == ("stops" if there["blockers"] else "unknown" if there["unknown"] else
                                   "limited" if there["device"]["lo"] < place["time_share"] else "fine")
            holder = tiles.get(place["path"].rpartition("/")[0])
            if holder:
                assert holder["sides"][0] <= tile["sides"][0]
                assert tile["sides"][0] + tile["sides"][2] <= holder["sides"][0] + holder["sides"][2]


def test_the_strip_counts_the_shapes_that_each_step_meets_first(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    strip, = drawings(opcheck("check", DUMP, *TARGETS, "-f", "html"), "steps")
    first = {}
    for op in report["operators"]:
        for shape in op["shapes"]:
            if shape["steps"]:
                key = (op["name"], shape["steps"][0][0])
                first[key] = first.get(key, 0) + 1
    cells = [re.fullmatch(r"(\S+), step (\d+): (\d+) new shapes?", s["title"]) for s in strip["shapes"]
             if s["css"] != "label"]
    assert cells and all(cells)
    for cell in cells:
        assert first.get((cell[1], int(cell[2])), 0) == int(cell[3])


def bars_of(panels):
    """By release."""
    return {s["title"].split(": ")[0]: s for panel in panels for s in panel["shapes"] if re.match(r"(npu|musa)@\S+: .*blocker", s["title"])}


def test_releases_are_drawn_as_advise_lists_them(opcheck):
    survey = opcheck("advise", DUMP, "-f", "json").json
    panels = drawings(opcheck("advise", DUMP, "-f", "html"), "releases")
    bars = bars_of(panels)
    looks = {"ready": "fine", "ready-with-warnings": "limited", "inconclusive": "unknown", "blocked": "stops"}
    assert bars.keys() == {release["id"] for release in survey["releases"]}
    for release in survey["releases"]:
        bar = bars[release["id"]]
        assert bar["css"] == looks[release["verdict"]]
        assert abs(bar["sides"][3] - 40 * release["readiness"]["time"]["lo"]) <= 1
    ids = [release["id"] for release in survey["releases"]]
    cells = [re.fullmatch(r"(\S+): does not run, (\S+?)(?: to (\S+))?", s["title"]) for panel in panels for s in panel["shapes"]]
    for _, name, begin, end in [(c, *c.groups()) for c in cells if c and c[1] != "Verdict"]:
        for i in range(ids.index(begin), ids.index(end or begin) + 1):
            assert name in survey["releases"][i]["blockers"]


def states_of(report):
    """Of each operator that blocks somewhere, its state on each release."""
    ids, states = [release["id"] for release in report["releases"]], {}
    for blocker in report["blockers"]:
        states[blocker["operator"]] = ["runs"] * len(ids)
        for span in blocker["releases"]:
            first, last = ids.index(span["first"]), ids.index(span["last"])
            states[blocker["operator"]][first:last + 1] = [span["state"]] * (last + 1 - first)
    return states


def test_a_report_has_the_releases_that_advise_has(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    survey = opcheck("advise", DUMP, "--from", "npu@2.1.0", "--from", "musa@v1.3.0", "-f", "json").json
    assert len(report["releases"]) == len(survey["releases"]) > 80
    for own, other in zip(report["releases"], survey["releases"]):
        assert (own["id"], own["verdict"], own["stable"]) == (other["id"], other["verdict"], other["stable"])
        assert (own["readiness"], own["coverage"]) == (other["readiness"]["time"], other["coverage"]["time"])
        assert (own["blockers"], own["unknown"]) == (len(other["blockers"]), len(other["unknown"]))
    keys = {"blocked": "blockers", "unknown": "unknown", "conditional": "conditional"}  # advise counts a fallback among what runs
    for name, states in states_of(report).items():
        for state, release in zip(states, survey["releases"]):
            expected = next((s for s, key in keys.items() if name in release[key]), "runs")
            assert state == expected or (state, expected) == ("cpu-fallback", "runs"), (name, release["id"])
    for own, other in zip(report["moves"], survey["moves"]):
        assert all(own[key] == other[key] for key in ("target", "from", "to", "clears", "back", "releases"))
        assert all(own[key] == {"total": len(other[key]), "names": other[key][:20]} for key in ("cleared", "left", "new"))


def test_a_report_of_two_releases_of_a_target_moves_from_the_first(opcheck):
    report = opcheck("check", DUMP, "-t", "musa@v1.3.0", "-t", "musa@v2.7.1", "-f", "json").json
    assert [(move["target"], move["from"]) for move in report["moves"]] == [("musa", "musa@v1.3.0")]


def test_formats_that_show_no_releases_do_without(opcheck, tmp_path):
    report = tmp_path / "report.json"
    report.write_bytes(opcheck("check", DUMP, *TARGETS, "-f", "json").out)
    for name in ("text", "md", "csv", "html"):
        assert opcheck("convert", report, "-f", name).out == opcheck("check", DUMP, *TARGETS, "-f", name).out, name


def test_the_page_draws_every_release_and_says_where_the_user_is(opcheck):
    report = opcheck("check", DUMP, *TARGETS, "-f", "json").json
    page = opcheck("check", DUMP, *TARGETS, "-f", "html")
    panels = drawings(page, "releases")
    bars = bars_of(panels)
    assert bars.keys() == {release["id"] for release in report["releases"]}
    assert all(abs(bars[r["id"]]["sides"][3] - 40 * r["readiness"]["lo"]) <= 1 for r in report["releases"])
    shapes = [shape for panel in panels for shape in panel["shapes"]]
    marks = [shape["title"] for shape in shapes if shape["css"] == "mark"]
    for move in report["moves"]:
        assert any(mark.startswith(move["from"] + ": ") for mark in marks)
        assert move["to"] == move["from"] or any(mark.startswith(move["to"] + ": ") for mark in marks)
    # each target's panel is named, and the release that was asked for is one of the names that stay in sight
    assert [re.sub("<.*?>", "", line) for line in re.findall(r"<p>(<strong[^\n]*releases?)</p>\n<div class=\"wide named", page.text)] == \
        ["npu the newest 20 of 74 releases", "musa 13 releases"]
    names = [shape["title"] for shape in shapes if shape["css"] == "label"]
    for move in report["moves"]:
        assert "\u25bc " + move["from"] in names and (move["to"] == move["from"] or "\u2605 " + move["to"] in names)
    # the axis goes to the newest
    newest = [shape["title"] for shape in panels[0]["shapes"] if shape["css"] == "axis"][-1]
    assert newest == "PyTorch " + ".".join([r for r in report["releases"] if r["target"] == "npu"][-1]["torch"].split(".")[:2])
    assert newest.split()[1] in [text for _, _, text in panels[0]["texts"]]
    words = {"blocked": "does not run", "unknown": "unknown", "conditional": "may not run", "cpu-fallback": "falls back to the CPU"}
    titles = [shape["title"] for shape in shapes]
    for blocker in report["blockers"][:14]:
        for span in blocker["releases"]:
            said = [title for title in titles if title.startswith("%s: %s, " % (blocker["operator"], words[span["state"]]))]
            # a span may go on in the other panel
            assert any(title.split(", ")[1].startswith(span["first"]) for title in said) and any(title.endswith(span["last"]) for title in said)


@pytest.mark.parametrize("args", [("check",), ("check", "--lang", "zh-CN"), ("advise",), ("advise", "--lang", "zh-CN")])
@pytest.mark.parametrize("dump", ["torch-2.13/llama.a-full.log", "traces/lastbatch.c.trace.json.gz"])
def test_labels_never_cross(opcheck, dump, args):
    """A character takes some 6 units, one of East Asia two of them; a line is 12 high."""
    page = opcheck(args[0], FIXTURES / dump, *args[1:], "-f", "html")
    boxes = 0
    for drawn in Drawings(page.text).found:
        taken = []
        for x, y, text in drawn["texts"]:
            width = 6 * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
            assert not any(x < right and left < x + width and abs(y - line) < 12 for left, right, line in taken), (drawn["css"], text)
            taken.append((x, x + width, y))
        boxes += len(taken)
    assert boxes > 30


@pytest.mark.parametrize("target, to, said", [
    # a package for this release: no move, and none back
    ("npu@v2.7.1-26.0.0", "npu@v2.7.1-26.0.0", "Packages clear all blockers of npu@v2.7.1-26.0.0: no move needed."),
    # a build of the plugin comes with another release
    ("musa@v1.1.0", "musa@v1.2.1", "musa@v1.1.0 -> musa@v1.2.1 clears all blockers, 1 release ahead."),
])
def test_no_move_where_a_package_is_enough(opcheck, tmp_path, target, to, said):
    dump = tmp_path / "trace.json"
    dump.write_text('{"traceEvents": [%s]}' % ",".join(
        '{"ph": "X", "cat": "cpu_op", "name": "%s", "ts": %d, "dur": 5, "tid": 1, "pid": 1, "args": {}}' % (n, i * 10)
        for i, n in enumerate(["aten::relu", "torchvision::nms"])))
    move, = opcheck("check", dump, "-t", target, "-f", "json").json["moves"]
    assert (move["to"], move.get("packages", False)) == (to, to == target)
    assert said in html.unescape(opcheck("check", dump, "-t", target, "-f", "html").text)
    assert said in " ".join(opcheck("advise", dump, "--from", target).text.split())


@pytest.mark.parametrize("name", ("aten::<b>", 'aten::"x"', "aten::a&amp;b"))
def test_a_hostile_name_is_only_text_in_a_drawing(opcheck, tmp_path, name):
    dump = tmp_path / "trace.json"
    dump.write_text('{"traceEvents": [%s]}' % ",".join(
        '{"ph": "X", "cat": "cpu_op", "name": "%s", "ts": %d, "dur": 5, "tid": 1, "pid": 1, "args": {}}'
        % (n.replace('"', '\\"'), i * 10) for i, n in enumerate([name, "aten::mm"])), encoding="utf-8")
    page = opcheck("check", dump, "-f", "html").text
    assert "<b>" not in page.split("<body>")[1]
    assert drawings(opcheck("check", dump, "-f", "html"), "map")


def test_the_row_of_an_operator_has_its_data_types_and_its_releases(opcheck):
    run = opcheck("check", DUMP, *TARGETS, "-f", "json")
    report, page = run.json, opcheck("check", DUMP, *TARGETS, "-f", "html")
    rows = page_data.rows(page.text)
    states = (("refuses", "no"), ("aicpu", "AI CPU"), ("aicpu_if", "AI CPU?"), ("takes", "yes"), ("tested", "tested"))
    matrices = 0
    for op in report["operators"]:
        table = re.search(r'<table class="types">(.*?)</table>', rows[op["name"]], re.S)
        known = {t: report["type_sets"][v["types"] - 1] for t, v in op["verdicts"].items() if v.get("types")}
        if not table:
            assert not any(sets.get("takes") for sets in known.values())
            continue
        head, *lines = table[1].split("<tr>")[1:]
        types = re.findall(r">([a-z]+[0-9]+|bool)", head)
        for line in lines:
            cells = re.findall(r'<td class=[a-z-]+>([^<]+)', line)
            target = known[re.search(r'scope="row">([^<]+)', line)[1]]
            assert len(cells) == len(types) > 0
            for kind, cell in zip(types, cells):
                assert cell == next((word for key, word in states if kind in target.get(key, [])), "?")
            matrices += 1
    assert matrices > 20
    blockers = {b["operator"]: b["releases"] for b in report["blockers"]}
    assert blockers and not report.get("blockers_left")
    for op in report["operators"]:
        lines = re.findall("<div>((?:does not|may not) run|unknown|falls back to the CPU): (\\S+?)(?: to (\\S+))?</div>", rows[op["name"]])
        words = {"blocked": "does not run", "unknown": "unknown", "conditional": "may not run", "cpu-fallback": "falls back to the CPU"}
        assert lines == [(words[s["state"]], s["first"], s["last"] if s["last"] != s["first"] else "") for s in blockers.get(op["name"], [])]
        assert ("lifeline" in rows[op["name"]]) == (op["name"] in blockers)
    assert sum("lifeline" in row for row in rows.values()) == len({op["name"] for op in report["operators"]} & set(blockers))


def test_rows_are_data_that_no_name_ends(opcheck, tmp_path):
    event = '{"ph": "X", "cat": "cpu_op", "name": "mine::op_%03d", "ts": %d, "dur": 5, "tid": 1, "pid": 1, "args": {"Input Dims": [[4]], "Input type": ["%s"]}}'
    dump = tmp_path / "<!--.json"
    dump.write_text('{"traceEvents": [%s]}' % ",".join(event % (i, i * 10, ("</ScRiPt>", "<!--<script>", "<b>")[i % 3]) for i in range(320)))
    report = opcheck("check", dump, "-f", "json").json
    for lang, keys in (("en", {"texts"}), ("all", {"texts", "other", "words"})):
        page = opcheck("check", dump, "-f", "html", "--lang", lang).text
        block = page[page.index('id="operator-data">') + len('id="operator-data">'):]
        block = block[:block.index("</script")]
        data = json.loads(block)
        assert data.keys() == {"severities", "rows"} | keys and "<!--" not in block and "<script" not in block.lower()
        assert [row[0] for row in data["rows"]] == [op["name"] for op in report["operators"]]
        assert block.rstrip() == json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        assert all(set(text) - set(" ") for text in data["texts"])


def test_padding_is_drawn_as_the_report_plans_it(opcheck, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    report = opcheck("check", dump, *TARGETS, "-f", "json").json
    page = opcheck("check", dump, *TARGETS, "-f", "html")
    drawn = drawings(page, "padding")
    assert len(drawn) == len(report["buckets"]) > 0
    for dim, drawing in zip(report["buckets"], drawn):
        assert sum(calls for _, calls in dim["sizes"]) == dim["calls"] and len(dim["sizes"]) == dim["distinct"]
        bars = [shape for shape in drawing["shapes"] if shape["css"] == "size"]
        most = max(calls for _, calls in dim["sizes"])
        assert [bar["title"] for bar in bars] == ["%d: %d calls" % (size, calls) for size, calls in dim["sizes"]]
        assert all(abs(bar["sides"][3] - 110 * calls / most) <= 1 for bar, (_, calls) in zip(bars, dim["sizes"]))
        edges = [shape["title"] for shape in drawing["shapes"] if shape["css"] == "edge"]
        assert edges == ["pad to %d" % size for size in dim["plans"][min(4, len(dim["plans"])) - 1]["sizes"]]
        rows = ["".join("<td%s>%s</td>" % cell for cell in ((' class="n"', plan["k"]), (' class="n"', percent(plan["waste"])),
                                                          ("", " ".join(map(str, plan["sizes"]))))) for plan in dim["plans"]]
        assert all(row in page.text for row in rows)


def test_a_report_plans_as_buckets_does(opcheck, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    for name in (dump, DUMP):
        report = opcheck("check", name, "-f", "json").json
        planned = [dim for dim in opcheck("buckets", name, "-f", "json").json["dimensions"] if "factor" not in dim]
        assert len(report["buckets"]) == min(4, len(planned)) and report.get("buckets_left", 0) == max(0, len(planned) - 4)
        for dim, other in zip(report["buckets"], planned):
            assert all(dim[key] == other[key] for key in ("kind", "min", "max", "distinct", "steps", "calls"))
            assert dim["sizes"] == other["values"] and dim["places"] == other["places"][:8]
            assert [plan["k"] for plan in dim["plans"]] == list(range(1, len(dim["plans"]) + 1))
            for plan in other["plans"]:
                own = dim["plans"][min(plan["k"], len(dim["plans"])) - 1]
                assert (own["waste"], own["sizes"]) == (plan["waste"], plan["sizes"])


def test_the_key_of_steps_is_what_the_strip_shows(opcheck):
    for dump in (DUMP, FIXTURES / "traces" / "lastbatch.c.trace.json.gz"):
        steps = opcheck("check", dump, *TARGETS, "-f", "json").json["steps"]
        strip, = drawings(opcheck("check", dump, *TARGETS, "-f", "html"), "steps")
        cells = [shape["title"] for shape in strip["shapes"] if shape["css"] != "label"]
        assert [int(re.search(r": (\d+) new", cell)[1]) for cell in cells] == [n for op in steps["operators"] for n in op["new"]]
        heads = [str(step + 1) for step in range(len(steps["operators"][0]["new"]))]
        assert [s["title"] for s in strip["shapes"] if s["css"] == "label"] == ["Step", *(op["operator"] for op in steps["operators"]), *heads]


def test_visits_to_the_host_are_drawn_where_they_are(opcheck, tmp_path):
    dump = mixed.write(tmp_path / "mixed.json")
    report = opcheck("check", dump, *MIXED_TARGETS, "-f", "json").json
    lines = drawings(opcheck("check", dump, *MIXED_TARGETS, "-f", "html"), "timeline")
    costs = [t["fallback_cost"] for t in report["targets"] if "fallback_cost" in t]
    assert len(lines) == len(costs) == 2
    for cost, line in zip(costs, lines):
        timeline = cost["timeline"]
        assert len(timeline["visits"]) == cost["crossings_per_step"]["lo"] and timeline["left_out"] == 0
        assert timeline["longest"]["last"] - timeline["longest"]["first"] + 1 == cost["longest"]["operators"]
        marks = [shape for shape in line["shapes"] if shape["css"] == "visit"]
        assert [m["title"] for m in marks] == ["%(operator)s, operators %(first)d to %(last)d" % v for v in timeline["visits"]]
        for mark, visit in zip(marks, timeline["visits"]):
            assert abs(mark["sides"][0] - 1160 * (visit["first"] - 1) / timeline["operators"]) <= 1
        longest, = [shape for shape in line["shapes"] if shape["css"] == "longest"]
        assert longest["title"] == "longest ping-pong, operators %(first)d to %(last)d" % timeline["longest"]
    # a table of operators tells no order
    assert not drawings(opcheck("check", DUMP, "-t", "npu@2.1.0", "-f", "html"), "timeline")


def test_many_visits_are_cut_and_counted(opcheck, tmp_path):
    event = '{"ph": "X", "cat": "cpu_op", "name": "aten::%s", "pid": 1, "tid": 1, "ts": %d, "dur": 5, "args": {"Input Dims": [[4]]}}'
    dump = tmp_path / "many.json"
    dump.write_text('{"traceEvents": [%s]}' % ",".join(event % (("mm", "segment_reduce")[i % 2], i * 10) for i in range(1000)))
    timeline = opcheck("check", dump, "-t", "npu@2.1.0", "-f", "json").json["targets"][0]["fallback_cost"]["timeline"]
    assert (timeline["operators"], len(timeline["visits"]), timeline["left_out"]) == (1000, 200, 300)
    page = opcheck("check", dump, "-t", "npu@2.1.0", "-f", "html").text
    assert "300 more visits to the host" in page


def test_a_report_that_was_changed_draws_inside_its_bounds(opcheck, tmp_path):
    report = opcheck("check", mixed.write(tmp_path / "mixed.json"), "-t", "npu@2.1.0", "-f", "json").json
    timeline = report["targets"][0]["fallback_cost"]["timeline"]
    timeline["visits"][0].update(first=2**50, last=1)
    timeline["longest"].update(first=7, last=2**50)
    for op in report["operators"]:
        for shape in op["shapes"]:
            shape["steps"] = [[4000000000, 1], [3, 2]]
    for dim in report["buckets"]:
        dim.update(min=5, max=-5)
        dim["sizes"] = [[-2**50, 0], [2**50, 1]]
        dim["plans"] = dim["plans"][:1]
    for place in report.get("modules", []):
        place["depth"] = 4000000000
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(report))
    for drawing in Drawings(opcheck("convert", changed, "-f", "html").text).found:
        assert all(-10 <= shape["sides"][0] <= 1160 for shape in drawing["shapes"] if "sides" in shape)
