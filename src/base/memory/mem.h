#pragma once
/*
 * Heap memory that cannot fail quietly.
 *
 * Sizes that an input decides are bounded by a limit before they come here (arena budgets, buf maxima, profile caps),
 * so a failing allocation means that the machine is out of memory: the process says so on stderr and aborts.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* bytes of zeroed memory, to be given to free(). Never NULL, also for 0 bytes. */
void *mem_zalloc(size_t bytes) __attribute__((malloc, warn_unused_result));

/* A struct with these members, the others zero, and a copy of bytes; to be given to free(). Never NULL. */
#define MEM_NEW(type, ...) ((type *)mem_copy(&(type){ __VA_ARGS__ }, sizeof(type)))
void *mem_copy(const void *from, size_t bytes) __attribute__((malloc, warn_unused_result));

/* Set what happens instead of the abort when memory is out: relieve frees memory if it can and returns whether to
   retry. tries counts its earlier calls for the same allocation. Any thread may call it, holding any lock.
   MEM_FAILED: a library has given up, and there is no retry. */
#define MEM_FAILED UINT_MAX
void mem_on_failure(bool (*relieve)(unsigned tries));

/* For an allocation of a library that failed, tries times before: true to retry it; otherwise it does not return. */
bool mem_again(unsigned tries);

/* Report that a library had no memory. Returns, so that the caller makes an error of it, unless relieve ends the
   process. */
void mem_failed(void);

/* Give the whole pages between two positions of heap memory back to the system; their content is lost, and they may be
   used again. */
void mem_give_back(const void *from, const void *to);

/* A copy, to be given to free(). */
char *mem_text(const char *text) __attribute__((malloc, warn_unused_result));

/* An array of count items of item_bytes each, contents kept, new items undefined. The product is checked for
   overflow. */
void *mem_resize(void *array, size_t count, size_t item_bytes) __attribute__((warn_unused_result));

/* Makes room in *array for one more item than count: doubles *capacity (items) when it is full. Typed by MEM_PUSH. */
void *mem_room(void *array, size_t count, size_t *capacity, size_t item_bytes) __attribute__((warn_unused_result));

/* The type of a list that MEM_PUSH appends to; zeroed it is empty, and free(list.items) is all there is to free. */
#define MEM_LIST(type)                                                                                                 \
	struct {                                                                                                       \
		type *items;                                                                                           \
		size_t count, capacity;                                                                                \
	}

/* Appends value to a MEM_LIST, or to a struct that has its members. */
#define MEM_PUSH(list, value)                                                                                          \
	do {                                                                                                           \
		(list)->items = mem_room((list)->items, (list)->count, &(list)->capacity, sizeof((list)->items[0]));   \
		(list)->items[(list)->count++] = (value);                                                              \
	} while (0)

/* Calls release on the variable when its scope is left: CLEANUP(buf_clear) struct buf text; */
#define CLEANUP(release) __attribute__((cleanup(release)))

/* Of a parameter that only the type of a callback asks for. */
#define UNUSED __attribute__((unused))

/* Sorts such a list, also an empty one, by an order as qsort takes it. */
#define MEM_SORT(list, order)                                                                                          \
	do {                                                                                                           \
		if ((list)->count)                                                                                     \
			qsort((list)->items, (list)->count, sizeof((list)->items[0]), (order));                        \
	} while (0)

/* For CLEANUP on a heap pointer of any type. */
void mem_release(void *pointer_to_pointer);
