"""Each program that pytest-codeblocks runs starts as a script would.

It is __main__, and nothing is left over from the program before it.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import warnings

import pytest

os.environ["MPLBACKEND"] = "agg"

_first_state: dict[str, object] = {}


def pytest_runtest_setup(item: pytest.Item) -> None:
    block = getattr(item, "obj", None)
    if getattr(block, "syntax", None) != "python":
        return
    _forget_earlier_programs()
    if not block.code.startswith("__name__ = "):
        block.code = '__name__ = "__main__"\n' + block.code


def _forget_earlier_programs() -> None:
    import numpy
    import torch

    if not _first_state:
        _first_state["torch"] = torch.get_rng_state()
        _first_state["numpy"] = numpy.random.get_state()
        _first_state["random"] = random.getstate()
    torch.set_rng_state(_first_state["torch"])
    numpy.random.set_state(_first_state["numpy"])
    random.setstate(_first_state["random"])

    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    torch.set_grad_enabled(True)
    torch.autograd.set_detect_anomaly(False)
    torch.set_printoptions(profile="default")
    torch.set_warn_always(True)  # C++ warnings come once per process otherwise
    gc.enable()
    gc.collect()
    gc.freeze()  # leftovers would slow down every later collection

    # What a fresh interpreter has; pytest puts its own back after the test.
    warnings.resetwarnings()
    for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning):
        warnings.simplefilter("ignore", category)
    warnings.simplefilter("ignore", ResourceWarning)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")

    if "torch._dynamo" in sys.modules:
        torch._dynamo.reset()
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
