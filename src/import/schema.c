#include "import/schema.h"

#include "base/mem.h"
#include "base/utf8.h"

static const char *const types[] = { "Tensor", "int", "SymInt", "float", "bool", "SymBool", "str", "Scalar",
	"ScalarType", "Layout", "Device", "DeviceIndex", "MemoryFormat", "Generator", "Dimname", "QScheme", "Storage",
	"Stream", "ConstQuantizerPtr", "DimVector", "ArrayRef", "Any" };

struct cursor {
	struct str whole, rest;
	const char *wrong; /* NULL while all is understood */
	struct schema *schema;
	bool keyword_only; /* behind "*" */
	bool writes; /* some argument before "*" is written */
	bool writes_out; /* some argument behind "*" is written */
};

/* What an annotation such as "(a!)" says. */
struct alias {
	bool present, written;
};

static bool fail(struct cursor *at, const char *wrong)
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

static bool take(struct cursor *at, const char *token)
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

static bool is_type(struct str word)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (str_eq(word, str_from(types[i])))
			return true;
	}
	return false;
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
		return fail(at, "an alias annotation is not closed");
	inside = str_sub(at->rest, 1, end);
	for (size_t i = 0; i < inside.len; i++) {
		if (!is_lower(inside.ptr[i]) && !memchr("!|*-> ", inside.ptr[i], 6))
			return fail(at, "an alias annotation is not understood");
	}
	ret->present = true;
	ret->written = ret->written || str_has(inside, STR("!"));
	at->rest = str_skip(at->rest, end + 1);
	return true;
}

/* "[]", "[2]", "?" and annotations between them. */
static bool take_suffixes(struct cursor *at, struct alias *ret)
{
	for (;;) {
		if (str_starts(at->rest, STR("?"))) {
			at->rest = str_skip(at->rest, 1);
		} else if (str_starts(at->rest, STR("["))) {
			size_t end = str_find(at->rest, STR("]"));

			if (end == STR_NONE)
				return fail(at, "a list type is not closed");
			for (size_t i = 1; i < end; i++) {
				if (!is_digit(at->rest.ptr[i]))
					return fail(at, "the size of a list type is no number");
			}
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

static bool take_type(struct cursor *at, struct alias *ret, bool *ret_tensor)
{
	struct str before, word;

	skip_blanks(at);
	before = at->rest;
	word = take_word(at);
	if (!word.len || (!is_type(word) && !take_class(at, &word))) {
		at->rest = before;
		return fail(at, "this type is not known");
	}
	*ret_tensor = str_eq(word, STR("Tensor"));
	return take_suffixes(at, ret);
}

/* A text in quotes, in which a backslash takes the next character's meaning. */
static bool take_quoted(struct cursor *at)
{
	char quote = at->rest.ptr[0];
	size_t i = 1;

	for (; i < at->rest.len && at->rest.ptr[i] != quote; i++)
		i += at->rest.ptr[i] == '\\';
	if (i >= at->rest.len)
		return fail(at, "a default value is not closed");
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
		return fail(at, "a default value is not understood");
	at->rest = str_skip(at->rest, len + list);
	return true;
}

static bool take_argument(struct cursor *at)
{
	struct alias alias = { 0 };
	bool tensor = false;

	if (take(at, "*")) {
		at->keyword_only = true;
		return true;
	}
	if (!take_type(at, &alias, &tensor))
		return false;
	if (!str_starts(at->rest, STR(" ")) || !take_word(at).len)
		return fail(at, "an argument has no name");
	if (alias.written && at->keyword_only)
		at->writes_out = true;
	else if (alias.written)
		at->writes = true;
	at->schema->takes_tensor = at->schema->takes_tensor || tensor;
	return take(at, "=") ? take_default(at) : true;
}

static bool take_arguments(struct cursor *at)
{
	if (!take(at, "("))
		return fail(at, "\"(\" is expected");
	if (take(at, ")"))
		return true;
	do {
		if (!take_argument(at))
			return false;
	} while (take(at, ","));
	return take(at, ")") || fail(at, "\",\" or \")\" is expected");
}

static bool take_return(struct cursor *at, bool *ret_alias)
{
	struct alias alias = { 0 };
	bool tensor;

	if (!take_type(at, &alias, &tensor))
		return false;
	*ret_alias = *ret_alias || (alias.present && !alias.written);
	if (str_starts(at->rest, STR(" ")))
		take_word(at);
	return true;
}

static bool take_returns(struct cursor *at)
{
	if (!take(at, "->"))
		return fail(at, "\"->\" is expected");
	if (!take(at, "("))
		return take_return(at, &at->schema->is_view);
	if (take(at, ")"))
		return true;
	do {
		if (!take_return(at, &at->schema->is_view))
			return false;
	} while (take(at, ","));
	return take(at, ")") || fail(at, "\",\" or \")\" is expected");
}

bool schema_is_name(struct str text)
{
	size_t points = 0;

	if (!text.len || is_digit(text.ptr[0]) || text.ptr[0] == '.' || text.ptr[text.len - 1] == '.')
		return false;
	for (size_t i = 0; i < text.len; i++) {
		points += text.ptr[i] == '.';
		if (!is_word(text.ptr[i]) && text.ptr[i] != '.')
			return false;
	}
	return points <= 1;
}

/* The base ends in one underscore, or is one of Python's in-place methods such as __iadd__. */
static bool is_inplace(struct str op)
{
	struct str base = op;

	str_cut(&op, '.', &base);
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
		fail(&at, "this is no name of an operator");
	if (!at.wrong && open != STR_NONE) {
		schema.signature = str_trim(str_skip(text, open));
		at.rest = str_skip(text, open);
		if (take_arguments(&at) && take_returns(&at)) {
			skip_blanks(&at);
			if (at.rest.len)
				fail(&at, "something follows the result");
		}
	}
	schema.kind = kind_of(&at);
	*ret_at = (size_t)(at.rest.ptr - text.ptr);
	*ret_wrong = at.wrong;
	if (!at.wrong)
		*ret = schema;
	return !at.wrong;
}

int schema_read(const struct input *input, size_t line, struct str text, struct schema *ret, struct err *err)
{
	const char *wrong;
	size_t at;

	if (schema_parse(text, ret, &wrong, &at))
		return 0;
	return input_error(input, line, err, "%s: \"%s\"", wrong, shown(str_skip(text, at)).text);
}

struct str schema_kind_name(enum schema_kind kind)
{
	static const struct str names[] = { [SCHEMA_FUNCTIONAL] = STR("functional"),
		[SCHEMA_INPLACE] = STR("inplace"),
		[SCHEMA_OUT] = STR("out"),
		[SCHEMA_MUTABLE] = STR("mutable") };

	return names[kind];
}
