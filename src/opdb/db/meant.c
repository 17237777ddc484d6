#include "opdb/db/meant.h"

#include "base/view/ascii.h"
#include "opdb/db/handle.h"
#include "opdb/db/lists.h"

enum { WORD_BITS = 64 };

bool release_set_has(const struct release_set *set, const struct release *release)
{
	return release->place < RELEASE_WORDS * WORD_BITS &&
	       (set->words[release->place / WORD_BITS] >> release->place % WORD_BITS & 1);
}

static bool release_set_empty(const struct release_set *set)
{
	return ALL(i, RELEASE_WORDS, !set->words[i]);
}

static void set_release(struct release_set *set, const struct release *release)
{
	if (release->place < RELEASE_WORDS * WORD_BITS)
		set->words[release->place / WORD_BITS] |= (uint64_t)1 << release->place % WORD_BITS;
}

/* "2.1" and "2.1.0" of "2.1.0.dev20260812" or "2.1.0+cpu": the first numbers. */
static struct str numbers(struct str version, unsigned count)
{
	size_t len = 0;

	if (str_starts(version, STR("v")))
		version = str_skip(version, 1);
	while (len < version.len && (is_digit(version.ptr[len]) || (version.ptr[len] == '.' && --count)))
		len++;
	return str_sub(version, 0, len);
}

static bool same_minor(struct str a, struct str b)
{
	return numbers(a, 2).len && str_eq(numbers(a, 2), numbers(b, 2));
}

static bool is_plugin(const struct opdb *db, const struct release *release, const struct versions_named *told)
{
	struct str plugin = str_starts(told->plugin, STR("v")) ? str_skip(told->plugin, 1) : told->plugin;
	size_t local = str_find(plugin, STR("+"));

	if (local != STR_NONE) /* a local build is one of the release that it was made of */
		plugin = str_sub(plugin, 0, local);
	if (!plugin.len)
		return false;
	if (told->torch.len && !same_minor(told->torch, release->torch))
		return false;
	return str_eq(release->plugin, plugin) || str_eq(release->name, plugin) ||
	       ANY(i, db->versions.count,
		       db->versions.items[i].known == release && str_eq(db->versions.items[i].pip, plugin));
}

static bool is_torch(const struct opdb *db UNUSED, const struct release *release, const struct versions_named *told)
{
	struct str version = told->torch.len ? told->torch : told->plugin;

	return release->kind != RELEASE_DEVELOPMENT && str_eq(numbers(version, 3), release->torch);
}

static bool is_torch_line(
	const struct opdb *db UNUSED, const struct release *release, const struct versions_named *told)
{
	return same_minor(told->torch.len ? told->torch : told->plugin, release->torch);
}

/* The last one of the target, for what is newer than every release or says so itself. */
static bool is_head(const struct opdb *db, const struct release *release, const struct versions_named *told)
{
	struct str version = told->torch.len ? told->torch : told->plugin;
	size_t count;

	opdb_target_releases(db, told->target, &count);
	if (release->place + 1 != count)
		return false;
	return str_starts(told->plugin, STR("master")) ||
	       str_natural_cmp(numbers(version, 2), numbers(release->torch, 2)) > 0;
}

/* "<2.7.1", "<2.11.0.post2": packages of torch_npu bear the number of their PyTorch, those of torch_musa their own; one
   after the first of its number comes after the release, too. */
static bool is_before(const struct opdb *db UNUSED, const struct release *release, const struct versions_named *told)
{
	struct str version = told->plugin.len ? told->plugin : told->torch;
	struct str number = told->target == TARGET_MUSA ? release->plugin : release->torch;
	int order;

	if (!str_starts(version, STR("<")))
		return false;
	version = str_trim(str_skip(version, 1));
	order = str_natural_cmp(number, numbers(version, 3));
	return order < 0 || (order == 0 && numbers(version, 3).len < version.len);
}

static struct release_set fitting(const struct opdb *db, const struct versions_named *told,
	bool (*fits)(const struct opdb *, const struct release *, const struct versions_named *), bool any_date)
{
	struct release_set set = { 0 };
	size_t count;
	const struct release *releases = opdb_target_releases(db, told->target, &count);

	for (size_t i = 0; i < count; i++) {
		/* the date is that of the last commit of a branch that lives on: versions of both sides name it
		   surely */
		bool named = fits == is_plugin && told->torch.len;
		bool younger = !named && told->date.len && str_cmp(releases[i].date, told->date) > 0 &&
			       releases[i].kind != RELEASE_DEVELOPMENT;

		if ((any_date || !younger) && fits(db, &releases[i], told))
			set_release(&set, &releases[i]);
	}
	return set;
}

static struct release_set everything(const struct opdb *db, enum target_kind target)
{
	struct release_set set = { 0 };
	size_t count;
	const struct release *releases = opdb_target_releases(db, target, &count);

	for (size_t i = 0; i < count; i++)
		set_release(&set, &releases[i]);
	return set;
}

struct release_set releases_meant(const struct opdb *db, const struct versions_named *told, bool *ret_told)
{
	static bool (*const ways[])(const struct opdb *, const struct release *,
		const struct versions_named *) = { is_before, is_plugin, is_torch, is_torch_line, is_head };
	struct release_set set = { 0 };

	*ret_told = told->torch.len || told->plugin.len;
	if (!*ret_told)
		return everything(db, told->target);
	for (unsigned any_date = 0; any_date < 2; any_date++) {
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
			set = fitting(db, told, ways[i], any_date);
			if (!release_set_empty(&set))
				return set;
		}
	}
	return set;
}

bool documents_have(struct document_span span, const struct release *release)
{
	return span.first <= release->document && release->document <= span.last;
}

bool documents_of_plugin(const struct opdb *db, struct document_span span, const struct release *release)
{
	const struct document *documents = db->documents.items;

	for (unsigned i = span.first; i <= span.last; i++) {
		if (documents[i].plugin == documents[release->document].plugin)
			return true;
	}
	return false;
}
