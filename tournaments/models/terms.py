"""Terms to which an entrant of a tournament agrees."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.engine.rules import Rules, Variant

NAME_LENGTH = 60
MAX_ENTRANTS = 512
MAX_ROUND_ROBIN = 32  # entrants of a round robin: 31 rounds, 496 matches
MAX_FEE = 100_000  # credits
MAX_PRIZE = 10_000_000  # credits
MAX_HOUSE_PERCENT = 50
MAX_COMPUTERS = 4


class Terms(models.Model):
    """Format, rules, fee and prize; a tournament has its own copy, which never changes.

    The first place gets `prize_credits`, which the site pays; the site then keeps the fees. If
    `prize_credits` is None, the first place gets the fees less `house_percent` of them. If fewer
    than `min_entrants` have entered by the start, entry is extended once by `extend_minutes`; if
    `extend_minutes` is None, the tournament is canceled at once. `computer_entrants` is the number
    of computer opponents that enter too. If there are any, there must be no fee and no prize, and
    no match is rated.
    """

    class Format(models.TextChoices):
        KNOCKOUT = "KNOCKOUT", _("Knockout")
        ROUND_ROBIN = "ROUND_ROBIN", _("Round robin")
        DOUBLE_ROUND_ROBIN = "DOUBLE_ROUND_ROBIN", _("Round robin, two legs")
        SWISS = "SWISS", _("Swiss")

    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    format = models.CharField(_("format"), max_length=18, choices=Format, default=Format.KNOCKOUT)
    variant = models.CharField(max_length=8, choices=[(v.value, v.value) for v in Variant])
    rules = models.JSONField()
    fee_credits = models.PositiveIntegerField(_("entry fee"), default=0)
    prize_credits = models.PositiveIntegerField(_("fixed prize"), null=True, blank=True)
    house_percent = models.PositiveSmallIntegerField(_("site fee, %"), default=0)
    min_entrants = models.PositiveSmallIntegerField(_("minimum entrants"), default=4)
    max_entrants = models.PositiveSmallIntegerField(_("maximum entrants"), default=64)
    extend_minutes = models.PositiveSmallIntegerField(
        _("extend entry by minutes, once"), null=True, blank=True
    )

    computer_entrants = models.PositiveSmallIntegerField(
        _("computer opponents that enter"), default=0, db_default=0
    )

    class Meta:
        abstract = True

    @staticmethod
    def constraints_of(table: str) -> list[models.BaseConstraint]:
        return [
            models.CheckConstraint(
                name=f"{table}_size",
                condition=Q(
                    min_entrants__gte=2,
                    max_entrants__gte=F("min_entrants"),
                    max_entrants__lte=MAX_ENTRANTS,
                ),
            ),
            models.CheckConstraint(
                name=f"{table}_prize",
                condition=Q(prize_credits__isnull=True, house_percent__lte=MAX_HOUSE_PERCENT)
                | Q(prize_credits__lte=MAX_PRIZE, house_percent=0),
            ),
            models.CheckConstraint(name=f"{table}_fee", condition=Q(fee_credits__lte=MAX_FEE)),
            models.CheckConstraint(
                name=f"{table}_computers",
                condition=Q(computer_entrants=0)
                | Q(Q(prize_credits__isnull=True) | Q(prize_credits=0), fee_credits=0),
            ),
            models.CheckConstraint(
                # Minutes: a day at most.
                name=f"{table}_extension",
                condition=Q(extend_minutes__isnull=True) | Q(extend_minutes__range=(1, 1440)),
            ),
        ]

    @property
    def match_rules(self) -> Rules:
        return Rules.from_dict(self.rules)

    def prize_of(self, pot_credits: int) -> int:
        """Return the prize when the fees sum to `pot_credits`."""
        if self.prize_credits is not None:
            return self.prize_credits
        return pot_credits - pot_credits * self.house_percent // 100
