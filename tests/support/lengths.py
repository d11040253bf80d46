"""Sizes of long tests: a short form by default, a long one under `python3 run.py test --long`.

The docstring of such a test says what its short form still finds.
"""

import os

IS_LONG = os.environ.get("LONG", "").lower() in ("1", "true", "yes")


def length(short: int, long: int) -> int:
    return long if IS_LONG else short
