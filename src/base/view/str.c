#include "base/view/str.h"

size_t str_find(struct str s, struct str needle)
{
	const char *at = !needle.len ? s.ptr : s.len ? memmem(s.ptr, s.len, needle.ptr, needle.len) : NULL;

	return at ? (size_t)(at - s.ptr) : STR_NONE;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str s)
{
	while (s.len && is_blank(s.ptr[0]))
		s = str_skip(s, 1);
	while (s.len && is_blank(s.ptr[s.len - 1]))
		s = str_chop(s, 1);
	return s;
}

int str_cmp(struct str a, struct str b)
{
	size_t common = a.len < b.len ? a.len : b.len;
	int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

int str_order(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

const char *str_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

struct str str_head(struct str s, char sep)
{
	struct str head = { 0 };

	str_cut(&s, sep, &head);
	return head;
}

struct str str_tail(struct str s, char sep)
{
	size_t from = s.len;

	while (from && s.ptr[from - 1] != sep)
		from--;
	return from ? str_skip(s, from) : s; /* may be NULL and 0 */
}

bool str_cut(struct str *rest, char sep, struct str *ret_part)
{
	const char *at;

	if (!rest->ptr)
		return false;
	at = rest->len ? memchr(rest->ptr, sep, rest->len) : NULL;
	*ret_part = at ? str_sub(*rest, 0, (size_t)(at - rest->ptr)) : *rest;
	*rest = at ? str_skip(*rest, ret_part->len + 1) : (struct str){ NULL, 0 };
	return true;
}
