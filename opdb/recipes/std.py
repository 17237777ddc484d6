import torch


def cases():
    yield torch.randn(6, 30, generator=torch.Generator().manual_seed(0)),


def before(x):
    return x.std(-1)


def after(x):
    centred = x - x.mean(-1, keepdim=True)
    return (centred.pow(2).sum(-1) / (x.shape[-1] - 1)).sqrt()
