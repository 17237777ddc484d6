import bitsandbytes as bnb
import deepspeed
import faiss
import flash_attn
import mmcv
import torchvision
import xformers.ops as xops
from transformer_engine.pytorch import Linear
from nvidia.dali import pipeline_def
import numpy
import requests
from PIL import Image
from bitsandbytes.optim import Adam8bit
import torch_scatter

print(numpy, requests, Image, faiss)
