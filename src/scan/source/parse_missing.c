/* Built without a grammar: every script is ERR_UNREAD. */
#include "scan/source/parse.h"

bool syntax_available(void)
{
	return false;
}

int syntax_parse(struct str text, const struct limits *limits UNUSED, struct syntax *ret, struct err *err)
{
	*ret = (struct syntax){ .text = text };
	err_set(err, ERR_UNREAD, "this opcheck was built without the grammar of Python, which reads scripts");
	return err_hint(err, "sh deploy/grammar.sh DIR, then meson setup --reconfigure BUILD -Dgrammar=DIR");
}
