/* Build tool: a text file becomes a C string, so that programs need no files beside them. "bare" leaves out indentation
   and lines of comment, which every page would carry. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_LINE = 24 };

static bool is_comment(const char *line, size_t length)
{
	return strncmp(line, "//", 2) == 0 ||
	       (strncmp(line, "/*", 2) == 0 && length >= 5 && strcmp(line + length - 3, "*/\n") == 0);
}

static int embed(const char *symbol, FILE *input, bool bare)
{
	char *line = NULL;
	size_t room = 0;
	unsigned long count = 0;

	printf("extern const char %s[];\nconst char %s[] = {", symbol, symbol);
	for (ssize_t length; (length = getline(&line, &room, input)) > 0;) {
		size_t from = bare ? strspn(line, "\t") : 0;

		if (bare && is_comment(line + from, (size_t)length - from))
			continue;
		for (; from < (size_t)length; from++, count++)
			printf("%s%d,", count % BYTES_PER_LINE ? "" : "\n", (signed char)line[from]);
	}
	printf("\n0 };\n");
	free(line);
	return ferror(input) || fflush(stdout);
}

int main(int argc, char **argv)
{
	bool bare = argc == 4 && strcmp(argv[3], "bare") == 0;
	FILE *input = argc == 3 || bare ? fopen(argv[2], "r") : NULL;

	if (!input || embed(argv[1], input, bare)) {
		fputs("usage: embed SYMBOL INPUT [bare] > OUTPUT.c\n", stderr);
		return 1;
	}
	return fclose(input);
}
