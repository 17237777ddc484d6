-- Version 15: documents as blobs, where dumps are in a bucket: their content is empty.

PRAGMA user_version = 15;

CREATE INDEX document_by_blob ON document (sha256) WHERE length(content) = 0;
