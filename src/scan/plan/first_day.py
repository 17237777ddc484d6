#!/usr/bin/env python3
"""Runs operators on the CPU and on a device with the shapes and types that a profile recorded, and compares the results.

Written by `opcheck plan --tests`. Arguments that are no tensors have the values that the profile recorded; others are those
that the operator has by default, else plain ones. Where the CPU refuses these as well, the case is skipped and says so.
Exit status: 0 all agree, 1 some results differ or the device refused some, 2 the device is not there.
"""
import argparse
import ast
import importlib
import json
import math
import sys

import torch

DEVICE, PLUGIN = "cpu", ""
# operator, overload, sizes and types of its arguments, why it is here, values of those that are no tensors
CASES = []

TYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16, "fp64": torch.float64, "int8": torch.int8,
         "uint8": torch.uint8, "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "bool": torch.bool,
         "complex64": torch.complex64, "complex128": torch.complex128}
TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 3e-2, torch.float64: 1e-6, torch.complex128: 1e-6}
# Results that no two runs have in common, or that hold whatever was in memory.
RANDOM = ("rand", "bernoulli", "dropout", "multinomial", "normal", "uniform", "exponential", "geometric", "poisson", "empty")
# Operators of one backend of the CPU or of CUDA, which have no kernel elsewhere, and what they stand for: PyTorch calls that on the device.
STANDS_FOR = {"mkldnn_convolution": "convolution", "_nnpack_spatial_convolution": "convolution", "thnn_conv2d": "convolution",
              "_slow_conv2d_forward": "convolution", "slow_conv_dilated2d": "convolution", "slow_conv_dilated3d": "convolution",
              "slow_conv3d": "convolution", "slow_conv3d_forward": "convolution", "cudnn_convolution": "convolution",
              "miopen_convolution": "convolution", "mkldnn_linear": "linear", "mkldnn_max_pool2d": "max_pool2d",
              "mkldnn_max_pool3d": "max_pool3d", "mkldnn_adaptive_avg_pool2d": "adaptive_avg_pool2d", "cudnn_batch_norm": "batch_norm",
              "miopen_batch_norm": "batch_norm", "cudnn_grid_sampler": "grid_sampler_2d",
              "_scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention",
              "_scaled_dot_product_flash_attention": "scaled_dot_product_attention",
              "_scaled_dot_product_efficient_attention": "scaled_dot_product_attention",
              "_scaled_dot_product_cudnn_attention": "scaled_dot_product_attention"}
OTHER_NAMES = {"input": "self", "momentum": "exponential_average_factor", "eps": "epsilon"}
BACKENDS = ("mkldnn_", "_mkldnn_", "_nnpack_", "cudnn_", "_cudnn_", "miopen_", "_miopen_", "fbgemm_", "mps_", "_mps_", "_lstm_mps", "slow_conv",
            "_slow_conv", "thnn_conv")
INTEGERS = ("index", "indices", "target", "offsets", "src_index")


class CannotBuild(Exception):
    """The profile does not tell enough of a call."""


def number_for(name, sizes):
    """An integer that an argument of that name takes, for a first tensor of these sizes."""
    known = {"dim": -1, "dim0": 0, "dim1": -1, "dim2": -1, "groups": 1, "group": 1, "k": 1, "num_samples": 1, "n": 1,
             "N": sizes[0] if sizes else 1, "C": sizes[1] if len(sizes) > 1 else 1, "HxW": math.prod(sizes[2:]),
             "num_weights": 8, "padding_idx": -1, "end": sizes[0] if sizes else 1, "chunks": 1, "split_size": 1}
    return known.get(name, 0)


def numbers_for(name, sizes, last):
    """The same of a list; last: the sizes of the last tensor, such as a weight."""
    inner = max(len(sizes) - 2, 1)
    known = {"stride": [1] * inner, "dilation": [1] * inner, "padding": [0] * inner, "output_padding": [0] * inner,
             "kernel_size": [1] * inner, "output_size": [1] * inner, "normalized_shape": list(last), "dim": [-1],
             "dims": list(range(len(sizes))), "repeats": [1] * len(sizes), "pad": [0, 0], "shifts": [1],
             "split_sizes": sizes[:1], "sizes": list(sizes)}
    return known.get(name, list(sizes))


