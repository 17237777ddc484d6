-- Version 12: the base of an assessment's shares, for trends: captures with another base do not compare.

UPDATE schema_version SET version = 12;

ALTER TABLE assessment ADD COLUMN basis text COLLATE "C" NOT NULL DEFAULT '', ADD COLUMN shown bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN assessment.basis IS 'word of the report; '''': of an earlier version, unknown';
COMMENT ON COLUMN assessment.shown IS 'millionths of the time in the basis';
