#include "dump/relay.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/memory/ring.h"

enum {
	BATCHES = 4,
	BATCH_EVENTS = 64,
	BATCH_ROWS = 1024,
	BATCH_LINKS = 256,
	BATCH_TURNS = 256,
	BATCH_TEXT_BYTES = 128 * 1024
};

enum event_kind { STREAM, TABLE_BEGIN, ROWS, LINKS, ORDER, TABLE_END, OBSERVATION };

struct event {
	enum event_kind kind;
	unsigned stream;
	enum relation relation; /* of links */
	union {
		struct str label;
		unsigned has;
		size_t rows; /* number in the batch, also of its links and turns */
		struct table_end end;
		struct op_observation observation;
	};
};

/* Events, the rows, links and turns of those that have such, and the text that they point to. */
struct batch {
	struct event events[BATCH_EVENTS];
	struct op_row rows[BATCH_ROWS];
	struct op_link links[BATCH_LINKS];
	struct op_turn turns[BATCH_TURNS];
	size_t count, row_count, link_count, turn_count;
	char *text;
	size_t text_len, text_capacity;
};

struct relay {
	const struct event_sink *to;
	struct ring ring;
	struct batch *batches[BATCHES]; /* made at need */
	struct batch *filling;          /* NULL: none yet */
	unsigned streams;               /* numbered here */
	MEM_LIST(unsigned) numbers;     /* of the streams in the real sink */
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

static void send_batch(struct relay *relay)
{
	if (relay->filling)
		ring_put(&relay->ring);
	relay->filling = NULL;
}

static void start_batch(struct relay *relay)
{
	unsigned slot;

	ring_free_slot(&relay->ring, &slot); /* never refused: relay_run takes everything */
	if (!relay->batches[slot])
		relay->batches[slot] = mem_zalloc(sizeof(struct batch));
	relay->filling = relay->batches[slot];
	relay->filling->count = relay->filling->text_len = 0;
	relay->filling->row_count = relay->filling->link_count = relay->filling->turn_count = 0;
}

static bool is_full(const struct batch *batch)
{
	return batch->count == BATCH_EVENTS || batch->row_count == BATCH_ROWS || batch->link_count == BATCH_LINKS ||
	       batch->turn_count == BATCH_TURNS;
}

/* The batch with room for one more of each and for text_bytes of text. */
static struct batch *room_for(struct relay *relay, size_t text_bytes)
{
	struct batch *batch = relay->filling;

