/* SARIF 2.1.0 within the limits of GitHub code scanning: a run for each target. */
#include "report/ci/ci.h"

#include "assess/model/rule.h"
#include "assess/model/words.h"
#include "base/value/url.h"
#include "report/doc/textw.h"

/* --- the rules as SARIF describes a tool, in both languages */

/* A further text of a rule, ".about" or ".advice"; "" where it has none. */
static struct str further_text(struct arena *arena, enum lang lang, struct str rule, const char *which)
{
	struct str id = arena_printf(arena, "%.*s%s", STR_ARG(rule), which);

	return catalog_has(LANG_EN, id) ? catalog_form(arena, lang, id) : STR("");
}

static void put_rule_line(struct buf *out, struct str text)
{
	if (text.len)
		buf_printf(out, "%.*s\n", STR_ARG(text));
}

/* Its meaning is its form again where it has none: GitHub wants one. No site has pages on rules: `opcheck explain` has
   them, and the address names one for good. The level is what a finding has that says nothing else; tags are to filter
   by. */
static void put_rule(struct jsonw *json, struct arena *arena, enum lang lang, struct str id)
{
	CLEANUP(buf_clear) struct buf help = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;
	struct str form = catalog_form(arena, lang, id), about = further_text(arena, lang, id, ".about"), kind = id,
		   group = { 0 };
	const struct rule *rule = rule_find(id);

	str_cut(&kind, '-', &group);
	put_rule_line(&help, about);
	put_rule_line(&help, further_text(arena, lang, id, ".advice"));
	buf_printf(&help, "opcheck explain %.*s", STR_ARG(id));
	buf_printf(&address, "urn:opcheck:rule:%.*s", STR_ARG(id));
	jsonw_fill(json,
		"{'id': $, 'shortDescription': {'text': $}, 'fullDescription': {'text': $}, 'help': {'text': $}", id,
		form, about.len ? about : form, buf_str(&help));
	jsonw_fill(json, "'helpUri': $, 'defaultConfiguration': {'level': $}", buf_str(&address),
		word_for(&severity_words, rule ? rule->severity : SEVERITY_NOTE));
	jsonw_fill(json, "'properties': {'en': $, 'zh-CN': $, 'tags': ['portability', $]}}",
		catalog_form(arena, LANG_EN, id), catalog_form(arena, LANG_ZH_CN, id), group);
}

/* Limits of GitHub: runs in a file, results in a run, and 10 MB of gzip, which this text packs to a twelfth or less
   of its size. */
enum { MAX_RUNS = 20, MAX_RESULTS = 25000, MAX_BYTES = 80 * 1000 * 1000 };

/* --- results */

/* A line of the dump where it has lines; of a trace, which is read in bytes, one of these. */
static void put_region(struct jsonw *json, const struct ci_finding *finding)
{
	jsonw_key_object(json, "region");
	if (finding->byte)
		jsonw_key_number(json, "byteOffset", (int64_t)finding->byte);
	else
		jsonw_key_number(json, "startLine", finding->line ? (int64_t)finding->line : 1);
	if (finding->site) {
		jsonw_key_number(json, "startColumn", finding->site->column);
		jsonw_key_number(json, "endLine", finding->site->end_line);
		jsonw_key_number(json, "endColumn", finding->site->end_column);
	}
	jsonw_object_end(json);
}

static void put_logical(struct jsonw *json, struct str name, const char *kind)
{
	CLEANUP(buf_clear) struct buf text = textw_printable(name);

	jsonw_fill(json, "{'fullyQualifiedName': $, 'kind': $}", buf_str(&text), str_from(kind));
}

static void put_location(struct jsonw *json, const struct ci_finding *finding)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	url_put_path(&address, finding->file);
	jsonw_fill(json, "'locations': [{'physicalLocation': {'artifactLocation': {'uri': $}", buf_str(&address));
	put_region(json, finding);
	jsonw_object_end(json);
	if (finding->operator_name.len) {
		jsonw_key_list(json, "logicalLocations");
		put_logical(json, finding->operator_name, "function");
		for (size_t i = 0; finding->callers && i < finding->callers->module_count; i++)
			put_logical(json, finding->callers->modules[i], "module");
		jsonw_list_end(json);
	}
	jsonw_fill(json, "}]");
}

/* GitHub tells alerts of one rule in one file apart by the second fingerprint alone, and would make it of the line: one
   for all. */
