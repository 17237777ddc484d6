/* Bytes as an archive: names stay inside, bytes stay bounded, and an end is an end. */
#include "base/memory/mem.h"
#include "io/members.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_BYTES = 1 << 22, MOST_MEMBERS = 64 };

static void check_name(struct str name)
{
	struct str part;

	HOLD(name.len && name.ptr[0] != '/');
	while (name.len && str_cut(&name, '/', &part))
		HOLD(part.len && !str_eq(part, STR(".")) && !str_eq(part, STR("..")));
}

static int drain(struct members *members, uint64_t *all, struct err *err)
{
	struct source *source = members_open(members);
	struct str chunk;
	int status;

	while ((status = source_next(source, &chunk, err)) == 1)
		*all += chunk.len;
	source_close(source);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct limits limits = limits_default();
	struct str bytes = fuzz_text(data, size), head = { 0 };
	struct source *source;
	struct members *members;
	struct member member;
	struct err err = { 0 };
	uint64_t all = 0, count = 0;
	int status;

	limits.input_bytes = MOST_BYTES;
	limits.archive_members = MOST_MEMBERS;
	source = source_of_memory(bytes, STR("fuzz"), &limits);
	source_peek(source, &head, &err);
	members = members_new(source, members_sniff(head)[0] ? members_sniff(head) : size % 2 ? "tar" : "zip", &limits);
	while ((status = members_next(members, &member, &err)) == 1) {
		HOLD(++count <= MOST_MEMBERS);
		check_name(member.name);
		if (member.name.len % 3 == 0) /* some are passed over */
			continue;
		drain(members, &all, &err);
	}
	HOLD(all <= 2 * (uint64_t)MOST_BYTES);
	HOLD(status == 0 || status == -err.code);
	members_free(members);
	source_close(source);
	return 0;
}
