"""Parts of a device's name, by position and by length."""
import torch

where = "cuda:1"
if where[:4] == "cuda":
    model = torch.nn.Linear(4, 2).to(where)
if where[:5] != "cuda:":
    raise ValueError(where)
number = int(where.replace("cuda:", ""))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4, device="cuda:%d" % number)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
