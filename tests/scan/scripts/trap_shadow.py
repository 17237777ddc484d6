import torch


def outer():
    torch = load_other()
    torch.cuda.synchronize()

    def inner():
        return torch.cuda.is_available()
    return inner


def after():
    return torch.cuda.is_available()


class Api:
    torch = None

    def method(self):
        return torch.cuda.device_count()


def load_other():
    return object()


for torch_module in []:
    torch_module.cuda.synchronize()
with open("cuda") as cuda:
    cuda.read()
words = "cuda nccl apex".split()
