#include "report/sections/operator_rows.h"

#include "assess/model/words.h"
#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "report/doc/doc_build.h"
#include "report/doc/doc_table.h"
#include "report/doc/html_doc.h"
#include "report/doc/html_words.h"
#include "report/doc/markup.h"
#include "report/sections/operator_details.h"
#include "report/sections/operator_index.h"
#include "report/sections/verdict.h"

/* --- findings of operators, and the order that follows from them */

/* Findings are sorted by severity, so from the last to the first: an operator's chain begins with its gravest. */
static void chain_findings(struct operator_rows *rows, uint32_t *first, uint32_t *further)
{
	CLEANUP(map_clear) struct map by_name = operators_map(rows->result);

	for (size_t i = rows->result->finding_count; i-- > 0;) {
		const struct result_operator *op = operators_find(
			&by_name, rows->result, rows->result->findings[i].operator_name);

		if (!op)
			continue;
		further[i] = first[op - rows->result->operators];
		first[op - rows->result->operators] = (uint32_t)i + 1;
	}
	rows->first = first;
	rows->further = further;
}

static uint32_t *zeroed(struct doc *doc, size_t count)
{
	return arena_alloc(&doc->arena, (count + 1) * sizeof(uint32_t));
}

static size_t first_estimated(const struct result *result)
{
	for (size_t target = 0; target < result->target_count; target++) {
		if (ANY(i, result->operator_count, result->operators[i].verdicts[target].device_ppm > 0))
			return target;
	}
	return result->target_count;
}

const struct operator_rows *operator_rows_of(struct doc *doc, const struct result *result, size_t targets)
{
	struct operator_rows *rows = arena_alloc(&doc->arena, sizeof(*rows));
	unsigned most = doc->options.rows;
	uint32_t *order;
	size_t at = 0;

	*rows = (struct operator_rows){ .result = result, .targets = targets, .count = result->operator_count };
	rows->estimated = first_estimated(result);
	if (!doc_is(doc, DOC_HTML))
		return rows;
	if (most && most < rows->count)
		rows->count = most;
	chain_findings(rows, zeroed(doc, result->operator_count), zeroed(doc, result->finding_count));
	order = zeroed(doc, result->operator_count);
	for (int severity = SEVERITY_ERROR; severity <= NO_SEVERITY; severity++) {
		for (size_t i = 0; i < result->operator_count; i++) {
			if (operator_rows_severity(rows, i) == severity)
				order[at++] = (uint32_t)i;
		}
	}
	rows->order = order;
	return rows;
}

int operator_rows_severity(const struct operator_rows *rows, size_t at)
{
	uint32_t first = rows->first ? rows->first[at] : 0;

	return first ? (int)rows->result->findings[first - 1].severity : NO_SEVERITY;
}

/* Returns whether an earlier finding of the chain is of the rule. */
static bool is_repeated(const struct operator_rows *rows, uint32_t from, uint32_t at)
{
	for (; from != at; from = rows->further[from - 1]) {
		if (strcmp(rows->result->findings[from - 1].what.id, rows->result->findings[at - 1].what.id) == 0)
			return true;
	}
	return false;
}

/* The rules of all findings of the operator at a position, each once. */
static void put_rules_of_findings(const struct operator_rows *rows, size_t at, struct buf *out)
{
	uint32_t first = rows->first ? rows->first[at] : 0;

	for (uint32_t i = first; i; i = rows->further[i - 1]) {
		if (!is_repeated(rows, first, i))
			buf_printf(out, "%s%s", out->len ? " " : "", rows->result->findings[i - 1].what.id);
	}
}

/* --- the block of data */

enum { PAGE_LANGS = 2 }; /* at most */

/* A text in each language of the page, one behind the other. */
struct text_place {
	size_t start, len[PAGE_LANGS];
};

struct data_block {
	const struct operator_rows *rows;
	struct jsonw json;
	unsigned langs;
	struct doc docs[PAGE_LANGS];   /* one row's, then cleared */
	struct buf pieces[PAGE_LANGS]; /* scratch */
	struct buf bytes;              /* the texts */
	MEM_LIST(struct text_place) texts;
	struct map by_text;
};

static struct str text_of(const struct data_block *data, const struct text_place *place, unsigned lang)
{
	size_t start = place->start + (lang ? place->len[0] : 0);

	return str_sub(buf_str(&data->bytes), start, start + place->len[lang]);
}

/* Of the texts in the scratch, which is copied. */
static size_t add_text(struct data_block *data, uint64_t hash)
{
	struct text_place place = { .start = data->bytes.len };

	for (unsigned i = 0; i < data->langs; i++) {
		place.len[i] = data->pieces[i].len;
		buf_add(&data->bytes, buf_str(&data->pieces[i]));
	}
	map_add(&data->by_text, hash, (uint32_t)data->texts.count);
	MEM_PUSH(&data->texts, place);
	return data->texts.count - 1;
}

