"""A device in settings whose key does not say so."""
import json
import pathlib

import torch

LINES = dict(line.split(": ") for line in pathlib.Path("run.yaml").read_text().splitlines())
settings = {"spot": LINES["spot"]}
if settings["spot"] != "cuda":
    raise ValueError(settings)
model = torch.nn.Linear(4, 2).to(settings["spot"])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4).to(settings["spot"])).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
assert json.dumps(settings)
