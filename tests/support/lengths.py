"""How long the long tests are: short in CI, long under `python3 run.py test --long`.

Both forms judge alike. The docstring of a shortened test says what its short form still finds.
"""

import os

IS_LONG = os.environ.get("LONG", "").lower() in ("1", "true", "yes")


def length(short: int, long: int) -> int:
    return long if IS_LONG else short
