#include "server/pages/handlers.h"

#include "base/memory/mem.h"
#include "report/sections/snippet.h"
#include "server/pages/page.h"
#include "server/service/find.h"

/* --- help */

static void open_section(struct page *page, const char *title, const char *about)
{
	doc_section(&page->doc, title);
	page_prose(page, about);
}

/* Versions of PyTorch that want another snippet (report/sections/snippet.c); a test holds them against it. */
static const struct {
	const char *label;
	int version;
} snippets[] = {
	{ "PyTorch 2.8 +", SNIPPET_NEWEST },
	{ "PyTorch 2.1 .. 2.7", SNIPPET_VERSION(2, 7) },
	{ "PyTorch 1.13 .. 2.0", SNIPPET_VERSION(2, 0) },
	{ "PyTorch 1.8 .. 1.12", SNIPPET_VERSION(1, 12) },
	{ "PyTorch < 1.8", SNIPPET_VERSION(1, 7) },
};

/* The newest one is open. */
static void put_snippets(struct page *page)
{
	struct doc *doc = &page->doc;

	for (size_t i = 0; i < ARRAY_SIZE(snippets); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);

		snippet_put(&text, snippets[i].version);
		doc_open(doc, BLOCK_MORE);
		if (!i)
			doc_attribute(doc, "open", STR(""));
		doc_say_styled(doc, BLOCK_SUMMARY, SPAN_PLAIN, str_from(snippets[i].label));
		doc_code(doc, STR("python"), arena_keep(&doc->arena, str_trim(buf_str(&text))));
		doc_close(doc);
	}
}

/* Command lines, each with the address of this service for its "{url}". */
static void put_commands(struct page *page, const char *const *commands, size_t count)
{
	CLEANUP(buf_clear) struct buf lines = BUF_UNLIMITED;
	struct str origin = page_origin(page);

	for (size_t i = 0; i < count; i++) {
		struct str command = str_from(commands[i]);
		size_t mark = str_find(command, STR("{url}"));

		buf_printf(&lines, "%.*s%.*s%.*s\n", STR_ARG(str_sub(command, 0, mark)), STR_ARG(origin),
			STR_ARG(str_skip(command, mark + strlen("{url}"))));
	}
	doc_code(&page->doc, STR("sh"), arena_keep(&page->doc.arena, buf_str(&lines)));
}

/* The steps of the vendors' porting guides: what opcheck answers in each, by what command, and what it does not. */
static const struct {
	const char *step, *answer, *command, *not_answer;
} guide_steps[] = {
	{ "guide.choose", "guide.choose-answer", "opcheck advise profiler.log", "guide.choose-not" },
	{ "guide.evaluate", "guide.evaluate-answer", "opcheck check profiler.log -t npu -t musa",
		"guide.evaluate-not" },
	{ "guide.lists", "guide.lists-answer", "opcheck extract profiler.log --as-guide", "guide.lists-not" },
	{ "guide.environment", "guide.environment-answer", "opcheck doctor", "guide.environment-not" },
	{ "guide.move", "guide.move-answer", "opcheck scan train.py -t npu; opcheck port train.py -t npu",
		"guide.move-not" },
	{ "guide.precision", "guide.precision-answer", "opcheck check profiler.log --dtype fp16,fp32",
		"guide.precision-not" },
	{ "guide.shapes", "guide.shapes-answer", "opcheck buckets profiler.log", "guide.shapes-not" },
	{ "guide.run", "guide.run-answer", "opcheck diagnose train.log", "guide.run-not" },
	{ "guide.verify", "guide.verify-answer", "opcheck compare report.json device.log", "guide.verify-not" },
};

static void put_guide(struct page *page)
{
	static const struct doc_column columns[] = {
		{ .label = "guide.step" },
		{ .label = "guide.answers" },
		{ .label = "guide.command" },
		{ .label = "guide.not" },
	};
	struct doc *doc = &page->doc;

	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "guide" });
	for (size_t i = 0; i < ARRAY_SIZE(guide_steps); i++) {
		doc_row(doc);
		doc_cell_styled(doc, SPAN_STRONG, doc_label_of(doc, guide_steps[i].step));
		doc_cell_text(doc, doc_label_of(doc, guide_steps[i].answer));
		doc_cell_styled(doc, SPAN_CODE, str_from(guide_steps[i].command));
		doc_cell_text(doc, doc_label_of(doc, guide_steps[i].not_answer));
	}
	doc_table_end(doc);
}

/* One model from its dump to the last command, on files that come with the sources: what each command answers. A test
   runs them, and finds in what they print whatever the answers have as code. */
