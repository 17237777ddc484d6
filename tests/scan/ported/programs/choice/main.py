"""A choice of the device by what there is, and what hangs on it."""
import torch

spot = torch.device("cuda" if torch.cuda.is_available() else "cpu")
use = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(4, 2)
if use == "cuda":
    model = model.to(use)
if spot.type == "cuda":
    torch.cuda.set_device(0)
else:
    raise RuntimeError("trained on the CPU")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4, device=spot)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
