import logging
import os

import torch

URL = "https://download.pytorch.org/whl/cuda"
PATH = "/usr/local/cuda"
FILES = ["kernels/cuda.cu", "cuda_helpers.py"]
log = logging.getLogger("cuda")
log.info("cuda")
print("cuda")
print("model.cuda()", "torch.cuda.is_available()")
messages = {"cuda": "a key of a table of words"}
text = messages["cuda"]
options = ["--cuda", "--no-cuda"]
version = torch.version.__version__
note = "we use nccl"
title = "cuda is fast" + "nccl is, too"
# x = x.cuda() and torch.cuda.synchronize()
raise_if = ValueError("cuda")
cuda = True
nccl_port = 29500
use_cuda = cuda and not os.environ.get("NO_GPU")
if use_cuda:
    print("use cuda")


class Flags:
    cuda = False
    nccl = "off"


flags = Flags()
if flags.cuda:
    log.warning("cuda is on")
flags.cuda = True
assert flags.cuda, "cuda"
