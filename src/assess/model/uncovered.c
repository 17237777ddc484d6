#include "assess/model/uncovered.h"

#include "base/value/figure.h"
#include "base/value/utf8.h"

enum { NAMES_LISTED = 5, NAME_COLUMNS = 48 };

struct longest {
	struct str names[NAMES_LISTED];
	int64_t times_ns[NAMES_LISTED];
	size_t count;
};

/* Equal times keep the order of the dump. */
static void add_name(struct longest *longest, struct str name, int64_t ns)
{
	size_t at = longest->count;

	while (at && longest->times_ns[at - 1] < ns)
		at--;
	if (at == NAMES_LISTED)
		return;
	longest->count += longest->count < NAMES_LISTED;
	for (size_t i = longest->count - 1; i > at; i--) {
		longest->names[i] = longest->names[i - 1];
		longest->times_ns[i] = longest->times_ns[i - 1];
	}
	longest->names[at] = name;
	longest->times_ns[at] = ns;
}

static int64_t time_of(const struct profile *profile, const struct profile_name *name)
{
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);
	int64_t ns = 0;

	for (uint32_t use = name->last_use; use != NO_USE; use = uses[use].previous_of_name)
		ns = figure_add(ns, uses[use].self_device_ns);
	return ns;
}

struct str uncovered_names(struct arena *arena, const struct profile *profile, size_t dump, unsigned classes)
{
	struct longest longest = { .count = 0 };
	struct buf text = BUF_UNLIMITED;
	struct str kept;
	size_t count;
	const struct profile_name *names = profile_names(profile, &count);

	for (size_t i = 0; i < count; i++) {
		if (names[i].dump == dump && classes & NAME_CLASS(names[i].name.name_class) &&
			time_of(profile, &names[i]) > 0)
			add_name(&longest, names[i].text, time_of(profile, &names[i]));
	}
	for (size_t i = 0; i < longest.count; i++) {
		struct str shown = utf8_fit(longest.names[i], NAME_COLUMNS);

		buf_add(&text, i ? STR(", ") : STR(" ("));
		buf_add(&text, shown);
		buf_add(&text, shown.len < longest.names[i].len ? STR("...") : STR(""));
	}
	buf_add(&text, longest.count ? STR(")") : STR(""));
	kept = arena_keep(arena, buf_str(&text));
	buf_clear(&text);
	return kept;
}
