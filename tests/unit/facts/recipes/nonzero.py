import torch


def cases():
    for seed in range(3):
        yield torch.rand(32, generator=torch.Generator().manual_seed(seed)) > 0.6,


def before(mask):
    return torch.nonzero(mask).squeeze(1)


def after(mask):
    """All positions, those of the true values first and in order, and how many there are."""
    key = torch.where(mask, 0.0, 1.0)
    return torch.sort(key, stable=True).indices, mask.sum()


def finish(result):
    places, count = result
    return places[:count]
