/* The tables of the report: members of the size that their kinds take, few functions. */
#include "base/memory/buf.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/record/records.h"
#include "tests/unit/check.h"

static void assert_bytes(const struct field *field)
{
	static const size_t bytes[] = {
		[MEMBER_TEXT] = sizeof(struct str),
		[MEMBER_BOOL] = sizeof(bool),
		[MEMBER_UNSIGNED] = sizeof(unsigned),
		[MEMBER_U32] = sizeof(uint32_t),
		[MEMBER_I64] = sizeof(int64_t),
		[MEMBER_POINTER] = sizeof(void *),
		[MEMBER_ITEMS] = sizeof(void *),
	};
	enum member_type type = field->kind->type;

	if (type < ARRAY_SIZE(bytes) && bytes[type] && field->at.bytes != bytes[type])
		fail_msg("%s: the member has %zu bytes, its kind %zu", field->key, field->at.bytes, bytes[type]);
	if (field->kind == &kind_object && field->at.bytes)
		assert_int_equal(field->at.bytes, field->record->bytes);
	if (type == MEMBER_ITEMS)
		assert_int_equal(field->count.bytes, sizeof(size_t));
	if (field->flags & PRESENCE)
		assert_int_equal(field->when.bytes, sizeof(bool));
}

static void assert_members(const struct record *record)
{
	size_t count = 0;

	for (const struct field *field = record->fields; field->key; field++, count++) {
		assert_bytes(field);
		if (field->record)
			assert_members(field->record);
	}
	assert_in_range(count, 1, RECORD_FIELDS);
}

static void every_member_has_the_size_of_its_kind(void **state)
{
	assert_members(&report_record);
}

static void count_functions(const struct record *record, unsigned *fields, unsigned *functions)
{
	for (const struct field *field = record->fields; field->key; field++) {
		*fields += 1;
		*functions += field->put || field->is_written;
		if (field->record)
			count_functions(field->record, fields, functions);
	}
}

static void at_most_one_field_in_twenty_has_a_function(void **state)
{
	unsigned fields = 0, functions = 0;

	count_functions(&report_record, &fields, &functions);
	assert_in_range(functions, 1, fields / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_member_has_the_size_of_its_kind),
		cmocka_unit_test(at_most_one_field_in_twenty_has_a_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
