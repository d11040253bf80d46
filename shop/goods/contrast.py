"""The contrast of checkers with a board, for every kind of color vision.

Contrast is that of WCAG 2.2. The three kinds of color blindness are simulated in linear RGB by the
matrices of Machado, Oliveira and Fernandes (2009) at full severity.
"""

from functools import cache
from itertools import product

from accounts.models.looks import Board, Checkers
from shop.goods.paints import BASE, LIGHT, Colors, colors_of

# Minimum contrast ratio of checkers with the ground below them; WCAG 2.2 requires it of graphics.
LEAST = 3.0
# The colors on which checkers stand; "wood" is that of the bar.
GROUNDS = ("board-felt", "point-a", "point-b", "tray", "wood")
THEMES = (BASE, LIGHT)
SIGHTS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


@cache
def least_contrast(kind: str, code: str) -> float:
    """Return the lowest contrast of a look with any look of the other kind."""
    if kind == "board":
        return min(pair_contrast(code, other) for other in Checkers.values)
    return min(pair_contrast(other, code) for other in Board.values)


@cache
def pair_contrast(board: str, checkers: str) -> float:
    """Return the lowest contrast of the checkers anywhere on the board, in any theme and sight."""
    tables = [colors_of(theme, board, checkers) for theme in THEMES]
    return min(contrast_as_seen(colors, sight) for colors, sight in product(tables, SIGHTS))


def contrast_as_seen(colors: Colors, sight: str) -> float:
    """Return the lowest contrast of a checker with a ground; of body and rim, the higher counts."""
    return min(
        max(contrast(colors[f"{side}-{part}"], colors[ground], sight) for part in ("body", "rim"))
        for side, ground in product(("light", "dark"), GROUNDS)
    )


def contrast(one: str, other: str, sight: str = "full") -> float:
    lighter, darker = sorted((luminance(one, sight), luminance(other, sight)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@cache
def luminance(color: str, sight: str = "full") -> float:
    """Return the relative luminance of `#rrggbb` for a kind of color vision, a key of SIGHTS."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True))))
        for row in SIGHTS[sight]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
