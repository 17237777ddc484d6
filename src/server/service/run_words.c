#include "server/service/run_words.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"

bool run_has_control(struct str text)
{
	return ANY(i, text.len, (unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f);
}

int run_check_word(const char *what, struct str text, struct err *err)
{
	size_t bad_at;

	if (text.len <= RUN_WORD_BYTES && !run_has_control(text) && utf8_valid(text, &bad_at))
		return 0;
	err_set(err, ERR_VALUE, "'%s' is not a %s", shown(text).text, what);
	return err_hint(err, "give at most %d bytes of UTF-8 on one line", RUN_WORD_BYTES);
}

static bool is_tag(struct str tag)
{
	return ALL(i, tag.len, is_word(tag.ptr[i]) || strchr(".:/+-", tag.ptr[i])) && tag.len > 0 &&
	       tag.len <= RUN_WORD_BYTES;
}

static int split_tags(const struct str *values, size_t count, struct str tags[RUN_TAGS], size_t *ret, struct err *err)
{
	struct str rest, tag;

	*ret = 0;
	for (size_t i = 0; i < count; i++) {
		rest = values[i];
		while (str_cut(&rest, ',', &tag)) {
			tag = str_trim(tag);
			if (!is_tag(tag)) {
				err_set(err, ERR_VALUE, "'%s' is not a tag", shown(tag).text);
				return err_hint(err, "a tag has letters, digits and _.:/+-");
			}
			if (*ret == RUN_TAGS)
				return err_set(err, ERR_VALUE, "a run has at most %d tags", RUN_TAGS);
			tags[(*ret)++] = tag;
		}
	}
	return 0;
}

int run_check_words(const struct submission *submission, struct err *err)
{
	const struct {
		const char *what;
		struct str text;
	} words[] = { { "project", submission->project }, { "model", submission->model },
		{ "branch", submission->branch }, { "commit", submission->revision } };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words) && !status; i++)
		status = run_check_word(words[i].what, words[i].text, err);
	return status;
}

int run_join_tags(const struct str *values, size_t count, struct arena *arena, struct str *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf joined = BUF_UNLIMITED;
	struct str tags[RUN_TAGS];
	size_t given;
	int status = split_tags(values, count, tags, &given, err);

	if (status)
		return status;
	qsort(tags, given, sizeof(tags[0]), str_order);
	for (size_t i = 0; i < given; i++) {
		if (!i || !str_eq(tags[i], tags[i - 1]))
			buf_printf(&joined, "%s%.*s", i ? " " : "", STR_ARG(tags[i]));
	}
	*ret = arena_keep(arena, buf_str(&joined));
	return 0;
}
