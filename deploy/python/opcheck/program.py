"""The program opcheck, and what its answers are in Python."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import List, Sequence, Union

from .report import Report

Path = Union[str, "os.PathLike[str]"]
PASSED, GATE_FAILED = 0, 1


class Error(RuntimeError):
    """The program's error text; status is its exit status."""

    def __init__(self, text: str, status: int = 70) -> None:
        super().__init__(text)
        self.status = status


def path() -> str:
    """The program: $OPCHECK, else that of this package, else the first in $PATH."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "opcheck")
    found = os.environ.get("OPCHECK") or (own if os.path.exists(own) else shutil.which("opcheck"))
    if not found:
        raise Error("the program opcheck is not in $PATH; install the wheel of this machine's architecture, or set $OPCHECK")
    return found


def run(arguments: Sequence[Path]) -> bytes:
    """What the program prints; Error unless it passed or a gate failed."""
    done = subprocess.run([path(), *(os.fspath(one) for one in arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (PASSED, GATE_FAILED):
        raise Error(done.stderr.decode("utf-8", "replace").strip(), done.returncode)
    return done.stdout


def check(*dumps: Path, targets: Sequence[str] = (), options: Sequence[str] = ()) -> Report:
    """Judge dumps, or a folder of them, on targets such as "npu@2.7.1"; by default on the newest of npu and musa."""
    asked: List[Path] = ["check", "-q", "-f", "json", *options]
    for target in targets:
        asked += ["-t", target]
    return Report.of(json.loads(run([*asked, "--", *dumps])))