/* Writes the number of the texts in the scratch, which is emptied. */
static void put_number(struct data_block *data)
{
	uint64_t hash = hash_seed();
	struct map_cursor at;
	size_t number = SIZE_MAX;

	for (unsigned i = 0; i < data->langs; i++)
		hash = hash_str(hash, buf_str(&data->pieces[i]));
	at = map_start(&data->by_text, hash);
	while (number == SIZE_MAX && map_next(&data->by_text, &at)) {
		const struct text_place *place = &data->texts.items[at.index];

		if (ALL(i, data->langs, str_eq(text_of(data, place, i), buf_str(&data->pieces[i]))))
			number = at.index;
	}
	jsonw_number(&data->json, (int64_t)(number == SIZE_MAX ? add_text(data, hash) : number));
	for (unsigned i = 0; i < data->langs; i++)
		buf_reset(&data->pieces[i]);
}

/* The same node in each language. */
static void put_operators_text(struct data_block *data, const struct doc_node *const *nodes)
{
	for (unsigned i = 0; i < data->langs; i++) {
		if (nodes[i])
			doc_put_html_node(&data->docs[i], nodes[i], &data->pieces[i]);
	}
	put_number(data);
}

static const struct doc_node *inside(const struct doc_node *node)
{
	return node ? node->first : NULL;
}

enum { NO_ITEM = -1 }; /* begins a list of pieces that are no item */

/* A node is a text, an item of a list or a group a list of its pieces, so that what differs is small; documents in two
   languages differ in words alone. */
static void put_texts_of(struct data_block *data, const struct doc_node *first, const struct doc_node *other)
{
	for (; first; first = first->next, other = other ? other->next : NULL) {
		if (first->kind == DOC_BLOCK && first->style == BLOCK_LIST) {
			put_texts_of(data, first->first, inside(other));
		} else if (first->kind == DOC_BLOCK && first->style == BLOCK_GROUP) {
			jsonw_list(&data->json);
			jsonw_number(&data->json, NO_ITEM);
			put_texts_of(data, first->first, inside(other));
			jsonw_list_end(&data->json);
		} else if (first->kind == DOC_BLOCK && first->style == BLOCK_ITEM) {
			jsonw_list(&data->json);
			put_texts_of(data, first->first, inside(other));
			jsonw_list_end(&data->json);
		} else {
			put_operators_text(data, (const struct doc_node *[PAGE_LANGS]){ first, other });
		}
	}
}

static void put_cells(struct data_block *data, const struct result_operator *op)
{
	jsonw_list(&data->json);
	for (size_t i = 0; i < data->rows->targets; i++) {
		const struct doc_node *cells[PAGE_LANGS];

		for (unsigned j = 0; j < data->langs; j++) {
			doc_open(&data->docs[j], BLOCK_GROUP);
			status_build(&data->docs[j], &op->verdicts[i]);
			cells[j] = data->docs[j].open;
			doc_close(&data->docs[j]);
		}
		put_operators_text(data, cells);
	}
	jsonw_list_end(&data->json);
}

/* The findings by what their rules mean: that is the same for many operators. */
static void put_findings(struct doc *doc, const struct operator_rows *rows, size_t at)
{
	for (uint32_t i = rows->first[at]; i; i = rows->further[i - 1]) {
		const struct result_finding *finding = &rows->result->findings[i - 1];
		struct str about = doc_format_of(doc, "%s.about", finding->what.id);

		doc_open(doc, BLOCK_LINE);
		doc_tag(doc, SET_SEVERITY, word_for(&severity_words, finding->severity));
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_CODE, str_from(finding->what.id));
		doc_printf(doc, " %.*s: ", STR_ARG(finding->target));
		doc_text(doc, catalog_has(LANG_EN, about) ? catalog_text(doc->options.lang, about) : STR(""));
		doc_close(doc);
	}
}

static void put_details(struct data_block *data, size_t at)
{
	const struct doc_node *details[PAGE_LANGS] = { 0 };
	const struct result_operator *op = &data->rows->result->operators[at];

	jsonw_list(&data->json);
	for (unsigned i = 0; i < data->langs; i++) {
		doc_open(&data->docs[i], BLOCK_GROUP);
		put_findings(&data->docs[i], data->rows, at);
		operator_details_build(&data->docs[i], data->rows->result, op);
		details[i] = data->docs[i].open->first;
		doc_close(&data->docs[i]);
	}
	put_texts_of(data, details[0], details[1]);
	jsonw_list_end(&data->json);
}

/* [name, share in millionths, calls, severity, kind, [statuses], rules, [details], [places]]; statuses, rules and
   details are numbers of texts. */
