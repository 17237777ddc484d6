#include "server/http/negotiate.h"

#include "base/value/decimal.h"
#include "base/view/ascii.h"

enum { FULL = 1000 }; /* q=1, in thousandths */

/* Takes "text/html;level=1;q=0.8" apart: the range and its weight. */
static struct str take_item(struct str item, int64_t *ret_weight)
{
	struct str range, parameter;

	*ret_weight = FULL;
	str_cut(&item, ';', &range);
	while (str_cut(&item, ';', &parameter)) {
		parameter = str_trim(parameter);
		if (str_starts(parameter, STR("q=")) || str_starts(parameter, STR("Q=")))
			if (!decimal_scaled(str_skip(parameter, 2), FULL, ret_weight) || *ret_weight < 0 ||
				*ret_weight > FULL)
				*ret_weight = 0;
	}
	return str_trim(range);
}

/* Rank of a range for a type: 0 no match, then star-slash-star, type-slash-star, exact. */
static int closeness(struct str range, struct str type)
{
	size_t slash = str_find(type, STR("/"));

	if (str_eq_fold(range, type))
		return 3;
	if (str_ends(range, STR("/*")) && range.len == slash + 2 &&
		str_eq_fold(str_chop(range, 1), str_sub(type, 0, slash + 1)))
		return 2;
	return str_eq(range, STR("*/*"));
}

/* The weight of a type: that of the closest range. */
static int64_t weight_of(struct str accept, struct str type)
{
	struct str item;
	int64_t best_weight = 0;
	int best = 0;

	while (str_cut(&accept, ',', &item)) {
		int64_t weight;
		int close = closeness(take_item(item, &weight), type);

		if (close > best) {
			best = close;
			best_weight = weight;
		}
	}
	return best_weight;
}

size_t negotiate_type(struct str accept, const char *const *offers, size_t count)
{
	size_t best = count;
	int64_t best_weight = 0;

	if (!accept.ptr)
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct str rest = str_from(offers[i]), type;
		int64_t weight;

		str_cut(&rest, ';', &type);
		weight = weight_of(accept, type);
		if (weight > best_weight) {
			best_weight = weight;
			best = i;
		}
	}
	return best;
}

bool negotiate_gzip(struct str accept_encoding)
{
	struct str item;
	bool any = false;

	while (str_cut(&accept_encoding, ',', &item)) {
		int64_t weight;
		struct str range = take_item(item, &weight);

		if (str_eq_fold(range, STR("gzip")) || str_eq_fold(range, STR("x-gzip")))
			return weight > 0;
		any |= str_eq(range, STR("*")) && weight > 0;
	}
	return any;
}

enum lang negotiate_lang(struct str accept_language)
{
	enum lang best = LANG_EN;
	int64_t best_weight = 0;
	struct str item;

	while (str_cut(&accept_language, ',', &item)) {
		int64_t weight;
		struct str range = take_item(item, &weight);
		enum lang lang;

		if (weight > best_weight && lang_from(range, &lang)) {
			best_weight = weight;
			best = lang;
		}
	}
	return best;
}
