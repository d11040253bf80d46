"""The colors of boards and checkers, read from the style sheets, which are their only source."""

import re
from functools import cache

from django.conf import settings

FILES = ("looks.css", "goods-boards.css", "goods-checkers.css")
BASE = ":root"
LIGHT = ':root[data-theme="light"]'

_COLOR = re.compile(r"--([a-z-]+): (#[0-9a-f]{6});")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

Colors = dict[str, str]


@cache
def rules() -> dict[str, Colors]:
    """Return the colors that each selector sets, except for devices with forced colors."""
    folder = settings.BASE_DIR / "static/css/board"
    found: dict[str, Colors] = {}
    for name in FILES:
        text = _COMMENT.sub("", (folder / name).read_text("utf-8").partition("@media (forced")[0])
        for selectors, body in _RULE.findall(text):
            for selector in selectors.split(","):
                colors = dict(_COLOR.findall(body))
                found[selector.strip()] = found.get(selector.strip(), {}) | colors
    return found


def colors_of(theme: str, board: str, checkers: str) -> Colors:
    """Return the colors of a table: those of `theme` (BASE or LIGHT), overridden by both looks."""
    chosen = (BASE, theme, f'[data-board="{board}"]', f'[data-checkers="{checkers}"]')
    return {name: color for each in chosen for name, color in rules().get(each, {}).items()}
