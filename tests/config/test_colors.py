"""Contrast of the colors of pages and table, of text and of signs."""

import re
from itertools import product

import pytest
from django.conf import settings

from accounts.models import Preferences

CSS = (settings.BASE_DIR / "static/css/base/tokens.css").read_text()
SYSTEM_LIGHT = ":root:not([data-theme])"
THEMES = {
    "dark": ":root {",
    "light, by the device": SYSTEM_LIGHT,
    "light, chosen": ':root[data-theme="light"]',
    "contrast": ':root[data-theme="contrast"]',
}
GROUNDS = ("ground", "surface", "raised")
# WCAG 2.2: 4.5 for text, 3 for the edges of controls.
TEXT_PAIRS = [
    *product(("text", "muted", "accent", "good", "warn", "bad", "info"), GROUNDS),
    ("accent-strong", "ground"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
]
EDGE_PAIRS = list(product(("edge", "accent"), GROUNDS))


def tokens(theme):
    """Return the color tokens in the block of a theme."""
    start = CSS.index(THEMES[theme])
    block = CSS[start : CSS.index("}", start)]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_contrast_on_every_ground(theme):
    colors = tokens(theme)
    least = 7 if theme == "contrast" else 4.5
    weak = {
        pair: round(contrast(colors[pair[0]], colors[pair[1]]), 2)
        for pair in TEXT_PAIRS
        if contrast(colors[pair[0]], colors[pair[1]]) < least
    }
    assert not weak


@pytest.mark.parametrize("theme", THEMES)
def test_edges_of_controls_have_contrast(theme):
    colors = tokens(theme)
    weak = [pair for pair in EDGE_PAIRS if contrast(colors[pair[0]], colors[pair[1]]) < 3]
    assert not weak


def test_light_theme_is_the_same_by_choice_and_by_device():
    assert tokens("light, by the device") == tokens("light, chosen")


def test_every_theme_sets_every_color():
    names = set(tokens("dark"))
    for theme in THEMES:
        assert set(tokens(theme)) == names


# --- The looks of the table: every board with every set of checkers -------------------------------

LOOKS = (settings.BASE_DIR / "static/css/board/looks.css").read_text()
COLOR = re.compile(r"--([a-z-]+): (#[0-9a-f]{6});")
CHOSEN = Preferences.Board.values, Preferences.Checkers.values
COMBINATIONS = list(product(THEMES, *CHOSEN))
FIELD = ("board-felt", "point-a", "point-b")
GROUNDS_OF_CHECKERS = (*FIELD, "tray", "wood")  # the bar has the color of wood
BOARD_COLORS = {
    "wood",
    "wood-text",
    "hint",
    "hint-rim",
    "lift",
    "lift-rim",
    "trace",
    "trace-rim",
    "fault",
    "tray",
    *FIELD,
}
CHECKER_COLORS = {
    f"{color}-{part}"
    for color in ("light", "dark")
    for part in ("body", "rim", "mark", "groove", "ink")
}


def block(selector):
    """Return the colors of the one rule of looks.css with the selector; {} if there is no rule."""
    rules = [
        body
        for names, body in re.findall(r"([^{}]+)\{([^{}]*)\}", LOOKS.partition("@media (forced")[0])
        if selector.rstrip(" {") in [name.strip() for name in re.split(r",|\*/", names)]
    ]
    return dict(COLOR.findall("".join(rules)))


def look(theme, board, checkers):
    """Return all colors of a table; chosen looks win over the theme."""
    return {
        **block(":root"),
        **(block(THEMES[theme]) if theme != "dark" else {}),
        **block(f'[data-board="{board}"]'),
        **block(f'[data-checkers="{checkers}"]'),
    }


def seen(colors, thing, ground, names):
    """Return the best contrast of the named colors of a thing against the ground."""
    return max(contrast(colors[name.format(thing)], colors[ground]) for name in names)


@pytest.mark.parametrize(("theme", "board", "checkers"), COMBINATIONS)
def test_checkers_have_contrast_wherever_they_stand(theme, board, checkers):
    colors = look(theme, board, checkers)
    weak = {
        (color, ground): round(seen(colors, color, ground, ("{}-body", "{}-rim")), 2)
        for color, ground in product(("light", "dark"), GROUNDS_OF_CHECKERS)
        if seen(colors, color, ground, ("{}-body", "{}-rim")) < 3
    }
    assert not weak


@pytest.mark.parametrize(("theme", "checkers"), list(product(THEMES, CHOSEN[1])))
def test_the_two_colors_of_a_set_differ_in_body_rim_and_mark(theme, checkers):
    colors = look(theme, "classic", checkers)
    pairs = [("light-body", "dark-body"), ("light-rim", "dark-rim")]
    pairs += [
        (f"{color}-{part}", f"{color}-body")
        for color, part in product(("light", "dark"), ("rim", "mark"))
    ]
    weak = [pair for pair in pairs if contrast(colors[pair[0]], colors[pair[1]]) < 3]
    assert not weak
    for color in ("light", "dark"):
        assert contrast(colors[f"{color}-ink"], colors[f"{color}-body"]) >= 4.5  # counts, pips


@pytest.mark.parametrize(("theme", "board"), list(product(THEMES, CHOSEN[0])))
def test_hints_have_contrast_on_every_board(theme, board):
    colors = look(theme, board, "classic")
    assert contrast(colors["wood-text"], colors["wood"]) >= 4.5
    for sign in ("hint", "lift"):
        assert contrast(colors[sign], colors[f"{sign}-rim"]) >= 3, sign
    for ground in (*FIELD, "wood"):  # a checker on the bar can be chosen too
        assert seen(colors, "hint", ground, ("{}", "{}-rim")) >= 3, ground
        assert seen(colors, "lift", ground, ("{}", "{}-rim")) >= 3, ground
        assert seen(colors, "trace", ground, ("{}", "{}-rim")) >= 3, ground
    assert contrast(colors["trace"], colors["trace-rim"]) >= 3
    assert contrast(colors["fault"], colors["board-felt"]) >= 3


def test_every_look_sets_every_required_color():
    assert set(block(":root")) >= BOARD_COLORS | CHECKER_COLORS
    for name in CHOSEN[0][1:]:
        assert set(block(f'[data-board="{name}"]')) >= BOARD_COLORS, name
    for name in CHOSEN[1][1:]:
        assert set(block(f'[data-checkers="{name}"]')) == CHECKER_COLORS, name


def test_the_light_board_is_the_same_by_choice_and_by_device():
    assert block(THEMES["light, chosen"]) == block(THEMES["light, by the device"]) != {}