def value_for(argument, sizes, last):
    """What a required argument that is no tensor gets."""
    kind = str(argument.type)
    if kind.startswith("Optional"):
        return None
    if kind in ("int", "SymInt"):
        return number_for(argument.name, sizes)
    if kind in ("List[int]", "List[SymInt]"):
        return numbers_for(argument.name, sizes, last)
    plain = {"bool": False, "float": 0.5, "number": 1, "Scalar": 1, "str": "mean", "List[bool]": [True] * 3,
             "List[float]": [1.0], "Device": torch.device("cpu")}
    if kind not in plain:
        raise CannotBuild("{} of type {} was not recorded".format(argument.name, kind))
    return plain[kind]


def tensor(sizes, dtype, high):
    """A tensor of normal numbers, or of integers below high."""
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(sizes, dtype=torch.complex64 if dtype.is_complex else torch.float32).to(dtype)
    return torch.randint(0, 2 if dtype == torch.bool else high, sizes).to(dtype)


def is_sizes(value):
    return isinstance(value, list) and all(isinstance(size, int) for size in value)


def recorded(values, at, argument):
    """The value that the profile has of an argument; None when it has none that is one."""
    text = values[at] if at < len(values) else ""
    if not isinstance(text, str) or not text:
        return None
    if str(argument.type) in ("str", "Optional[str]"):
        return text
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(text)


def build(schema, dims, types, values=()):
    """Arguments for one overload: (positional, by name)."""
    every = [value for value in dims if is_sizes(value) and value]
    every += [inner for value in dims if not is_sizes(value) for inner in value if is_sizes(inner) and inner]
    first, last = (every[0], every[-1]) if every else ([], [])
    high = max(1, min(first or [1]))
    placed, named = [], {}
    for at, argument in enumerate(schema.arguments):
        kind, sizes = str(argument.type), dims[at] if at < len(dims) else []
        dtype = TYPES.get(types[at] if at < len(types) else "")
        known = dtype or (torch.int64 if any(word in argument.name for word in INTEGERS) else
                          torch.bool if "mask" in argument.name or argument.name == "condition" else torch.float32)
        if kind == "Tensor" and is_sizes(sizes):
            value = tensor(sizes, known, high)
        elif kind == "Optional[Tensor]" and is_sizes(sizes):
            value = tensor(sizes, known, high) if sizes or dtype else None
        elif kind in ("List[Tensor]", "List[Optional[Tensor]]"):
            if is_sizes(sizes):
                raise CannotBuild("the tensors in {} were not recorded".format(argument.name))
            value = [tensor(inner, torch.int64 if "Optional" in kind else known, high) for inner in sizes]
        elif "Tensor" not in kind and recorded(values, at, argument) is not None:
            value = recorded(values, at, argument)
        elif argument.has_default_value():
            continue
        else:
            value = value_for(argument, first, last)
        if argument.kwarg_only:
            named[argument.name] = value
        else:
            placed += [part.default_value for part in schema.arguments[len(placed):at]] + [value]
    return placed, named


def moved(value, device, dtype=None):
    """A copy on the device; floating point in another type where one is given."""
    if isinstance(value, torch.Tensor):
        value = value.to(dtype) if dtype and value.is_floating_point() else value
        return value.clone().to(device)
    if isinstance(value, (list, tuple)):
        return type(value)(moved(inner, device, dtype) for inner in value)
    return device if isinstance(value, torch.device) else value


def run(name, call, device, dtype=None):
    placed, named = call
    operator = getattr(getattr(torch.ops, name.partition("::")[0]), name.partition("::")[2])
    return operator(*moved(placed, device, dtype), **{key: moved(value, device, dtype) for key, value in named.items()})


def tensors(result):
    if isinstance(result, torch.Tensor):
        return [result.detach().cpu()]
    return [inner for part in result for inner in tensors(part)] if isinstance(result, (list, tuple)) else []


def difference(name, expected, found):
    """What tells two results apart; "" for nothing."""
    if len(expected) != len(found):
        return "{} results in place of {}".format(len(found), len(expected))
    for ours, theirs in zip(expected, found):
        if ours.shape != theirs.shape:
            return "sizes {} in place of {}".format(list(theirs.shape), list(ours.shape))
        if any(word in name for word in RANDOM) or not ours.numel():
            continue
        near = TOLERANCE.get(theirs.dtype, 1e-3)
        wide = torch.complex128 if theirs.is_complex() else torch.float64
        ours, theirs = ours.to(wide), theirs.to(wide)
        if not torch.allclose(theirs, ours, rtol=near, atol=near, equal_nan=True):
            return "off by up to {:.3g}".format((ours - theirs).abs().max().item())
    return ""


