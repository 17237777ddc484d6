import random

import numpy as np
import torch


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True
    state = torch.cuda.get_rng_state()
    torch.cuda.set_rng_state(state)


def fork():
    with torch.random.fork_rng(devices=["cuda:0"]):
        pass


cuda_seed = 3
print("torch.cuda.manual_seed", cuda_seed)
