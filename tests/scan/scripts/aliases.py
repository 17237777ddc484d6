import torch as t
import torch.cuda
import torch.cuda as gpu
import torch.nn.functional as F
from torch import cuda
from torch import device as make_device
from torch.cuda import amp
from torch.cuda.amp import GradScaler, autocast
from torch.nn import DataParallel as DP

dev = make_device("cuda")
gpu.synchronize()
cuda.empty_cache()
scaler = GradScaler()
with autocast():
    with amp.autocast(enabled=True):
        F.relu(t.ones(1))
t.cuda.manual_seed_all(1)
seed = t.cuda.manual_seed
seed(3)
check = getattr(t, "cuda")
model = DP(t.nn.Linear(1, 1))
api = t.cuda
api.synchronize()
