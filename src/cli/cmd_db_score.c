/* opcheck db score: how far what users saw agrees with what the database foretold. */
#include "check/database.h"
#include "check/score.h"
#include "cli/cmd_db.h"

static int read_observations(const char *path, struct observations *ret, struct err *err)
{
	struct limits limits = limits_default();
	struct source *source;
	int status = source_open(path, &limits, &source, err);

	*ret = (struct observations){ 0 };
	if (status)
		return err_file(err, path);
	source_skip_digest(source);
	status = observations_read(source, str_ends(str_from(path), STR(".tsv")), ret, err);
	source_close(source);
	return status ? err_file(err, path) : 0;
}

static int print_score(const struct opdb *db, const char *path, const struct observations *observations,
	bool without_reported, struct buf *text, struct err *err)
{
	struct score with = { 0 }, without = { 0 };
	int status = without_reported ? 0 : score_run(db, observations, false, &with, err);

	if (!status)
		status = score_run(db, observations, true, &without, err);
	if (!status && !without_reported)
		score_put_table(&with, "with reported facts", text);
	if (!status)
		score_put_table(&without, "without reported facts", text);
	if (!status)
		score_put_disagreements(without_reported ? &without : &with, path, text);
	score_clear(&with);
	score_clear(&without);
	return status;
}

int db_run_score(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct buf text = BUF_UNLIMITED;
	struct observations observations = { 0 };
	struct opdb *db = NULL;
	int status = 0;

	if (options->without.len && !str_eq(options->without, STR("reported")))
		status = err_set(err, ERR_VALUE, "only the reported facts can be left out");
	if (!status)
		status = read_observations(arguments->items[1], &observations, err);
	if (!status)
		status = database_open(options->db, &db, err);
	if (!status)
		status = print_score(db, arguments->items[1], &observations, options->without.len > 0, &text, err);
	if (!status)
		status = common_print(buf_str(&text), err);
	observations_clear(&observations);
	buf_clear(&text);
	opdb_close(db);
	return status;
}
