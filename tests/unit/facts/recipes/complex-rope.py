import torch


def cases():
    generator = torch.Generator().manual_seed(0)
    angle = torch.arange(12.0)[:, None] * 10000 ** (-torch.arange(0, 16, 2) / 16)
    yield torch.randn(2, 12, 3, 16, generator=generator), angle


def before(x, angle):
    turn = torch.polar(torch.ones_like(angle), angle)[:, None]
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turn).flatten(-2)


def after(x, angle):
    cos, sin = angle.cos()[:, None], angle.sin()[:, None]
    even, odd = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)
