#include "report/drawings/costs.h"

#include "assess/plan/penalty.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"

/* --- figures */

struct str costs_bytes(struct arena *arena, uint64_t bytes, uint64_t parts)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);
	uint64_t scale = 1, each = bytes / parts;
	size_t unit = 0;

	for (; each / scale >= 1000 && unit + 1 < ARRAY_SIZE(units); unit++)
		scale *= 1000;
	if (unit)
		decimal_put(&text, (int64_t)(((unsigned __int128)bytes * 10 / parts + scale / 2) / scale), 1);
	else
		decimal_put(&text, (int64_t)each, 0);
	buf_printf(&text, " %s", units[unit]);
	return arena_keep(arena, buf_str(&text));
}

/* value / 10^places, and what it is of. */
static struct str figure(struct arena *arena, int64_t value, unsigned places, const char *unit)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	decimal_put(&text, value, places);
	buf_add(&text, str_from(unit));
	return arena_keep(arena, buf_str(&text));
}

struct str costs_ms(struct arena *arena, int64_t ns, uint64_t parts)
{
	return figure(arena, ns / (int64_t)parts / 1000, 3, " ms");
}

static struct str per_step(struct arena *arena, uint64_t count, uint64_t steps)
{
	if (count % steps == 0)
		return figure(arena, (int64_t)(count / steps), 0, "");
	return figure(arena, (int64_t)(((unsigned __int128)count * 10 + steps / 2) / steps), 1, "");
}

static struct str percent(struct arena *arena, int64_t part, int64_t whole)
{
	int64_t ppm = whole > 0 ? (int64_t)((__int128)part * 1000000 / whole) : 0;

	return figure(arena, (ppm + 500) / 1000, 1, " %");
}

/* Without zeros at its end. */
static struct str decimal(struct arena *arena, int64_t value, unsigned places)
{
	for (; places && value % 10 == 0; places--)
		value /= 10;
	return figure(arena, value, places, "");
}

/* --- on the CPU */

static struct message say_copies(
	const struct result_cost *cost, const struct result_fallback *transfers, struct arena *arena)
{
	bool some = transfers->bytes_to_host || transfers->bytes_to_device;
	const char *id = some                       ? "cost.copies"
			 : transfers->unsized_calls ? "cost.copies-unknown"
						    : "cost.copies-nothing";

	return *MESSAGE(arena, id, BLANK("calls", per_step(arena, transfers->calls, cost->steps)),
		BLANK("out", costs_bytes(arena, transfers->bytes_to_host, cost->steps)),
		BLANK("back", costs_bytes(arena, transfers->bytes_to_device, cost->steps)),
		BLANK("copy", costs_ms(arena, transfers->copy_ns, cost->steps)),
		BLANK("bandwidth", decimal(arena, (int64_t)(cost->host_bandwidth / 10000000), 2)));
}

static struct message say_host(
	const struct result_cost *cost, const struct result_fallback *transfers, struct arena *arena)
{
	enum { SAME_SPEED_MILLI = 1000 };
	int64_t all = (transfers->copy_ns + transfers->host_ns) / (int64_t)cost->steps;
	const char *id = !transfers->host_known                          ? "cost.host-unknown"
			 : cost->host_slowdown_milli == SAME_SPEED_MILLI ? "cost.host-same"
									 : "cost.host";

	return *MESSAGE(arena, id, BLANK("host", costs_ms(arena, transfers->host_ns, cost->steps)),
		BLANK("slowdown", decimal(arena, (int64_t)cost->host_slowdown_milli, 3)),
		BLANK("all", costs_ms(arena, all, 1)), BLANK("step", costs_ms(arena, cost->step_ns, 1)),
		BLANK("share", percent(arena, all, cost->step_ns)));
}

static struct message say_runs(const struct result_fallback *transfers, struct arena *arena)
{
	bool exact = transfers->ordered && transfers->runs_lo == transfers->runs_hi;
	const char *id = !exact                        ? "cost.runs-bounds"
			 : !transfers->runs_lo         ? "cost.runs-elsewhere"
			 : transfers->longest.runs > 1 ? "cost.runs-chain"
						       : "cost.runs";

	return *MESSAGE(arena, id, NUMBER("lo", transfers->runs_lo), NUMBER("hi", transfers->runs_hi),
		NUMBER("visits", transfers->longest.runs), NUMBER("turns", transfers->longest.turns),
		BLANK("first", transfers->longest.first), BLANK("last", transfers->longest.last));
}

static struct message say_assumed(
	const struct result_cost *cost, const struct result_fallback *transfers, struct arena *arena)
{
	const char *id = transfers->unsized_calls   ? "cost.assumed-unsized"
			 : transfers->assumed_bytes ? "cost.assumed"
						    : "cost.assumed-nothing";

	return *MESSAGE(arena, id, BLANK("assumed", costs_bytes(arena, transfers->assumed_bytes, cost->steps)),
		NUMBER("unsized", transfers->unsized_calls));
}

/* A zero that is only unknown is left out. */
size_t costs_say_host_transfers(const struct result *result, const struct result_target *target, struct arena *arena,
	struct message ret[COST_LINES])
{
	const struct result_fallback *transfers = target->host_transfers;
	size_t count = 0;

	if (!transfers)
		return 0;
	ret[count++] = say_copies(&result->cost, transfers, arena);
	if (transfers->host_known || transfers->copy_ns)
		ret[count++] = say_host(&result->cost, transfers, arena);
	ret[count++] = say_runs(transfers, arena);
	ret[count++] = say_assumed(&result->cost, transfers, arena);
	return count;
}

/* --- compiling */

size_t costs_say_compiling(const struct result_target *target, struct arena *arena, struct message ret[COST_LINES])
{
	const struct result_compiling *compiling = target->compiling;

	if (!compiling)
		return 0;
	ret[0] = *MESSAGE(arena, compiling->mode == COMPILES_BY_CHIP ? "cost.compiles-chip" : "cost.compiles",
		NUMBER("operators", compiling->operators), NUMBER("compiles", compiling->compiles),
		NUMBER("first", compiling->first));
	ret[1] = *MESSAGE(arena, compiling->at_least ? "cost.stall-at-least" : "cost.stall",
		NUMBER("lo", compiling->stall_lo_ms / 1000), NUMBER("hi", compiling->stall_hi_ms / 1000),
		BLANK("each_lo", decimal(arena, COMPILE_LO_MS, 3)), BLANK("each_hi", decimal(arena, COMPILE_HI_MS, 3)),
		BLANK("source", str_from(penalty_sources[0])), BLANK("other", str_from(penalty_sources[1])));
	return 2;
}

/* --- places */

int64_t costs_off_device(const struct result_place *place, size_t target_count)
{
	int64_t most = 0;

	for (size_t i = 0; i < target_count; i++) {
		int64_t off = place->share_ppm - place->targets[i].device_lo_ppm;

		most = off > most ? off : most;
	}
	return most;
}
