import torch
import torch.nn.functional as F

P = 0.25


def cases():
    yield torch.randn(6, 32, generator=torch.Generator().manual_seed(0)),


def before(x):
    return F.dropout(x, P, training=True)


def after(x):
    """The mask is drawn on the host, so one seed gives one result on every device."""
    mask = torch.empty(x.shape, dtype=x.dtype).bernoulli_(1 - P)
    return x * (mask.to(x.device) / (1 - P))
