import warnings

import torch
from torch.utils.data import DataLoader, TensorDataset


def cases():
    yield TensorDataset(torch.arange(10.0)), "cpu"


def before(data, device):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [batch.to(device) for batch, in DataLoader(data, batch_size=4, pin_memory=True)]


def after(data, device):
    """Names the device that the pages are pinned for; without one there is nothing to pin for."""
    pinned = {"pin_memory": True, "pin_memory_device": device} if device != "cpu" else {}
    return [batch.to(device, non_blocking=True) for batch, in DataLoader(data, batch_size=4, **pinned)]
