"""A trace of a model that needs most kinds of fixes on old releases, whose batch changes from step to step."""
import json

NAMES = ("aten::mm", "aten::linear", "aten::_coalesce", "aten::_indices", "aten::_values", "aten::segment_reduce", "aten::bincount",
         "aten::lerp_", "aten::scatter_reduce", "torchvision::nms", "torchvision::roi_align", "mine::fused", "aten::_unique2",
         "aten::nonzero", "aten::_ctc_loss", "aten::median", "aten::index_add_", "aten::sort", "aten::_fft_r2c",
         "aten::linalg_qr", "aten::multinomial", "apex::scale", "aten::cumsum")
BATCHES = (32, 32, 17, 24, 32, 9)


def write(path):
    events, now = [], 0
    for step, batch in enumerate(BATCHES):
        begin = now
        for i, name in enumerate(NAMES * 2):
            lasts = 20 + 13 * (len(NAMES) - i % len(NAMES))
            events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": now, "dur": lasts,
                           "args": {"Input Dims": [[batch, 64], [64, 64]], "Input type": ["float", "float"]}})
            now += lasts + 3
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": begin,
                       "dur": now - begin, "args": {}})
        now += 10
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    return path
