"""Devices as defaults: of the environment, of options, of fields."""
import argparse
import os
from dataclasses import dataclass, field

import torch


@dataclass
class Settings:
    device: str = field(default="cuda")


parser = argparse.ArgumentParser()
option = parser.add_argument("--place", default="cuda", choices=["cpu", "cuda"])
options = parser.parse_args()
assert options.place in option.choices
assert options.place in ("cuda", "cpu")
first = os.environ.get("TORCH_DEVICE", "cuda")
model = torch.nn.Linear(4, 2).to(first).to(Settings().device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4).to(options.place)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
