/* Build tool: a text file becomes a C string, so that programs need no files beside them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_PER_LINE = 24 };

static int embed(const char *symbol, FILE *input)
{
	int byte;

	printf("extern const char %s[];\nconst char %s[] = {", symbol, symbol);
	for (unsigned long count = 0; (byte = fgetc(input)) != EOF; count++)
		printf("%s%d,", count % BYTES_PER_LINE ? "" : "\n", (signed char)byte);
	printf("\n0 };\n");
	return ferror(input) || fflush(stdout);
}

int main(int argc, char **argv)
{
	FILE *input = argc == 3 ? fopen(argv[2], "r") : NULL;

	if (!input || embed(argv[1], input)) {
		fputs("usage: embed SYMBOL INPUT > OUTPUT.c\n", stderr);
		return 1;
	}
	return fclose(input);
}
