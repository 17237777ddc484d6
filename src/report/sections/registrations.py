# Writes which kernels the dispatcher of this machine has; `opcheck db import registrations` reads the file.
import datetime
import glob
import os
import re
import torch


def answer(function, *arguments):
    try:
        return str(function(*arguments) or "")
    except Exception:
        return ""


def cann_version():
    for name in ("ASCEND_TOOLKIT_HOME", "ASCEND_HOME_PATH"):
        for path in sorted(glob.glob(os.environ.get(name, "/nowhere") + "/*/ascend_toolkit_install.info")):
            with open(path, encoding="utf-8") as file:
                found = re.search(r"^version=(\S+)", file.read(), re.M)
            if found:
                return found.group(1)
    return ""


def operators():
    if hasattr(torch._C, "_dispatch_get_all_op_names"):
        return sorted(torch._C._dispatch_get_all_op_names())
    schemas = torch._C._jit_get_all_schemas()
    return sorted({s.name + ("." if s.overload_name else "") + s.overload_name for s in schemas})


def machine():
    for target, module in (("npu", "torch_npu"), ("musa", "torch_musa")):
        try:
            plugin = __import__(module)
        except ImportError:
            continue
        old = target == "npu" and [int(n) for n in re.findall(r"\d+", torch.__version__)[:2]] < [2, 1]
        sdk = cann_version() if target == "npu" else str(getattr(torch.version, "musa", None) or "")
        soc = answer(lambda: getattr(torch, target).get_device_name(0))
        return target, plugin.__version__, sdk, soc, "XLA" if old else "PrivateUse1"
    return "cpu", torch.__version__, "", "", "CPU"


def write_registrations(path="registrations.tsv"):
    target, plugin, sdk, soc, device = machine()
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    computed = torch._C._dispatch_has_computed_kernel_for_dispatch_key
    composite = ["CompositeImplicitAutograd", "CompositeExplicitAutograd",
                 "CompositeExplicitAutogradNonFunctional"]
    prefixes = ["", "Autograd", "Autocast", "Sparse", "SparseCsr", "Quantized", "NestedTensor"]
    keys = [prefix + device for prefix in prefixes] + ["CPU", "Autograd"] + composite
    keys = [key for key in dict.fromkeys(keys) if answer(lambda: [has("aten::add.Tensor", key)])]
    found = {name: [key for key in keys if answer(has, name, key)] for name in operators()}
    found = {name: of for name, of in found.items() if of}
    own = set(composite + [device])
    bare = [name for name, of in found.items() if not own & set(of) and name.startswith("aten::")]
    boxed = any(answer(computed, name, device) for name in bare)
    words = [("target", target), ("torch", torch.__version__), ("plugin", plugin), ("sdk", sdk),
             ("soc", soc), ("device", device), ("fallback", int(boxed)), ("date", datetime.date.today())]
    with open(path, "w", encoding="utf-8") as out:
        out.write("# opcheck registrations 1\n")
        out.writelines("%s\t%s\n" % word for word in words)
        out.writelines("op\t%s\t%s\n" % (name, " ".join(of)) for name, of in found.items())


if __name__ == "__main__":
    write_registrations()
