#include "op/call.h"

#include "base/memory/mem.h"
#include "base/value/words.h"
#include "base/view/ascii.h"

enum {
	NUMBER = VALUE_INT | VALUE_FLOAT | VALUE_BOOL | VALUE_COMPLEX,
	NUMBERS = VALUE_INTS | VALUE_FLOATS | VALUE_BOOLS,
	TENSOR_LISTS = VALUE_TENSORS | VALUE_MAYBE_TENSORS,
	LISTS = NUMBERS | TENSOR_LISTS | VALUE_TEXTS,
};

/* --- words for types. Sources: torch/csrc/profiler/collection.cpp and orchestration (Kineto traces),
   torch/csrc/profiler/standalone/execution_trace_observer.cpp (execution traces) of PyTorch 1.8 to 2.13. Any other word
   is the type of a tensor's items. */

static const struct {
	struct str word;
	unsigned may;
} words[] = {
	/* "" is whatever the profiler has no word for */
	{ STR(""), VALUE_NOTHING | VALUE_TEXT | VALUE_DEVICE | VALUE_OBJECT | VALUE_MAYBE_TENSORS | VALUE_TEXTS },
	{ STR("Scalar"), NUMBER },
	{ STR("ScalarList"), NUMBERS | VALUE_MAYBE_TENSORS }, /* an empty list of any items, too */
	{ STR("TensorList"), TENSOR_LISTS },
	{ STR("GenericList"), LISTS },
	{ STR("IntList"), VALUE_INTS },
	{ STR("DoubleList"), VALUE_FLOATS },
	{ STR("BoolList"), VALUE_BOOLS },
	{ STR("Int"), VALUE_INT },
	{ STR("SymInt"), VALUE_INT },
	{ STR("Double"), VALUE_FLOAT },
	{ STR("Bool"), VALUE_BOOL },
	{ STR("ComplexDouble"), VALUE_COMPLEX },
	{ STR("None"), VALUE_NOTHING },
	{ STR("String"), VALUE_TEXT },
	{ STR("Device"), VALUE_DEVICE },
	{ STR("Generator"), VALUE_OBJECT },
	{ STR("Storage"), VALUE_OBJECT },
	{ STR("Stream"), VALUE_OBJECT },
	{ STR("Object"), VALUE_OBJECT },
};

/* types of the items of "GenericList[Tensor(float),None]", "['float', 'float']" */
static unsigned list_of(struct str word)
{
	if (str_has(word, STR("None")))
		return VALUE_MAYBE_TENSORS;
	if (str_has(word, STR("Tensor")))
		return TENSOR_LISTS;
	if (str_has(word, STR("Int")))
		return VALUE_INTS;
	if (str_has(word, STR("Double")))
		return VALUE_FLOATS;
	if (str_has(word, STR("Bool")))
		return VALUE_BOOLS;
	return LISTS;
}

/* A word that contradicts the shape says nothing: sparse tensors have none of their own. */
static void narrow_argument(struct call_argument *argument, unsigned may)
{
	if (argument->may & may)
		argument->may &= may;
}

static void set_type(struct call_argument *argument, struct str word)
{
	size_t at = STR_POSITION(words, ARRAY_SIZE(words), word);

	argument->type = STR("");
	argument->word = word;
	if (at != STR_NONE) {
		narrow_argument(argument, words[at].may);
	} else if (str_starts(word, STR("GenericList[")) || str_starts(word, STR("["))) {
		narrow_argument(argument, list_of(word));
	} else if (str_has(word, STR("nullptr"))) {
		narrow_argument(argument, VALUE_NOTHING);
	} else {
		narrow_argument(argument, VALUE_TENSOR);
		argument->type = word;
		if (str_starts(word, STR("Tensor(")) && str_ends(word, STR(")")))
			argument->type = str_chop(str_skip(word, 7), 1);
	}
}

/* --- values that traces print */

