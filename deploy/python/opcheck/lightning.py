"""A callback of Lightning that captures steps of the training: Trainer(callbacks=[opcheck.lightning.Capture("run")])."""
from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from .capture import capture

_module = "lightning.pytorch" if importlib.util.find_spec("lightning") else "pytorch_lightning"
_base: Any = importlib.import_module(_module + ".callbacks").Callback


class Capture(_base):  # type: ignore[misc]
    """Parameters as those of opcheck.capture, which is the attribute `capture`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__()
        self.capture = capture(*arguments, **options)

    def on_train_start(self, trainer: Any, *_: Any) -> None:
        self.capture.__enter__()

    def on_train_batch_end(self, *_: Any, **__: Any) -> None:
        self.capture.step()

    def on_train_end(self, *_: Any) -> None:
        self.capture.__exit__(None, None, None)

    def on_exception(self, trainer: Any, module: Any, error: BaseException) -> None:
        self.capture.__exit__(type(error), error, error.__traceback__)
