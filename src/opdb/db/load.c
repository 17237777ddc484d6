#include "opdb/db/load.h"

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/view/ascii.h"
#include "opdb/db/lists.h"
#include "opdb/db/note.h"
#include "opdb/db/recipe.h"
#include "opdb/db/table_row.h"
#include "opdb/model/dtype.h"
#include "record/kinds.h"

/* A support database has fewer of anything. */
enum { ROWS = 4096 };

ROW_WORDS(release_kinds, STR("final"), STR("rc"), STR("dev"));
ROW_WORDS(source_kinds, STR("source"), STR("vendor-doc"), STR("inferred"));
ROW_WORDS(source_targets, STR("npu"), STR("musa"), STR("any"));
ROW_WORDS(dense_keys, STR("PrivateUse1"), STR("XLA"));
ROW_WORDS(rule_modes, STR("auto"), STR("manual"), STR("none"), STR("host"));
ROW_WORDS(bodies, STR("own"), STR("stub"), STR("bound"));
ROW_WORDS(namespace_kinds, STR("plugin"), STR("collective"), STR("composite"), STR("internal"), STR("quantized"),
	STR("package"), STR("torch"), STR("extension"), STR("foreign"), STR("vendor"));
ROW_WORDS(operator_rules, [RULE_DATA_DEPENDENT] = STR("data-dependent"),
	[RULE_NUMBERS_AS_TENSORS] = STR("numbers-as-tensors"), [RULE_CONVERTS] = STR("converts"),
	[RULE_TRAINING_ONLY] = STR("training-only"));
ROW_WORDS(rule_kernels, STR("any"), STR("written"));

/* --- rows that become one item, or a part of one */

struct source_row {
	struct source source;
	unsigned target;
};
struct release_row {
	struct release release;
	unsigned key;
};
struct rule_source_row {
	unsigned rule, place, source;
};
struct special_row {
	struct special special;
	unsigned rule;
};
struct implied_row {
	struct implied_rule rule;
	struct str needs;
};
struct condition_row {
	struct unit_condition condition;
	struct str usual;
};
struct document_row {
	struct document document;
	struct str ref, path;
	unsigned release; /* of npu, from 1 on; 0: none */
};
struct dtype_row {
	struct dtype_rule rule;
	struct str chips, refused;
	unsigned kernels;
};

/* clang-format off */

static const struct record info_record = { sizeof(struct opdb_info), (const struct field[]){
	{ "build", &kind_text, AT(opdb_info, build) },
	{ "built_at", &kind_text, AT(opdb_info, built_at) },
	{ "sha256", &kind_text, AT(opdb_info, sha256) },
	{ "names", &kind_count, AT(opdb_info, names) },
	{ "facts", &kind_count, AT(opdb_info, facts) },
	{ 0 } } };

static const struct record source_record = { sizeof(struct source_row), (const struct field[]){
	{ "id", &kind_id },
	{ "name", &kind_text, AT(source_row, source.name) },
	{ "target", &kind_enum, AT(source_row, target), .words = &source_targets },
	{ "repository", &kind_text, AT(source_row, source.repository) },
	{ "ref", &kind_text, AT(source_row, source.ref) },
	{ "path", &kind_text, AT(source_row, source.path) },
	{ "kind", &kind_enum, AT(source_row, source.kind), .words = &source_kinds },
	{ 0 } } };

static const struct record torch_record = { sizeof(struct torch_version), (const struct field[]){
	{ "place", &kind_ordinal },
	{ "version", &kind_text, AT(torch_version, version) },
	{ "wheel", &kind_text, AT(torch_version, wheel) },
	{ "source", &kind_source, AT(torch_version, source) },
	{ 0 } } };

