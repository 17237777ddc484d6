#include "scan/find/scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "assess/describe.h"
#include "assess/finding/headline.h"
#include "assess/model/rule.h"
#include "base/memory/map.h"
#include "base/value/sha256.h"
#include "base/view/ascii.h"
#include "scan/find/apis.h"
#include "scan/find/callings.h"
#include "scan/find/program.h"

struct scanning {
	const struct scan_request *request;
	struct result *result;
	struct arena *arena; /* the result's */
	struct program program;
	MEM_LIST(struct result_finding) findings;
};

/* --- findings */

/* Names that PyTorch has from 2.6 on. */
static bool is_too_new(const struct source_place *place)
{
	return rule_is(place->rule, "src-too-new");
}

static struct result_site *site_of(struct scanning *scanning, const struct source_place *place, enum target_kind target)
{
	const struct syntax *syntax = &place->script->syntax;
	const struct syntax_node *node = &syntax->items[place->node];
	struct result_site *site = arena_alloc(scanning->arena, sizeof(*site));

	site->path = place_path(scanning->arena, place->script->path);
	syntax_place(syntax, place_anchor(place), &site->line, &site->column);
	syntax_place(syntax, node->to, &site->end_line, &site->end_column);
	site->expression = place->stops ? arena_keep(scanning->arena, place->stops->names)
					: place_text(scanning->arena, syntax_text(syntax, place->node));
	site->replacement = place_replacement(place, target, scanning->arena);
	site->action = is_too_new(place) ? SOURCE_MUST_CHANGE : place_action(place, target);
	return site;
}

/* The same wherever in the script the finding is; equal ones are numbered in their order. */
static struct str fingerprint_of(struct scanning *scanning, const struct result_finding *finding, size_t ordinal)
{
	enum { DIGITS = 16 };
	struct sha256 *sha = sha256_new();
	char hex[SHA256_HEX_BYTES], digits[24];

	sha256_add_field(sha, str_from(finding->what.id));
	sha256_add_field(sha, finding->operator_name);
	sha256_add_field(sha, finding->target);
	sha256_add_field(sha, finding->site->path);
	sha256_add_field(sha, finding->site->expression);
	if (ordinal)
		sha256_add_field(sha, (struct str){ digits, (size_t)snprintf(digits, sizeof(digits), "%zu", ordinal) });
	sha256_end(sha, hex);
	return arena_keep(scanning->arena, (struct str){ hex, DIGITS });
}

static void put_sources(struct scanning *scanning, struct str sources, struct result_finding *finding)
{
	struct str source = { 0 };

	finding->evidence = arena_alloc(scanning->arena, 4 * sizeof(finding->evidence[0]));
	while (finding->evidence_count < 4 && sources.len && str_cut(&sources, ' ', &source))
		finding->evidence[finding->evidence_count++] = (struct result_evidence){ .kind = EVIDENCE_SOURCE,
			.ref = arena_keep(scanning->arena, source) };
}

static void add_advice(struct scanning *scanning, struct result_finding *finding, const struct message *advice)
{
	finding->advice = arena_keep_bytes(scanning->arena, advice, sizeof(*advice));
	finding->advice_count = 1;
}

/* Of all that wait for the device in a script. */
static void put_stops(struct scanning *scanning, const struct source_place *place, struct result_finding *finding)
{
	finding->operator_name = arena_keep(scanning->arena, place->stops->names);
	finding->what = *MESSAGE(scanning->arena, "src-dynamic-script", NUMBER("count", (int64_t)place->stops->count),
		BLANK("name", finding->operator_name), BLANK("lines", arena_keep(scanning->arena, place->stops->lines)),
		BLANK("target", finding->target), BLANK("path", finding->site->path),
		NUMBER("line", finding->site->line));
}

static void push_finding(struct scanning *scanning, const struct source_place *place, const struct target *target)
{
	enum target_kind kind = target->release->target;
	struct result_finding finding = { .operator_name = place_text(scanning->arena, place->name),
		.target = arena_keep(scanning->arena, str_from(target->id)),
		.site = site_of(scanning, place, kind) };
	const struct result_site *site = finding.site;

	finding.severity = (enum severity)site->action; /* both go from the gravest on */
	if (place->stops)
		put_stops(scanning, place, &finding);
	else
		finding.what = *MESSAGE(scanning->arena, place->rule->rule, BLANK("name", finding.operator_name),
			BLANK("target", finding.target), BLANK("path", site->path), NUMBER("line", site->line));
	put_sources(scanning, place->rule->sources, &finding);
	if (site->replacement.len)
		add_advice(scanning, &finding,
			MESSAGE(scanning->arena, "advice-instead", BLANK("replacement", site->replacement)));
	else if (is_served(place, kind))
		add_advice(scanning, &finding,
			MESSAGE(scanning->arena, "advice-served", BLANK("target", target_kind_name(kind))));
	MEM_PUSH(&scanning->findings, finding);
}

