#include "assess/judge/assume.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/value/words.h"

static int assumption_parse(struct arena *arena, struct str text, struct assumption *ret, struct err *err)
{
	struct str word = text, name;

	str_cut(&word, '=', &name);
	name = str_trim(name);
	if (!word.ptr || !name.len) {
		err_set(err, ERR_VALUE, "'%s' is not an assumption", shown(text).text);
		return err_hint(err, "for example --assume torchvision::nms=native");
	}
	if (!op_status_from(str_trim(word), &ret->status)) {
		err_set(err, ERR_VALUE, "no status '%s'", shown(word).text);
		return err_hint(err,
			"a status is native, native-jit, composite, equivalent, cpu-fallback, unsupported, "
			"needs-package or unknown");
	}
	ret->name = arena_printf(arena, "%s%.*s", str_has(name, STR("::")) ? "" : "aten::", STR_ARG(name));
	return 0;
}

void assumption_list_clear(struct assumption_list *list)
{
	free(list->items);
	arena_clear(&list->names);
	*list = (struct assumption_list){ 0 };
}

int assumption_list_add(struct assumption_list *list, struct str text, struct err *err)
{
	struct assumption assumption;
	size_t at;
	int status;

	list->names.max_bytes = ARENA_UNLIMITED; /* bounded by the command line */
	status = assumption_parse(&list->names, text, &assumption, err);
	if (status)
		return status;
	at = STR_POSITION(list->items, list->count, assumption.name);
	if (at == STR_NONE)
		MEM_PUSH(list, assumption);
	else
		list->items[at] = assumption;
	return 0;
}

const struct assumption *assumption_about(const struct assumption_list *list, struct str name)
{
	size_t at = list ? STR_POSITION(list->items, list->count, name) : STR_NONE;

	return at == STR_NONE ? NULL : &list->items[at];
}

void assume_judgement(struct arena *arena, const struct assumption *assumption, struct judgement *judgement)
{
	const struct result_verdict known = judgement->verdict;
	struct message *advice = arena_alloc(arena, sizeof(*advice));

	*advice = message_of("advice-assumed");
	*judgement = (struct judgement){ .verdict = { .target = known.target,
						 .status = assumption->status,
						 .flags = FLAG_ASSUMED,
						 .via = arena_printf(arena, "assumed; known is %.*s%s%.*s",
							 STR_ARG(op_status_name(known.status)),
							 known.via.len ? ": " : "", STR_ARG(known.via)),
						 .since = STR(""),
						 .until = STR(""),
						 .advice = advice,
						 .advice_count = 1 },
		.best = assumption->status == OP_UNKNOWN ? OP_NATIVE : assumption->status,
		.worst = assumption->status,
		.package = judgement->package };
}
