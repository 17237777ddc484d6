import torch
from torch.profiler import ProfilerActivity, profile, schedule

activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
with profile(activities=activities, record_shapes=True) as prof:
    pass
print(prof.key_averages().table(sort_by="self_cuda_time_total"))
print(prof.key_averages().table(sort_by="self_cpu_time_total"))
with torch.autograd.profiler.profile(use_cuda=True) as old:
    pass
with torch.autograd.profiler.profile(use_cuda=False) as cpu:
    pass
with torch.autograd.profiler.emit_nvtx():
    pass
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]):
    pass
