#include "base/ascii.h"
#include "import/native.h"

#include "base/mem.h"

enum { PARTS = 128, SIGNATURE_BYTES = 64 * 1024 };

/* Arguments or results. */
struct parts {
	struct str items[PARTS];
	size_t count;
	bool full;
};

struct base {
	struct parts positional, keyword, returns; /* keyword: behind "*" */
	bool returns_nothing;
	bool inplace;
};

/* A signature in the making. */
struct writer {
	struct buf args, returns;
	size_t arg_count, return_count;
	bool starred;
};

/* Where the text in quotes that begins at a place ends; the text's length when it does not. */
static size_t quote_end(struct str text, size_t at)
{
	char quote = text.ptr[at];

	for (at++; at < text.len && text.ptr[at] != quote; at++)
		at += text.ptr[at] == '\\';
	return at < text.len ? at : text.len;
}

/* The parts of text between its commas, up to the parenthesis that closes it. Returns what follows that. */
static struct str split(struct str text, struct parts *ret)
{
	size_t depth = 0, start = 0, i = 0;

	for (; i < text.len; i++) {
		char c = text.ptr[i];
		bool ends = !depth && (c == ',' || c == ')');
		struct str part = str_trim(str_sub(text, start, i));

		if (c == '\'' || c == '"')
			i = quote_end(text, i);
		depth += c == '(' || c == '[';
		if (ends && part.len && ret->count < PARTS)
			ret->items[ret->count++] = part;
		else if (ends && part.len)
			ret->full = true;
		if (ends && c == ')')
			break;
		depth -= depth && !ends && (c == ')' || c == ']');
		start = ends ? i + 1 : start;
	}
	return i < text.len ? str_skip(text, i + 1) : STR("");
}

static bool read_base(const struct schema *schema, struct base *ret)
{
	struct parts all = { 0 };
	struct str rest = split(str_skip(schema->signature, 1), &all);
	bool keyword = false;

	*ret = (struct base){ .inplace = schema->kind == SCHEMA_INPLACE };
	for (size_t i = 0; i < all.count; i++) {
		struct parts *list = keyword ? &ret->keyword : &ret->positional;

		if (str_eq(all.items[i], STR("*")))
			keyword = true;
		else
			list->items[list->count++] = all.items[i];
	}
	rest = str_trim(rest);
	rest = str_trim(str_starts(rest, STR("->")) ? str_skip(rest, 2) : rest);
	ret->returns_nothing = str_eq(rest, STR("()"));
	if (str_starts(rest, STR("(")))
		split(str_skip(rest, 1), &ret->returns);
	else
		ret->returns.items[ret->returns.count++] = rest;
	return !all.full && !ret->returns.full;
}

/* --- one argument */

static bool is_written(struct str text)
{
	return str_has(text, STR("!)"));
}

/* The length of an annotation such as "(a!)" at the beginning of text, or 0. */
static size_t annotation(struct str text)
{
	size_t len = 1;

	if (!str_starts(text, STR("(")))
		return 0;
	while (len < text.len && (is_lower(text.ptr[len]) || memchr("!|*-> ", text.ptr[len], 6)))
		len++;
	return len > 1 && len < text.len && text.ptr[len] == ')' ? len + 1 : 0;
}

/* Without annotations; a default value stays as it is. */
static void put_plain(struct buf *buf, struct str text)
{
	while (text.len && text.ptr[0] != '=') {
		size_t skipped = annotation(text);

		if (!skipped)
			buf_byte(buf, text.ptr[0]);
		text = str_skip(text, skipped ? skipped : 1);
	}
	buf_add(buf, text);
}

/* The type, with its annotation. */
static struct str type_of(struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		size_t skipped = annotation(str_skip(text, i));

		if (skipped)
			i += skipped - 1;
		else if (text.ptr[i] == ' ')
			return str_sub(text, 0, i);
	}
	return text;
}

static struct str name_of(struct str text)
{
	return str_tail(str_head(text, '='), ' ');
}

static bool is_list(struct str type)
{
	return str_has(type, STR("["));
}

/* --- writing */

static void begin_arg(struct writer *writer)
{
	buf_add(&writer->args, writer->arg_count++ ? STR(", ") : STR(""));
}

