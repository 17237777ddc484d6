# %% [markdown]
# Training on cuda with torch.cuda
# %%
import torch
if torch.cuda.is_available(): dev = "cuda:0"
else: dev = "cpu"
# %%
net = torch.nn.Linear(1, 1).to(dev); net.cuda()
# %%
(torch
 .cuda
 .synchronize())
x = torch.ones(1).cuda(
    non_blocking=True)
y = [t.cuda() for t in [x]]
f = lambda v: v.cuda()
