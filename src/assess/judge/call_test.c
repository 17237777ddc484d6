#include "assess/judge/call_test.h"

#include "assess/judge/view_copy.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "opdb/model/dtype.h"

/* --- arguments */

/* One test: "outside:self,index@dim>8". */
struct atom {
	struct str name, first, second, dim;
	char compared; /* '<', '>' or 0 */
	int64_t limit;
};

static size_t argument_named(const struct tested_call *call, struct str name)
{
	size_t i = 0;

	while (call->params && i < call->call->count && !str_eq(call->params[i].name, name))
		i++;
	return call->params && i < call->call->count ? i : STR_NONE;
}

static bool dims_of(const struct shape *shape, size_t argument, unsigned tensor, struct dims *ret)
{
	ret->count = 0;
	for (size_t i = 0; i < shape->count; i++) {
		const struct shape_size *size = &shape->sizes[i];

		if (size->argument != argument || size->tensor != tensor)
			continue;
		if (ret->count == MOST_DIMS)
			return false;
		ret->items[ret->count++] = size->size;
	}
	return ret->count;
}

/* Of an argument that is one tensor with dimensions. */
static bool sizes_named(const struct tested_call *call, struct str name, struct dims *ret)
{
	size_t at = argument_named(call, name);

	return at != STR_NONE && call->call->arguments[at].form == SHAPE_SIZED && dims_of(call->sizes, at, 0, ret);
}

static bool same_dims(const struct dims *a, const struct dims *b)
{
	return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof(a->items[0])) == 0;
}

/* The place of a dimension that an argument or a number names. */
static bool dim_named(const struct tested_call *call, struct str dim, size_t rank, size_t *ret)
{
	size_t at = argument_named(call, dim);
	struct str text = at == STR_NONE ? dim : call->call->arguments[at].value;
	int64_t value;

	if (!text.len || !decimal_scaled(text, 1, &value))
		return false;
	value += value < 0 ? (int64_t)rank : 0;
	*ret = (size_t)value;
	return value >= 0 && (size_t)value < rank;
}

static enum holds holds_if(bool known, bool it)
{
	return !known ? HOLDS_MAYBE : it ? HOLDS : HOLDS_NOT;
}

static enum holds compare_value(const struct atom *atom, bool known, int64_t value)
{
	return holds_if(known, atom->compared == '<' ? value < atom->limit : value > atom->limit);
}

/* --- lists of tensors */

/* The first and the last tensor with dimensions of a list, and how many there are. */
struct listed {
	unsigned first, last, count;
	bool unequal;
};

static bool list_named(const struct tested_call *call, struct str name, struct listed *ret)
{
	size_t at = argument_named(call, name);
	struct dims one, other;

	*ret = (struct listed){ 0 };
	if (at == STR_NONE || call->call->arguments[at].form != SHAPE_NESTED)
		return false;
	for (size_t i = 0; i < call->sizes->count; i++) {
		const struct shape_size *size = &call->sizes->sizes[i];

		if (size->argument != at || (ret->count && size->tensor == ret->last))
			continue;
		if (!ret->count++)
			ret->first = size->tensor;
		ret->last = size->tensor;
		if (!dims_of(call->sizes, at, ret->first, &one) || !dims_of(call->sizes, at, ret->last, &other))
			return false;
		ret->unequal |= !same_dims(&one, &other);
	}
	return ret->count;
}

static enum holds test_unequal(const struct tested_call *call, const struct atom *atom)
{
	struct listed list;
	bool known = list_named(call, atom->first, &list);

	return holds_if(known, list.unequal);
}

static enum holds test_gap(const struct tested_call *call, const struct atom *atom)
{
	struct listed list;
	bool known = list_named(call, atom->first, &list);

	return holds_if(known, list.last - list.first + 1 != list.count);
}

static enum holds test_bool(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);
	struct str word = at == STR_NONE ? STR("") : call->call->arguments[at].word;

	if (str_has(word, STR("Tensor(")))
		return holds_if(true, str_has(word, STR("Tensor(bool)")));
	return call->has_masks;
}

