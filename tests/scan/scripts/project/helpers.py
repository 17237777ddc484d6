import torch as th

from . import settings

cuda_api = th.cuda


class Model(th.nn.Module):
    pass


class Recorder:
    def cuda(self):
        return self


def place(tensor):
    return tensor.to(settings.RUN_ON)
