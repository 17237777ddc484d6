#include "diagnose/smi.h"

#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"

enum { DEVICES_MOST = 1024, CELLS = 4, NAME_BYTES = 80 };

static struct str keep_shown(struct arena *arena, struct str text)
{
	text = str_trim(text);
	return utf8_keep_printable(arena, text.len > NAME_BYTES ? str_sub(text, 0, NAME_BYTES) : text);
}

/* The word behind a label, such as "Version: "; "" without one. */
static struct str word_behind(struct str line, struct str label)
{
	size_t at = str_find(line, label);

	return at == STR_NONE ? STR("") : str_head(str_trim(str_skip(line, at + label.len)), ' ');
}

static bool is_number(struct str text)
{
	uint64_t number;

	return decimal_unsigned(str_trim(text), &number);
}

static void add_device(struct arena *arena, struct smi_answer *answer, struct str name, struct str health)
{
	if (answer->devices.count < DEVICES_MOST)
		MEM_PUSH(&answer->devices, ((struct smi_device){ keep_shown(arena, name), keep_shown(arena, health) }));
}

/* "0     910B3" as "0" and "910B3" */
static struct str name_behind_number(struct str cell, struct str *ret_number)
{
	cell = str_trim(cell);
	*ret_number = str_head(cell, ' ');
	return str_trim(str_skip(cell, ret_number->len));
}

/* "| 0     910B3     | OK     | 93.0 ..." has name and health; the line below it has the bus address of the chip. */
void smi_read_npu(struct arena *arena, struct str text, struct smi_answer *ret)
{
	struct str line, name = STR(""), health = STR("");

	*ret = (struct smi_answer){ 0 };
	while (str_cut(&text, '\n', &line)) {
		struct str cells[CELLS] = { 0 }, number;
		size_t count = 0;

		if (!ret->driver.len && str_has(line, STR("npu-smi")))
			ret->driver = keep_shown(arena, word_behind(line, STR("Version:")));
		if (!str_starts(line, STR("|")))
			continue;
		line = str_skip(line, 1);
		while (count < CELLS && str_cut(&line, '|', &cells[count]))
			count++;
		if (count < 3 || !is_number(str_head(str_trim(cells[0]), ' ')))
			continue;
		if (str_has(cells[1], STR(":"))) {
			add_device(arena, ret, name, health);
		} else if (is_number(cells[1])) {
			ret->processes++; /* the cell is its process id */
		} else {
			name = name_behind_number(cells[0], &number);
			health = cells[1];
		}
	}
}

/* "0    MTT S4000      |00000000:2a:00.0    |0%    10MiB(49152MiB)" */
void smi_read_musa(struct arena *arena, struct str text, struct smi_answer *ret)
{
	struct str line;
	bool processes = false;

	*ret = (struct smi_answer){ 0 };
	while (str_cut(&text, '\n', &line)) {
		struct str cell, number, rest = line, name;

		if (!ret->driver.len && str_has(line, STR("mthreads-gmi")))
			ret->driver = keep_shown(arena, word_behind(line, STR("Driver Version:")));
		processes = processes || str_starts(line, STR("Processes"));
		if (!line.len || !is_digit(line.ptr[0]))
			continue;
		str_cut(&rest, '|', &cell);
		name = name_behind_number(cell, &number);
		if (!is_number(number) || !name.len)
			continue;
		if (processes)
			ret->processes++;
		else if (str_has(rest, STR(":")))
			add_device(arena, ret, name, STR(""));
	}
}
