#include "import/verdicts.h"

#include <stdlib.h>

#include "base/hash.h"
#include "opdb/model/chip.h"

/* No more verdicts differ for one name and version: one a type and chip. */
enum { GROUPS = DTYPE_COUNT * 8 };

void verdict_grid_clear(struct verdict_grid *grid)
{
	free(grid->items);
	map_clear(&grid->map);
}

static uint64_t hash_cell(struct str name, unsigned chip, unsigned place)
{
	char key[2] = { (char)chip, (char)place };

	return hash_str(hash_str(hash_seed(), name), (struct str){ key, sizeof(key) });
}

struct verdict_cell *verdict_find(const struct verdict_grid *grid, struct str name, unsigned chip, unsigned place)
{
	struct map_cursor at = map_start(&grid->map, hash_cell(name, chip, place));

	while (map_next(&grid->map, &at)) {
		struct verdict_cell *cell = &grid->items[at.index];

		if (cell->chip == chip && cell->place == place && str_eq(cell->name, name))
			return cell;
	}
	return NULL;
}

struct verdict_cell *verdict_at(struct verdict_grid *grid, struct str name, unsigned chip, unsigned place)
{
	struct verdict_cell *cell = verdict_find(grid, name, chip, place);

	if (cell)
		return cell;
	map_add(&grid->map, hash_cell(name, chip, place), (uint32_t)grid->count);
	MEM_PUSH(grid, ((struct verdict_cell){ .name = name, .chip = chip, .place = place }));
	return &grid->items[grid->count - 1];
}

/* Types of one name and version with the same verdict, and the chips on which just these have it. */
struct group {
	struct unit_verdict verdict;
	unsigned types, chips;
};

struct groups {
	struct group items[GROUPS];
	size_t count;
};

static bool same_verdict(const struct unit_verdict *a, const struct unit_verdict *b)
{
	return a->unit == b->unit && str_eq(a->kernels, b->kernels) && str_eq(a->note, b->note);
}

/* The types of a cell that share the verdict of the type with this number, which is the first of them; 0 when it is
   not. */
static unsigned types_like(const struct verdict_cell *cell, unsigned number)
{
	unsigned types = 0;

	for (unsigned i = 0; i < DTYPE_COUNT; i++)
		types |= same_verdict(&cell->types[i], &cell->types[number]) ? 1u << i : 0;
	return types & ((1u << number) - 1) ? 0 : types;
}

static void group_cell(struct groups *groups, const struct verdict_cell *cell)
{
	for (unsigned number = 0; number < DTYPE_COUNT; number++) {
		const struct unit_verdict *verdict = &cell->types[number];
		unsigned types = verdict->unit == UNIT_UNKNOWN ? 0 : types_like(cell, number);
		size_t i = 0;

		if (!types)
			continue;
		while (i < groups->count &&
			!(groups->items[i].types == types && same_verdict(&groups->items[i].verdict, verdict)))
			i++;
		if (i == groups->count)
			groups->items[groups->count++] = (struct group){ .verdict = *verdict, .types = types };
		groups->items[i].chips |= 1u << cell->chip;
	}
}

static int by_name_and_place(const void *a, const void *b)
{
	const struct verdict_cell *left = a, *right = b;
	int order = str_cmp(left->name, right->name);

	if (!order)
		order = (left->place > right->place) - (left->place < right->place);
	return order ? order : (left->chip > right->chip) - (left->chip < right->chip);
}

void verdict_grid_write(struct verdict_grid *grid, struct fact_rows *rows)
{
	qsort(grid->items, grid->count, sizeof(grid->items[0]), by_name_and_place);
	map_clear(&grid->map); /* the cells have moved */
	for (size_t from = 0, to; from < grid->count; from = to) {
		const struct verdict_cell *first = &grid->items[from];
		struct groups groups = { .count = 0 };

		for (to = from; to < grid->count && grid->items[to].place == first->place &&
				str_eq(grid->items[to].name, first->name);
			to++)
			group_cell(&groups, &grid->items[to]);
		for (size_t i = 0; i < groups.count; i++) {
			const struct group *group = &groups.items[i];
			struct str cells[] = { first->name, unit_name(group->verdict.unit),
				dtypes_text(rows->arena, group->types, " "),
				chips_text(rows->arena, TARGET_NPU, group->chips, " "), group->verdict.kernels,
				group->verdict.note };

			fact_rows_add(rows, cells, first->place);
		}
	}
}
