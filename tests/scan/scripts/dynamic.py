import torch


def losses(logits, target):
    keep = logits > 0.5
    picked = logits[keep]
    places = torch.nonzero(target)
    where = target.nonzero(as_tuple=True)
    distinct = torch.unique(target)
    chosen = torch.masked_select(logits, keep)
    if (logits > 1).any():
        logits = logits.clamp(max=1)
    value = logits.sum().item()
    values = logits.tolist()
    rows = logits[:, 0]
    first = logits[0]
    some = logits[..., 1:3]
    both = torch.where(keep, logits, target)
    return picked, places, where, distinct, chosen, value, values, rows, first, some, both


def loop():
    error = torch.ones(1)
    while error > 0.1:
        error = error / 2
    count = len([1, 2])
    if count > 1:
        print(count)
    names = [n for n in ["a"] if n > "0"]
    return names
