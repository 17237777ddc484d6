"""An attribute of its own that is called like one of a tensor, with a branch for another device."""
import torch


class Trainer:
    def __init__(self):
        self.is_cuda = torch.cuda.is_available()
        self.is_xpu = False

    def place(self, module):
        if self.is_cuda:
            return module.cuda()
        elif self.is_xpu:
            return module.xpu()
        raise RuntimeError("no device")


trainer = Trainer()
model = trainer.place(torch.nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4).cuda()).sum()
    assert loss.device.type == "cuda"
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
