#include "dump/common/decode.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"

struct decoder {
	struct buf decoded;
	iconv_t gb18030; /* opened at need; (iconv_t)-1: not to be had */
	bool gb18030_open;
	struct decoder_facts facts;
};

void decoder_prepare(void)
{
	struct decoder *decoder = decoder_new();

	decode(decoder, STR("\xd6\xd0\xce\xc4")); /* the library keeps what it loaded for this */
	decoder_free(decoder);
}

struct decoder *decoder_new(void)
{
	/* GB18030 and Latin-1 grow four times at most; pieces have limits */
	return MEM_NEW(struct decoder, .decoded = BUF_UNLIMITED);
}

void decoder_free(struct decoder *decoder)
{
	if (decoder->gb18030_open && decoder->gb18030 != (iconv_t)-1)
		iconv_close(decoder->gb18030);
	buf_clear(&decoder->decoded);
	free(decoder);
}

static bool decode_gb18030(struct decoder *decoder, struct str text)
{
	struct buf *out = &decoder->decoded;
	char *in = (char *)(uintptr_t)text.ptr; /* iconv does not write to it */
	size_t in_left = text.len;

	if (!decoder->gb18030_open) {
		for (unsigned tries = 0;
			(decoder->gb18030 = iconv_open("UTF-8", "GB18030")) == (iconv_t)-1 && errno == ENOMEM;)
			mem_again(tries++);
		decoder->gb18030_open = true;
	}
	if (decoder->gb18030 == (iconv_t)-1)
		return false;
	iconv(decoder->gb18030, NULL, NULL, NULL, NULL);
	while (in_left) {
		char space[1024], *to = space;
		size_t to_left = sizeof(space);
		size_t status = iconv(decoder->gb18030, &in, &in_left, &to, &to_left);

		buf_add(out, (struct str){ space, (size_t)(to - space) });
		/* no progress: an invalid or an incomplete sequence */
		if (status == (size_t)-1 && to == space)
			return false;
	}
	return true;
}

static void decode_latin1(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char byte = (unsigned char)text.ptr[i];

		if (byte >= 0x80)
			buf_byte(out, (char)(0xc0 | byte >> 6));
		buf_byte(out, byte < 0x80 ? (char)byte : (char)(0x80 | (byte & 0x3f)));
	}
}

struct str decode(struct decoder *decoder, struct str text)
{
	size_t unused;
	bool is_utf8 = utf8_valid(text, &unused);

	/* two-byte sequences of GBK can look like UTF-8: once GBK was certain, and UTF-8 never, it goes first */
	decoder->decoded.len = 0;
	if ((!is_utf8 || (decoder->facts.gb18030 && !decoder->facts.utf8)) && decode_gb18030(decoder, text)) {
		decoder->facts.gb18030++;
		return buf_str(&decoder->decoded);
	}
	if (is_utf8) {
		decoder->facts.utf8++;
		return text;
	}
	decoder->decoded.len = 0;
	decode_latin1(&decoder->decoded, text);
	decoder->facts.latin1++;
	return buf_str(&decoder->decoded);
}

const struct decoder_facts *decoder_facts(const struct decoder *decoder)
{
	return &decoder->facts;
}

const char *decoder_encoding(const struct decoder_facts *facts)
{
	if (facts->gb18030)
		return facts->utf8 ? "utf-8+gb18030" : "gb18030";
	if (facts->latin1)
		return facts->utf8 ? "utf-8+latin-1" : "latin-1";
	return facts->utf8 ? "utf-8" : "ascii";
}
