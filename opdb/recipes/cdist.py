import torch


def cases():
    generator = torch.Generator().manual_seed(0)
    yield torch.randn(2, 9, 6, generator=generator), torch.randn(2, 11, 6, generator=generator)


def before(a, b):
    return torch.cdist(a, b)


def after(a, b):
    square = a.pow(2).sum(-1, keepdim=True) + b.pow(2).sum(-1).unsqueeze(-2) - 2 * a @ b.transpose(-1, -2)
    return square.clamp(min=0).sqrt()
