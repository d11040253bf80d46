"""The kernel without its compiler: the same code, interpreted, until compiled code is available.

Until then the bots' process plays at 0-ply. Interpreted code is about a hundred times slower, but
answers in milliseconds. Differences between compiled code and Python are patched here.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import config
from numba.cpython.unsafe import numbers

from games.ai.kernel import jit


def prepare() -> None:
    """Disable the compiler for the rest of this process; call before importing the kernel."""
    config.DISABLE_JIT = 1  # type: ignore[attr-defined]
    bits: Any = numbers
    bits.trailing_zeros = lambda number: (int(number) & -int(number)).bit_length() - 1
    bits.leading_zeros = lambda number: 64 - int(number).bit_length()
    # Compiled code adds int8 numbers as int64, so arrays are int64 here. The sums that are keys of
    # positions may overflow: numpy would warn of it.
    np.int8 = np.int64  # type: ignore[assignment]
    np.seterr(over="ignore")
    try:
        jit.kept_folder()
    except OSError:  # nothing is cached in this process
        jit.kept_folder = lambda: Path(os.devnull)  # type: ignore[assignment]

    from games.ai.kernel import bearoff, game, net

    net.add_rows, net.judge = _add_rows, _judge
    # Without the bear-off table, which would take minutes, the nets evaluate races as well. Every
    # reader of the table finds its rows by `home_indexes`: here no side is ever home.
    bearoff.table = lambda: np.zeros((1, 1), np.float32)
    game.home_indexes = lambda variant, board: (-1, -1)


def _add_rows(weights: Any, phase: int, idx: Any, val: Any, count: int, sums: Any) -> None:
    sums += val[:count] @ weights.first[phase, idx[:count]]


def _judge(weights: Any, phase: int, hidden: Any, chances: Any) -> None:
    activations = hidden / (1 + np.abs(hidden))
    chances[:] = 1 / (1 + np.exp(-(weights.bias2[phase] + weights.second[phase] @ activations)))
