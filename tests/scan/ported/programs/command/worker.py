import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
where = torch.device(parser.parse_args().device)
assert torch.cuda.device_count() == 1 and torch.ones(1, device=where).is_cuda
