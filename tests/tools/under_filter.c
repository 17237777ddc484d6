/*
 * Runs a program as systemd does with a SystemCallFilter: any system call that is not in the list kills it.
 *
 *	under_filter LIST PROGRAM [ARGUMENT]...     LIST: a file with a name a line
 */
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	FILE *list = argc > 2 ? fopen(argv[1], "r") : NULL;
	char name[128];

	if (!list || !filter)
		return 2;
	while (fgets(name, sizeof(name), list)) {
		int number;

		name[strcspn(name, "\n")] = '\0';
		number = seccomp_syscall_resolve_name(name);
		if (number >= 0 && seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0))
			return 2;
	}
	fclose(list);
	if (seccomp_load(filter))
		return 2;
	execvp(argv[2], argv + 2);
	return 2;
}
