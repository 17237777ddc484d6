-- Version 15: documents as blobs, where dumps are in a bucket.

CREATE INDEX document_by_blob ON document (sha256) WHERE length(content) = 0;
COMMENT ON COLUMN document.content IS 'empty: it is a blob of its digest';

UPDATE schema_version SET version = 15;
