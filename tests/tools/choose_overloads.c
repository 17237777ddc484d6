/*
 * choose_overloads DATABASE: which overloads fit calls, one a line of standard input, for the tests that know the true one.
 *
 *	aten::add <TAB> shapes <TAB> dtypes <TAB> concrete   ->   the likely one <TAB> all that fit, by commas
 *
 * An overload without a name is "-"; a line of which nothing is known answers "?".
 */
#include <stdio.h>
#include <stdlib.h>

#include "assess/judge/overload.h"
#include "base/memory/mem.h"
#include "opdb/db/opdb.h"

static void print_name(struct str name)
{
	printf("%.*s", name.len ? (int)name.len : 1, name.len ? name.ptr : "-");
}

static void print_set(const struct known_overloads *known, const struct overload_set *set)
{
	const char *comma = "";

	print_name(known->names[set->likely]);
	putchar('\t');
	for (unsigned i = 0; i < known->count; i++) {
		if (!(set->fits >> i & 1))
			continue;
		fputs(comma, stdout);
		print_name(known->names[i]);
		comma = ",";
	}
	putchar('\n');
}

static int answer(struct resolver *resolver, struct str line, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str name = STR(""), shapes = STR(""), dtypes = STR(""), concrete = STR("");
	struct known_overloads known;
	struct overload_set set = { 0 };
	struct op op = { .ns = STR("aten") };
	struct call call;
	int status;

	str_cut(&line, '\t', &name);
	str_cut(&line, '\t', &shapes);
	str_cut(&line, '\t', &dtypes);
	str_cut(&line, '\t', &concrete);
	op.name = name;
	op.base = str_skip(name, 6);
	status = overloads_know(&arena, resolver, &op, &known, err);
	if (!status && call_read(shapes, dtypes, concrete, &call))
		set = overloads_fit(&known, &call);
	if (!status && set.fits)
		print_set(&known, &set);
	else
		puts("?");
	arena_clear(&arena);
	return status;
}

int main(int argc, char **argv)
{
	CLEANUP(mem_release) char *line = NULL;
	struct resolver *resolver;
	struct opdb *db;
	struct err err = { 0 };
	size_t room = 0;
	ssize_t len;
	int status = 0;

	if (argc != 2 || opdb_open(argv[1], &db, &err))
		return EXIT_FAILURE;
	resolver = resolver_new(db);
	while (!status && (len = getline(&line, &room, stdin)) > 6)
		status = answer(resolver, str_trim((struct str){ line, (size_t)len }), &err);
	resolver_free(resolver);
	opdb_close(db);
	return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
