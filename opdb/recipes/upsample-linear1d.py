import torch
import torch.nn.functional as F


def cases():
    x = torch.randn(2, 3, 10, generator=torch.Generator().manual_seed(0))
    yield x.requires_grad_(), 25


def gradient(out, x):
    return out, torch.autograd.grad(out.pow(2).sum(), x)[0]


def before(x, size):
    return gradient(F.interpolate(x, size=size, mode="linear", align_corners=False), x)


def after(x, size):
    """The same row as an image of height 1."""
    out = F.interpolate(x.unsqueeze(2), size=(1, size), mode="bilinear", align_corners=False)
    return gradient(out.squeeze(2), x)
