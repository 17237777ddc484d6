#include "report/doc/html_words.h"

#include "base/memory/hash.h"
#include "base/view/ascii.h"

/* --- the texts and attributes of HTML that opcheck wrote */

enum token_kind { TOKEN_END, TOKEN_TAG, TOKEN_ATTRIBUTE, TOKEN_TEXT };

struct token {
	enum token_kind kind;
	struct str name, value; /* a tag has a name alone, a text a value */
};

struct html_cursor {
	struct str rest;
	bool in_tag;
};

static struct str cut_to(struct str *rest, struct str ends)
{
	struct str text = *rest;
	size_t len = 0;

	while (len < text.len && !memchr(ends.ptr, text.ptr[len], ends.len))
		len++;
	*rest = str_skip(text, len);
	return str_sub(text, 0, len);
}

/* A name, and a value in quotes where it has one. */
static struct token cut_attribute(struct str *rest)
{
	struct token token = { .kind = TOKEN_ATTRIBUTE, .name = cut_to(rest, STR("= />\n")) };

	if (str_starts(*rest, STR("=\""))) {
		*rest = str_skip(*rest, 2);
		token.value = cut_to(rest, STR("\""));
		*rest = str_skip(*rest, rest->len > 0);
	}
	return token;
}

static void skip_script(struct str *rest)
{
	static const struct str end = STR("</script>");
	size_t at = str_find(*rest, end);

	*rest = str_skip(*rest, at == STR_NONE ? rest->len : at + end.len);
}

static struct token next_in_tag(struct html_cursor *cursor)
{
	while (cursor->rest.len && memchr(" />=\n", cursor->rest.ptr[0], 5)) {
		cursor->in_tag = cursor->rest.ptr[0] != '>';
		cursor->rest = str_skip(cursor->rest, 1);
		if (!cursor->in_tag)
			return (struct token){ .kind = TOKEN_END };
	}
	return cursor->rest.len ? cut_attribute(&cursor->rest) : (struct token){ .kind = TOKEN_END };
}

static struct token next_token(struct html_cursor *cursor)
{
	while (cursor->rest.len) {
		struct token token = cursor->in_tag ? next_in_tag(cursor) : (struct token){ .kind = TOKEN_END };

		if (token.kind != TOKEN_END)
			return token;
		if (str_starts(cursor->rest, STR("<script"))) {
			skip_script(&cursor->rest);
		} else if (str_starts(cursor->rest, STR("<"))) {
			cursor->in_tag = true;
			return (struct token){ .kind = TOKEN_TAG, .name = cut_to(&cursor->rest, STR(" >\n")) };
		} else {
			token.value = cut_to(&cursor->rest, STR("<"));
			token.kind = TOKEN_TEXT;
			if (str_trim(token.value).len)
				return token;
		}
	}
	return (struct token){ .kind = TOKEN_END };
}

/* --- words */

void html_words_clear(struct html_words *words)
{
	buf_clear(&words->bytes);
	map_clear(&words->by_text);
	free(words->ends.items);
	free(words->steps.items);
}

static struct str word_at(const struct html_words *words, size_t at)
{
	return str_sub(buf_str(&words->bytes), at ? words->ends.items[at - 1] : 0, words->ends.items[at]);
}

static uint32_t number_of(struct html_words *words, struct str word)
{
	uint64_t hash = hash_str(hash_seed(), word);
	struct map_cursor at = map_start(&words->by_text, hash);

	while (map_next(&words->by_text, &at)) {
		if (str_eq(word_at(words, at.index), word))
			return at.index;
	}
	map_add(&words->by_text, hash, (uint32_t)words->ends.count);
	buf_add(&words->bytes, word);
	MEM_PUSH(&words->ends, words->bytes.len);
	return (uint32_t)words->ends.count - 1;
}

bool html_words_compare(struct html_words *words, struct str first, struct str other)
{
	struct html_cursor left = { .rest = first }, right = { .rest = other };
	uint32_t stay = 0;

	words->steps.count = 0;
	for (;;) {
		struct token old = next_token(&left), new = next_token(&right);

		if (old.kind != new.kind || !str_eq(old.name, new.name))
			return false;
		if (old.kind == TOKEN_END)
			return true;
		if (old.kind == TOKEN_TAG)
			continue;
		if (str_eq(old.value, new.value)) {
			stay++;
			continue;
		}
		MEM_PUSH(&words->steps, stay);
		MEM_PUSH(&words->steps, number_of(words, new.value));
		stay = 0;
	}
}

void html_words_put_steps(const struct html_words *words, struct jsonw *json)
{
	jsonw_list(json);
	for (size_t i = 0; i < words->steps.count; i++)
		jsonw_number(json, words->steps.items[i]);
	jsonw_list_end(json);
}

void html_words_put(const struct html_words *words, struct jsonw *json)
{
	jsonw_list(json);
	for (size_t i = 0; i < words->ends.count; i++)
		jsonw_str(json, word_at(words, i));
	jsonw_list_end(json);
}

/* --- JSON in a page */

/* Returns whether '<' before it is safe in a script element, which ends at "</script" and continues past it after
   "<!--". */
static bool is_plain_tag(struct str rest)
{
	if (str_starts(rest, STR("/")))
		rest = str_skip(rest, 1);
	return rest.len > 1 && is_alpha(rest.ptr[0]) && rest.ptr[1] != 'c' && rest.ptr[1] != 'C';
}

void html_compact_json(struct buf *out, size_t from)
{
	struct str json = buf_str(out);
	size_t to = from;
	bool quoted = false;

	for (size_t i = from; i < json.len; i++) {
		struct str rest = str_skip(json, i);
		bool less = str_starts(rest, STR("\\u003c"));

		if (!quoted && json.ptr[i] == ' ')
			continue;
		if (str_starts(rest, STR("\\u003e")) || (less && is_plain_tag(str_skip(rest, 6)))) {
			out->ptr[to++] = less ? '<' : '>';
			i += 5;
			continue;
		}
		quoted ^= json.ptr[i] == '"';
		out->ptr[to++] = json.ptr[i];
		if (json.ptr[i] == '\\')
			out->ptr[to++] = json.ptr[++i];
	}
	out->ptr[to] = 0;
	out->len = to;
}
