"""Run by deploy/packagetest.sh with the wheel installed: its own program, or $OPCHECK, judges a dump and a loop that it captures."""
import os
import sys

import torch

import opcheck

assert opcheck.path() == (os.environ.get("OPCHECK") or os.path.join(os.path.dirname(opcheck.__file__), "bin", "opcheck"))
assert os.environ.get("OPCHECK") or "site-packages" in opcheck.path()
report = opcheck.check(sys.argv[1], targets=["npu@2.7.1"])
assert report.verdict("npu@2.7.1") in ("ready", "ready-with-warnings", "blocked", "inconclusive") and report.tool.version == opcheck.__version__
with opcheck.capture("run", steps=2) as c:
    for _ in range(4):
        torch.nn.functional.relu(torch.randn(8, 8) @ torch.randn(8, 8)).sum()
        c.step()
assert {"aten::mm", "aten::relu"} <= {one.name for one in c.report.operators}
print("%s: %s; a captured loop: %s" % (os.path.basename(sys.argv[1]), report.verdict("npu"), c.report.verdict("npu")))
