#include "report/doc/sentence.h"

#include "base/memory/mem.h"

extern const char messages_zh_cn[];

enum { MOST_BLANKS = 8 };

#define HOLE "\x01"

/* Placeholders of a sentence, once a text fits it. */
struct fit {
	struct str blanks[MOST_BLANKS]; /* of the sentence */
	size_t own;                     /* bytes that are not of blanks; 0: does not fit */
};

/* A format with each conversion as HOLE, and "%%" as "%". */
static void put_pattern(struct buf *out, struct str format)
{
	static const struct str conversions = { "sducxfgi", 8 };

	buf_reset(out);
	for (size_t i = 0; i < format.len; i++) {
		if (format.ptr[i] != '%') {
			buf_byte(out, format.ptr[i]);
		} else if (str_starts(str_skip(format, i + 1), STR("%"))) {
			buf_byte(out, format.ptr[++i]);
		} else {
			while (++i < format.len && !str_has(conversions, str_sub(format, i, i + 1)))
				continue;
			buf_add(out, STR(HOLE));
		}
	}
}

/* Takes the text up to the next blank off a pattern; false when that is its last. */
static bool cut_own(struct str *pattern, struct str *ret)
{
	size_t blank = str_find(*pattern, STR(HOLE));

	*ret = str_sub(*pattern, 0, blank == STR_NONE ? pattern->len : blank);
	*pattern = str_skip(*pattern, blank == STR_NONE ? pattern->len : blank + 1);
	return blank != STR_NONE;
}

static struct fit fit_of(struct str pattern, struct str text)
{
	struct fit fit = { .own = 0 }, none = { .own = 0 };
	struct str own;
	bool more = cut_own(&pattern, &own);

	if (!str_starts(text, own) || (!more && own.len != text.len))
		return none;
	text = str_skip(text, own.len);
	fit.own = own.len;
	for (size_t i = 0; more; i++) {
		size_t at;

		more = cut_own(&pattern, &own);
		at = more ? str_find(text, own) : str_ends(text, own) ? text.len - own.len : STR_NONE;
		if (at == STR_NONE || i == MOST_BLANKS)
			return none;
		fit.blanks[i] = str_sub(text, 0, at);
		fit.own += own.len;
		text = str_skip(text, at + own.len);
	}
	return fit;
}

/* The translation whose English shares most bytes with the sentence. */
static struct str find_best(struct str english, struct fit *ret)
{
	CLEANUP(buf_clear) struct buf pattern = BUF_UNLIMITED;
	struct str rest = str_from(messages_zh_cn), line, key = STR(""), best = STR("");

	*ret = (struct fit){ .own = 0 };
	while (str_cut(&rest, '\n', &line)) {
		struct fit fit = { .own = 0 };

		if (str_starts(line, STR("\t")) && key.len) {
			put_pattern(&pattern, key);
			fit = fit_of(buf_str(&pattern), english);
		}
		if (fit.own > ret->own) {
			*ret = fit;
			best = str_skip(line, 1);
		}
		key = str_starts(line, STR("#")) ? STR("") : line;
	}
	return best;
}

void sentence_put(struct buf *out, enum lang lang, struct str english)
{
	CLEANUP(buf_clear) struct buf pattern = BUF_UNLIMITED;
	struct fit fit;
	struct str best = lang == LANG_ZH_CN ? find_best(english, &fit) : STR(""), rest, own;
	size_t colon = str_find(english, STR(": "));

	if (!best.len && lang == LANG_ZH_CN && colon != STR_NONE) { /* the system's reason follows */
		sentence_put(out, lang, str_sub(english, 0, colon));
		buf_add(out, STR(": "));
		sentence_put(out, lang, str_skip(english, colon + 2));
		return;
	}
	if (!best.len) {
		buf_add(out, english);
		return;
	}
	put_pattern(&pattern, best);
	rest = buf_str(&pattern);
	for (size_t i = 0; cut_own(&rest, &own); i++) {
		buf_add(out, own);
		buf_add(out, fit.blanks[i]);
	}
	buf_add(out, own);
}
