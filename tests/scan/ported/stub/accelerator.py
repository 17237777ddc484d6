"""What a plugin adds to PyTorch, for PyTorch 1.13 on a CPU: a device of its own name, under which tensors stay apart from those of the
CPU. Names of torch.npu and torch.musa are those of opdb's facts; one without an implementation here answers None, and so does what the
plugin answers None to. Everything of CUDA fails as it does on a machine without it.
"""
import contextlib
import os
import pathlib
import sys
import types

import torch

FACTS = pathlib.Path(__file__).resolve().parents[4] / "opdb" / "scripts" / "names.tsv"
FACTORIES = ("arange as_tensor empty empty_like eye full full_like linspace ones ones_like rand rand_like randint randn randn_like "
             "randperm tensor zeros zeros_like").split()
HOST_ONLY = ("mkldnn", "nnpack", "cudnn", "fbgemm", "slow_conv", "thnn_conv2d")  # in names of operators with one backend
VISIBLE = {"npu": "ASCEND_RT_VISIBLE_DEVICES", "musa": "MUSA_VISIBLE_DEVICES"}
real = types.SimpleNamespace(device=torch.device, to=torch.Tensor.to, module_to=torch.nn.Module.to, load=torch.load,
                             generator=torch.Generator, autocast=torch.autocast)
plugin = types.SimpleNamespace(kind="", backend="", imported=False)


class Device:
    """torch.device takes no names of other devices before PyTorch 2.1."""

    def __init__(self, type, index=None):
        if isinstance(type, Device):
            type, index = type.type, type.index
        if isinstance(type, int):  # before 2.6 an integer is a device of CUDA
            type, index = "cuda", type
        name, _, number = str(type).partition(":")
        if name not in ("cpu", "cuda", "meta", plugin.kind if plugin.imported else ""):
            raise RuntimeError("Expected one of cpu, cuda, meta device type at start of device string: %s" % name)
        self.type, self.index = name, int(number) if number else index

    def __repr__(self):
        return "device(type=%r%s)" % (self.type, "" if self.index is None else ", index=%d" % self.index)

    def __str__(self):
        return self.type if self.index is None else "%s:%d" % (self.type, self.index)

    def __eq__(self, other):
        return isinstance(other, Device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))


def wanted(device):
    """The device, if tensors can be there."""
    device = Device(device)
    if device.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if device.type == plugin.kind and (device.index or 0) >= device_count():
        raise RuntimeError("invalid device ordinal")
    return device


