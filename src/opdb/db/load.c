#include "opdb/db/load.h"

#include "base/memory/buf.h"
#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/view/ascii.h"
#include "opdb/db/lists.h"
#include "opdb/db/note.h"
#include "opdb/db/recipe.h"
#include "opdb/db/row.h"
#include "opdb/model/dtype.h"

/* A support database has fewer of anything. */
enum { ROWS = 4096 };

static const struct str release_kinds[] = { STR("final"), STR("rc"), STR("dev") };
static const struct str source_kinds[] = { STR("source"), STR("vendor-doc"), STR("inferred") };
static const struct str source_targets[] = { STR("npu"), STR("musa"), STR("any") };
static const struct str dense_keys[] = { STR("PrivateUse1"), STR("XLA") };
static const struct str rule_modes[] = { STR("auto"), STR("manual"), STR("none"), STR("host") };
static const struct str bodies[] = { STR("own"), STR("stub"), STR("bound") };
static const struct str namespace_kinds[] = { STR("plugin"), STR("collective"), STR("composite"), STR("internal"),
	STR("quantized"), STR("package"), STR("torch"), STR("extension"), STR("foreign"), STR("vendor") };

static void load_info(struct opdb *db, struct row *row)
{
	db->info.build = row_text(row);
	db->info.built_at = row_text(row);
	db->info.sha256 = row_text(row);
	db->info.digest = db->info.sha256;
	db->info.names = row_number(row, UINT32_MAX);
	db->info.facts = row_number(row, UINT32_MAX);
}

static void load_source(struct opdb *db, struct row *row)
{
	struct source source = { 0 };
	unsigned target;

	if (row_number(row, ROWS) != db->sources.count + 1)
		row->damaged = true;
	source.name = row_text(row);
	target = row_word(row, source_targets, ARRAY_SIZE(source_targets));
	source.npu = target != TARGET_MUSA;
	source.musa = target != TARGET_NPU;
	source.repository = row_text(row);
	if (!str_starts(source.repository, STR("https://")))
		row->damaged = true; /* it becomes a link in a report */
	source.ref = row_text(row);
	source.path = row_text(row);
	source.row_bound = str_has(source.ref, STR("{package_ref}")) || str_has(source.path, STR("{note}")) ||
			   str_has(source.path, STR("{path}"));
	source.kind = row_word(row, source_kinds, ARRAY_SIZE(source_kinds));
	MEM_PUSH(&db->sources, source);
}

static void load_torch(struct opdb *db, struct row *row)
{
	struct torch_version torch;

	if (row_number(row, ROWS) != db->torch.count)
		row->damaged = true;
	torch.version = row_text(row);
	torch.wheel = row_text(row);
	torch.source = row_id(row, db->sources.count);
	MEM_PUSH(&db->torch, torch);
}

/* "npu@v2.7.1-26.0.0" */
static struct str release_id(struct opdb *db, const struct release *release, struct row *row)
{
	CLEANUP(buf_clear) struct buf id = BUF_INIT(ROWS);
	struct str copy = STR("");

	buf_printf(&id, "%.*s@%.*s", STR_ARG(target_names[release->target]), STR_ARG(release->ref));
	if (!arena_copy(&db->arena, buf_str(&id), &copy))
		row->full = true;
	return copy;
}

/* The place of a release is its position among those of its target, which stand together. */
static bool in_place(const struct opdb *db, const struct release *release)
{
	const struct release *before = db->releases.count ? &db->releases.items[db->releases.count - 1] : NULL;

	if (before && before->target == release->target)
		return release->place == before->place + 1;
	return release->place == 0 && (!before || before->target < release->target);
}

