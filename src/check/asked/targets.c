#include "check/asked/targets.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "json/jsonw.h"
#include "opdb/db/lists.h"
#include "opdb/db/timing_facts.h"
#include "opdb/model/chip.h"
#include "record/kinds.h"

/* --- advice for texts that are not targets */

enum { HINT_BYTES = 480, SPEC_BYTES = 200, LISTED = 8 };

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

/* Replace the error on a text that is not a target by one that says how to write what it means, if that is known.
   Returns -ERR_TARGET. */
static int target_hint(const struct opdb *db, struct str text, struct err *err)
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

/* --- what users write */

/* Other words for a target, and words for devices that are not targets. */
static const struct {
	struct str word;
	enum target_kind kind; /* TARGET_COUNT: no target */
} words[] = {
	{ STR("ascend"), TARGET_NPU },
	{ STR("torch_npu"), TARGET_NPU },
	{ STR("mthreads"), TARGET_MUSA },
	{ STR("torch_musa"), TARGET_MUSA },
	{ STR("cuda"), TARGET_COUNT },
	{ STR("gpu"), TARGET_COUNT },
	{ STR("nvidia"), TARGET_COUNT },
	{ STR("rocm"), TARGET_COUNT },
	{ STR("hip"), TARGET_COUNT },
	{ STR("xpu"), TARGET_COUNT },
	{ STR("cpu"), TARGET_COUNT },
};

