#pragma once
/* A page or a report as a tree: built once (doc_build.h), written as text, HTML or Markdown by the walkers.
   A node is a block, which holds other nodes, or a piece of a line. All texts are plain, views that outlive the
   document or copies in its arena: every walker escapes them. */
#include "base/memory/arena.h"
#include "report/doc/options.h"

enum doc_format { DOC_TEXT = 1 << 0, DOC_HTML = 1 << 1, DOC_MD = 1 << 2, DOC_PLAIN = DOC_TEXT | DOC_MD };

enum doc_kind {
	DOC_BLOCK,   /* style: enum doc_block */
	DOC_SECTION, /* text: its heading, or ""; one without content is not written */
	DOC_TABLE,   /* holds rows; more come from its `put_row` */
	DOC_ROW,     /* holds a cell for each column, then blocks that text sets below */
	DOC_CELL,
	DOC_CODE,      /* text: lines that stay as they are; extra: their language */
	DOC_FIGURE,    /* content for pages alone */
	DOC_ATTRIBUTE, /* of the block around it, in HTML; extra: its name */
	DOC_SPAN,      /* from here on pieces of a line; style: enum doc_span */
	DOC_TAG,       /* style: enum doc_set; text: the shown text, extra: the value */
	DOC_LINK,      /* text, extra: its address; style: SPAN_NAME, SPAN_NEXT or SPAN_PLAIN */
	DOC_BAR,       /* an interval as a drawing */
	DOC_BREAK,     /* text goes on in a new line */
};
/* clang-format off */
enum doc_block {
	BLOCK_GROUP, /* no mark of its own */
	BLOCK_TITLE, BLOCK_HEADER, BLOCK_MAIN, BLOCK_CARDS, BLOCK_STRIP, BLOCK_CARD, BLOCK_CARD_NAME, BLOCK_ANSWER,
	BLOCK_PARAGRAPH, BLOCK_META, BLOCK_META_UNDER, BLOCK_SOFT, BLOCK_NO_SCRIPT, BLOCK_LINE, BLOCK_LINE_SOFT,
	BLOCK_FIELD, BLOCK_UNDER, BLOCK_UNDER_MARK, BLOCK_ADVICE, BLOCK_FOLLOWER,
	BLOCK_LIST, BLOCK_NOTES, BLOCK_STEPS, BLOCK_SOURCES, BLOCK_VERDICTS, BLOCK_ITEM, BLOCK_SUBITEM, BLOCK_SENTENCE,
	BLOCK_DETAILS, BLOCK_MORE, BLOCK_PLACE, BLOCK_PLACE_LEAF, BLOCK_SUMMARY, BLOCK_SUMMARY_NAME, BLOCK_INSET,
	BLOCK_TITLE_NAME, BLOCK_TABS, BLOCK_RECENT, BLOCK_KEYS, BLOCK_KEY, BLOCK_VALUE, BLOCK_VALUE_FIGURE,
	BLOCK_COUNT
};
/* clang-format on */

enum doc_span { SPAN_PLAIN, SPAN_NAME, SPAN_SOFT, SPAN_STRONG, SPAN_STRONG_NAME, SPAN_CODE, SPAN_NEXT };
enum doc_set { SET_STATUS, SET_VERDICT, SET_SEVERITY, SET_GATE };
enum doc_mood { MOOD_NONE, MOOD_BAD, MOOD_FAIR, MOOD_GOOD, MOOD_DIM, MOOD_BOLD };

struct doc_node {
	enum doc_kind kind;
	unsigned char style;
	enum doc_mood mood;
	bool doubt; /* of a tag: it holds under a condition */
	struct str text, extra;
	union {
		const struct doc_table *table;
		const struct doc_figure *figure;
		int32_t bar_ppm[2];
	};
	struct doc_node *parent, *first, *last, *next;
};

struct doc {
	struct arena arena;
	enum doc_format format; /* format it is built for, without content of other formats */
	unsigned only;          /* formats that show what is added next; 0: all */
	struct render_options options;
	unsigned title_level;          /* in Markdown; sections are one below */
	size_t left_out;               /* findings of a baseline, which are not listed */
	const struct doc *other;       /* the same in another language, which its script can show; NULL: none */
	bool scripted, second;         /* its HTML has a script; it is the other of one, which has its data */
	struct references *references; /* NULL: addresses are printed where they are cited */
	struct doc_node *root, *open;  /* the block that grows */
	struct buf line;               /* scratch */
};

enum doc_format doc_format_of_name(struct str name); /* "html", "md"; every other is text */
struct doc doc_new(enum doc_format format, const struct render_options *options);
void doc_clear(struct doc *doc);
/* Show the next node and its contents in these formats alone: doc_text(doc_in(doc, DOC_HTML), text). */
struct doc *doc_in(struct doc *doc, unsigned formats);
/* Add a node to the open one; with both of its texts; open it until doc_close. */
struct doc_node *doc_add(struct doc *doc, enum doc_kind kind, unsigned style);
struct doc_node *doc_add_texts(struct doc *doc, enum doc_kind kind, unsigned style, struct str text, struct str extra);
struct doc_node *doc_open_node(struct doc *doc, enum doc_kind kind, unsigned style);
void doc_close(struct doc *doc);
