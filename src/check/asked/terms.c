#include "check/asked/terms.h"

#include <stdio.h>

#include "assess/plan/cost.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "opdb/model/dtype.h"
#include "opdb/model/status.h"

enum { PERCENT_PLACES = 4, MILLI_PLACES = 3 };

/* --- the gate */

static int set_gate(const struct term_use *use, struct str value, struct err *err)
{
	return gate_parse(&use->terms->policy->gate, value, err);
}

static void put_gate(const struct term_use *use, struct buf *out)
{
	gate_put(out, &use->terms->policy->gate, '\n');
}

static int set_budget(const struct term_use *use, struct str value, struct err *err)
{
	return budget_parse(&use->terms->policy->budgets, use->term->place, value, err);
}

static void put_percent(struct buf *out, int64_t ppm)
{
	decimal_put(out, ppm, PERCENT_PLACES);
	buf_byte(out, '%');
}

static void put_budget(const struct term_use *use, struct buf *out)
{
	if (use->terms->policy->budgets.given[use->term->place])
		put_percent(out, use->terms->policy->budgets.limit_ppm[use->term->place]);
}

static int set_expired(const struct term_use *use, struct str value, struct err *err UNUSED)
{
	use->terms->policy->fail_on_expired_waiver = str_eq(value, STR("true"));
	return 0;
}

static void put_expired(const struct term_use *use, struct buf *out)
{
	buf_add(out, use->terms->policy->fail_on_expired_waiver ? STR("true") : STR(""));
}

int terms_set_date(struct policy *policy, struct str date, struct err *err)
{
	int64_t day;

	if (!date.len) {
		date_today(policy->date);
		return 0;
	}
	if (!date_days(date, &day)) {
		err_set(err, ERR_VALUE, "'%s' is not a date", shown(date).text);
		return err_hint(err, "write --date YYYY-MM-DD");
	}
	snprintf(policy->date, DATE_BYTES, "%.*s", STR_ARG(date));
	return 0;
}

static int set_date(const struct term_use *use, struct str value, struct err *err)
{
	return terms_set_date(use->terms->policy, value, err);
}

/* Without waivers no day matters. */
static void put_date(const struct term_use *use, struct buf *out)
{
	buf_add(out, use->terms->policy->waiver_file_count ? str_from(use->terms->policy->date) : STR(""));
}

/* --- what is known of the program and the machine */

static int set_types(const struct term_use *use, struct str value, struct err *err)
{
	struct str word;

	while (str_cut(&value, ',', &word)) {
		unsigned types = dtype_from(str_trim(word));

		if (!types) {
			err_set(err, ERR_VALUE, "'%s' is not a data type", shown(str_trim(word)).text);
			return err_hint(err, "for example --dtype fp32,bf16");
		}
		use->terms->stated->types |= types;
	}
	return 0;
}

static void put_types(const struct term_use *use, struct buf *out)
{
	words_put(out, &dtype_words, use->terms->stated->types, "\n");
}

static int set_uncovered(const struct term_use *use, struct str value, struct err *err)
{
	use->terms->stated->uncovered_given = true;
	return percent_parse(value, &use->terms->stated->max_uncovered_ppm, use->term->name, use->term->initial, err);
}

static void put_uncovered(const struct term_use *use, struct buf *out)
{
	if (use->terms->stated->uncovered_given)
		put_percent(out, use->terms->stated->max_uncovered_ppm);
}

static int set_slow(const struct term_use *use, struct str value, struct err *err)
{
	use->terms->stated->slow_given = true;
	return percent_parse(value, &use->terms->stated->slow_ppm, use->term->name, use->term->initial, err);
}

static void put_slow(const struct term_use *use, struct buf *out)
{
	if (use->terms->stated->slow_given)
		put_percent(out, use->terms->stated->slow_ppm);
}

static int set_require_types(const struct term_use *use, struct str value, struct err *err UNUSED)
{
	use->terms->stated->require_dtypes = str_eq(value, STR("true"));
	return 0;
}

static void put_require_types(const struct term_use *use, struct buf *out)
{
	buf_add(out, use->terms->stated->require_dtypes ? STR("true") : STR(""));
}

int stated_allows(const struct stated *stated, const struct result *result, struct err *err)
{
	if (!stated->require_dtypes || !result->question_count)
		return 0;
	err_set(err, ERR_NOT_OBSERVABLE, "the dump does not show the data types that the verdict depends on");
	return err_hint(err, "state them with --dtype, for example --dtype fp32,bf16");
}

static int set_assumption(const struct term_use *use, struct str value, struct err *err)
{
	return assumption_list_add(use->terms->assumptions, value, err);
}

static void put_assumptions(const struct term_use *use, struct buf *out)
{
	for (size_t i = 0; i < use->terms->assumptions->count; i++) {
		const struct assumption *assumption = &use->terms->assumptions->items[i];

		buf_printf(out, "%.*s=%.*s\n", STR_ARG(assumption->name), STR_ARG(op_status_name(assumption->status)));
	}
}

