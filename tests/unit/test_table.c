/* Tables in a log: every way in which one begins, goes on and ends. */
#include "tests/unit/check.h"
#include "tests/unit/recorder.h"

#define DASHES "------------  ----------  ------------  ---------------  \n"
#define HEADER "        Name    Self CPU    # of Calls     Input Shapes  \n"
#define ADD "   aten::add     3.000us             7         [[2, 3]]  \n"
#define MUL "   aten::mul     1.500us             2             [[]]  \n"
#define FOOTER "Self CPU time total: 4.500us\n"
#define HEAD DASHES HEADER DASHES
#define TABLE HEAD ADD DASHES FOOTER

#define STREAM "stream 0 \"\"\n"
#define BEGIN "begin 0 shapes times\n"
#define SAW_ADD "row 0 aten::add|?|[[2, 3]] 7 3.000 0.000 0.000\n"
#define SAW_MUL "row 0 aten::mul|?|[[]] 2 1.500 0.000 0.000\n"
#define END "end 0 4.500 - -1\n"
#define END_BARE "end 0 - - -1\n"
#define END_CUT "end 0 - - -1 cut\n"
#define ONE_TABLE STREAM BEGIN SAW_ADD END

struct table_case {
	const char *why, *text, *events;
};

static void assert_events(const struct table_case *cases, size_t count, const struct limits *limits)
{
	static const size_t chunks[] = { 0, 1, 2, 3, 7, 4096 };

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(chunks); j++) {
			CLEANUP(buf_clear) struct buf events = BUF_INIT(1 << 20);
			struct dump_facts facts;
			struct err err = { 0 };

			record_tables(str_from(cases[i].text), chunks[j], limits, &events, &facts, &err);
			if (!str_eq(buf_str(&events), str_from(cases[i].events)))
				fail_msg("%s, in chunks of %zu:\n%s", cases[i].why, chunks[j], buf_text(&events));
		}
	}
}

static void a_table_begins_at_its_header_and_ends_at_dashes_or_footer(void **state)
{
	static const struct table_case cases[] = {
		{ "whole", TABLE, ONE_TABLE },
		{ "two rows", HEAD ADD MUL DASHES FOOTER, STREAM BEGIN SAW_ADD SAW_MUL END },
		{ "without footer", HEAD ADD DASHES "Epoch 1\n", STREAM BEGIN SAW_ADD END_BARE },
		{ "without closing dashes", HEAD ADD FOOTER "x\n", STREAM BEGIN SAW_ADD END },
		{ "without the last line feed", HEAD ADD DASHES "Self CPU time total: 4.500us",
			STREAM BEGIN SAW_ADD END },
		{ "with the footer of a device", HEAD ADD DASHES FOOTER "Self CUDA time total: 1.000ms\n",
			STREAM BEGIN SAW_ADD "end 0 4.500 1000.000 -1\n" },
		{ "with the footers of 1.2", HEAD ADD DASHES "CPU time total: 4.500us\nCUDA time total: 1.000ms\n",
			STREAM BEGIN SAW_ADD "end 0 - 1000.000 -1\n" },
		{ "without a rule under the header", DASHES HEADER ADD DASHES FOOTER, ONE_TABLE },
		{ "without dashes above", HEADER DASHES ADD DASHES FOOTER, ONE_TABLE },
		{ "without any dashes", HEADER ADD FOOTER, ONE_TABLE },
		{ "without a row (row_limit=0)", HEAD DASHES FOOTER, STREAM BEGIN END },
		{ "cut in its rows", HEAD ADD, STREAM BEGIN SAW_ADD END_CUT },
		{ "cut in a row", HEAD ADD "   aten::mu", STREAM BEGIN SAW_ADD END_CUT },
		{ "cut behind its rows", HEAD ADD DASHES, STREAM BEGIN SAW_ADD END_BARE },
		{ "two tables", TABLE "\n" TABLE, ONE_TABLE BEGIN SAW_ADD END },
		{ "two tables with one line of dashes between them", HEAD ADD DASHES HEADER DASHES MUL DASHES,
			STREAM BEGIN SAW_ADD END_BARE BEGIN SAW_MUL END_BARE },
		{ "a header in the middle of rows", HEAD ADD HEADER DASHES MUL DASHES,
			STREAM BEGIN SAW_ADD END_CUT BEGIN SAW_MUL END_BARE },
		{ "a header line alone", HEADER, "" },
		{ "dashes without a header", DASHES "x\n" ADD DASHES, "" },
		{ "a header that somebody wrote", DASHES "Name of the run:  Input Shapes\n" DASHES, "" },
		{ "a footer without a table", FOOTER, "" },
		{ "nothing", "", "" },
	};
	struct limits limits = limits_default();

	assert_events(cases, ARRAY_SIZE(cases), &limits);
}

