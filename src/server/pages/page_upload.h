#pragma once
/* The form for dumps. It works as any other form; with the script it remembers, shows what it chose, and tells how far
   it is (web/app.js). */
#include "server/pages/page.h"

void page_put_upload(struct page *page, const struct opdb *db);
