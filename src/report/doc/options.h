#pragma once
/* Options of what is rendered. */
#include "report/doc/catalog.h"

/* Text on standard output: the whole of it; the words of targets; a line a target; the first screen, then causes. */
enum view { VIEW_WHOLE, VIEW_WORDS, VIEW_SUMMARY, VIEW_SCREEN, VIEW_CAUSES };

struct render_options {
	enum lang lang;
	unsigned width, rows;  /* columns of text, 0: 80; of any list at most, 0: no bound */
	bool color, all_langs; /* escape sequences in text; a page of a report has both languages */
	bool all;              /* text and Markdown list every operator and finding */
	bool new_only;         /* findings that are known from a baseline are left out and counted */
	bool byte_order_mark;  /* CSV begins with one, for spreadsheets */
	unsigned severities;   /* of findings and causes that are listed, as bits of enum severity; 0: all */
	enum view view;
	struct str dump;    /* quoted for a shell, for commands to copy; "": not known */
	struct str section; /* id of the one part of text and Markdown to write; "": all */
};
