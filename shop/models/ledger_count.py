"""The sources of all credits and the accounts that hold them, at a moment."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class LedgerCount(models.Model):
    """The credits that came from each source, and those that other accounts hold, at a moment.

    The sources are positive here, unlike the balances of their house accounts. `differences` is
    the number of disagreements that `reconcile` found.
    """

    at = models.DateTimeField(_("counted"), unique=True)
    welcome = models.BigIntegerField(_("welcome credits"))
    gifts = models.BigIntegerField(_("gifts"))
    bought = models.BigIntegerField(_("bought, less refunds"))
    corrected = models.BigIntegerField(_("corrections by our team"))
    members = models.BigIntegerField(_("with the members"))
    pots = models.BigIntegerField(_("in pots"))
    rake = models.BigIntegerField(_("site fee"))
    tournaments = models.BigIntegerField(_("tournaments, less fixed prizes"))
    goods = models.BigIntegerField(_("paid for boards and checkers"), default=0, db_default=0)
    differences = models.PositiveIntegerField(_("differences"))

    class Meta:
        verbose_name = _("ledger count")
        verbose_name_plural = _("ledger counts")
        ordering = ("-at",)

    def __str__(self) -> str:
        return self.at.isoformat(timespec="minutes")

    @property
    def came(self) -> int:
        """The credits that came from all sources."""
        return self.welcome + self.gifts + self.bought + self.corrected

    @property
    def there(self) -> int:
        """The credits that all accounts hold; they should equal `came`."""
        return self.members + self.pots + self.rake + self.tournaments + self.goods

    @property
    def is_balanced(self) -> bool:
        return not self.differences and self.came == self.there
