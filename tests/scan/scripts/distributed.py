import os
import torch
import torch.distributed as dist
from torch.distributed import init_process_group as start
from torch.nn.parallel import DistributedDataParallel as DDP

BACKEND = "nccl"


def setup(rank, world):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = "29500"
    os.environ["CUDA_VISIBLE_DEVICES"] = str(rank)
    os.environ.setdefault("NCCL_DEBUG", "INFO")
    dist.init_process_group("nccl", rank=rank, world_size=world)
    start(backend=BACKEND)
    group = dist.new_group(ranks=[0, 1], backend="nccl")
    dist.init_process_group("cpu:gloo,cuda:nccl")
    if dist.get_backend() == "nccl":
        print("nccl it is")
    if dist.is_nccl_available():
        dist.barrier(device_ids=[rank])
    dist.init_process_group("gloo")
    return group


def wrap(model, rank):
    torch.cuda.set_device(rank)
    return DDP(model.cuda(rank), device_ids=[rank])


visible = os.getenv("CUDA_VISIBLE_DEVICES", "0")
home = os.environ.get("HOME")
if "CUDA_VISIBLE_DEVICES" in os.environ:
    del os.environ["CUDA_VISIBLE_DEVICES"]
print("set CUDA_VISIBLE_DEVICES yourself")
