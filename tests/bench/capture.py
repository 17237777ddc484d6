#!/usr/bin/python3
"""Processor time that opcheck.capture adds to a step outside its active steps, as a share of the step.

    python3 tests/bench/capture.py [STEPS]      with the module of deploy/python/generate.py in $PYTHONPATH

Turns with and without a capture that is over alternate, so that both see the same machine. Prints medians.
"""
import statistics
import sys
import tempfile
import time
import warnings

import torch

import opcheck


def turn(step, after, count):
    spent = []
    for _ in range(count):
        begun = time.process_time_ns()
        step()
        after()
        spent.append(time.process_time_ns() - begun)
    return spent


def main(count=200):
    torch.set_num_threads(1)
    weight, batch = torch.randn(256, 256, requires_grad=True), torch.randn(64, 256)

    def step():
        torch.nn.functional.relu(batch @ weight).sum().backward()

    warnings.simplefilter("ignore")
    with opcheck.capture(tempfile.mkdtemp(), steps=1) as c:
        turn(step, c.step, 5)
        plain, captured = [], []
        for _ in range(10):
            plain += turn(step, lambda: None, count)
            captured += turn(step, c.step, count)
    calls = 100000
    begun = time.process_time_ns()
    for _ in range(calls):
        c.step()
    each = (time.process_time_ns() - begun) / calls
    a, b = statistics.median(plain), statistics.median(captured)
    print("a step: %.0f us; with a capture that is over: %.0f us (%+.2f %%); c.step() alone: %.2f us (%.3f %%)"
          % (a / 1000, b / 1000, 100 * (b - a) / a, each / 1000, 100 * each / a))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
