#include "diagnose/diagnosis_put.h"

#include "base/value/decimal.h"
#include "diagnose/codes.h"
#include "diagnose/doctor_put.h"
#include "json/jsonw.h"
#include "report/doc/csv_cell.h"

/* The operator of the dump, with or without its overload; NULL: the dump has none. */
static const struct result_operator *in_dump(const struct result *result, const struct fault_subject *subject)
{
	struct str name = subject->op.len ? subject->op : subject->name, base = str_head(name, '.');

	for (size_t i = 0; result && i < result->operator_count; i++) {
		if (str_eq(result->operators[i].name, name) || str_eq(result->operators[i].name, base))
			return &result->operators[i];
	}
	return NULL;
}

/* --- text */

static void put_count(struct buf *out, enum lang lang, const char *id, const char *name, uint64_t count)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	catalog_put(out, lang, MESSAGE(&arena, id, NUMBER(name, count)));
}

static void put_field(struct buf *out, enum lang lang, const char *id, struct str text)
{
	struct str label = catalog_text(lang, str_from(id));

	buf_printf(out, "  %.*s: %.*s\n", STR_ARG(label), STR_ARG(text));
}

static void put_in_dump(struct buf *out, enum lang lang, const struct result_operator *op)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	long long share = op->share_ppm;

	buf_add(out, STR("; "));
	catalog_put(out, lang,
		MESSAGE(&arena, "diagnose.in-dump", NUMBER("calls", op->calls),
			BLANK("share", arena_printf(&arena, "%lld.%02lld %%", share / 10000, share % 10000 / 100))));
}

static void put_subject(const struct diagnosis *diagnosis, const struct fault_subject *subject,
	const struct result *result, enum lang lang, struct buf *out)
{
	const struct result_operator *op = in_dump(result, subject);
	CLEANUP(buf_clear) struct buf overlay = BUF_UNLIMITED;

	buf_printf(out, "  %.*s", STR_ARG(subject->name));
	if (subject->dtype.len)
		buf_printf(out, " %.*s", STR_ARG(subject->dtype));
	buf_add(out, STR(": "));
	put_count(out, lang, "diagnose.times", "count", subject->count);
	if (op)
		put_in_dump(out, lang, op);
	buf_byte(out, '\n');
	diagnosis_put_overlay(diagnosis, subject, &overlay);
	if (overlay.len)
		put_field(out, lang, "diagnose.overlay", buf_str(&overlay));
}

static void put_place(struct buf *out, enum lang lang, const struct log_place *place, struct str id)
{
	buf_printf(out, "%.*s:%llu: %.*s%s", STR_ARG(place->path), (unsigned long long)place->line, STR_ARG(id),
		id.len ? ", " : "");
	put_count(out, lang, "diagnose.times", "count", place->count);
	buf_printf(out, "\n  %.*s\n", STR_ARG(place->text));
}

/* An unknown code with the module that it belongs to: "EI0777 (HCCL)". */
static void put_unknown(struct buf *out, enum lang lang, const struct log_place *place)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;
	struct str module = code_module(place->code);

	buf_add(&name, place->code);
	if (module.len)
		buf_printf(&name, " (%.*s)", STR_ARG(module));
	put_place(out, lang, place, buf_str(&name));
}

/* The first line of an answer: the cause, or what the logs have in its place. */
static void put_first(const struct diagnosis *diagnosis, size_t at, enum lang lang, struct buf *out)
{
	static const char *const ids[FAULT_LEVELS] = { "diagnose.first-cause", "diagnose.first-symptom",
		"diagnose.first-wrapper", "diagnose.first-note" };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	const struct fault *fault = &diagnosis->book.faults.items[at];
	const struct log_place *place = &diagnosis->faults[at];

	catalog_put(out, lang,
		MESSAGE(&arena, ids[fault->level], BLANK("cause", fault->cause[lang]), BLANK("fault", fault->id),
			BLANK("place", arena_printf(&arena, "%.*s:%llu", STR_ARG(place->path),
					       (unsigned long long)place->line))));
	buf_byte(out, '\n');
}