static void foreign_lines_are_skipped_and_many_of_them_end_a_table(void **state)
{
	static const struct table_case cases[] = {
		{ "one between rows", HEAD ADD "Epoch 1\n" MUL DASHES FOOTER, STREAM BEGIN SAW_ADD SAW_MUL END },
		{ "as many as allowed", HEAD ADD "a\nb\nc\n" MUL DASHES FOOTER, STREAM BEGIN SAW_ADD SAW_MUL END },
		{ "one more", HEAD ADD "a\nb\nc\nd\n" MUL DASHES FOOTER, STREAM BEGIN SAW_ADD END_CUT },
		{ "a row begins the count anew", HEAD ADD "a\nb\n" ADD "c\nd\n" MUL DASHES FOOTER,
			STREAM BEGIN SAW_ADD SAW_ADD SAW_MUL END },
		{ "blank lines are no foreign lines", HEAD ADD "\n\n\n\n\n\n" MUL DASHES FOOTER,
			STREAM BEGIN SAW_ADD SAW_MUL END },
	};
	struct limits limits = limits_default();

	limits.foreign_lines = 3;
	assert_events(cases, ARRAY_SIZE(cases), &limits);
}

static void lines_behind_one_prefix_are_one_stream(void **state)
{
	static const struct table_case cases[] = {
		{ "one rank",
			"[rank0]: " DASHES "[rank0]: " HEADER "[rank0]: " DASHES "[rank0]: " ADD "[rank0]: " DASHES
			"[rank0]: " FOOTER,
			"stream 0 \"rank0\"\n" BEGIN SAW_ADD END },
		{ "two ranks in turn",
			"[rank0]: " DASHES "[rank1]: " DASHES "[rank0]: " HEADER "[rank1]: " HEADER "[rank1]: " DASHES
			"[rank0]: " DASHES "[rank1]: " ADD "[rank0]: " MUL "[rank0]: " DASHES "[rank1]: " DASHES
			"[rank1]: " FOOTER "[rank0]: " FOOTER,
			"stream 0 \"rank1\"\nbegin 0 shapes times\nstream 1 \"rank0\"\nbegin 1 shapes times\n" SAW_ADD
			"row 1 aten::mul|?|[[]] 2 1.500 0.000 0.000\nend 1 4.500 - -1\nend 0 4.500 - -1\n" },
		{ "a prefix that counts time",
			"10:00:01 " DASHES "10:00:01 " HEADER "10:00:02 " DASHES "10:00:02 " ADD "10:00:03 " DASHES
			"10:00:03 " FOOTER,
			ONE_TABLE },
		{ "a quoted mail", "> " DASHES "> " HEADER "> " DASHES "> " ADD "> " DASHES "> " FOOTER, ONE_TABLE },
		{ "other lines in between",
			"[rank0]: " DASHES "x\n[rank0]: " HEADER "y\n[rank0]: " DASHES "[rank0]: " ADD
			"z\n[rank0]: " DASHES "[rank0]: " FOOTER,
			"stream 0 \"rank0\"\n" BEGIN SAW_ADD END },
	};
	struct limits limits = limits_default();

	assert_events(cases, ARRAY_SIZE(cases), &limits);
}

#define BAR "100%|####| 10/10 [00:01<00:00, 9.8it/s]"
#define LONG_BAR                                                                                                       \
	"100%|#######################################################################################################" \
	"###"                                                                                                          \
	"###########################################################################################################"  \
	"###########################################################################################################|"

static void dashes_may_hang_on_a_progress_bar(void **state)
{
	static const struct table_case cases[] = {
		{ "a bar that was not ended", BAR DASHES HEADER DASHES ADD DASHES FOOTER, ONE_TABLE },
		{ "a bar too long for a prefix", LONG_BAR DASHES HEADER DASHES ADD DASHES FOOTER, ONE_TABLE },
		{ "something else follows", BAR DASHES "x\n" HEADER DASHES ADD DASHES FOOTER, ONE_TABLE },
		{ "the table of a rank stays when a bar comes before another one",
			"[rank0]: " DASHES "[rank0]: " HEADER "[rank0]: " DASHES
			"[rank0]: " ADD LONG_BAR DASHES HEADER DASHES MUL DASHES FOOTER "[rank0]: " MUL
			"[rank0]: " DASHES "[rank0]: " FOOTER,
			"stream 0 \"rank0\"\n" BEGIN SAW_ADD
			"stream 1 \"\"\nbegin 1 shapes times\nrow 1 aten::mul|?|[[]] 2 1.500 0.000 0.000\n" SAW_MUL
			"end 1 4.500 - -1\n" END },
	};
	struct limits limits = limits_default();

	assert_events(cases, ARRAY_SIZE(cases), &limits);
}

