"""A stand-in for torch_npu."""
import accelerator

accelerator.install("npu", "hccl", "cann")
