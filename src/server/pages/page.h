#pragma once
/*
 * The frame of every page of the service: head, navigation, language switch, foot.
 *
 *	struct page page = page_start(reply, request, "page.targets");
 *	doc_section(&page.doc, ...); ...
 *	page_end(&page);
 * Its content is a document; forms are figures in it, written as markup.
 */
#include "opdb/db/opdb.h"
#include "report/doc/doc_build.h"
#include "report/doc/markup.h"
#include "server/http/reply.h"

struct page {
	struct buf *out;
	const struct request *request; /* NULL: the page is stored, for all clients of a language */
	enum lang lang;
	bool lang_given; /* links keep the language */
	struct doc doc;
	struct buf markup; /* of the next figure */
};

/* Everything up to and with the start of the main element; up to the body of a page that is stored and brings its own;
   and the first with the reply that the page goes into and a title of the catalogue. */
struct page page_begin(const struct request *request, struct buf *out, struct str title);
struct page page_begin_stored(enum lang lang, bool lang_given, struct buf *out, struct str title);
struct page page_start(struct reply *reply, const struct request *request, const char *title);

void page_end(struct page *page);
void page_end_bare(struct page *page);

/* Appends a literal to the markup of the next figure. In it "{page.file}" is that text of the catalogue and "{}" the
   next value, both escaped; "{/assets/app.css}" the address of the file; "{csrf}" and "{keep-lang}" hidden fields: that
   the form is of the caller's session, and the language that was asked for; "{?lang}" and "{&lang}" that in an address.
   page_figure takes what was appended into the document. */
#define page_html(page, literal, ...)                                                                                  \
	page_put_markup((page), "" literal, (const struct str[]){ STR(""), __VA_ARGS__ },                              \
		sizeof((const struct str[]){ STR(""), __VA_ARGS__ }) / sizeof(struct str) - 1)
void page_put_markup(struct page *page, const char *markup, const struct str *values, size_t count);
void page_figure(struct page *page);

/* A text of the catalogue with text in `backticks` as code, in the open block; as a paragraph, also of a joined id. */
void page_pieces(struct page *page, const char *id);
void page_prose(struct page *page, const char *id);
void page_prose_of(struct page *page, struct str id, const char *suffix);

/* Addresses that keep the language that was asked for: with one encoded segment ("": none), with a query. */
struct str page_address(struct page *page, const char *path, struct str segment);
struct str page_address_query(struct page *page, const char *path, const struct parameter *query, size_t count);

/* "https://host", where clients reach the service. */
struct str page_origin(struct page *page);

/* A paragraph that is one link, and a cell that is one. */
void page_put_link(struct page *page, enum doc_span style, struct str address, const char *label);
void page_cell_link(struct page *page, struct str address, struct str text);

/* A link to where a list goes on: this address and its whole query with another cursor. */
void page_put_next(struct page *page, struct str cursor, const char *label);

/* Heading and first paragraph. */
void page_title(struct page *page, const char *title, const char *about);

/* The reply that a page goes into. */
void page_reply(struct reply *reply, const struct request *request);

/* On to another page, in the language that was asked for. */
void page_go_on(struct reply *reply, struct request *request, struct str address);
