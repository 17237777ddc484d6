#pragma once
/* Choosing by a header of preferences: Accept and Accept-Language (RFC 9110, 12.5). */
#include "report/doc/catalog.h"

/* The best of the offered media types ("text/html; charset=utf-8"; parameters do not count) for an Accept header;
   the first of equals. count when none is acceptable, 0 without a header (ptr NULL). */
size_t negotiate_type(struct str accept, const char *const *offers, size_t count);

/* Returns whether an Accept-Encoding header takes gzip. */
bool negotiate_gzip(struct str accept_encoding);

/* The best known language of an Accept-Language header, else English. */
enum lang negotiate_lang(struct str accept_language);
