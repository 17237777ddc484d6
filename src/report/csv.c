/* The table of operators x targets as CSV (RFC 4180). */
#include "report/csv.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/view/ascii.h"
#include "record/kinds.h"
#include "report/doc/sheet.h"
#include "report/sections/source.h"

enum { SHARE_PLACES = 6, PLACES = 6 };

/* An operator on a target. The report of an earlier version has no places. */
struct csv_row {
	struct result_operator op;
	struct result_verdict verdict;
	struct str conditions, overlays, waivers, places[PLACES];
	enum gate_state gate;
	struct time_range device; /* time of the target, estimated */
	struct str assumed;       /* types whose peak it assumes */
};

/* Only where the report has overlays, a policy, estimates, or estimates by an assumed peak. */
enum column_kind { COLUMN_ALWAYS, COLUMN_OVERLAYS, COLUMN_POLICY, COLUMN_ESTIMATE, COLUMN_ASSUMED };

static const struct {
	struct field field;
	enum column_kind kind;
} columns[] = {
	{ { "operator", &kind_text, AT(csv_row, op.name) } },
	{ { "calls", &kind_count, AT(csv_row, op.calls) } },
	{ { "self_cpu_us", &kind_milli, AT(csv_row, op.self_cpu_ns) } },
	{ { "cpu_total_us", &kind_milli, AT(csv_row, op.cpu_total_ns) } },
	{ { "self_device_us", &kind_milli, AT(csv_row, op.self_device_ns) } },
	{ { "time_share", &kind_share, AT(csv_row, op.share_ppm) } },
	{ { "shape_count", &kind_count, AT(csv_row, op.shape_total) } },
	{ { "dynamic", &kind_enum, AT(csv_row, op.dynamic.kind), .words = &dynamic_words } },
	{ { "target", &kind_text, AT(csv_row, verdict.target) } },
	{ { "status", &kind_enum, AT(csv_row, verdict.status), .words = &op_status_words } },
	{ { "flags", &kind_flags, AT(csv_row, verdict.flags), .words = &flag_words } },
	{ { "conditions", &kind_text, AT(csv_row, conditions) } },
	{ { "via", &kind_text, AT(csv_row, verdict.via) } },
	{ { "since", &kind_text, AT(csv_row, verdict.since) } },
	{ { "until", &kind_text, AT(csv_row, verdict.until) } },
	{ { "overlays", &kind_text, AT(csv_row, overlays) }, COLUMN_OVERLAYS },
	{ { "waivers", &kind_text, AT(csv_row, waivers) }, COLUMN_POLICY },
	{ { "gate", &kind_enum, AT(csv_row, gate), .words = &gate_state_words }, COLUMN_POLICY },
	{ { "aicpu", &kind_text, AT(csv_row, places[0]) } },
	{ { "target_aicore", &kind_text, AT(csv_row, places[1]) } },
	{ { "target_aicpu", &kind_text, AT(csv_row, places[2]) } },
	{ { "target_host", &kind_text, AT(csv_row, places[3]) } },
	{ { "target_nowhere", &kind_text, AT(csv_row, places[4]) } },
	{ { "target_unknown", &kind_text, AT(csv_row, places[5]) } },
	{ { "device_share", &kind_share, AT(csv_row, verdict.device_ppm) }, COLUMN_ESTIMATE },
	{ { "target_device_lo_us", &kind_milli, AT(csv_row, device.lo_ns) }, COLUMN_ESTIMATE },
	{ { "target_device_hi_us", &kind_milli, AT(csv_row, device.hi_ns) }, COLUMN_ESTIMATE },
	{ { "target_device_assumed", &kind_text, AT(csv_row, assumed) }, COLUMN_ASSUMED },
};

/* "site.tsv 0123...", joined: the overlays used for the table. */
static struct str overlays_of(struct arena *arena, const struct result_db *db)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < db->overlay_count; i++)
		buf_printf(&text, "%s%.*s %.*s", i ? "; " : "", STR_ARG(db->overlays[i].name),
			STR_ARG(db->overlays[i].sha256));
	return arena_keep(arena, buf_str(&text));
}

