#include "base/value/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/memory/mem.h"

static EVP_MD_CTX *context(struct sha256 *sha)
{
	return (EVP_MD_CTX *)sha;
}

/* libcrypto fails here only when memory or the algorithm itself is missing. */
static void must(int ok)
{
	if (ok != 1) {
		fputs("opcheck: libcrypto cannot compute SHA-256\n", stderr);
		abort();
	}
}

/* libcrypto's own parts are made at the first use, and fetched for each. */
struct sha256 *sha256_new(void)
{
	EVP_MD_CTX *ctx;
	unsigned tries = 0;

	while (!(ctx = EVP_MD_CTX_new()) || EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) != 1) {
		EVP_MD_CTX_free(ctx);
		mem_again(tries++);
	}
	return (struct sha256 *)ctx;
}

void sha256_add(struct sha256 *sha, struct str bytes)
{
	must(EVP_DigestUpdate(context(sha), bytes.ptr, bytes.len));
}

void sha256_add_field(struct sha256 *sha, struct str text)
{
	char len[8];

	for (unsigned i = 0; i < sizeof(len); i++)
		len[i] = (char)((uint64_t)text.len >> (8 * i));
	sha256_add(sha, (struct str){ len, sizeof(len) });
	sha256_add(sha, text);
}

enum { DIGEST_BYTES = 32 };

static void put_hex(const unsigned char digest[DIGEST_BYTES], char ret_hex[SHA256_HEX_BYTES])
{
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		snprintf(ret_hex + 2 * i, 3, "%02x", digest[i]);
}

void sha256_end(struct sha256 *sha, char ret_hex[SHA256_HEX_BYTES])
{
	unsigned char digest[DIGEST_BYTES];

	must(EVP_DigestFinal_ex(context(sha), digest, NULL));
	sha256_free(sha);
	put_hex(digest, ret_hex);
}

void sha256_of(struct str text, char ret_hex[SHA256_HEX_BYTES])
{
	struct sha256 *sha = sha256_new();

	sha256_add(sha, text);
	sha256_end(sha, ret_hex);
}

void sha256_hmac(struct str key, struct str text, char ret_hex[SHA256_HEX_BYTES])
{
	unsigned char digest[DIGEST_BYTES];

	for (unsigned tries = 0; !EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key.ptr, key.len,
		     (const unsigned char *)text.ptr, text.len, digest, sizeof(digest), NULL);)
		mem_again(tries++);
	put_hex(digest, ret_hex);
}

void sha256_free(struct sha256 *sha)
{
	EVP_MD_CTX_free(context(sha));
}

void sha256_base64(struct str text, char ret[SHA256_BASE64_BYTES])
{
	unsigned char digest[32];

	for (unsigned tries = 0; EVP_Digest(text.ptr, text.len, digest, NULL, EVP_sha256(), NULL) != 1;)
		mem_again(tries++);
	EVP_EncodeBlock((unsigned char *)ret, digest, sizeof(digest));
}

enum { MOST_RANDOM_BYTES = 32 };

void secret_random(char *ret_hex, size_t bytes)
{
	unsigned char random[MOST_RANDOM_BYTES];

	if (bytes > sizeof(random) || getrandom(random, bytes, 0) != (ssize_t)bytes)
		abort(); /* not for so few bytes once the system is up */
	for (size_t i = 0; i < bytes; i++)
		snprintf(ret_hex + 2 * i, 3, "%02x", random[i]);
}

bool secret_equal(struct str a, struct str b)
{
	return a.len == b.len && CRYPTO_memcmp(a.ptr, b.ptr, a.len) == 0;
}