static int set_bandwidth(const struct term_use *use, struct str value, struct err *err)
{
	return cost_parse_bandwidth(value, &use->terms->cost->host_bandwidth, err);
}

static void put_bandwidth(const struct term_use *use, struct buf *out)
{
	enum { MEGA_PLACES = 6 };

	if (!use->terms->cost->host_bandwidth)
		return;
	decimal_put(out, (int64_t)use->terms->cost->host_bandwidth, MEGA_PLACES);
	buf_add(out, STR("MB/s"));
}

static int set_slowdown(const struct term_use *use, struct str value, struct err *err)
{
	return cost_parse_slowdown(value, &use->terms->cost->host_slowdown_milli, err);
}

static void put_slowdown(const struct term_use *use, struct buf *out)
{
	if (use->terms->cost->host_slowdown_milli)
		decimal_put(out, (int64_t)use->terms->cost->host_slowdown_milli, MILLI_PLACES);
}

/* --- all of them */

#define BUDGET(place, variable)                                                                                        \
	{                                                                                                              \
		NULL, TERM_WORD, set_budget, put_budget, "PERCENT", NULL, "gate", "gate", variable, NULL, place        \
	}

const struct term term_table[] = {
	{ "fail-on", TERM_LIST, set_gate, put_gate, "LIST", "exit 1 on: unsupported ...; `opcheck help gate`", NULL,
		"gate", "OPCHECK_FAIL_ON" },
	{ "dtype", TERM_LIST, set_types, put_types, "LIST", "data types that the program computes in (fp32,bf16)", NULL,
		"", "OPCHECK_DTYPE" },
	{ "max-uncovered-time", TERM_WORD, set_uncovered, put_uncovered, "PERCENT", "time without operators (5%)",
		"gate", "gate", "OPCHECK_MAX_UNCOVERED_TIME", "5%" },
	{ "slow-time", TERM_WORD, set_slow, put_slow, "PERCENT", "time on host or AI CPU that warns (5%)", "gate",
		"gate", "OPCHECK_SLOW_TIME", "5%" },
	{ "require-dtypes", TERM_SWITCH, set_require_types, put_require_types, NULL,
		"exit 3 while data types are unknown", "gate", "gate", "OPCHECK_REQUIRE_DTYPES", "false" },
	BUDGET(0, "OPCHECK_MAX_BLOCKED_TIME"),
	BUDGET(1, "OPCHECK_MAX_FALLBACK_TIME"),
	BUDGET(2, "OPCHECK_MAX_UNKNOWN_TIME"),
	BUDGET(3, "OPCHECK_MAX_DYNAMIC_TIME"),
	BUDGET(4, "OPCHECK_MIN_READINESS"),
	BUDGET(5, "OPCHECK_MIN_COVERAGE"),
	BUDGET(6, "OPCHECK_MAX_AICPU_TIME"),
	{ "fail-on-expired-waiver", TERM_SWITCH, set_expired, put_expired, NULL, "exit 1 if a waiver has expired",
		"gate", "gate", "OPCHECK_FAIL_ON_EXPIRED_WAIVER", "false" },
	{ "date", TERM_WORD, set_date, put_date, "YYYY-MM-DD", "day on which waivers must be valid (today)", "gate" },
	{ "assume", TERM_LIST, set_assumption, put_assumptions, "OP=STATUS",
		"assume a status of an operator, repeatable" },
	{ "host-bandwidth", TERM_WORD, set_bandwidth, put_bandwidth, "RATE",
		"bandwidth of host and device, one way (12GB/s)" },
	{ "host-slowdown", TERM_WORD, set_slowdown, put_slowdown, "FACTOR", "slowdown of the target's host CPU (1.0)",
		"gate" },
};
const size_t term_count = ARRAY_SIZE(term_table);

const struct term *term_named(struct str name)
{
	return FIND(i, term_table, term_count, str_eq(str_from(term_name(&term_table[i])), name));
}

const char *term_name(const struct term *term)
{
	return term->name ? term->name : budget_kinds[term->place].name;
}

const char *term_help(const struct term *term)
{
	return term->help ? term->help : budget_kinds[term->place].help;
}

const char *term_parameter(const struct term *term, char space[TERM_NAME_BYTES])
{
	snprintf(space, TERM_NAME_BYTES, "%s", term_name(term));
	for (char *at = space; (at = strchr(at, '-'));)
		*at = '_';
	return space;
}

void terms_each(
	const struct terms *terms, void (*take)(void *ctx, const struct term *term, struct str value), void *ctx)
{
	CLEANUP(buf_clear) struct buf values = BUF_UNLIMITED;

	for (size_t i = 0; i < term_count; i++) {
		struct str rest, value;

		buf_reset(&values);
		term_table[i].put(&(struct term_use){ terms, &term_table[i] }, &values);
		rest = buf_str(&values);
		while (rest.len && str_cut(&rest, '\n', &value))
			take(ctx, &term_table[i], value);
	}
}
