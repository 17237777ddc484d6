#include "tests/unit/opdb_fixture.h"
#include "opdb/build/build.h"
#include "tests/unit/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int fixture_build(void **state)
{
	struct fixture *fixture = mem_zalloc(sizeof(*fixture));
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
	struct err err = { 0 };

	if (!mkdtemp(temporary_path(fixture->directory, sizeof(fixture->directory))))
		return -1;
	snprintf(fixture->path, sizeof(fixture->path), "%s/opdb.sqlite", fixture->directory);
	source_path(&text, "tests/unit/facts");
	if (opdb_build(buf_text(&text), fixture->path, &err) || opdb_open(fixture->path, &fixture->db, &err)) {
		print_error("%s: %s\n", err.where, err.text);
		return -1;
	}
	fixture->resolver = resolver_new(fixture->db);
	*state = fixture;
	return 0;
}

int fixture_clean(void **state)
{
	struct fixture *fixture = *state;

	resolver_free(fixture->resolver);
	opdb_close(fixture->db);
	unlink(fixture->path);
	rmdir(fixture->directory);
	free(fixture);
	return 0;
}

struct target target_named(const struct fixture *fixture, const char *spec)
{
	struct target target = { .release = NULL };
	struct err err = { 0 };

	if (target_resolve(fixture->db, str_from(spec), STR(""), &target, &err))
		fail_msg("%s: %s", spec, err.text);
	return target;
}

struct answer answer_on(const struct fixture *fixture, const char *spec, const char *name, enum reading reading)
{
	struct target target = target_named(fixture, spec);
	struct str overload = str_from(name), ns = STR("aten"), base = { 0 };
	size_t colons = str_find(overload, STR("::"));
	struct answer answer = { 0 };
	struct err err = { 0 };

	if (colons != STR_NONE) {
		ns = str_sub(overload, 0, colons);
		overload = str_skip(overload, colons + 2);
	}
	str_cut(&overload, '.', &base);
	if (!overload.ptr)
		overload = STR("");
	if (resolve_base(fixture->resolver, &target, &(struct op_query){ ns, base, overload, reading }, &answer, &err))
		fail_msg("%s: %s", name, err.text);
	return answer;
}
