import torch


def cases():
    for seed in range(2):
        yield torch.rand(6, generator=torch.Generator().manual_seed(seed)),


def before(losses):
    total = 0.0
    for loss in losses:
        total += loss.item()
    return torch.tensor(total)


def after(losses):
    """Added up on the device; the host asks once, when it prints."""
    total = torch.zeros((), dtype=losses.dtype, device=losses.device)
    for loss in losses:
        total = total + loss.detach()
    return total
