#include "server/service/lists.h"

#include "base/memory/mem.h"
#include "report/doc/doc_build.h"
#include "report/doc/doc_put.h"

static const struct list_form {
	const char *form, *about;
	bool dynamic;
} forms[] = { { "all_ops.txt", "lists.all", false }, { "dynamic_ops.txt", "lists.dynamic", true } };

bool lists_are(struct str form)
{
	return str_eq(form, STR("lists")) || str_eq(form, STR("all_ops.txt")) || str_eq(form, STR("dynamic_ops.txt"));
}

/* A name a line, as the script writes them; at most that many. Returns how many there are. */
static size_t put_names(const struct listed *listed, bool dynamic, size_t most, struct buf *out)
{
	const struct guide_lists *script = listed->script;
	const struct result *result = listed->result;
	size_t all = result ? result->operator_count : dynamic ? script->dynamic_count : script->all_count, count = 0;

	for (size_t i = 0; i < all; i++) {
		struct str name = result    ? result->operators[i].name
				  : dynamic ? script->dynamic_ops[i]
					    : script->all_ops[i];

		if (result && dynamic && result->operators[i].dynamic.guide_rule != GUIDE_DYNAMIC)
			continue;
		if (count++ < most)
			buf_printf(out, "%.*s\n", STR_ARG(name));
	}
	return count;
}

/* The list below its name, which leads to the file. */
static void build_list(
	struct doc *doc, const struct order *order, const struct list_form *form, const struct listed *listed)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	size_t count = put_names(listed, form->dynamic, PAGE_ROWS, &names);
	struct message about = message_of(form->about);

	doc_say_link(doc, BLOCK_CARD_NAME, SPAN_NAME,
		doc_format_of(doc, "/api/v1/assessments/%.*s/%s", STR_ARG(order->assessment), form->form),
		str_from(form->form));
	message_add_number(&about, &doc->arena, "count", (int64_t)count);
	doc_say(doc, BLOCK_SOFT, &about);
	if (count)
		doc_code(doc, STR("text"), arena_keep(&doc->arena, buf_str(&names)));
	if (count > PAGE_ROWS)
		doc_say_count(doc, BLOCK_SOFT, "lists.more", count - PAGE_ROWS);
}

void lists_put(const struct order *order, const struct listed *listed, struct buf *out)
{
	struct doc doc;

	if (!str_eq(order->form, STR("lists"))) {
		put_names(listed, str_eq(order->form, STR("dynamic_ops.txt")), SIZE_MAX, out);
		return;
	}
	doc = doc_new(DOC_HTML, &(struct render_options){ .lang = order->lang });
	doc_say_label(&doc, BLOCK_PARAGRAPH, listed->result ? "lists.by-rule" : "lists.by-script");
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		build_list(&doc, order, &forms[i], listed);
	doc_put(&doc, out);
}
