"""Names that look like PyTorch's and are not."""
import numpy as np

import fake_torch as torch
from mylib import cuda


def compute(torch):
    torch.cuda.synchronize()
    return torch.cuda.is_available()


class Camera:
    def cuda(self):
        return "a barracuda"

    def item(self):
        return 1


camera = Camera()
fish = camera.cuda()
one = camera.item()
torch.cuda.empty_cache()
cuda.launch()
total = np.zeros(3).sum().item()
rows = {"a": 1}.items()
mask = np.arange(4)
part = mask[mask > 2]
if np.any(mask > 1):
    print(part)
places = np.nonzero(mask)