static const struct record release_record = { sizeof(struct release_row), (const struct field[]){
	{ "target", &kind_enum, AT(release_row, release.target), .words = &target_words },
	{ "place", &kind_index, AT(release_row, release.place) },
	{ "name", &kind_text, AT(release_row, release.name) },
	{ "ref", &kind_text, AT(release_row, release.ref) },
	{ "torch", &kind_torch, AT(release_row, release.torch_place) },
	{ "plugin", &kind_text, AT(release_row, release.plugin) },
	{ "kind", &kind_enum, AT(release_row, release.kind), .words = &release_kinds },
	{ "date", &kind_text, AT(release_row, release.date) },
	{ "commit_id", &kind_text, AT(release_row, release.commit) },
	{ "op_plugin", &kind_text, AT(release_row, release.op_plugin) },
	{ "op_plugin_yaml", &kind_text, AT(release_row, release.op_plugin_yaml) },
	{ "codegen", &kind_text, AT(release_row, release.codegen) },
	{ "key", &kind_enum, AT(release_row, key), .words = &dense_keys },
	{ "boxed", &kind_bool, AT(release_row, release.boxed) },
	{ "fallback", &kind_text, AT(release_row, release.fallback) },
	{ "fallback_source", &kind_source, AT(release_row, release.fallback_source) },
	{ "list", &kind_source, AT(release_row, release.list_source) },
	{ 0 } } };

static const struct record recipe_record = { sizeof(struct recipe), (const struct field[]){
	{ "id", &kind_id },
	{ "name", &kind_text, AT(recipe, name) },
	{ "operators", &kind_text, AT(recipe, operators) },
	{ "fits", &kind_text, AT(recipe, fits) },
	{ "effort", &kind_text, AT(recipe, effort) },
	{ "torch", &kind_text, AT(recipe, torch) },
	{ "fixed", &kind_bool, AT(recipe, fixed) },
	{ "tolerance", &kind_text, AT(recipe, tolerance) },
	{ "sources", &kind_text, AT(recipe, sources) },
	{ "cost_en", &kind_text, AT(recipe, cost_en) },
	{ "cost_zh", &kind_text, AT(recipe, cost_zh) },
	{ "advice_en", &kind_text, AT(recipe, advice_en) },
	{ "advice_zh", &kind_text, AT(recipe, advice_zh) },
	{ 0 } } };

static const struct record recipe_span_record = { sizeof(struct recipe_span), (const struct field[]){
	{ "recipe", &kind_recipe, AT(recipe_span, recipe) },
	{ "target", &kind_enum, AT(recipe_span, target), .words = &target_words },
	{ "first", &kind_release, AT(recipe_span, first) },
	{ "last", &kind_release, AT(recipe_span, last) },
	{ 0 } } };

static const struct record version_record = { sizeof(struct package_version), (const struct field[]){
	{ "torch", &kind_text, AT(package_version, torch) },
	{ "pip", &kind_text, AT(package_version, pip) },
	{ "cann", &kind_text, AT(package_version, cann) },
	{ "release", &kind_text, AT(package_version, release) },
	{ 0 } } };

static const struct record rule_record = { sizeof(struct backend_rule), (const struct field[]){
	{ "id", &kind_id },
	{ "name", &kind_text, AT(backend_rule, name) },
	{ "specific_to", &kind_text, AT(backend_rule, specific_to) },
	{ "reason", &kind_text, AT(backend_rule, reason) },
	{ "npu", &kind_text, AT(backend_rule, equivalents[TARGET_NPU]) },
	{ "musa", &kind_text, AT(backend_rule, equivalents[TARGET_MUSA]) },
	{ "reached_from", &kind_text, AT(backend_rule, reached_from) },
	{ "mode", &kind_enum, AT(backend_rule, mode), .words = &rule_modes },
	{ 0 } } };

static const struct record rule_source_record = { sizeof(struct rule_source_row), (const struct field[]){
	{ "rule", &kind_rule, AT(rule_source_row, rule) },
	{ "place", &kind_index, AT(rule_source_row, place) },
	{ "source", &kind_source, AT(rule_source_row, source) },
	{ 0 } } };

