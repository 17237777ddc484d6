"""A stand-in for torch_musa."""
import accelerator

accelerator.install("musa", "mccl", "musa")
