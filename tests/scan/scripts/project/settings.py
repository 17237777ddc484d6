"""Constants that other modules of the project use."""
import torch

RUN_ON = "cuda"
COMM = "nccl"
NAME = "cuda"
HAS = torch.cuda.is_available()
