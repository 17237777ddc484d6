"""Readiness reports for torch_npu and torch_musa, from a loop that captures its own dump.

    import opcheck
    with opcheck.capture("run", steps=5) as c:
        for batch in loader:
            train(batch)
            c.step()
    print(c.report.verdict("npu"))
"""
from .capture import CaptureWarning, capture
from .program import Error, check, path
from .report import Report
from .version import VERSION as __version__

__all__ = ["CaptureWarning", "Error", "Report", "__version__", "capture", "check", "path"]
