/* The job of opcheck's trace reader on top of cJSON: a whole tree, then calls and times by operator. Built only by trace.py. */
#include <cjson/cJSON.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct total {
	unsigned long calls;
	double ts, dur;
};

static char *load(const char *path, size_t *ret_len)
{
	FILE *file = fopen(path, "rb");
	char *text;
	long len;

	if (!file || fseek(file, 0, SEEK_END) || (len = ftell(file)) < 0 || fseek(file, 0, SEEK_SET))
		exit(2);
	text = malloc((size_t)len + 1);
	if (!text || fread(text, 1, (size_t)len, file) != (size_t)len)
		exit(2);
	text[len] = 0;
	fclose(file);
	*ret_len = (size_t)len;
	return text;
}

static void take(const cJSON *event)
{
	const char *ph = cJSON_GetStringValue(cJSON_GetObjectItem(event, "ph"));
	const char *cat = cJSON_GetStringValue(cJSON_GetObjectItem(event, "cat"));
	const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(event, "name"));
	const cJSON *args = cJSON_GetObjectItem(event, "args");
	char *dims, *types, key[4096];
	ENTRY *found, entry;
	struct total *total;

	if (!ph || !cat || !name || strcmp(ph, "X") || (strcmp(cat, "cpu_op") && strcmp(cat, "user_annotation")))
		return;
	dims = cJSON_PrintUnformatted(cJSON_GetObjectItem(args, "Input Dims"));
	types = cJSON_PrintUnformatted(cJSON_GetObjectItem(args, "Input type"));
	snprintf(key, sizeof(key), "%s|%s|%s", name, dims ? dims : "", types ? types : "");
	free(dims);
	free(types);
	entry.key = key;
	found = hsearch(entry, FIND);
	if (!found) {
		entry = (ENTRY){ strdup(key), calloc(1, sizeof(*total)) };
		found = hsearch(entry, ENTER);
	}
	total = found->data;
	total->calls++;
	total->ts += cJSON_GetNumberValue(cJSON_GetObjectItem(event, "ts"));
	total->dur += cJSON_GetNumberValue(cJSON_GetObjectItem(event, "dur"));
}

int main(int argc, char **argv)
{
	const cJSON *event;
	size_t len, events = 0;
	char *text;
	cJSON *tree;

	if (argc != 2)
		return 2;
	text = load(argv[1], &len);
	tree = cJSON_ParseWithLength(text, len);
	if (!tree || !hcreate(100000))
		return 3;
	cJSON_ArrayForEach(event, cJSON_GetObjectItem(tree, "traceEvents"))
	{
		events++;
		take(event);
	}
	printf("%zu events\n", events);
	return 0;
}