static void begin_return(struct writer *writer)
{
	buf_add(&writer->returns, writer->return_count++ ? STR(", ") : STR(""));
}

static void put_star(struct writer *writer)
{
	if (writer->starred)
		return;
	writer->starred = true;
	begin_arg(writer);
	buf_byte(&writer->args, '*');
}

static void put_arg(struct writer *writer, struct str text, bool plain)
{
	begin_arg(writer);
	if (plain)
		put_plain(&writer->args, text);
	else
		buf_add(&writer->args, text);
}

static void put_keywords(struct writer *writer, const struct parts *keyword, bool plain)
{
	for (size_t i = 0; i < keyword->count; i++) {
		put_star(writer);
		put_arg(writer, keyword->items[i], plain);
	}
}

/* "Tensor(a!)[]" of "Tensor[]" */
static void put_written_type(struct buf *buf, struct str type, char letter)
{
	CLEANUP(buf_clear) struct buf plain = BUF_INIT(SIGNATURE_BYTES);
	struct str tensor = STR("Tensor"), text;

	put_plain(&plain, type);
	text = buf_str(&plain);
	buf_printf(buf, "Tensor(%c!)", letter);
	buf_add(buf, str_starts(text, tensor) ? str_skip(text, tensor.len) : STR(""));
}

/* "growth_tracker_out", a result that stands for an argument that the base writes. */
static void put_named_return(struct writer *writer, struct str argument, bool named)
{
	begin_return(writer);
	put_plain(&writer->returns, type_of(argument));
	if (named)
		buf_printf(&writer->returns, " %.*s_out", STR_ARG(name_of(argument)));
}

/* The first argument that is written: self. The number of arguments when there is none. */
static size_t self_of(const struct base *base)
{
	size_t self = 0;

	while (self < base->positional.count && !is_written(base->positional.items[self]))
		self++;
	return self;
}

/* out= of an in-place operator: self is only read, and what is written comes behind. */
static void put_out_of_inplace(struct writer *writer, const struct base *base)
{
	size_t self = self_of(base);
	struct str type = type_of(base->positional.items[self]);

	for (size_t i = 0; i < base->positional.count; i++)
		put_arg(writer, base->positional.items[i], i == self);
	put_keywords(writer, &base->keyword, false);
	put_star(writer);
	begin_arg(writer);
	put_written_type(&writer->args, type, 'a');
	buf_add(&writer->args, STR(" out"));
	if (!is_list(type)) {
		begin_return(writer);
		buf_add(&writer->returns, STR("Tensor(a!)"));
	}
}

/* Nothing is written: a result for each argument that the base writes, behind those that it has. */
static void put_functional(struct writer *writer, const struct base *base)
{
	size_t self = base->inplace ? self_of(base) : base->positional.count;

	for (size_t i = 0; i < base->positional.count; i++)
		put_arg(writer, base->positional.items[i], true);
	put_keywords(writer, &base->keyword, true);
	if (self < base->positional.count)
		put_named_return(writer, base->positional.items[self], base->returns_nothing);
	for (size_t i = 0; self == base->positional.count && i < base->returns.count; i++) {
		begin_return(writer);
		put_plain(&writer->returns, base->returns.items[i]);
	}
	for (size_t i = 0; i < base->positional.count; i++) {
		if (i != self && is_written(base->positional.items[i]))
			put_named_return(writer, base->positional.items[i], true);
	}
	for (size_t i = 0; i < base->keyword.count; i++) {
		if (is_written(base->keyword.items[i]))
			put_named_return(writer, base->keyword.items[i], true);
	}
}

/* Which letters name what is written, one bit each. */
static unsigned letters_of(const struct parts *parts)
{
	unsigned used = 0;

	for (size_t i = 0; i < parts->count; i++) {
		size_t at = str_find(parts->items[i], STR("!)"));

		if (at != STR_NONE && at && is_lower(parts->items[i].ptr[at - 1]))
			used |= 1u << (parts->items[i].ptr[at - 1] - 'a');
	}
	return used;
}

