/* A job: what its process left, or why it left nothing. */
#include <signal.h>

#include "server/jobs/job.h"
#include "tests/unit/check.h"

enum { EXITED = 256 }; /* a status of wait(2) is one of exit(3) times this, or a signal */

static void every_end_without_an_outcome_says_why(void **state)
{
	static const struct {
		struct spawn_end end;
		enum err_code code;
		const char *text;
	} cases[] = {
		{ { .never = true }, ERR_BUSY, "the system allows no further process" },
		{ { .late = true, .status = SIGKILL }, ERR_LIMIT, "the job exceeds 60 seconds of time" },
		{ { .status = SIGXCPU }, ERR_LIMIT, "the job exceeds 30 seconds of processor time" },
		{ { .status = EXIT_NO_MEMORY * EXITED }, ERR_LIMIT, "the job exceeds 1000 bytes of memory" },
		{ { .status = EXIT_NO_SPACE * EXITED }, ERR_STORE_FULL, "no space left for the result of the job" },
		{ { .status = SIGSEGV }, ERR_JOB, "the worker ended by signal 11" },
		{ { .status = 2 * EXITED }, ERR_JOB, "the worker ended with status 2" },
	};
	const struct limits limits = { .job_seconds = 60, .job_processor_seconds = 30, .rendering_bytes = 1000 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct job *job = job_new(JOB_RENDER);

		job_collect(job, &limits, &cases[i].end);
		assert_int_equal(job->err.code, cases[i].code);
		assert_string_equal(job->err.text, cases[i].text);
		job_release(job);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_end_without_an_outcome_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
