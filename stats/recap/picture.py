"""The recap as a PNG for the previews of messengers, which show no SVG.

The picture has only figures and the site's name, since Pillow's own font has no Cyrillic letters;
only the way a percentage is written depends on the language. The picture does not name the member,
so closing the account does not change it.
"""

import io

from django.utils.translation import gettext
from PIL import Image, ImageDraw, ImageFont

from stats.recap.facts import Recap

# Pixels, the size that Open Graph recommends.
SIZE = (1200, 630)
# The picture is drawn larger by this factor and reduced, which smooths the edges.
OVERSIZE = 2
GROUND, FELT, INK, ACCENT, WON, DRAWN, LOST = (
    "#14110f", "#1f4a3d", "#f3ece4", "#d9a441", "#5bbd7a", "#8d857c", "#7f3d2a",
)  # fmt: skip
# Corners of the bar, in pixels of SIZE: left, top, right, bottom.
BAR = (90, 470, 1110, 510)


def png_of(recap: Recap) -> bytes:
    image = Image.new("RGB", (SIZE[0] * OVERSIZE, SIZE[1] * OVERSIZE), GROUND)
    draw = ImageDraw.Draw(image)
    _box(draw, (40, 40, 1160, 590), FELT, 28)
    _text(draw, (90, 110), 44, INK, "5Stars Gammon", "lm")
    _text(draw, (1110, 110), 72, ACCENT, str(recap.year), "rm")
    _text(draw, (600, 300), 190, INK, f"{recap.won} : {recap.lost}", "mm")
    _bar(draw, recap)
    _text(draw, (600, 550), 40, INK, percent_text(recap.won_percent), "mm")
    file = io.BytesIO()
    image.resize(SIZE, Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()


def percent_text(percent: int) -> str:
    """Write a percentage as the active language does, without signs that Pillow's font lacks."""
    text = gettext("%(percent)s%%") % {"percent": percent}
    return text.replace("\N{NO-BREAK SPACE}", " ")


def _bar(draw: ImageDraw.ImageDraw, recap: Recap) -> None:
    """Draw the shares of matches won, drawn and lost as a bar, from the left."""
    left, top, right, bottom = BAR
    _box(draw, BAR, LOST, 20)
    for count, fill in ((recap.won + recap.drawn, DRAWN), (recap.won, WON)):
        if count:
            # The part is at least as wide as its two rounded ends.
            reach = left + max(40, round((right - left) * count / recap.matches))
            _box(draw, (left, top, reach, bottom), fill, 20)


def _box(
    draw: ImageDraw.ImageDraw, corners: tuple[int, int, int, int], fill: str, radius: int
) -> None:
    scaled = [each * OVERSIZE for each in corners]
    draw.rounded_rectangle(scaled, radius * OVERSIZE, fill)


def _text(
    draw: ImageDraw.ImageDraw, at: tuple[int, int], size: int, color: str, text: str, anchor: str
) -> None:
    font = ImageFont.load_default(size * OVERSIZE)
    draw.text((at[0] * OVERSIZE, at[1] * OVERSIZE), text, color, font, anchor)
