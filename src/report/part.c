#include "report/part.h"

#include "base/mem.h"

const struct report_part *const report_parts[] = { &part_training, &part_implied, &part_agreement, &part_traffic };
const size_t report_part_count = ARRAY_SIZE(report_parts);
