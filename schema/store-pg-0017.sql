-- Version 17: how often a job was begun, so that one that ends its services ends, too.

UPDATE schema_version SET version = 17;

ALTER TABLE ticket ADD COLUMN attempts bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN ticket.attempts IS 'services that began it, and did not give it back';
