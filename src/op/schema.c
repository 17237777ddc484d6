#include "op/schema.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/words.h"

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
	struct str whole, rest;
	const char *wrong; /* NULL while all is understood */
	struct schema *schema;
	bool keyword_only;           /* behind "*" */
	bool writes;                 /* some argument before "*" is written */
	bool writes_out;             /* some argument behind "*" is written */
	struct schema_param *params; /* NULL: not wanted */
	size_t param_count, param_max;
};

/* What an annotation such as "(a!)" says. */
struct alias {
	bool present, written;
};

static bool fail_at(struct cursor *at, const char *wrong)
{
	if (!at->wrong)
		at->wrong = wrong;
	return false;
}

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
static bool take_alias(struct cursor *at, struct alias *ret)
{
	size_t end;
	struct str inside;

	if (!str_starts(at->rest, STR("(")))
		return true;
	end = str_find(at->rest, STR(")"));
	if (end == STR_NONE)
		return fail_at(at, "an alias annotation is not closed");
	inside = str_sub(at->rest, 1, end);
	for (size_t i = 0; i < inside.len; i++) {
		if (!is_lower(inside.ptr[i]) && !memchr("!|*-> ", inside.ptr[i], 6))
			return fail_at(at, "an alias annotation is not understood");
	}
	ret->present = true;
	ret->written = ret->written || str_has(inside, STR("!"));
	at->rest = str_skip(at->rest, end + 1);
	return true;
}

