#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static const struct {
	int code;
	const char *name;
} names[] = {
	{ ERR_OPTION, "OPC-2001" },
	{ ERR_ARGUMENT, "OPC-2002" },
	{ ERR_VALUE, "OPC-2003" },
	{ ERR_COMMAND, "OPC-2004" },
	{ ERR_TARGET, "OPC-2005" },
	{ ERR_AMBIGUOUS, "OPC-2006" },
	{ ERR_RULE, "OPC-2007" },
	{ ERR_EXISTS, "OPC-2008" },
	{ ERR_CONFIG, "OPC-2009" },
	{ ERR_OPERATOR, "OPC-2010" },
	{ ERR_ADDRESS, "OPC-2011" },
	{ ERR_METHOD, "OPC-2012" },
	{ ERR_ACCEPT, "OPC-2013" },
	{ ERR_ORIGIN, "OPC-2014" },
	{ ERR_WAIVER, "OPC-2015" },
	{ ERR_OPEN, "OPC-3001" },
	{ ERR_DIRECTORY, "OPC-3002" },
	{ ERR_EMPTY, "OPC-3003" },
	{ ERR_FORMAT, "OPC-3004" },
	{ ERR_NO_TABLE, "OPC-3005" },
	{ ERR_NO_OPERATOR, "OPC-3006" },
	{ ERR_ENCODING, "OPC-3007" },
	{ ERR_UNREAD, "OPC-3008" },
	{ ERR_LIMIT, "OPC-3009" },
	{ ERR_COMPRESSION, "OPC-3010" },
	{ ERR_REPORT, "OPC-3011" },
	{ ERR_IMPORT, "OPC-3012" },
	{ ERR_NO_DEVICE, "OPC-3013" },
	{ ERR_NOT_OBSERVABLE, "OPC-3014" },
	{ ERR_DB_OPEN, "OPC-4001" },
	{ ERR_DB_KIND, "OPC-4002" },
	{ ERR_DB_VERSION, "OPC-4003" },
	{ ERR_DB_DAMAGED, "OPC-4004" },
	{ ERR_FACT, "OPC-4005" },
	{ ERR_CONNECT, "OPC-5001" },
	{ ERR_REPLY, "OPC-5002" },
	{ ERR_LISTEN, "OPC-5003" },
	{ ERR_STORE, "OPC-5004" },
	{ ERR_STORE_FULL, "OPC-5005" },
	{ ERR_OUTPUT, "OPC-6001" },
	{ ERR_INTERNAL, "OPC-7001" },
};

__attribute__((format(printf, 3, 0))) static void format_text(
	struct err *err, enum err_code code, const char *format, va_list args)
{
	memset(err, 0, sizeof(*err));
	err->code = code;
	vsnprintf(err->text, sizeof(err->text), format, args);
}

int err_set(struct err *err, enum err_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_text(err, code, format, args);
	va_end(args);
	return -(int)code;
}

int err_os(struct err *err, enum err_code code, int errno_value, const char *format, ...)
{
	char reason[128];
	size_t len;
	va_list args;

	va_start(args, format);
	format_text(err, code, format, args);
	va_end(args);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", strerror_r(errno_value, reason, sizeof(reason)));
	return -(int)code;
}

/* The first one to know fills a field; callers further out add nothing. */
__attribute__((format(printf, 3, 0))) static void fill(char *field, size_t size, const char *format, va_list args)
{
	if (!field[0])
		vsnprintf(field, size, format, args);
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
