/* `opcheck db diff A B`: two releases, or two database files release by release. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "check/database.h"
#include "check/reading.h"
#include "check/targets.h"
#include "cli/command.h"
#include "cli/db_diff.h"
#include "check/policy_files.h"
#include "opdb/db/lists.h"
#include "opdb/diff.h"
#include "opdb/model/chip.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/resolve.h"
#include "json/jsonw.h"
#include "report/html.h"
#include "report/load.h"
#include "report/sheet.h"

struct change {
	struct str release;        /* of two databases; "" where two releases are compared */
	struct op_difference what; /* without a name: the release itself was added or removed */
};

/* Details that are kept at most: when every unit of every release moves, the first ones tell enough. */
enum { MOST_DETAILS = 100 * 1000 };

struct detail {
	struct str release;
	struct op_detail what;
	size_t place; /* in the order in which they came */
};

struct diff {
	struct opdb *old_db, *new_db; /* one handle twice where two releases are compared */
	struct str old_name, new_name;
	struct str release;
	bool some; /* operators of these names alone */
	MEM_LIST(struct str) names;
	MEM_LIST(struct change) changes;
	size_t counts[CHANGE_COUNT];     /* of operators */
	MEM_LIST(struct detail) details; /* of two databases; sorted, those that differ in the release alone together */
	size_t left_out;                 /* details beyond the most that are kept */
	struct arena arena;
	struct err *err;
};

/* --- the operators that are wanted */

/* The report in a file, or what checking the dump in it comes to. */
static int load_result(const struct diff *diff, const struct limits *limits, const char *path, struct result **ret)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(limits->pack_bytes);
	struct check_input input = { .path = path, .name = STR("") };
	struct check_request request = { .inputs = &input,
		.input_count = 1,
		.db = diff->new_db,
		.torch = STR(""),
		.limits = limits,
		.skip_digests = true,
		.skip_history = true,
		.skip_releases = true };
	struct source *source = NULL;
	struct str head = STR("");
	int status = source_open(path, limits, &source, diff->err);

	if (!status)
		status = source_peek(source, &head, diff->err) < 0 ? -diff->err->code : 0;
	if (!status && !reading_is_report(head))
		status = 1;
	source_close(source);
	if (status == 1)
		return check_run(&request, ret, diff->err);
	if (!status)
		status = file_read_text(path, limits, &text, NULL, diff->err);
	return status ? status : report_load(buf_str(&text), ret, diff->err);
}

static int gather_file(struct diff *diff, const struct limits *limits, const char *path)
{
	struct result *result = NULL;
	int status = load_result(diff, limits, path, &result);

	if (status)
		return err_file(diff->err, shown(str_from(path)).text);
	for (size_t n = 0; n < result->operator_count; n++)
		MEM_PUSH(&diff->names, arena_keep(&diff->arena, result->operators[n].name));
	for (size_t n = 0; n < result->ignored_count; n++) {
		if (result->ignored[n].name_class == NAME_COLLECTIVE)
			MEM_PUSH(&diff->names, arena_keep(&diff->arena, result->ignored[n].name));
	}
	result_free(result);
	return 0;
}

/* The files of a folder that can be read; what cannot is said and left out. In a state directory of the service these
   are the dumps that it was given. */
static void gather_folder(struct diff *diff, const struct limits *limits, const char *path, DIR *folder)
{
	for (const struct dirent *entry; (entry = readdir(folder));) {
		char file[PATH_MAX];
		struct stat about;

		if (entry->d_name[0] == '.' ||
			snprintf(file, sizeof(file), "%s/%s", path, entry->d_name) >= (int)sizeof(file) ||
			stat(file, &about) || !S_ISREG(about.st_mode))
			continue;
		if (gather_file(diff, limits, file))
			fprintf(stderr, "%s: left out: %s\n", file, diff->err->text);
		*diff->err = (struct err){ 0 };
	}
}

static int gather_from(struct diff *diff, const struct limits *limits, const char *path)
{
	char dumps[PATH_MAX];
	DIR *folder = NULL;

	if (snprintf(dumps, sizeof(dumps), "%s/dumps", path) < (int)sizeof(dumps))
		folder = opendir(dumps);
	if (folder)
		path = dumps;
	else
		folder = opendir(path);
	if (!folder)
		return gather_file(diff, limits, path);
	gather_folder(diff, limits, path, folder);
	closedir(folder);
	return 0;
}