static void load_release(struct opdb *db, struct row *row)
{
	struct release release = { 0 };

	release.target = row_word(row, target_names, TARGET_COUNT);
	release.place = row_number(row, ROWS);
	release.name = row_text(row);
	release.ref = row_text(row);
	release.torch_place = row_number(row, db->torch.count);
	release.plugin = row_text(row);
	release.kind = row_word(row, release_kinds, ARRAY_SIZE(release_kinds));
	release.date = row_text(row);
	release.commit = row_text(row);
	release.op_plugin = row_text(row);
	release.op_plugin_yaml = row_text(row);
	release.codegen = row_text(row);
	release.xla = row_word(row, dense_keys, ARRAY_SIZE(dense_keys)) == 1;
	release.boxed = row_number(row, 2) == 1;
	release.fallback = row_text(row);
	release.fallback_source = row_id(row, db->sources.count);
	release.list_source = row_id(row, db->sources.count);
	if (row->damaged || !in_place(db, &release)) {
		row->damaged = true;
		return;
	}
	release.torch = db->torch.items[release.torch_place].version;
	release.id = release_id(db, &release, row);
	MEM_PUSH(&db->releases, release);
}

static void load_version(struct opdb *db, struct row *row)
{
	struct package_version version = { 0 };

	version.torch = row_text(row);
	version.pip = row_text(row);
	version.cann = row_text(row);
	version.release = row_text(row);
	for (size_t i = 0; i < db->releases.count; i++) {
		if (db->releases.items[i].target == TARGET_NPU && str_eq(db->releases.items[i].name, version.release))
			version.known = &db->releases.items[i];
	}
	MEM_PUSH(&db->versions, version);
}

static void load_rule(struct opdb *db, struct row *row)
{
	struct backend_rule rule = { 0 };

	if (row_number(row, ROWS) != db->rules.count + 1)
		row->damaged = true;
	rule.name = row_text(row);
	rule.specific_to = row_text(row);
	rule.reason = row_text(row);
	for (size_t i = 0; i < TARGET_COUNT; i++)
		rule.equivalents[i] = row_text(row);
	rule.reached_from = row_text(row);
	rule.mode = row_word(row, rule_modes, ARRAY_SIZE(rule_modes));
	MEM_PUSH(&db->rules, rule);
}

static void load_rule_source(struct opdb *db, struct row *row)
{
	unsigned rule = row_id(row, db->rules.count), place = row_number(row, ROWS),
		 source = row_id(row, db->sources.count);

	if (!rule || !source)
		row->damaged = true;
	else if (place < ARRAY_SIZE(db->rules.items[0].sources))
		db->rules.items[rule - 1].sources[place] = source;
}

static void load_special(struct opdb *db, struct row *row)
{
	struct special special = { 0 };
	unsigned rule;

	special.base = row_text(row);
	rule = row_id(row, db->rules.count);
	special.rule = rule && !row->damaged ? &db->rules.items[rule - 1] : NULL;
	special.body = row_word(row, bodies, ARRAY_SIZE(bodies));
	special.body_source = row_id(row, db->sources.count);
	special.instead = row_text(row);
	special.instead_reason = row_text(row);
	special.instead_source = row_id(row, db->sources.count);
	map_add(&db->special_map, hash_str(hash_seed(), special.base), (uint32_t)db->specials.count);
	MEM_PUSH(&db->specials, special);
}

static void load_namespace(struct opdb *db, struct row *row)
{
	struct namespace_rule space = { 0 };

	space.ns = row_text(row);
	space.remark = row_text(row);
	for (size_t i = 0; i < TARGET_COUNT; i++)
		space.package[i] = row_text(row);
	space.kind = row_word(row, namespace_kinds, ARRAY_SIZE(namespace_kinds));
	space.source = row_id(row, db->sources.count);
	MEM_PUSH(&db->namespaces, space);
}

static void load_package_build(struct opdb *db, struct row *row)
{
	struct package_build build = { 0 };

	build.package = row_text(row);
	build.version = row_text(row);
	build.first = row_number(row, db->torch.count);
	build.last = row_number(row, db->torch.count);
	build.source = row_id(row, db->sources.count);
	MEM_PUSH(&db->package_builds, build);
}

/* One edition of the documents for each PyTorch, one set of kernels for all of them: "26.1.0" of "2.7.1-26.1.0". */
static struct str plugin_of(const struct document *document)
{
	size_t dash = str_find(document->name, STR("-"));

	return dash == STR_NONE ? document->name : str_skip(document->name, dash + 1);
}

