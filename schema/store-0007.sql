-- Version 7: runs that somebody outside is to hear of.

PRAGMA user_version = 7;

-- Gone when they were taken, or given up.
CREATE TABLE delivery (
	number INTEGER PRIMARY KEY,     -- order of arrival
	run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
	attempts INTEGER NOT NULL DEFAULT 0,
	due_at INTEGER NOT NULL         -- in seconds since 1970
) STRICT;
CREATE INDEX delivery_run ON delivery (run);
CREATE INDEX delivery_due ON delivery (due_at);
