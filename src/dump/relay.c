#include "dump/relay.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/ring.h"

enum { BATCHES = 4, BATCH_EVENTS = 64, BATCH_ROWS = 1024, BATCH_TEXT_BYTES = 128 * 1024 };

enum event_kind { STREAM, TABLE_BEGIN, ROWS, TABLE_END };

struct event {
	enum event_kind kind;
	unsigned stream;
	union {
		struct str label;
		unsigned has;
		size_t rows; /* how many of the batch */
		struct table_end end;
	};
};

/* Events, the rows of those that are rows, and the text that they point to. */
struct batch {
	struct event events[BATCH_EVENTS];
	struct op_row rows[BATCH_ROWS];
	size_t count, row_count;
	char *text;
	size_t text_len, text_capacity;
};

struct relay {
	const struct event_sink *to;
	struct ring ring;
	struct batch *batches[BATCHES]; /* made at need */
	struct batch *filling; /* NULL: none yet */
	unsigned streams;      /* numbered here */
	struct {
		unsigned *items; /* the real sink's numbers */
		size_t count, capacity;
	} numbers;
};

struct relay *relay_new(const struct event_sink *to)
{
	struct relay *relay = mem_zalloc(sizeof(*relay));

	relay->to = to;
	ring_init(&relay->ring, BATCHES, BATCHES / 2);
	return relay;
}

void relay_free(struct relay *relay)
{
	if (!relay)
		return;
	for (size_t i = 0; i < BATCHES; i++) {
		if (relay->batches[i])
			free(relay->batches[i]->text);
		free(relay->batches[i]);
	}
	ring_destroy(&relay->ring);
	free(relay->numbers.items);
	free(relay);
}

/* --- the reader's side */

static void send(struct relay *relay)
{
	if (relay->filling)
		ring_put(&relay->ring);
	relay->filling = NULL;
}

static void start_batch(struct relay *relay)
{
	unsigned slot;

	ring_free_slot(&relay->ring, &slot); /* never stopped: relay_run takes everything */
	if (!relay->batches[slot])
		relay->batches[slot] = mem_zalloc(sizeof(struct batch));
	relay->filling = relay->batches[slot];
	relay->filling->count = relay->filling->row_count = relay->filling->text_len = 0;
}

/* The batch with room for one more event, one more row and so much text. */
static struct batch *room(struct relay *relay, size_t text_bytes)
{
	struct batch *batch = relay->filling;

	if (batch && (batch->count == BATCH_EVENTS || batch->row_count == BATCH_ROWS ||
			     batch->text_capacity - batch->text_len < text_bytes)) {
		send(relay);
		batch = NULL;
	}
	if (!batch)
		start_batch(relay);
	batch = relay->filling;
	/* too small though it is empty: nothing points to its text yet */
	if (!batch->text || batch->text_capacity - batch->text_len < text_bytes) {
		batch->text_capacity = text_bytes < BATCH_TEXT_BYTES ? BATCH_TEXT_BYTES : text_bytes;
		batch->text = mem_resize(batch->text, batch->text_capacity, 1);
	}
	return batch;
}

static struct event *add(struct batch *batch, enum event_kind kind, unsigned stream)
{
	struct event *event = &batch->events[batch->count++];

	event->kind = kind;
	event->stream = stream;
	return event;
}

static struct str keep(struct batch *batch, struct str text)
{
	struct str kept = { batch->text + batch->text_len, text.len };

	if (text.len)
		memcpy(batch->text + batch->text_len, text.ptr, text.len);
	batch->text_len += text.len;
	return kept;
}

static unsigned take_stream(void *ctx, struct str label)
{
	struct relay *relay = ctx;
	struct batch *batch = room(relay, label.len);

	add(batch, STREAM, relay->streams)->label = keep(batch, label);
	return relay->streams++;
}

static void take_table_begin(void *ctx, unsigned stream, unsigned has)
{
	add(room(ctx, 0), TABLE_BEGIN, stream)->has = has;
}

static void take_row(struct relay *relay, unsigned stream, const struct op_row *row)
{
	struct batch *batch = room(relay, row->name.len + row->overload.len + row->shapes.len + row->dtypes.len);
	struct event *last = batch->count ? &batch->events[batch->count - 1] : NULL;
	struct op_row *copy = &batch->rows[batch->row_count++];

	if (!last || last->kind != ROWS || last->stream != stream) {
		last = add(batch, ROWS, stream);
		last->rows = 0;
	}
	last->rows++;
	*copy = *row;
	copy->name = keep(batch, row->name);
	copy->overload = keep(batch, row->overload);
	copy->shapes = keep(batch, row->shapes);
	copy->dtypes = keep(batch, row->dtypes);
}

static void take_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		take_row(ctx, stream, &rows[i]);
}

static void take_table_end(void *ctx, unsigned stream, const struct table_end *end)
{
	add(room(ctx, 0), TABLE_END, stream)->end = *end;
}

struct event_sink relay_sink(struct relay *relay)
{
	return (struct event_sink){ relay, take_stream, take_table_begin, take_rows, take_table_end };
}

void relay_close(struct relay *relay)
{
	send(relay);
	ring_close(&relay->ring);
}

/* --- the other side */

static void tell(struct relay *relay, const struct batch *batch)
{
	const struct event_sink *to = relay->to;
	const struct op_row *rows = batch->rows;

	for (size_t i = 0; i < batch->count; i++) {
		const struct event *event = &batch->events[i];

		switch (event->kind) {
		case STREAM:
			MEM_PUSH(&relay->numbers, to->stream(to->ctx, event->label));
			break;
		case TABLE_BEGIN:
			to->table_begin(to->ctx, relay->numbers.items[event->stream], event->has);
			break;
		case ROWS:
			to->rows(to->ctx, relay->numbers.items[event->stream], rows, event->rows);
			rows += event->rows;
			break;
		case TABLE_END:
			to->table_end(to->ctx, relay->numbers.items[event->stream], &event->end);
			break;
		}
	}
}

void relay_run(struct relay *relay)
{
	unsigned slot;

	while (ring_take(&relay->ring, &slot))
		tell(relay, relay->batches[slot]);
}
