#pragma once
/* `opcheckd token add|list|revoke`: the tokens of a state directory, whether or not a service runs on it. */
#include "base/setup/opt.h"
#include "store/token.h"

/* Read the options of a token to add. */
struct token_options {
	struct str name, scope, project;
	struct str requests, bytes, jobs; /* "": as the limits of the service say */
	struct str expires;               /* YYYY-MM-DD, or a number of days or hours: 90d, 12h; "": never */
};

/* The token that they say. ERR_ARGUMENT, ERR_VALUE. */
int token_take(const struct token_options *options, struct token *ret, struct err *err);

/* The id in the text of a token. */
struct str token_id(const char text[TOKEN_TEXT_BYTES]);

/* Does what the operands behind "token" say; a new token goes to standard output alone. ERR_COMMAND, ERR_ARGUMENT,
   ERR_VALUE, or what the store says. */
int token_command(const struct store_place *place, const struct token_options *options,
	const struct arguments *arguments, struct err *err);
