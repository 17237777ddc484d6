#include "report/doc/doc_build.h"

#include <inttypes.h>

#include "base/value/decimal.h"

size_t doc_shown(const struct doc *doc, size_t count, size_t most)
{
	size_t bound = doc->format == DOC_HTML ? PAGE_ROWS : doc->options.all ? count : most;

	if (doc->options.rows && doc->options.rows < bound)
		bound = doc->options.rows;
	return count < bound ? count : bound;
}

/* --- blocks */

void doc_open(struct doc *doc, enum doc_block style)
{
	doc_open_node(doc, DOC_BLOCK, style);
}

void doc_open_styled(struct doc *doc, unsigned formats, enum doc_block style)
{
	doc_open_node(doc, DOC_BLOCK, doc->format & formats ? style : BLOCK_GROUP);
}

void doc_title(struct doc *doc, const char *id)
{
	doc_open(doc, BLOCK_TITLE);
	doc_label(doc, id);
	doc->open->last->mood = MOOD_BOLD;
}

bool doc_is_empty(const struct doc_node *node)
{
	if (node->kind == DOC_TABLE && node->table->row_count)
		return false;
	if (node->kind == DOC_ATTRIBUTE)
		return true;
	if (node->kind >= DOC_CODE)
		return false;
	for (const struct doc_node *child = node->first; child; child = child->next) {
		if (!doc_is_empty(child))
			return false;
	}
	return true;
}

void doc_section(struct doc *doc, const char *id)
{
	struct doc_node *section = doc_open_node(doc, DOC_SECTION, 0);

	if (id)
		section->text = doc_label_of(doc, id);
}

void doc_section_headed(struct doc *doc, unsigned formats, const char *id, const char *other)
{
	doc_section(doc, doc->format & formats ? id : other);
}

void doc_more(struct doc *doc, const char *id)
{
	doc_open(doc, BLOCK_MORE);
	doc_say_label(doc, BLOCK_SUMMARY, id);
}

void doc_attribute(struct doc *doc, const char *name, struct str value)
{
	doc_add_texts(doc, DOC_ATTRIBUTE, 0, value, str_from(name));
}

void doc_set_mood(struct doc *doc, enum doc_mood mood)
{
	doc->open->mood = mood;
}

void doc_say_more(struct doc *doc, const char *id, uint64_t count)
{
	if (count)
		doc_say_count(doc, BLOCK_PARAGRAPH,
			doc_is(doc, DOC_HTML) || doc->options.rows ? "report.more-rows" : id, count);
	doc->only = 0;
}

void doc_say_styled(struct doc *doc, enum doc_block style, enum doc_span span, struct str text)
{
	doc_open(doc, style);
	doc_styled(doc, span, text);
	doc_close(doc);
}

void doc_say_link(struct doc *doc, enum doc_block style, enum doc_span span, struct str address, struct str text)
{
	doc_open(doc, style);
	doc_link(doc, span, address, text);
	doc_close(doc);
}

void doc_say_each(struct doc *doc, enum doc_block style, const struct message *messages, size_t count)
{
	unsigned only = doc->only;

	for (size_t i = 0; i < count; i++)
		doc_say(doc_in(doc, only), style, &messages[i]);
	doc->only = 0;
}

void doc_say_list(struct doc *doc, enum doc_block list, const struct message *messages, size_t count)
{
	doc_open(doc, list);
	doc_say_each(doc, BLOCK_ITEM, messages, count);
	doc_close(doc);
}

void doc_code(struct doc *doc, struct str language, struct str lines)
{
	doc_add_texts(doc, DOC_CODE, 0, lines, language);
}

/* --- pieces of a line */

void doc_styled(struct doc *doc, enum doc_span style, struct str text)
{
	if (text.len)
		doc_add(doc, DOC_SPAN, style)->text = text;
	doc->only = 0;
}

/* Keep the text of the scratch line. */
static struct str line_keep(struct doc *doc)
{
	struct str kept = arena_keep(&doc->arena, buf_str(&doc->line));

	buf_reset(&doc->line);
	return kept;
}

