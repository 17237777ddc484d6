#include "report/doc/headline.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "report/doc/doc_build.h"

bool headline_known(const struct result *result)
{
	return result->target_count && result->targets[0].headline.why.id;
}

bool headline_is_title(const struct result *result, const char *title_id)
{
	return strcmp(title_id, "report.title") == 0 && headline_known(result);
}

struct str headline_word(enum lang lang, enum headline_word word)
{
	return catalog_word(lang, "word", word_for(&headline_words, word));
}

/* --- the line */

/* "ctc.c" of "ctc.c.trace.json.gz". */
static struct str without_suffixes(struct str name)
{
	static const char *const suffixes[] = { ".gz", ".zst", ".json", ".trace", ".pt", ".log", ".txt", ".csv" };
	bool found = true;

	while (found) {
		found = false;
		for (size_t i = 0; i < ARRAY_SIZE(suffixes) && !found; i++) {
			struct str suffix = str_from(suffixes[i]);

			found = name.len > suffix.len && str_ends(name, suffix);
			name = found ? str_chop(name, suffix.len) : name;
		}
	}
	return name;
}

struct str headline_subject(struct arena *arena, enum lang lang, const struct result *result)
{
	if (result->input_count == 1)
		return without_suffixes(result->inputs[0].name);
	return catalog_say(arena, lang, "headline.dumps", NUMBER("count", result->input_count));
}

static struct str list_join(struct arena *arena, enum lang lang, struct str first, struct str rest)
{
	if (!first.len)
		return rest;
	return catalog_say(arena, lang, "headline.list", BLANK("first", first), BLANK("rest", rest));
}

/* Of many targets: "RUNS on 12 targets, STOPS on 3 targets". */
static struct str count_words(struct arena *arena, enum lang lang, const struct result *result)
{
	size_t counts[HEADLINE_WORDS] = { 0 };
	struct str line = STR("");

	for (size_t i = 0; i < result->target_count; i++)
		counts[result->targets[i].headline.word]++;
	for (unsigned word = HEADLINE_WORDS; word-- > 0;) {
		if (counts[word])
			line = list_join(arena, lang, line,
				catalog_say(arena, lang, "headline.on-many",
					BLANK("word", headline_word(lang, (enum headline_word)word)),
					NUMBER("count", counts[word])));
	}
	return line;
}

struct str headline_line(struct arena *arena, enum lang lang, const struct result *result)
{
	enum { MOST_NAMED = 4 };
	struct str words = STR("");

	for (size_t i = 0; i < result->target_count && result->target_count <= MOST_NAMED; i++) {
		const struct result_target *target = &result->targets[i];

		words = list_join(arena, lang, words,
			catalog_say(arena, lang, "headline.on",
				BLANK("word", headline_word(lang, target->headline.word)),
				BLANK("target", target->id)));
	}
	if (!words.len)
		words = count_words(arena, lang, result);
	return catalog_say(arena, lang, "headline.line", BLANK("subject", headline_subject(arena, lang, result)),
		BLANK("words", words));
}

/* --- shares */

struct shares {
	struct arena *arena;
	enum lang lang;
	bool first; /* alone */
	struct str line;
};

/* Shares below 0.05 % are left out, except for the first. */
static void add_share(struct shares *shares, const char *id, struct result_interval share)
{
	enum { LEAST_PPM = 500 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	if (shares->line.len && (shares->first || share.hi_ppm < LEAST_PPM))
		return;
	percent_put(&text, share.lo_ppm, share.hi_ppm);
	shares->line = list_join(shares->arena, shares->lang, shares->line,
		catalog_say(shares->arena, shares->lang, id, COPY("share", buf_str(&text))));
}

/* The share of work that the host does on any target. */
static int64_t host_work_ppm(const struct result *result, size_t target)
{
	int64_t share = 0;

	for (size_t i = 0; i < result->operator_count; i++) {
		if (result->operators[i].verdicts[target].flags & FLAG_HOST_WORK)
			share += result->operators[i].share_ppm;
	}
	return share;
}

static int64_t above_zero(int64_t value)
{
	return value > 0 ? value : 0;
}

/* Of one rank, or the spread over all. */
static struct result_interval first_share(const struct result_target *target, struct result_interval share)
{
	return target->headline.ranks ? target->headline.spread : share;
}

static void add_places(struct shares *shares, const struct result *result, size_t at)
{
	const struct result_target *target = &result->targets[at];
	int64_t left_out = host_work_ppm(result, at);
	struct result_interval host = { above_zero(target->where.host.lo_ppm - left_out),
		above_zero(target->where.host.hi_ppm - left_out) };

	add_share(shares, "headline.device", first_share(target, target->readiness.time));
	add_share(shares, "headline.host", host);
	add_share(shares, "headline.aicpu", target->where.aicpu);
}

struct str headline_shares(struct arena *arena, enum lang lang, const struct result *result, size_t at, bool first)
{
	struct shares shares = { arena, lang, first, STR("") };
	const struct result_target *target = &result->targets[at];
	struct result_interval runs = first_share(target, target->coverage.time);
	int64_t least = runs.lo_ppm;

	switch (target->headline.word) {
	case HEADLINE_STOPS:
		add_share(&shares, "headline.runs", runs);
		add_share(&shares, "headline.stops", target->where.nowhere);
		break;
	case HEADLINE_PACKAGE:
		add_share(&shares, "headline.runs", runs);
		add_share(&shares, "headline.needs-package", target->where.nowhere);
		break;
	case HEADLINE_UNKNOWN:
		add_share(&shares, least < WHOLE_PPM ? "headline.runs-least" : "headline.runs-recorded",
			(struct result_interval){ least, least });
		break;
	default:
		add_places(&shares, result, at);
		break;
	}
	if (target->headline.ranks && !first)
		shares.line = list_join(arena, lang, shares.line,
			catalog_say(arena, lang, "headline.rank", BLANK("rank", target->headline.rank),
				NUMBER("count", target->headline.ranks)));
	return shares.line;
}

/* --- Markdown */

static void put_pair(struct doc *doc, const char *label, const struct message *message)
{
	if (message->id)
		doc_say_with(doc, BLOCK_ITEM, "headline.line", BLANK("subject", doc_label_of(doc, label)),
			BLANK("words", doc_message_of(doc, message)));
}

void headline_build(struct doc *doc, const struct result *result)
{
	if (headline_known(result))
		doc_say_styled(
			doc, BLOCK_PARAGRAPH, SPAN_STRONG, headline_line(&doc->arena, doc->options.lang, result));
}

void headlines_build(struct doc *doc, const struct result *result)
{
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < result->target_count && headline_known(result); i++) {
		const struct result_target *target = &result->targets[i];

		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_STRONG, headline_word(doc->options.lang, target->headline.word));
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_CODE, target->id);
		doc_printf(doc, " %.*s", STR_ARG(headline_shares(&doc->arena, doc->options.lang, result, i, false)));
		doc_open(doc, BLOCK_LIST);
		put_pair(doc, "headline.why", &target->headline.why);
		put_pair(doc, "headline.first", &target->headline.first);
		doc_close(doc);
		doc_close(doc);
	}
	doc_close(doc);
}