/* "beyond:dim,tensors": the first tensor of the list has no such dimension. */
static enum holds test_beyond(const struct tested_call *call, const struct atom *atom)
{
	size_t list_at = argument_named(call, atom->second), dim;
	struct listed list;
	struct dims first, last;

	if (!list_named(call, atom->second, &list) || list.first || !dims_of(call->sizes, list_at, 0, &first) ||
		!dims_of(call->sizes, list_at, list.last, &last) || !dim_named(call, atom->first, last.count, &dim))
		return HOLDS_MAYBE;
	return holds_if(true, dim >= first.count);
}

/* --- shapes */

static enum holds test_differs(const struct tested_call *call, const struct atom *atom)
{
	struct dims one, other;
	bool known = sizes_named(call, atom->first, &one) && sizes_named(call, atom->second, &other);

	return holds_if(known, known && !same_dims(&one, &other));
}

static enum holds test_outside(const struct tested_call *call, const struct atom *atom)
{
	struct dims one, other;
	bool differ = false;
	size_t dim;

	if (!sizes_named(call, atom->first, &one) || !sizes_named(call, atom->second, &other) ||
		one.count != other.count)
		return HOLDS_MAYBE;
	if (same_dims(&one, &other))
		return HOLDS_NOT;
	if (!dim_named(call, atom->dim, one.count, &dim))
		return HOLDS_MAYBE;
	for (size_t i = 0; i < one.count; i++)
		differ |= i != dim && one.items[i] != other.items[i];
	return holds_if(true, differ);
}

static enum holds test_middle(const struct tested_call *call, const struct atom *atom)
{
	struct dims dims;
	size_t dim = 0;

	if (!sizes_named(call, atom->first, &dims))
		return HOLDS_MAYBE;
	if (dims.count < 3)
		return HOLDS_NOT;
	return dim_named(call, atom->dim, dims.count, &dim) ? holds_if(true, dim && dim + 1 != dims.count)
							    : HOLDS_MAYBE;
}

static enum holds test_length(const struct tested_call *call, const struct atom *atom)
{
	struct dims dims;
	size_t dim = 0;
	bool known = sizes_named(call, atom->first, &dims) &&
		     (dims.count == 1 || dim_named(call, atom->dim, dims.count, &dim));

	return compare_value(atom, known, known ? dims.items[dim] : 0);
}

static enum holds test_rank(const struct tested_call *call, const struct atom *atom)
{
	struct dims dims;
	bool known = sizes_named(call, atom->first, &dims);

	return compare_value(atom, known, known ? (int64_t)dims.count : 0);
}

static enum holds test_count(const struct tested_call *call, const struct atom *atom)
{
	struct dims dims;
	bool known = sizes_named(call, atom->first, &dims);
	int64_t elements = 1;

	for (size_t i = 0; known && i < dims.count; i++) {
		if (__builtin_mul_overflow(elements, dims.items[i], &elements))
			elements = INT64_MAX;
	}
	return compare_value(atom, known, elements);
}

static enum holds argument_is_strided(const struct tested_call *call, size_t at)
{
	static const enum holds holds[] = {
		[VIEW_COPY_AICORE] = HOLDS_NOT, [VIEW_COPY_OPEN] = HOLDS_MAYBE, [VIEW_COPY_AICPU] = HOLDS
	};
	const struct call_argument *argument = &call->call->arguments[at];
	struct dims sizes, strides;

	if (!call->strides || argument->form != SHAPE_SIZED || !dims_of(call->sizes, at, 0, &sizes) ||
		!dims_of(call->strides, at, 0, &strides))
		return HOLDS_MAYBE;
	return holds[view_copy_unit(&sizes, &strides, dtype_from(argument->type))];
}

static enum holds test_strided(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);

	return at == STR_NONE ? HOLDS_MAYBE : argument_is_strided(call, at);
}

