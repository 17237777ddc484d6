#include "base/value/nearest.h"

enum { LONGEST = 255 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Rows of the table of distances; the rest of the division of its number by three says where a row is. */
typedef unsigned distance_rows[3][LONGEST + 1];

/* Row i + 1: the distances between the first i + 1 bytes of a and the first j of b. Returns the smallest. */
static unsigned next_row(distance_rows rows, struct str a, struct str b, size_t i)
{
	const unsigned *before = rows[(i + 2) % 3], *last = rows[i % 3];
	unsigned *row = rows[(i + 1) % 3], best = row[0] = (unsigned)i + 1;

	for (size_t j = 0; j < b.len; j++) {
		unsigned cost = a.ptr[i] != b.ptr[j];

		row[j + 1] = min(min(row[j], last[j + 1]) + 1, last[j] + cost);
		if (i && j && a.ptr[i] == b.ptr[j - 1] && a.ptr[i - 1] == b.ptr[j])
			row[j + 1] = min(row[j + 1], before[j - 1] + 1);
		best = min(best, row[j + 1]);
	}
	return best;
}

unsigned edit_distance(struct str a, struct str b, unsigned max)
{
	distance_rows rows;
	size_t difference = a.len > b.len ? a.len - b.len : b.len - a.len;

	if (difference > max || a.len > LONGEST || b.len > LONGEST)
		return max + 1;
	for (size_t j = 0; j <= b.len; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 0; i < a.len; i++) {
		if (next_row(rows, a, b, i) > max)
			return max + 1;
	}
	return min(rows[a.len % 3][b.len], max + 1);
}

void nearest_offer(struct nearest *nearest, struct str candidate)
{
	bool begun = nearest->wanted.len && str_starts(candidate, nearest->wanted);
	unsigned distance = begun ? candidate.len - nearest->wanted.len > NEAREST_DISTANCE
				  : edit_distance(nearest->wanted, candidate, NEAREST_DISTANCE);
	size_t at = nearest->count;

	if (distance > NEAREST_DISTANCE || distance * 2 >= nearest->wanted.len)
		return;
	while (at && nearest->distances[at - 1] > distance)
		at--;
	if (at == NEAREST_COUNT)
		return;
	if (nearest->count < NEAREST_COUNT)
		nearest->count++;
	for (size_t i = nearest->count - 1; i > at; i--) {
		nearest->names[i] = nearest->names[i - 1];
		nearest->distances[i] = nearest->distances[i - 1];
	}
	nearest->names[at] = candidate;
	nearest->distances[at] = distance;
}

void nearest_put(struct buf *buf, const struct nearest *nearest)
{
	for (size_t i = 0; i < nearest->count; i++) {
		if (i)
			buf_add(buf, STR(", "));
		buf_add(buf, nearest->names[i]);
	}
}
