#pragma once
/* Data types as sets: those of documents, and those in reports of users. */
#include "base/memory/arena.h"
#include "base/value/words.h"

enum dtype {
	DTYPE_FP32 = 1 << 0,
	DTYPE_FP16 = 1 << 1,
	DTYPE_BF16 = 1 << 2,
	DTYPE_FP64 = 1 << 3,
	DTYPE_INT8 = 1 << 4,
	DTYPE_UINT8 = 1 << 5,
	DTYPE_INT16 = 1 << 6,
	DTYPE_INT32 = 1 << 7,
	DTYPE_INT64 = 1 << 8,
	DTYPE_BOOL = 1 << 9,
	DTYPE_COMPLEX64 = 1 << 10,
	DTYPE_COMPLEX128 = 1 << 11,
	DTYPE_COMPLEX32 = 1 << 12,
	DTYPE_FP8 = 1 << 13,
	DTYPE_UINT16 = 1 << 14,
	DTYPE_UINT32 = 1 << 15,
	DTYPE_UINT64 = 1 << 16,
};

enum {
	DTYPE_COUNT = 17,
	DTYPE_ALL = (1 << DTYPE_COUNT) - 1,
	DTYPE_DOCUMENTED = DTYPE_COMPLEX32 - 1,            /* in documents: a list with all of these is not a limit */
	DTYPE_USUAL = DTYPE_FP32 | DTYPE_FP16 | DTYPE_BF16 /* a model computes in unless it asks for others */
};

/* "fp32" for the type with this number. Static text. The same as the words of a report, where a type of a later
   version is unknown. */
struct str dtype_name(unsigned number);
extern const struct words dtype_words;

/* One type as a document, a program or a profiler writes it ("bf16", "bfloat16", "c10::BFloat16"); "complex" and
   such mean several. 0 for anything else. */
unsigned dtype_from(struct str word);

/* Bytes of an element, of several types those of the widest; 0 for none. */
unsigned dtype_bytes(unsigned types);

/* The types of a list joined by blanks, or by commas. False for an unknown word. */
bool dtypes_from(struct str words, unsigned *ret);

/* Such a list, "fp32, bf16" with ", " between; it lives in the arena. */
struct str dtypes_text(struct arena *arena, unsigned types, const char *between);

/* Types in a sentence such as "fp16/fp32 ok, bf16 rejected (cast to fp32)": refused ones and working ones. The types
   of a clause are refused unless it says otherwise; targets of a conversion are left out. */
struct dtypes_named {
	unsigned refused, accepted;
};

struct dtypes_named dtypes_named(struct str sentence);

/* The types of a recipe's word "dtype:fp64,complex", or "dtype": all. False for another word, and for one with an
   unknown type. */
bool dtypes_of_reason(struct str word, unsigned *ret);
