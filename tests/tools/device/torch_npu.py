"""A stand-in for torch_npu on any PyTorch: tensors that are moved to "npu" are of a class of their own, computed on the CPU.

As on the device, an operator takes tensors of one device alone, and those of one backend of the CPU or of CUDA have no kernel.
"""
import torch

REFUSED = ("mkldnn", "nnpack", "cudnn", "fbgemm", "slow_conv", "thnn_conv2d")
to, cpu = torch.Tensor.to, torch.Tensor.cpu


class Placed(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if any(word in name for word in REFUSED):
            raise NotImplementedError("Could not run 'aten::%s' with arguments from the 'PrivateUse1' backend." % name)
        if any(isinstance(value, torch.Tensor) and not isinstance(value, Placed) and value.dim() for value in args):
            raise RuntimeError("Expected all tensors to be on the same device. Expected NPU tensor")
        return super().__torch_function__(func, types, args, kwargs or {})


def moved(self, *args, **kwargs):
    if args and str(args[0]).partition(":")[0] == "npu":
        return self.as_subclass(Placed)
    return to(self, *args, **kwargs)


torch.Tensor.to = moved
torch.Tensor.cpu = lambda self: cpu(self.as_subclass(torch.Tensor))
