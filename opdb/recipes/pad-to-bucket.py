import torch

BUCKETS = (8, 12, 16)


def cases():
    for length in (5, 8, 11, 16):
        yield torch.randn(2, length, 4, generator=torch.Generator().manual_seed(length)),


def attend(x, hidden=None):
    scores = x @ x.transpose(1, 2)
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(-1) @ x


def before(x):
    return attend(x)


def after(x):
    """Padded to the next bucket, with the padding masked; `opcheck buckets` chooses the sizes."""
    length = x.shape[1]
    size = min(b for b in BUCKETS if b >= length)
    padded = torch.cat([x, x.new_zeros(x.shape[0], size - length, x.shape[2])], 1)
    return attend(padded, torch.arange(size) >= length)[:, :length]
