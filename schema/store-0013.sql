-- Version 13: dumps outside of the state directory, in the database itself or in a bucket.

PRAGMA user_version = 13;

-- One row for each such dump. It is put first, then marked by the transaction that needs it; one that nothing has needed
-- for the grace period is removed.
CREATE TABLE blob (
	sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64),
	bytes INTEGER NOT NULL CHECK (bytes >= 0),
	place TEXT NOT NULL CHECK (place IN ('database', 'bucket')),
	stored_at INTEGER NOT NULL, -- in seconds since 1970; 0: its bytes are on their way
	unused_at INTEGER NOT NULL -- since when nothing needs it; 0: it is needed
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_by_disuse ON blob (unused_at) WHERE unused_at > 0;

-- Its bytes where they are in the database, in parts of one size.
CREATE TABLE blob_part (
	sha256 TEXT NOT NULL REFERENCES blob (sha256) ON DELETE CASCADE,
	part INTEGER NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (sha256, part)
) STRICT;
