#pragma once
/* How far the reading of inputs has come, for whoever looks from another thread, and a word to end it. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct meter {
	_Atomic uint64_t read_bytes;  /* of all inputs so far, as stored */
	_Atomic uint64_t total_bytes; /* of those whose size is known */
	_Atomic bool open_ended;      /* the size of some input is not known */
	_Atomic bool stop;            /* reading shall end: source_next fails */
};

/* Adds the size of a file that will be read; what is no regular file makes the whole open-ended. */
void meter_expect(struct meter *meter, const char *path);