static void put_result(struct jsonw *json, const struct ci_finding *finding)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf hash = BUF_UNLIMITED;

	buf_printf(&text, "%.*s%s%.*s", STR_ARG(finding->text), finding->details.len ? "\n" : "",
		STR_ARG(finding->details));
	buf_printf(&hash, "%.*s:1", STR_ARG(finding->fingerprint));
	jsonw_fill(json, "{'ruleId': $", finding->rule);
	jsonw_key_number(json, "ruleIndex", (int64_t)finding->rule_at);
	jsonw_fill(json, "'level': $, 'message': {'text': $}", word_for(&severity_words, finding->severity),
		buf_str(&text));
	put_location(json, finding);
	jsonw_fill(json,
		"'partialFingerprints': {'opcheckFinding/v1': $, 'primaryLocationLineHash': $}, 'suppressions': [",
		finding->fingerprint, buf_str(&hash));
	if (finding->is_waived)
		jsonw_fill(json, "{'kind': 'external', 'status': 'accepted', 'justification': $}", finding->waived_for);
	jsonw_list_end(json);
	if (finding->share_ppm)
		jsonw_key_decimal(json, "rank", finding->share_ppm, 4); /* in per cent */
	jsonw_object_end(json);
}

/* --- runs */

static void put_cut(struct jsonw *json, enum lang lang, const char *id, size_t left, size_t kept)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	jsonw_fill(json, "{'level': 'warning', 'message': {'text': $}}",
		catalog_say(&arena, lang, id, NUMBER("count", left), NUMBER("kept", kept)));
}

struct results {
	size_t kept, left; /* the least severe are left out */
};

static struct results put_results(
	struct jsonw *json, const struct ci_report *report, const struct ci_target *target, size_t most_bytes)
{
	struct results results = { 0 };
	size_t start = json->out->len;

	jsonw_key_list(json, "results");
	for (size_t i = 0; i < report->findings.count; i++) {
		const struct ci_finding *finding = &report->findings.items[i];

		if (!ci_concerns(finding, target))
			continue;
		if (results.kept == MAX_RESULTS || json->out->len - start > most_bytes) {
			results.left++;
			continue;
		}
		put_result(json, finding);
		results.kept++;
	}
	jsonw_list_end(json);
	return results;
}

static void put_run(
	struct jsonw *json, const struct ci_report *report, const struct ci_target *target, size_t runs_left)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(buf_clear) struct buf id = BUF_UNLIMITED;
	struct results results;

	buf_printf(&id, "opcheck/%.*s", STR_ARG(target->id));
	jsonw_fill(json, "{'tool': {'driver': {'name': 'opcheck', 'version': $, 'rules': [", report->tool_version);
	for (size_t i = 0; i < report->rules.count; i++)
		put_rule(json, &arena, report->lang, report->rules.items[i]);
	jsonw_fill(json, "]}}");
	jsonw_key_str(json, "language", lang_name(report->lang));
	if (report->has_sites)
		jsonw_key_str(json, "columnKind", STR("unicodeCodePoints"));
	jsonw_fill(json, "'automationDetails': {'id': $", buf_str(&id));
	if (target->headline.len)
		jsonw_fill(json, "'description': {'text': $}", target->headline);
	jsonw_object_end(json);
	results = put_results(json, report, target, MAX_BYTES / report->targets.count);
	jsonw_fill(json, "'invocations': [{");
	jsonw_key_bool(json, "executionSuccessful", true);
	jsonw_key_list(json, "toolExecutionNotifications");
	if (results.left)
		put_cut(json, report->lang, "report.results-cut", results.left, results.kept);
	if (runs_left)
		put_cut(json, report->lang, "report.runs-cut", runs_left, MAX_RUNS);
	jsonw_fill(json, "]}]}");
}

void ci_sarif(const struct ci_report *report, struct buf *out)
{
	size_t count = report->targets.count < MAX_RUNS ? report->targets.count : MAX_RUNS;
	struct jsonw json = jsonw_start(out, 4);

	jsonw_fill(&json, "{'$schema': 'https://json.schemastore.org/sarif-2.1.0.json', 'version': '2.1.0', 'runs': [");
	for (size_t i = 0; i < count; i++)
		put_run(&json, report, &report->targets.items[i], i ? 0 : report->targets.count - count);
	jsonw_fill(&json, "]}");
}
