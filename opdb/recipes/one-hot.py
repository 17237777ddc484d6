import torch
import torch.nn.functional as F

CLASSES = 7


def cases():
    for seed in range(2):
        x = torch.randint(0, CLASSES, (9,), generator=torch.Generator().manual_seed(seed))
        yield torch.cat([x, torch.tensor([CLASSES - 1])]),


def before(x):
    return F.one_hot(x)


def after(x):
    return (x.unsqueeze(-1) == torch.arange(CLASSES, device=x.device)).to(torch.int64)
