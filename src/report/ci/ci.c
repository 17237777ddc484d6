/* The findings of a result, with the texts that CI systems show. */
#include "report/ci/ci.h"

#include <stdlib.h>

#include "assess/model/rule.h"
#include "base/value/decimal.h"
#include "base/value/sha256.h"
#include "base/value/shell.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "report/doc/headline.h"
#include "report/sections/operator_index.h"

/* --- texts */

static struct str printable(struct ci_report *report, struct str text)
{
	return utf8_keep_printable(&report->arena, text);
}

static struct str message_line(struct ci_report *report, const struct message *message)
{
	return printable(report, catalog_keep(&report->arena, report->lang, message));
}

static void put_detail(struct buf *out, struct str text)
{
	if (text.len && out->len)
		buf_byte(out, '\n');
	utf8_printable(out, text);
}

/* Returns the advice of the rule, with the operator and target of the finding; "" without any. */
static struct str rule_advice(struct ci_report *report, const struct result_finding *from)
{
	CLEANUP(buf_clear) struct buf id = BUF_UNLIMITED, name = BUF_UNLIMITED;

	buf_printf(&id, "%s.advice", from->what.id);
	if (!from->operator_name.len || !catalog_has(LANG_EN, buf_str(&id)))
		return STR("");
	shell_put_word(&name, from->operator_name);
	return message_line(report, MESSAGE(&report->arena, buf_text(&id), BLANK("operator", buf_str(&name)),
					    BLANK("target", from->target)));
}

static struct str details_of(struct ci_report *report, const struct result_finding *from)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;

	for (size_t i = 0; i < from->advice_count; i++)
		put_detail(&out, message_line(report, &from->advice[i]));
	put_detail(&out, rule_advice(report, from));
	for (size_t i = 0; i < from->evidence_count; i++) {
		const struct result_evidence *evidence = &from->evidence[i];

		put_detail(&out, evidence->ref.len ? evidence->ref : evidence->text);
	}
	return arena_keep(&report->arena, buf_str(&out));
}

/* --- findings */

static size_t place_of_rule(struct ci_report *report, struct str rule)
{
	size_t at = STR_POSITION(report->rules.items, report->rules.count, rule);

	if (at != STR_NONE)
		return at;
	MEM_PUSH(&report->rules, rule);
	return report->rules.count - 1;
}

static void push_finding(struct ci_report *report, struct ci_finding finding)
{
	finding.rule_at = place_of_rule(report, finding.rule);
	report->has_sites = report->has_sites || finding.site;
	MEM_PUSH(&report->findings, finding);
}

/* Profiles show installed packages without the folder that they lie in. */
static bool is_installed(struct str path)
{
	static const char *const packages[] = { "accelerate", "datasets", "deepspeed", "detectron2", "diffusers",
		"einops", "fairseq", "fastai", "flash_attn", "ignite", "lightning", "megatron", "mmcv", "mmdet",
		"mmengine", "monai", "numpy", "peft", "pytorch_lightning", "sglang", "timm", "torch_geometric",
		"torchaudio", "torchtext", "torchvision", "transformers", "triton", "trl", "ultralytics", "vllm",
		"xformers" };
	struct str top = STR("");

	str_cut(&path, '/', &top);
	return ANY(i, ARRAY_SIZE(packages), path.ptr && str_eq(top, str_from(packages[i])));
}

/* "train.py" and 12 of "train.py(12): main", where the path lies in the repository as far as it tells. */
static bool line_in_repository(struct str caller, struct str *ret_file, uint64_t *ret_line)
{
	size_t paren = str_find(caller, STR("(")), end = str_find(caller, STR("): "));

	if (paren == STR_NONE || end == STR_NONE || end <= paren ||
		!decimal_unsigned(str_sub(caller, paren + 1, end), ret_line) || !*ret_line)
		return false;
	*ret_file = str_sub(caller, 0, paren);
	return ret_file->len && !memchr("/<\\~", ret_file->ptr[0], 4) && !str_has(*ret_file, STR("..")) &&
	       !str_has(*ret_file, STR(":")) && !str_has(*ret_file, STR("-packages/")) && !is_installed(*ret_file);
}

/* The line of the program that calls the operator most often takes the place of the row in the dump. */
static void move_to_caller(struct ci_report *report, struct ci_finding *finding)
{
	struct str file;
	uint64_t line;

	for (size_t i = 0; finding->callers && i < finding->callers->line_count; i++) {
		if (!line_in_repository(finding->callers->lines[i], &file, &line))
			continue;
		finding->file = printable(report, file);
		finding->line = line;
		finding->byte = 0;
		return;
	}
}

struct gathering {
	struct ci_report *report;
	const struct result *result;
	struct map operators, callings; /* by name */
};