/* The target that a word names; false for any other text. */
static bool is_kind(struct str name, enum target_kind *ret)
{
	for (unsigned i = 0; i < TARGET_COUNT; i++) {
		if (str_eq_fold(name, target_kind_name(i))) {
			*ret = i;
			return true;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (str_eq_fold(name, words[i].word)) {
			*ret = words[i].kind;
			return true;
		}
	}
	return false;
}

/* A chip alone means its target on that chip. */
static bool is_chip(struct str text, enum target_kind *ret)
{
	struct str spelling;

	for (unsigned i = 0; i < TARGET_COUNT; i++) {
		if (chip_find(i, text, &spelling)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

/* "@latest:910B" without its version: a target without one is its newest release. */
static struct str without_newest(struct str rest)
{
	static const struct str newest[] = { STR("@latest"), STR("@newest"), STR("@stable") };

	for (size_t i = 0; i < ARRAY_SIZE(newest); i++) {
		struct str behind = rest.len < newest[i].len ? STR("") : str_skip(rest, newest[i].len);

		if (str_eq_fold(str_chop(rest, behind.len), newest[i]) && (!behind.len || behind.ptr[0] == ':'))
			return behind;
	}
	return rest;
}

/* Appends the spec as target_resolve knows it: the usual word for its target before what follows. */
static int put_spec(struct buf *out, struct str text, enum target_kind *ret_kind, struct err *err)
{
	size_t len = 0;
	struct str name;

	while (len < text.len && text.ptr[len] != '@' && text.ptr[len] != ':')
		len++;
	name = str_sub(text, 0, len);
	*ret_kind = TARGET_COUNT;
	if (is_kind(name, ret_kind)) {
		if (*ret_kind == TARGET_COUNT) {
			err_set(err, ERR_TARGET, "%s is not a target", shown(name).text);
			return err_hint(
				err, "targets are npu (Ascend, torch_npu) and musa (Moore Threads, torch_musa)");
		}
		buf_printf(out, "%.*s%.*s", STR_ARG(target_kind_name(*ret_kind)),
			STR_ARG(without_newest(str_skip(text, len))));
	} else if (is_chip(text, ret_kind)) {
		buf_printf(out, "%.*s:%.*s", STR_ARG(target_kind_name(*ret_kind)), STR_ARG(text));
	} else {
		buf_add(out, text);
	}
	return 0;
}

/* --- versions without their last part */

/* "2.7" */
static bool is_short_version(struct str text)
{
	size_t dots = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '.' && !isdigit((unsigned char)text.ptr[i]))
			return false;
		dots += text.ptr[i] == '.';
	}
	return dots == 1 && text.len >= 3 && text.ptr[0] != '.' && text.ptr[text.len - 1] != '.';
}

/* Returns whether a version belongs to a line: 2.7.1 to 2.7. */
static bool is_of_line(struct str version, struct str line)
{
	return version.len > line.len && str_starts(version, line) && version.ptr[line.len] == '.';
}

/* The version of PyTorch that a short one means among the stable releases of a target, or text itself;
   ERR_AMBIGUOUS. */
static int complete_version(
	const struct opdb *db, enum target_kind kind, struct str text, struct str *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(HINT_BYTES);
	struct str found = STR("");
	const struct release *releases;
	size_t count, different = 0;

	*ret = text;
	if (!is_short_version(text) || kind == TARGET_COUNT)
		return 0;
	releases = opdb_target_releases(db, kind, &count);
	for (size_t i = 0; i < count; i++) {
		if (releases[i].kind != RELEASE_FINAL || !is_of_line(releases[i].torch, text) ||
			str_eq(releases[i].torch, found))
			continue;
		found = releases[i].torch;
		buf_printf(&list, "%s%.*s", different++ ? ", " : "", STR_ARG(found));
	}
	if (different > 1) {
		err_set(err, ERR_AMBIGUOUS, "PyTorch %s may mean %zu versions on %.*s", shown(text).text, different,
			STR_ARG(target_kind_name(kind)));
		return err_hint(err, "say which: %s", buf_text(&list));
	}
	if (different)
		*ret = found;
	return 0;
}

/* "npu@2.7" as "npu@2.7.1", with the chip behind it. */
static int complete_spec(
	const struct opdb *db, enum target_kind kind, struct str spec, struct buf *out, struct err *err)
{
	struct str rest = spec, name, version, full;
	int status;

	str_cut(&rest, '@', &name);
	str_cut(&rest, ':', &version);
	status = complete_version(db, kind, version, &full, err);
	if (!status)
		buf_printf(out, "%.*s@%.*s%s%.*s", STR_ARG(name), STR_ARG(full), rest.ptr ? ":" : "", STR_ARG(rest));
	return status;
}

int target_parse(const struct opdb *db, struct str text, struct str torch, struct target *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf spec = BUF_INIT(SPEC_BYTES), full = BUF_INIT(SPEC_BYTES);
	enum target_kind kind;
	struct err first;
	int status = put_spec(&spec, text, &kind, err) ?: complete_version(db, kind, torch, &torch, err);

	if (status)
		return status;
	status = target_resolve(db, spec.full ? text : buf_str(&spec), torch, ret, err);
	if (status != -ERR_TARGET || spec.full)
		return status;
	if (!str_has(buf_str(&spec), STR("@")))
		return target_hint(db, text, err);
	first = *err;
	status = complete_spec(db, kind, buf_str(&spec), &full, err);
	if (status)
		return status;
	if (!str_eq(buf_str(&full), buf_str(&spec)))
		return target_resolve(db, buf_str(&full), torch, ret, err);
	*err = first;
	return target_hint(db, text, err);
}

/* --- choosing */

void target_list_clear(struct target_list *list)
{
	free(list->items);
	free(list->asked.items);
	arena_clear(&list->arena);
	*list = (struct target_list){ 0 };
}

/* The release of the pip package whose version reads as this one of PyTorch, if it is another; NULL. */
static const struct release *other_pip(const struct opdb *db, const struct target *target)
{
	CLEANUP(buf_clear) struct buf spec = BUF_INIT(SPEC_BYTES);
	struct target pip;
	struct err ignored;

	buf_printf(&spec, "%.*s@pip-%.*s", STR_ARG(target_kind_name(target->release->target)),
		STR_ARG(target->release->torch));
	if (target_resolve(db, buf_str(&spec), STR(""), &pip, &ignored) || pip.release == target->release)
		return NULL;
	return pip.release;
}

/* "npu@2.1.0 became npu@v2.1.0-7.2.0, ..." */
static struct message became(const struct opdb *db, struct str asked, const struct target *target, struct arena *arena)
{
	const struct release *release = target->release, *pip;
	bool newest = opdb_newest(db, release->target, release->torch) == release;

	if (str_eq(asked, str_from(target->id)) || str_eq(asked, target_kind_name(release->target)))
		return (struct message){ 0 };
	pip = newest && str_has(asked, release->torch) ? other_pip(db, target) : NULL;
	return *MESSAGE(arena,
		pip      ? "target-newest-pip"
		: newest ? "target-newest"
			 : "target-named",
		BLANK("asked", asked), COPY("target", str_from(target->id)),
		COPY(newest ? "torch" : NULL, release->torch), COPY(pip ? "other" : NULL, pip ? pip->id : STR("")));
}

static int choose_one(
	const struct opdb *db, struct str text, struct str torch, struct target_list *list, struct err *err)
{
	struct target_asked asked = { .text = STR("") };
	struct target target;
	int status = target_parse(db, text, torch, &target, err);

	if (status || ANY(i, list->count, strcmp(list->items[i].id, target.id) == 0))
		return status;
	MEM_PUSH(list, target);
	text = arena_keep(&list->arena, text);
	asked.became = became(db, text, &target, &list->arena);
	if (asked.became.id)
		asked.text = text;
	MEM_PUSH(&list->asked, asked);
	return 0;
}

int targets_choose(
	const struct opdb *db, const struct target_question *question, struct target_list *ret, struct err *err)
{
	int status = 0;
	bool asked;

	*ret = (struct target_list){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
	for (size_t i = 0; i < question->count; i++) {
		struct str list = question->specs[i];

		for (size_t from = 0, to = 0; from <= list.len && !status; from = ++to) {
			while (to < list.len && list.ptr[to] != ',' && !isspace((unsigned char)list.ptr[to]))
				to++;
			if (to > from || !list.len)
				status = choose_one(db, str_sub(list, from, to), question->torch, ret, err);
		}
	}
	asked = ret->count > 0;
	for (unsigned i = 0; i < TARGET_COUNT && !status && !asked; i++) {
		status = choose_one(db, target_kind_name(i), question->torch, ret, err);
		if (!status)
			ret->asked.items[ret->count - 1] = (struct target_asked){ .text = STR("") };
	}
	if (status)
		target_list_clear(ret);
	return status;
}

/* --- listing */

struct listed_target {
	struct release release;
	bool stable;
	const struct str *aliases;
	size_t alias_count;
};

/* clang-format off */
const struct record listed_target_record = { sizeof(struct listed_target), (const struct field[]){
	{ "id", &kind_text, AT(listed_target, release.id) },
	{ "torch", &kind_text, AT(listed_target, release.torch) },
	{ "plugin", &kind_text, AT(listed_target, release.plugin) },
	{ "cann", &kind_text, AT(listed_target, release.cann) },
	{ "date", &kind_text, AT(listed_target, release.date) },
	{ "fallback", &kind_text, AT(listed_target, release.fallback) },
	{ "stable", &kind_bool, AT(listed_target, stable) },
	{ "aliases", &kind_texts, AT(listed_target, aliases), .count = AT(listed_target, alias_count) },
	{ 0 } } };
/* clang-format on */

static int put_release(
	const struct opdb *db, const struct release *release, struct arena *arena, struct jsonw *json, struct err *err)
{
	struct alias_list aliases;
	int status = target_aliases(db, release, arena, &aliases, err);

	if (!status)
		record_put(json, &listed_target_record,
			&(struct listed_target){
				*release, release->kind == RELEASE_FINAL, aliases.items, aliases.count });
	return status;
}

/* Numbers stand as in the fact text; a column without one is left out. */
static void put_chip(const struct chip_peaks *chip, struct jsonw *json)
{
	struct str columns = STR(CHIP_PEAKS_COLUMNS), column;

	jsonw_object(json);
	for (size_t i = 0; str_cut(&columns, ' ', &column); i++) {
		bool number = i >= CHIP_FP32 && i <= CHIP_FLOOR;

		if (number && !chip->cells[i].len)
			continue;
		jsonw_key_view(json, column);
		(number ? jsonw_raw : jsonw_str)(json, chip->cells[i]);
	}
	jsonw_object_end(json);
}

int targets_put_chips(const struct opdb *db, struct buf *out, struct err *err)
{
	const struct timing_facts *facts;
	int status = timing_facts_get(db, &facts, err);

	buf_add(out, STR("\nChips of estimates: TFLOPS by type, GB/s, least us of a kernel (sources: -f json)\n"
			 "CHIP      fp32     tf32     fp16     bf16     int8     GB/s     us\n"));
	for (size_t i = 0; !status && i < facts->chips.count; i++) {
		const struct chip_peaks *chip = &facts->chips.items[i];

		if (!chip->target.len)
			continue;
		buf_printf(out, "%-10.*s", STR_ARG(chip->name));
		for (size_t cell = CHIP_FP32; cell < CHIP_FLOOR; cell++)
			buf_printf(out, "%-9.*s", STR_ARG(chip->cells[cell].len ? chip->cells[cell] : STR("-")));
		buf_printf(out, "%.*s%s%.*s%s\n", STR_ARG(chip->cells[CHIP_FLOOR]), chip->assumed ? "  assumed: " : "",
			STR_ARG(chip->cells[CHIP_ASSUMED]), chip->measured ? "" : "  no run measured: no estimate");
	}
	return status;
}

int targets_put_json(const struct opdb *db, struct buf *out, struct err *err)
{
	struct jsonw json = jsonw_start(out, 2);
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(1 << 24);
	size_t count;
	const struct release *releases = opdb_releases(db, &count);
	const struct timing_facts *facts;
	int status = 0;

	jsonw_fill(&json, "{'targets': [");
	for (size_t i = 0; i < count && !status; i++)
		status = put_release(db, &releases[i], &arena, &json, err);
	jsonw_fill(&json, "], 'chips': [");
	if (!status)
		status = timing_facts_get(db, &facts, err);
	for (size_t i = 0; !status && i < facts->chips.count; i++)
		put_chip(&facts->chips.items[i], &json);
	jsonw_fill(&json, "]}");
	return status;
}
