#include "report/operator_rows.h"

#include "base/hash.h"
#include "base/mem.h"
#include "json/jsonw.h"
#include "report/htmlw.h"
#include "report/operator_index.h"

/* --- findings of operators, and the order that follows from them */

/* Findings are sorted by severity, so from the last to the first: an operator's chain begins with its gravest. */
static void chain_findings(struct operator_rows *rows, uint32_t *first, uint32_t *further)
{
	struct operator_index index = operator_index_of(rows->result);

	for (size_t i = rows->result->finding_count; i-- > 0;) {
		const struct result_operator *op = operator_index_find(&index, rows->result->findings[i].operator_name);

		if (!op)
			continue;
		further[i] = first[op - rows->result->operators];
		first[op - rows->result->operators] = (uint32_t)i + 1;
	}
	operator_index_clear(&index);
	rows->first = first;
	rows->further = further;
}

static uint32_t *zeroed(struct doc *doc, size_t count)
{
	uint32_t *ret = arena_alloc(&doc->arena, (count + 1) * sizeof(ret[0]));

	memset(ret, 0, (count + 1) * sizeof(ret[0]));
	return ret;
}

const struct operator_rows *operator_rows_of(struct doc *doc, const struct result *result, size_t targets)
{
	struct operator_rows *rows = arena_alloc(&doc->arena, sizeof(*rows));
	unsigned most = doc->options.rows;
	uint32_t *order;
	size_t at = 0;

	*rows = (struct operator_rows){ .result = result, .targets = targets, .count = result->operator_count };
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

/* Whether an earlier finding of the chain is of the rule. */
static bool is_told(const struct operator_rows *rows, uint32_t from, uint32_t at)
{
	for (; from != at; from = rows->further[from - 1]) {
		if (strcmp(rows->result->findings[from - 1].what.id, rows->result->findings[at - 1].what.id) == 0)
			return true;
	}
	return false;
}

void operator_rows_put_rules(const struct operator_rows *rows, size_t at, struct buf *out)
{
	uint32_t first = rows->first ? rows->first[at] : 0;

	for (uint32_t i = first; i; i = rows->further[i - 1]) {
		if (!is_told(rows, first, i))
			buf_printf(out, "%s%s", out->len ? " " : "", rows->result->findings[i - 1].what.id);
	}
}

/* --- the block of data */

struct text_place {
	size_t start, len;
};

struct data_block {
	const struct operator_rows *rows;
	struct jsonw json;
	struct doc doc;   /* one row's, then cleared */
	struct buf piece; /* scratch */
	struct buf bytes; /* the texts, one behind the other */
	MEM_LIST(struct text_place) texts;
	struct map by_text;
};

/* The number of the text in the scratch, which is emptied. */
static int64_t text_number(struct data_block *data)
{
	struct str text = buf_str(&data->piece);
	uint64_t hash = hash_str(hash_seed(), text);
	struct map_cursor at = map_start(&data->by_text, hash);
	struct text_place place = { data->bytes.len, text.len };

	while (map_next(&data->by_text, &at)) {
		const struct text_place *known = &data->texts.items[at.index];

		if (str_eq(str_sub(buf_str(&data->bytes), known->start, known->start + known->len), text)) {
			buf_reset(&data->piece);
			return at.index;
		}
	}
	map_add(&data->by_text, hash, (uint32_t)data->texts.count);
	buf_add(&data->bytes, text);
	buf_reset(&data->piece);
	MEM_PUSH(&data->texts, place);
	return (int64_t)data->texts.count - 1;
}

static void put_text(struct data_block *data, const struct doc_node *node)
{
	doc_put_html_node(&data->doc, node, &data->piece);
	jsonw_number(&data->json, text_number(data));
}

/* Every node is a text, and so is every item of a list. */
static void put_texts_of(struct data_block *data, const struct doc_node *node)
{
	for (; node; node = node->next) {
		if (node->kind == DOC_BLOCK && node->style == BLOCK_LIST)
			put_texts_of(data, node->first);
		else
			put_text(data, node);
	}
}

static void put_cells(struct data_block *data, const struct result_operator *op)
{
	jsonw_list(&data->json);
	for (size_t i = 0; i < data->rows->targets; i++) {
		doc_open(&data->doc, BLOCK_GROUP);
		status_build(&data->doc, &op->verdicts[i]);
		put_text(data, data->doc.open);
		doc_close(&data->doc);
	}
	jsonw_list_end(&data->json);
}

static void put_details(struct data_block *data, const struct result_operator *op)
{
	jsonw_list(&data->json);
	doc_open(&data->doc, BLOCK_GROUP);
	operator_details_build(&data->doc, op);
	put_texts_of(data, data->doc.open->first);
	doc_close(&data->doc);
	jsonw_list_end(&data->json);
}

/* [name, share in millionths, calls, severity, kind, [statuses], rules, [details]]; the last three count texts. */
static void put_row(struct data_block *data, size_t at)
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
	operator_rows_put_rules(data->rows, at, &data->piece);
	jsonw_number(json, text_number(data));
	put_details(data, op);
	jsonw_list_end(json);
}

static void put_severities(struct jsonw *json, enum lang lang)
{
	jsonw_key_list(json, "severities");
	for (unsigned i = 0; i < severity_words.count; i++) {
		struct buf id = BUF_UNLIMITED;

		buf_printf(&id, "severity.%.*s", STR_ARG(word_for(&severity_words, i)));
		jsonw_list(json);
		jsonw_str(json, word_for(&severity_words, i));
		jsonw_str(json, catalog_text(lang, buf_str(&id)));
		jsonw_list_end(json);
		buf_clear(&id);
	}
	jsonw_list_end(json);
}

struct data_range {
	const struct operator_rows *rows;
	const struct render_options *options;
	size_t from;
};

static void put_texts(struct data_block *data)
{
	jsonw_key_list(&data->json, "texts");
	for (size_t i = 0; i < data->texts.count; i++) {
		const struct text_place *place = &data->texts.items[i];

		jsonw_str(&data->json, str_sub(buf_str(&data->bytes), place->start, place->start + place->len));
	}
	jsonw_list_end(&data->json);
}

static void put_data(struct buf *out, enum lang lang, const void *ctx)
{
	const struct data_range *range = ctx;
	struct data_block data = {
		.rows = range->rows, .json = jsonw_start(out, 0), .piece = BUF_UNLIMITED, .bytes = BUF_UNLIMITED
	};

	html(out, "<script type=\"application/json\" id=\"operator-data\">");
	jsonw_object(&data.json);
	put_severities(&data.json, lang);
	jsonw_key_list(&data.json, "rows");
	for (size_t i = range->from; i < range->rows->count; i++) {
		data.doc = doc_new(DOC_HTML, range->options);
		put_row(&data, range->rows->order[i]);
		doc_clear(&data.doc);
	}
	jsonw_list_end(&data.json);
	put_texts(&data);
	jsonw_object_end(&data.json);
	html(out, "</script>\n");
	buf_clear(&data.piece);
	buf_clear(&data.bytes);
	map_clear(&data.by_text);
	free(data.texts.items);
}

void operator_data_build(struct doc *doc, const struct operator_rows *rows, size_t from)
{
	struct data_range *range = arena_alloc(&doc->arena, sizeof(*range));

	*range = (struct data_range){ rows, &doc->options, from };
	doc_figure(doc, put_data, range);
}
