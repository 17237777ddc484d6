import torch


def cases():
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        yield torch.randn(6, 10, generator=generator), torch.rand(6, 10, generator=generator) > 0.5


def before(loss, mask):
    return torch.masked_select(loss, mask).mean()


def after(loss, mask):
    weight = mask.to(loss.dtype)
    return (loss * weight).sum() / weight.sum()
