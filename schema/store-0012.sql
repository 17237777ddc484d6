-- Version 12: the base of an assessment's shares, for trends: captures with another base do not compare.

PRAGMA user_version = 12;

ALTER TABLE assessment ADD COLUMN basis TEXT NOT NULL DEFAULT '';     -- word of the report; '': of an earlier version, unknown
ALTER TABLE assessment ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;   -- millionths of the time in the basis
