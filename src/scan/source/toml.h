#pragma once
/* Settings in TOML. */
#include "scan/source/syntax.h"

/* Add the keys and values of ret->text, as scan/source/setting.h says; the module is there. ERR_UNREAD. */
int toml_read(struct syntax *ret, struct err *err);
