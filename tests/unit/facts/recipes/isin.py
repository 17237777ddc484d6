import torch


def cases():
    wanted = torch.tensor([2, 5, 7])
    for seed in range(3):
        yield torch.randint(0, 9, (4, 6), generator=torch.Generator().manual_seed(seed)), wanted


def before(x, wanted):
    return torch.isin(x, wanted)


def after(x, wanted):
    return (x.unsqueeze(-1) == wanted).any(-1)