/* "[]", "[2]", "?" and annotations between them. */
static bool take_suffixes(struct cursor *at, struct alias *ret, struct schema_param *param)
{
	for (;;) {
		if (str_starts(at->rest, STR("?"))) {
			param->optional = true;
			at->rest = str_skip(at->rest, 1);
		} else if (str_starts(at->rest, STR("["))) {
			size_t end = str_find(at->rest, STR("]"));

			if (end == STR_NONE)
				return fail_at(at, "a list type is not closed");
			for (size_t i = 1; i < end; i++) {
				if (!is_digit(at->rest.ptr[i]))
					return fail_at(at, "the size of a list type is no number");
			}
			param->list = true; /* a question mark before the brackets is about the items of the list */
			param->optional_item = param->optional;
			param->optional = false;
			at->rest = str_skip(at->rest, end + 1);
		} else if (str_starts(at->rest, STR("("))) {
			if (!take_alias(at, ret))
				return false;
		} else {
			return true;
		}
	}
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

static bool take_type(struct cursor *at, struct alias *ret, struct schema_param *param)
{
	struct str before, word;

	skip_blanks(at);
	before = at->rest;
	word = take_word(at);
	param->type = TYPE_OBJECT;
	if (!word.len || (!find_type(word, &param->type) && !take_class(at, &word))) {
		at->rest = before;
		return fail_at(at, "this type is not known");
	}
	return take_suffixes(at, ret, param);
}

/* A text in quotes, in which a backslash takes the next character's meaning. */
static bool take_quoted(struct cursor *at)
{
	char quote = at->rest.ptr[0];
	size_t i = 1;

	for (; i < at->rest.len && at->rest.ptr[i] != quote; i++)
		i += at->rest.ptr[i] == '\\';
	if (i >= at->rest.len)
		return fail_at(at, "a default value is not closed");
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
		return fail_at(at, "a default value is not understood");
	at->rest = str_skip(at->rest, len + list);
	return true;
}

/* Notes an argument where they are wanted. */
static bool keep_param(struct cursor *at, const struct schema_param *param)
{
	if (!at->params)
		return true;
	if (at->param_count == at->param_max)
		return fail_at(at, "there are too many arguments");
	at->params[at->param_count++] = *param;
	return true;
}

static bool take_argument(struct cursor *at)
{
	struct alias alias = { 0 };
	struct schema_param param = { .keyword_only = at->keyword_only };

	if (take_token(at, "*")) {
		at->keyword_only = true;
		return true;
	}
	if (!take_type(at, &alias, &param))
		return false;
	if (str_starts(at->rest, STR(" ")))
		param.name = take_word(at);
	if (!param.name.len)
		return fail_at(at, "an argument has no name");
	param.written = alias.written;
	if (alias.written && at->keyword_only)
		at->writes_out = true;
	else if (alias.written)
		at->writes = true;
	at->schema->takes_tensor = at->schema->takes_tensor || param.type == TYPE_TENSOR;
	return keep_param(at, &param) && (take_token(at, "=") ? take_default(at) : true);
}

static bool take_arguments(struct cursor *at)
{
	if (!take_token(at, "("))
		return fail_at(at, "\"(\" is expected");
	if (take_token(at, ")"))
		return true;
	do {
		if (!take_argument(at))
			return false;
	} while (take_token(at, ","));
	return take_token(at, ")") || fail_at(at, "\",\" or \")\" is expected");
}

static bool take_return(struct cursor *at, bool *ret_alias)
{
	struct alias alias = { 0 };
	struct schema_param ignored = { 0 };

	if (!take_type(at, &alias, &ignored))
		return false;
	*ret_alias = *ret_alias || (alias.present && !alias.written);
	if (str_starts(at->rest, STR(" ")))
		take_word(at);
	return true;
}

static bool take_returns(struct cursor *at)
{
	if (!take_token(at, "->"))
		return fail_at(at, "\"->\" is expected");
	if (!take_token(at, "("))
		return take_return(at, &at->schema->is_view);
	if (take_token(at, ")"))
		return true;
	do {
		if (!take_return(at, &at->schema->is_view))
			return false;
	} while (take_token(at, ","));
	return take_token(at, ")") || fail_at(at, "\",\" or \")\" is expected");
}

bool schema_is_name(struct str text)
{
	struct str base = { 0 };

	if (!text.len || is_digit(text.ptr[0]) || text.ptr[0] == '.' || text.ptr[text.len - 1] == '.')
		return false;
	str_cut(&text, '.', &base);
	return str_is_word(base, "") && str_is_word(text, "");
}

/* The base ends in one underscore, or is one of Python's in-place methods such as __iadd__. */
static bool is_inplace(struct str op)
{
	struct str base = str_head(op, '.');

	if (str_starts(base, STR("__")) && str_ends(base, STR("__")) && base.len > 5)
		return base.ptr[2] == 'i' && !str_starts(base, STR("__in")) && !str_starts(base, STR("__is"));
	return str_ends(base, STR("_")) && !str_ends(base, STR("__"));
}

static enum schema_kind kind_of(const struct cursor *at)
{
	if (is_inplace(at->schema->op))
		return SCHEMA_INPLACE;
	if (at->writes_out)
		return SCHEMA_OUT;
	return at->writes ? SCHEMA_MUTABLE : SCHEMA_FUNCTIONAL;
}

bool schema_parse(struct str text, struct schema *ret, const char **ret_wrong, size_t *ret_at)
{
	struct schema schema = { 0 };
	struct cursor at = { .whole = text, .rest = text, .schema = &schema };
	size_t open = str_find(text, STR("("));

	schema.op = str_trim(open == STR_NONE ? text : str_sub(text, 0, open));
	if (!schema_is_name(schema.op))
		fail_at(&at, "this is no name of an operator");
	if (!at.wrong && open != STR_NONE) {
		schema.signature = str_trim(str_skip(text, open));
		at.rest = str_skip(text, open);
		if (take_arguments(&at) && take_returns(&at)) {
			skip_blanks(&at);
			if (at.rest.len)
				fail_at(&at, "something follows the result");
		}
	}
	schema.kind = kind_of(&at);
	*ret_at = (size_t)(at.rest.ptr - text.ptr);
	*ret_wrong = at.wrong;
	if (!at.wrong)
		*ret = schema;
	return !at.wrong;
}

bool schema_params(struct str signature, struct schema_param *ret, size_t max, size_t *ret_count)
{
	struct schema schema = { 0 };
	struct cursor at = {
		.whole = signature, .rest = signature, .schema = &schema, .params = ret, .param_max = max
	};

	if (!take_arguments(&at))
		return false;
	*ret_count = at.param_count;
	return true;
}

struct str schema_kind_name(enum schema_kind kind)
{
	static const struct str names[] = { [SCHEMA_FUNCTIONAL] = STR("functional"),
		[SCHEMA_INPLACE] = STR("inplace"),
		[SCHEMA_OUT] = STR("out"),
		[SCHEMA_MUTABLE] = STR("mutable") };

	return names[kind];
}