static unsigned first_of_plugin(const struct opdb *db, const struct document *document)
{
	unsigned first = 0;

	while (first < db->documents.count && !str_eq(plugin_of(&db->documents.items[first]), plugin_of(document)))
		first++;
	return first;
}

static void load_document(struct opdb *db, struct row *row)
{
	CLEANUP(buf_clear) struct buf url = BUF_INIT(ROWS);
	struct document document = { 0 };
	struct str ref, path;
	unsigned release;
	size_t count;
	const struct release *releases = opdb_target_releases(db, TARGET_NPU, &count);

	if (row_number(row, ROWS) != db->documents.count)
		row->damaged = true;
	document.name = row_text(row);
	release = row_id(row, count);
	document.release = release && !row->damaged ? &releases[release - 1] : NULL;
	ref = row_text(row);
	path = row_text(row);
	document.source = row_id(row, db->sources.count);
	if (!document.source)
		row->damaged = true;
	else
		buf_printf(&url, "%.*s/blob/%.*s/%.*s", STR_ARG(db->sources.items[document.source - 1].repository),
			STR_ARG(ref), STR_ARG(path));
	if (!arena_copy(&db->arena, buf_str(&url), &document.url))
		row->full = true;
	document.plugin = first_of_plugin(db, &document);
	MEM_PUSH(&db->documents, document);
}

static void load_dtype_rule(struct opdb *db, struct row *row)
{
	static const struct str kernels[] = { STR("any"), STR("written") };
	struct dtype_rule rule = {
		.note = { .kind = NOTE_DTYPES, .overload = STR(""), .date = STR(""), .ref = STR("") }
	};
	struct str chips;

	row_text(row);
	rule.note.path = STR("");
	rule.note.target = row_word(row, target_names, TARGET_COUNT);
	chips = row_text(row);
	rule.note.chips = chips_named(rule.note.target, chips);
	rule.written = row_word(row, kernels, ARRAY_SIZE(kernels)) == 1;
	if (!dtypes_from(row_text(row), &rule.note.refused) || (chips.len && !rule.note.chips))
		row->damaged = true;
	rule.note.text = row_text(row);
	rule.note.source = row_id(row, db->sources.count);
	if (!rule.note.source)
		row->damaged = true;
	else
		rule.note.evidence = (enum evidence_kind)db->sources.items[rule.note.source - 1].kind;
	rule.note.barred = rule.note.evidence == EVIDENCE_SOURCE ? rule.note.refused : 0;
	MEM_PUSH(&db->dtype_rules, rule);
}

static void load_recipe(struct opdb *db, struct row *row)
{
	struct recipe recipe = { 0 };

	if (row_number(row, UINT32_MAX) != db->recipes.count + 1)
		row->damaged = true;
	recipe.name = row_text(row);
	recipe.operators = row_text(row);
	recipe.fits = row_text(row);
	recipe.effort = row_text(row);
	recipe.torch = row_text(row);
	recipe.fixed = row_number(row, 2) == 1;
	recipe.tolerance = row_text(row);
	recipe.sources = row_text(row);
	recipe.cost_en = row_text(row);
	recipe.cost_zh = row_text(row);
	recipe.advice_en = row_text(row);
	recipe.advice_zh = row_text(row);
	MEM_PUSH(&db->recipes, recipe);
}

static void load_recipe_span(struct opdb *db, struct row *row)
{
	struct recipe_span span = { .recipe = row_id(row, db->recipes.count) };

	if (!span.recipe--)
		row->damaged = true;
	span.target = row_word(row, target_names, TARGET_COUNT);
	span.first = row_number(row, db->releases.count);
	span.last = row_number(row, db->releases.count);
	MEM_PUSH(&db->recipe_spans, span);
}

static void load_implied(struct opdb *db, struct row *row)
{
	struct implied_rule rule = { .name = row_text(row), .seen = row_text(row) };

	row->damaged |= !words_bits(&need_words, row_text(row), &rule.needs);
	rule.target = row_word(row, target_names, TARGET_COUNT);
	rule.torch_from = row_number(row, db->torch.count);
	rule.calls = row_text(row);
	rule.source = row_id(row, db->sources.count);
	MEM_PUSH(&db->implied, rule);
}

