import contextlib

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, device=torch.device("cuda")):
        super().__init__()
        self.layer = nn.Linear(2, 2, device="cuda")
        self.register_buffer("cuda", torch.zeros(1))
        self.to(device)

    def forward(self, x):
        if x.is_cuda:
            x = x.contiguous()
        return self.layer(x)


net = Net().cuda()
guard = torch.cuda.device(0) if torch.cuda.is_available() else contextlib.nullcontext()
with torch.cuda.device(0), torch.no_grad():
    net(torch.ones(1, 2).cuda())
assert next(net.parameters()).is_cuda
table = {"device": "cuda", "label": "cuda"}
model_file = "cuda" + ".pt"
