#include "scan/source/setting.h"

uint32_t setting_push(struct syntax *syntax, uint32_t from, uint32_t to, uint32_t parent, enum syntax_field field)
{
	uint32_t node = (uint32_t)syntax->count;

	MEM_PUSH(syntax, ((struct syntax_node){ from, to, parent, node + 1, SYN_STRING, (uint8_t)field }));
	syntax->items[0].end = node + 1;
	return node;
}