static void load_cann(struct opdb *db, struct row *row)
{
	struct cann_version version = { .name = row_text(row), .plugin = row_text(row) };

	version.source = row_id(row, db->sources.count);
	MEM_PUSH(&db->cann, version);
}

static void load_unit_condition(struct opdb *db, struct row *row)
{
	struct unit_condition condition = { .kernel = row_text(row),
		.decided = row_text(row),
		.test = row_text(row),
		.en = row_text(row),
		.zh = row_text(row) };
	struct str usual = row_text(row);

	row->damaged |= usual.len && (!decimal_unsigned(usual, &condition.usual_ppm) || condition.usual_ppm > 1000000);
	MEM_PUSH(&db->unit_conditions, condition);
}

static void load_slow_cast(struct opdb *db, struct row *row)
{
	struct slow_cast cast = { .from = row_number(row, 1u << DTYPE_COUNT) };

	cast.to = row_number(row, 1u << DTYPE_COUNT);
	cast.chips = row_number(row, UINT32_MAX);
	cast.first = row_number(row, db->cann.count);
	cast.last = row_number(row, db->cann.count);
	MEM_PUSH(&db->slow_casts, cast);
}

static void load_operator_rule(struct opdb *db, struct row *row)
{
	static const struct str kinds[] = { [RULE_DATA_DEPENDENT] = STR("data-dependent"),
		[RULE_NUMBERS_AS_TENSORS] = STR("numbers-as-tensors"),
		[RULE_CONVERTS] = STR("converts"),
		[RULE_TRAINING_ONLY] = STR("training-only") };
	struct operator_rule rule = { .kind = row_word(row, kinds, ARRAY_SIZE(kinds)) };

	rule.name = row_text(row);
	rule.reached = row_text(row);
	MEM_PUSH(&db->operator_rules, rule);
}

/* In the order of what refers to what. */
static const struct {
	const char *sql;
	void (*load)(struct opdb *, struct row *);
	bool required; /* without a row no name can be resolved */
} tables[] = {
	{ "SELECT build, built_at, sha256, names, facts FROM info", load_info, true },
	{ "SELECT id, name, target, repository, ref, path, kind FROM source ORDER BY id", load_source, true },
	{ "SELECT place, version, wheel, source FROM torch ORDER BY place", load_torch, true },
	{ "SELECT target, place, name, ref, torch, plugin, kind, date, commit_id, op_plugin, op_plugin_yaml, codegen, "
	  "key, boxed, fallback, fallback_source, list FROM release ORDER BY target DESC, place",
		load_release, true },
	{ "SELECT id, name, operators, fits, effort, torch, fixed, tolerance, sources, cost_en, cost_zh, advice_en, "
	  "advice_zh FROM recipe ORDER BY id",
		load_recipe, false },
	{ "SELECT recipe, target, first, last FROM recipe_span ORDER BY recipe, target, first", load_recipe_span,
		false },
	{ "SELECT torch, pip, cann, release FROM package_version ORDER BY id", load_version, false },
	{ "SELECT id, name, specific_to, reason, npu, musa, reached_from, mode FROM rule ORDER BY id", load_rule,
		false },
	{ "SELECT rule, place, source FROM rule_source", load_rule_source, false },
	{ "SELECT base, rule, coalesce(body, 'own'), body.source, coalesce(instead, ''), coalesce(renamed.reason, ''),"
	  " renamed.source FROM (SELECT base FROM rule_name UNION SELECT base FROM body UNION SELECT base FROM renamed)"
	  " LEFT JOIN rule_name USING (base) LEFT JOIN body USING (base) LEFT JOIN renamed USING (base) ORDER BY base",
		load_special, false },
	{ "SELECT ns, remark, npu, musa, kind, source FROM namespace ORDER BY ns", load_namespace, false },
	{ "SELECT package, version, first, last, source FROM package_build ORDER BY package, version, first",
		load_package_build, false },
	{ "SELECT name, seen, needs, target, coalesce(torch, 0), calls, source FROM implied ORDER BY id", load_implied,
		false },
	{ "SELECT name, plugin, source FROM cann ORDER BY place", load_cann, false },
	{ "SELECT kernel, decided, test, en, zh, usual_ppm FROM unit_condition ORDER BY kernel", load_unit_condition,
		false },
	{ "SELECT of, becomes, chips, first, last FROM slow_cast ORDER BY of, becomes, chips, first", load_slow_cast,
		false },
	{ "SELECT rule, name, reached FROM operator_rule ORDER BY rule, name", load_operator_rule, false },
	{ "SELECT place, name, release + 1, ref, path, source FROM document ORDER BY place", load_document, false },
	{ "SELECT name, target, chips, kernels, refused, reason, source FROM dtype_rule ORDER BY id", load_dtype_rule,
		false },
};

