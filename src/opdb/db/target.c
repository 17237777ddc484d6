#include "opdb/db/target.h"

#include <stdio.h>

#include "base/value/nearest.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "opdb/db/handle.h"
#include "opdb/db/lists.h"

enum { CANDIDATES = 8, HINT_BYTES = 480, SPEC_BYTES = 80 };

/* The releases that a spec may mean so far, each once. */
struct candidates {
	const struct opdb *db;
	struct str torch; /* "" or what the caller narrows down to */
	const struct release *items[CANDIDATES];
	size_t count;
	bool other_torch; /* something fitted but for the version of PyTorch */
	bool no_facts;    /* a version that is known by its number alone fitted */
};

/* The parts of a spec: npu @ text : chip. Parts that are left out have no pointer. */
struct spec {
	enum target_kind target;
	struct str text, chip;
};

static void offer_release(struct candidates *found, const struct release *release)
{
	if (!release) {
		found->no_facts = true;
		return;
	}
	if (found->torch.len && !str_eq(found->torch, release->torch)) {
		found->other_torch = true;
		return;
	}
	for (size_t i = 0; i < found->count; i++) {
		if (found->items[i] == release)
			return;
	}
	if (found->count < CANDIDATES)
		found->items[found->count++] = release;
}

/* "2.7.1" of "v2.7.1" or "2.7.1+cpu" */
static struct str plain_version(struct str text)
{
	struct str version = text;

	if (str_starts(version, STR("v")))
		version = str_skip(version, 1);
	str_cut(&version, '+', &text);
	return text;
}

/* The table of versions marks betas in full-width brackets, which are not part of the version. */
static struct str without_beta(struct str text)
{
	static const struct str marks[] = { STR("（beta）"), STR("(beta)") };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (str_ends(text, marks[i]))
			return str_chop(text, marks[i].len);
	}
	return text;
}

static void by_ref(struct candidates *found, enum target_kind target, struct str text)
{
	size_t count;
	const struct release *releases = opdb_target_releases(found->db, target, &count);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(releases[i].ref, text))
			offer_release(found, &releases[i]);
	}
}

static void by_name(struct candidates *found, enum target_kind target, struct str text)
{
	size_t count;
	const struct release *releases = opdb_target_releases(found->db, target, &count);

	if (str_starts(text, STR("v")))
		text = str_skip(text, 1);
	for (size_t i = 0; i < count; i++) {
		if (str_eq(releases[i].name, text))
			offer_release(found, &releases[i]);
	}
}

static void by_torch(struct candidates *found, enum target_kind target, struct str text)
{
	const struct release *newest = opdb_newest(found->db, target, text);

	if (newest)
		offer_release(found, newest);
}

static void by_pip(struct candidates *found, enum target_kind target, struct str text)
{
	if (target != TARGET_NPU || !text.len)
		return;
	for (size_t i = 0; i < found->db->versions.count; i++) {
		if (str_eq(found->db->versions.items[i].pip, text))
			offer_release(found, found->db->versions.items[i].known);
	}
}

static void by_cann(struct candidates *found, enum target_kind target, struct str text)
{
	if (target != TARGET_NPU)
		return;
	for (size_t i = 0; i < found->db->versions.count; i++) {
		if (str_eq_fold(found->db->versions.items[i].cann, text))
			offer_release(found, found->db->versions.items[i].known);
	}
}

/* Readings of a text after '@'. The first with a result wins; musa's tags and versions of PyTorch look alike, so
   both are tried and must agree. */
static const struct reading {
	struct str prefix;
	void (*find)(struct candidates *, enum target_kind, struct str);
	void (*find_too)(struct candidates *, enum target_kind, struct str); /* on musa */
} readings[] = {
	{ STR("cann-"), by_cann, NULL },
	{ STR("pip-"), by_pip, NULL },
	{ STR(""), by_ref, NULL },
	{ STR(""), by_torch, by_name },
	{ STR(""), by_name, NULL },
	{ STR(""), by_pip, NULL },
};

/* False if the text is not a target. */
static bool split_spec(struct str text, struct spec *ret)
{
	struct spec spec = { .chip = text };
	struct str name = { 0 };

	str_cut(&spec.chip, ':', &spec.text);
	str_cut(&spec.text, '@', &name);
	*ret = spec;
	return target_kind_from(name, &ret->target) && !(spec.chip.ptr && !spec.chip.len) &&
	       !(spec.text.ptr && !spec.text.len);
}

