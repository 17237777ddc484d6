#include "check/asked/stated.h"

#include "assess/gate/budget.h"
#include "base/value/utf8.h"
#include "opdb/model/dtype.h"

int stated_set_types(struct stated *stated, struct str list, struct err *err)
{
	struct str word;

	while (str_cut(&list, ',', &word)) {
		unsigned types = dtype_from(str_trim(word));

		if (!types) {
			err_set(err, ERR_VALUE, "'%s' is not a data type", shown(str_trim(word)).text);
			return err_hint(err, "for example --dtype fp32,bf16");
		}
		stated->types |= types;
	}
	return 0;
}

int stated_set_uncovered(struct stated *stated, struct str percent, struct err *err)
{
	stated->uncovered_given = true;
	return percent_parse(percent, &stated->max_uncovered_ppm, "max-uncovered-time", "5%", err);
}

int stated_set_slow(struct stated *stated, struct str percent, struct err *err)
{
	stated->slow_given = true;
	return percent_parse(percent, &stated->slow_ppm, "slow-time", "5%", err);
}

int stated_allows(const struct stated *stated, const struct result *result, struct err *err)
{
	if (!stated->require_dtypes || !result->question_count)
		return 0;
	err_set(err, ERR_NOT_OBSERVABLE, "the dump does not show the data types that the verdict depends on");
	return err_hint(err, "state them with --dtype, for example --dtype fp32,bf16");
}
