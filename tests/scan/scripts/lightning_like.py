import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, device="cuda", backend="nccl"):
        self.device = torch.device(device)
        self.backend = backend
        self.title = "cuda"

    def cuda(self):
        self.device = torch.device("cuda")
        return self

    def to(self, where):
        return self


trainer = Trainer(device="cuda:1")
trainer.cuda()
batch = torch.ones(2).to(device="cuda")
batch = batch.to(torch.float16)
loader = DataLoader([1], pin_memory=True)
fast = DataLoader([1], pin_memory=False)
pinned = batch.pin_memory()
config = dict(device="cuda", name="cuda")
kind = torch.device("cuda").type
