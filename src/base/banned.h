#pragma once
/*
 * Functions that invite overflow, hidden state or a second interpreter: using one is a compile error.
 *
 * The build includes this file before every source file, so nothing has to be remembered. Use instead:
 * buf_printf, buf_add and memcpy with a checked length; str_cut; decimal_*; strerror_r by err_os; gmtime_r.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#undef sprintf /* a macro in clang's builds with FORTIFY_SOURCE */
#pragma GCC poison strcpy strcat strncpy strncat stpcpy sprintf vsprintf gets
#pragma GCC poison strtok strtok_r strerror atoi atol atoll atof sscanf
#pragma GCC poison gmtime localtime ctime asctime tmpnam mktemp system popen
