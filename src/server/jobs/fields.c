#include "server/jobs/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"

void field_put(struct buf *out, struct str text)
{
	uint64_t len = text.len;

	buf_add(out, (struct str){ (const char *)&len, sizeof(len) });
	buf_add(out, text);
}

void field_put_number(struct buf *out, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	field_put(out, str_from(text));
}

bool field_take(struct str *rest, struct str *ret)
{
	uint64_t len;

	if (rest->len < sizeof(len))
		return false;
	memcpy(&len, rest->ptr, sizeof(len));
	if (len > rest->len - sizeof(len))
		return false;
	*ret = str_sub(*rest, sizeof(len), sizeof(len) + len);
	*rest = str_skip(*rest, sizeof(len) + len);
	return true;
}

bool field_take_number(struct str *rest, uint64_t *ret)
{
	struct str text;

	return field_take(rest, &text) && decimal_unsigned(text, ret);
}

bool field_read_file(int fd, struct buf *ret)
{
	struct stat info;
	char *space;
	ssize_t len;

	if (fstat(fd, &info))
		return false;
	space = mem_resize(NULL, (size_t)info.st_size, 1);
	len = pread(fd, space, (size_t)info.st_size, 0);
	buf_add(ret, (struct str){ space, len > 0 ? (size_t)len : 0 });
	free(space);
	return len == info.st_size;
}
