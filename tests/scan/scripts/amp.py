import torch
from torch.amp import GradScaler as NewScaler
from torch.cuda.amp import autocast, GradScaler

scaler = GradScaler()
new = NewScaler("cuda")
default = torch.amp.GradScaler()
on_cpu = torch.amp.GradScaler("cpu")


@torch.cuda.amp.autocast()
def forward(model, x):
    return model(x)


@torch.cuda.amp.custom_fwd
def custom(ctx, x):
    return x


def step(model, x, optimizer):
    with autocast():
        loss = model(x)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = loss + model(x)
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        loss = loss + model(x)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    torch.set_autocast_gpu_dtype(torch.float16)
    return torch.is_autocast_enabled()
