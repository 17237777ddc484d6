import torch


def cases():
    x = torch.randn(3, 6, 6, generator=torch.Generator().manual_seed(0))
    yield x @ x.transpose(-1, -2) + 6 * torch.eye(6),


def before(a):
    return torch.linalg.inv(a)


def after(a, rounds=24):
    """Newton and Schulz: products alone; each round doubles the correct digits."""
    norms = a.abs().sum(-1).amax(-1) * a.abs().sum(-2).amax(-1)
    inverse = a.transpose(-1, -2) / norms[..., None, None]
    eye = torch.eye(a.shape[-1], dtype=a.dtype, device=a.device)
    for _ in range(rounds):
        inverse = inverse @ (2 * eye - a @ inverse)
    return inverse
