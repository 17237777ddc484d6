import torch

GROUPS = 5


def cases():
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        yield torch.randn(GROUPS, 4, generator=generator), torch.randint(0, GROUPS, (20,), generator=generator), \
            torch.randn(20, 4, generator=generator)


def before(x, group, source):
    return x.index_reduce(0, group, source, "amin")


def after(x, group, source):
    member = (group[:, None] == torch.arange(GROUPS, device=x.device)).unsqueeze(-1)
    least = torch.where(member, source[:, None], torch.full_like(source[:, None], float("inf"))).amin(0)
    return torch.minimum(x, least)
