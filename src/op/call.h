#pragma once
/*
 * A recorded call: its arguments, and the signatures they fit.
 *
 * Profilers record every argument that the dispatcher passes, keyword-only ones and defaults included, in the order
 * of the schema. Each has a shape, in newer versions a type, and in traces the value of a non-tensor. An argument is
 * therefore a set of kinds of values that it may be.
 */
#include "op/schema.h"
#include "op/shape.h"

enum value {
	VALUE_TENSOR = 1 << 0,
	VALUE_NOTHING = 1 << 1, /* None, or an undefined tensor */
	VALUE_INT = 1 << 2,
	VALUE_FLOAT = 1 << 3,
	VALUE_BOOL = 1 << 4,
	VALUE_COMPLEX = 1 << 5,
	VALUE_TEXT = 1 << 6,
	VALUE_DEVICE = 1 << 7,
	VALUE_OBJECT = 1 << 8,
	VALUE_TENSORS = 1 << 9,
	VALUE_MAYBE_TENSORS = 1 << 10, /* a list that may hold None */
	VALUE_INTS = 1 << 11,
	VALUE_FLOATS = 1 << 12,
	VALUE_BOOLS = 1 << 13,
	VALUE_TEXTS = 1 << 14,
	VALUE_ANY = (1 << 15) - 1,
};

struct call_argument {
	unsigned may; /* enum value */
	enum shape_form form;
	struct str type;  /* of a tensor, as recorded: "long int"; "" for a non-tensor or unknown */
	struct str word;  /* for the type, whatever it is of: "GenericList[Tensor(bool)]"; "" when not recorded */
	struct str value; /* of a non-tensor: "-1", "True"; "" if not recorded */
};

enum { CALL_ARGUMENTS = 64 };

struct call {
	struct call_argument arguments[CALL_ARGUMENTS];
	size_t count;
	bool more;  /* the text was cut: further arguments follow */
	bool typed; /* the dump has the types of the arguments */
};

/* Reads the arguments of a call as recorded: shapes as tables print them, dtypes and concrete as JSON lists, "" for
   those missing in the dump. False if all are missing. */
bool call_read(struct str shapes, struct str dtypes, struct str concrete, struct call *ret);

/* Takes the next item off a list of words behind its bracket, in quotes of either kind or without, a list as a whole;
   false at its end. */
bool call_next_word(struct str *list, struct str *ret);

enum call_fit {
	CALL_FITS_NOT,
	CALL_FITS_LOOSELY, /* as old profilers record it, or with an undefined tensor or an "out=" without dimensions */
	CALL_FITS,
};

enum call_fit call_fits(const struct call *call, const struct schema_param *params, size_t count);

/* For how many arguments that may as well be something else the signature has a tensor. */
unsigned call_guessed_tensors(const struct call *call, const struct schema_param *params, size_t count);
