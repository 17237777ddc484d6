/*
 * Look-ups in the support database: one operator on one release with all its facts read before, and every operator of
 * PyTorch on every release in a new resolver.
 *
 *	bench_opdb OPDB_FILE
 *
 * Nothing here passes or fails: it prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory/mem.h"
#include "opdb/db/opdb.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "opdb/resolve/history.h"
#include "opdb/resolve/resolve.h"

enum { WARM_TURNS = 20000, WARM_NAMES = 8 };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const struct err *err)
{
	fprintf(stderr, "%s\n", err->text);
	exit(EXIT_FAILURE);
}

/* One question again and again, as a service asks them: every answer is made anew. */
static void one_operator(const struct opdb *db)
{
	static const char *const names[WARM_NAMES] = { "add", "mm", "index", "isin", "conv2d", "_to_copy",
		"cudnn_batch_norm", "sort" };
	struct resolver *resolver = resolver_new(db);
	struct target target = target_of(opdb_newest(db, TARGET_NPU, STR("")));
	struct answer answer;
	struct err err = { 0 };
	double start = 0;

	for (int turn = -1; turn < WARM_TURNS; turn++) {
		if (!turn)
			start = now();
		for (size_t i = 0; i < WARM_NAMES; i++) {
			if (resolve_base(resolver, &target,
				    &(struct op_query){ .ns = STR("aten"), .base = str_from(names[i]) }, &answer, &err))
				fail(&err);
		}
	}
	printf("one operator on one release, warm: %.2f us with overloads, notes and evidence\n",
		(now() - start) / WARM_TURNS / WARM_NAMES * 1e6);
	resolver_free(resolver);
}

/* The statuses of every name of aten on every release, as `opcheck advise` and histories need them. */
static void all_operators(const struct opdb *db)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct resolver *resolver = resolver_new(db);
	struct target targets[] = { target_of(opdb_newest(db, TARGET_NPU, STR(""))),
		target_of(opdb_newest(db, TARGET_MUSA, STR(""))) };
	struct name_list names = { 0 };
	struct history history;
	struct err err = { 0 };
	double start = now();

	if (opdb_names_with_prefix(db, STR("aten::"), &arena, &names, &err))
		fail(&err);
	for (size_t i = 0; i < names.count; i++) {
		struct str base = str_skip(names.items[i], 6);

		for (size_t t = 0; t < ARRAY_SIZE(targets); t++) {
			if (resolve_history(resolver, &targets[t],
				    &(struct op_query){ .ns = STR("aten"), .base = base }, &history, &err))
				fail(&err);
		}
	}
	printf("%zu operators on all releases, cold: %.0f ms\n", names.count, (now() - start) * 1e3);
	resolver_free(resolver);
	arena_clear(&arena);
}

int main(int argc, char **argv)
{
	struct opdb *db;
	struct err err = { 0 };

	if (argc != 2) {
		fprintf(stderr, "usage: bench_opdb OPDB_FILE\n");
		return EXIT_FAILURE;
	}
	if (opdb_open(argv[1], &db, &err))
		fail(&err);
	one_operator(db);
	all_operators(db);
	opdb_close(db);
	return EXIT_SUCCESS;
}
