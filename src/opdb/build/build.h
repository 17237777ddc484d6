#pragma once
/* From the fact text (opdb/README.md) to the database file. */
#include "base/setup/err.h"

/* schema/opdb.sql, embedded when opcheck is built, and what it sets as PRAGMA application_id ("opdb") and user_version:
   a file with others is not opened. */
extern const char opdb_schema[];
enum { OPDB_APPLICATION_ID = 0x6f706462, OPDB_VERSION = 16 };

/* Build the file at out_path from the fact text in a directory, as a temporary file that is renamed at the end. The
   same text gives the same bytes. ERR_FACT at "file:line" for an error in the text, ERR_OUTPUT, ERR_VALUE for an
   invalid SOURCE_DATE_EPOCH. */
int opdb_build(const char *text_dir, const char *out_path, struct err *err);

enum { OPDB_DIGEST_BYTES = 65 }; /* 64 hexadecimal digits and a NUL */

/* The digest that a database made from the text in a directory would have. ERR_FACT. */
int opdb_text_digest(const char *text_dir, char ret_hex[OPDB_DIGEST_BYTES], struct err *err);
