"""Compilation of the kernel, and the cache of compiled code.

numba notices a change of the file that holds a function, not of the files it calls into. So the
compiled functions of a file are stored in a folder named after the content of that file and of all
files of `games.ai` that it imports. A change of a file recompiles only what depends on it. Only one
process at a time compiles into a folder: concurrent writes would corrupt the files and crash every
process that loads them later.
"""

import hashlib
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import numba
from numba.core import config
from numba.core.compiler_lock import global_compiler_lock

if sys.platform != "win32":
    import fcntl

F = TypeVar("F", bound=Callable[..., Any])
_held: set[Path] = set()  # folders whose lock this process holds

_SITE = Path(__file__).resolve().parent.parent.parent.parent
_IMPORTS = re.compile(r"^from ([.\w]+) import (\([^)]*\)|.*)$", re.MULTILINE)


@cache
def kept_folder() -> Path:
    """Return the folder for compiled code.

    It is `NUMBA_CACHE_DIR`; if this is not set, `var/numba` or else a folder inside the system's
    temporary one. Raises `OSError` if none is writable; with `NUMBA_CACHE_DIR` set, no other is
    tried.
    """
    asked = os.environ.get("NUMBA_CACHE_DIR")
    if asked:
        found = _find_writable(Path(asked))
    else:
        found = _find_writable(_SITE / "var" / "numba") or _find_temporary()
    if found is None:
        raise OSError("no writable folder for compiled code: set NUMBA_CACHE_DIR")
    return found


def _find_writable(folder: Path) -> Path | None:
    """Return the folder, created if needed; None if it is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _find_temporary() -> Path | None:
    try:
        return _find_writable(_temporary_folder())
    except OSError:
        return None


def _temporary_folder() -> Path:
    """Return a folder inside the system's temporary one that nobody else can write to.

    numba runs what it loads. So if somebody else made the usual folder or may write to it, make a
    new one. It becomes `NUMBA_CACHE_DIR`, so that the processes that this one starts use it too.
    """
    temporary = Path(tempfile.gettempdir())
    if sys.platform == "win32":  # there it is the user's own
        return temporary / "gammon" / "numba"
    own = temporary / f"gammon-compiled-{os.getuid()}"
    with suppress(FileExistsError):
        own.mkdir(mode=0o700)
    if _is_private(own.lstat()):
        return own / "numba"
    os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="gammon-")
    return Path(os.environ["NUMBA_CACHE_DIR"])


def _is_private(about: os.stat_result) -> bool:
    may_others_write = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) != 0
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not may_others_write


@cache
def sources(module: str) -> frozenset[str]:
    """Return the module and all modules whose content its compiled functions depend on.

    Imports are followed inside `games.ai` and, for compiled code of a test or a bench, inside the
    module's own package.
    """
    packages = ("games.ai.", f"{module.rpartition('.')[0]}.")
    found, left = {module}, [module]
    while left:
        new = {name for name in _imported(left.pop()) if name.startswith(packages)} - found
        found |= new
        left += new
    return frozenset(found)


@cache
def _imported(module: str) -> tuple[str, ...]:
    return tuple(name for name in _names(_text(module)) if _path(name).is_file())


def _names(text: str) -> Iterator[str]:
    """Yield the names of possible modules: each `from` module, and `module.name` of its imports."""
    for module, names in _IMPORTS.findall(text):
        yield module
        for name in re.findall(r"\w+", names):
            yield f"{module}.{name}"


def _path(module: str) -> Path:
    return _SITE / f"{module.replace('.', '/')}.py"


@cache
def _text(module: str) -> str:
    return _path(module).read_text(encoding="utf-8")


@cache
def folder_of(module: str) -> Path:
    """Return the cache folder of a module; it is created at the first compilation."""
    digest = hashlib.sha256()
    for name in sorted(sources(module)):
        digest.update(f"{name}\n{_text(name)}".encode())
    return kept_folder() / digest.hexdigest()[:12]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder, so that no other process compiles into it or loads incomplete files."""
    with global_compiler_lock:
        if folder in _held or sys.platform == "win32":
            yield
            return
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _held.add(folder)
            try:
                yield
            finally:
                _held.remove(folder)


def njit(function: F) -> F:
    """Compile at the first call or load from the cache; the function runs without the GIL."""
    return _compiled(function)


def thin(function: F) -> F:
    """Compile as `njit`, inlined into each caller.

    numba compiles a caller together with all its callees, so every layer of calls compiles the
    layers below it again: inlining a layer saves much compile time.
    """
    return _compiled(function, inline="always")


def _compiled(function: F, inline: Literal["never", "always"] = "never") -> F:
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    folder = folder_of(function.__module__)
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    made: Any = numba.njit(
        cache=True, nogil=True, fastmath=True, error_model="numpy", inline=inline
    )(function)
    compile_or_load = made.compile

    def compile_alone(signature: Any) -> Any:
        with _alone(folder):
            return compile_or_load(signature)

    made.compile = compile_alone
    return cast(F, made)
