#pragma once
/* Public keys of those whose packs are trusted: PEM files of Ed25519 keys, 200 at most. */
#include "base/memory/mem.h"
#include "base/setup/opt.h"
#include "base/value/ed25519.h"

struct keyring_key {
	char hex[ED25519_KEY_HEX_BYTES];
};

struct keyring {
	MEM_LIST(struct keyring_key) keys;
};

/* Reads keys from files and from the files NAME.pem in folders; without any path from /etc/opcheck/keys.d, which may be
   missing. ERR_OPEN, ERR_LIMIT, ERR_VALUE for a file that is no such key. Clear *ret in any case. */
int keyring_read(const struct str_list *paths, struct keyring *ret, struct err *err);
void keyring_clear(struct keyring *keyring);

bool keyring_has(const struct keyring *keyring, struct str key);
