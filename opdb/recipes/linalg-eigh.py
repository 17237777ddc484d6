import torch


def cases():
    x = torch.randn(6, 40, generator=torch.Generator().manual_seed(0))
    yield x @ x.t() / 40 + 0.1 * torch.eye(6),


def before(cov):
    """A whitening matrix, the inverse square root."""
    values, vectors = torch.linalg.eigh(cov)
    return vectors @ torch.diag(values.rsqrt()) @ vectors.t()


def after(cov, rounds=20):
    """The same by Newton's iteration with products alone."""
    norm = cov.pow(2).sum().sqrt()
    eye = torch.eye(cov.shape[0], dtype=cov.dtype, device=cov.device)
    y, z = cov / norm, eye
    for _ in range(rounds):
        t = 1.5 * eye - 0.5 * z @ y
        y, z = y @ t, t @ z
    return z / norm.sqrt()
