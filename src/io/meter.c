#include "io/meter.h"

#include <string.h>
#include <sys/stat.h>

void meter_expect(struct meter *meter, const char *path)
{
	struct stat info;

	if (strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode))
		atomic_fetch_add(&meter->total_bytes, (uint64_t)info.st_size);
	else
		atomic_store(&meter->open_ended, true);
}
