"""Bundles: sets of styles, each of which `collectstatic` joins into one file.

A bundle lists its styles in the order of the cascade. A style in no bundle stays a file of its own.
"""

FOLDER = "css/"
BUNDLES = {
    "base": (
        "base/tokens", "base/elements", "base/header", "base/menus", "base/components",
        "base/players",
    ),
    "board": (
        "board/looks", "board/board", "board/pieces", "board/goods-boards", "board/goods-checkers",
    ),
    "table": (
        "table/layout", "board/middle", "table/strips", "table/offers", "table/coach",
        "table/details", "table/chat",
    ),
    "home": ("pages/showcase", "pages/home"),
    "lobby": ("pages/showcase", "pages/lobby"),
    "review": ("review/playback", "review/report"),
}  # fmt: skip


def parts(bundle: str) -> list[str]:
    """Return the files of a bundle, such as "css/base/tokens.css"."""
    return [f"{FOLDER}{name}.css" for name in BUNDLES[bundle]]


def joined(bundle: str) -> str:
    """Return the name of the file that has the whole bundle."""
    return f"{FOLDER}shared/{bundle}.css"