/* Of findings about the operator on the target, each once, joined. */
static struct str waivers_of(
	struct arena *arena, const struct result *result, const struct result_operator *op, size_t target)
{
	CLEANUP(buf_clear) struct buf waivers = BUF_UNLIMITED;

	for (size_t i = 0; i < result->waived_count; i++) {
		const struct result_finding *finding = &result->waived[i];
		bool here = !finding->target.len || str_eq(finding->target, result->targets[target].id);

		if (!here || !finding->waiver || !str_eq(finding->operator_name, op->name) ||
			str_has_word(buf_str(&waivers), finding->waiver->id))
			continue;
		buf_printf(&waivers, "%s%.*s", waivers.len ? " " : "", STR_ARG(finding->waiver->id));
	}
	return arena_keep(arena, buf_str(&waivers));
}

/* "0.904000..0.976000" of the operator's own time that runs on the AI CPU, and of where all of the target's time goes;
   a report of an earlier version does not say. */
static void set_places(struct arena *arena, struct csv_row *row, const struct result_where *where)
{
	const struct result_interval all[PLACES] = { row->verdict.aicpu, where->aicore, where->aicpu, where->host,
		where->nowhere, where->unknown };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	bool known = false;

	for (size_t i = 1; i < PLACES; i++)
		known = known || all[i].hi_ppm;
	for (size_t i = 0; i < PLACES; i++) {
		row->places[i] = STR("");
		if (!known)
			continue;
		buf_reset(&text);
		decimal_put(&text, all[i].lo_ppm, SHARE_PLACES);
		buf_add(&text, STR(".."));
		decimal_put(&text, all[i].hi_ppm, SHARE_PLACES);
		row->places[i] = arena_keep(arena, buf_str(&text));
	}
}

static struct str conditions_of(struct arena *arena, const struct result_verdict *verdict)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < verdict->condition_count; i++)
		buf_printf(&text, "%s%s", i ? " " : "", verdict->conditions[i].id);
	return arena_keep(arena, buf_str(&text));
}

static void put_csv_rows(struct sheet *sheet, const struct result *result, const struct result_operator *op)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct csv_row row = { .op = *op, .overlays = overlays_of(&arena, &result->db) };

	for (size_t i = 0; i < op->verdict_count; i++) {
		const struct result_estimate *estimate = result->targets[i].estimate;

		row.verdict = op->verdicts[i];
		row.conditions = conditions_of(&arena, &op->verdicts[i]);
		row.waivers = waivers_of(&arena, result, op, i);
		row.gate = result->targets[i].gate;
		set_places(&arena, &row, &result->targets[i].where);
		row.device = estimate ? estimate->time : (struct time_range){ 0 };
		row.assumed = estimate ? estimate->assumed : STR("");
		sheet_row(sheet, &row);
	}
}

void render_csv(const struct result *result, const struct render_options *options, struct buf *out)
{
	const bool shown[] = { [COLUMN_ALWAYS] = true,
		[COLUMN_OVERLAYS] = result->db.overlay_count,
		[COLUMN_POLICY] = result->policy.waiver_count || result->policy.baseline.name.len,
		[COLUMN_ESTIMATE] = ANY(i, result->target_count,
			result->targets[i].estimate && !result->targets[i].estimate->refused.id),
		[COLUMN_ASSUMED] = ANY(i, result->target_count,
			result->targets[i].estimate && result->targets[i].estimate->assumed.len) };
	struct field fields[ARRAY_SIZE(columns) + 1] = { 0 };
	const struct record record = { sizeof(struct csv_row), fields };
	const struct sheet_shape shape = { "report.title", &record };
	struct sheet sheet;
	size_t count = 0;

	if (options->byte_order_mark)
		buf_add(out, STR("\xef\xbb\xbf"));
	if (result->source) {
		source_put_csv(result, out);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (shown[columns[i].kind])
			fields[count++] = columns[i].field;
	}
	sheet_begin(&sheet, &shape, STR("csv"), options, out);
	for (size_t i = 0; i < result->operator_count; i++)
		put_csv_rows(&sheet, result, &result->operators[i]);
	sheet_end(&sheet);
}