static int by_gravity(const void *a, const void *b)
{
	const struct result_finding *left = a, *right = b;
	return ORDER(left->severity, right->severity) ?: str_natural_cmp(left->site->path, right->site->path)
	       ?: ORDER(left->site->line, right->site->line) ?: ORDER(left->site->column, right->site->column)
	       ?: strcmp(left->what.id, right->what.id) ?: str_cmp(left->operator_name, right->operator_name)
	       ?: str_cmp(left->target, right->target);
}

/* The ordinal of each is one more than that of the one like it before. */
static void put_fingerprints(struct scanning *scanning)
{
	struct repeated {
		struct str fingerprint;
		size_t times;
	};
	MEM_LIST(struct repeated) known = { 0 };
	struct map by_fingerprint = { 0 };

	for (size_t i = 0; i < scanning->findings.count; i++) {
		struct result_finding *finding = &scanning->findings.items[i];
		struct str first = fingerprint_of(scanning, finding, 0);
		uint32_t at = MAP_FIND(&by_fingerprint, known.items, first);

		finding->fingerprint = first;
		if (at != MAP_NONE) {
			finding->fingerprint = fingerprint_of(scanning, finding, ++known.items[at].times);
			continue;
		}
		map_add_name(&by_fingerprint, first, (uint32_t)known.count);
		MEM_PUSH(&known, ((struct repeated){ first, 0 }));
	}
	map_clear(&by_fingerprint);
	free(known.items);
}

/* Of a call of an API that the target does not support. */
static void push_api(void *ctx, const struct api_finding *found)
{
	struct scanning *scanning = ctx;
	struct source_rule rule = { .name = found->name, .rule = "src-api-unsupported", .sources = found->source };
	struct source_place place = {
		.script = found->script, .node = found->node, .rule = &rule, .name = found->name
	};

	rule.on[found->target->release->target].action = found->action;
	push_finding(scanning, &place, found->target);
}

static void put_findings(struct scanning *scanning)
{
	struct result *result = scanning->result;

	for (size_t i = 0; i < scanning->program.check.places.count; i++) {
		const struct source_place *place = &scanning->program.check.places.items[i];

		for (size_t j = 0; j < scanning->request->target_count; j++) {
			const struct target *target = &scanning->request->targets[j];

			if (place->summed ||
				(is_too_new(place) && str_natural_cmp(target->release->torch, STR("2.6")) >= 0))
				continue;
			if (!is_absent(place) || place->rule->on[target->release->target].action != SOURCE_FINE)
				push_finding(scanning, place, target);
		}
	}
	MEM_SORT(&scanning->findings, by_gravity);
	put_fingerprints(scanning);
	result->findings = arena_keep_bytes(
		scanning->arena, scanning->findings.items, scanning->findings.count * sizeof(result->findings[0]));
	result->finding_count = scanning->findings.count;
	result->source->left_out = scanning->program.check.left_out;
}

/* --- targets */

static void put_verdict(struct scanning *scanning, struct result_target *target, enum target_kind kind)
{
	const struct check *check = &scanning->program.check;
	int64_t counts[SOURCE_ACTIONS] = { 0 };

	for (size_t i = 0; i < scanning->result->finding_count; i++) {
		const struct result_finding *finding = &scanning->result->findings[i];

		if (str_eq(finding->target, target->id))
			counts[finding->site->action]++;
	}
	target->verdict = counts[SOURCE_MUST_CHANGE]       ? VERDICT_BLOCKED
			  : scanning->program.unread.count ? VERDICT_INCONCLUSIVE
			  : counts[SOURCE_CHECK]           ? VERDICT_WARNINGS
							   : VERDICT_READY;
	if (!counts[SOURCE_MUST_CHANGE] && ANY(i, check->places.count, is_served(&check->places.items[i], kind)))
		target->reason = *MESSAGE(scanning->arena, "reason-source-served",
			NUMBER("check", counts[SOURCE_CHECK]), BLANK("target", target_kind_name(kind)));
	else
		target->reason = *MESSAGE(scanning->arena, "reason-source", NUMBER("must", counts[SOURCE_MUST_CHANGE]),
			NUMBER("check", counts[SOURCE_CHECK]));
	headline_complete(target);
}

