-- Version 9: what a project has accepted.

PRAGMA user_version = 9;

-- Waivers that count for the later runs of the project; its runs have a copy of what they were judged with.
CREATE TABLE project_waivers (
	project TEXT PRIMARY KEY,
	changed_at TEXT NOT NULL,       -- RFC 3339, UTC
	text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
