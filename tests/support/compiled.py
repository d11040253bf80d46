"""Compile the code of bots and judges before a test needs it; later runs find it in the cache."""

import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def compile_all() -> None:
    subprocess.run([sys.executable, "-m", "games.ai", "compile"], cwd=ROOT, check=True)
