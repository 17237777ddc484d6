import torch

CLASSES = 8


def cases():
    for seed in range(3):
        yield torch.randint(0, CLASSES, (4, 30), generator=torch.Generator().manual_seed(seed)),


def before(x):
    return torch.mode(x, -1).values


def after(x):
    """Counts of the possible values; of several that are equally frequent the smallest, as torch.mode has it."""
    counts = (x.unsqueeze(-1) == torch.arange(CLASSES, device=x.device)).sum(-2)
    return (counts * CLASSES - torch.arange(CLASSES, device=x.device)).argmax(-1)
