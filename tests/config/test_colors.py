"""Contrast of the colors of pages and table, of text and of signs."""

import re
from itertools import product

import pytest
from django.conf import settings

from accounts.models import Preferences
from shop.goods import paints
from shop.goods.contrast import GROUNDS as GROUNDS_OF_CHECKERS
from shop.goods.contrast import LEAST, SIGHTS, contrast, least_contrast, pair_contrast

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

# The first board and the first set of checkers are those of `:root`.
BOARDS, CHECKERS = Preferences.Board.values, Preferences.Checkers.values
FIELD = ("board-felt", "point-a", "point-b")
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
SELECTORS = {name: selector.rstrip(" {") for name, selector in THEMES.items()}


def table_colors(theme, board, checkers):
    """Return all colors of a table; chosen looks win over the theme."""
    return paints.colors_of(SELECTORS[theme], board, checkers)


def block(selector):
    return paints.rules().get(selector, {})


def best(colors, thing, ground, names, sight):
    """Return the best contrast of a thing's colors, such as "{}-rim", against the ground."""
    return max(contrast(colors[name.format(thing)], colors[ground], sight) for name in names)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", THEMES)
def test_checkers_have_contrast_wherever_they_stand(theme, sight):
    """Check every board with every set of checkers: the body or the rim must have the contrast."""
    weak = {}
    for board, checkers in product(BOARDS, CHECKERS):
        colors = table_colors(theme, board, checkers)
        for color, ground in product(("light", "dark"), GROUNDS_OF_CHECKERS):
            found = best(colors, color, ground, ("{}-body", "{}-rim"), sight)
            if found < LEAST:
                weak[board, checkers, color, ground] = round(found, 2)
    assert not weak


def test_the_shop_shows_the_lowest_contrast():
    lowest = min(pair_contrast(board, checkers) for board, checkers in product(BOARDS, CHECKERS))
    assert lowest >= LEAST
    assert lowest == min(least_contrast("board", board) for board in BOARDS)
    assert lowest == min(least_contrast("checkers", checkers) for checkers in CHECKERS)


def test_color_blindness_is_simulated():
    """Red is darker for protan vision; black and white keep their contrast for all."""
    assert contrast("#ff0000", "#00a000") == pytest.approx(1.18, abs=0.05)
    assert contrast("#ff0000", "#000000", "protan") < contrast("#ff0000", "#000000") - 1
    for sight in SIGHTS:
        assert contrast("#ffffff", "#000000", sight) == pytest.approx(21, abs=0.1)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("checkers", CHECKERS)
def test_bodies_rims_and_marks_of_each_set_have_contrast(checkers, sight):
    pairs = [("light-body", "dark-body"), ("light-rim", "dark-rim")]
    pairs += [
        (f"{color}-{part}", f"{color}-body")
        for color, part in product(("light", "dark"), ("rim", "mark"))
    ]
    for theme in THEMES:
        colors = table_colors(theme, "classic", checkers)
        weak = [pair for pair in pairs if contrast(colors[pair[0]], colors[pair[1]], sight) < 3]
        assert not weak, theme
        for color in ("light", "dark"):  # counts on checkers and pips of dice
            assert contrast(colors[f"{color}-ink"], colors[f"{color}-body"], sight) >= 4.5


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("board", BOARDS)
def test_hints_have_contrast_on_every_board(board, sight):
    for theme in THEMES:
        colors = table_colors(theme, board, "classic")
        assert contrast(colors["wood-text"], colors["wood"], sight) >= 4.5
        for sign in ("hint", "lift", "trace"):
            assert contrast(colors[sign], colors[f"{sign}-rim"], sight) >= 3, sign
            for ground in (*FIELD, "wood"):  # a checker on the bar can be chosen too
                assert best(colors, sign, ground, ("{}", "{}-rim"), sight) >= 3, (sign, ground)
        assert contrast(colors["fault"], colors["board-felt"], sight) >= 3


def test_every_look_sets_every_required_color():
    assert set(block(":root")) >= BOARD_COLORS | CHECKER_COLORS
    for name in BOARDS[1:]:
        assert set(block(f'[data-board="{name}"]')) >= BOARD_COLORS, name
    for name in CHECKERS[1:]:
        assert set(block(f'[data-checkers="{name}"]')) == CHECKER_COLORS, name


def test_every_material_that_a_look_uses_is_defined():
    folder = settings.BASE_DIR / "static"
    styles = "".join(file.read_text() for file in (folder / "css/board").glob("*.css"))
    used = set(re.findall(r'url\("#(material-[\w-]+)"\)', styles))
    script = (folder / "js/board/materials.js").read_text()
    kinds = "texture|motif|radial|linear|figure"
    defined = {f"material-{name}" for name in re.findall(rf'(?:{kinds})\("([\w-]+)",', script)}
    assert used == defined


def test_only_styles_of_checkers_use_the_colors_of_a_side():
    """The colors exist only inside `data-paint`: elsewhere a rule that uses them has no effect."""
    folder = settings.BASE_DIR / "static/css"
    looks = (folder / "board/looks.css").read_text()
    painted = looks.partition('[data-paint="light"] {')[2].partition("}")[0]
    names = "|".join(re.findall(r"--([a-z]+):", painted))
    styles = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.css")}
    using = {name for name, text in styles.items() if re.search(rf"var\(--({names})\)", text)}
    assert using
    assert not {name for name in using if "[data-paint=" not in styles[name]}


def test_the_light_board_is_the_same_by_choice_and_by_device():
    assert block(SELECTORS["light, chosen"]) == block(SELECTORS["light, by the device"]) != {}
