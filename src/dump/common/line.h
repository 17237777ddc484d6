#pragma once
/*
 * A text cut into lines, each valid UTF-8, without colour codes and within a length limit.
 *
 * LF ends a line; so does CR, because progress bars write many states into one line and tables get glued to the last of
 * them. Lines are decoded one by one, since a log may gather several programs: dump/decode.h says how.
 */
#include "base/setup/limits.h"
#include "dump/common/decode.h"

struct line_splitter;

struct line {
	struct str text; /* lives until the next call */
	struct str raw;  /* the same before decoding; equal to text for most lines */
	uint64_t number; /* counts LF only, from 1, as editors do */
	uint64_t offset; /* byte of the text at which the line starts */
	bool ascii;
	bool cut; /* longer than limits.line_bytes: the rest was skipped */
};

struct line_splitter *line_splitter_new(const struct limits *limits);
void line_splitter_free(struct line_splitter *splitter);

/* Gives the splitter a chunk, which must live until line_next has returned false. */
void line_feed(struct line_splitter *splitter, struct str chunk);

/* End the text: the rest is the last line. */
void line_end(struct line_splitter *splitter);

/* The next whole line; false when more text is needed or, after line_end, none is left. */
bool line_next(struct line_splitter *splitter, struct line *ret);

/* Contents so far. */
struct line_facts {
	struct decoder_facts decoded; /* lines with bytes over 0x7f, by what they are */
	uint64_t long_lines;
};
const struct line_facts *line_facts(struct line_splitter *splitter);
