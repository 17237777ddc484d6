-- Version 2: reports, and what is rendered of them, compressed and with a checksum. Reports of version 1 stay where they
-- are, in the table report.

PRAGMA user_version = 2;

-- What an assessment answers with, as it is sent to a client that takes gzip.
CREATE TABLE document (
	assessment INTEGER NOT NULL REFERENCES assessment (number),
	form TEXT NOT NULL,             -- 'json': the report; else what was rendered of it, with language and version
	bytes INTEGER NOT NULL CHECK (bytes >= 0), -- before compression
	sha256 TEXT NOT NULL CHECK (length(sha256) = 64), -- of content
	content BLOB NOT NULL,          -- gzip
	PRIMARY KEY (assessment, form)
) STRICT;
