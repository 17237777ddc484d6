#pragma once
/* Kinds of single values. */
#include "record/kind.h"

enum { RECORD_WORD_BYTES = 64 }; /* a longer one is refused */

extern const struct kind kind_text;  /* struct str: any text */
extern const struct kind kind_line;  /* struct str of printable ASCII: versions, dates, targets */
extern const struct kind kind_word;  /* struct str of letters, digits, '_', '-' and '.': digests, ids */
extern const struct kind kind_enum;  /* an enum by its words; an unknown word is the set's other */
extern const struct kind kind_flags; /* unsigned: the list of the words whose bits are set */
extern const struct kind kind_bool;
extern const struct kind kind_count;         /* uint64_t from 0 to FIGURE_MAX */
extern const struct kind kind_index;         /* uint32_t */
extern const struct kind kind_number;        /* int64_t of either sign */
extern const struct kind kind_milli;         /* int64_t in thousandths: nanoseconds as microseconds */
extern const struct kind kind_micro;         /* int64_t in millionths: nanoseconds as milliseconds */
extern const struct kind kind_share;         /* int64_t in millionths, from 0 to 1 */
extern const struct kind kind_gain;          /* a difference of shares, from -1 to 1 */
extern const struct kind kind_share_or_null; /* the same; -1 is null */
extern const struct kind kind_texts;         /* an array of struct str */
extern const struct kind kind_joined;        /* struct str: words with blanks between them, as a list; not read */
extern const struct kind kind_numbers;       /* an array of int64_t of either sign */
extern const struct kind kind_made;          /* written by the function of the field, not read */

/* Text of a JSON string, of any bytes or a word; "" and a note where it is something else. */
struct str load_text(struct loader *loader, const struct json_value *value, const char *key);
struct str load_word(struct loader *loader, const struct json_value *value, const char *key);