/* Appends a version that is not in the list yet. */
static void list_version(struct buf *list, struct str version)
{
	struct str rest = buf_str(list), item = { 0 };

	while (rest.len && str_cut(&rest, ',', &item)) {
		if (str_eq(str_trim(item), version))
			return;
	}
	if (version.len)
		buf_printf(list, "%s%.*s", list->len ? ", " : "", STR_ARG(version));
}

/* The version of CANN whose kernels are used for a release: its own, else the nearest. */
static void find_cann(struct opdb *db, struct release *release)
{
	unsigned count = (unsigned)db->cann.count, place = 0;

	if (!count || release->target != TARGET_NPU)
		return;
	while (place + 1 < count && str_natural_cmp(db->cann.items[place].plugin, release->plugin) < 0)
		place++;
	if (release->kind == RELEASE_DEVELOPMENT)
		place = count - 1;
	release->has_units = true;
	release->cann_place = place;
	release->own_cann = str_eq(db->cann.items[place].plugin, release->plugin);
}

/* The names of a release in CANN and pip, from the rows that name it. */
static bool name_versions(struct opdb *db, struct release *release)
{
	CLEANUP(buf_clear) struct buf cann = BUF_INIT(ROWS);
	CLEANUP(buf_clear) struct buf pip = BUF_INIT(ROWS);

	for (size_t i = 0; i < db->versions.count; i++) {
		if (db->versions.items[i].known != release)
			continue;
		list_version(&cann, db->versions.items[i].cann);
		list_version(&pip, db->versions.items[i].pip);
	}
	return arena_copy(&db->arena, buf_str(&cann), &release->cann) &&
	       arena_copy(&db->arena, buf_str(&pip), &release->pip);
}

/* The document of a release: its own, else the nearest one in the order of releases that is of the same era. */
static void find_document(struct opdb *db, struct release *release)
{
	unsigned nearest = UINT32_MAX;

	for (unsigned i = 0; i < db->documents.count; i++) {
		const struct release *about = db->documents.items[i].release;
		unsigned distance;

		if (!about || about->target != release->target || about->xla != release->xla)
			continue;
		distance = about->place < release->place ? release->place - about->place
							 : about->place - release->place;
		if (distance >= nearest)
			continue;
		nearest = distance;
		release->document = i;
		release->has_document = true;
		release->own_document = !distance;
	}
}

static int load_rows(struct opdb *db, size_t table, struct err *err)
{
	struct row row;
	size_t rows = 0;
	int more = row_open(db, tables[table].sql, &db->arena, &row, err);

	while (!more && (more = row_next(&row, err)) > 0) {
		more = rows++ == ROWS ? db_damaged(err, "a table has too many rows") : 0;
		if (!more)
			tables[table].load(db, &row);
	}
	row_close(&row);
	return !more && !rows && tables[table].required ? db_damaged(err, "a table is empty") : more;
}

int load_tables(struct opdb *db, struct err *err)
{
	int code = 0;

	for (size_t i = 0; !code && i < ARRAY_SIZE(tables); i++)
		code = load_rows(db, i, err);
	for (size_t i = 0; !code && i < db->releases.count; i++) {
		find_document(db, &db->releases.items[i]);
		find_cann(db, &db->releases.items[i]);
		if (!name_versions(db, &db->releases.items[i]))
			code = db_damaged(err, "its texts are too large");
	}
	db->info.releases = db->releases.count;
	db->info.torch_versions = db->torch.count;
	return code;
}
