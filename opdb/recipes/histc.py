import torch


def cases():
    for seed in range(3):
        yield torch.rand(200, generator=torch.Generator().manual_seed(seed)) * 1.2 - 0.1,


def before(x):
    return torch.histc(x, bins=8, min=0, max=1)


def after(x, bins=8, low=0.0, high=1.0):
    inside = (x >= low) & (x <= high)
    place = ((x - low) / (high - low) * bins).floor().clamp(0, bins - 1).long()
    return torch.zeros(bins, dtype=x.dtype, device=x.device).scatter_add_(0, place, inside.to(x.dtype))
