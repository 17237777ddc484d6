#pragma once
/* Collectives and copies of a dump in the JSON report: members of "capture", left out where a dump has none. */
#include "json/jsonw.h"
#include "report/load_pieces.h"

void traffic_put_json(struct jsonw *json, const struct result_traffic *traffic);
void traffic_load(struct loader *loader, const cJSON *capture, struct result_traffic *ret);
