#include "report/costs.h"

#include "assess/plan/cost.h"
#include "base/decimal.h"
#include "base/mem.h"

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

struct str costs_ms(struct arena *arena, int64_t ns, uint64_t parts)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	decimal_put(&text, ns / (int64_t)parts / 1000, 3);
	buf_add(&text, STR(" ms"));
	return arena_keep(arena, buf_str(&text));
}

static struct str per_step(struct arena *arena, uint64_t count, uint64_t steps)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	if (count % steps == 0)
		decimal_put(&text, (int64_t)(count / steps), 0);
	else
		decimal_put(&text, (int64_t)(((unsigned __int128)count * 10 + steps / 2) / steps), 1);
	return arena_keep(arena, buf_str(&text));
}

static struct str percent(struct arena *arena, int64_t part, int64_t whole)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);
	int64_t ppm = whole > 0 ? (int64_t)((__int128)part * 1000000 / whole) : 0;

	decimal_put(&text, (ppm + 500) / 1000, 1);
	buf_add(&text, STR(" %"));
	return arena_keep(arena, buf_str(&text));
}

/* Without zeros at its end. */
static struct str decimal(struct arena *arena, int64_t value, unsigned places)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	for (; places && value % 10 == 0; places--)
		value /= 10;
	decimal_put(&text, value, places);
	return arena_keep(arena, buf_str(&text));
}

/* --- on the CPU */

static struct message say_copies(
	const struct result_cost *cost, const struct result_fallback *host_transfers, struct arena *arena)
{
	bool some = host_transfers->bytes_to_host || host_transfers->bytes_to_device;
	struct message message = message_of(some                            ? "cost.copies"
					    : host_transfers->unsized_calls ? "cost.copies-unknown"
									    : "cost.copies-nothing");

	message_add(&message, "calls", per_step(arena, host_transfers->calls, cost->steps));
	message_add(&message, "out", costs_bytes(arena, host_transfers->bytes_to_host, cost->steps));
	message_add(&message, "back", costs_bytes(arena, host_transfers->bytes_to_device, cost->steps));
	message_add(&message, "copy", costs_ms(arena, host_transfers->copy_ns, cost->steps));
	message_add(&message, "bandwidth", decimal(arena, (int64_t)(cost->host_bandwidth / 10000000), 2));
	return message;
}

static struct message say_host(
	const struct result_cost *cost, const struct result_fallback *host_transfers, struct arena *arena)
{
	int64_t all = (host_transfers->copy_ns + host_transfers->host_ns) / (int64_t)cost->steps;
	enum { SAME_SPEED_MILLI = 1000 };
	struct message message = message_of(!host_transfers->host_known                     ? "cost.host-unknown"
					    : cost->host_slowdown_milli == SAME_SPEED_MILLI ? "cost.host-same"
											    : "cost.host");

	message_add(&message, "host", costs_ms(arena, host_transfers->host_ns, cost->steps));
	message_add(&message, "slowdown", decimal(arena, (int64_t)cost->host_slowdown_milli, 3));
	message_add(&message, "all", costs_ms(arena, all, 1));
	message_add(&message, "step", costs_ms(arena, cost->step_ns, 1));
	message_add(&message, "share", percent(arena, all, cost->step_ns));
	return message;
}

static struct message say_runs(const struct result_fallback *host_transfers, struct arena *arena)
{
	bool exact = host_transfers->ordered && host_transfers->runs_lo == host_transfers->runs_hi;
	struct message message = message_of(!exact                             ? "cost.runs-bounds"
					    : !host_transfers->runs_lo         ? "cost.runs-elsewhere"
					    : host_transfers->longest.runs > 1 ? "cost.runs-chain"
									       : "cost.runs");

	message_add_number(&message, arena, "lo", (int64_t)host_transfers->runs_lo);
	message_add_number(&message, arena, "hi", (int64_t)host_transfers->runs_hi);
	message_add_number(&message, arena, "visits", (int64_t)host_transfers->longest.runs);
	message_add_number(&message, arena, "turns", (int64_t)host_transfers->longest.turns);
	message_add(&message, "first", host_transfers->longest.first);
	message_add(&message, "last", host_transfers->longest.last);
	return message;
}

static struct message say_assumed(
	const struct result_fallback *host_transfers, const struct result_cost *cost, struct arena *arena)
{
	struct message message = message_of(host_transfers->unsized_calls   ? "cost.assumed-unsized"
					    : host_transfers->assumed_bytes ? "cost.assumed"
									    : "cost.assumed-nothing");

	message_add(&message, "assumed", costs_bytes(arena, host_transfers->assumed_bytes, cost->steps));
	message_add_number(&message, arena, "unsized", (int64_t)host_transfers->unsized_calls);
	return message;
}

/* What is zero because nothing is known of it is not said. */
size_t costs_say_host_transfers(const struct result *result, const struct result_target *target, struct arena *arena,
	struct message ret[COST_LINES])
{
	const struct result_fallback *host_transfers = target->host_transfers;
	size_t count = 0;

	if (!host_transfers)
		return 0;
	ret[count++] = say_copies(&result->cost, host_transfers, arena);
	if (host_transfers->host_known || host_transfers->copy_ns)
		ret[count++] = say_host(&result->cost, host_transfers, arena);
	ret[count++] = say_runs(host_transfers, arena);
	ret[count++] = say_assumed(host_transfers, &result->cost, arena);
	return count;
}

/* --- compiling */

size_t costs_say_compiling(const struct result_target *target, struct arena *arena, struct message ret[COST_LINES])
{
	const struct result_compiling *compiling = target->compiling;

	if (!compiling)
		return 0;
	ret[0] = message_of(compiling->mode == COMPILES_BY_CHIP ? "cost.compiles-chip" : "cost.compiles");
	message_add_number(&ret[0], arena, "operators", (int64_t)compiling->operators);
	message_add_number(&ret[0], arena, "compiles", (int64_t)compiling->compiles);
	message_add_number(&ret[0], arena, "first", (int64_t)compiling->first);
	ret[1] = message_of(compiling->at_least ? "cost.stall-at-least" : "cost.stall");
	message_add(&ret[1], "lo", decimal(arena, compiling->stall_lo_ms / 1000, 0));
	message_add(&ret[1], "hi", decimal(arena, compiling->stall_hi_ms / 1000, 0));
	message_add(&ret[1], "each_lo", decimal(arena, COMPILE_LO_MS, 3));
	message_add(&ret[1], "each_hi", decimal(arena, COMPILE_HI_MS, 3));
	message_add(&ret[1], "source", str_from(penalty_sources[0]));
	message_add(&ret[1], "other", str_from(penalty_sources[1]));
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
