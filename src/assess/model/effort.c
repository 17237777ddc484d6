#include "assess/model/effort.h"

#include "base/mem.h"

/* From the least to the most. */
static const struct str classes[] = { STR("flag"), STR("config"), STR("recipe"), STR("package"), STR("upgrade"),
	STR("port") };
enum { NO_CLASS = ARRAY_SIZE(classes) };

/* What a piece of advice or, where there is none, a rule asks for. */
static const struct {
	const char *id, *effort;
} efforts[] = {
	{ "advice-package", "package" },
	{ "advice-package-of", "package" },
	{ "advice-equivalent", "recipe" },
	{ "advice-release", "upgrade" },
	{ "op-needs-package", "package" },
	{ "op-overload", "config" },
	{ "op-called-by-name", "config" },
	{ "op-name-cut", "config" },
	{ "op-compiles", "flag" },
	{ "op-host-path", "recipe" },
	{ "shape-recompile", "recipe" },
	{ "shape-varying", "recipe" },
	{ "shape-data-dependent", "recipe" },
};

static size_t class_named(struct str name)
{
	for (size_t i = 0; i < NO_CLASS; i++) {
		if (str_eq(classes[i], name))
			return i;
	}
	return NO_CLASS;
}

static size_t class_of(const struct message *message)
{
	for (size_t i = 0; i < message->count; i++) {
		if (str_eq(str_from(message->params[i].name), STR("effort")))
			return class_named(message->params[i].value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(efforts); i++) {
		if (str_eq(str_from(efforts[i].id), str_from(message->id)))
			return class_named(str_from(efforts[i].effort));
	}
	return NO_CLASS;
}

struct str effort_of(const struct result_finding *finding)
{
	size_t least = NO_CLASS;

	for (size_t i = 0; i < finding->advice_count; i++) {
		size_t effort = class_of(&finding->advice[i]);

		least = effort < least ? effort : least;
	}
	if (least == NO_CLASS)
		least = class_of(&finding->what);
	return least == NO_CLASS ? STR("port") : classes[least];
}
