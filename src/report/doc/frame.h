#pragma once
/* The frame of a page among others: head, navigation, foot. Addresses are the caller's. */
#include "base/memory/buf.h"
#include "report/doc/catalog.h"

struct frame {
	enum lang lang;
	struct str title;
	const char *policy; /* Content-Security-Policy of a page without a server; NULL: the server sends it */
	struct str icon, styles[2], scripts[2];
};

struct frame_link {
	struct str address, text;
	bool here; /* it leads to this page or to one above it */
};

/* A mark of pages with a policy, within their first 256 bytes. */
#define FRAME_OF_FILE "<meta name=\"generator\" content=\"opcheck site\">"

/* From the doctype to the link that skips the navigation. */
void frame_put_head(struct buf *out, const struct frame *frame);

/* The navigation, which stays open for more: the name of the program, then the links. */
void frame_put_navigation(
	struct buf *out, enum lang lang, struct str home, const struct frame_link *links, size_t count);

/* This page in another language. */
void frame_put_language(struct buf *out, enum lang other, struct str address);

/* The foot and the end of the page; text is behind the name of the program. */
void frame_put_foot(struct buf *out, struct str text);

/* The style, script and icon of such pages, beside those of a report (html_page.h). */
extern const char app_css[], app_js[], icon_svg[];
