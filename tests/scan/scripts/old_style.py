from __future__ import division

import torch
from torch.autograd import Variable

use_gpu = torch.cuda.is_available()
dtype = torch.cuda.FloatTensor if use_gpu else torch.FloatTensor


def make(x):
    x = Variable(x)
    if use_gpu:
        x = x.cuda()
    return x.type(dtype)


def all_to(items):
    return {k: v.cuda() for k, v in items.items()}


losses = [torch.ones(1)]
total = sum(l.item() for l in losses)
average = losses[0].data[0]
if not use_gpu:
    print("cuda is not there")
