#pragma once
/* `opcheck db import`: a command with options and help of its own, which cmd_db.c hands over to. */
#include "cli/command.h"

extern const struct command cmd_db_import;