def reference(name, overload, dims, types, values):
    """A call that the CPU takes, and its result: (call, tensors)."""
    schemas = schemas_of(name, overload)
    reason = CannotBuild("this PyTorch does not have it")
    for schema, known in [(schema, values) for schema in schemas if values] + [(schema, ()) for schema in schemas]:
        try:
            call = build(schema, dims, types, known)
            try:
                return call, tensors(run(name, call, "cpu"))
            except RuntimeError:
                return call, tensors(run(name, call, "cpu", torch.float32))  # the CPU lacks some types
        except Exception as failure:  # the next overload may take these arguments
            reason = failure
    raise reason


def schemas_of(name, overload):
    """Those of an operator, the wanted overload first, those with a result to write into last."""
    return sorted(torch._C._jit_get_schemas_for_operator(name),
                  key=lambda one: (one.overload_name != overload, any(argument.name == "out" for argument in one.arguments)))


def stand_in(name, overload, dims, types, values):
    """The same call of what an operator stands for; an operator of every device stands for itself."""
    space, _, base = name.partition("::")
    if space != "aten" or (base not in STANDS_FOR and not base.startswith(BACKENDS)):
        return name, overload, dims, types, values
    if base not in STANDS_FOR:
        raise CannotBuild("it belongs to one backend, and what PyTorch calls on the device has other arguments")
    known, wanted = schemas_of(name, overload), schemas_of("aten::" + STANDS_FOR[base], "")
    if not known or not wanted:
        raise CannotBuild("this PyTorch does not have aten::" + STANDS_FOR[base])
    places = {argument.name: at for at, argument in enumerate(known[0].arguments)}

    def taken(recorded, nothing):
        ats = [places.get(argument.name, places.get(OTHER_NAMES.get(argument.name), len(recorded))) for argument in wanted[0].arguments]
        return [recorded[at] if at < len(recorded) else nothing for at in ats]
    return "aten::" + STANDS_FOR[base], wanted[0].overload_name, taken(dims, []), taken(types, ""), taken(values, "")


def examine(case, device, most):
    """(outcome, what there is to say)"""
    name, overload, sizes, kinds = case[:4]
    dims, types = json.loads(sizes) if sizes else [], kinds.split(", ") if kinds else []
    values = json.loads(case[5]) if case[5] else ()
    if not dims:
        return "skipped", "no sizes were recorded"
    try:
        name, overload, dims, types, values = stand_in(name, overload, dims, types, values)
    except CannotBuild as failure:
        return "skipped", str(failure)
    if sum(math.prod(value) for value in dims if is_sizes(value)) > most:
        return "skipped", "more than {} elements".format(most)
    torch.manual_seed(0)
    try:
        call, expected = reference(name, overload, dims, types, values)
    except Exception as failure:
        return "skipped", "the CPU refused: " + str(failure).strip().partition("\n")[0]
    try:
        found = tensors(run(name, call, device))
    except Exception as failure:
        return "failed", str(failure).strip().partition("\n")[0]
    text, called = difference(name, expected, found), "as " + name if name != case[0] else ""
    return ("differs", text) if text else ("passed", called)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default=DEVICE, help="where operators run beside the CPU (%(default)s)")
    parser.add_argument("--most", type=int, default=1 << 26, help="elements of a call; larger ones are skipped (%(default)s)")
    options = parser.parse_args()
    try:
        if PLUGIN and options.device.startswith(DEVICE):
            importlib.import_module(PLUGIN)
        torch.ones(1).to(options.device)
    except Exception as failure:
        print("{} is not there: {}".format(options.device, failure), file=sys.stderr)
        return 2
    counts = {"passed": 0, "differs": 0, "failed": 0, "skipped": 0}
    for case in CASES:
        outcome, text = examine(case, options.device, options.most)
        counts[outcome] += 1
        print("{:8} {} {} {} [{}]{}".format(outcome, case[0], case[2], case[3], case[4], ": " + text if text else ""), flush=True)
    print(", ".join("{} {}".format(count, outcome) for outcome, count in counts.items()))
    return 1 if counts["differs"] or counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
