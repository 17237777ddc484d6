-- The store of the service, version 1: what it was given and what it answered. The dumps themselves are files beside it,
-- dumps/<input_sha256>. Every version has a step file like this one; a step brings a store from the version before.

PRAGMA application_id = 0x6f706373; -- "opcs"
PRAGMA user_version = 1;

-- One row for each distinct submit. Rows are never changed.
CREATE TABLE assessment (
	number INTEGER PRIMARY KEY,     -- order of arrival, which lists follow
	id TEXT NOT NULL UNIQUE CHECK (length(id) = 64), -- SHA-256 over what was asked: src/server/submission.h
	created_at TEXT NOT NULL,       -- RFC 3339, UTC
	name TEXT NOT NULL,             -- of the dump, as the report shows it: text of a stranger
	input_sha256 TEXT NOT NULL CHECK (length(input_sha256) = 64), -- of the dump as it was sent
	input_bytes INTEGER NOT NULL CHECK (input_bytes >= 0),
	options TEXT NOT NULL,          -- JSON: the resolved targets and the words of the gate
	db_sha256 TEXT NOT NULL,        -- of the fact text that it was checked against
	tool_version TEXT NOT NULL      -- of opcheck
) STRICT;

-- Whether a dump is still needed.
CREATE INDEX assessment_by_input ON assessment (input_sha256);

-- The verdict on each target, for lists.
CREATE TABLE verdict (
	assessment INTEGER NOT NULL REFERENCES assessment (number),
	place INTEGER NOT NULL,         -- order of the targets in the report
	target TEXT NOT NULL,
	verdict TEXT NOT NULL,          -- ready, ready-with-warnings, inconclusive, blocked
	gate TEXT NOT NULL,             -- none, passed, failed
	PRIMARY KEY (assessment, place)
) STRICT, WITHOUT ROWID;

-- The answer, apart from the list so that lists stay quick.
CREATE TABLE report (
	assessment INTEGER PRIMARY KEY REFERENCES assessment (number),
	json TEXT NOT NULL              -- the JSON report; every other format is rendered from it
) STRICT;
