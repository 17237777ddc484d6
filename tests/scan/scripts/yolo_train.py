"""Train a detector, after the script that the guides explain."""
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch.cuda import amp

LOCAL_RANK = int(os.getenv("LOCAL_RANK", -1))


def select_device(device="", batch_size=None):
    device = str(device).strip().lower().replace("cuda:", "")
    cpu = device == "cpu"
    if cpu:
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    elif device:
        os.environ["CUDA_VISIBLE_DEVICES"] = device
        assert torch.cuda.is_available(), "no cuda device"
    n = torch.cuda.device_count()
    space = " " * len("cuda")
    for i in range(n):
        p = torch.cuda.get_device_properties(i)
        print(f"CUDA:{i} ({p.name}){space}")
    return torch.device("cuda:0" if n and not cpu else "cpu")


def train(hyp, opt, device):
    cuda = device.type != "cpu"
    if cuda and LOCAL_RANK == -1 and torch.cuda.device_count() > 1:
        model = torch.nn.DataParallel(hyp["model"])
    ckpt = torch.load(opt.weights, map_location=device)
    scaler = amp.GradScaler(enabled=cuda)
    with amp.autocast(enabled=cuda):
        loss = model(ckpt)
    scaler.scale(loss).backward()
    mem = f"{torch.cuda.memory_reserved() / 1E9 if torch.cuda.is_available() else 0:.3g}G"
    torch.cuda.empty_cache()
    return mem


def main(opt):
    device = select_device(opt.device)
    if LOCAL_RANK != -1:
        torch.cuda.set_device(LOCAL_RANK)
        device = torch.device("cuda", LOCAL_RANK)
        dist.init_process_group(backend="nccl" if dist.is_nccl_available() else "gloo")
    train({}, opt, device)
    Path("runs/cuda").mkdir()
