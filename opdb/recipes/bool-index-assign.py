import torch


def cases():
    for seed in range(3):
        x = torch.randint(0, 100, (4, 8), generator=torch.Generator().manual_seed(seed))
        yield x, (x < 20) | (x >= 80 - seed)


def before(x, mask):
    x = x.clone()
    x[mask] = 0
    return x


def after(x, mask):
    return torch.where(mask, torch.zeros_like(x), x)
