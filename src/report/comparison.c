/* A prediction beside a run on the device, as text and as JSON. */
#include "report/comparison.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "json/jsonw.h"
#include "report/pieces.h"
#include "report/text_page.h"

enum { DEFAULT_WIDTH = 80, LINE_DEPTH = 2 };

/* --- text */

void comparison_put_inputs(struct buf *out, const struct result *result)
{
	for (size_t i = 0; i < result->input_count; i++) {
		buf_add(out, i ? STR(", ") : STR(""));
		utf8_printable(out, result->inputs[i].name);
	}
}

static void put_side(struct page *page, const char *id, const struct result *result)
{
	CLEANUP(buf_clear) struct buf inputs = BUF_UNLIMITED;
	struct message message = message_of(id);

	comparison_put_inputs(&inputs, result);
	message_add(&message, "inputs", buf_str(&inputs));
	message_add(&message, "build", result->db.build);
	text_message(page, &message, 0, 2);
}

void comparison_put_text(const struct comparison *comparison, const struct render_options *options, struct buf *out)
{
	struct page page = { { out, options->width ? options->width : DEFAULT_WIDTH, options->color }, comparison->seen,
		options };

	textw_colored(&page.text, COLOR_BOLD, text_label(&page, "compare.title"));
	text_put(&page, STR("\n"));
	put_side(&page, comparison->from_report ? "compare.by-report" : "compare.by-dump", comparison->predicted);
	put_side(&page, "compare.seen", comparison->seen);
	text_device(&page, comparison->seen->input_count - 1);
	text_put(&page, STR("\n"));
	text_agreement(&page, &comparison->agreement);
}

/* --- JSON */

static void put_run(struct jsonw *json, const char *key, const struct result *result, const char *source)
{
	jsonw_key(json, key);
	jsonw_object(json);
	jsonw_key_str(json, "source", str_from(source));
	jsonw_key_str(json, "tool_version", result->tool_version);
	jsonw_key_str(json, "db_build", result->db.build);
	jsonw_key(json, "inputs");
	jsonw_list(json);
	for (size_t i = 0; i < result->input_count; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "name", result->inputs[i].name);
		jsonw_key_str(json, "sha256", result->inputs[i].sha256);
		jsonw_key_str(json, "format", result->inputs[i].format);
		json_put_device(json, &result->inputs[i].device);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
	jsonw_object_end(json);
}

void comparison_put_json(const struct comparison *comparison, struct buf *out)
{
	struct jsonw json = jsonw_start(out, LINE_DEPTH);

	jsonw_object(&json);
	jsonw_key_str(&json, "schema_version", STR(REPORT_SCHEMA_VERSION));
	put_run(&json, "predicted", comparison->predicted, comparison->from_report ? "report" : "dump");
	put_run(&json, "seen", comparison->seen, "dump");
	jsonw_key(&json, "agreement");
	json_put_agreement(&json, &comparison->agreement);
	jsonw_object_end(&json);
}
