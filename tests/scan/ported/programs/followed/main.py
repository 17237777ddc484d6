"""A value from another module, through attributes, parameters and results."""
import torch
from picks import Plan, choose

plan = Plan(choose(True))


def put(module, spot):
    return module.to(spot)


if plan.spot != "cuda":
    raise ValueError(plan.spot)
model = put(torch.nn.Linear(4, 2), plan.spot)
data = put(torch.ones(3, 4), "cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(data).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