static int gather_names(struct diff *diff, const struct limits *limits, const struct str_list *of)
{
	for (size_t i = 0; i < of->count; i++) {
		int status = gather_from(diff, limits, of->items[i].ptr);

		if (status)
			return status;
	}
	diff->some = of->count;
	if (diff->names.count)
		qsort(diff->names.items, diff->names.count, sizeof(diff->names.items[0]), str_order);
	return 0;
}

static bool is_wanted(void *ctx, struct str name)
{
	const struct diff *diff = ctx;

	return !diff->some || (diff->names.count && bsearch(&name, diff->names.items, diff->names.count,
							    sizeof(diff->names.items[0]), str_order));
}

/* --- gathering */

static int add_change(void *ctx, const struct op_difference *what)
{
	struct diff *diff = ctx;
	struct change change = { diff->release, *what };

	change.what.name = arena_keep(&diff->arena, what->name);
	diff->counts[what->change]++;
	MEM_PUSH(&diff->changes, change);
	return 0;
}

static int add_detail(void *ctx, const struct op_detail *what)
{
	struct diff *diff = ctx;
	struct detail detail = { diff->release, *what, diff->details.count };

	if (diff->details.count == MOST_DETAILS) {
		diff->left_out++;
		return 0;
	}
	detail.what.name = arena_keep(&diff->arena, what->name);
	detail.what.text = arena_keep(&diff->arena, what->text);
	detail.what.ref = arena_keep(&diff->arena, what->ref);
	MEM_PUSH(&diff->details, detail);
	return 0;
}

/* The same for another release compares equal. */
static int detail_order(const struct detail *a, const struct detail *b)
{
	const struct op_detail *left = &a->what, *right = &b->what;
	const struct str texts[][2] = { { left->before, right->before }, { left->after, right->after },
		{ left->text, right->text }, { left->ref, right->ref } };
	int order = str_cmp(left->name, right->name);

	if (!order)
		order = (int)left->aspect - (int)right->aspect;
	if (!order)
		order = (left->dtypes > right->dtypes) - (left->dtypes < right->dtypes);
	if (!order)
		order = (left->chips > right->chips) - (left->chips < right->chips);
	for (size_t i = 0; i < ARRAY_SIZE(texts) && !order; i++)
		order = str_cmp(texts[i][0], texts[i][1]);
	return order;
}

static int by_detail(const void *a, const void *b)
{
	const struct detail *left = a, *right = b;
	int order = detail_order(left, right);

	return order ? order : (left->place > right->place) - (left->place < right->place);
}

/* How many details from this one on are the same for other releases. */
static size_t same_details(const struct diff *diff, size_t at)
{
	size_t end = at + 1;

	while (end < diff->details.count && !detail_order(&diff->details.items[at], &diff->details.items[end]))
		end++;
	return end - at;
}

static void add_release(struct diff *diff, struct str id, enum op_change how)
{
	struct change change = { id, { .name = STR(""), .change = how } };

	MEM_PUSH(&diff->changes, change);
}

static const struct release *find_release(const struct opdb *db, struct str id)
{
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(releases[i].id, id))
			return &releases[i];
	}
	return NULL;
}

static int compare_releases(
	struct diff *diff, struct target old_target, struct target new_target, struct resolver *resolvers[2])
{
	struct diff_side before = { diff->old_db, resolvers[0], old_target },
			 after = { diff->new_db, resolvers[1], new_target };

	struct diff_sink sink = { .wanted = is_wanted,
		.change = add_change,
		.detail = diff->old_db == diff->new_db ? NULL : add_detail,
		.ctx = diff };

	return opdb_diff(&before, &after, &sink, diff->err);
}

