"""Identity of the net that judges a variant, read from its weights file without loading numba."""

import json
from typing import Any

from django.conf import settings

# Bytes; the header, the first line of a weights file, is never longer
# (games/ai/net/weights_files.py).
_MAX_HEADER = 4096
_FIELDS = ("sha256", "games", "hidden", "commit")


def judge_of(variant: str) -> dict[str, Any]:
    """Return `{"net", "sha256", "games", "hidden", "commit"}`; only `net` if unreadable."""
    path = settings.BASE_DIR / "games" / "ai" / "weights" / f"{variant}.net"
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline(_MAX_HEADER))
    except (OSError, ValueError):
        header = {}
    return {"net": variant} | {name: header[name] for name in _FIELDS if name in header}
