#include "server/http/metrics.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/memory/mem.h"
#include "check/check.h"

enum { MOST_ROUTES = 96, STATUSES = 600, TOO_MANY = 429 };

static const double bounds[] = { 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60 };

struct metrics {
	const struct route_table *routes;
	time_t started;
	/* the last row: no route; column 0: cut off */
	atomic_ullong requests[MOST_ROUTES + 1][STATUSES];
	atomic_ullong durations[ARRAY_SIZE(bounds) + 1], microseconds, input_bytes, limited;
};

struct metrics *metrics_new(const struct route_table *routes)
{
	struct metrics *metrics = mem_zalloc(sizeof(*metrics));

	metrics->routes = routes;
	metrics->started = time(NULL);
	return metrics;
}

void metrics_free(struct metrics *metrics)
{
	free(metrics);
}

void metrics_count(struct metrics *metrics, const struct metrics_request *request)
{
	size_t row = request->route ? (size_t)(request->route - metrics->routes->items) : MOST_ROUTES, bucket = 0;

	while (bucket < ARRAY_SIZE(bounds) && request->seconds > bounds[bucket])
		bucket++;
	atomic_fetch_add(&metrics->requests[row < MOST_ROUTES ? row : MOST_ROUTES][request->status % STATUSES], 1);
	atomic_fetch_add(&metrics->durations[bucket], 1);
	atomic_fetch_add(&metrics->microseconds, (unsigned long long)(request->seconds * 1e6));
	atomic_fetch_add(&metrics->input_bytes, request->bytes);
	if (request->status == TOO_MANY)
		atomic_fetch_add(&metrics->limited, 1);
}

static void put_family(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_printf(out, "# TYPE %s %s\n# HELP %s %s\n", name, type, name, help);
}

static void put_requests(struct metrics *metrics, struct buf *out)
{
	put_family(out, "opcheckd_http_requests", "counter", "Requests that have ended; code 0: cut off.");
	for (size_t row = 0; row <= MOST_ROUTES; row++) {
		const struct route *route = row < metrics->routes->count ? &metrics->routes->items[row] : NULL;

		for (unsigned status = 0; status < STATUSES; status++) {
			unsigned long long count = atomic_load(&metrics->requests[row][status]);

			if (count)
				buf_printf(out,
					"opcheckd_http_requests_total{method=\"%s\",route=\"%s\",code=\"%u\"} %llu\n",
					route ? route->method : "", route ? route->pattern : "", status, count);
		}
	}
}

static void put_durations(struct metrics *metrics, struct buf *out)
{
	static const char name[] = "opcheckd_http_request_duration_seconds";
	unsigned long long count = 0;

	put_family(out, name, "histogram", "From the head of a request to the end of its answer.");
	buf_printf(out, "# UNIT %s seconds\n", name);
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		count += atomic_load(&metrics->durations[i]);
		buf_printf(out, "%s_bucket{le=\"%g\"} %llu\n", name, bounds[i], count);
	}
	count += atomic_load(&metrics->durations[ARRAY_SIZE(bounds)]);
	buf_printf(out, "%s_bucket{le=\"+Inf\"} %llu\n%s_count %llu\n%s_sum %.6f\n", name, count, name, count, name,
		(double)atomic_load(&metrics->microseconds) / 1e6);
}

static void put_process(const struct metrics *metrics, struct buf *out)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	put_family(out, "process_cpu_seconds", "counter", "Processor time of the service, without its jobs.");
	buf_printf(out, "process_cpu_seconds_total %.6f\n",
		(double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
	put_family(out, "process_start_time_seconds", "gauge", "Start of the service, since 1970.");
	buf_printf(out, "process_start_time_seconds %lld\n", (long long)metrics->started);
}

static void put_gauge(struct buf *out, const char *name, const char *help, uint64_t value)
{
	put_family(out, name, "gauge", help);
	buf_printf(out, "%s %" PRIu64 "\n", name, value);
}

static void put_counts(struct metrics *metrics, const struct metrics_state *state, struct buf *out)
{
	put_requests(metrics, out);
	put_durations(metrics, out);
	put_family(out, "opcheckd_input_bytes", "counter", "Bytes of request bodies.");
	buf_printf(out, "opcheckd_input_bytes_total %llu\n", atomic_load(&metrics->input_bytes));
	put_family(out, "opcheckd_rate_limited", "counter", "Requests that were refused as too many.");
	buf_printf(out, "opcheckd_rate_limited_total %llu\n", atomic_load(&metrics->limited));
	put_gauge(out, "opcheckd_answer_bytes", "Bytes that answers hold until they are sent.", state->answer_bytes);
	put_family(out, "opcheckd_job_peak_bytes", "gauge", "Most memory that one job has taken since the start.");
	buf_printf(out,
		"opcheckd_job_peak_bytes{kind=\"check\"} %" PRIu64
		"\nopcheckd_job_peak_bytes{kind=\"rendering\"} %" PRIu64 "\n",
		state->check_peak_bytes, state->rendering_peak_bytes);
	put_gauge(out, "opcheckd_services", "Services on the store that live, with this one.", state->services);
	put_process(metrics, out);
}

void metrics_put(struct metrics *metrics, const struct metrics_state *state, struct buf *out)
{
	put_family(out, "opcheckd_build", "info", "The program.");
	buf_printf(out, "opcheckd_build_info{version=\"%s\"} 1\n", check_version());
	if (state->of_project)
		put_gauge(out, "opcheckd_runs", "Runs of the project.", state->runs);
	else
		put_counts(metrics, state, out);
	put_family(out, "opcheckd_jobs", "gauge", "Jobs that wait and run.");
	buf_printf(out, "opcheckd_jobs{state=\"queued\"} %" PRIu64 "\nopcheckd_jobs{state=\"running\"} %" PRIu64 "\n",
		state->waiting, state->running);
	buf_add(out, STR("# EOF\n"));
}
