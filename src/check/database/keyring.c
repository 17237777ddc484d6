#include "check/database/keyring.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/setup/limits.h"
#include "base/value/utf8.h"
#include "check/database/whole.h"

enum { MOST_KEYS = 200, MOST_KEY_BYTES = 16 * 1024 };

static const char usual_keys[] = "/etc/opcheck/keys.d";

void keyring_clear(struct keyring *keyring)
{
	free(keyring->keys.items);
	*keyring = (struct keyring){ 0 };
}

bool keyring_has(const struct keyring *keyring, struct str key)
{
	return ANY(i, keyring->keys.count, str_eq(str_from(keyring->keys.items[i].hex), key));
}

static int add_file(struct keyring *keyring, const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf pem = BUF_INIT(MOST_KEY_BYTES);
	struct keyring_key key;
	struct limits limits = limits_default();
	int status;

	if (keyring->keys.count >= MOST_KEYS)
		return err_set(err, ERR_LIMIT, "there are more than %d keys", MOST_KEYS);
	status = whole_read(path, &limits, &pem, err);
	if (status)
		return status;
	if (!ed25519_read_key(buf_str(&pem), key.hex)) {
		err_set(err, ERR_VALUE, "this is not the public part of an Ed25519 key");
		err_hint(err, "`openssl pkey -pubout -in KEY` writes the public part of a key");
		return err_where(err, "%s", shown(str_from(path)).text);
	}
	MEM_PUSH(&keyring->keys, key);
	return 0;
}

static int is_key_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && str_ends(str_from(entry->d_name), STR(".pem"));
}

/* -1 when it is no folder. */
static int add_folder(struct keyring *keyring, const char *folder, struct err *err)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_key_file, alphasort), status = 0;
	char path[PATH_MAX];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		free(entries[i]);
		status = status ? status : add_file(keyring, path, err);
	}
	free(entries);
	return count < 0 ? -1 : status;
}

int keyring_read(const struct str_list *paths, struct keyring *ret, struct err *err)
{
	int status = 0;

	*ret = (struct keyring){ 0 };
	if (!paths->count) {
		status = add_folder(ret, usual_keys, err);
		if (status != -1 || errno == ENOENT)
			return status == -1 ? 0 : status;
		return err_os(err, ERR_OPEN, errno, "cannot read %s", usual_keys);
	}
	for (size_t i = 0; i < paths->count && !status; i++) {
		status = add_folder(ret, paths->items[i].ptr, err);
		if (status == -1)
			status = add_file(ret, paths->items[i].ptr, err);
	}
	return status;
}
