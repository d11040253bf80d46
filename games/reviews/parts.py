"""Parts of the review page that are the same at every step of a game, rendered once.

A process keeps the newest of them, compressed, in the cache `pages`.
"""

import zlib
from collections.abc import Mapping
from typing import Any

from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.archive.store import VERSION, Slot
from games.engine.sides import Side
from games.models import Match

HOUR_S = 3600


def parts_of(
    match: Match, near: Side, context: Mapping[str, Any], slot: Slot
) -> dict[str, SafeString]:
    """Return the `moves`; once reviewed, also the `findings` and, with a chart, the `chart_table`.

    If one is not in the cache, all are rendered inside `slot()`. Parts of a running match are not
    cached.
    """
    names = ["moves"]
    if context["report"]:
        names += ["findings", "chart_table"] if context["chart"] else ["findings"]
    keys = {name: _key(match, near, context, name) for name in names}
    kept = caches["pages"].get_many(keys.values()) if match.is_finished else {}
    if len(kept) < len(names):
        with slot():
            rendered = {key: _rendered(name, context) for name, key in keys.items()}
        if match.is_finished:
            caches["pages"].set_many(rendered, HOUR_S)
        kept = rendered
    parts = {name: zlib.decompress(kept[key]).decode() for name, key in keys.items()}
    if "findings" in parts:
        # The cached part hides every finding: show that of the step on the board.
        marked = f'data-found="{context["at"]}"'
        parts["findings"] = parts["findings"].replace(f"{marked} hidden", marked, 1)
    return {name: mark_safe(text) for name, text in parts.items()}


def _key(match: Match, near: Side, context: Mapping[str, Any], name: str) -> str:
    stage = "reviewed" if context["report"] else "plain"
    about = (match.public_id, context["number"], stage, near.value, get_language(), name)
    return f"review:{VERSION}:" + ":".join(map(str, about))


def _rendered(name: str, context: Mapping[str, Any]) -> bytes:
    return zlib.compress(render_to_string(f"games/review/_{name}.html", dict(context)).encode())
