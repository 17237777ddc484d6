#pragma once
/* The parts of a report about costs (assess/result_cost.h), one file a form. */
#include "json/jsonw.h"
#include "report/render.h"
#include "report/values.h"

/* Keys of the open object: of a target, and of the report. */
void json_put_target_costs(struct jsonw *json, const struct result_target *target, const struct result *result);
void json_put_costs(struct jsonw *json, const struct result *result);

/* Reads them back; reports of earlier versions have none. The targets stand in the result before its costs are read. */
void load_target_costs(struct loader *loader, const cJSON *object, struct result_target *ret);
void load_costs(struct loader *loader, const cJSON *root, struct result *ret);

/* --- sentences that the text and the page share */

enum { COST_LINES = 4 };

/* What the CPU costs on a target, what compiling costs there; texts live in arena. They return how many. */
size_t costs_say_crossings(const struct result *result, const struct result_target *target, struct arena *arena,
	struct message ret[COST_LINES]);
size_t costs_say_compiling(const struct result_target *target, struct arena *arena, struct message ret[COST_LINES]);

/* "48.0 kB", of bytes divided by parts; "0.512 ms" of nanoseconds. */
struct str costs_bytes(struct arena *arena, uint64_t bytes, uint64_t parts);
struct str costs_ms(struct arena *arena, int64_t ns, uint64_t parts);

/* What of a place's time is not certain to be on the device, on the target where that is most. */
int64_t costs_off_device(const struct result_place *place, size_t target_count);
