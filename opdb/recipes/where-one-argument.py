import torch


def cases():
    for seed in range(3):
        yield torch.randn(5, 6, generator=torch.Generator().manual_seed(seed)),


def before(x):
    rows, columns = torch.where(x > 0.3)
    out = torch.zeros_like(x)
    out[rows, columns] = x[rows, columns].exp()
    return out


def after(x):
    wanted = x > 0.3
    return torch.where(wanted, torch.where(wanted, x, torch.zeros_like(x)).exp(), torch.zeros_like(x))
