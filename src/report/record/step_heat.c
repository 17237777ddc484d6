#include "report/record/step_heat.h"

static bool changes(const struct result_operator *op)
{
	return op->dynamic.kind >= DYNAMIC_LAST_BATCH;
}

/* First what changes by itself, then what follows from another operator; both by share. */
static void choose_rows(struct step_heat *heat, const struct result *result)
{
	for (int follows = 0; follows < 2; follows++) {
		for (size_t i = 0; i < result->operator_count && heat->count < HEAT_ROWS; i++) {
			const struct result_operator *op = &result->operators[i];

			if (changes(op) && (op->dynamic.follows.len > 0) == follows)
				heat->ops[heat->count++] = op;
		}
	}
}

static void measure_steps(struct step_heat *heat)
{
	for (size_t i = 0; i < heat->count; i++) {
		for (size_t j = 0; j < heat->ops[i]->shape_count; j++) {
			const struct result_shape *shape = &heat->ops[i]->shapes[j];

			if (shape->step_count && shape->steps[shape->step_count - 1].last > heat->last)
				heat->last = shape->steps[shape->step_count - 1].last;
		}
	}
	heat->per_column = heat->last / HEAT_COLUMNS + (heat->last % HEAT_COLUMNS > 0);
	heat->columns = heat->last ? (heat->last - 1) / heat->per_column + 1 : 0;
}

static void count_fresh(struct step_heat *heat)
{
	for (size_t i = 0; i < heat->count; i++) {
		for (size_t j = 0; j < heat->ops[i]->shape_count; j++) {
			const struct result_shape *shape = &heat->ops[i]->shapes[j];
			uint32_t first = shape->step_count ? shape->steps[0].first : 0;
			uint64_t *fresh;

			if (!first || first > heat->last) /* a report may say anything */
				continue;
			fresh = &heat->fresh[i][(first - 1) / heat->per_column];
			++*fresh;
			heat->most = *fresh > heat->most ? *fresh : heat->most;
		}
	}
}

struct step_heat step_heat_of(const struct result *result)
{
	struct step_heat heat = { 0 };

	choose_rows(&heat, result);
	measure_steps(&heat);
	heat.columns = heat.columns < 2 ? 0 : heat.columns;
	if (heat.columns)
		count_fresh(&heat);
	return heat;
}
