#include "op/schema.h"

#include "base/memory/mem.h"
#include "base/value/words.h"
#include "base/view/ascii.h"

static const struct {
	struct str word;
	enum schema_type type;
} types[] = {
	{ STR("Tensor"), TYPE_TENSOR },
	{ STR("int"), TYPE_INT },
	{ STR("SymInt"), TYPE_INT },
	{ STR("float"), TYPE_FLOAT },
	{ STR("bool"), TYPE_BOOL },
	{ STR("SymBool"), TYPE_BOOL },
	{ STR("str"), TYPE_TEXT },
	{ STR("Scalar"), TYPE_SCALAR },
	{ STR("ScalarType"), TYPE_CODE },
	{ STR("Layout"), TYPE_CODE },
	{ STR("Device"), TYPE_DEVICE },
	{ STR("DeviceIndex"), TYPE_CODE },
	{ STR("MemoryFormat"), TYPE_CODE },
	{ STR("Generator"), TYPE_OBJECT },
	{ STR("Dimname"), TYPE_DIMNAME },
	{ STR("QScheme"), TYPE_CODE },
	{ STR("Storage"), TYPE_OBJECT },
	{ STR("Stream"), TYPE_OBJECT },
	{ STR("ConstQuantizerPtr"), TYPE_OBJECT },
	{ STR("DimVector"), TYPE_OBJECT },
	{ STR("ArrayRef"), TYPE_OBJECT },
	{ STR("Any"), TYPE_ANY },
};

struct cursor {
	struct str rest;
	bool keyword_only; /* behind "*" */
	struct schema_param *params;
	size_t param_count, param_max;
};

static void skip_blanks(struct cursor *at)
{
	while (str_starts(at->rest, STR(" ")))
		at->rest = str_skip(at->rest, 1);
}

static bool take_token(struct cursor *at, const char *token)
{
	skip_blanks(at);
	if (!str_starts(at->rest, str_from(token)))
		return false;
	at->rest = str_skip(at->rest, strlen(token));
	return true;
}

static struct str take_word(struct cursor *at)
{
	size_t len = 0;

	skip_blanks(at);
	while (len < at->rest.len && is_word(at->rest.ptr[len]))
		len++;
	at->rest = str_skip(at->rest, len);
	return (struct str){ at->rest.ptr - len, len };
}

static bool find_type(struct str word, enum schema_type *ret)
{
	size_t at = STR_POSITION(types, ARRAY_SIZE(types), word);

	if (at != STR_NONE)
		*ret = types[at].type;
	return at != STR_NONE;
}

/* "(a)", "(a!)", "(a|b)", "(a -> *)" */
static bool take_alias(struct cursor *at, struct schema_param *param)
{
	size_t end = str_find(at->rest, STR(")"));
	struct str inside;

	if (end == STR_NONE)
		return false;
	inside = str_sub(at->rest, 1, end);
	if (ANY(i, inside.len, !is_lower(inside.ptr[i]) && !memchr("!|*-> ", inside.ptr[i], 6)))
		return false;
	param->written = param->written || str_has(inside, STR("!"));
	at->rest = str_skip(at->rest, end + 1);
	return true;
}

/* "[]", "[2]": a question mark before the brackets is about the items of the list. */
static bool take_brackets(struct cursor *at, struct schema_param *param)
{
	size_t end = str_find(at->rest, STR("]"));

	if (end == STR_NONE)
		return false;
	for (size_t i = 1; i < end; i++) {
		if (!is_digit(at->rest.ptr[i]))
			return false;
	}
	param->list = true;
	param->optional_item = param->optional;
	param->optional = false;
	at->rest = str_skip(at->rest, end + 1);
	return true;
}

/* Brackets, "?" and annotations between them. */
static bool take_suffixes(struct cursor *at, struct schema_param *param)
{
	bool fits = true;

	while (fits && at->rest.len && memchr("?[(", at->rest.ptr[0], 3)) {
		if (at->rest.ptr[0] == '[') {
			fits = take_brackets(at, param);
		} else if (at->rest.ptr[0] == '(') {
			fits = take_alias(at, param);
		} else {
			param->optional = true;
			at->rest = str_skip(at->rest, 1);
		}
	}
	return fits;
}

/* A name with points: "__torch__.torch.classes.rnn.CellParamsBase" */
static bool take_class(struct cursor *at, struct str *word)
{
	if (!str_eq(*word, STR("__torch__")))
		return false;
	while (str_starts(at->rest, STR(".")) && at->rest.len > 1 && is_word(at->rest.ptr[1])) {
		at->rest = str_skip(at->rest, 1);
		take_word(at);
	}
	return true;
}

static bool take_type(struct cursor *at, struct schema_param *param)
{
	struct str word = take_word(at);

	param->type = TYPE_OBJECT;
	return word.len && (find_type(word, &param->type) || take_class(at, &word)) && take_suffixes(at, param);
}

/* A text in quotes, in which a backslash takes the next character's meaning. */
static bool take_quoted(struct cursor *at)
{
	char quote = at->rest.ptr[0];
	size_t i = 1;

	for (; i < at->rest.len && at->rest.ptr[i] != quote; i++)
		i += at->rest.ptr[i] == '\\';
	if (i >= at->rest.len)
		return false;
	at->rest = str_skip(at->rest, i + 1);
	return true;
}

/* A text, a word or a number, or a list of such in brackets. */
static bool take_default(struct cursor *at)
{
	bool list = str_starts(at->rest, STR("["));
	size_t len = list;

	if (at->rest.len && (at->rest.ptr[0] == '\'' || at->rest.ptr[0] == '"'))
		return take_quoted(at);
	while (len < at->rest.len &&
		(is_word(at->rest.ptr[len]) || memchr(list ? ".+-, " : ".+-", at->rest.ptr[len], list ? 5 : 3)))
		len++;
	if (!len || (list && (len == at->rest.len || at->rest.ptr[len] != ']')))
		return false;
	at->rest = str_skip(at->rest, len + list);
	return true;
}

static bool take_argument(struct cursor *at)
{
	struct schema_param param = { .keyword_only = at->keyword_only };

	if (take_token(at, "*")) {
		at->keyword_only = true;
		return true;
	}
	if (!take_type(at, &param))
		return false;
	if (str_starts(at->rest, STR(" ")))
		param.name = take_word(at);
	if (!param.name.len || at->param_count == at->param_max)
		return false;
	at->params[at->param_count++] = param;
	return take_token(at, "=") ? take_default(at) : true;
}

bool schema_is_name(struct str text)
{
	struct str base = { 0 };

	if (!text.len || is_digit(text.ptr[0]) || text.ptr[0] == '.' || text.ptr[text.len - 1] == '.')
		return false;
	str_cut(&text, '.', &base);
	return str_is_word(base, "") && str_is_word(text, "");
}

bool schema_params(struct str signature, struct schema_param *ret, size_t max, size_t *ret_count)
{
	struct cursor at = { .rest = signature, .params = ret, .param_max = max };
	bool fits = take_token(&at, "(");

	if (fits && !take_token(&at, ")")) {
		do
			fits = take_argument(&at);
		while (fits && take_token(&at, ","));
		fits = fits && take_token(&at, ")");
	}
	*ret_count = at.param_count;
	return fits;
}