struct str doc_format_of(struct doc *doc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(&doc->line, format, args);
	va_end(args);
	return line_keep(doc);
}

struct str doc_names_of(struct doc *doc, const struct str *names, size_t count, uint64_t total)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(&doc->line, "%s%.*s", i ? ", " : "", STR_ARG(names[i]));
	if (total > count)
		buf_printf(&doc->line, ", ... +%" PRIu64, total - count);
	return line_keep(doc);
}

struct str doc_label_of(const struct doc *doc, const char *id)
{
	return catalog_text(doc->options.lang, str_from(id));
}

struct str doc_word_of(struct doc *doc, const char *set, struct str value)
{
	return catalog_word(doc->options.lang, set, value);
}

struct str doc_message_of(struct doc *doc, const struct message *message)
{
	catalog_put(&doc->line, doc->options.lang, message);
	return line_keep(doc);
}

static enum doc_mood mood_of(enum doc_set set, struct str value)
{
	switch (set) {
	case SET_STATUS:
		return MOOD_NONE;
	case SET_VERDICT:
		return str_eq(value, STR("blocked")) ? MOOD_BAD : str_eq(value, STR("ready")) ? MOOD_GOOD : MOOD_FAIR;
	case SET_SEVERITY:
		return str_eq(value, STR("error")) ? MOOD_BAD : str_eq(value, STR("warning")) ? MOOD_FAIR : MOOD_DIM;
	case SET_GATE:
		return str_eq(value, STR("failed")) ? MOOD_BAD : str_eq(value, STR("passed")) ? MOOD_GOOD : MOOD_NONE;
	}
	return MOOD_NONE;
}

void doc_tag_text(struct doc *doc, enum doc_set set, struct str value, struct str text)
{
	doc_add_texts(doc, DOC_TAG, set, text, value)->mood = mood_of(set, value);
}

void doc_tag_in_doubt(struct doc *doc, enum doc_set set, struct str value, struct str text)
{
	struct doc_node *tag = doc_add_texts(doc, DOC_TAG, set, text, value);

	tag->doubt = mood_of(set, value) != MOOD_BAD && mood_of(set, value) != MOOD_DIM;
	tag->mood = tag->doubt ? MOOD_FAIR : mood_of(set, value);
}

void doc_tag(struct doc *doc, enum doc_set set, struct str value)
{
	static const char *const sets[] = { [SET_STATUS] = "status",
		[SET_VERDICT] = "verdict",
		[SET_SEVERITY] = "severity",
		[SET_GATE] = "report.gate" };

	doc_tag_text(doc, set, value, doc_word_of(doc, sets[set], value));
}

struct str doc_decimal_of(struct doc *doc, int64_t value, unsigned places)
{
	decimal_put(&doc->line, value, places);
	return line_keep(doc);
}

struct str doc_percent_of(struct doc *doc, int64_t ppm)
{
	decimal_put(&doc->line, (ppm + (ppm < 0 ? -500 : 500)) / 1000, 1);
	buf_add(&doc->line, STR(" %"));
	return line_keep(doc);
}

/* "93.2-96.1 %", or one figure where both look the same. */
struct str doc_interval_of(struct doc *doc, struct result_interval interval)
{
	struct str lo = doc_percent_of(doc, interval.lo_ppm), hi = doc_percent_of(doc, interval.hi_ppm);

	return str_eq(lo, hi) ? hi : doc_format_of(doc, "%.*s-%.*s", STR_ARG(str_chop(lo, strlen(" %"))), STR_ARG(hi));
}

void doc_bar(struct doc *doc, struct result_interval interval)
{
	struct doc_node *bar = doc_add(doc, DOC_BAR, 0);

	bar->bar_ppm[0] = (int32_t)interval.lo_ppm;
	bar->bar_ppm[1] = (int32_t)interval.hi_ppm;
}

void doc_link(struct doc *doc, enum doc_span style, struct str address, struct str text)
{
	doc_add_texts(doc, DOC_LINK, style, text, address);
}

void doc_break(struct doc *doc)
{
	doc_add(doc, DOC_BREAK, 0);
}