static void put_fault(
	const struct diagnosis *diagnosis, size_t at, const struct result *result, enum lang lang, struct buf *out)
{
	const struct fault *fault = &diagnosis->book.faults.items[at];

	buf_byte(out, '\n');
	put_place(out, lang, &diagnosis->faults[at], fault->id);
	put_field(out, lang, "diagnose.cause", fault->cause[lang]);
	put_field(out, lang, "diagnose.cure", fault->cure[lang]);
	put_field(out, lang, "diagnose.source", fault->sources);
	for (size_t i = 0; i < diagnosis->subjects.count; i++) {
		if (diagnosis->subjects.items[i].fault == at)
			put_subject(diagnosis, &diagnosis->subjects.items[i], result, lang, out);
	}
}

void diagnosis_put_text(const struct diagnosis *diagnosis, const struct result *result, enum lang lang, struct buf *out)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	size_t count;
	CLEANUP(mem_release) size_t *faults = diagnosis_in_order(diagnosis, &count);

	if (count)
		put_first(diagnosis, faults[0], lang, out);
	catalog_put(out, lang,
		MESSAGE(&arena, "diagnose.read", NUMBER("faults", count), NUMBER("lines", diagnosis->lines)));
	buf_byte(out, '\n');
	for (size_t i = 0; i < count; i++)
		put_fault(diagnosis, faults[i], result, lang, out);
	if (diagnosis->versions.rows.count) {
		buf_byte(out, '\n');
		doctor_put(
			&diagnosis->versions, STR("text"), &(struct render_options){ .lang = lang, .width = 80 }, out);
	}
	if (diagnosis->unknown.count) {
		buf_byte(out, '\n');
		put_count(out, lang, "diagnose.unknown", "count", diagnosis->unknown.count);
		buf_byte(out, '\n');
	}
	for (size_t i = 0; i < diagnosis->unknown.count; i++)
		put_unknown(out, lang, &diagnosis->unknown.items[i]);
	if (diagnosis->left_out) {
		put_count(out, lang, "diagnose.left-out", "count", diagnosis->left_out);
		buf_byte(out, '\n');
	}
}

/* --- for programs */

static void put_json_place(struct jsonw *json, const struct log_place *place)
{
	jsonw_key_str(json, "path", place->path);
	jsonw_key_number(json, "line", (int64_t)place->line);
	jsonw_key_number(json, "count", (int64_t)place->count);
	jsonw_key_str(json, "text", place->text);
}

static void put_json_subject(const struct diagnosis *diagnosis, const struct fault_subject *subject,
	const struct result *result, struct jsonw *json)
{
	const struct result_operator *op = in_dump(result, subject);
	CLEANUP(buf_clear) struct buf overlay = BUF_UNLIMITED;

	diagnosis_put_overlay(diagnosis, subject, &overlay);
	jsonw_fill(json, "{'name': $, 'dtype': $", subject->name, subject->dtype);
	jsonw_key_number(json, "count", (int64_t)subject->count);
	jsonw_key_str(json, "overlay", buf_str(&overlay));
	if (op) {
		jsonw_key_number(json, "calls", (int64_t)op->calls);
		jsonw_key_decimal(json, "time_share", op->share_ppm, 6);
	}
	jsonw_object_end(json);
}

static void put_json_fault(
	const struct diagnosis *diagnosis, size_t at, const struct result *result, struct jsonw *json)
{
	const struct fault *fault = &diagnosis->book.faults.items[at];

	jsonw_fill(json,
		"{'id': $, 'target': $, 'kind': $, 'level': $, 'cause': $, 'cause_zh': $, 'cure': $, 'cure_zh': $, "
		"'sources': $",
		fault->id, fault->target, fault->kind, fault_level_names[fault->level], fault->cause[LANG_EN],
		fault->cause[LANG_ZH_CN], fault->cure[LANG_EN], fault->cure[LANG_ZH_CN], fault->sources);
	put_json_place(json, &diagnosis->faults[at]);
	jsonw_key_list(json, "subjects");
	for (size_t i = 0; i < diagnosis->subjects.count; i++) {
		if (diagnosis->subjects.items[i].fault == at)
			put_json_subject(diagnosis, &diagnosis->subjects.items[i], result, json);
	}
	jsonw_fill(json, "]}");
}

