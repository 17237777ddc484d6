/*
 * What a scan costs beside parsing alone: bench_scan DATABASE PATH...
 *
 * Both in processor time of the same process, with the same grammar: first tree-sitter over the text of every script,
 * then the whole scan, its report left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tree_sitter/api.h>

#include "check/asked/policy_files.h"
#include "check/asked/targets.h"
#include "opdb/db/opdb.h"
#include "scan/source/files.h"
#include "scan/find/scan.h"

const TSLanguage *tree_sitter_python(void);

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double parse_alone(const struct source_files *files, const struct limits *limits, struct err *err)
{
	TSParser *parser = ts_parser_new();
	double begun, sum = 0;

	ts_parser_set_language(parser, tree_sitter_python());
	for (size_t i = 0; i < files->list.count; i++) {
		struct buf text = BUF_UNLIMITED;

		if (!file_read_text(files->list.items[i].path, limits, &text, NULL, err)) {
			begun = processor_seconds();
			ts_tree_delete(ts_parser_parse_string(parser, NULL, buf_text(&text), (uint32_t)text.len));
			sum += processor_seconds() - begun;
		}
		buf_clear(&text);
	}
	ts_parser_delete(parser);
	return sum;
}

static int measure(const char *const *paths, size_t count, struct opdb *db, struct err *err)
{
	struct limits limits = limits_default();
	struct source_files files = { .text = ARENA_INIT(ARENA_UNLIMITED) };
	struct target_list targets = { 0 };
	struct result *result;
	double alone, begun;
	int status = 0;

	for (size_t i = 0; i < count && !status; i++)
		status = source_files_add(&files, paths[i], &limits, err);
	if (!status)
		status = targets_choose(db, &(struct target_question){ .torch = STR("") }, &targets, err);
	if (status)
		return status;
	alone = parse_alone(&files, &limits, err);
	begun = processor_seconds();
	status = scan_run(&(struct scan_request){ .program = { paths, count, &limits },
				  .db = db,
				  .targets = targets.items,
				  .target_count = targets.count,
				  .tool_version = "bench" },
		&result, err);
	if (status)
		return status;
	begun = processor_seconds() - begun;
	printf("%llu lines: parsing alone %.3f s, scan %.3f s, %.2f times as much, %zu findings\n",
		(unsigned long long)result->source->lines, alone, begun, begun / alone, result->finding_count);
	result_free(result);
	target_list_clear(&targets);
	source_files_clear(&files);
	return 0;
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	struct opdb *db = NULL;
	int status;

	if (argc < 3) {
		fputs("usage: bench_scan DATABASE PATH...\n", stderr);
		return 2;
	}
	status = opdb_open(argv[1], &db, &err);
	if (!status)
		status = measure((const char *const *)argv + 2, (size_t)argc - 2, db, &err);
	opdb_close(db);
	if (status)
		fprintf(stderr, "bench_scan: %s\n", err.text);
	return status ? 1 : 0;
}