/* What one database has and the other lacks, then the releases of both. */
static int compare_all(struct diff *diff, struct resolver *resolvers[2])
{
	size_t old_count, new_count;
	const struct release *old_ones = opdb_releases(diff->old_db, &old_count);
	const struct release *new_ones = opdb_releases(diff->new_db, &new_count);
	int status = 0;

	for (size_t i = 0; i < old_count; i++) {
		if (!find_release(diff->new_db, old_ones[i].id))
			add_release(diff, old_ones[i].id, CHANGE_REMOVED);
	}
	for (size_t i = 0; i < new_count && !status; i++) {
		const struct release *old_one = find_release(diff->old_db, new_ones[i].id);

		diff->release = new_ones[i].id;
		if (old_one)
			status = compare_releases(diff, target_of(old_one), target_of(&new_ones[i]), resolvers);
		else
			add_release(diff, new_ones[i].id, CHANGE_ADDED);
	}
	return status;
}

static bool is_target(struct str text)
{
	enum target_kind kind;
	struct str name = text;

	str_cut(&text, ':', &name);
	text = name;
	str_cut(&text, '@', &name);
	return target_kind_from(name, &kind);
}

static struct str build_name(struct diff *diff, const struct opdb *db)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	buf_printf(&name, "build %.*s", STR_ARG(opdb_info(db)->build));
	return arena_keep(&diff->arena, buf_str(&name));
}

static int diff_files(struct diff *diff, const char *const paths[2], const struct diff_options *options)
{
	struct resolver *resolvers[2];
	int status = opdb_open(paths[0], &diff->old_db, diff->err);

	if (!status)
		status = opdb_open(paths[1], &diff->new_db, diff->err);
	if (!status)
		status = gather_names(diff, &options->common.limits, &options->of);
	if (status)
		return status;
	diff->old_name = build_name(diff, diff->old_db);
	diff->new_name = build_name(diff, diff->new_db);
	resolvers[0] = resolver_new(diff->old_db);
	resolvers[1] = resolver_new(diff->new_db);
	status = compare_all(diff, resolvers);
	if (diff->details.count)
		qsort(diff->details.items, diff->details.count, sizeof(diff->details.items[0]), by_detail);
	resolver_free(resolvers[0]);
	resolver_free(resolvers[1]);
	return status;
}

static int diff_targets(struct diff *diff, const char *const specs[2], const struct diff_options *options)
{
	struct resolver *resolvers[2];
	struct target targets[2];
	int status = database_open(options->common.db, &diff->old_db, diff->err);

	diff->new_db = diff->old_db;
	if (!status)
		status = gather_names(diff, &options->common.limits, &options->of);
	for (size_t i = 0; i < 2 && !status; i++)
		status = target_parse(diff->old_db, str_from(specs[i]), STR(""), &targets[i], diff->err);
	if (status)
		return status;
	diff->release = STR("");
	diff->old_name = arena_keep(&diff->arena, str_from(targets[0].id));
	diff->new_name = arena_keep(&diff->arena, str_from(targets[1].id));
	resolvers[0] = resolvers[1] = resolver_new(diff->old_db);
	status = compare_releases(diff, targets[0], targets[1], resolvers);
	resolver_free(resolvers[0]);
	return status;
}

/* --- printing */

static void put_head(struct doc *doc, const struct diff *diff)
{
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_CODE, diff->old_name);
	doc_text(doc, doc_is(doc, DOC_TEXT) ? STR(" -> ") : STR(" \xe2\x86\x92 "));
	doc_styled(doc, SPAN_CODE, diff->new_name);
	doc_text(doc, STR(": "));
	for (unsigned i = 0; i < CHANGE_COUNT; i++)
		doc_printf(doc, "%s%zu %.*s", i ? ", " : "", diff->counts[i], STR_ARG(op_change_name(i)));
	doc_close(doc);
}

/* "better   aten::isin: cpu-fallback -> native" */
static void put_line(struct doc *doc, const void *ctx, size_t at)
{
	const struct change *change = &((const struct diff *)ctx)->changes.items[at];
	const struct op_difference *what = &change->what;

	doc_row(doc);
	doc_cell_text(doc, op_change_name(what->change));
	doc_cell(doc);
	doc_text(doc, change->release);
	doc_text(doc, change->release.len && what->name.len ? STR(" ") : STR(""));
	if (what->name.len)
		doc_printf(doc, "%.*s: %.*s -> %.*s", STR_ARG(what->name), STR_ARG(op_status_name(what->before)),
			STR_ARG(op_status_name(what->after)));
	doc_close(doc);
	doc_close(doc);
}

