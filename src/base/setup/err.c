#include "base/setup/err.h"

#include <stdio.h>
#include <string.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"

#define NAMED(name, number) { name, "OPC-" #number },

static const struct {
	int code;
	const char *name;
} names[] = { ERR_CODES(NAMED) };

/* Formats a field, cut at the end of a character where it is too long. */
__attribute__((format(printf, 3, 0))) static void format_field(
	char *field, size_t size, const char *format, va_list args)
{
	size_t whole;

	if (vsnprintf(field, size, translated(format), args) >= (int)size && !utf8_valid(str_from(field), &whole))
		field[whole] = '\0';
}

int err_vset(struct err *err, enum err_code code, const char *format, va_list args)
{
	struct err made = { .code = (int)code };

	format_field(made.text, sizeof(made.text), format, args); /* the arguments may be texts of *err */
	*err = made;
	return -(int)code;
}

int err_set(struct err *err, enum err_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(err, code, format, args);
	va_end(args);
	return -(int)code;
}

int err_os(struct err *err, enum err_code code, int errno_value, const char *format, ...)
{
	char room[128];
	const char *reason = room;
	size_t len;
	va_list args;

	va_start(args, format);
	err_vset(err, code, format, args);
	va_end(args);
	len = strlen(err->text);
#ifdef __GLIBC__
	reason = strerror_r(errno_value, room, sizeof(room));
#else
	strerror_r(errno_value, room, sizeof(room));
#endif
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", translated(reason));
	return -(int)code;
}

/* The first one to know fills a field; callers further out add nothing. */
__attribute__((format(printf, 3, 0))) static void fill(char *field, size_t size, const char *format, va_list args)
{
	if (!field[0])
		format_field(field, size, format, args);
}

int err_where(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err->where, sizeof(err->where), format, args);
	va_end(args);
	return -err->code;
}

int err_hint(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err->hint, sizeof(err->hint), format, args);
	va_end(args);
	return -err->code;
}

int err_file(struct err *err, const char *file)
{
	char inside[sizeof(err->where)];

	memcpy(inside, err->where, sizeof(inside));
	snprintf(err->where, sizeof(err->where), "%s", file);
	if (inside[0]) {
		size_t len = strlen(err->where);

		snprintf(err->where + len, sizeof(err->where) - len, ": %s", inside);
	}
	return -err->code;
}

int err_exit_status(int code)
{
	return code / 1000 == 7 ? 70 : code / 1000;
}

const char *err_name(int code)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].code == code)
			return names[i].name;
	}
	return NULL;
}

int err_code_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i].name, name) == 0)
			return names[i].code;
	}
	return 0;
}

int err_code_at(size_t index)
{
	return index < ARRAY_SIZE(names) ? names[index].code : 0;
}
