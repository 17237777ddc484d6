import torch

GROUPS = 5


def cases():
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        yield torch.randn(20, 4, generator=generator), torch.randint(0, GROUPS, (20,), generator=generator)


def before(x, group):
    out = torch.zeros(GROUPS, x.shape[1])
    return out.scatter_reduce(0, group[:, None].expand_as(x), x, "amax", include_self=False)


def after(x, group):
    """For few groups: every row is compared with every group. Groups without a row stay 0."""
    member = (group[:, None] == torch.arange(GROUPS, device=x.device)).unsqueeze(-1)
    best = torch.where(member, x[:, None], torch.full_like(x[:, None], float("-inf"))).amax(0)
    return torch.where(member.any(0), best, torch.zeros_like(best))
