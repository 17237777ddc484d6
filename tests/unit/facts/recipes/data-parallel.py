import tempfile

import torch
import torch.distributed


def cases():
    torch.manual_seed(0)
    yield torch.nn.Linear(6, 3), torch.randn(5, 6)


def gradients(model, x):
    model.zero_grad()
    model(x).pow(2).mean().backward()
    return [p.grad.clone() for p in model.parameters()]


def before(model, x):
    return gradients(torch.nn.DataParallel(model), x)


def after(model, x):
    """One process a device, started by torchrun; the backend is "hccl" on npu, "mccl" on musa, "gloo" here."""
    with tempfile.TemporaryDirectory() as folder:
        torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            return gradients(torch.nn.parallel.DistributedDataParallel(model), x)
        finally:
            torch.distributed.destroy_process_group()
