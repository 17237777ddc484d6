#include "assess/describe.h"

#include "assess/assess.h"
#include "assess/model/origin.h"
#include "assess/work.h"
#include "opdb/db/lists.h"
#include "opdb/db/overlay.h"

void assess_describe_target(struct arena *arena, const struct target *target, struct result_target *ret)
{
	const struct release *release = target->release;

	*ret = (struct result_target){ .id = arena_keep(arena, str_from(target->id)),
		.plugin = arena_keep(arena, release->plugin),
		.torch = arena_keep(arena, release->torch),
		.cann = arena_keep(arena, release->cann),
		.date = arena_keep(arena, release->date),
		.fallback = arena_keep(arena, release->fallback) };
}

void assessment_describe_inputs(struct assessment *work)
{
	const struct assess_request *request = work->request;
	struct result *result = work->result;
	struct capture_context context = { request->profile, &work->operators,
		request->max_uncovered_ppm ? *request->max_uncovered_ppm : USUAL_MAX_UNCOVERED_PPM };

	result->input_count = request->input_count;
	result->inputs = arena_alloc(work->arena, (request->input_count + 1) * sizeof(result->inputs[0]));
	for (size_t i = 0; i < request->input_count; i++) {
		capture_describe(work->arena, &request->inputs[i], &context, &result->inputs[i]);
		origin_describe(work->arena, request->db, &request->inputs[i].dump.device, &result->inputs[i].device);
	}
	for (size_t i = 0; i < request->input_count; i++) {
		if (request->inputs[i].counted_in)
			result->inputs[i].counted_in = result->inputs[request->inputs[i].counted_in - 1].name;
	}
}

void assess_describe_database(struct arena *arena, const struct opdb *db, const char *tool_version, struct result *ret)
{
	const struct opdb_info *info = opdb_info(db);
	const struct overlay *overlays;

	ret->tool_version = arena_keep(arena, str_from(tool_version));
	ret->db = (struct result_db){ arena_keep(arena, info->build), arena_keep(arena, info->built_at),
		arena_keep(arena, info->sha256) };
	if (info->pack_sha256.len) {
		ret->db.pack = arena_alloc(arena, sizeof(*ret->db.pack));
		*ret->db.pack = (struct result_pack){ arena_keep(arena, info->pack_sha256), info->pack_is_signed };
	}
	overlays = opdb_overlays(db, &ret->db.overlay_count);
	ret->db.overlays = arena_alloc(arena, (ret->db.overlay_count + 1) * sizeof(ret->db.overlays[0]));
	for (size_t i = 0; i < ret->db.overlay_count; i++)
		ret->db.overlays[i] = (struct result_overlay){ arena_keep(arena, overlays[i].name),
			arena_keep(arena, overlays[i].sha256), overlays[i].facts };
}

void assessment_describe_sources(struct assessment *work)
{
	assess_describe_database(work->arena, work->request->db, work->request->tool_version, work->result);
	work->result->basis = work->weights.basis;
	work->result->shown_ppm = work->weights.uncovered ? share_ppm(work->weights.time_total, work->weights.whole)
							  : WHOLE_PPM;
}
