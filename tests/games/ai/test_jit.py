"""The cache of compiled code: keyed by dependencies and shared by processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.ai.kernel import jit
from games.ai.kernel.bearoff import HOMES

TABLE = "from games.ai.kernel import bearoff; print(bearoff.table().sum())"


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
def test_processes_starting_together_compile_one_after_the_other(
    tmp_path: Path,
) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def begin() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", TABLE], env=env, text=True, stdout=subprocess.PIPE
        )

    for _compiled_before in (False, True):
        for process in [begin(), begin()]:
            answer, _errors = process.communicate()
            assert process.returncode == 0
            assert float(answer) == pytest.approx(HOMES, rel=1e-5)
        for table in tmp_path.glob("bearoff*.npy"):
            table.unlink()
    assert list(tmp_path.glob("*/*/bearoff*.nbc"))