static void set_value(struct call_argument *argument, struct str value)
{
	unsigned may = VALUE_ANY;

	if (!value.len || argument->form != SHAPE_EMPTY)
		return;
	argument->value = value;
	if (str_eq(value, STR("True")) || str_eq(value, STR("False")))
		may = VALUE_BOOL;
	else if (value.ptr[0] == '[')
		may = LISTS;
	else if (is_digit(value.ptr[value.len - 1]) && !str_has(value, STR(".")) && !str_has(value, STR("e")))
		may = VALUE_INT | VALUE_FLOAT;
	else if (is_digit(value.ptr[0]) || value.ptr[0] == '-')
		may = VALUE_FLOAT | VALUE_COMPLEX;
	narrow_argument(argument, may);
}

/* --- lists of words */

/* Returns the end of an item: a comma or bracket outside of brackets and quotes. */
static size_t item_end(struct str list, size_t at)
{
	size_t depth = 0;
	char quote = 0;

	for (; at < list.len; at++) {
		char c = list.ptr[at];

		if (quote) {
			at += c == '\\' && at + 1 < list.len;
			quote = c == quote ? 0 : quote;
		} else if (c == '"' || c == '\'') {
			quote = c;
		} else if (!depth && (c == ',' || c == ']')) {
			break;
		} else {
			depth += c == '[';
			depth -= c == ']';
		}
	}
	return at;
}

bool call_next_word(struct str *list, struct str *ret)
{
	size_t from = 0, to;

	while (from < list->len && (list->ptr[from] == ' ' || list->ptr[from] == ','))
		from++;
	if (from == list->len || list->ptr[from] == ']')
		return false;
	to = item_end(*list, from);
	*ret = str_trim(str_sub(*list, from, to));
	*list = str_skip(*list, to);
	if (ret->ptr[0] == '"' || ret->ptr[0] == '\'') {
		char quote = ret->ptr[0];

		*ret = str_skip(*ret, 1);
		if (ret->len && ret->ptr[ret->len - 1] == quote)
			*ret = str_chop(*ret, 1);
		*ret = str_trim(*ret);
	}
	return true;
}

/* The items of "[...]"; false for no items, or more than fit. */
static bool read_words(struct str list, struct str *ret, size_t *ret_count)
{
	list = str_trim(list);
	*ret_count = 0;
	if (!str_starts(list, STR("[")))
		return false;
	list = str_skip(list, 1);
	for (struct str word; call_next_word(&list, &word);) {
		if (*ret_count == CALL_ARGUMENTS)
			return false;
		ret[(*ret_count)++] = word;
	}
	return *ret_count > 0;
}

/* --- the call */

static bool read_shapes(struct str shapes, struct call *call)
{
	static const unsigned may[] = {
		[SHAPE_EMPTY] = VALUE_ANY, [SHAPE_SIZED] = VALUE_TENSOR, [SHAPE_NESTED] = LISTS
	};
	enum shape_form forms[CALL_ARGUMENTS];

	if (!shapes.len || !shape_forms(shapes, forms, CALL_ARGUMENTS, &call->count, &call->more))
		return false;
	for (size_t i = 0; i < call->count; i++)
		call->arguments[i] = (struct call_argument){
			.may = may[forms[i]], .form = forms[i], .type = STR(""), .word = STR(""), .value = STR("")
		};
	return call->count > 0;
}

bool call_read(struct str shapes, struct str dtypes, struct str concrete, struct call *ret)
{
	struct str list[CALL_ARGUMENTS];
	bool shaped = read_shapes(shapes, ret);
	size_t count;

	ret->typed = read_words(dtypes, list, &count) && (!shaped || (count == ret->count && !ret->more));
	if (!shaped && !ret->typed)
		return false;
	if (!shaped) {
		ret->count = count;
		ret->more = false;
	}
	for (size_t i = 0; ret->typed && i < count; i++) {
		if (!shaped)
			ret->arguments[i] = (struct call_argument){ .may = VALUE_ANY, .value = STR("") };
		set_type(&ret->arguments[i], list[i]);
	}
	if (!read_words(concrete, list, &count) || count != ret->count || ret->more)
		return true;
	for (size_t i = 0; i < count; i++)
		set_value(&ret->arguments[i], list[i]);
	return true;
}