static void put_targets(struct scanning *scanning)
{
	struct result *result = scanning->result;

	result->target_count = scanning->request->target_count;
	result->targets = arena_alloc(scanning->arena, (result->target_count + 1) * sizeof(result->targets[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		assess_describe_target(scanning->arena, &scanning->request->targets[i], &result->targets[i]);
		put_verdict(scanning, &result->targets[i], scanning->request->targets[i].release->target);
	}
}

/* --- the whole */

static void put_unread(struct scanning *scanning)
{
	struct result_source_tree *tree = scanning->result->source;
	struct program *program = &scanning->program;

	for (size_t i = 0; i < program->skipped.count; i++)
		MEM_PUSH(&program->unread, program->skipped.items[i]);
	tree->unread_count = program->unread.count;
	tree->unread = arena_keep_bytes(
		scanning->arena, program->unread.items, tree->unread_count * sizeof(tree->unread[0]));
}

static struct result *new_result(void)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct result *result = arena_alloc(&arena, sizeof(*result));

	result->arena = arena;
	result->basis = BASIS_CALLS;
	result->cost.steps = 1;
	result->cost.host_bandwidth = 1;
	result->cost.host_slowdown_milli = 1000;
	result->source = arena_alloc(&result->arena, sizeof(*result->source));
	return result;
}

/* --- beside a dump */

static int same_targets(const struct scan_request *request, struct err *err)
{
	const struct result_target *targets = request->beside->targets;
	bool same = request->beside->target_count == request->target_count &&
		    ALL(i, request->target_count, str_eq(targets[i].id, str_from(request->targets[i].id)));

	return same ? 0 : err_set(err, ERR_VALUE, "the report is about other targets than the scan");
}

/* Moves what was found into the result of the dump, which the scan's is part of then. */
static struct result *join_dump(struct scanning *scanning)
{
	struct result *scan = scanning->result, *dump = scanning->request->beside;
	size_t count = scan->finding_count + dump->finding_count;
	struct result_finding *all = arena_alloc(scanning->arena, (count + 1) * sizeof(all[0]));

	memcpy(all, scan->findings, scan->finding_count * sizeof(all[0]));
	if (dump->finding_count)
		memcpy(all + scan->finding_count, dump->findings, dump->finding_count * sizeof(all[0]));
	dump->findings = all;
	dump->finding_count = count;
	dump->source = scan->source;
	for (size_t i = 0; i < dump->target_count; i++) {
		if (scan->targets[i].verdict <= dump->targets[i].verdict)
			continue;
		dump->targets[i].verdict = scan->targets[i].verdict;
		dump->targets[i].reason = scan->targets[i].reason;
		dump->targets[i].headline = scan->targets[i].headline;
	}
	arena_join(&dump->arena, scanning->arena);
	return dump;
}

static int read_program(struct scanning *scanning, struct err *err)
{
	const struct scan_request *request = scanning->request;
	struct result_source_tree *tree = scanning->result->source;
	struct program_request program = request->program;
	int status;

	program.each_stop = request->beside; /* the dump has the share of each */
	status = program_read(&program, scanning->arena, &scanning->program, err);

	if (status)
		return status;
	tree->files = scanning->program.files_read;
	tree->lines = scanning->program.lines;
	tree->magics = scanning->program.magics;
	assess_describe_database(scanning->arena, request->db, request->tool_version, scanning->result);
	status = apis_find(&(struct api_request){ &scanning->program, request->db, request->targets,
				   request->target_count, scanning->arena },
		push_api, scanning, err);
	if (status)
		return status;
	put_findings(scanning);
	put_targets(scanning);
	put_unread(scanning);
	if (request->beside)
		status = callings_put(&scanning->program, request->db, request->beside, scanning->result, err);
	if (!status && request->tables) {
		request->tables->db = request->db;
		request->tables->targets = request->targets;
		request->tables->target_count = request->target_count;
		status = source_tables_put(&scanning->program, request->tables, err);
	}
	return status;
}

int scan_run(const struct scan_request *request, struct result **ret, struct err *err)
{
	struct scanning scanning = { .request = request, .result = new_result() };
	int status = request->beside ? same_targets(request, err) : 0;

	scanning.arena = &scanning.result->arena;
	if (!status)
		status = read_program(&scanning, err);
	program_clear(&scanning.program);
	free(scanning.findings.items);
	if (status)
		result_free(scanning.result);
	else
		*ret = request->beside ? join_dump(&scanning) : scanning.result;
	return status;
}
