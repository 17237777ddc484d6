-- Version 5: what several services may share and what goes again: projects and what is kept of them, leases on tickets,
-- keys of requests that may be sent again, limits of tokens, and who did what.

PRAGMA user_version = 5;

ALTER TABLE assessment ADD COLUMN project TEXT NOT NULL DEFAULT ''; -- of the token that submitted it; '': none
ALTER TABLE assessment ADD COLUMN kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)); -- retention leaves it
ALTER TABLE assessment ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0; -- of the dump and the packed report
UPDATE assessment SET stored_bytes = input_bytes
	+ coalesce((SELECT length(content) FROM document WHERE assessment = number AND form = 'json'), 0);

-- What retention counts, without the rows themselves.
CREATE INDEX assessment_by_project ON assessment (project, number, kept, stored_bytes, created_at);

-- A lease: who works on the ticket, and until when nobody else takes it, in seconds since 1970.
ALTER TABLE ticket ADD COLUMN holder TEXT NOT NULL DEFAULT '';
ALTER TABLE ticket ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;

-- Idempotency-Key: a request that may be sent again is done once.
CREATE TABLE request_key (
	owner TEXT NOT NULL,            -- who sent it
	key TEXT NOT NULL,
	asked_sha256 TEXT NOT NULL CHECK (length(asked_sha256) = 64), -- of what was sent with it
	created_at INTEGER NOT NULL,    -- seconds since 1970
	holder TEXT NOT NULL,           -- a lease, as above, until it is answered
	held_until INTEGER NOT NULL,
	status INTEGER NOT NULL,        -- of the answer; 0: it is under way
	answer TEXT NOT NULL,           -- id of the assessment or the ticket
	PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

-- What this token may do, where it differs from the limits of the service; 0: it does not.
ALTER TABLE token ADD COLUMN minute_requests INTEGER NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN hour_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN jobs INTEGER NOT NULL DEFAULT 0;

-- Who did what, and who was refused.
CREATE TABLE audit (
	number INTEGER PRIMARY KEY,     -- order
	at INTEGER NOT NULL,            -- seconds since 1970
	who TEXT NOT NULL,              -- 'token ID', 'user NAME', 'local', 'anonymous'
	address TEXT NOT NULL,          -- that it came from
	action TEXT NOT NULL,           -- method and route
	subject TEXT NOT NULL,          -- id of what it was about
	status INTEGER NOT NULL,        -- of the answer
	request TEXT NOT NULL           -- id of the request, as in the log
) STRICT;
