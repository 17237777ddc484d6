import torch
import torch.nn.functional as F


def cases():
    yield torch.rand(2, 3, 20, 24, generator=torch.Generator().manual_seed(0)), (9, 11)


def before(image, size):
    return F.interpolate(image, size=size, mode="bilinear", antialias=True, align_corners=False)


def weights(old, new):
    """Row i holds what each old sample adds to new sample i. Made once for a pair of sizes."""
    scale = old / new
    reach = max(scale, 1.0)
    centre = (torch.arange(new) + 0.5) * scale
    distance = (torch.arange(old) + 0.5 - centre[:, None]) / reach
    table = (1 - distance.abs()).clamp(min=0)
    return table / table.sum(1, keepdim=True)


def after(image, size):
    rows = weights(image.shape[-2], size[0]).to(image)
    columns = weights(image.shape[-1], size[1]).to(image)
    return rows @ image @ columns.t()
