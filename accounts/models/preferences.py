"""A member's choices: language, theme, the table."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.language import languages
from accounts.models.looks import LOOK_LENGTH, Board, Checkers

# Percent, as text like the values of the other choices.
VOLUMES = [(str(percent), f"{percent} %") for percent in range(0, 101, 10)]
DEFAULT_VOLUME = "70"


class Preferences(models.Model):
    """A member's choices. Scripts read `TABLE_FIELDS` under the same names in camel case.

    A guest's choices are kept in the browser; static/js/play/settings.js has the same names and
    values.

    `time_zone`: IANA name of the zone last seen on a device of the member or, if `keeps_time_zone`
    is set, of the zone that the member chose; "" while unknown.
    """

    class Theme(models.TextChoices):
        DEVICE = "", pgettext_lazy("theme", "Same as my device")
        DARK = "dark", pgettext_lazy("theme", "Dark")
        LIGHT = "light", pgettext_lazy("theme", "Light")
        CONTRAST = "contrast", pgettext_lazy("theme", "High contrast")

    class Dice(models.TextChoices):
        AUTOMATIC = "automatic", _("Roll automatically")
        MANUAL = "manual", _("I roll")

    class Tap(models.TextChoices):
        PLAY = "play", _("Play the checker at once")
        SELECT = "select", _("Choose a checker, then where it goes")

    class DoubleClick(models.TextChoices):
        NONE = "none", _("Nothing")
        LARGER = "larger", _("Play the larger die")
        SMALLER = "smaller", _("Play the smaller die")
        BEAR_OFF = "bear_off", _("Bear off")

    class BearOff(models.TextChoices):
        TAP = "tap", _("By tapping")
        DRAG = "drag", _("By dragging")
        AUTOMATIC = "automatic", _("Automatically, when it makes no difference")

    class EndOfTurn(models.TextChoices):
        SAFE = "safe", _("Automatically after 2 seconds; with the button in games for credits")
        FORCED = "forced", _("Automatically, if the play was forced")
        CONFIRM = "confirm", _("Always with the button")
        TIMED = "timed", _("Automatically after 2 seconds")

    class Speed(models.TextChoices):
        NORMAL = "normal", pgettext_lazy("speed", "Normal")
        FAST = "fast", pgettext_lazy("speed", "Fast")
        SLOW = "slow", pgettext_lazy("speed", "Slow")
        OFF = "off", pgettext_lazy("speed", "No animation")

    class Entropy(models.TextChoices):
        RANDOM = "random", _("My browser adds a random number")
        ASK = "ask", _("I type a phrase before each match")

    Board = Board
    Checkers = Checkers

    class CheckerColor(models.TextChoices):
        SIDE = "side", _("As assigned")
        LIGHT = "light", _("Always the light ones")
        DARK = "dark", _("Always the dark ones")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preferences"
    )
    language = models.CharField(_("language"), max_length=10, blank=True, choices=languages)
    time_zone = models.CharField(max_length=64, blank=True, db_default="")
    keeps_time_zone = models.BooleanField(default=False, db_default=False)
    theme = models.CharField(max_length=8, blank=True, choices=Theme, default=Theme.DEVICE)
    board = models.CharField(max_length=LOOK_LENGTH, choices=Board, default=Board.CLASSIC)
    checkers = models.CharField(max_length=LOOK_LENGTH, choices=Checkers, default=Checkers.CLASSIC)
    checker_color = models.CharField(max_length=8, choices=CheckerColor, default=CheckerColor.SIDE)
    dice = models.CharField(max_length=9, choices=Dice, default=Dice.AUTOMATIC)
    tap = models.CharField(max_length=6, choices=Tap, default=Tap.PLAY)
    double_click = models.CharField(max_length=8, choices=DoubleClick, default=DoubleClick.NONE)
    # The player's way to bear off. AUTOMATIC: by tapping, and the page also acts as if
    # `auto_bear_off` were on.
    bear_off = models.CharField(max_length=9, choices=BearOff, default=BearOff.TAP)
    end_of_turn = models.CharField(max_length=7, choices=EndOfTurn, default=EndOfTurn.SAFE)
    speed = models.CharField(max_length=6, choices=Speed, default=Speed.NORMAL)
    entropy = models.CharField(max_length=6, choices=Entropy, default=Entropy.RANDOM)
    volume = models.CharField(
        max_length=3, choices=VOLUMES, default=DEFAULT_VOLUME, db_default=DEFAULT_VOLUME
    )
    # The page bears off for the player when every way to play the roll ends in the same position.
    auto_bear_off = models.BooleanField(default=False)
    warn_blunders = models.BooleanField(default=False, db_default=False)
    # The edge of the board shows the numbers of the points.
    numbers = models.BooleanField(default=True)
    # The list of moves names the opponent's moves in the opponent's own point numbers.
    their_numbers = models.BooleanField(default=False, db_default=False)
    pips = models.BooleanField(default=True)
    avatars = models.BooleanField(default=True, db_default=True)
    sound_checkers = models.BooleanField(default=True)
    sound_dice = models.BooleanField(default=True)
    sound_turn = models.BooleanField(default=True)
    sound_time = models.BooleanField(default=True)
    vibration = models.BooleanField(default=False, db_default=False)
    letter_keys = models.BooleanField(default=True, db_default=True)
    mirror_short = models.BooleanField(default=False)
    mirror_long = models.BooleanField(default=False)
    # One press joins an announced game if the member has played on its terms before.
    skips_known_terms = models.BooleanField(default=False, db_default=False)
    # The header shows no credits, gifts or counts.
    has_calm_header = models.BooleanField(default=False, db_default=False)
    # The site reviews the member's matches while it is idle.
    reviews_when_idle = models.BooleanField(default=False, db_default=False)

    TABLE_FIELDS = (
        "board",
        "checkers",
        "checker_color",
        "dice",
        "tap",
        "double_click",
        "bear_off",
        "end_of_turn",
        "speed",
        "entropy",
        "volume",
        "auto_bear_off",
        "warn_blunders",
        "numbers",
        "their_numbers",
        "pips",
        "avatars",
        "sound_checkers",
        "sound_dice",
        "sound_turn",
        "sound_time",
        "vibration",
        "letter_keys",
        "mirror_short",
        "mirror_long",
    )

    class Meta:
        verbose_name = _("preferences")
        verbose_name_plural = _("preferences")
        indexes = [
            models.Index(
                fields=["user"],
                name="accounts_reviews_when_idle",
                condition=models.Q(reviews_when_idle=True),
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)

    def table_choices(self) -> dict[str, Any]:
        """Return the table's choices by the page's names (`double_click` is `doubleClick`)."""
        return {camel_case(name): getattr(self, name) for name in self.TABLE_FIELDS}


def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
