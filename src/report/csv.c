/* The table of operators x targets as CSV (RFC 4180). */
#include <inttypes.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/render.h"

static void put_quoted(struct buf *out, struct str text)
{
	buf_byte(out, '"');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '"')
			buf_byte(out, '"');
		buf_byte(out, text.ptr[i]);
	}
	buf_byte(out, '"');
}

/* Spreadsheets take a cell that begins like this for a formula: an apostrophe makes it text. */
static bool is_formula(struct str text)
{
	return text.len && memchr("=+-@\t\r", text.ptr[0], 6);
}

void csv_put_text(struct buf *out, struct str text)
{
	struct buf safe = BUF_UNLIMITED;

	if (is_formula(text))
		buf_byte(&safe, '\'');
	utf8_printable(&safe, text);
	if (memchr(buf_text(&safe), ',', safe.len) || memchr(buf_text(&safe), '"', safe.len))
		put_quoted(out, buf_str(&safe));
	else
		buf_add(out, buf_str(&safe));
	buf_clear(&safe);
}

static void put_cell(struct buf *out, struct str text)
{
	buf_byte(out, ',');
	csv_put_text(out, text);
}

static void put_decimal(struct buf *out, int64_t value, unsigned places)
{
	buf_byte(out, ',');
	decimal_put(out, value, places);
}

/* The flags, joined. */
static void put_flags(struct buf *out, const struct result_verdict *verdict)
{
	buf_byte(out, ',');
	words_put(out, &flag_words, verdict->flags, " ");
}

static void put_conditions(struct buf *out, const struct result_verdict *verdict)
{
	buf_byte(out, ',');
	for (size_t i = 0; i < verdict->condition_count; i++)
		buf_printf(out, "%s%s", i ? " " : "", verdict->conditions[i].id);
}

/* "site.tsv 0123...", joined: which facts of the site the table was made with. */
static void put_overlays(struct buf *out, const struct result_db *db)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (!db->overlay_count)
		return;
	for (size_t i = 0; i < db->overlay_count; i++)
		buf_printf(&text, "%s%.*s %.*s", i ? "; " : "", STR_ARG(db->overlays[i].name),
			STR_ARG(db->overlays[i].sha256));
	put_cell(out, buf_str(&text));
}

static bool has_policy(const struct result *result)
{
	return result->policy.waiver_count || result->policy.baseline.name.len;
}

/* The waivers of findings about the operator on the target, joined, and the gate of the target. */
static void put_policy(struct buf *out, const struct result *result, const struct result_operator *op, size_t target)
{
	struct str last = STR("");

	if (!has_policy(result))
		return;
	buf_byte(out, ',');
	for (size_t i = 0; i < result->waived_count; i++) {
		const struct result_finding *finding = &result->waived[i];
		bool here = !finding->target.len || str_eq(finding->target, result->targets[target].id);

		if (!here || !finding->waiver || !str_eq(finding->operator_name, op->name) ||
			str_eq(finding->waiver->id, last))
			continue;
		buf_printf(out, "%s%.*s", last.len ? " " : "", STR_ARG(finding->waiver->id));
		last = finding->waiver->id;
	}
	put_cell(out, word_for(&gate_state_words, result->targets[target].gate));
}

/* "0.904000..0.976000" */
static void put_interval(struct buf *out, const struct result_interval *interval)
{
	put_decimal(out, interval->lo_ppm, 6);
	buf_add(out, STR(".."));
	decimal_put(out, interval->hi_ppm, 6);
}

/* Of the operator's own time what runs on the AI CPU, and where all of the target's time goes; a report of an earlier
   version does not say. */
static void put_where(struct buf *out, const struct result_verdict *verdict, const struct result_where *where)
{
	const struct result_interval all[] = { verdict->aicpu, where->aicore, where->aicpu, where->host, where->nowhere,
		where->unknown };

	bool told = false;

	for (size_t i = 1; i < ARRAY_SIZE(all); i++)
		told = told || all[i].hi_ppm;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (told)
			put_interval(out, &all[i]);
		else
			put_cell(out, STR(""));
	}
}

static void put_row(struct buf *out, const struct result *result, const struct result_operator *op, size_t target)
{
	const struct result_verdict *verdict = &op->verdicts[target];

	csv_put_text(out, op->name);
	buf_printf(out, ",%" PRIu64, op->calls);
	put_decimal(out, op->self_cpu_ns, 3);
	put_decimal(out, op->cpu_total_ns, 3);
	put_decimal(out, op->self_device_ns, 3);
	put_decimal(out, op->share_ppm, 6);
	buf_printf(out, ",%" PRIu64, op->shape_total);
	put_cell(out, word_for(&dynamic_words, op->dynamic.kind));
	put_cell(out, verdict->target);
	put_cell(out, op_status_name(verdict->status));
	put_flags(out, verdict);
	put_conditions(out, verdict);
	put_cell(out, verdict->via);
	put_cell(out, verdict->since);
	put_cell(out, verdict->until);
	put_overlays(out, &result->db);
	put_policy(out, result, op, target);
	put_where(out, verdict, &result->targets[target].where);
	buf_add(out, STR("\r\n"));
}

void render_csv(const struct result *result, const struct render_options *options, struct buf *out)
{
	if (options->byte_order_mark)
		buf_add(out, STR("\xef\xbb\xbf"));
	if (result->source) {
		source_put_csv(result, out);
		return;
	}
	buf_add(out, STR("operator,calls,self_cpu_us,cpu_total_us,self_device_us,time_share,shape_count,dynamic,target,"
			 "status,flags,conditions,via,since,until"));
	buf_add(out, result->db.overlay_count ? STR(",overlays") : STR(""));
	buf_add(out, has_policy(result) ? STR(",waivers,gate") : STR(""));
	buf_add(out, STR(",aicpu,target_aicore,target_aicpu,target_host,target_nowhere,target_unknown\r\n"));
	for (size_t i = 0; i < result->operator_count; i++) {
		for (size_t j = 0; j < result->operators[i].verdict_count; j++)
			put_row(out, result, &result->operators[i], j);
	}
}
