#include "check/asked/target_hints.h"

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "opdb/db/lists.h"
#include "opdb/model/chip.h"

enum { HINT_BYTES = 480, LISTED = 8 };

/* A text that is not a target, and the target it is about. */
struct misnamed {
	const struct opdb *db;
	struct str text;
	struct str rest; /* behind the word of the row, without separators */
	enum target_kind kind;
	struct err *err;
};

/* "huawei": the newest release of its target. */
static bool hint_vendor(const struct misnamed *given)
{
	struct str kind = target_kind_name(given->kind);
	const struct release *newest = opdb_newest(given->db, given->kind, STR(""));

	if (!newest)
		return false;
	err_set(given->err, ERR_TARGET, "%s is a vendor, not a target", shown(given->text).text);
	err_hint(given->err, "write %.*s (%s) for its newest release, %.*s", STR_ARG(kind),
		given->kind == TARGET_NPU ? "Ascend" : "Moore Threads", STR_ARG(newest->id));
	return true;
}

/* "atlas800": the chips of the target with the servers that have them. */
static bool hint_servers(const struct misnamed *given)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(HINT_BYTES);
	const struct chip *chip;

	for (size_t i = 0; (chip = chip_at(given->kind, i)); i++) {
		bool servers = chip->servers.len;

		buf_printf(&list, "%s%.*s:%.*s%s%.*s%s", i ? "; " : "", STR_ARG(target_kind_name(given->kind)),
			STR_ARG(chip->family), servers ? " (" : "", STR_ARG(chip->servers), servers ? ")" : "");
	}
	err_set(given->err, ERR_TARGET, "%s is a server, not a target", shown(given->text).text);
	err_hint(given->err, "name its chip: %s", buf_text(&list));
	return true;
}

static bool hint_all(const struct misnamed *given)
{
	err_set(given->err, ERR_TARGET, "%s is not a target", shown(given->text).text);
	err_hint(given->err, "write npu,musa; `opcheck advise` judges every release");
	return true;
}

/* Returns whether one of the versions in a list with commas is this one or belongs to its line. */
static bool has_version(struct str versions, struct str wanted)
{
	struct str version = { 0 };

	while (versions.len && str_cut(&versions, ',', &version)) {
		version = str_trim(version);
		if (version.len >= wanted.len && str_eq_fold(str_sub(version, 0, wanted.len), wanted) &&
			(version.len == wanted.len || version.ptr[wanted.len] == '.'))
			return true;
	}
	return false;
}

/* "cann-8.5": the releases for that CANN, newest first. */
static bool hint_cann(const struct misnamed *given)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(HINT_BYTES);
	size_t count, listed = 0;
	const struct release *releases = opdb_target_releases(given->db, given->kind, &count);

	while (given->rest.len && is_digit(given->rest.ptr[0]) && listed < LISTED && count-- > 0) {
		if (has_version(releases[count].cann, given->rest) && ++listed)
			buf_printf(&list, "%s%.*s (torch %.*s)", list.len ? ", " : "", STR_ARG(releases[count].id),
				STR_ARG(releases[count].torch));
	}
	if (!list.len)
		return false;
	err_set(given->err, ERR_TARGET, "%s is a version of CANN, not a release", shown(given->text).text);
	err_hint(given->err, "releases of torch_npu for CANN %s: %s", shown(given->rest).text, buf_text(&list));
	return true;
}

/* Words that such texts begin with. The name of a chip may follow: "mtt-s4000". */
static const struct {
	struct str word;
	enum target_kind kind;
	bool (*hint)(const struct misnamed *given); /* false: nothing is known of it */
} rows[] = {
	{ STR("all"), TARGET_NPU, hint_all },
	{ STR("huawei"), TARGET_NPU, hint_vendor },
	{ STR("hiascend"), TARGET_NPU, hint_vendor },
	{ STR("atlas"), TARGET_NPU, hint_servers },
	{ STR("mtt"), TARGET_MUSA, hint_vendor },
	{ STR("moore"), TARGET_MUSA, hint_vendor },
	{ STR("npu@cann"), TARGET_NPU, hint_cann },
	{ STR("npu@"), TARGET_NPU, hint_cann },
	{ STR("cann"), TARGET_NPU, hint_cann },
};

static bool hint_chip(const struct misnamed *given)
{
	struct str spelling;

	if (!chip_find(given->kind, given->rest, &spelling))
		return false;
	err_set(given->err, ERR_TARGET, "unknown target %s", shown(given->text).text);
	err_hint(given->err, "did you mean %.*s:%.*s?", STR_ARG(target_kind_name(given->kind)), STR_ARG(spelling));
	return true;
}

int target_hint(const struct opdb *db, struct str text, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct misnamed given = { db, text, text, rows[i].kind, err };
		struct str word = rows[i].word;

		if (text.len < word.len || !str_eq_fold(str_sub(text, 0, word.len), word))
			continue;
		given.rest = str_skip(text, word.len);
		while (given.rest.len && strchr("-_ :", given.rest.ptr[0]))
			given.rest = str_skip(given.rest, 1);
		if (hint_chip(&given) || rows[i].hint(&given))
			break;
	}
	return -ERR_TARGET;
}
