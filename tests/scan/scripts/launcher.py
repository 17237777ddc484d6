import os
import subprocess
import sys

import torch
import torch.multiprocessing as mp


def spawn(rank, world):
    env = dict(os.environ, CUDA_VISIBLE_DEVICES=str(rank))
    env["NCCL_SOCKET_IFNAME"] = "eth0"
    return subprocess.Popen([sys.executable, "train.py", "--cuda"], env=env)


def main():
    world = torch.cuda.device_count()
    mp.spawn(spawn, nprocs=world, args=(world,))
    os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


if __name__ == "__main__":
    main()
