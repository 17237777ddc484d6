#include "base/glob.h"

bool glob_match(struct str pattern, struct str text)
{
	size_t at = 0, p = 0, star = STR_NONE, resume = 0;

	while (at < text.len) {
		if (p < pattern.len && pattern.ptr[p] == '*') {
			star = p++;
			resume = at;
		} else if (p < pattern.len && (pattern.ptr[p] == '?' || pattern.ptr[p] == text.ptr[at])) {
			p++;
			at++;
		} else if (star != STR_NONE) { /* the last star takes one byte more: earlier ones need not move */
			p = star + 1;
			at = ++resume;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.ptr[p] == '*')
		p++;
	return p == pattern.len;
}
