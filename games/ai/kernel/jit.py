"""How the kernel is compiled, and where what was compiled is kept.

numba notices a change of the file that holds a function, not of the files that it calls into. The
folder of the cache is therefore named after the content of all compiled sources.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])

_AI = Path(__file__).resolve().parent.parent
_SITE = _AI.parent.parent


def cache_folder() -> Path:
    """`var/numba/<sources>`, or the same under the system's temporary folder if not writable."""
    digest = hashlib.sha256()
    for source in sorted([*_AI.glob("kernel/*.py"), *_AI.glob("train/*.py")]):
        text = source.read_bytes()
        if b"\n@njit" in text:
            digest.update(text)
    name = digest.hexdigest()[:12]
    for parent in (_SITE / "var", Path(tempfile.gettempdir()) / f"gammon-{os.getuid()}"):
        folder = parent / "numba" / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise OSError("no writable folder for compiled code: set NUMBA_CACHE_DIR")


if "NUMBA_CACHE_DIR" not in os.environ:
    config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]


def njit(function: F) -> F:
    """Compiled at the first call or loaded from the cache; holds no lock while it runs."""
    compiled = numba.njit(cache=True, nogil=True, fastmath=True, error_model="numpy")(function)
    return cast(F, compiled)


def thin(function: F) -> F:
    """As `njit`, for a function that becomes part of each of its callers.

    A caller is compiled together with all that it calls, and this at each layer again: a layer
    less is a good deal less to compile.
    """
    compiled = numba.njit(
        cache=True, nogil=True, fastmath=True, error_model="numpy", inline="always"
    )(function)
    return cast(F, compiled)