static void put_operator_row(struct data_block *data, size_t at)
{
	const struct result_operator *op = &data->rows->result->operators[at];
	struct jsonw *json = &data->json;

	jsonw_list(json);
	jsonw_str(json, op->name);
	jsonw_number(json, op->share_ppm);
	jsonw_number(json, (int64_t)op->calls);
	jsonw_number(json, operator_rows_severity(data->rows, at));
	jsonw_str(json, word_for(&dynamic_words, op->dynamic.kind));
	put_cells(data, op);
	for (unsigned i = 0; i < data->langs; i++)
		put_rules_of_findings(data->rows, at, &data->pieces[i]);
	put_number(data);
	put_details(data, at);
	jsonw_list(json);
	for (size_t i = 0; i < op->place_count; i++)
		jsonw_number(json, op->places[i]);
	jsonw_list_end(json);
	jsonw_list_end(json);
}

struct data_range {
	const struct operator_rows *rows;
	const struct render_options *options;
	struct references *references;
};

/* The language of the page, then the other one. */
static struct render_options options_in(const struct render_options *options, unsigned which)
{
	struct render_options ret = *options;

	ret.lang = which ? lang_other(options->lang) : options->lang;
	return ret;
}

/* [word, text in each language] */
static void put_severities(struct data_block *data, const struct render_options *options)
{
	jsonw_key_list(&data->json, "severities");
	for (unsigned i = 0; i < severity_words.count; i++) {
		struct str severity = word_for(&severity_words, i);

		jsonw_list(&data->json);
		jsonw_str(&data->json, severity);
		for (unsigned j = 0; j < data->langs; j++)
			jsonw_str(&data->json, catalog_word(options_in(options, j).lang, "severity", severity));
		jsonw_list_end(&data->json);
	}
	jsonw_list_end(&data->json);
}

/* Of each text, what the second language has in place of its words: steps, 0 where nothing differs, or all of it. */
static void put_other_texts(struct data_block *data)
{
	CLEANUP(html_words_clear) struct html_words words = { .bytes = BUF_UNLIMITED };

	jsonw_key_list(&data->json, "other");
	for (size_t i = 0; i < data->texts.count; i++) {
		struct str first = text_of(data, &data->texts.items[i], 0),
			   other = text_of(data, &data->texts.items[i], 1);

		if (str_eq(first, other))
			jsonw_number(&data->json, 0);
		else if (html_words_compare(&words, first, other))
			html_words_put_steps(&words, &data->json);
		else
			jsonw_str(&data->json, other);
	}
	jsonw_list_end(&data->json);
	jsonw_key(&data->json, "words");
	html_words_put(&words, &data->json);
}

static void put_operator_rows(struct data_block *data, const struct data_range *range)
{
	const struct render_options options[PAGE_LANGS] = { *range->options, options_in(range->options, 1) };

	jsonw_key_list(&data->json, "rows");
	for (size_t i = 0; i < range->rows->count; i++) {
		for (unsigned j = 0; j < data->langs; j++) {
			data->docs[j] = doc_new(DOC_HTML, &options[j]);
			data->docs[j].references = range->references;
		}
		put_operator_row(data, range->rows->order[i]);
		for (unsigned j = 0; j < data->langs; j++) {
			data->docs[j].references = NULL; /* the page's */
			doc_clear(&data->docs[j]);
		}
	}
	jsonw_list_end(&data->json);
}

static void put_data(struct buf *out, enum lang lang UNUSED, const void *ctx)
{
	const struct data_range *range = ctx;
	struct data_block data = { .rows = range->rows,
		.json = jsonw_start(out, 0),
		.langs = range->options->all_langs ? PAGE_LANGS : 1,
		.pieces = { BUF_UNLIMITED, BUF_UNLIMITED },
		.bytes = BUF_UNLIMITED };

	size_t from;

	html(out, "<script type=\"application/json\" id=\"operator-data\">");
	from = out->len;
	jsonw_object(&data.json);
	put_severities(&data, range->options);
	put_operator_rows(&data, range);
	jsonw_key_list(&data.json, "texts");
	for (size_t i = 0; i < data.texts.count; i++)
		jsonw_str(&data.json, text_of(&data, &data.texts.items[i], 0));
	jsonw_list_end(&data.json);
	if (data.langs > 1)
		put_other_texts(&data);
	jsonw_object_end(&data.json);
	html_compact_json(out, from);
	html(out, "</script>\n");
	for (unsigned i = 0; i < PAGE_LANGS; i++)
		buf_clear(&data.pieces[i]);
	buf_clear(&data.bytes);
	map_clear(&data.by_text);
	free(data.texts.items);
}

void operator_data_build(struct doc *doc, const struct operator_rows *rows)
{
	struct data_range *range = arena_alloc(&doc->arena, sizeof(*range));

	*range = (struct data_range){ rows, &doc->options, doc->references };
	if (!doc->second)
		doc_figure(doc, put_data, range);
}
