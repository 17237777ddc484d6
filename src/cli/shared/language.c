#include "cli/shared/language.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"

extern const char messages_zh_cn[];

/* The language of the first variable that is set; English where it is another one. */
static enum lang lang_of_locale(void)
{
	static const char *const variables[] = { "OPCHECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG" };
	enum lang lang = LANG_EN;

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && value[0]) {
			lang_from(str_from(value), &lang);
			break;
		}
	}
	return lang;
}

void language_speak(struct str given)
{
	enum lang lang = lang_of_locale();

	lang_from(given, &lang);
	translation_set(lang == LANG_ZH_CN ? messages_zh_cn : "");
}

int language_choose(struct str given, struct render_options *ret, struct err *err)
{
	ret->lang = lang_of_locale();
	ret->all_langs = str_eq(given, STR("all"));
	if (given.len && !ret->all_langs && !lang_from(given, &ret->lang)) {
		err_set(err, ERR_VALUE, "no language '%s'", shown(given).text);
		return err_hint(err, "use en or zh-CN, or all for a page that has both");
	}
	language_speak(given);
	return 0;
}
