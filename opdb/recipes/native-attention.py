import math

import torch
import torch.nn.functional as F


def cases():
    torch.manual_seed(0)
    yield torch.nn.MultiheadAttention(16, 4, batch_first=True).eval(), torch.randn(2, 7, 16)


def before(module, x):
    with torch.no_grad():
        return module(x, x, x, need_weights=False)[0]


def after(module, x):
    batch, length, width = x.shape
    heads = module.num_heads
    qkv = F.linear(x, module.in_proj_weight, module.in_proj_bias)
    q, k, v = qkv.view(batch, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    seen = (q @ k.transpose(-1, -2) / math.sqrt(width // heads)).softmax(-1) @ v
    return module.out_proj(seen.transpose(1, 2).reshape(batch, length, width)).detach()
