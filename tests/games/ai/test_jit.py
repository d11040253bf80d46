"""The cache of compiled code: keyed by dependencies and shared by processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from games.ai.kernel import bearoff, jit

# It calls a function that takes half a second to compile, with one of another module inlined.
SCRIPT = """
import numpy as np
from games.ai.kernel.bearoff import home_index
print(home_index(np.ones(6, np.int8)))
"""


def test_change_invalidates_only_dependent_modules() -> None:
    search = jit.sources("games.ai.kernel.search")
    for name in ("search", "choice", "game", "long.single_moves", "jit"):
        assert f"games.ai.kernel.{name}" in search
    assert not any("train" in name or "heuristic" in name for name in search)
    assert "games.ai.kernel.search" not in jit.sources("games.ai.train.selfplay")
    assert "tests.bench.ladder.weights" in jit.sources("tests.bench.ladder.compiled")
    names = ("search", "choice", "game", "long.single_moves", "jit")
    assert len({jit.folder_of(f"games.ai.kernel.{name}") for name in names}) == len(names)


@pytest.mark.slow
def test_processes_that_start_together_compile_one_after_the_other(
    tmp_path: Path,
) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    expected = f"{bearoff.home_index(np.ones(6, np.int8))}\n"

    def begin() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", SCRIPT], env=env, text=True, stdout=subprocess.PIPE
        )

    for _compiled_before in (False, True):
        for process in [begin(), begin()]:
            answer, _errors = process.communicate()
            assert process.returncode == 0
            assert answer == expected
    assert list(tmp_path.glob("*/*/bearoff*.nbc"))
