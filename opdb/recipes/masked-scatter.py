import torch


def cases():
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        yield torch.zeros(24), torch.rand(24, generator=generator) > 0.6, torch.randn(24, generator=generator)


def before(x, mask, source):
    return x.masked_scatter(mask, source)


def after(x, mask, source):
    """The n-th true place takes the n-th value: a running count says which."""
    place = (mask.to(torch.int64).cumsum(0) - 1).clamp(min=0)
    return torch.where(mask, source.gather(0, place), x)