static void put_change_json(struct jsonw *json, const struct change *change)
{
	jsonw_object(json);
	if (change->release.len)
		jsonw_key_str(json, "release", change->release);
	if (change->what.name.len)
		jsonw_key_str(json, "operator", change->what.name);
	jsonw_key_str(json, "change", op_change_name(change->what.change));
	if (change->what.name.len) {
		jsonw_key_str(json, "before", op_status_name(change->what.before));
		jsonw_key_str(json, "after", op_status_name(change->what.after));
	}
	jsonw_object_end(json);
}

static void put_detail_json(struct jsonw *json, const struct detail *detail, size_t releases)
{
	const struct op_detail *what = &detail->what;
	const struct chip *chip;

	jsonw_object(json);
	jsonw_key_str(json, "operator", what->name);
	jsonw_key_str(json, "aspect", diff_aspect_name(what->aspect));
	jsonw_key_list(json, "releases");
	for (size_t i = 0; i < releases; i++)
		jsonw_str(json, detail[i].release);
	jsonw_list_end(json);
	if (what->aspect == ASPECT_UNIT) {
		jsonw_key_list(json, "chips");
		for (unsigned i = 0; (chip = chip_at(TARGET_NPU, i)); i++) {
			if (what->chips >> i & 1)
				jsonw_str(json, chip->family);
		}
		jsonw_list_end(json);
	}
	if (what->aspect != ASPECT_REPORT) {
		jsonw_key_list(json, "dtypes");
		for (unsigned i = 0; i < DTYPE_COUNT; i++) {
			if (what->dtypes >> i & 1)
				jsonw_str(json, dtype_name(i));
		}
		jsonw_list_end(json);
	}
	jsonw_key_str(json, "before", what->before);
	jsonw_key_str(json, "after", what->after);
	if (what->aspect == ASPECT_REPORT) {
		jsonw_key_str(json, "report", what->text);
		jsonw_key_str(json, "ref", what->ref);
	}
	jsonw_object_end(json);
}

static void put_details_json(struct jsonw *json, const struct diff *diff)
{
	jsonw_key_list(json, "details");
	for (size_t i = 0, count; i < diff->details.count; i += count) {
		count = same_details(diff, i);
		put_detail_json(json, &diff->details.items[i], count);
	}
	jsonw_list_end(json);
	if (diff->left_out) {
		jsonw_key_view(json, STR("details_left_out"));
		jsonw_number(json, (int64_t)diff->left_out);
	}
}

static void put_json(struct buf *out, const struct diff *diff)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	jsonw_key_str(&json, "before", diff->old_name);
	jsonw_key_str(&json, "after", diff->new_name);
	jsonw_key_object(&json, "counts");
	for (unsigned i = 0; i < CHANGE_COUNT; i++) {
		jsonw_key_view(&json, op_change_name(i));
		jsonw_number(&json, (int64_t)diff->counts[i]);
	}
	jsonw_object_end(&json);
	jsonw_key_list(&json, "changes");
	for (size_t i = 0; i < diff->changes.count; i++)
		put_change_json(&json, &diff->changes.items[i]);
	jsonw_list_end(&json);
	if (diff->new_db != diff->old_db)
		put_details_json(&json, diff);
	jsonw_object_end(&json);
}

/* The cells of a change, "" for statuses of a whole release. */
static void cells_of(const struct change *change, struct str ret[5])
{
	bool op = change->what.name.len > 0;

	ret[0] = change->release;
	ret[1] = op ? change->what.name : STR("*");
	ret[2] = op_change_name(change->what.change);
	ret[3] = op ? op_status_name(change->what.before) : STR("");
	ret[4] = op ? op_status_name(change->what.after) : STR("");
}

/* "910A, 910B" */
static struct str chips_text(struct arena *arena, unsigned chips)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const struct chip *chip;

	for (unsigned i = 0; (chip = chip_at(TARGET_NPU, i)); i++) {
		if (chips >> i & 1)
			buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(chip->family));
	}
	return arena_keep(arena, buf_str(&text));
}

