import torch
import triton
import triton.language as tl
from numba import cuda as numba_cuda
from numba import njit
from torch.utils.cpp_extension import load, load_inline

import cupy as cp

source = "__global__ void scale(float *x) { x[0] = 2; }"
module = load_inline(name="scale", cpp_sources="", cuda_sources=source, functions=["scale"])
other = load(name="fast", sources=["fast.cpp", "fast.cu"])
plain = load(name="plain", sources=["plain.cpp"])


@triton.jit
def kernel(pointer):
    tl.store(pointer, 1)


@numba_cuda.jit
def add(a):
    a[0] = 1


@njit
def host(a):
    return a


array = cp.zeros(3)