void diagnosis_put_json(const struct diagnosis *diagnosis, const struct result *result, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);
	size_t count;
	CLEANUP(mem_release) size_t *faults = diagnosis_in_order(diagnosis, &count);

	jsonw_object(&json);
	jsonw_key_number(&json, "lines", (int64_t)diagnosis->lines);
	jsonw_key_list(&json, "faults");
	for (size_t i = 0; i < count; i++)
		put_json_fault(diagnosis, faults[i], result, &json);
	jsonw_list_end(&json);
	if (diagnosis->versions.rows.count)
		doctor_put_rows(&diagnosis->versions, "versions", &json);
	jsonw_key_list(&json, "unknown");
	for (size_t i = 0; i < diagnosis->unknown.count; i++) {
		jsonw_object(&json);
		jsonw_key_str(&json, "code", diagnosis->unknown.items[i].code);
		jsonw_key_str(&json, "module", code_module(diagnosis->unknown.items[i].code));
		put_json_place(&json, &diagnosis->unknown.items[i]);
		jsonw_object_end(&json);
	}
	jsonw_list_end(&json);
	jsonw_key_number(&json, "left_out", (int64_t)diagnosis->left_out);
	jsonw_object_end(&json);
	buf_byte(out, '\n');
}

static void put_fault_row(struct buf *out, const struct log_place *place, const struct fault *fault)
{
	const struct str cells[] = { fault->id, fault->target, fault->kind, place->text, fault->cause[LANG_EN],
		fault->cure[LANG_EN] };

	csv_put_text(out, place->path);
	buf_printf(out, ",%llu,%llu", (unsigned long long)place->line, (unsigned long long)place->count);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		buf_byte(out, ',');
		csv_put_text(out, cells[i]);
	}
	buf_add(out, STR("\r\n"));
}

/* The versions that the logs name, whether they fit, and what to install. */
static void put_version_rows(const struct doctor *versions, struct buf *out)
{
	for (size_t i = 0; i < versions->rows.count; i++) {
		const struct doctor_row *row = &versions->rows.items[i];
		CLEANUP(buf_clear) struct buf named = BUF_UNLIMITED, said = BUF_UNLIMITED;
		struct str place = row->place.len ? row->place : STR(""), line = str_tail(place, ':'); /* "run.log:3" */
		bool has_line = line.len < place.len && decimal_unsigned(line, &(uint64_t){ 0 });

		buf_printf(&named, "%.*s%s%.*s", STR_ARG(row->name), row->value.len ? " " : "", STR_ARG(row->value));
		doctor_put_said(row, LANG_EN, &said);
		csv_put_text(out, has_line ? str_chop(place, line.len + 1) : place);
		buf_byte(out, ',');
		buf_add(out, has_line ? line : STR(""));
		buf_add(out, STR(",,,,version,"));
		csv_put_text(out, buf_str(&named));
		buf_byte(out, ',');
		csv_put_text(out, buf_str(&said));
		buf_add(out, STR(",\r\n"));
	}
}

void diagnosis_put_csv(const struct diagnosis *diagnosis, struct buf *out)
{
	size_t count;
	CLEANUP(mem_release) size_t *faults = diagnosis_in_order(diagnosis, &count);

	buf_add(out, STR("path,line,count,fault,target,kind,text,cause,cure\r\n"));
	for (size_t i = 0; i < count; i++)
		put_fault_row(out, &diagnosis->faults[faults[i]], &diagnosis->book.faults.items[faults[i]]);
	for (size_t i = 0; i < diagnosis->unknown.count; i++)
		put_fault_row(out, &diagnosis->unknown.items[i],
			&(struct fault){ .id = diagnosis->unknown.items[i].code, .kind = STR("unknown") });
	put_version_rows(&diagnosis->versions, out);
}
