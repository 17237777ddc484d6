#pragma once
/*
 * Files around a program that are read word by word: shell scripts, Dockerfiles, lists of requirements.
 *
 * They are read word by word as a shell does: comments, here-documents and quoted text of another command are not
 * commands. A word counts as a variable that is set or used, a package that is installed, the value of an option for
 * a device. Each word that counts is a node of the script's syntax.
 */
#include "scan/find/check.h"

/* Takes the place of syntax_parse, script_bind and all checks. The text is of less than 4 GiB; a NUL ends what is read
   together, so that a quote or a here-document that is open there ends, too. */
void shell_read(struct str text, struct syntax *ret);
void shell_check(struct check *check, struct script *script);

/* Of these bytes alone: commands in a file of another kind. */
void shell_check_part(struct check *check, struct script *script, uint32_t from, uint32_t to);

/* Commands in texts of a Python script that it runs: os.system("..."), also through a name. */
void shell_check_texts(struct check *check, struct script *script);