static void put_cells(struct sheet *sheet, const struct str *cells, size_t count)
{
	for (size_t n = 0; n < count; n++)
		sheet_cell(sheet, cells[n]);
}

/* A row for each release of each detail, in the place of a change. */
static void put_details_csv(struct sheet *sheet, const struct diff *diff)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	for (size_t i = 0; i < diff->details.count; i++) {
		const struct detail *detail = &diff->details.items[i];
		const struct op_detail *what = &detail->what;
		const struct str cells[] = { detail->release, what->name, diff_aspect_name(what->aspect), what->before,
			what->after, dtypes_text(&arena, what->dtypes, " "), chips_text(&arena, what->chips),
			what->text };

		put_cells(sheet, cells, ARRAY_SIZE(cells));
	}
}

static void put_csv(struct buf *out, const struct diff *diff)
{
	static const char *const heads[] = { "release", "operator", "change", "before", "after", "types", "chips",
		"report" };
	static const struct sheet_shape shape = { "db-diff.title", heads, ARRAY_SIZE(heads) };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < diff->changes.count; i++) {
		struct str cells[ARRAY_SIZE(heads)] = { [5] = STR(""), [6] = STR(""), [7] = STR("") };

		cells_of(&diff->changes.items[i], cells);
		put_cells(&sheet, cells, ARRAY_SIZE(cells));
	}
	put_details_csv(&sheet, diff);
	sheet_end(&sheet);
}

static void put_row(struct doc *doc, const void *ctx, size_t at)
{
	const struct change *change = &((const struct diff *)ctx)->changes.items[at];
	struct str cells[5];

	cells_of(change, cells);
	doc_row(doc);
	doc_cell_text(doc, cells[2]);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		if (i == 2)
			continue;
		doc_cell(doc);
		doc_styled(doc, SPAN_CODE, cells[i]);
		doc_close(doc);
	}
	doc_close(doc);
}

/* "npu@v2.7.1-7.3.0", or "npu@v2.6.0-7.3.0 .. npu@v2.7.1-26.0.0 (12)" */
static struct str releases_text(struct doc *doc, const struct detail *details, size_t count)
{
	return count == 1 ? details->release
			  : doc_format_of(doc, "%.*s .. %.*s (%zu)", STR_ARG(details->release),
				    STR_ARG(details[count - 1].release), count);
}

static void put_detail(struct doc *doc, const struct detail *details, size_t count)
{
	static const char *const ids[] = { [ASPECT_UNIT] = "db-diff.unit", [ASPECT_TYPES] = "db-diff.limit" };
	const struct op_detail *what = &details->what;
	struct message message = message_of(what->aspect != ASPECT_REPORT ? ids[what->aspect]
					    : what->after.len             ? "db-diff.report-added"
									  : "db-diff.report-removed");
	bool report = what->aspect == ASPECT_REPORT;

	message_add(&message, "operator", what->name);
	message_add(&message, "releases", releases_text(doc, details, count));
	if (what->aspect == ASPECT_UNIT)
		message_add(&message, "chips", chips_text(&doc->arena, what->chips));
	if (!report)
		message_add(&message, "dtypes", dtypes_text(&doc->arena, what->dtypes, ", "));
	message_add(&message, "before", report ? what->text : doc_word_of(doc, "db-diff.is", what->before));
	message_add(&message, "after", report ? what->ref : doc_word_of(doc, "db-diff.is", what->after));
	doc_say(doc, BLOCK_ITEM, &message);
}

/* What moved between units, limits of types, and reports: nothing where none changed. */
static void put_details(struct doc *doc, const struct diff *diff)
{
	if (!diff->details.count)
		return;
	doc_section(doc, "db-diff.details");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0, count; i < diff->details.count; i += count) {
		count = same_details(diff, i);
		put_detail(doc, &diff->details.items[i], count);
	}
	doc_close(doc);
	if (diff->left_out)
		doc_say_count(doc, BLOCK_PARAGRAPH, "db-diff.left-out", diff->left_out);
	doc_close(doc);
}

