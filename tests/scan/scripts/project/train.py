import torch.distributed as dist

from project.helpers import Model, Recorder, cuda_api, place
from project.settings import COMM, NAME

model = Model().cuda()
recorder = Recorder().cuda()
cuda_api.synchronize()
dist.init_process_group(backend=COMM)
print(NAME, place(model))
