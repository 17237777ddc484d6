import torch


def cases():
    generator = torch.Generator().manual_seed(0)
    yield torch.randn(30, 4, generator=generator), torch.randn(30, 2, generator=generator)


def before(a, b):
    return torch.linalg.lstsq(a, b).solution


def after(a, b, rounds=24):
    """Normal equations, inverted by products alone: for a well-conditioned matrix of full column rank."""
    square = a.t() @ a
    inverse = square.t() / (square.abs().sum(0).max() * square.abs().sum(1).max())
    eye = torch.eye(square.shape[0], dtype=a.dtype, device=a.device)
    for _ in range(rounds):
        inverse = inverse @ (2 * eye - square @ inverse)
    return inverse @ (a.t() @ b)
