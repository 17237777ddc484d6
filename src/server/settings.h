#pragma once
/* The settings of the service: options, environment and configuration files, the strongest first. */
#include <limits.h>

#include "check/asked/config.h"
#include "server/http/access.h"
#include "server/service/token_command.h"
#include "server/service/webhook.h"
#include "store/engine/place.h"

enum { SETTINGS_MOST_THREADS = 256 };

struct settings {
	struct str listen, state_dir, db, store, store_password_file, blobs, blobs_key_file;
	struct str from, to; /* of migrate */
	struct str_list overlays;
	unsigned threads; /* 0: as many as the processors want */
	struct limits limits;
	struct access_settings access;
	struct webhook_settings webhook;
	struct token_options token;
	bool version, routes, check;
	enum role { ROLE_ALL, ROLE_WEB, ROLE_WORKER } role;
	bool no_stacks; /* reports do not say where programs call operators */
	struct str config_file;
	struct argument_vector given; /* what all of it was read from, */
	struct config config;         /* beside these files */
};

/* Those of a program that is given nothing; given is what settings_read will read, and must outlive the result. */
struct settings settings_of(struct argument_vector given);
void settings_clear(struct settings *settings);

/* Reads the files and the environment, then the options. ERR_CONFIG and what the options of base/setup/opt.h refuse. */
int settings_read(struct settings *settings, struct arguments *ret, struct err *err);

/* The store: its directory, and its database if it is not SQLite. place points into the struct. */
struct settings_store {
	struct store_place place;
	char directory[PATH_MAX], url[PATH_MAX], password_file[PATH_MAX], blobs[PATH_MAX], blobs_key_file[PATH_MAX];
};
int settings_store(const struct settings *settings, struct settings_store *ret, struct err *err);

/* A store by its address, sqlite:DIR or postgresql://..., whose uploads lie in `scratch` unless it has a directory. */
int settings_store_at(const struct settings *settings, struct str address, const char *scratch,
	struct settings_store *ret, struct err *err);

/* Appends a line for each option. */
void settings_put_help(struct buf *out);
