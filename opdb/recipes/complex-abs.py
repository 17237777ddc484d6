import torch


def cases():
    yield torch.randn(9, 4, dtype=torch.complex64, generator=torch.Generator().manual_seed(0)),


def before(z):
    return z.abs()


def after(z):
    return torch.view_as_real(z).pow(2).sum(-1).sqrt()
