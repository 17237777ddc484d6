-- Version 8: which operators runs have, and in how many each is. Assessments of an earlier version are not counted.

PRAGMA user_version = 8;

-- Those with the largest share of the time.
CREATE TABLE used (
	assessment INTEGER NOT NULL REFERENCES assessment (number) ON DELETE CASCADE,
	operator TEXT NOT NULL,
	PRIMARY KEY (assessment, operator)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_use (
	project TEXT NOT NULL,
	operator TEXT NOT NULL,
	runs INTEGER NOT NULL,
	PRIMARY KEY (project, operator)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER run_uses AFTER INSERT ON run BEGIN
	INSERT INTO operator_use SELECT new.project, operator, 1 FROM used WHERE assessment = new.assessment
		ON CONFLICT DO UPDATE SET runs = runs + 1;
END;

CREATE TRIGGER run_used AFTER DELETE ON run BEGIN
	UPDATE operator_use SET runs = runs - 1 WHERE project = old.project
		AND operator IN (SELECT operator FROM used WHERE assessment = old.assessment);
	DELETE FROM operator_use WHERE runs = 0 AND project = old.project
		AND operator IN (SELECT operator FROM used WHERE assessment = old.assessment);
END;