struct walk_step {
	const char *command, *answer;
};

#define RESNET "tests/fixtures/torch-2.13/resnet50.a.log"
#define DETECTOR "tests/fixtures/walks/yolov5-like.json"

static const struct walk_step resnet_steps[] = {
	{ "opcheck check " RESNET " -t npu@2.7.1 -t musa", "walk.resnet-check" },
	{ "opcheck check " RESNET " -t npu@2.7.1 --dtype fp16", "walk.resnet-types" },
	{ "opcheck advise " RESNET, "walk.resnet-advise" },
	{ "opcheck buckets " RESNET, "walk.resnet-buckets" },
	{ "opcheck extract " RESNET " --as-guide", "walk.resnet-lists" },
};

static const struct walk_step detector_steps[] = {
	{ "opcheck check " DETECTOR " -t npu@2.7.1 -t musa", "walk.yolo-check" },
	{ "opcheck op torchvision::nms -t npu -t musa", "walk.yolo-op" },
	{ "opcheck advise " DETECTOR, "walk.yolo-advise" },
	{ "opcheck buckets " DETECTOR, "walk.yolo-buckets" },
	{ "opcheck scan tests/scan/scripts/yolo_train.py -t npu", "walk.yolo-scan" },
	{ "opcheck port tests/scan/scripts/yolo_train.py -t musa", "walk.yolo-port" },
};

static void put_walk(struct page *page, const char *const texts[2], const struct walk_step *steps, size_t count)
{
	static const struct doc_column columns[] = { { .label = "guide.command" }, { .label = "guide.answers" } };
	struct doc *doc = &page->doc;

	open_section(page, texts[0], texts[1]);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = texts[0] });
	for (size_t i = 0; i < count; i++) {
		doc_row(doc);
		doc_cell_styled(doc, SPAN_CODE, str_from(steps[i].command));
		doc_cell(doc);
		page_pieces(page, steps[i].answer);
	}
	doc_table_end(doc);
	doc_close(doc);
}

int page_help(
	const struct service *service UNUSED, struct request *request, struct reply *reply, struct err *err UNUSED)
{
	static const char *const submit[] = {
		"opcheck submit profiler.log --server {url}",
		"opcheck submit profiler.log --server {url} -t npu@2.7.1 -o html=report.html --fail-on unsupported",
	};
	static const char *const curl[] = {
		"curl --data-binary @profiler.log '{url}/api/v1/assessments?name=profiler.log&target=npu&target=musa'",
		"curl -F file=@profiler.log -F target=npu@2.7.1 {url}/api/v1/assessments",
		"curl {url}/api/v1/assessments/ID/report.csv",
	};
	static const char *const resnet[] = { "guide.resnet", "guide.resnet-about" };
	static const char *const detector[] = { "guide.yolo", "guide.yolo-about" };
	struct page page = page_start(reply, request, "page.help");

	page_title(&page, "page.help", "page.help-about");
	open_section(&page, "page.help-capture", "page.help-capture-about");
	put_snippets(&page);
	doc_close(&page.doc);
	open_section(&page, "guide.title", "guide.about");
	put_guide(&page);
	doc_close(&page.doc);
	put_walk(&page, resnet, resnet_steps, ARRAY_SIZE(resnet_steps));
	put_walk(&page, detector, detector_steps, ARRAY_SIZE(detector_steps));
	open_section(&page, "page.help-submit", "page.help-submit-about");
	put_commands(&page, submit, ARRAY_SIZE(submit));
	doc_close(&page.doc);
	open_section(&page, "page.help-curl", "page.help-curl-about");
	put_commands(&page, curl, ARRAY_SIZE(curl));
	page_put_link(&page, SPAN_PLAIN, STR("/openapi.json"), "page.help-openapi");
	doc_close(&page.doc);
	page_end(&page);
	return 0;
}

/* --- error codes */

int page_problem(const struct service *service UNUSED, struct request *request, struct reply *reply, struct err *err)
{
	struct str code = request->capture;
	struct page page;

	if (!err_code_named(code.ptr))
		return no_such(err, "code");
	page_reply(reply, request);
	page = page_begin(request, &reply->body, code);
	doc_open(&page.doc, BLOCK_TITLE);
	doc_styled(&page.doc, SPAN_CODE, code);
	doc_text(&page.doc, STR(" "));
	doc_label(&page.doc, code.ptr);
	doc_close(&page.doc);
	page_prose_of(&page, code, ".about");
	page_prose_of(&page, code, ".advice");
	page_end(&page);
	return 0;
}
