#pragma once
/* Settings in YAML, which JSON is too. */
#include "scan/syntax.h"

/* Add the keys and values of ret->text, as scan/setting.h says; the module is there. ERR_UNREAD. */
int yaml_read(struct syntax *ret, struct err *err);