static const struct record special_record = { sizeof(struct special_row), (const struct field[]){
	{ "base", &kind_text, AT(special_row, special.base) },
	{ "rule", &kind_rule, AT(special_row, rule) },
	{ "body", &kind_enum, AT(special_row, special.body), .words = &bodies },
	{ "body_source", &kind_source, AT(special_row, special.body_source) },
	{ "instead", &kind_text, AT(special_row, special.instead) },
	{ "instead_reason", &kind_text, AT(special_row, special.instead_reason) },
	{ "instead_source", &kind_source, AT(special_row, special.instead_source) },
	{ 0 } } };

static const struct record namespace_record = { sizeof(struct namespace_rule), (const struct field[]){
	{ "ns", &kind_text, AT(namespace_rule, ns) },
	{ "remark", &kind_text, AT(namespace_rule, remark) },
	{ "npu", &kind_text, AT(namespace_rule, package[TARGET_NPU]) },
	{ "musa", &kind_text, AT(namespace_rule, package[TARGET_MUSA]) },
	{ "kind", &kind_enum, AT(namespace_rule, kind), .words = &namespace_kinds },
	{ "source", &kind_source, AT(namespace_rule, source) },
	{ 0 } } };

static const struct record package_build_record = { sizeof(struct package_build), (const struct field[]){
	{ "package", &kind_text, AT(package_build, package) },
	{ "version", &kind_text, AT(package_build, version) },
	{ "first", &kind_torch, AT(package_build, first) },
	{ "last", &kind_torch, AT(package_build, last) },
	{ "source", &kind_source, AT(package_build, source) },
	{ 0 } } };

static const struct record implied_record = { sizeof(struct implied_row), (const struct field[]){
	{ "name", &kind_text, AT(implied_row, rule.name) },
	{ "seen", &kind_text, AT(implied_row, rule.seen) },
	{ "needs", &kind_text, AT(implied_row, needs) },
	{ "target", &kind_enum, AT(implied_row, rule.target), .words = &target_words },
	{ "torch", &kind_torch, AT(implied_row, rule.torch_from) },
	{ "calls", &kind_text, AT(implied_row, rule.calls) },
	{ "source", &kind_source, AT(implied_row, rule.source) },
	{ 0 } } };

static const struct record cann_record = { sizeof(struct cann_version), (const struct field[]){
	{ "name", &kind_text, AT(cann_version, name) },
	{ "plugin", &kind_text, AT(cann_version, plugin) },
	{ "source", &kind_source, AT(cann_version, source) },
	{ 0 } } };

static const struct record unit_condition_record = { sizeof(struct condition_row), (const struct field[]){
	{ "kernel", &kind_text, AT(condition_row, condition.kernel) },
	{ "decided", &kind_text, AT(condition_row, condition.decided) },
	{ "test", &kind_text, AT(condition_row, condition.test) },
	{ "en", &kind_text, AT(condition_row, condition.en) },
	{ "zh", &kind_text, AT(condition_row, condition.zh) },
	{ "usual_ppm", &kind_text, AT(condition_row, usual) },
	{ 0 } } };

static const struct record slow_cast_record = { sizeof(struct slow_cast), (const struct field[]){
	{ "of", &kind_dtype_bits, AT(slow_cast, from) },
	{ "becomes", &kind_dtype_bits, AT(slow_cast, to) },
	{ "chips", &kind_index, AT(slow_cast, chips) },
	{ "first", &kind_cann, AT(slow_cast, first) },
	{ "last", &kind_cann, AT(slow_cast, last) },
	{ 0 } } };

static const struct record operator_rule_record = { sizeof(struct operator_rule), (const struct field[]){
	{ "rule", &kind_enum, AT(operator_rule, kind), .words = &operator_rules },
	{ "name", &kind_text, AT(operator_rule, name) },
	{ "reached", &kind_text, AT(operator_rule, reached) },
	{ 0 } } };

