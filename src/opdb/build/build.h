#pragma once
/* From the fact text (opdb/README.md) to the database file. */
#include "base/setup/err.h"
#include "base/view/str.h"

/* schema/opdb.sql, embedded when opcheck is built, and what it sets as PRAGMA application_id ("opdb") and user_version:
   a file with others is not opened. */
extern const char opdb_schema[];
enum { OPDB_APPLICATION_ID = 0x6f706462, OPDB_VERSION = 14 };

/* Makes the file at out_path from the fact text in a directory, in a temporary file that takes its place when all is
   well. The same text gives the same bytes. ERR_FACT at "file:line" for an error in the text, ERR_OUTPUT, ERR_VALUE for
   a SOURCE_DATE_EPOCH that is no number. */
int opdb_build(const char *text_dir, const char *out_path, struct err *err);

enum { OPDB_DIGEST_BYTES = 65 }; /* 64 hexadecimal digits and a NUL */

/* The digest that a database made from the text in a directory would have. ERR_FACT. */
int opdb_text_digest(const char *text_dir, char ret_hex[OPDB_DIGEST_BYTES], struct err *err);
