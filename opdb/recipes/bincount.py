import torch

CLASSES = 10


def cases():
    for seed in range(3):
        yield torch.randint(0, 5 + 2 * seed, (50,), generator=torch.Generator().manual_seed(seed)),


def before(x):
    return torch.bincount(x, minlength=CLASSES)


def after(x):
    """CLASSES bounds the values: bincount itself has to look at them to know its length."""
    return (x[:, None] == torch.arange(CLASSES, device=x.device)).sum(0)
