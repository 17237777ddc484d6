import torch


def cases():
    yield torch.randn(3, 4, generator=torch.Generator().manual_seed(0)), 5


def before(x, times):
    return x.repeat_interleave(times, dim=-1)


def after(x, times):
    return x.unsqueeze(-1).expand(*x.shape, times).flatten(-2)