enum holds call_writes_strided(const struct tested_call *call)
{
	enum holds worst = HOLDS_NOT;

	for (size_t i = 0; call->strides && call->params && i < call->call->count; i++) {
		enum holds one = call->params[i].written && call->call->arguments[i].form == SHAPE_SIZED
					 ? argument_is_strided(call, i)
					 : HOLDS_NOT;

		worst = one > worst ? one : worst;
	}
	return worst;
}

/* --- types and values */

/* 0 where the dump does not say. */
static unsigned type_named(const struct tested_call *call, struct str name)
{
	size_t at = argument_named(call, name);

	return at == STR_NONE ? 0 : dtype_from(call->call->arguments[at].type);
}

enum holds call_converts_slowly(const struct tested_call *call, const unsigned *slow_casts)
{
	unsigned from = type_named(call, STR("src")), to = type_named(call, STR("self"));

	return from && slow_casts[__builtin_ctz(from)] & to ? HOLDS_MAYBE : HOLDS_NOT;
}

static enum holds test_types(const struct tested_call *call, const struct atom *atom)
{
	unsigned one = type_named(call, atom->first), other = type_named(call, atom->second);

	return holds_if(one && other, one != other);
}

/* "takes:mask,bool,uint8": whether the type is another one. */
static enum holds test_takes(const struct tested_call *call, const struct atom *atom)
{
	unsigned type = type_named(call, atom->first), taken = 0;
	struct str list = atom->second, word;

	while (list.len && str_cut(&list, ',', &word))
		taken |= dtype_from(word);
	return holds_if(type && taken, !(type & taken));
}

static enum holds test_value(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);
	int64_t value = 0;
	bool known = at != STR_NONE && decimal_scaled(call->call->arguments[at].value, 1, &value);

	return compare_value(atom, known, value);
}

static enum holds test_given(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);
	const struct call_argument *argument = at == STR_NONE ? NULL : &call->call->arguments[at];

	if (!call->params)
		return HOLDS_MAYBE;
	if (!argument || argument->may == VALUE_NOTHING)
		return HOLDS_NOT;
	return argument->form == SHAPE_SIZED || argument->type.len || argument->value.len ? HOLDS : HOLDS_MAYBE;
}

static enum holds test_missing(const struct tested_call *call, const struct atom *atom)
{
	return argument_named(call, atom->first) == STR_NONE ? HOLDS_MAYBE : HOLDS - test_given(call, atom);
}

static enum holds test_true(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);

	if (at == STR_NONE)
		return call->params ? HOLDS_NOT : HOLDS_MAYBE;
	return holds_if(call->call->arguments[at].value.len, str_eq(call->call->arguments[at].value, STR("True")));
}

static enum holds test_false(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);
	struct str value = at == STR_NONE ? STR("") : call->call->arguments[at].value;

	return holds_if(value.len, str_eq(value, STR("False")));
}

/* Returns whether the signature has a tensor there, not a number. */
static enum holds test_tensor(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);

	return holds_if(call->params, at != STR_NONE && call->params[at].type == TYPE_TENSOR);
}

static enum holds test_absent(const struct tested_call *call, const struct atom *atom)
{
	return holds_if(call->params, argument_named(call, atom->first) == STR_NONE);
}

/* The largest number of a list such as "[1, 8, 0]". */
static enum holds test_most(const struct tested_call *call, const struct atom *atom)
{
	size_t at = argument_named(call, atom->first);
	struct str rest = at == STR_NONE ? STR("") : call->call->arguments[at].value, item;
	int64_t value, most = INT64_MIN;

	if (rest.len < 2 || rest.ptr[0] != '[' || rest.ptr[rest.len - 1] != ']')
		return HOLDS_MAYBE;
	rest = str_sub(rest, 1, rest.len - 1);
	while (rest.len && str_cut(&rest, ',', &item)) {
		if (!decimal_scaled(str_trim(item), 1, &value))
			return HOLDS_MAYBE;
		most = value > most ? value : most;
	}
	return compare_value(atom, most != INT64_MIN, most);
}

