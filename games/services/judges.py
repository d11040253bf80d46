"""Which net judges a game, as its file says; the site itself computes nothing with it."""

import json
from typing import Any

from django.conf import settings

# Bytes; the header, the first line of a weights file, is never longer
# (games/ai/net/weights_files.py).
_MOST = 4096
_TOLD = ("sha256", "games", "hidden", "commit")


def judge_of(variant: str) -> dict[str, Any]:
    """`{"net", "sha256", "games", "hidden", "commit"}`; only the name where no file can be read."""
    path = settings.BASE_DIR / "games" / "ai" / "weights" / f"{variant}.net"
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline(_MOST))
    except (OSError, ValueError):
        header = {}
    return {"net": variant} | {name: header[name] for name in _TOLD if name in header}