/* dtype, layout, device and pin_memory together: out= has them already. */
static bool is_option(const struct parts *keyword, size_t at)
{
	enum { OPTIONS = 4 };
	static const struct str options = STR("dtype layout device pin_memory");
	size_t found = 0;

	for (size_t i = 0; i < keyword->count; i++)
		found += str_has_word(options, name_of(keyword->items[i]));
	return found == OPTIONS && str_has_word(options, name_of(keyword->items[at]));
}

/* The first letter that names nothing yet. */
static char take_letter(unsigned *used)
{
	char letter = 'a';

	while (*used >> (letter - 'a') & 1)
		letter++;
	*used |= 1u << (letter - 'a');
	return letter;
}

/* One argument for every result that is a tensor. Returns whether some of them is a list, which out= does not
   return. */
static bool put_outs(struct writer *writer, const struct base *base, unsigned used)
{
	size_t fresh = 0, number = 0;
	bool lists = false;

	for (size_t i = 0; i < base->returns.count; i++)
		fresh += !is_written(base->returns.items[i]);
	for (size_t i = 0; i < base->returns.count; i++) {
		struct str type = type_of(base->returns.items[i]);

		if (is_written(base->returns.items[i]) || !str_starts(type, STR("Tensor"))) {
			number += !is_written(base->returns.items[i]);
			continue;
		}
		put_star(writer);
		begin_arg(writer);
		put_written_type(&writer->args, type, take_letter(&used));
		buf_add(&writer->args, STR(" out"));
		if (fresh > 1)
			buf_printf(&writer->args, "%zu", number);
		number++;
		lists = lists || is_list(type);
	}
	return lists;
}

/* The results of out=: those that the base writes, then the new ones. */
static void put_out_returns(struct writer *writer, const struct base *base, unsigned used)
{
	for (size_t i = 0; i < base->returns.count; i++) {
		if (!is_written(base->returns.items[i]))
			continue;
		begin_return(writer);
		buf_add(&writer->returns, base->returns.items[i]);
	}
	for (size_t i = 0; i < base->returns.count; i++) {
		struct str type = type_of(base->returns.items[i]);

		if (is_written(base->returns.items[i]))
			continue;
		begin_return(writer);
		if (str_starts(type, STR("Tensor")))
			put_written_type(&writer->returns, type, take_letter(&used));
		else
			put_plain(&writer->returns, type);
	}
}

/* Whether the alphabet has a letter for every result. */
static bool has_letters(const struct base *base)
{
	unsigned used = letters_of(&base->positional) | letters_of(&base->keyword);

	return (size_t)__builtin_popcount(used) + base->returns.count < 26;
}

static void put_out(struct writer *writer, const struct base *base)
{
	unsigned used = letters_of(&base->positional) | letters_of(&base->keyword);

	for (size_t i = 0; i < base->positional.count; i++)
		put_arg(writer, base->positional.items[i], !used);
	for (size_t i = 0; i < base->keyword.count; i++) {
		if (is_option(&base->keyword, i))
			continue;
		put_star(writer);
		put_arg(writer, base->keyword.items[i], !used);
	}
	if (!put_outs(writer, base, used))
		put_out_returns(writer, base, used);
}

bool generated_signature(const struct schema *schema, struct str op, struct buf *ret)
{
	struct writer writer = { .args = BUF_INIT(SIGNATURE_BYTES), .returns = BUF_INIT(SIGNATURE_BYTES) };
	bool is_out = str_has(op, STR(".")) && str_ends(op, STR("out"));
	struct base base;
	bool fits = read_base(schema, &base) && schema->signature.len < SIGNATURE_BYTES / 2 && has_letters(&base);

	if (!fits)
		return false;
	if (!is_out)
		put_functional(&writer, &base);
	else if (base.inplace && self_of(&base) < base.positional.count)
		put_out_of_inplace(&writer, &base);
	else
		put_out(&writer, &base);
	buf_byte(ret, '(');
	buf_add(ret, buf_str(&writer.args));
	buf_add(ret, writer.return_count == 1 ? STR(") -> ") : STR(") -> ("));
	buf_add(ret, buf_str(&writer.returns));
	buf_add(ret, writer.return_count == 1 ? STR("") : STR(")"));
	buf_clear(&writer.args);
	buf_clear(&writer.returns);
	return true;
}
