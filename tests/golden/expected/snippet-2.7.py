# Profiles a few steps and writes what opcheck reads: one uncut table a step, and a trace.
# Call profile_steps(step) with a function that runs one training step.
import torch


def profile_steps(step, steps=4, log="profiler.log", trace="profiler.pt.trace.json"):
    device = {"use_device": "cuda"} if torch.cuda.is_available() else {}
    with open(log, "w", encoding="utf-8") as out:
        for _ in range(steps):
            with torch.autograd.profiler.profile(record_shapes=True, **device) as prof:
                step()
            rows = prof.key_averages(group_by_input_shape=True)
            out.write(rows.table(sort_by="self_cpu_time_total", row_limit=-1,
                                 max_name_column_width=None, max_shapes_column_width=None) + "\n")
    if not trace:
        return
    with torch.profiler.profile(record_shapes=True) as prof:
        for _ in range(steps):
            step()
            prof.step()
    prof.export_chrome_trace(trace)
