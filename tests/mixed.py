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


DETECTOR = ("aten::conv2d", "aten::convolution", "aten::_convolution", "aten::cudnn_convolution", "aten::batch_norm",
            "aten::_batch_norm_impl_index", "aten::cudnn_batch_norm", "aten::silu_", "aten::cat", "aten::upsample_nearest2d",
            "aten::max_pool2d", "aten::max_pool2d_with_indices", "aten::sigmoid", "aten::permute", "aten::contiguous",
            "aten::convolution_backward", "aten::cudnn_batch_norm_backward", "aten::silu_backward", "aten::add_", "aten::mul_")
LOSS = ("aten::nonzero", "aten::index", "aten::_index_put_impl_", "aten::binary_cross_entropy_with_logits", "aten::max", "aten::atan", "torchvision::nms")
TARGETS = (37, 52, 18, 44)


def write_detector(path):
    """A trace of four training steps that look like those of YOLOv5: a convolutional body of one shape, and a loss over as many boxes as
    the batch has. Made here; no run of YOLOv5 was captured."""
    events, now = [], 0
    for step, boxes in enumerate(TARGETS):
        begin = now
        calls = [(name, [[16, 64 << at % 4, 640 >> at % 5, 640 >> at % 5]], 400) for at in range(6) for name in DETECTOR]
        calls += [(name, [[3 * boxes, 7]], 60) for name in LOSS]
        for name, dims, lasts in calls:
            events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": now, "dur": lasts,
                           "args": {"Input Dims": dims, "Input type": ["float"]}})
            now += lasts + 2
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": begin,
                       "dur": now - begin, "args": {}})
        now += 10
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}) + "\n")
    return path
