-- Version 3: tokens. A session of a browser is a token with a parent, which it ends with.

PRAGMA user_version = 3;

CREATE TABLE token (
	id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 12),
	secret_sha256 TEXT NOT NULL CHECK (length(secret_sha256) = 64), -- the secret itself is with its owner alone
	name TEXT NOT NULL,             -- what people call it
	scope TEXT NOT NULL CHECK (scope IN ('read', 'submit', 'admin')),
	project TEXT NOT NULL,          -- that it is for; '': any
	parent TEXT REFERENCES token (id), -- of a session
	created_at INTEGER NOT NULL,    -- seconds since 1970, like the others
	expires_at INTEGER NOT NULL,    -- 0: never
	revoked_at INTEGER NOT NULL DEFAULT 0,
	last_used_at INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
