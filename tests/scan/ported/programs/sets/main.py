"""A device type in sets, dictionaries and a match statement."""
import torch

dtype, device = torch.float32, "cuda"
model = torch.nn.Linear(4, 2).to(device)
kind = model.weight.device
device_type = kind.type
assert device_type in {"cuda"}
weight = {"cuda": 1.0, "cpu": None}[kind.type] * 0.5
rates = {"cuda": 0.1}
match device_type:
    case "cuda":
        rate = rates[device_type] * weight
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4, dtype=dtype, device=device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
