"""A class of the program with methods of a tensor's names, given to code that cannot tell it from one."""
import torch


class Batch:
    def __init__(self, rows):
        self.rows = rows

    def cuda(self):
        self.rows = self.rows.cuda()
        return self

    @property
    def is_cuda(self):
        return self.rows.is_cuda


def move(thing):
    thing = thing.cuda()
    assert thing.is_cuda
    return thing


model = move(torch.nn.Linear(4, 2).cuda().weight) is not None and torch.nn.Linear(4, 2).cuda()
batch = move(Batch(torch.ones(3, 4)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(batch.rows).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
