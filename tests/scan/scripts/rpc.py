import torch
import torch.distributed.rpc as rpc
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

options = rpc.TensorPipeRpcBackendOptions(devices=["cuda:0"])
model = FSDP(torch.nn.Linear(1, 1), device_id=torch.cuda.current_device())
mesh = torch.distributed.init_device_mesh("cuda", (2,))
torch.distributed.init_process_group(backend="mpi")
where = {"layer": "cuda:0"}
torch.multiprocessing.set_start_method("spawn")
if torch.cuda.is_bf16_supported():
    dtype = torch.bfloat16
prop = torch.cuda.nccl.version()