static void a_wrapped_table_is_joined(void **state)
{
	static const struct table_case cases[] = {
		{ "at 48 columns",
			"------------  ----------  ------------  --------\n-------  \n"
			"        Name    Self CPU    # of Calls     Input\n Shapes  \n"
			"------------  ----------  ------------  --------\n-------  \n"
			"   aten::add     3.000us             7         [\n[2, 3]]  \n"
			"------------  ----------  ------------  --------\n-------  \n" FOOTER,
			ONE_TABLE },
	};
	struct limits limits = limits_default();

	assert_events(cases, ARRAY_SIZE(cases), &limits);
}

static void what_columns_say_is_told(void **state)
{
	static const struct table_case cases[] = {
		{ "a device, no shapes", "Name  Self CPU  Self CUDA  # of Calls\naten::add  3.000us  2.000us  7\n",
			STREAM "begin 0 times device\nrow 0 aten::add|?| 7 3.000 0.000 2.000\n" END_CUT },
		{ "overloads",
			"------------  ------------  ---------  ---------\n        Name  Overload Name  Self CPU  # of "
			"Calls\n"
			"   aten::add        Tensor    3.000us          7\n   aten::add                  3.000us       "
			"   7\n"
			"   aten::add  Tensor_lo...    3.000us          7\n"
			"  k::\xc3\xa4  run                  3.000us          7\n" /* two bytes are one place */,
			STREAM "begin 0 times overloads\nrow 0 aten::add|Tensor| 7 3.000 0.000 0.000\nrow 0 "
			       "aten::add|| 7 3.000 0.000 0.000\n"
			       "row 0 aten::add|?| 7 3.000 0.000 0.000\n"
			       "row 0 k::\xc3\xa4  run|| 7 3.000 0.000 0.000\n" END_CUT },
		{ "bare names", "Name  Self CPU total  Number of Calls\nadd  3.000us  7\n",
			STREAM "begin 0 times bare\nrow 0 add|?| 7 3.000 0.000 0.000\n" END_CUT },
		{ "1.0: no self times",
			"Name  CPU time  CUDA time  Calls  CPU total  CUDA total\nadd  3.000us  0.000us  7  21.000us  "
			"0.000us\n",
			STREAM "begin 0 bare\nrow 0 add|?| 7 0.000 21.000 0.000\n" END_CUT },
		{ "shares",
			"Name  Self CPU %  Self CPU  # of Calls\naten::add  60.00%  3.000us  7\naten::mul  39.50%  "
			"2.000us  7\n" FOOTER,
			STREAM "begin 0 times\nrow 0 aten::add|?| 7 3.000 0.000 0.000\nrow 0 aten::mul|?| 7 2.000 "
			       "0.000 0.000\nend 0 4.500 - 995000\n" },
		{ "top level only", "====\nThis report only display top-level ops statistics\n" TABLE TABLE,
			STREAM "begin 0 shapes times top-level\n" SAW_ADD END BEGIN SAW_ADD END },
		{ "a row without a header", "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  7  [[2]]\n",
			STREAM BEGIN "row 0 aten::add|?|[[2]] 7 3.000 3.000 0.000\nend 0 - - 125000 cut\n" },
		{ "a cut name and cut shapes", HEAD "aten::adda...     3.000us             7  [[2, 3], [2, 3\n",
			STREAM BEGIN
			"row 0 aten::adda...|?|[[2, 3], [2, 3 7 3.000 0.000 0.000 name-cut shapes-cut\n" END_CUT },
		{ "short shapes that do not balance were not cut",
			HEAD "   aten::add     3.000us             7             [[2,\n",
			STREAM BEGIN "row 0 aten::add|?|[[2, 7 3.000 0.000 0.000\n" END_CUT },
	};
	struct limits limits = limits_default();

	assert_events(cases, ARRAY_SIZE(cases), &limits);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_begins_at_its_header_and_ends_at_dashes_or_footer),
		cmocka_unit_test(foreign_lines_are_skipped_and_many_of_them_end_a_table),
		cmocka_unit_test(lines_behind_one_prefix_are_one_stream),
		cmocka_unit_test(dashes_may_hang_on_a_progress_bar),
		cmocka_unit_test(a_wrapped_table_is_joined),
		cmocka_unit_test(what_columns_say_is_told),
	};

	return run_group(tests);
}