static void build_diff(struct doc *doc, const struct diff *diff)
{
	static const struct doc_column lines[] = { { .width = 8 }, { .gap = 1, .fit = COLUMN_WRAP } };
	static const struct doc_column columns[] = { { .title = STR("change") }, { .title = STR("release") },
		{ .title = STR("operator") }, { .title = STR("before") }, { .title = STR("after") } };
	bool text = doc_is(doc, DOC_TEXT);

	if (doc_is(doc, DOC_HTML)) {
		doc_title(doc, "db-diff.title");
		doc_close(doc);
	}
	put_head(doc, diff);
	doc_table(doc, &(struct doc_table){ .columns = text ? lines : columns,
			       .count = text ? ARRAY_SIZE(lines) : ARRAY_SIZE(columns),
			       .bare = text,
			       .row_count = diff->changes.count,
			       .put_row = text ? put_line : put_row,
			       .ctx = diff });
	doc_close(doc);
	put_details(doc, diff);
}

/* Lines are for other programs, too: none is wrapped. */
static void put_document(struct buf *out, const struct diff *diff, enum doc_format format, enum lang lang)
{
	enum { NO_WRAP = 1 << 20 };
	struct doc doc = doc_new(format, &(struct render_options){ .width = NO_WRAP, .lang = lang });

	build_diff(&doc, diff);
	if (format == DOC_HTML)
		html_put_page(&doc, NULL, "db-diff.title", out);
	else
		doc_put(&doc, out);
}

static int put_diff(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	(void)err;
	if (str_eq(format, STR("json")))
		put_json(out, answer);
	else if (str_eq(format, STR("csv")))
		put_csv(out, answer);
	else
		put_document(out, answer, doc_format_of_name(format), render->lang);
	return 0;
}

/* --- the command */

static const struct option diff_table[] = {
	OPTION_OF,
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_DB,
	{ 0 },
};

static void clear_diff(struct diff *diff)
{
	if (diff->new_db != diff->old_db)
		opdb_close(diff->new_db);
	opdb_close(diff->old_db);
	free(diff->changes.items);
	free(diff->details.items);
	free(diff->names.items);
	arena_clear(&diff->arena);
}

int db_diff_print(const struct diff_options *options, const char *const paths[2], struct err *err)
{
	struct diff diff = { .arena = ARENA_INIT(ARENA_UNLIMITED), .err = err };
	struct buf text = BUF_UNLIMITED;
	int status = diff_files(&diff, paths, options);

	if (!status) {
		put_document(&text, &diff, DOC_TEXT, options->common.render.lang);
		status = output_print(buf_str(&text), err);
	}
	buf_clear(&text);
	clear_diff(&diff);
	return status;
}

static int run_db_diff(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct diff_options *options = ctx;
	struct diff diff = { .arena = ARENA_INIT(ARENA_UNLIMITED), .err = err };
	const char *const *sides = arguments->items;
	bool targets = is_target(str_from(sides[0]));
	int status;

	if (targets != is_target(str_from(sides[1]))) {
		err_set(err, ERR_VALUE, "cannot compare a release with a file");
		return err_hint(err, "give two targets such as npu@v2.7.1-26.0.0, or two database files");
	}
	status = targets ? diff_targets(&diff, sides, options) : diff_files(&diff, sides, options);
	if (!status)
		status = common_write(&options->common, put_diff, &diff, err);
	clear_diff(&diff);
	return status;
}

static void clear_options(void *ctx)
{
	free(((struct diff_options *)ctx)->of.items);
}

const struct command cmd_db_diff = {
	.name = "db diff",
	.summary = "what changed between two releases or two databases",
	.usage = "TARGET TARGET | FILE FILE [OPTION]...",
	.examples = "  opcheck db diff npu@v2.7.1-7.3.0 npu@v2.7.1-26.0.0\n"
		    "  opcheck db diff old.sqlite new.sqlite --of profiler.log",
	.options = diff_table,
	.options_size = sizeof(struct diff_options),
	.formats = "text json csv md html",
	.operand = "a release or database to compare",
	.min_operands = 2,
	.max_operands = 2,
	.run = run_db_diff,
	.clear = clear_options,
};
