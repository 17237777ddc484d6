/* The table of operators x targets as CSV (RFC 4180). */
#include "report/csv.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "report/doc/sheet.h"
#include "report/sections/source.h"

enum { US_PLACES = 3, SHARE_PLACES = 6 };

/* "site.tsv 0123...", joined: which facts of the site the table was made with. */
static void put_overlays(struct sheet *sheet, const struct result_db *db)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < db->overlay_count; i++)
		buf_printf(&text, "%s%.*s %.*s", i ? "; " : "", STR_ARG(db->overlays[i].name),
			STR_ARG(db->overlays[i].sha256));
	if (db->overlay_count)
		sheet_cell(sheet, buf_str(&text));
}

static bool has_policy(const struct result *result)
{
	return result->policy.waiver_count || result->policy.baseline.name.len;
}

/* The waivers of findings about the operator on the target, joined, and the gate of the target. */
static void put_policy(
	struct sheet *sheet, const struct result *result, const struct result_operator *op, size_t target)
{
	CLEANUP(buf_clear) struct buf waivers = BUF_UNLIMITED;
	struct str last = STR("");

	for (size_t i = 0; i < result->waived_count; i++) {
		const struct result_finding *finding = &result->waived[i];
		bool here = !finding->target.len || str_eq(finding->target, result->targets[target].id);

		if (!here || !finding->waiver || !str_eq(finding->operator_name, op->name) ||
			str_eq(finding->waiver->id, last))
			continue;
		buf_printf(&waivers, "%s%.*s", last.len ? " " : "", STR_ARG(finding->waiver->id));
		last = finding->waiver->id;
	}
	sheet_cells(sheet, buf_str(&waivers), word_for(&gate_state_words, result->targets[target].gate));
}

/* "0.904000..0.976000" of the operator's own time that runs on the AI CPU, and of where all of the target's time goes;
   a report of an earlier version does not say. */
static void put_where(struct sheet *sheet, const struct result_verdict *verdict, const struct result_where *where)
{
	const struct result_interval all[] = { verdict->aicpu, where->aicore, where->aicpu, where->host, where->nowhere,
		where->unknown };
	bool known = false;

	for (size_t i = 1; i < ARRAY_SIZE(all); i++)
		known = known || all[i].hi_ppm;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

		decimal_put(&text, all[i].lo_ppm, SHARE_PLACES);
		buf_add(&text, STR(".."));
		decimal_put(&text, all[i].hi_ppm, SHARE_PLACES);
		sheet_cell(sheet, known ? buf_str(&text) : STR(""));
	}
}

/* The words of its flags and conditions. */
static void put_marks(struct sheet *sheet, const struct result_verdict *verdict)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	words_put(&text, &flag_words, verdict->flags, " ");
	sheet_cell(sheet, buf_str(&text));
	buf_reset(&text);
	for (size_t i = 0; i < verdict->condition_count; i++)
		buf_printf(&text, "%s%s", i ? " " : "", verdict->conditions[i].id);
	sheet_cell(sheet, buf_str(&text));
}

static void put_row(struct sheet *sheet, const struct result *result, const struct result_operator *op, size_t target)
{
	const struct result_verdict *verdict = &op->verdicts[target];

	sheet_cell(sheet, op->name);
	sheet_number(sheet, (int64_t)op->calls, 0);
	sheet_number(sheet, op->self_cpu_ns, US_PLACES);
	sheet_number(sheet, op->cpu_total_ns, US_PLACES);
	sheet_number(sheet, op->self_device_ns, US_PLACES);
	sheet_number(sheet, op->share_ppm, SHARE_PLACES);
	sheet_number(sheet, (int64_t)op->shape_total, 0);
	sheet_cells(
		sheet, word_for(&dynamic_words, op->dynamic.kind), verdict->target, op_status_name(verdict->status));
	put_marks(sheet, verdict);
	sheet_cells(sheet, verdict->via, verdict->since, verdict->until);
	put_overlays(sheet, &result->db);
	if (has_policy(result))
		put_policy(sheet, result, op, target);
	put_where(sheet, verdict, &result->targets[target].where);
}

void render_csv(const struct result *result, const struct render_options *options, struct buf *out)
{
	static const struct {
		const char *name;
		bool overlay, policy; /* where there is one */
	} columns[] = { { "operator" }, { "calls" }, { "self_cpu_us" }, { "cpu_total_us" }, { "self_device_us" },
		{ "time_share" }, { "shape_count" }, { "dynamic" }, { "target" }, { "status" }, { "flags" },
		{ "conditions" }, { "via" }, { "since" }, { "until" }, { "overlays", .overlay = true },
		{ "waivers", .policy = true }, { "gate", .policy = true }, { "aicpu" }, { "target_aicore" },
		{ "target_aicpu" }, { "target_host" }, { "target_nowhere" }, { "target_unknown" } };
	const char *heads[ARRAY_SIZE(columns)];
	struct sheet_shape shape = { "report.title", heads, 0 };
	struct sheet sheet;

	if (options->byte_order_mark)
		buf_add(out, STR("\xef\xbb\xbf"));
	if (result->source) {
		source_put_csv(result, out);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if ((!columns[i].overlay || result->db.overlay_count) && (!columns[i].policy || has_policy(result)))
			heads[shape.count++] = columns[i].name;
	}
	sheet_begin(&sheet, &shape, STR("csv"), options, out);
	for (size_t i = 0; i < result->operator_count; i++) {
		for (size_t j = 0; j < result->operators[i].verdict_count; j++)
			put_row(&sheet, result, &result->operators[i], j);
	}
	sheet_end(&sheet);
}
