-- Version 4: submits that were acknowledged before their work was done. A crash loses none: they are queued again.

PRAGMA user_version = 4;

CREATE TABLE ticket (
	id TEXT PRIMARY KEY,            -- of the request that sent the dump
	created_at TEXT NOT NULL,       -- RFC 3339, UTC
	status TEXT NOT NULL CHECK (status IN ('queued', 'succeeded', 'failed', 'cancelled')),
	assessment TEXT NOT NULL,       -- id of what it becomes
	input_sha256 TEXT NOT NULL CHECK (length(input_sha256) = 64),
	asked BLOB NOT NULL,            -- what its process is given
	code INTEGER NOT NULL,          -- of a failure, with its text, hint and position; 0: none
	text TEXT NOT NULL,
	hint TEXT NOT NULL,
	place TEXT NOT NULL
) STRICT;

-- What is to be queued again, and whether a dump is still needed.
CREATE INDEX ticket_by_status ON ticket (status, created_at);
CREATE INDEX ticket_by_input ON ticket (input_sha256) WHERE status = 'queued';
