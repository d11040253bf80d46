"""The colors of tokens.css: every pair that carries text or meaning can be told apart."""

import re
from itertools import product

import pytest
from django.conf import settings

CSS = (settings.BASE_DIR / "static/css/tokens.css").read_text()
SYSTEM_LIGHT = ":root:not([data-theme])"
THEMES = {
    "dark": ":root {",
    "light, by the device": SYSTEM_LIGHT,
    "light, chosen": ':root[data-theme="light"]',
    "contrast": ':root[data-theme="contrast"]',
}
GROUNDS = ("ground", "surface", "raised")
# WCAG 2.2: 4.5 for text, 3 for the edges of things one must see to use them.
TEXT_PAIRS = [
    *product(("text", "muted", "accent", "good", "warn", "bad", "info"), GROUNDS),
    ("accent-strong", "ground"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("on-felt", "felt"),
]
EDGE_PAIRS = list(product(("edge", "accent"), GROUNDS))


def tokens(theme):
    """The color tokens of a theme, as they stand in its block."""
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


def test_contrast_is_measured_as_wcag_does():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_readable_on_every_ground(theme):
    colors = tokens(theme)
    least = 7 if theme == "contrast" else 4.5
    weak = {
        pair: round(contrast(colors[pair[0]], colors[pair[1]]), 2)
        for pair in TEXT_PAIRS
        if contrast(colors[pair[0]], colors[pair[1]]) < least
    }
    assert not weak


@pytest.mark.parametrize("theme", THEMES)
def test_edges_of_controls_are_seen(theme):
    colors = tokens(theme)
    weak = [pair for pair in EDGE_PAIRS if contrast(colors[pair[0]], colors[pair[1]]) < 3]
    assert not weak


def test_light_is_the_same_by_choice_and_by_device():
    assert tokens("light, by the device") == tokens("light, chosen")


def test_every_theme_sets_every_color():
    names = set(tokens("dark"))
    for theme in THEMES:
        assert set(tokens(theme)) == names
