import torch


def cases():
    yield torch.randn(3, 13, generator=torch.Generator().manual_seed(0)),
    yield torch.tensor([[1.0, 0.0, 3.0, -2.0]]),


def before(x):
    return x.cumprod(-1)


def after(x):
    """Products of runs of 1, 2, 4 ... elements: right for zeros and negative values, too."""
    step = 1
    while step < x.shape[-1]:
        head = torch.ones_like(x[..., :step])
        x = x * torch.cat([head, x[..., :-step]], -1)
        step *= 2
    return x
