#include "report/answers/answer_screens.h"

#include "assess/finding/headline.h"
#include "assess/model/words.h"
#include "base/value/decimal.h"
#include "report/doc/headline.h"
#include "report/screen/screen.h"
#include "report/sections/release_section.h"

enum { MOST_ITEMS = 5 };

static struct str share_of(struct screen *screen, const char *id, struct result_interval share)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	percent_put(&text, share.lo_ppm, share.hi_ppm);
	return screen_text_with(screen, id, COPY("share", buf_str(&text)));
}

/* --- advise */

/* The newest release of a target that runs, stable ones first; else the newest; NULL: the target has none. */
static const struct result_release *newest_of(const struct result *result, struct str target)
{
	const struct result_release *best = NULL;
	int best_rank = -1;

	for (size_t i = 0; i < result->releases.count; i++) {
		const struct result_release *one = &result->releases.items[i];
		int rank = 2 * headline_is_run(one->verdict) + one->stable;

		if (!str_eq(one->target, target) || rank < best_rank)
			continue;
		if (rank > best_rank || str_cmp(one->date, best->date) >= 0)
			best = one;
		best_rank = rank;
	}
	return best;
}

static void add_release(struct screen *screen, const struct result *result, const struct result_move *move)
{
	const struct result_release *newest = newest_of(result, move->target);

	if (newest)
		screen_add_word(screen, SCREEN_WORD, newest->word,
			arena_printf(&screen->arena, "%.*s  %.*s", STR_ARG(newest->id),
				STR_ARG(share_of(screen, "headline.device", newest->readiness.time))));
	screen_say(screen, SCREEN_FIRST, "headline.first", move_text_id(move), BLANK("from", move->from),
		BLANK("to", move->to), NUMBER("releases", move->releases));
	if (move->left.count)
		screen_say(screen, SCREEN_WHY, "headline.why",
			move->packages ? "survey.move-packaged" : "survey.move-left", NUMBER("count", move->left.count),
			BLANK("names", headline_name(move->left.items[0])));
}

void advise_screen(const struct result *result, const struct render_options *options, struct buf *out)
{
	struct screen screen = screen_begin(options);

	screen_say(&screen, SCREEN_TITLE, NULL, "screen.advise",
		BLANK("subject", headline_subject(&screen.arena, options->lang, result)),
		NUMBER("count", result->releases.count));
	for (size_t i = 0; i < result->releases.move_count; i++)
		add_release(&screen, result, &result->releases.moves[i]);
	if (options->dump.len && result->releases.move_count)
		screen_add(&screen, SCREEN_NEXT, "screen.next",
			arena_printf(&screen.arena, "opcheck check %.*s -t %.*s", STR_ARG(options->dump),
				STR_ARG(result->releases.moves[0].to)));
	screen_add(&screen, SCREEN_MORE, "screen.more", screen_label(&screen, "screen.more-releases"));
	screen_put(&screen, out);
}

/* --- compare */

static void add_scores(struct screen *screen, const struct agreement_score *score)
{
	static const char *const ids[] = { "screen.by-operators", "screen.by-calls", "screen.by-time" };
	const int64_t shares[] = { score->operators_ppm, score->calls_ppm, score->time_ppm };
	struct str text = STR("");

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		if (shares[i] >= 0)
			text = screen_list(screen, text,
				share_of(screen, ids[i], (struct result_interval){ shares[i], shares[i] }));
	}
	if (!text.len)
		text = screen_label(screen, "screen.not-observable");
	screen_add(screen, SCREEN_WORD, "screen.correct", text);
}

static void add_entry(struct screen *screen, const struct agreement_entry *entry)
{
	enum lang lang = screen->options->lang;

	screen_say(screen, SCREEN_ITEM, NULL,
		entry->predicted != OP_STATUS_COUNT ? "agreement.entry" : "agreement.entry-bare",
		BLANK("operator", entry->operator_name),
		BLANK("predicted", catalog_word(lang, "status", word_for(&predicted_words, entry->predicted))),
		BLANK("observed", catalog_word(lang, "observed", word_for(&where_words, entry->observed))));
}

