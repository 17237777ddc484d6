/* What a user states about the program, and asks of its dump. */
#include "assess/gate/budget.h"
#include "assess/judge/questions.h"
#include "base/decimal.h"
#include "check/check.h"
#include "opdb/model/dtype.h"

int stated_set_types(struct stated *stated, struct str list, struct err *err)
{
	return stated_types_parse(list, &stated->types, err);
}

int stated_set_uncovered(struct stated *stated, struct str percent, struct err *err)
{
	stated->uncovered_given = true;
	return percent_parse(percent, &stated->max_uncovered_ppm, "max-uncovered-time", "5%", err);
}

void stated_put_types(struct buf *out, const struct stated *stated)
{
	words_put(out, &dtype_words, stated->types, ",");
}

void stated_put_uncovered(struct buf *out, const struct stated *stated)
{
	enum { PERCENT_PLACES = 4 };

	if (!stated->uncovered_given)
		return;
	decimal_put(out, stated->max_uncovered_ppm, PERCENT_PLACES);
	buf_byte(out, '%');
}

int stated_allows(const struct stated *stated, const struct result *result, struct err *err)
{
	if (!stated->require_dtypes || !result->question_count)
		return 0;
	err_set(err, ERR_NOT_OBSERVABLE, "the dump does not show the data types that the verdict depends on");
	return err_hint(err, "state them with --dtype, for example --dtype fp32,bf16");
}
