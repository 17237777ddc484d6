import torch
import torch.nn.functional as F


def cases():
    for seed in range(2):
        generator = torch.Generator().manual_seed(seed)
        yield torch.randn(2, 3, 8, 9, generator=generator), torch.rand(2, 5, 6, 2, generator=generator) * 2.4 - 1.2


def before(image, grid):
    return F.grid_sample(image, grid, mode="bilinear", padding_mode="zeros", align_corners=False)


def after(image, grid):
    batch, channels, height, width = image.shape
    x = ((grid[..., 0] + 1) * width - 1) / 2
    y = ((grid[..., 1] + 1) * height - 1) / 2
    left, top = x.floor(), y.floor()
    flat, total = image.flatten(2), 0
    for column, row in ((left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)):
        inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        weight = (1 - (x - column).abs()) * (1 - (y - row).abs()) * inside.to(image.dtype)
        place = row.clamp(0, height - 1) * width + column.clamp(0, width - 1)
        place = place.long().flatten(1)[:, None].expand(batch, channels, -1)
        total = total + flat.gather(2, place).view(batch, channels, *x.shape[1:]) * weight[:, None]
    return total
