-- Version 19: rollups that are folded, in PostgreSQL alone (store-pg-0019.sql): SQLite has one writer.

PRAGMA user_version = 19;