static struct candidates find_candidates(const struct opdb *db, const struct spec *spec, struct str torch)
{
	struct candidates found = { .db = db, .torch = torch.len ? plain_version(torch) : torch };
	struct str text = without_beta(spec->text);

	if (!spec->text.ptr) {
		by_torch(&found, spec->target, found.torch);
		found.other_torch |= torch.len > 0;
		return found;
	}
	for (size_t i = 0; i < ARRAY_SIZE(readings) && !found.count; i++) {
		struct str rest;

		if (!str_starts(text, readings[i].prefix))
			continue;
		rest = str_skip(text, readings[i].prefix.len);
		readings[i].find(&found, spec->target, rest);
		if (spec->target == TARGET_MUSA && readings[i].find_too)
			readings[i].find_too(&found, spec->target, rest);
	}
	return found;
}

static struct target target_on(const struct release *release, const struct chip *chip, struct str chip_name)
{
	struct target target = { .release = release, .chip = chip };

	snprintf(target.id, sizeof(target.id), chip ? "%.*s:%.*s" : "%.*s", STR_ARG(release->id), STR_ARG(chip_name));
	return target;
}

struct target target_of(const struct release *release)
{
	return target_on(release, NULL, STR(""));
}

static int ambiguous_target(const struct candidates *found, struct str spec, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(HINT_BYTES);

	for (size_t i = 0; i < found->count; i++)
		buf_printf(&list, "%s%.*s (torch %.*s)", i ? ", " : "", STR_ARG(found->items[i]->id),
			STR_ARG(found->items[i]->torch));
	err_set(err, ERR_AMBIGUOUS, "target %s may mean %zu releases", shown(spec).text, found->count);
	return err_hint(err, "say which, or give the version of PyTorch: %s", buf_text(&list));
}

/* Known specs near to the one given, else the newest release of each target as an example. */
static void hint_nearest(const struct opdb *db, struct str spec, struct buf *ret)
{
	struct nearest nearest = NEAREST_TO(spec);
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(1024 * 1024);

	for (size_t i = 0; i < db->releases.count; i++) {
		const struct release *release = &db->releases.items[i];
		struct alias_list aliases;
		struct err ignored;

		nearest_offer(&nearest, release->id);
		if (target_aliases(db, release, &arena, &aliases, &ignored))
			break;
		for (size_t n = 0; n < aliases.count; n++)
			nearest_offer(&nearest, aliases.items[n]);
	}
	nearest_put(ret, &nearest);
}

/* The versions of PyTorch that releases of a target are for, newest first: those that begin with the one given, else
   all. */
static void put_versions(const struct opdb *db, struct str spec, struct str torch, struct buf *ret)
{
	struct spec parts;
	bool some = false;

	if (!split_spec(spec, &parts))
		return;
	for (size_t i = 0; i < db->releases.count; i++)
		some |= db->releases.items[i].target == parts.target && str_starts(db->releases.items[i].torch, torch);
	for (size_t i = db->releases.count; i-- > 0;) {
		const struct release *release = &db->releases.items[i];
		bool repeated = i + 1 < db->releases.count && str_eq(db->releases.items[i + 1].torch, release->torch);

		if (release->target == parts.target && !repeated && (!some || str_starts(release->torch, torch)))
			buf_printf(ret, "%s%.*s", ret->len ? ", " : "", STR_ARG(release->torch));
	}
}

/* A release by name and another version of PyTorch beside it. Returns 0 for any other target. */
static int contradicted_target(const struct opdb *db, struct str spec, struct str torch, struct err *err)
{
	struct spec parts;
	struct candidates named, fitting = { .db = db };

	if (!split_spec(spec, &parts) || !parts.text.ptr)
		return 0;
	named = find_candidates(db, &parts, STR(""));
	if (named.count != 1)
		return 0;
	err_set(err, ERR_TARGET, "%s is a release for PyTorch %.*s, not %s", shown(spec).text,
		STR_ARG(named.items[0]->torch), shown(torch).text);
	by_torch(&fitting, parts.target, plain_version(torch));
	if (!fitting.count)
		return err_hint(err, "leave out PyTorch %s to use %s", shown(torch).text, shown(spec).text);
	return err_hint(err, "leave out PyTorch %s to use %s, or name %.*s", shown(torch).text, shown(spec).text,
		STR_ARG(fitting.items[0]->id));
}

