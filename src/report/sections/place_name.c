#include "report/sections/place_name.h"

struct str place_name(const struct result_place *place)
{
	size_t at = place->path.len;

	while (at && place->path.ptr[at - 1] != '/')
		at--;
	return place->depth ? str_skip(place->path, at) : place->path;
}
