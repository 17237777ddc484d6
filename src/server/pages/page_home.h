#pragma once
/* The first page: the form for dumps, the models that ran last and the assessments that were made last. */
#include "server/http/reply.h"

HANDLER(page_home);
