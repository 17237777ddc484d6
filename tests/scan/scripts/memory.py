import torch


def report(device):
    torch.cuda.reset_peak_memory_stats(device)
    used = torch.cuda.memory_allocated(device) / 2**20
    peak = torch.cuda.max_memory_allocated()
    free, total = torch.cuda.mem_get_info()
    name = torch.cuda.get_device_name(0)
    capability = torch.cuda.get_device_capability()
    properties = torch.cuda.get_device_properties(device).total_memory
    torch.cuda.empty_cache()
    mem = f"{torch.cuda.memory_reserved() / 1E9:.3g}G"
    print("torch.cuda.memory_allocated", used)
    return used, peak, free, total, name, capability, properties, mem


def memory_allocated(kind):
    return {"cuda": 1}.get(kind, 0)


try:
    memory_allocated("x")
except torch.cuda.OutOfMemoryError:
    pass