	if (batch && (is_full(batch) || batch->text_capacity - batch->text_len < text_bytes)) {
		send_batch(relay);
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

static struct event *append_event(struct batch *batch, enum event_kind kind, unsigned stream)
{
	struct event *event = &batch->events[batch->count++];

	event->kind = kind;
	event->stream = stream;
	return event;
}

static struct str copy_text(struct batch *batch, struct str text)
{
	struct str kept = { batch->text + batch->text_len, text.len };

	if (text.len)
		memcpy(batch->text + batch->text_len, text.ptr, text.len);
	batch->text_len += text.len;
	return kept;
}

static unsigned copy_stream(void *ctx, struct str label)
{
	struct relay *relay = ctx;
	struct batch *batch = room_for(relay, label.len);

	append_event(batch, STREAM, relay->streams)->label = copy_text(batch, label);
	return relay->streams++;
}

static void copy_table_begin(void *ctx, unsigned stream, unsigned has)
{
	append_event(room_for(ctx, 0), TABLE_BEGIN, stream)->has = has;
}

/* Counts one more into the event of its kind. */
static void count_in_event(struct batch *batch, enum event_kind kind, unsigned stream, enum relation relation)
{
	struct event *last = batch->count ? &batch->events[batch->count - 1] : NULL;

	if (!last || last->kind != kind || last->stream != stream || last->relation != relation) {
		last = append_event(batch, kind, stream);
		last->relation = relation;
		last->rows = 0;
	}
	last->rows++;
}

static void copy_row(struct relay *relay, unsigned stream, const struct op_row *row)
{
	struct batch *batch = room_for(relay, row->name.len + row->overload.len + row->shapes.len + row->dtypes.len +
						      row->strides.len + row->concrete.len);
	struct op_row *copy = &batch->rows[batch->row_count++];

	count_in_event(batch, ROWS, stream, RELATION_COUNT);
	*copy = *row;
	copy->name = copy_text(batch, row->name);
	copy->overload = copy_text(batch, row->overload);
	copy->shapes = copy_text(batch, row->shapes);
	copy->dtypes = copy_text(batch, row->dtypes);
	copy->strides = copy_text(batch, row->strides);
	copy->concrete = copy_text(batch, row->concrete);
}

static void copy_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		copy_row(ctx, stream, &rows[i]);
}

static void copy_links(void *ctx, unsigned stream, enum relation relation, const struct op_link *links, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct batch *batch = room_for(ctx, links[i].name.len + links[i].other.len);
		struct op_link *copy = &batch->links[batch->link_count++];

		count_in_event(batch, LINKS, stream, relation);
		*copy = links[i];
		copy->name = copy_text(batch, links[i].name);
		copy->other = copy_text(batch, links[i].other);
	}
}

static void copy_order(void *ctx, unsigned stream, const struct op_turn *turns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct op_turn *turn = &turns[i];
		struct batch *batch = room_for(
			ctx, turn->name.len + turn->overload.len + turn->shapes.len + turn->dtypes.len);
		struct op_turn *copy = &batch->turns[batch->turn_count++];

		count_in_event(batch, ORDER, stream, RELATION_COUNT);
		*copy = *turn;
		copy->name = copy_text(batch, turn->name);
		copy->overload = copy_text(batch, turn->overload);
		copy->shapes = copy_text(batch, turn->shapes);
		copy->dtypes = copy_text(batch, turn->dtypes);
	}
}

static void copy_table_end(void *ctx, unsigned stream, const struct table_end *end)
{
	append_event(room_for(ctx, 0), TABLE_END, stream)->end = *end;
}

static void copy_observation(void *ctx, const struct op_observation *observation)
{
	struct batch *batch = room_for(ctx, observation->name.len + observation->launch.len);
	struct op_observation *copy = &append_event(batch, OBSERVATION, 0)->observation;

	*copy = *observation;
	copy->name = copy_text(batch, observation->name);
	copy->launch = copy_text(batch, observation->launch);
}

struct event_sink relay_sink(struct relay *relay)
{
	return (struct event_sink){ relay, copy_stream, copy_table_begin, copy_rows, copy_table_end,
		relay->to->links ? copy_links : NULL, relay->to->order ? copy_order : NULL,
		relay->to->observe ? copy_observation : NULL };
}

void relay_close(struct relay *relay)
{
	send_batch(relay);
	ring_close(&relay->ring);
}

/* --- the other side */

static void replay_batch(struct relay *relay, const struct batch *batch)
{
	const struct event_sink *to = relay->to;
	const struct op_row *rows = batch->rows;
	const struct op_link *links = batch->links;
	const struct op_turn *turns = batch->turns;

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
		case LINKS:
			to->links(to->ctx, relay->numbers.items[event->stream], event->relation, links, event->rows);
			links += event->rows;
			break;
		case ORDER:
			to->order(to->ctx, relay->numbers.items[event->stream], turns, event->rows);
			turns += event->rows;
			break;
		case TABLE_END:
			to->table_end(to->ctx, relay->numbers.items[event->stream], &event->end);
			break;
		case OBSERVATION:
			to->observe(to->ctx, &event->observation);
			break;
		}
	}
}

void relay_run(struct relay *relay)
{
	unsigned slot;

	while (ring_take(&relay->ring, &slot))
		replay_batch(relay, relay->batches[slot]);
}