static const struct record document_record = { sizeof(struct document_row), (const struct field[]){
	{ "place", &kind_ordinal },
	{ "name", &kind_text, AT(document_row, document.name) },
	{ "release", &kind_index, AT(document_row, release) },
	{ "ref", &kind_text, AT(document_row, ref) },
	{ "path", &kind_text, AT(document_row, path) },
	{ "source", &kind_source, AT(document_row, document.source) },
	{ 0 } } };

static const struct record dtype_record = { sizeof(struct dtype_row), (const struct field[]){
	{ "target", &kind_enum, AT(dtype_row, rule.note.target), .words = &target_words },
	{ "chips", &kind_text, AT(dtype_row, chips) },
	{ "kernels", &kind_enum, AT(dtype_row, kernels), .words = &rule_kernels },
	{ "refused", &kind_text, AT(dtype_row, refused) },
	{ "until", &kind_index, AT(dtype_row, rule.until) },
	{ "reason", &kind_text, AT(dtype_row, rule.note.text) },
	{ "source", &kind_source, AT(dtype_row, rule.note.source) },
	{ 0 } } };

/* clang-format on */

/* --- what a row says beyond its columns; not called for a damaged one */

static void take_info(struct opdb *db, struct row *row UNUSED, void *item)
{
	db->info = *(struct opdb_info *)item;
	db->info.digest = db->info.sha256;
}

static void take_source(struct opdb *db UNUSED, struct row *row, void *item)
{
	struct source_row *read = item;
	struct source *source = &read->source;

	source->npu = read->target != TARGET_MUSA;
	source->musa = read->target != TARGET_NPU;
	if (!str_starts(source->repository, STR("https://")))
		row->damaged = true; /* it becomes a link in a report */
	source->row_bound = str_has(source->ref, STR("{package_ref}")) || str_has(source->path, STR("{note}")) ||
			    str_has(source->path, STR("{path}"));
}

/* The place of a release is its position among those of its target, which stand together. */
static bool in_place(const struct opdb *db, const struct release *release)
{
	const struct release *before = db->releases.count ? &db->releases.items[db->releases.count - 1] : NULL;

	if (before && before->target == release->target)
		return release->place == before->place + 1;
	return release->place == 0 && (!before || before->target < release->target);
}

static void take_release(struct opdb *db, struct row *row, void *item)
{
	CLEANUP(buf_clear) struct buf id = BUF_INIT(ROWS); /* "npu@v2.7.1-26.0.0" */
	struct release_row *read = item;
	struct release *release = &read->release;

	release->xla = read->key == 1;
	if (!in_place(db, release)) {
		row->damaged = true;
		return;
	}
	release->torch = db->torch.items[release->torch_place].version;
	release->id = STR("");
	buf_printf(&id, "%.*s@%.*s", STR_ARG(target_names[release->target]), STR_ARG(release->ref));
	row->full |= !arena_copy(&db->arena, buf_str(&id), &release->id);
}

static void take_version(struct opdb *db, struct row *row UNUSED, void *item)
{
	struct package_version *version = item;

	for (size_t i = 0; i < db->releases.count; i++) {
		if (db->releases.items[i].target == TARGET_NPU && str_eq(db->releases.items[i].name, version->release))
			version->known = &db->releases.items[i];
	}
}

static void take_rule_source(struct opdb *db, struct row *row, void *item)
{
	const struct rule_source_row *read = item;

	if (!read->rule || !read->source)
		row->damaged = true;
	else if (read->place < ARRAY_SIZE(db->rules.items[0].sources))
		db->rules.items[read->rule - 1].sources[read->place] = read->source;
}

static void take_special(struct opdb *db, struct row *row UNUSED, void *item)
{
	struct special_row *read = item;

	read->special.rule = read->rule ? &db->rules.items[read->rule - 1] : NULL;
	map_add_name(&db->special_map, read->special.base, (uint32_t)db->specials.count);
}

