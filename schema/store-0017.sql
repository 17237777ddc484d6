-- Version 17: how often a job was begun, so that one that ends its services ends, too.

PRAGMA user_version = 17;

ALTER TABLE ticket ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0; -- services that began it, and did not give it back
