#pragma once
/* schema/opdb.sql, embedded when opcheck is built. */

extern const char opdb_schema[];

/* What the schema sets as PRAGMA application_id ("opdb") and user_version; a file with others is not opened. */
enum { OPDB_APPLICATION_ID = 0x6f706462, OPDB_VERSION = 3 };
