#pragma once
/*
 * Pieces of text (lines, cells) that may be in any 8-bit encoding, made valid UTF-8: UTF-8, else GB18030, else Latin-1.
 *
 * Pieces are decoded one by one, since a log may gather several programs. Only pieces with bytes over 0x7f need to come
 * here.
 */
#include "base/memory/buf.h"

struct decoder;

/* Loads all that decoding may ever need, for a process that can open no file later. */
void decoder_prepare(void);

struct decoder *decoder_new(void);
void decoder_free(struct decoder *decoder);

/* The piece in UTF-8: itself, or a text that lives until the next call. */
struct str decode(struct decoder *decoder, struct str text);

/* Encoding of the pieces so far. */
struct decoder_facts {
	uint64_t gb18030, latin1, utf8;
};
const struct decoder_facts *decoder_facts(const struct decoder *decoder);

/* The same in a word: "ascii" (there were none), "utf-8", "gb18030", "latin-1", or two joined by "+". Static text. */
const char *decoder_encoding(const struct decoder_facts *facts);