static void take_implied(struct opdb *db UNUSED, struct row *row, void *item)
{
	struct implied_row *read = item;

	row->damaged |= !words_bits(&need_words, read->needs, &read->rule.needs);
}

static void take_unit_condition(struct opdb *db UNUSED, struct row *row, void *item)
{
	struct condition_row *read = item;
	uint64_t *usual_ppm = &read->condition.usual_ppm;

	row->damaged |= read->usual.len && (!decimal_unsigned(read->usual, usual_ppm) || *usual_ppm > 1000000);
}

/* One edition of the documents for each PyTorch, one set of kernels for all of them: "26.1.0" of "2.7.1-26.1.0". */
static struct str plugin_of(const struct document *document)
{
	size_t dash = str_find(document->name, STR("-"));

	return dash == STR_NONE ? document->name : str_skip(document->name, dash + 1);
}

static void take_document(struct opdb *db, struct row *row, void *item)
{
	CLEANUP(buf_clear) struct buf url = BUF_INIT(ROWS);
	struct document_row *read = item;
	struct document *document = &read->document;
	size_t count;
	const struct release *releases = opdb_target_releases(db, TARGET_NPU, &count);

	if (read->release > count || !document->source) {
		row->damaged = true;
		return;
	}
	document->release = read->release ? &releases[read->release - 1] : NULL;
	buf_printf(&url, "%.*s/blob/%.*s/%.*s", STR_ARG(db->sources.items[document->source - 1].repository),
		STR_ARG(read->ref), STR_ARG(read->path));
	if (!arena_copy(&db->arena, buf_str(&url), &document->url))
		row->full = true;
	document->plugin = (unsigned)POSITION(i, db->documents.count,
		str_eq(plugin_of(&db->documents.items[i]), plugin_of(document))); /* the first one's place */
}

static void take_dtype_rule(struct opdb *db, struct row *row, void *item)
{
	struct dtype_row *read = item;
	struct note *note = &read->rule.note;

	if (!note->source) {
		row->damaged = true;
		return;
	}
	note->kind = NOTE_DTYPES;
	note->overload = note->date = note->ref = note->path = STR("");
	note->chips = chips_named(note->target, read->chips);
	read->rule.written = read->kernels == 1;
	if (!dtypes_from(read->refused, &note->refused) || (read->chips.len && !note->chips))
		row->damaged = true;
	note->evidence = (enum evidence_kind)db->sources.items[note->source - 1].kind;
	note->barred = note->evidence == EVIDENCE_SOURCE ? note->refused : 0;
}

/* A MEM_LIST of struct opdb, and the bytes of an item. */
#define LIST(member)                                                                                                   \
	{                                                                                                              \
		offsetof(struct opdb, member), sizeof(((struct opdb *)0)->member.items[0])                             \
	}

