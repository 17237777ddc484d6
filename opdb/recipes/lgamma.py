import math

import torch

TERMS = (676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
         -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)


def cases():
    yield torch.rand(60, generator=torch.Generator().manual_seed(0)) * 20 + 0.5,


def before(x):
    return torch.lgamma(x)


def after(x):
    """Lanczos' sum, for arguments from 0.5 on."""
    x = x - 1
    total = torch.full_like(x, 0.99999999999980993)
    for i, term in enumerate(TERMS):
        total = total + term / (x + i + 1)
    t = x + 7.5
    return 0.5 * math.log(2 * math.pi) + (x + 0.5) * t.log() - t + total.log()
