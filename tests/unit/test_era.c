/* Which versions print tables that look like those of a dump. */
#include "dump/table/era.h"
#include "tests/unit/layouts.h"

static void columns_and_clocks_narrow_the_versions(void **state)
{
	static const struct {
		const char *dashes, *header;
		int64_t self_ns; /* of thirty rows; 0: none */
		const char *text;
	} cases[] = {
		{ NULL, "Name  CPU time  CUDA time  Calls  CPU total  CUDA total", 0, "1.0-1.1" },
		{ NULL, "Name  Self CPU total  Number of Calls", 0, "1.2-1.6" },
		{ "------  ------  ------  -----------------------------------",
			"Name  Self CPU total  Number of Calls  Input Shapes", 0, "1.2-1.5" },
		{ NULL, "Name  Self CPU total  CPU Mem  Number of Calls", 0, "1.6" },
		{ NULL, "Name  Self CPU total  Number of Calls  Node ID", 0, "1.6" },
		{ "------  ------  ------  ---------------------------------------------",
			"Name  Self CPU total  Number of Calls  Input Shapes", 0, "1.6" },
		{ NULL, "Name  Self CPU  # of Calls", 0, "1.7+" },
		{ NULL, "Name  Self CPU  # of Calls  GFLOPS", 0, "1.8-1.9" },
		{ NULL, "Name  Self CPU  # of Calls  Total GFLOPs", 0, "1.10+" },
		{ NULL, "Name  Self CPU  # of Calls  Total GFLOPs", 94000, "1.10-2.2" },
		{ NULL, "Name  Self CPU  # of Calls", 94000, "1.7-2.2" },
		{ NULL, "Name  Self CPU  # of Calls", 94123, "2.3+" },
		{ NULL, "Name  Overload Name  Self CPU  # of Calls", 0, "2.8+" },
		{ NULL, "Name  Overload Name  Self CPU  # of Calls", 94123, "2.8+" },
		/* signs that contradict each other say nothing */
		{ NULL, "Name  Overload Name  Self CPU  # of Calls", 94000, "" },
		{ NULL, NULL, 0, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct era era = era_any();
		char text[24] = "untouched";

		if (cases[i].header) {
			struct layout layout = layout_of(cases[i].dashes, cases[i].header);

			era_narrow_by_layout(&era, &layout);
		}
		for (int row = 0; row < 30 && cases[i].self_ns; row++)
			era_narrow_by_row(&era, &(struct table_row){ .op.self_cpu_ns = cases[i].self_ns });
		era_text(&era, text, sizeof(text));
		if (strcmp(text, cases[i].text) != 0)
			fail_msg("%s is %s, not %s", cases[i].header, text, cases[i].text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_and_clocks_narrow_the_versions),
	};

	return run_group(tests);
}
