#include "report/screen/source_screen.h"

#include "base/view/ascii.h"
#include "report/doc/headline.h"
#include "report/screen/report_screen.h"

enum { MOST_FILES = 5, MOST_TARGETS = 4 };

struct file {
	struct str path;
	size_t must, check;
};

/* Returns whether `opcheck port` makes the change: a package or an image has a replacement and is left to the user. */
static bool is_automatic(const struct result_finding *finding)
{
	static const struct str left = STR("src-amp src-data-parallel src-extension src-image src-package src-tool");
	struct str rule = str_from(finding->what.id);
	struct str other = str_starts(finding->target, STR("npu")) ? STR("src-profiler") : STR("src-tensor-type");

	return finding->site->action == SOURCE_MUST_CHANGE && finding->site->replacement.len &&
	       !str_has_word(left, rule) && !str_eq(rule, other);
}

/* Counts of one target, which all have the same places. */
static void count_edits(const struct result *result, struct str target, size_t *ret_automatic, size_t *ret_hand)
{
	*ret_automatic = *ret_hand = 0;
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		if (!finding->site || !str_eq(finding->target, target) || finding->site->action == SOURCE_FINE)
			continue;
		if (is_automatic(finding))
			++*ret_automatic;
		else
			++*ret_hand;
	}
}

static int by_path(const void *a, const void *b)
{
	return str_cmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

/* The files of a target's findings, which are in the order of their severity; returns their number. */
static size_t gather_files(const struct result *result, struct str target, struct file *ret)
{
	size_t found = 0, count = 0;

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		if (finding->site && str_eq(finding->target, target))
			ret[found++] = (struct file){ .path = finding->site->path,
				.must = finding->site->action == SOURCE_MUST_CHANGE,
				.check = finding->site->action == SOURCE_CHECK };
	}
	qsort(ret, found, sizeof(ret[0]), by_path);
	for (size_t i = 0; i < found; i++) {
		struct file file = ret[i];

		if (count && str_eq(ret[count - 1].path, file.path)) {
			ret[count - 1].must += file.must;
			ret[count - 1].check += file.check;
		} else {
			ret[count++] = file;
		}
	}
	return count;
}

static int by_work(const void *a, const void *b)
{
	const struct file *left = a, *right = b;

	if (left->must != right->must)
		return left->must < right->must ? 1 : -1;
	return left->check != right->check ? (left->check < right->check ? 1 : -1) : str_cmp(left->path, right->path);
}

static void add_files(struct screen *screen, const struct result *result)
{
	struct file *files = arena_alloc(&screen->arena, (result->finding_count + 1) * sizeof(files[0]));
	size_t count = gather_files(result, result->targets[0].id, files);

	qsort(files, count, sizeof(files[0]), by_work);
	for (size_t i = 0; i < count && i < MOST_FILES; i++)
		screen_say(screen, SCREEN_ITEM, "screen.file", "source.file", BLANK("path", files[i].path),
			NUMBER("must", files[i].must), NUMBER("check", files[i].check));
}

void source_screen(const struct result *result, const struct render_options *options, struct buf *out)
{
	struct screen screen = screen_begin(options);

	screen_say(&screen, SCREEN_TITLE, NULL, "source.read", NUMBER("files", result->source->files),
		NUMBER("lines", result->source->lines));
	for (size_t i = 0; i < result->target_count && i < MOST_TARGETS; i++) {
		const struct result_target *target = &result->targets[i];
		size_t automatic, hand;

		count_edits(result, target->id, &automatic, &hand);
		screen_add_word(&screen, SCREEN_WORD, target->headline.word,
			screen_text_with(&screen, "screen.edits", BLANK("target", target->id),
				NUMBER("automatic", automatic), NUMBER("hand", hand)));
	}
	add_files(&screen, result);
	screen_add_gate(&screen, result);
	for (size_t i = 0; i < result->source->unread_count && i < 2; i++)
		screen_add(&screen, SCREEN_OPEN, "screen.note", screen_text(&screen, &result->source->unread[i]));
	if (options->dump.len)
		screen_add(&screen, SCREEN_NEXT, "screen.next",
			arena_printf(&screen.arena, "opcheck port %.*s -t %.*s --patch port.patch",
				STR_ARG(options->dump), STR_ARG(result->targets[0].id)));
	screen_add(&screen, SCREEN_MORE, "screen.more", screen_label(&screen, "screen.more-places"));
	screen_put(&screen, out);
}
