"""Every look of the board and the checkers that the styles can draw (static/css/board/)."""

from django.db import models
from django.utils.translation import pgettext_lazy

LOOK_LENGTH = 16  # characters: max_length of the fields that store a look


class Board(models.TextChoices):
    CLASSIC = "classic", pgettext_lazy("board", "Classic")
    NIGHT = "night", pgettext_lazy("board", "Night blue")
    SAND = "sand", pgettext_lazy("board", "Sand")
    CONTRAST = "contrast", pgettext_lazy("board", "High contrast")
    BIRCH = "birch", pgettext_lazy("board", "Birch and blue cloth")
    LEATHER = "leather", pgettext_lazy("board", "Saddle leather")
    SLATE = "slate", pgettext_lazy("board", "Slate")
    WALNUT = "walnut", pgettext_lazy("board", "Walnut and wine-red felt")
    KILIM = "kilim", pgettext_lazy("board", "Kilim")
    MIDNIGHT = "midnight", pgettext_lazy("board", "Midnight and brass")
    MALACHITE = "malachite", pgettext_lazy("board", "Malachite")
    PEARL = "pearl", pgettext_lazy("board", "Mother-of-pearl inlay")


class Checkers(models.TextChoices):
    CLASSIC = "classic", pgettext_lazy("checkers", "Ivory and ebony")
    RUBY = "ruby", pgettext_lazy("checkers", "Ivory and ruby")
    SEA = "sea", pgettext_lazy("checkers", "Sand and sea")
    CONTRAST = "contrast", pgettext_lazy("checkers", "High contrast")
    CHERRY = "cherry", pgettext_lazy("checkers", "Maple and cherry")
    ROSE = "rose", pgettext_lazy("checkers", "Rose quartz and garnet")
    BONE = "bone", pgettext_lazy("checkers", "Carved bone and walnut")
    TURQUOISE = "turquoise", pgettext_lazy("checkers", "Turquoise and copper")
    BRASS = "brass", pgettext_lazy("checkers", "Brass and gunmetal")
    SILVER = "silver", pgettext_lazy("checkers", "Silver and ebony")
    MALACHITE = "malachite", pgettext_lazy("checkers", "Marble and malachite")
    LAPIS = "lapis", pgettext_lazy("checkers", "Marble and lapis lazuli")
    AMBER = "amber", pgettext_lazy("checkers", "Amber and jet")
    PEARL = "pearl", pgettext_lazy("checkers", "Mother-of-pearl and lacquer")


# Looks that every member may wear. The others belong to the members who bought them.
FREE_LOOKS: dict[str, tuple[str, ...]] = {
    "board": (Board.CLASSIC, Board.NIGHT, Board.SAND, Board.CONTRAST),
    "checkers": (Checkers.CLASSIC, Checkers.RUBY, Checkers.SEA, Checkers.CONTRAST),
}