static int unknown_target(
	const struct opdb *db, struct str spec, struct str torch, const struct candidates *found, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(HINT_BYTES);
	int status = found && found->other_torch ? contradicted_target(db, spec, torch, err) : 0;

	if (status)
		return status;
	if (found && (found->other_torch || found->no_facts)) {
		if (found->other_torch)
			err_set(err, ERR_TARGET, "target %s has no release for torch %s", shown(spec).text,
				shown(torch).text);
		else
			err_set(err, ERR_TARGET, "target %s is known by its version alone, without facts",
				shown(spec).text);
		put_versions(db, spec, torch, &list);
		return err_hint(err, "versions of PyTorch: %s; `opcheck targets` lists the releases", buf_text(&list));
	}
	err_set(err, ERR_TARGET, "unknown target %s", shown(spec).text);
	hint_nearest(db, spec, &list);
	if (list.len)
		return err_hint(err, "nearest: %s; `opcheck targets` lists all", buf_text(&list));
	return err_hint(err,
		"targets look like npu, npu@2.7.1, npu@v2.7.1-26.0.0 or musa@v2.7.1; `opcheck targets` lists them");
}

static int unknown_chip(enum target_kind target, struct str name, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(HINT_BYTES);
	const struct chip *chip;

	for (size_t i = 0; (chip = chip_at(target, i)); i++)
		buf_printf(&list, "%s%.*s", i ? ", " : "", STR_ARG(chip->family));
	err_set(err, ERR_TARGET, "unknown chip %s", shown(name).text);
	return err_hint(err, "known chips of %.*s: %s", STR_ARG(target_kind_name(target)), buf_text(&list));
}

int target_resolve(const struct opdb *db, struct str text, struct str torch, struct target *ret, struct err *err)
{
	const struct chip *chip = NULL;
	struct str chip_name = STR("");
	struct candidates found;
	struct spec spec;

	if (!split_spec(text, &spec))
		return unknown_target(db, text, torch, NULL, err);
	if (spec.chip.ptr) {
		chip = chip_find(spec.target, spec.chip, &chip_name);
		if (!chip)
			return unknown_chip(spec.target, spec.chip, err);
	}
	found = find_candidates(db, &spec, torch);
	if (found.count > 1)
		return ambiguous_target(&found, text, err);
	if (!found.count)
		return unknown_target(db, text, torch, &found, err);
	*ret = target_on(found.items[0], chip, chip_name);
	return 0;
}

/* Specs that are listed if they mean the release. */
struct alias_search {
	const struct opdb *db;
	const struct release *release;
	struct arena *arena;
	struct alias_list *list;
	bool full;
};

static bool means_release(const struct alias_search *search, struct str text)
{
	struct candidates found;
	struct spec spec;

	if (!split_spec(text, &spec))
		return false;
	found = find_candidates(search->db, &spec, STR(""));
	return found.count == 1 && found.items[0] == search->release;
}

static void try_alias(struct alias_search *search, const char *prefix, struct str version)
{
	CLEANUP(buf_clear) struct buf spec = BUF_INIT(SPEC_BYTES);
	struct alias_list *list = search->list;

	buf_printf(&spec, "%.*s%s%.*s", STR_ARG(target_kind_name(search->release->target)), prefix, STR_ARG(version));
	if (spec.full || list->count == ARRAY_SIZE(list->items) || str_eq(buf_str(&spec), search->release->id) ||
		!means_release(search, buf_str(&spec)))
		return;
	for (size_t i = 0; i < list->count; i++) {
		if (str_eq(list->items[i], buf_str(&spec)))
			return;
	}
	if (arena_copy(search->arena, buf_str(&spec), &list->items[list->count]))
		list->count++;
	else
		search->full = true;
}

static void try_versions(struct alias_search *search, const char *prefix, struct str versions)
{
	struct str version = { 0 };

	while (versions.len && str_cut(&versions, ',', &version))
		try_alias(search, prefix, str_trim(version));
}

int target_aliases(const struct opdb *db, const struct release *release, struct arena *arena, struct alias_list *ret,
	struct err *err)
{
	struct alias_search search = { .db = db, .release = release, .arena = arena, .list = ret };

	ret->count = 0;
	try_alias(&search, "", STR(""));
	try_alias(&search, "@", release->torch);
	if (release->kind == RELEASE_DEVELOPMENT || release->target == TARGET_MUSA)
		try_alias(&search, "@", release->name);
	try_versions(&search, "@", release->pip);
	try_versions(&search, "@pip-", release->pip);
	try_versions(&search, "@cann-", release->cann);
	return search.full ? err_set(err, ERR_LIMIT, "the list of aliases takes too much memory") : 0;
}
