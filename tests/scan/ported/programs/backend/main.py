"""Collectives, the generator's state and the memory's history."""
import torch
import torch.distributed as dist

dist.init_process_group("nccl", init_method="env://")
assert dist.get_backend() == dist.Backend.NCCL
model = torch.nn.Linear(4, 2).cuda()
torch.cuda.memory._record_memory_history()
state = torch.cuda.random.get_rng_state()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
STEPS = 0
for _ in range(2):
    loss = model(torch.ones(3, 4, device="cuda")).sum()
    optimizer.zero_grad()
    loss.backward()
    dist.all_reduce(model.weight.grad)
    optimizer.step()
    STEPS += 1
assert len(state) and torch.cuda.memory.max_memory_allocated() > 0
