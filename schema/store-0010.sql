-- Version 10: names that models had. Runs sent under one belong to the model, and its address leads to the model's.

PRAGMA user_version = 10;

CREATE TABLE former_model (
	project TEXT NOT NULL,
	name TEXT NOT NULL,
	model TEXT NOT NULL,            -- what it is called now
	PRIMARY KEY (project, name)
) STRICT, WITHOUT ROWID;

-- A model without runs is none.
CREATE TRIGGER model_removed AFTER DELETE ON run
	WHEN NOT EXISTS (SELECT 1 FROM run WHERE project = old.project AND model = old.model) BEGIN
	DELETE FROM former_model WHERE project = old.project AND model = old.model;
END;
