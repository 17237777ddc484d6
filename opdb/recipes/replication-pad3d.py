import torch
import torch.nn.functional as F


def cases():
    yield torch.randn(1, 2, 3, 4, 5, generator=torch.Generator().manual_seed(0)).to(torch.bfloat16),


def before(x):
    return F.pad(x.float(), (1, 1, 2, 0, 0, 1), mode="replicate").to(x.dtype)


def after(x):
    """Edges repeated by slices: no kernel that looks at the dtype."""
    for dim, low, high in ((-1, 1, 1), (-2, 2, 0), (-3, 0, 1)):
        first, last = x.narrow(dim, 0, 1), x.narrow(dim, x.shape[dim] - 1, 1)
        x = torch.cat([first] * low + [x] + [last] * high, dim)
    return x
