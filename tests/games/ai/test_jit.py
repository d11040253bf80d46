"""The cache of compiled code: keyed by dependencies and shared by processes."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from games.ai.kernel import bearoff, jit

# The script calls `home_index`, which takes half a second to compile. `home_index` itself calls a
# function of another module.
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


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the system's temporary folder for a site that cannot write to `var`."""
    site = tmp_path / "file"
    site.touch()
    monkeypatch.setattr(jit, "_SITE", site)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    return tmp_path


def kept_folder() -> Path:
    """Return `jit.kept_folder()` as a new process finds it."""
    return jit.kept_folder.__wrapped__()


def is_closed_to_others(folder: Path) -> bool:
    return stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_folder_inside_the_temporary_one_is_closed_to_others(temporary: Path) -> None:
    own = temporary / f"gammon-compiled-{os.getuid()}"
    assert kept_folder() == own / "numba"
    assert is_closed_to_others(own)
    assert kept_folder() == own / "numba"  # also if the folder exists already


def make_open(own: Path) -> None:
    (own / "numba").mkdir(parents=True)
    own.chmod(0o777)


def make_link(own: Path) -> None:
    target = own.with_name("target")
    (target / "numba").mkdir(parents=True)
    own.symlink_to(target)


def check_another_is_used(own: Path) -> None:
    folder = kept_folder()
    assert own not in folder.parents
    assert is_closed_to_others(folder)
    # Child processes find the folder by NUMBA_CACHE_DIR.
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder)
    assert kept_folder() == folder


@pytest.mark.parametrize("make", [make_open, make_link, Path.touch])
def test_folder_that_others_may_change_is_not_used(
    temporary: Path, make: Callable[[Path], None]
) -> None:
    own = temporary / f"gammon-compiled-{os.getuid()}"
    make(own)
    check_another_is_used(own)


def test_folder_of_another_user_is_not_used(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: user)
    own = temporary / f"gammon-compiled-{user}"
    (own / "numba").mkdir(parents=True)
    check_another_is_used(own)


@pytest.mark.parametrize("asked", ["", "asked"])
def test_folder_is_found_without_user_ids(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.delattr(os, "getuid")  # as on Windows
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(temporary / asked) if asked else "")
    assert kept_folder() == temporary / (asked or "gammon/numba")


@pytest.mark.slow
def test_processes_that_start_together_answer_right_and_leave_compiled_code(
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
