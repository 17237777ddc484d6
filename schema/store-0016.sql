-- Version 16 is of PostgreSQL alone: runs by month.

PRAGMA user_version = 16;
