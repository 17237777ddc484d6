"""Methods that are taken without a call, and by their names."""
import torch

model = getattr(torch.nn.Linear(4, 2), "cuda")()
move = torch.ones(3, 4).cuda
parts = list(map(torch.Tensor.cuda, [torch.ones(3, 4)]))
getattr(torch, "cuda").synchronize()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(move() + parts[0]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    STEPS += 1
