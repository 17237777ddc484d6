#include "assess/shape/tensors.h"

#include "base/value/decimal.h"
#include "op/call.h"
#include "opdb/model/dtype.h"

enum { UNTYPED_BYTES = 4, SCALAR_BYTES = 8 };

/* --- types */

/* Bytes of an element; 0 for a type that is unknown. */
static unsigned width_of(struct str word, unsigned types)
{
	unsigned bytes = dtype_bytes(types);

	if (bytes)
		return bytes;
	if (!word.len || str_eq(word, STR("TensorList")))
		return UNTYPED_BYTES;
	return str_eq(word, STR("Scalar")) ? SCALAR_BYTES : 0;
}

struct str tensors_list_item(struct str list, size_t index)
{
	struct str rest = list.len ? str_skip(list, 1) : list, item;

	for (size_t i = 0; call_next_word(&rest, &item); i++) {
		if (i == index)
			return item;
	}
	return STR("");
}

/* Walks shapes and types side by side. */
struct type_walk {
	struct str rest, item, inner; /* inner: of an item that is a list */
	size_t argument, tensor;      /* of item and inner, and one */
};

/* The word for a tensor; those of a list with one word share it. */
static struct str type_at(struct type_walk *walk, size_t argument, size_t tensor)
{
	struct str word = STR("");

	for (; walk->argument <= argument; walk->argument++) {
		if (!call_next_word(&walk->rest, &walk->item))
			return word;
		walk->inner = str_skip(walk->item, walk->item.len > 0);
		walk->tensor = 0;
	}
	if (!str_starts(walk->item, STR("[")))
		return walk->item;
	while (walk->tensor <= tensor && call_next_word(&walk->inner, &word))
		walk->tensor++;
	return walk->tensor == tensor + 1 ? word : STR("float");
}

/* --- shapes */

bool tensors_read(struct arena *arena, struct str shapes, struct str dtypes, unsigned assumed, struct tensors *ret)
{
	struct type_walk walk = { .rest = dtypes.len ? str_skip(dtypes, 1) : dtypes };
	struct shape shape;

	*ret = (struct tensors){ 0 };
	shape.count = 0;
	if (shapes.len && !shape_parse(arena, shapes, &shape))
		return false;
	ret->items = arena_alloc(arena, (shape.count + 1) * sizeof(ret->items[0]));
	for (size_t i = 0; i < shape.count; ret->count++) {
		const struct shape_size *first = &shape.sizes[i];
		struct str word = type_at(&walk, first->argument, first->tensor);
		unsigned types = dtypes.len || !assumed ? dtype_from(word) : assumed;
		struct tensor tensor = { .sizes = first, .count = 1, .types = types, .width = width_of(word, types) };

		for (; i < shape.count && shape.sizes[i].argument == first->argument &&
			shape.sizes[i].tensor == first->tensor;
			i++, tensor.rank++) {
			tensor.count *= (double)shape.sizes[i].size;
			ret->negative |= shape.sizes[i].size < 0;
		}
		ret->unknown_type |= !tensor.width;
		ret->items[ret->count] = tensor;
	}
	return true;
}

double tensor_product(const struct tensor *tensor, size_t from, size_t to)
{
	double product = 1;

	for (size_t i = from; i < to; i++)
		product *= tensor_size(tensor, i);
	return product;
}

double tensors_broadcast(const struct tensor *tensors, size_t count)
{
	size_t rank = 0;
	double product = 1;

	for (size_t i = 0; i < count; i++)
		rank = tensors[i].rank > rank ? tensors[i].rank : rank;
	for (size_t back = 1; back <= rank; back++) {
		double most = 1; /* unless some size is 0 */

		for (size_t i = 0; i < count && most != 0; i++) {
			double size = tensors[i].rank >= back ? tensor_size_from_end(&tensors[i], back) : 1;

			most = size == 0 || size > most ? size : most;
		}
		product *= most;
	}
	return product;
}

double tensors_bytes(const struct tensor *tensors, size_t count)
{
	double bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += tensors[i].count * tensors[i].width;
	return bytes;
}

bool tensors_integers(struct str text, double *ret, size_t max, size_t *ret_count)
{
	struct str rest = str_starts(text, STR("[")) ? str_skip(text, 1) : text, item;
	int64_t value;

	*ret_count = 0;
	while (*ret_count < max && call_next_word(&rest, &item)) {
		if (decimal_scaled(item, 1, &value))
			ret[(*ret_count)++] = (double)value;
	}
	return *ret_count || str_eq(text, STR("[]"));
}