/* A table: a function takes each row, and its beginning is appended to a list. */
static const struct table {
	const char *sql;
	const struct record *record;
	struct record_part list; /* bytes 0: none */
	void (*take)(struct opdb *, struct row *, void *item);
	bool required; /* without a row no name can be resolved */
} tables[] = {
	/* in the order of what refers to what */
	{ "FROM info", &info_record, .take = take_info, .required = true },
	{ "FROM source ORDER BY id", &source_record, LIST(sources), .take = take_source, .required = true },
	{ "FROM torch ORDER BY place", &torch_record, LIST(torch), .required = true },
	{ "FROM release ORDER BY target DESC, place", &release_record, LIST(releases), .take = take_release,
		.required = true },
	{ "FROM recipe ORDER BY id", &recipe_record, LIST(recipes) },
	{ "SELECT recipe - 1 AS recipe, target, first, last FROM recipe_span ORDER BY recipe, target, first",
		&recipe_span_record, LIST(recipe_spans) },
	{ "FROM package_version ORDER BY id", &version_record, LIST(versions), .take = take_version },
	{ "FROM rule ORDER BY id", &rule_record, LIST(rules) },
	{ "FROM rule_source", &rule_source_record, .take = take_rule_source },
	{ "SELECT base, rule, coalesce(body, 'own') AS body, body.source AS body_source, coalesce(instead, '') AS "
	  "instead,"
	  " coalesce(renamed.reason, '') AS instead_reason, renamed.source AS instead_source"
	  " FROM (SELECT base FROM rule_name UNION SELECT base FROM body UNION SELECT base FROM renamed)"
	  " LEFT JOIN rule_name USING (base) LEFT JOIN body USING (base) LEFT JOIN renamed USING (base) ORDER BY base",
		&special_record, LIST(specials), .take = take_special },
	{ "FROM namespace ORDER BY ns", &namespace_record, LIST(namespaces) },
	{ "FROM package_build ORDER BY package, version, first", &package_build_record, LIST(package_builds) },
	{ "SELECT name, seen, needs, target, coalesce(torch, 0) AS torch, calls, source FROM implied ORDER BY id",
		&implied_record, LIST(implied), .take = take_implied },
	{ "FROM cann ORDER BY place", &cann_record, LIST(cann) },
	{ "FROM unit_condition ORDER BY kernel", &unit_condition_record, LIST(unit_conditions),
		.take = take_unit_condition },
	{ "FROM slow_cast ORDER BY of, becomes, chips, first", &slow_cast_record, LIST(slow_casts) },
	{ "FROM operator_rule ORDER BY rule, name", &operator_rule_record, LIST(operator_rules) },
	{ "SELECT place, name, coalesce(release + 1, 0) AS release, ref, path, source FROM document ORDER BY place",
		&document_record, LIST(documents), .take = take_document },
	{ "SELECT target, chips, kernels, refused, coalesce(until + 1, 0) AS until, reason, source FROM dtype_rule "
	  "ORDER BY id",
		&dtype_record, LIST(dtype_rules), .take = take_dtype_rule },
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

struct item_list {
	char *items;
	size_t count, capacity;
};

static struct item_list *list_of(struct opdb *db, const struct table *table)
{
	return (void *)((char *)db + table->list.at);
}

static int load_rows(struct opdb *db, const struct table *table, struct err *err)
{
	size_t bytes = table->record->bytes, kept = table->list.bytes, rows = 0;
	CLEANUP(mem_release) void *item = mem_zalloc(bytes);
	struct item_list *list = list_of(db, table);
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;
	struct row_columns columns;
	struct row row;
	int more;

	columns_sql(&sql, table->record, table->sql);
	more = row_open(db, buf_text(&sql), &db->arena, &row, err);
	if (!more && columns_match(row.statement, table->record, &columns))
		more = db_damaged(err, "a table has other columns than its record");
	while (!more && (more = row_next(&row, err)) > 0) {
		more = rows == ROWS ? db_damaged(err, "a table has too many rows") : 0;
		if (more)
			break;
		memset(item, 0, bytes);
		table_row_read(&row, table->record, &columns, rows++, item);
		if (!row.damaged && table->take)
			table->take(db, &row, item);
		if (row.damaged || !kept)
			continue;
		list->items = mem_room(list->items, list->count, &list->capacity, kept);
		memcpy(list->items + list->count++ * kept, item, kept);
	}
	row_close(&row);
	return !more && !rows && table->required ? db_damaged(err, "a table is empty") : more;
}

int load_tables(struct opdb *db, struct err *err)
{
	int code = 0;

	for (size_t i = 0; !code && i < ARRAY_SIZE(tables); i++)
		code = load_rows(db, &tables[i], err);
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

void free_tables(struct opdb *db)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (tables[i].list.bytes)
			free(list_of(db, &tables[i])->items);
	}
	map_clear(&db->special_map);
}
