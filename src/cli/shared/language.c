#include "cli/shared/language.h"

#include "base/setup/translate.h"
#include "base/value/utf8.h"

extern const char messages_zh_cn[];

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
