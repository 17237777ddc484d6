#include "assess/model/result.h"

void result_free(struct result *result)
{
	if (result)
		arena_clear((struct arena[]){ result->arena }); /* the result lives in it */
}
