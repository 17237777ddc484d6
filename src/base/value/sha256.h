#pragma once
/* SHA-256 by libcrypto, fed piece by piece and read as hexadecimal text; random tokens. */
#include "base/view/str.h"

enum { SHA256_HEX_BYTES = 65 }; /* 64 digits and a NUL */

struct sha256; /* on the heap: sha256_new, then any number of sha256_add, then sha256_end or sha256_free */

/* Aborts when libcrypto has no SHA-256. */
struct sha256 *sha256_new(void);
void sha256_add(struct sha256 *sha, struct str bytes);

/* Add the length of text as eight bytes, then text, so that different lists of fields have different digests. */
void sha256_add_field(struct sha256 *sha, struct str text);

/* Writes the digest in lower case hexadecimal and frees sha. */
void sha256_end(struct sha256 *sha, char ret_hex[SHA256_HEX_BYTES]);

/* Free a digest that is not needed. NULL is allowed. */
void sha256_free(struct sha256 *sha);

/* The digest of one text. */
void sha256_of(struct str text, char ret_hex[SHA256_HEX_BYTES]);

/* HMAC-SHA256 of a text, as sha256_end writes a digest. */
void sha256_hmac(struct str key, struct str text, char ret_hex[SHA256_HEX_BYTES]);

/* The digest of text in base64, as Content-Security-Policy wants it. */
enum { SHA256_BASE64_BYTES = 45 }; /* 44 characters and a NUL */
void sha256_base64(struct str text, char ret[SHA256_BASE64_BYTES]);

/* Random bytes of the system as lower case hexadecimal text with a NUL: ret has room for 2 * bytes + 1. Aborts when the
   system has none. */
void secret_random(char *ret_hex, size_t bytes);

/* Returns whether both are equal; the time depends on their lengths alone. */
bool secret_equal(struct str a, struct str b);
