import os
import subprocess

import pynvml
import torch

pynvml.nvmlInit()
usage = subprocess.check_output(["nvidia-smi", "--query-gpu=memory.used"])
os.system("nvidia-smi -L")
subprocess.run("nvidia-smi", shell=True)
print("call nvidia-smi to see more")
os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
os.environ["OMP_NUM_THREADS"] = "1"
torch.cuda.nvtx.range_push("step")
torch.cuda.profiler.start()
subprocess.run(["ls", "nvidia"])
