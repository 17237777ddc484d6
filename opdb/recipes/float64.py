import torch


def cases():
    yield torch.rand(40, generator=torch.Generator().manual_seed(0), dtype=torch.float64),


def before(x):
    return (x / x.sum()).topk(5).values


def after(x):
    """float32 where it enters the device, once, and not operator by operator."""
    x = x.to(torch.float32)
    return (x / x.sum()).topk(5).values.to(torch.float64)
