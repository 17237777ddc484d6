"""The fact text and the database say the same: what the database keeps gives the text back, byte for byte."""
import sqlite3

import pytest

from conftest import ROOT, program

TEXT = ROOT / "opdb"


DTYPES = "fp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 bool complex64 complex128 complex32 fp8 uint16 uint32 uint64".split()
CHIPS = "910A 310P 910B 310B 910_93 950".split()


@pytest.fixture(scope="module")
def db():
    opened = sqlite3.connect(program("opcheck", "OPCHECK_DB"))
    for name, words in (("dtypes_of", DTYPES), ("chips_of", CHIPS)):
        opened.create_function(name, 1, lambda bits, words=words: " ".join(word for i, word in enumerate(words) if bits >> i & 1))
    return opened


def header(file):
    return (TEXT / file).read_text(encoding="utf-8").split("\n", 1)[0]


def write(file, rows):
    """Rows as a file of the fact text has them."""
    lines = ["\t".join(str(cell) if cell not in ("", None) else "." for cell in row) for row in rows]
    return "\n".join([header(file), *lines]) + "\n"


def columns(file):
    return header(file)[2:].split("\t")


def places(db, axis):
    if axis == "document":
        return dict(db.execute("SELECT place, name FROM document"))
    if axis == "cann":
        return dict(db.execute("SELECT place, name FROM cann"))
    if axis == "torch":
        return dict(db.execute("SELECT place, version FROM torch"))
    return dict(db.execute("SELECT place, name FROM release WHERE target = ?", (axis,)))


def spans(names, intervals):
    return " ".join(names[a] if a == b else names[a] + ".." + names[b] for a, b in sorted(intervals))


def interval_rows(db, file, select, keys, axis):
    """Intervals of one key with the same facts are one row, which stands where its first interval begins."""
    assert len(columns(file)) - 1 == select.split(" FROM ")[0].count(",") - 1, "the columns of the file, first and last"
    rows = {}
    for *cells, first, last in db.execute(select):
        rows.setdefault(tuple(cells), []).append((first, last))
    order = sorted(rows, key=lambda cells: (tuple(c.encode() for c in cells[:keys]), min(rows[cells])))
    names = places(db, axis)
    return write(file, [(*cells, spans(names, rows[cells])) for cells in order])


SUPPORT = "FROM support JOIN source ON source.id = support.source WHERE support.target = '%s'"
COLLECTIVES = ("SELECT c.name, reduce_op, dtypes, supported, note, c.path, source.name, first, last"
               " FROM collective c JOIN source ON source.id = c.source WHERE c.target = '%s'")
LIMITS = ("SELECT op, argument, takes, refuses, other, host, k.path, source.name, first, last"
          " FROM kernel_limit k JOIN source ON source.id = k.source WHERE source.name %s ('musa-copy-code', 'torch-code')")
UNITS = "SELECT op, unit, dtypes_of(dtypes), chips_of(chips), kernels, note, first, last FROM unit WHERE %s"
CUSTOM_UNIT = "note IN ('ATB list', 'API document')"
UNIT_BY_HAND = "note = 'by hand'"
ARGUMENTS = ("SELECT op, test, chips_of(chips), en, zh, a.path, a.ref, s.name, first, last FROM argument_limit a JOIN source s ON s.id = a.source"
             " WHERE a.target = 'npu' AND spans = '%s' AND %s")
MUSA_ARGUMENTS = ("SELECT op, test, en, zh, a.path, s.name, first, last FROM argument_limit a JOIN source s ON s.id = a.source"
                  " WHERE a.target = 'musa' AND test %s 'rank:%%'")
