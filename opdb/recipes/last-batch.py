import torch

BATCH = 4


def cases():
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 1)
    for rows in (1, 2, 3):
        yield model, torch.randn(rows, 3), rows


def before(model, x, rows):
    return model(x).pow(2).mean()


def after(model, x, rows):
    """The short last batch padded to a whole one, and the padding weighed with 0. In training: drop_last=True."""
    x = torch.cat([x, x.new_zeros(BATCH - rows, x.shape[1])])
    weight = (torch.arange(BATCH) < rows).to(x)
    return (model(x).pow(2).squeeze(1) * weight).sum() / weight.sum()
