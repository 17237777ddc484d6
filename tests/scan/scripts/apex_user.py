try:
    from apex import amp
    from apex.parallel import DistributedDataParallel as ApexDDP
except ImportError:
    amp = None
import apex_of_triangle
import torch


def prepare(model, optimizer):
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    return ApexDDP(model), optimizer


def apex(values):
    return max(values)


highest = apex([1, 2])