ARGUMENT_BY_HAND = "(op = 'copy_' OR test = 'always' OR test LIKE 'length:%')"
INTERVALS = {
    "torch/universe.tsv": ("SELECT op, kind, has, structured_delegate, autogen_of, variants, tags, keys, first, last FROM universe", 1,
                           "torch"),
    "torch/schemas.tsv": ("SELECT op, text, first, last FROM signature", 1, "torch"),
    "npu/support.tsv": ("SELECT ns, op, key, origin, acl_op, op_api, symint, exposed_py, internal_format, status, note, host_path,"
                        " acl_launch, source.name, first, last " + SUPPORT % "npu", 3, "npu"),
    "musa/support.tsv": ("SELECT ns, op, key, origin, status, note, kernel, host_path, source.name, first, last " + SUPPORT % "musa",
                         3, "musa"),
    "package_builds.tsv": ("SELECT b.package, version, source.name, first, last FROM package_build b LEFT JOIN source ON source.id = source", 2, "torch"),
    "npu/apis.tsv": ("SELECT api, hardware, supported, dtypes, excluded, remarks, first, last FROM api", 2, "document"),
    "npu/chips.tsv": ("SELECT kernel, impl, chip_branch.path, condition, action, source.name, first, last"
                      " FROM chip_branch JOIN source ON source.id = source", 4, "npu"),
    "npu/autocast.tsv": ("SELECT op, list, a.path, source.name, first, last"
                         " FROM autocast a JOIN source ON source.id = a.source WHERE a.target = 'npu'", 2, "npu"),
    "musa/autocast.tsv": ("SELECT op, list, a.path, source.name, first, last"
                          " FROM autocast a JOIN source ON source.id = a.source WHERE a.target = 'musa'", 2, "musa"),
    "npu/units.tsv": (UNITS % "NOT %s AND NOT %s" % (UNIT_BY_HAND, CUSTOM_UNIT), 4, "cann"),
    "npu/units_by_hand.tsv": (UNITS % UNIT_BY_HAND, 4, "cann"),
    "npu/custom_units.tsv": (UNITS % CUSTOM_UNIT, 4, "cann"),
    "npu/arguments.tsv": (ARGUMENTS % ("cann", "s.name <> 'npu-custom-documents' AND NOT " + ARGUMENT_BY_HAND), 3, "cann"),
    "npu/arguments_by_hand.tsv": (ARGUMENTS % ("cann", ARGUMENT_BY_HAND), 3, "cann"),
    "npu/custom_arguments.tsv": (ARGUMENTS % ("cann", "s.name = 'npu-custom-documents'"), 3, "cann"),
    "npu/plugin_arguments.tsv": (ARGUMENTS % ("release", "1"), 3, "npu"),
    "musa/arguments.tsv": (MUSA_ARGUMENTS % "LIKE", 2, "musa"),
    "musa/arguments_by_hand.tsv": (MUSA_ARGUMENTS % "NOT LIKE", 2, "musa"),
    "npu/casts.tsv": ("SELECT base, kernel, argument, dtypes_of(dtypes), becomes, c.path, plugin, s.name, first, last FROM npu_cast c"
                      " JOIN source s ON s.id = c.source", 5, "cann"),
    "npu/slow_casts.tsv": ("SELECT dtypes_of(of), dtypes_of(becomes), chips_of(chips), s.name, first, last FROM slow_cast"
                           " JOIN source s ON s.id = slow_cast.source", 3, "cann"),
    "musa/kernel_limits.tsv": (LIMITS % "NOT IN", 6, "musa"),
    "musa/limits_by_hand.tsv": (LIMITS % "IN", 6, "musa"),
    "musa/tested_types.tsv": ("SELECT base, dtypes, t.path, source.name, first, last FROM tested_types t"
                              " JOIN source ON source.id = t.source", 3, "musa"),
    "npu/collectives.tsv": (COLLECTIVES % "npu", 5, "npu"),
    "musa/collectives.tsv": (COLLECTIVES % "musa", 5, "musa"),
}

CALLS = ("SELECT op, call, c.path, plugin, s.name FROM aclnn_call c JOIN source s ON s.id = c.source WHERE s.name %s 'npu-calls'"
         " ORDER BY op, call")
