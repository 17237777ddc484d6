#pragma once
/* Ed25519 signatures (RFC 8032) by libcrypto. Keys are PEM text, as `openssl genpkey -algorithm ed25519` and
   `openssl pkey -pubout` write it. */
#include "base/view/str.h"

enum { ED25519_KEY_HEX_BYTES = 65, ED25519_SIGNATURE_HEX_BYTES = 129 }; /* with a NUL */

/* A signature and the public key that it fits, in lower case hexadecimal. */
struct ed25519_signature {
	char key[ED25519_KEY_HEX_BYTES], value[ED25519_SIGNATURE_HEX_BYTES];
};

/* Signs a text with a private key. False for any other PEM text; a key behind a passphrase is one. */
bool ed25519_sign(struct str private_pem, struct str text, struct ed25519_signature *ret);

/* Reads a public key. False for any other PEM text. */
bool ed25519_read_key(struct str public_pem, char ret_key[ED25519_KEY_HEX_BYTES]);

/* Returns whether the signature is one of this text by its key; the key itself is trusted by the caller or not. */
bool ed25519_fits(struct str key, struct str value, struct str text);
