import torch


def cases():
    for seed in range(2):
        yield torch.rand(8, generator=torch.Generator().manual_seed(seed)),


def before(p):
    torch._assert_async((p >= 0).all())
    return p.log1p()


def after(p):
    """The check runs in Python and only where it is asked for: python -O leaves it out."""
    if __debug__ and p.device.type == "cpu":
        assert bool((p >= 0).all())
    return p.log1p()