/* --- signatures */

static const unsigned plain_values[] = {
	[TYPE_TENSOR] = VALUE_TENSOR,
	[TYPE_INT] = VALUE_INT,
	[TYPE_FLOAT] = VALUE_FLOAT,
	[TYPE_BOOL] = VALUE_BOOL,
	[TYPE_SCALAR] = NUMBER,
	[TYPE_CODE] = VALUE_INT,
	[TYPE_DEVICE] = VALUE_DEVICE,
	[TYPE_TEXT] = VALUE_TEXT,
	[TYPE_DIMNAME] = VALUE_TEXT,
	[TYPE_OBJECT] = VALUE_OBJECT,
	[TYPE_ANY] = VALUE_ANY,
};

static const unsigned list_values[] = {
	[TYPE_TENSOR] = VALUE_TENSORS,
	[TYPE_INT] = VALUE_INTS,
	[TYPE_FLOAT] = VALUE_FLOATS,
	[TYPE_BOOL] = VALUE_BOOLS,
	[TYPE_SCALAR] = NUMBERS,
	[TYPE_CODE] = VALUE_INTS,
	[TYPE_DEVICE] = VALUE_TEXTS,
	[TYPE_TEXT] = VALUE_TEXTS,
	[TYPE_DIMNAME] = VALUE_TEXTS,
	[TYPE_OBJECT] = VALUE_TEXTS,
	[TYPE_ANY] = VALUE_ANY,
};

static unsigned values_of(const struct schema_param *param)
{
	unsigned values = param->list ? list_values[param->type] : plain_values[param->type];

	if (param->optional_item)
		values = VALUE_MAYBE_TENSORS;
	return values | (param->optional ? VALUE_NOTHING : 0u);
}

/* Other recordings of a type: an undefined tensor; a symbolic size; no word for a list up to PyTorch 2.0. */
static unsigned loose_values_of(const struct schema_param *param)
{
	unsigned values = values_of(param);

	if (param->list || param->type == TYPE_TENSOR || param->type == TYPE_INT)
		values |= VALUE_NOTHING;
	if (param->type == TYPE_FLOAT)
		values |= VALUE_INT;
	return values | (param->list && param->type == TYPE_TENSOR ? TENSOR_LISTS : 0u);
}

/* A result given as "out=" that has no dimensions where it may be something else. */
static bool is_empty_out(const struct call *call, size_t i, const struct schema_param *param)
{
	return param->keyword_only && param->written && call->arguments[i].form == SHAPE_EMPTY &&
	       call->arguments[i].may & ~(unsigned)(VALUE_TENSOR | VALUE_TENSORS);
}

enum call_fit call_fits(const struct call *call, const struct schema_param *params, size_t count)
{
	enum call_fit fit = CALL_FITS;

	if (call->more ? count < call->count : count != call->count)
		return CALL_FITS_NOT;
	for (size_t i = 0; i < call->count; i++) {
		if (!(call->arguments[i].may & loose_values_of(&params[i])))
			return CALL_FITS_NOT;
		if (!(call->arguments[i].may & values_of(&params[i])) || is_empty_out(call, i, &params[i]))
			fit = CALL_FITS_LOOSELY;
	}
	return fit;
}

unsigned call_guessed_tensors(const struct call *call, const struct schema_param *params, size_t count)
{
	unsigned guessed = 0;

	for (size_t i = 0; i < call->count && i < count; i++)
		guessed += params[i].type == TYPE_TENSOR && !params[i].list &&
			   (call->arguments[i].may & ~(unsigned)VALUE_TENSOR);
	return guessed;
}
