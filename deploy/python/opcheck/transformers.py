"""A callback of Hugging Face's Trainer that captures steps of the training: Trainer(callbacks=[opcheck.transformers.Capture("run")])."""
from __future__ import annotations

import importlib
from typing import Any

from .capture import capture

_base: Any = importlib.import_module("transformers").TrainerCallback


class Capture(_base):  # type: ignore[misc]
    """Parameters as those of opcheck.capture, which is the attribute `capture`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__()
        self.capture = capture(*arguments, **options)

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        self.capture.__enter__()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        self.capture.step()

    def on_train_end(self, *_: Any, **__: Any) -> None:
        self.capture.__exit__(None, None, None)
