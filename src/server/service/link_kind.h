#pragma once
/* A kind of text made of a pattern in which '$' is the member: an address of the API. */
#include "record/kind.h"

struct link_kind {
	struct kind kind;
	const char *pattern; /* of jsonw_fill */
};

#define LINK_KIND(text)                                                                                                \
	{                                                                                                              \
		{ "link", "string", MEMBER_TEXT, .put = link_put }, "'" text "'"                                       \
	}

void link_put(struct jsonw *json, const struct field *field, const void *item);
