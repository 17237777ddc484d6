#pragma once
/* Settings in YAML, which JSON is too. */
#include "scan/source/syntax.h"

/* Add the keys and values of ret->text, as scan/source/setting.h says; the module is there. ERR_UNREAD. */
int yaml_read(struct syntax *ret, struct err *err);
