"""A command that is kept in a text and run later."""
import os
import subprocess
import sys

import torch

check = "CUDA_VISIBLE_DEVICES=0 python3 worker.py --device cuda:0"
model = torch.nn.Linear(4, 2).cuda()
if os.system(check):
    raise RuntimeError("the worker failed")
subprocess.run([sys.executable, "worker.py", "--device", "cuda"], check=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": "1"})
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4).cuda()).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