static void push_result_finding(const struct gathering *gathering, const struct result_finding *from, bool is_waived)
{
	struct ci_report *report = gathering->report;
	const struct result *result = gathering->result;
	const struct result_operator *op = operators_find(&gathering->operators, result, from->operator_name);
	const struct result_spot *spot = op ? op->first_seen : NULL;
	struct str file = result->input_count ? result->inputs[spot ? spot->input : 0].name : STR("-");
	const struct result_callings *callings = callings_find(&gathering->callings, result, from->operator_name);
	const struct result_site *site = from->site ? from->site : callings ? &callings->calls[0].site : NULL;

	struct ci_finding finding = (struct ci_finding){
		.rule = str_from(from->what.id),
		.operator_name = printable(report, from->operator_name),
		.target = printable(report, from->target),
		.text = message_line(report, &from->what),
		.details = details_of(report, from),
		.fingerprint = from->fingerprint,
		.severity = from->severity,
		.known = from->age == AGE_KNOWN,
		.is_waived = is_waived,
		.waived_for = printable(report, is_waived && from->waiver ? from->waiver->reason : STR("")),
		.share_ppm = from->share_ppm,
		.file = site ? site->path : printable(report, file),
		.line = site   ? site->line
			: spot ? spot->line
			       : 0,
		.byte = spot && !site ? spot->byte : 0,
		.callers = op ? op->callers : NULL,
		.site = site,
	};

	if (!site)
		move_to_caller(report, &finding);
	push_finding(report, finding);
}

/* 16 digits as those of findings about operators have. */
static struct str capture_fingerprint(
	struct ci_report *report, const struct message *warning, struct str input, size_t ordinal)
{
	enum { DIGITS = 16 };
	char hex[SHA256_HEX_BYTES];
	struct sha256 *sha = sha256_new();

	sha256_add_field(sha, str_from(warning->id));
	sha256_add_field(sha, input);
	for (size_t i = 0; i < ordinal; i++)
		sha256_add_field(sha, STR(""));
	sha256_end(sha, hex);
	return arena_keep(&report->arena, (struct str){ hex, DIGITS });
}

static void push_capture_warning(
	struct ci_report *report, const struct result_input *input, const struct message *warning, size_t ordinal)
{
	const struct rule *rule = rule_find(str_from(warning->id));

	push_finding(report, (struct ci_finding){
				     .rule = str_from(warning->id),
				     .text = message_line(report, warning),
				     .fingerprint = capture_fingerprint(report, warning, input->name, ordinal),
				     .severity = rule ? rule->severity : SEVERITY_NOTE,
				     .file = printable(report, input->name),
			     });
}

/* The share of the operators that stop the run. */
static int64_t blocked_share(const struct result_target *target)
{
	int64_t share = 0;

	for (size_t i = 0; i < target->count_count; i++) {
		if (target->counts[i].status == OP_UNSUPPORTED || target->counts[i].status == OP_NEEDS_PACKAGE)
			share += target->counts[i].time_ppm;
	}
	return share;
}

static struct str headline_of(struct ci_report *report, const struct result_headline *headline)
{
	if (!headline->why.id)
		return STR("");
	return catalog_say(&report->arena, report->lang, "headline.line",
		BLANK("subject", headline_word(report->lang, headline->word)),
		BLANK("words", message_line(report, &headline->why)));
}

void ci_gather(const struct result *result, const struct render_options *options, struct ci_report *ret)
{
	struct gathering gathering = { ret, result, operators_map(result), callings_map(result) };

	*ret = (struct ci_report){
		.arena = ARENA_INIT(ARENA_UNLIMITED), .lang = options->lang, .tool_version = result->tool_version
	};
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *from = &result->targets[i];
		struct ci_target target = { printable(ret, from->id), message_line(ret, &from->reason),
			headline_of(ret, &from->headline), from->headline.word, from->verdict, from->gate,
			from->readiness.time, blocked_share(from) };

		MEM_PUSH(&ret->targets, target);
	}
	for (size_t i = 0; i < result->finding_count; i++) {
		if (!options->new_only || result->findings[i].age != AGE_KNOWN)
			push_result_finding(&gathering, &result->findings[i], false);
	}
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_input *input = &result->inputs[i];
		/* those of different folders may share a name */
		size_t ordinal = SUM(j, i, str_eq(result->inputs[j].name, input->name));

		for (size_t j = 0; j < input->capture.warning_count; j++)
			push_capture_warning(ret, input, &input->capture.warnings[j], ordinal);
	}
	for (size_t i = 0; i < result->waived_count; i++)
		push_result_finding(&gathering, &result->waived[i], true);
	map_clear(&gathering.operators);
	map_clear(&gathering.callings);
}

void ci_clear(struct ci_report *report)
{
	free(report->targets.items);
	free(report->findings.items);
	free(report->rules.items);
	arena_clear(&report->arena);
}