static bool names_operator(const struct tested_call *call, const struct atom *atom)
{
	struct str list = atom->second, one = atom->first;

	while (!str_eq(one, call->base) && list.len)
		str_cut(&list, ',', &one);
	return str_eq(one, call->base);
}

static enum holds test_only(const struct tested_call *call, const struct atom *atom)
{
	return holds_if(true, names_operator(call, atom));
}

static enum holds test_unless(const struct tested_call *call, const struct atom *atom)
{
	return names_operator(call, atom) ? HOLDS_NOT : HOLDS_MAYBE;
}

/* Other modes than the capture of a graph leave nothing in a dump. */
static enum holds test_mode(const struct tested_call *call, const struct atom *atom)
{
	return holds_if(str_eq(atom->first, STR("capture")), call->captured);
}

static enum holds test_always(const struct tested_call *call, const struct atom *atom)
{
	return call && atom ? HOLDS : HOLDS_NOT;
}

/* --- tests */

static const struct {
	struct str name;
	enum holds (*test)(const struct tested_call *call, const struct atom *atom);
} tests[] = {
	{ STR("unequal"), test_unequal },
	{ STR("gap"), test_gap },
	{ STR("beyond"), test_beyond },
	{ STR("bool"), test_bool },
	{ STR("differs"), test_differs },
	{ STR("outside"), test_outside },
	{ STR("middle"), test_middle },
	{ STR("length"), test_length },
	{ STR("rank"), test_rank },
	{ STR("count"), test_count },
	{ STR("types"), test_types },
	{ STR("takes"), test_takes },
	{ STR("value"), test_value },
	{ STR("given"), test_given },
	{ STR("missing"), test_missing },
	{ STR("true"), test_true },
	{ STR("false"), test_false },
	{ STR("strided"), test_strided },
	{ STR("tensor"), test_tensor },
	{ STR("absent"), test_absent },
	{ STR("most"), test_most },
	{ STR("only"), test_only },
	{ STR("unless"), test_unless },
	{ STR("mode"), test_mode },
	{ STR("always"), test_always },
};

static struct atom read_atom(struct str text)
{
	struct atom atom = { .dim = STR("") };
	size_t at;

	str_cut(&text, ':', &atom.name);
	for (at = 0; at < text.len && text.ptr[at] != '<' && text.ptr[at] != '>'; at++)
		;
	if (at < text.len) {
		atom.compared = text.ptr[at];
		if (!decimal_scaled(str_skip(text, at + 1), 1, &atom.limit))
			atom.name = STR(""); /* unknown, as every unknown test */
		text = str_sub(text, 0, at);
	}
	at = str_find(text, STR("@"));
	if (at != STR_NONE) {
		atom.dim = str_skip(text, at + 1);
		text = str_sub(text, 0, at);
	}
	str_cut(&text, ',', &atom.first);
	atom.second = text;
	return atom;
}

/* All of the tests that "&" joins. */
static enum holds test_all(const struct tested_call *call, struct str texts)
{
	struct str one = { 0 };
	enum holds least = HOLDS;

	while (least && texts.len && str_cut(&texts, '&', &one)) {
		struct atom atom = read_atom(one);
		size_t at = STR_POSITION(tests, ARRAY_SIZE(tests), atom.name);
		enum holds holds = at == STR_NONE ? HOLDS_MAYBE : tests[at].test(call, &atom);

		least = holds < least ? holds : least;
	}
	return least;
}

enum holds call_test(const struct tested_call *call, struct str test)
{
	struct str one = { 0 };
	enum holds most = test.len ? HOLDS_NOT : HOLDS_MAYBE;

	while (most < HOLDS && test.len && str_cut(&test, ' ', &one)) {
		enum holds holds = test_all(call, one);

		most = holds > most ? holds : most;
	}
	return most;
}
