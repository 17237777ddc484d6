import torch


def cases():
    generator = torch.Generator().manual_seed(0)
    yield torch.randn(2, 7, 3, 8, generator=generator), torch.randn(2, 9, 3, 8, generator=generator)


def before(q, k):
    return torch.einsum("bqhd,bkhd->bhqk", q, k)


def after(q, k):
    return q.transpose(1, 2) @ k.permute(0, 2, 3, 1)
