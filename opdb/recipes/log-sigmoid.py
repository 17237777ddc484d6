import torch
import torch.nn.functional as F


def cases():
    yield (torch.randn(30, generator=torch.Generator().manual_seed(0)) * 10).requires_grad_(),


def gradient(out, x):
    return out, torch.autograd.grad(out.sum(), x)[0]


def before(x):
    return gradient(F.logsigmoid(x), x)


def after(x):
    return gradient(-F.softplus(-x), x)
