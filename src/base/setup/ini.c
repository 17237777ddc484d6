#include "base/setup/ini.h"

#include "base/value/utf8.h"

struct ini ini_of(struct str text, struct str name)
{
	const struct str mark = STR("\xef\xbb\xbf"); /* written first by some editors */

	return (struct ini){
		.rest = str_starts(text, mark) ? str_skip(text, mark.len) : text, .name = name, .section = STR("")
	};
}

int ini_where(const struct ini *ini, struct err *err)
{
	return err_where(err, "%s:%u", shown(ini->name).text, ini->line);
}

/* Check that a line is short and valid text; ERR_CONFIG. */
static int check_line(const struct ini *ini, struct str line, struct err *err)
{
	size_t bad_at;

	if (line.len > INI_LINE_BYTES) {
		err_set(err, ERR_CONFIG, "the line has more than %d bytes", INI_LINE_BYTES);
		return ini_where(ini, err);
	}
	if (utf8_valid(line, &bad_at) && !memchr(line.ptr, '\0', line.len))
		return 0;
	err_set(err, ERR_CONFIG, "the line is not valid UTF-8");
	return ini_where(ini, err);
}

static int take_section(struct ini *ini, struct str line, struct ini_item *ret, struct err *err)
{
	struct str name = line.len > 1 ? str_trim(str_sub(line, 1, line.len - 1)) : STR("");

	if (!str_ends(line, STR("]")) || !name.len) {
		err_set(err, ERR_CONFIG, "'%s' is not a section", shown(line).text);
		err_hint(err, "write a name in brackets on a line of its own, such as [gate]");
		return ini_where(ini, err);
	}
	ini->section = name;
	*ret = (struct ini_item){ name, STR(""), STR("") };
	return 1;
}

static int take_setting(const struct ini *ini, struct str line, struct ini_item *ret, struct err *err)
{
	struct str key, value = line;

	str_cut(&value, '=', &key);
	if (!value.ptr || !str_trim(key).len) {
		err_set(err, ERR_CONFIG, "'%s' is not a setting", shown(line).text);
		err_hint(err, "write key = value, [section] or # comment");
		return ini_where(ini, err);
	}
	*ret = (struct ini_item){ ini->section, str_trim(key), str_trim(value) };
	return 1;
}

int ini_next(struct ini *ini, struct ini_item *ret, struct err *err)
{
	struct str line;

	while (ini->rest.len && str_cut(&ini->rest, '\n', &line)) {
		int status;

		ini->line++;
		status = check_line(ini, line, err);
		if (status)
			return status;
		line = str_trim(line);
		if (!line.len || line.ptr[0] == '#' || line.ptr[0] == ';')
			continue;
		return line.ptr[0] == '[' ? take_section(ini, line, ret, err) : take_setting(ini, line, ret, err);
	}
	return 0;
}
