import torch


def cases():
    for seed in range(2):
        yield torch.randint(0, 40, (20,), generator=torch.Generator().manual_seed(seed)), torch.tensor([5, 10, 20, 30])


def before(x, edges):
    return torch.bucketize(x, edges)


def after(x, edges):
    return (x.unsqueeze(-1) > edges).sum(-1)
