-- Version 18: runs by month and their totals, in PostgreSQL alone (store-pg-0018.sql).

PRAGMA user_version = 18;
