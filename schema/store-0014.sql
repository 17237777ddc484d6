-- Version 14: the queue of jobs that several services share. SQLite has one service, whose queue is in its memory: there the
-- new columns keep their defaults.

PRAGMA user_version = 14;

ALTER TABLE ticket ADD COLUMN name TEXT NOT NULL DEFAULT '';            -- of the dump
ALTER TABLE ticket ADD COLUMN owner TEXT NOT NULL DEFAULT '';           -- takes turns with others
ALTER TABLE ticket ADD COLUMN caller TEXT NOT NULL DEFAULT '';          -- has at most caller-jobs; '': not counted
ALTER TABLE ticket ADD COLUMN facts TEXT NOT NULL DEFAULT '';           -- digest of the support database
ALTER TABLE ticket ADD COLUMN input_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ticket ADD COLUMN read_bytes INTEGER NOT NULL DEFAULT 0;    -- so far
ALTER TABLE ticket ADD COLUMN starts_before INTEGER NOT NULL DEFAULT 0; -- jobs that had started when it was added
ALTER TABLE ticket ADD COLUMN start_number INTEGER NOT NULL DEFAULT 0;  -- among the jobs that were started; 0: it waits
ALTER TABLE ticket ADD COLUMN awaited INTEGER NOT NULL DEFAULT 0 CHECK (awaited IN (0, 1)); -- not acknowledged: its client waits
ALTER TABLE ticket ADD COLUMN key_owner TEXT NOT NULL DEFAULT '';       -- of the request key that its end answers
ALTER TABLE ticket ADD COLUMN key TEXT NOT NULL DEFAULT '';
ALTER TABLE ticket ADD COLUMN run TEXT NOT NULL DEFAULT '';             -- id of the run that came of it
ALTER TABLE ticket ADD COLUMN answer INTEGER NOT NULL DEFAULT 0;        -- status of the answer, once it succeeded
CREATE INDEX ticket_by_start ON ticket (start_number);
CREATE INDEX ticket_by_key ON ticket (key_owner, key) WHERE status = 'queued';
CREATE INDEX ticket_by_caller ON ticket (caller) WHERE status = 'queued';

-- The services on this store.
CREATE TABLE replica (
	holder TEXT PRIMARY KEY,        -- of leases
	alive_until INTEGER NOT NULL,   -- in seconds since 1970
	facts TEXT NOT NULL,            -- digest of its support database; '': none
	claims INTEGER NOT NULL CHECK (claims IN (0, 1)) -- 1: it takes jobs
) STRICT, WITHOUT ROWID;

-- Work that one service at a time does.
CREATE TABLE duty (
	name TEXT PRIMARY KEY,
	holder TEXT NOT NULL,
	held_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