TABLES = {
    "sources.tsv": "SELECT name, target, repository, ref, path, kind, remark FROM source ORDER BY id",
    "torch/versions.tsv": "SELECT version, wheel, (SELECT count(*) FROM universe WHERE torch.place BETWEEN first AND last), name"
                          " FROM torch JOIN source ON source.id = torch.source ORDER BY place",
    "npu/versions.tsv": "SELECT torch, pip, cann, release, trim(iif(beta, 'beta', '') || iif(known, '', ' no-facts')), name"
                        " FROM package_version p JOIN source ON source.id = p.source ORDER BY p.id",
    "rules/backend_rules.tsv": "SELECT rule.name, specific_to, mode, npu, musa, reached_from, reason, (SELECT group_concat(name, ' ') FROM"
                               " (SELECT source.name FROM rule_source JOIN source ON source.id = source WHERE rule = rule.id ORDER BY place))"
                               " FROM rule ORDER BY rule.id",
    "rules/backend_names.tsv": "SELECT base, name FROM rule_name JOIN rule ON rule.id = rule ORDER BY base",
    "rules/bodies.tsv": "SELECT base, body, reason, name FROM body JOIN source ON source.id = body.source ORDER BY base",
    "rules/operators.tsv": "SELECT rule, o.name, reached, reason, s.name FROM operator_rule o JOIN source s ON s.id = o.source"
                           " ORDER BY rule, o.name",
    "rules/dtypes.tsv": "SELECT r.name, r.target, chips, kernels, refused, (SELECT name FROM release x WHERE x.target = r.target AND x.place = until), reason, s.name"
                        " FROM dtype_rule r"
                        " JOIN source s ON s.id = r.source ORDER BY r.id",
    "npu/kernel_types.tsv": "SELECT base, says, dtypes, detail, name FROM kernel_types k JOIN source ON source.id = k.source"
                            " ORDER BY base, says, detail",
    "torch/apis.tsv": "SELECT a, (SELECT group_concat(base, ' ') FROM (SELECT base FROM api_operator WHERE api = a ORDER BY base)), %s, 'api-calls'"
                      " FROM (SELECT DISTINCT api AS a FROM api_call) ORDER BY a" % ", ".join(
                          "(SELECT group_concat(base || '=' || rtrim(rtrim(format('%%.2f', share / 100.0), '0'), '.'), ' ') FROM"
                          " (SELECT base, share FROM api_call WHERE api = a AND backward = %d ORDER BY base))" % b for b in (0, 1)),
    "npu/documents.tsv": "SELECT d.name, (SELECT name FROM release WHERE target = 'npu' AND place = d.release), d.ref, d.path, s.name"
                         " FROM document d JOIN source s ON s.id = d.source ORDER BY d.place",
    "reported.tsv": "SELECT target, torch, plugin, ns || '::' || op, observed, detail, source, date, chip, dtype, confidence, condition FROM reported"
                    " ORDER BY id",
    "npu/cann.tsv": "SELECT c.name, plugin, s.name FROM cann c JOIN source s ON s.id = c.source ORDER BY place",
    "npu/calls.tsv": CALLS % "=",
    "npu/custom_calls.tsv": CALLS % "<>",
    "npu/aclnn.tsv": "SELECT call, a.path, a.ref, s.name FROM aclnn a JOIN source s ON s.id = a.source ORDER BY call",
    "npu/unit_conditions.tsv": "SELECT kernel, decided, test, en, zh, usual_ppm, s.name FROM unit_condition c JOIN source s ON s.id = c.source"
                               " ORDER BY kernel",
    "cost/chips.tsv": "SELECT chip, target, family, fp32, tf32, fp16, bf16, int8, bandwidth, floor, assumed, measured, source FROM chip_peak"
                      " ORDER BY id",
    "cost/ratios.tsv": "SELECT class, family, bin, p10, p50, p90, calls, workloads FROM work_ratio ORDER BY id",
    "package_ops.tsv": "SELECT iif(ns = '', op, ns || '::' || op), target, package, argument, since, last, takes, refuses, how, note, skips,"
                       " path FROM package_op ORDER BY id",
    "package_sources.tsv": "SELECT package, installs, newest, s.name FROM package_source LEFT JOIN source s ON s.id = source ORDER BY package",
    "rules/collective_names.tsv": "SELECT iif(ns = '', base, ns || '::' || base) AS n, collective, s.name FROM collective_name"
                                  " JOIN source s ON s.id = source ORDER BY n",
    "namespaces.tsv": "SELECT ns, n.kind, npu, musa, n.remark, name FROM namespace n LEFT JOIN source ON source.id = n.source ORDER BY ns",
}


@pytest.mark.parametrize("file", INTERVALS)
def test_intervals_give_the_text_back(db, file):
    assert interval_rows(db, file, *INTERVALS[file]) == (TEXT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("file", TABLES)
def test_tables_give_the_text_back(db, file):
    assert write(file, db.execute(TABLES[file])) == (TEXT / file).read_text(encoding="utf-8")


def test_packages_give_the_text_back(db):
    """Their order in the text is that of the vendors' lists, which the database does not keep."""
    rows = db.execute("SELECT p.target, ns, op, key, package, p.path, name, refs FROM package_kernel p JOIN source ON source.id = p.source")
    text = (TEXT / "packages.tsv").read_text(encoding="utf-8")
    assert sorted(write("packages.tsv", rows).splitlines()) == sorted(text.splitlines())


RELEASES = ("SELECT name, ref, version, plugin, release.kind, date, commit_id, op_plugin, op_plugin_yaml, codegen, key, list.name,"
            " (SELECT count(*) FROM support s WHERE s.target = release.target AND release.place BETWEEN first AND last),"
            " (SELECT count(*) FROM support s WHERE s.target = release.target AND release.place BETWEEN first AND last"
            " AND ns = 'aten' AND s.key = release.key)"
            " FROM release JOIN torch ON torch.place = release.torch JOIN (SELECT id, name AS list_name FROM source) ON id = list"
            " WHERE release.target = ? ORDER BY release.place").replace("list.name", "list_name")


@pytest.mark.parametrize("target", ("npu", "musa"))
def test_releases_are_those_of_the_text(db, target):
    """All but what the database does not keep: the branch of the pin, the namespace of old releases, the word for the fallback."""
    file = target + "/releases.tsv"
    names = ["release", "ref", "torch", "plugin", "kind", "date", "commit", "op_plugin", "op_plugin_yaml", "codegen", "key", "list", "rows",
             "dense_rows"]
    kept = [columns(file).index(n) if n in columns(file) else None for n in names]
    lines = (TEXT / file).read_text(encoding="utf-8").splitlines()[1:]
    text = [["." if at is None else line.split("\t")[at] for at in kept] for line in lines]
    assert [[str(cell) if cell != "" else "." for cell in row] for row in db.execute(RELEASES, (target,))] == text
