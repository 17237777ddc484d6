import torch
from torch.utils.data import DataLoader, TensorDataset


def cases():
    yield TensorDataset(torch.arange(24.0).reshape(12, 2)),


def before(data):
    return [batch for batch, in DataLoader(data, batch_size=5)]


def after(data):
    """Workers that live as long as the loader and never touch the device; the order stays."""
    loader = DataLoader(data, batch_size=5, num_workers=2, persistent_workers=True, prefetch_factor=2)
    return [batch.clone() for batch, in loader]
