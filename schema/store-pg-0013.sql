-- Version 13: dumps in the database itself, or in a bucket.

CREATE TABLE blob (
	sha256 text COLLATE "C" PRIMARY KEY CHECK (length(sha256) = 64),
	bytes bigint NOT NULL CHECK (bytes >= 0),
	place text COLLATE "C" NOT NULL CHECK (place IN ('database', 'bucket')),
	stored_at bigint NOT NULL,
	unused_at bigint NOT NULL
);
CREATE INDEX blob_by_disuse ON blob (unused_at) WHERE unused_at > 0;
COMMENT ON TABLE blob IS 'One row for each dump that is not a file of the state directory. It is put first, then marked by the transaction that needs it; one that nothing has needed for the grace period is removed.';
COMMENT ON COLUMN blob.stored_at IS 'in seconds since 1970; 0: its bytes are on their way';
COMMENT ON COLUMN blob.unused_at IS 'since when nothing needs it; 0: it is needed';

CREATE TABLE blob_part (
	sha256 text COLLATE "C" NOT NULL REFERENCES blob (sha256) ON DELETE CASCADE,
	part bigint NOT NULL,
	content bytea NOT NULL,
	PRIMARY KEY (sha256, part)
);
ALTER TABLE blob_part ALTER COLUMN content SET STORAGE EXTERNAL; -- dumps are packed already, or read once
COMMENT ON TABLE blob_part IS 'The bytes of a blob whose place is the database, in parts of one size.';

UPDATE schema_version SET version = 13;
