import torch


def cases():
    yield torch.arange(64),
    yield torch.arange(64) * 3,


def before(positions):
    scale = 1.0 / 10000 ** (torch.arange(0, 32, 2, dtype=torch.float64) / 32)
    angle = torch.outer(positions.to(torch.float64), scale)
    return angle.cos().float(), angle.sin().float()


def after(positions):
    scale = 1.0 / 10000 ** (torch.arange(0, 32, 2, dtype=torch.float32) / 32)
    angle = torch.outer(positions.to(torch.float32), scale)
    return angle.cos(), angle.sin()
