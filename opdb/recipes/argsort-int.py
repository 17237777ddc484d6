import torch


def cases():
    for seed in range(3):
        yield torch.randint(0, 50, (3, 40), generator=torch.Generator().manual_seed(seed)),


def before(keys):
    return torch.sort(keys, dim=-1, stable=True).indices


def after(keys):
    """Exact as long as the keys are below 2**24."""
    return torch.sort(keys.to(torch.float32), dim=-1, stable=True).indices
