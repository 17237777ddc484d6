"""A device's name made of parts, and compared."""
import torch


def name_of(index):
    return "cuda" + ":" + str(index)


spot = name_of(0)
if not spot.startswith("cuda"):
    raise ValueError(spot)
model = torch.nn.Linear(4, 2).to(torch.device(type="cuda", index=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4, device=name_of(1))).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
