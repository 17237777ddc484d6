"""Mixed precision, streams, events and a checkpoint."""
import os
import tempfile

import torch

DEVICE = torch.device("cuda")
from torch.cuda.amp import GradScaler, autocast

model = torch.nn.Linear(4, 2).to(DEVICE)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = GradScaler(enabled=True)
side = torch.cuda.Stream()
file = os.path.join(tempfile.mkdtemp(), "state.pt")
torch.save({"weight": torch.ones(2, 4)}, file)
saved = torch.load(file, map_location="cuda:0")
generator = torch.Generator(device="cuda")
STEPS = 0
for _ in range(2):
    side.wait_stream(torch.cuda.current_stream())
    with autocast(), torch.autocast("cuda"):
        loss = (model(torch.ones(3, 4).to("cuda")) @ saved["weight"]).sum()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    torch.cuda.synchronize()
    STEPS += 1
assert generator is not None and scaler.is_enabled()
