import torch
import torch.nn.functional as F


def cases():
    generator = torch.Generator().manual_seed(0)
    yield torch.randn(9, 6, generator=generator), torch.randn(9, 6, generator=generator)


def before(a, b):
    return F.pairwise_distance(a, b, p=3.0)


def after(a, b):
    return (a - b + 1e-6).abs().pow(3.0).sum(-1).pow(1 / 3.0)
