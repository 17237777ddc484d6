-- Version 14: the queue of jobs that several services share, and signals between them.

UPDATE schema_version SET version = 14;

ALTER TABLE ticket
	ADD COLUMN name text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN caller text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN facts text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN input_bytes bigint NOT NULL DEFAULT 0,
	ADD COLUMN read_bytes bigint NOT NULL DEFAULT 0,
	ADD COLUMN starts_before bigint NOT NULL DEFAULT 0,
	ADD COLUMN start_number bigint NOT NULL DEFAULT 0,
	ADD COLUMN awaited bigint NOT NULL DEFAULT 0 CHECK (awaited IN (0, 1)),
	ADD COLUMN key_owner text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN key text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN run text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN answer bigint NOT NULL DEFAULT 0;
CREATE INDEX ticket_by_start ON ticket (start_number);
CREATE INDEX ticket_by_key ON ticket (key_owner, key) WHERE status = 'queued';
CREATE INDEX ticket_by_caller ON ticket (caller) WHERE status = 'queued';
COMMENT ON COLUMN ticket.name IS 'of the dump';
COMMENT ON COLUMN ticket.owner IS 'takes turns with others';
COMMENT ON COLUMN ticket.caller IS 'has at most caller-jobs; '''': not counted';
COMMENT ON COLUMN ticket.facts IS 'digest of the support database';
COMMENT ON COLUMN ticket.read_bytes IS 'of the dump, so far';
COMMENT ON COLUMN ticket.starts_before IS 'jobs that had started when it was added';
COMMENT ON COLUMN ticket.start_number IS 'among the jobs that were started; 0: it waits';
COMMENT ON COLUMN ticket.awaited IS '1: not acknowledged, its client waits';
COMMENT ON COLUMN ticket.key IS 'request key of key_owner that its end answers';
COMMENT ON COLUMN ticket.run IS 'id of the run that came of it';
COMMENT ON COLUMN ticket.answer IS 'status of the answer, once it succeeded';

CREATE TABLE replica (
	holder text COLLATE "C" PRIMARY KEY,
	alive_until bigint NOT NULL,
	facts text COLLATE "C" NOT NULL,
	claims bigint NOT NULL CHECK (claims IN (0, 1))
);
COMMENT ON TABLE replica IS 'The services on this store.';
COMMENT ON COLUMN replica.holder IS 'of leases';
COMMENT ON COLUMN replica.alive_until IS 'in seconds since 1970';
COMMENT ON COLUMN replica.facts IS 'digest of its support database; '''': none';
COMMENT ON COLUMN replica.claims IS '1: it takes jobs';

CREATE TABLE duty (
	name text COLLATE "C" PRIMARY KEY,
	holder text COLLATE "C" NOT NULL,
	held_until bigint NOT NULL
);
COMMENT ON TABLE duty IS 'Work that one service at a time does.';

-- What services hear of each other: a job to claim, the end of one, a change of what lists show.
CREATE FUNCTION signal_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('opcheck', CASE new.status WHEN 'queued' THEN 'work' ELSE 'end ' || new.id END);
	RETURN NULL;
END $$;
CREATE TRIGGER ticket_added AFTER INSERT ON ticket FOR EACH ROW
	WHEN (new.holder = '') EXECUTE FUNCTION signal_ticket();
CREATE TRIGGER ticket_released AFTER UPDATE ON ticket FOR EACH ROW
	WHEN (new.status = 'queued' AND new.holder = '' AND old.holder <> '') EXECUTE FUNCTION signal_ticket();
CREATE TRIGGER ticket_ended AFTER UPDATE ON ticket FOR EACH ROW
	WHEN (old.status = 'queued' AND new.status <> 'queued') EXECUTE FUNCTION signal_ticket();

CREATE FUNCTION signal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('opcheck', 'change');
	RETURN NULL;
END $$;
CREATE TRIGGER run_changed AFTER INSERT OR UPDATE OR DELETE ON run FOR EACH STATEMENT EXECUTE FUNCTION signal_change();
CREATE TRIGGER former_model_changed AFTER INSERT OR UPDATE OR DELETE ON former_model
	FOR EACH STATEMENT EXECUTE FUNCTION signal_change();
CREATE TRIGGER waivers_changed AFTER INSERT OR UPDATE OR DELETE ON project_waivers
	FOR EACH STATEMENT EXECUTE FUNCTION signal_change();
