#include "base/value/ed25519.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>

enum { KEY_BYTES = 32, VALUE_BYTES = 64 };

static void put_hex(const unsigned char *bytes, size_t count, char *ret_hex)
{
	for (size_t i = 0; i < count; i++)
		snprintf(ret_hex + 2 * i, 3, "%02x", bytes[i]);
}

/* Two lower case digits a byte, and nothing else. */
static bool take_hex(struct str hex, unsigned char *ret, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	if (hex.len != 2 * count)
		return false;
	for (size_t i = 0; i < hex.len; i++) {
		const char *digit = hex.ptr[i] ? strchr(digits, hex.ptr[i]) : NULL;

		if (!digit)
			return false;
		ret[i / 2] = (unsigned char)(ret[i / 2] << 4 | (digit - digits));
	}
	return true;
}

/* libcrypto would ask the terminal for a passphrase. */
static int no_passphrase(char *buffer, int size, int writing, void *ctx)
{
	(void)buffer, (void)size, (void)writing, (void)ctx;
	return 0;
}

typedef EVP_PKEY *read_pem(BIO *bio, EVP_PKEY **key, pem_password_cb *passphrase, void *ctx);

/* NULL for anything but an Ed25519 key. */
static EVP_PKEY *read_key(struct str pem, read_pem *read)
{
	BIO *bio = pem.len <= INT_MAX ? BIO_new_mem_buf(pem.ptr, (int)pem.len) : NULL;
	EVP_PKEY *key = bio ? read(bio, NULL, no_passphrase, NULL) : NULL;

	BIO_free(bio);
	if (key && EVP_PKEY_get_id(key) == EVP_PKEY_ED25519)
		return key;
	EVP_PKEY_free(key);
	return NULL;
}

static bool put_public(const EVP_PKEY *key, char ret_key[ED25519_KEY_HEX_BYTES])
{
	unsigned char bytes[KEY_BYTES];
	size_t len = sizeof(bytes);

	if (EVP_PKEY_get_raw_public_key(key, bytes, &len) != 1 || len != sizeof(bytes))
		return false;
	put_hex(bytes, len, ret_key);
	return true;
}

bool ed25519_sign(struct str private_pem, struct str text, struct ed25519_signature *ret)
{
	EVP_PKEY *key = read_key(private_pem, PEM_read_bio_PrivateKey);
	EVP_MD_CTX *ctx = key ? EVP_MD_CTX_new() : NULL;
	unsigned char value[VALUE_BYTES];
	size_t len = sizeof(value);
	bool made = ctx && EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) == 1 &&
		    EVP_DigestSign(ctx, value, &len, (const unsigned char *)text.ptr, text.len) == 1 &&
		    put_public(key, ret->key);

	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(key);
	if (made)
		put_hex(value, len, ret->value);
	return made;
}

bool ed25519_read_key(struct str public_pem, char ret_key[ED25519_KEY_HEX_BYTES])
{
	EVP_PKEY *key = read_key(public_pem, PEM_read_bio_PUBKEY);
	bool read = key && put_public(key, ret_key);

	EVP_PKEY_free(key);
	return read;
}

bool ed25519_fits(struct str key, struct str value, struct str text)
{
	unsigned char key_bytes[KEY_BYTES] = { 0 }, value_bytes[VALUE_BYTES] = { 0 };
	EVP_PKEY *verifier = NULL;
	EVP_MD_CTX *ctx = NULL;
	bool fits = false;

	if (take_hex(key, key_bytes, KEY_BYTES) && take_hex(value, value_bytes, VALUE_BYTES))
		verifier = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key_bytes, KEY_BYTES);
	if (verifier)
		ctx = EVP_MD_CTX_new();
	if (ctx)
		fits = EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, verifier) == 1 &&
		       EVP_DigestVerify(ctx, value_bytes, VALUE_BYTES, (const unsigned char *)text.ptr, text.len) == 1;
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(verifier);
	return fits;
}
