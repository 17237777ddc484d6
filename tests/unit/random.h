#pragma once
/* Numbers that look random and are the same in every run: splitmix64. */
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t mixed = *state += 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
	return mixed ^ (mixed >> 31);
}

/* A number from 0 to below - 1. */
static inline uint64_t random_below(uint64_t *state, uint64_t below)
{
	return random_next(state) % below;
}