void comparison_screen(const struct comparison *comparison, const struct render_options *options, struct buf *out)
{
	const struct agreement *agreement = &comparison->agreement;
	struct screen screen = screen_begin(options);
	size_t wrong = 0;

	screen_say(&screen, SCREEN_TITLE, NULL, "screen.compare", BLANK("target", agreement->target),
		BLANK("predicted", headline_subject(&screen.arena, options->lang, comparison->predicted)),
		BLANK("seen", headline_subject(&screen.arena, options->lang, comparison->seen)));
	add_scores(&screen, &agreement->score);
	while (wrong < agreement->entry_count && agreement->entries[wrong].outcome <= OUTCOME_NOT_PREDICTED)
		wrong++;
	screen_say(&screen, SCREEN_WORD, "screen.wrong", "screen.operators", NUMBER("count", wrong));
	for (size_t i = 0; i < wrong && i < MOST_ITEMS; i++)
		add_entry(&screen, &agreement->entries[i]);
	screen_add(&screen, SCREEN_MORE, "screen.more", screen_label(&screen, "screen.more-operators"));
	screen_put(&screen, out);
}

/* --- diff */

static void add_target(struct screen *screen, const struct target_change *target)
{
	const struct result_target *after = target->after ? target->after : target->before;
	struct str line = screen_text_with(screen, target->after ? "diff.target-added" : "diff.target-removed",
		BLANK("target", target->id), BLANK("verdict", word_for(&verdict_words, after->verdict)));

	if (target->before && target->after)
		line = screen_text_with(screen, "screen.changed", BLANK("target", target->id),
			BLANK("before", headline_word(screen->options->lang, target->before->headline.word)),
			BLANK("then", share_of(screen, "headline.device", target->before->readiness.time)),
			BLANK("now", share_of(screen, "headline.device", target->after->readiness.time)));
	screen_add_word(screen, SCREEN_WORD, after->headline.word, line);
}

/* New findings, or fixed ones: their number and the gravest. */
static void add_findings(struct screen *screen, const struct changes *changes, bool is_new)
{
	size_t from = is_new ? 0 : changes->new_count, to = is_new ? changes->new_count : changes->finding_count;

	screen_say(screen, SCREEN_WORD, is_new ? "screen.new" : "screen.fixed", "screen.findings",
		NUMBER("count", to - from));
	for (size_t i = from; i < to && i < from + MOST_ITEMS; i++) {
		const struct result_finding *finding = changes->findings[i].finding;
		struct str severity = word_for(&severity_words, finding->severity);

		screen_add_row(screen, (struct screen_row){ SCREEN_ITEM,
					       .label = catalog_word(screen->options->lang, "severity", severity),
					       .text = screen_text(screen, &finding->what) });
	}
}

/* The checks that fail. */
static void add_checks(struct screen *screen, const struct changes_view *view)
{
	const char *label = "screen.gate";

	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		struct change_check check = changes_check(view->changes, (enum change_word)i);
		struct message line = change_check_line(&screen->arena, check, (enum change_word)i);

		if (!(view->fail_on >> i & 1) || !change_check_fails(check))
			continue;
		screen_add(screen, SCREEN_GATE, label, screen_text(screen, &line));
		label = NULL;
	}
	if (view->fail_on && label)
		screen_add(screen, SCREEN_GATE, label, screen_label(screen, "report.gate.passed"));
}

void changes_screen(const struct changes_view *view, const struct render_options *options, struct buf *out)
{
	enum { MOST_TARGETS = 4 };
	const struct changes *changes = view->changes;
	struct screen screen = screen_begin(options);

	screen_say(&screen, SCREEN_TITLE, NULL, "screen.diff",
		BLANK("before", headline_subject(&screen.arena, options->lang, changes->before)),
		BLANK("after", headline_subject(&screen.arena, options->lang, changes->after)));
	for (size_t i = 0; i < changes->target_count && i < MOST_TARGETS; i++)
		add_target(&screen, &changes->targets[i]);
	add_checks(&screen, view);
	for (size_t i = 0; i < changes->note_count && i < 2; i++)
		screen_add(&screen, SCREEN_OPEN, "screen.note", screen_text(&screen, &changes->notes[i]));
	add_findings(&screen, changes, true);
	add_findings(&screen, changes, false);
	screen_add(&screen, SCREEN_MORE, "screen.more", screen_label(&screen, "screen.more-changes"));
	screen_put(&screen, out);
}
