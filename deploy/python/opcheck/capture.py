"""Captures steps of a running loop with torch's own profiler.

The profiler is known by its features, not by versions: a parameter that the running torch takes is passed, a class that it
has is used. Errors of the capture are warnings, and the exceptions of the loop pass through.
"""
from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import os
import sys
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Type

from .program import Error, Path, check, run
from .report import Report


EXECUTION_TRACE = "execution_trace.json"


class CaptureWarning(UserWarning):
    """A dump is missing or incomplete; the loop is unharmed."""


@contextlib.contextmanager
def guarded(action: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        warnings.warn("opcheck: %s: %s: %s" % (action, type(error).__name__, error), CaptureWarning, stacklevel=4)


def parameters(function: Any) -> Set[str]:
    """Names of a function's parameters; empty if it does not say."""
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()


def taken(function: Any, **wanted: Any) -> Dict[str, Any]:
    known = parameters(function)
    return {name: value for name, value in wanted.items() if name in known}


def rank_of(torch: Any) -> Optional[int]:
    """The rank in a run of several processes; None for one alone."""
    distributed = getattr(torch, "distributed", None)
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return int(distributed.get_rank()) if distributed.get_world_size() > 1 else None
    return int(os.environ.get("RANK", "0")) if int(os.environ.get("WORLD_SIZE", "1")) > 1 else None


def details(torch: Any) -> Any:
    """The configuration that records names of overloads, where the running torch has it."""
    config = getattr(getattr(torch._C, "_profiler", None), "_ExperimentalConfig", None)
    if config is None:
        return None
    try:
        return config(capture_overload_names=True)
    except TypeError:
        return config()


def table(profiler: Any) -> str:
    groups = {name: True for name in ("group_by_input_shape", "group_by_input_shapes", "group_by_overload_name")}
    rows = profiler.key_averages(**taken(profiler.key_averages, **groups))
    whole = taken(rows.table, sort_by="self_cpu_time_total", row_limit=-1, max_name_column_width=None, max_shapes_column_width=None)
    return str(rows.table(**whole)) + "\n"


def busy(torch: Any) -> bool:
    """Whether a profiler of the loop runs; a second one would break it."""
    for owner in (torch.autograd, getattr(torch._C, "_autograd", None)):
        enabled = getattr(owner, "_profiler_enabled", None)
        if enabled is not None:
            return bool(enabled())
    return False


class Recording:
    """One capture, from its first warm-up step to the files in its folder. A torch with Kineto records a trace of all steps;
    the traces of others have no shapes, and a table of each step is what says most."""

    def __init__(self, torch: Any, prefix: str, warmup: int, steps: int, stacks: bool) -> None:
        self.torch, self.prefix, self.warmup, self.wanted = torch, prefix, warmup, steps
        self.warmup_steps, self.steps = warmup, 0
        self.files: List[str] = []
        self.tables: List[str] = []
        self.profiler: Any = None
        self.observer: Any = None
        newer: Any = getattr(torch, "profiler", None)
        has_kineto = getattr(torch.autograd, "kineto_available", None)
        self.traced = hasattr(newer, "ProfilerAction") and has_kineto is not None and bool(has_kineto())
        profile = newer.profile if self.traced else torch.autograd.profiler.profile
        options = taken(profile, record_shapes=True, with_stack=stacks, with_modules=True, schedule=self.action, experimental_config=details(torch))
        if not self.traced and torch.cuda.is_available():
            options.update(taken(profile, use_device="cuda") or taken(profile, use_cuda=True))
        self.make: Callable[[], Any] = functools.partial(profile, **options)

    def action(self, step: int) -> Any:
        actions = self.torch.profiler.ProfilerAction
        return actions.WARMUP if step < self.warmup_steps else actions.RECORD

    def start(self) -> None:
        if busy(self.torch):
            raise RuntimeError("another profiler is running")
        if self.traced or not self.warmup:
            self.profiler = self.make()
            self.profiler.__enter__()
        if not self.warmup:
            self.observe()

    def observe(self) -> None:
        """Record the execution trace of the active steps, where the running torch can."""
        found = getattr(getattr(self.torch, "profiler", None), "ExecutionTraceObserver", None)
        if found is not None:
            with guarded("cannot record the execution trace"):
                observer = found()
                observer.register_callback(self.prefix + EXECUTION_TRACE)
                observer.start()
                self.observer = observer

    def step(self) -> bool:
        """Count a finished step. True after the last."""
        if self.warmup:
            self.warmup -= 1
        else:
            self.steps += 1
        if self.steps == self.wanted:
            return True  # a further step of the profiler would be an empty one of the trace
        if self.traced:
            self.profiler.step()
            if not self.warmup and not self.steps:
                self.observe()
        elif not self.warmup:
            self.end_table()
            self.profiler = self.make()
            self.profiler.__enter__()
        return False

    def end_table(self) -> None:
        profiler, self.profiler = self.profiler, None
        if profiler is not None:
            profiler.__exit__(None, None, None)
            if len(self.tables) < self.steps:
                self.tables.append(table(profiler))

    def stop(self) -> None:
        """Stop recording, and write the finished steps."""
        observer, self.observer = self.observer, None
        if observer is not None:
            with guarded("cannot end the execution trace"):
                observer.stop()
                observer.unregister_callback()
        profiler = self.profiler
        with guarded("cannot end the table"):
            self.end_table()
        if not self.steps:
            return
        if self.traced:
            self.write("trace.json.gz", profiler.export_chrome_trace)
        self.write("table.log", self.put_tables)
        if observer is not None:
            self.files.append(self.prefix + EXECUTION_TRACE)

    def write(self, name: str, put: Callable[[str], None]) -> None:
        path = self.prefix + name
        with guarded("cannot write %s" % path):
            put(path)
            self.files.append(path)

    def put_tables(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(self.tables)


class capture:
    """Captures `steps` steps of a loop after `wait` and `warmup` ones: call step() at the end of each. Files are in `folder`, those of
    rank N of several in `folder`/rankN. With `server` the dump is submitted at the end, with $OPCHECK_TOKEN."""

    def __init__(self, folder: Path, steps: int = 5, wait: int = 1, warmup: int = 1, *, stacks: bool = False, targets: Sequence[str] = (),
                 server: str = "", model: str = "") -> None:
        if steps < 1 or wait < 0 or warmup < 0:
            raise ValueError("steps must be at least 1, wait and warmup at least 0")
        self.folder = os.fspath(folder)
        self.steps, self.wait, self.warmup, self.stacks = steps, wait, warmup, stacks
        self.targets, self.server, self.model = list(targets), server, model
        self.seen = 0
        self.files: List[str] = []  # written by this process, the most complete first
        self.recording: Optional[Recording] = None
        self._report: Optional[Report] = None

    def __enter__(self) -> capture:
        if not self.wait:
            self._begin()
        return self

    def step(self) -> None:
        """Say that a step of the loop is done."""
        self.seen += 1
        if self.seen == self.wait:
            self._begin()
        elif self.recording is not None:
            try:
                if self.recording.step():
                    self._end()
            except Exception as error:
                self._give_up(error)

    def __exit__(self, kind: Optional[Type[BaseException]], value: Any, trace: Any) -> None:
        if self.recording is not None:
            got = self.recording.steps
            self._end()
            self._warn("the loop ended after %d of %d steps to capture" % (got, self.steps))
        elif self.seen < self.wait:
            self._warn("the loop ended before the capture began, after %d of %d steps to wait for" % (self.seen, self.wait))
        if self.server and self.files:
            with guarded("cannot submit the dump"):
                run(["submit", "-q", "--server", self.server, *(["--model", self.model] if self.model else []), "--", self.files[0]])

    @property
    def report(self) -> Report:
        """The report of this process's dump, made when it is first asked for."""
        if self._report is None:
            if not self.files:
                raise Error("nothing was captured in %s" % self.folder, 3)
            self._report = check(self.files[0], targets=self.targets)
        return self._report

    def _begin(self) -> None:
        try:
            torch = importlib.import_module("torch")
            rank = rank_of(torch)
            own = "" if rank is None else "rank%d" % rank
            folder = os.path.join(self.folder, own)
            os.makedirs(folder, exist_ok=True)
            self.recording = Recording(torch, os.path.join(folder, own and own + "."), self.warmup, self.steps, self.stacks)
            self.recording.start()
        except Exception as error:
            self._give_up(error)

    def _end(self) -> None:
        recording, self.recording = self.recording, None
        if recording is None:
            return
        with guarded("cannot end the capture"):
            recording.stop()
            self.files = recording.files
            for path in self.files:
                print("opcheck: %s: %.1f MB, %d steps" % (path, os.path.getsize(path) / 1e6, recording.steps), file=sys.stderr)

    def _give_up(self, error: Exception) -> None:
        recording, self.recording = self.recording, None
        self._warn("cannot capture: %s: %s" % (type(error).__name__, error))
        if recording is not None:
            recording.steps = 0
            with guarded("cannot end the capture"):
                recording.stop()

    def _warn(self, text: str) -> None:
        warnings.warn("opcheck: " + text, CaptureWarning, stacklevel=3)