class Placed(torch.Tensor):
    """A tensor on the device of the plugin."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if any(word in name for word in HOST_ONLY):
            raise NotImplementedError("Could not run 'aten::%s' with arguments from the 'PrivateUse1' backend." % name)
        if name not in ("copy_", "__get__", "__set__", "to", "_has_compatible_shallow_copy_type") and any(
                not isinstance(x, Placed) and x.dim() for x in args if isinstance(x, torch.Tensor)):
            raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, %s:0 and cpu!" % plugin.kind)
        out = super().__torch_function__(func, types, args, kwargs or {})
        if func == torch.Tensor.grad.__get__ and out is not None:  # PyTorch gives a gradient as it is
            return out.as_subclass(cls)
        return out


def place(tensor, device):
    """The tensor on a device."""
    if device.type == "cpu":
        return tensor.as_subclass(torch.Tensor)
    return tensor.as_subclass(Placed)


def device_of(tensor):
    return Device(plugin.kind, 0) if isinstance(tensor, Placed) else Device("cpu")


def tensor_to(self, *args, device=None, **kwargs):
    if args and isinstance(args[0], torch.Tensor):
        device, args = device_of(args[0]), (args[0].dtype, *args[1:])
    elif args and isinstance(args[0], (str, int, Device)):
        device, args = args[0], args[1:]
    non_blocking = kwargs.pop("non_blocking", None)
    del non_blocking
    out = real.to(self, *args, **kwargs) if args or kwargs else self
    return place(out, wanted(device)) if device is not None else out


def module_to(self, *args, **kwargs):
    return self._apply(lambda tensor: tensor_to(tensor, *args, **kwargs))


def made(factory):
    def make(*args, device=None, generator=None, **kwargs):
        if generator is not None:
            kwargs["generator"] = generator
        kwargs.pop("pin_memory", None)
        out = factory(*args, **kwargs)
        return place(out, wanted(device)) if device is not None else out
    return make


def device_count():
    visible = os.environ.get(VISIBLE[plugin.kind])
    return 2 if visible is None else len([word for word in visible.split(",") if word])


class Scaler:
    """GradScaler without scaling."""

    def __init__(self, *args, **kwargs):
        del args, kwargs

    def scale(self, loss):
        return loss

    def step(self, optimizer):
        optimizer.step()

    def update(self):
        pass

    def is_enabled(self):
        return True


def answers():
    """What names of the plugin answer; all others answer None."""
    properties = types.SimpleNamespace(name="stand-in", total_memory=1 << 30)
    properties.major, properties.minor, properties.multi_processor_count = (None,) * 3 if plugin.kind == "npu" else (3, 1, 60)
    state = torch.get_rng_state
    return {
        "is_available": lambda: True, "device_count": device_count, "current_device": lambda: 0, "is_bf16_supported": lambda: True,
        "get_device_name": lambda device=None: "stand-in", "get_device_properties": lambda device=None: properties,
        "get_device_capability": lambda device=None: None if plugin.kind == "npu" else (3, 1),
        "memory_allocated": lambda device=None: 1024, "max_memory_allocated": lambda device=None: 2048,
        "get_rng_state": lambda device=None: state(), "get_rng_state_all": lambda: [state()],
        "stream": lambda stream: contextlib.nullcontext(), "device": lambda device: contextlib.nullcontext(wanted(device)),
        "Stream": lambda *args, **kwargs: types.SimpleNamespace(wait_stream=lambda other: None),
        "autocast": lambda *args, **kwargs: contextlib.nullcontext(), "GradScaler": Scaler,
    }


def names_of_facts(kind):
    """Names of torch.npu or torch.musa that the fact text has as replacements."""
    column = {"npu": 3, "musa": 5}[kind]
    for line in FACTS.read_text(encoding="utf-8").splitlines()[1:]:
        new = line.split("\t")[column]
        if new.startswith("torch.%s." % kind) and "(" not in new and not new.endswith("*"):
            yield new.split(".")[2:]


def module_of(kind):
    root, known = types.ModuleType("torch." + kind), answers()
    for parts in sorted(names_of_facts(kind)):
        around = root
        for part in parts[:-1]:
            if not isinstance(getattr(around, part, None), types.ModuleType):
                setattr(around, part, types.ModuleType(part))
            around = getattr(around, part)
        if not hasattr(around, parts[-1]):
            setattr(around, parts[-1], known.get(parts[-1], lambda *args, **kwargs: None))
    return root


class Backend(str):
    """torch.distributed.Backend is a text in lower case, with an attribute for each."""


def init_process_group(backend=None, **kwargs):
    del kwargs
    if backend not in ("gloo", plugin.backend if plugin.imported else ""):
        raise RuntimeError("Distributed package doesn't have %s built in" % str(backend).upper())
    torch.distributed.initialized = backend


def all_reduce(tensor, op=None):
    del op
    if not torch.distributed.initialized or (plugin.kind == "npu" and tensor.dtype == torch.float64):
        raise RuntimeError("HCCL does not reduce %s" % tensor.dtype)


def install_core(kind, backend):
    """Device, factories, `to` and their like: before the program is read."""
    plugin.kind, plugin.backend = kind, backend
    torch.device = Device
    torch.Tensor.device = property(device_of)
    torch.Tensor.to, torch.nn.Module.to = tensor_to, module_to
    torch.Tensor.cpu = lambda self: tensor_to(self, "cpu")
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    for name in FACTORIES:
        setattr(torch, name, made(getattr(torch, name)))
    torch.Generator = lambda device="cpu": (wanted(device), real.generator())[1]
    torch.autocast = lambda device_type, *args, **kwargs: (wanted(device_type), contextlib.nullcontext())[1]
    torch.load = lambda file, map_location=None, **kwargs: {
        key: place(value, wanted(map_location)) for key, value in real.load(file, **kwargs).items()}
    torch.distributed.initialized = ""
    torch.distributed.Backend = types.SimpleNamespace(GLOO="gloo", NCCL="nccl")
    torch.distributed.init_process_group, torch.distributed.all_reduce = init_process_group, all_reduce
    torch.distributed.get_backend = lambda: torch.distributed.initialized


def install(kind, backend, version):
    """What the import of the plugin adds."""
    if plugin.kind != kind:
        install_core(kind, backend)
    plugin.imported = True
    setattr(torch, kind, module_of(kind))
    setattr(torch.Tensor, kind, lambda self, device=None, **kwargs: tensor_to(self, Device(kind, device or 0)))
    setattr(torch.nn.Module, kind, lambda self, device=None: module_to(self, Device(kind, device or 0)))
    setattr(torch.Tensor, "is_" + kind, property(lambda self: isinstance(self, Placed)))
    setattr(torch.version, version, "8.1.RC1" if kind == "npu" else "40100")
    setattr(torch.distributed.Backend, backend.upper(), backend)
    root = getattr(torch, kind)
    sys.modules["torch_%s.%s" % (kind, kind)] = root
    for name, module in {"npu": {"torch_npu.npu.amp": root.amp}, "musa": {"torch_musa.core.amp": root.amp}}[kind].items():
        sys.modules[name] = module
