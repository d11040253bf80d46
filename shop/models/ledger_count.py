"""Where all credits came from and where they are, at a moment."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class LedgerCount(models.Model):
    """The house accounts and the sums of the others at a moment, in credits.

    `differences` is the number of what `reconcile` found to disagree.
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
    differences = models.PositiveIntegerField(_("differences"))

    class Meta:
        verbose_name = _("count of the ledger")
        verbose_name_plural = _("counts of the ledger")
        ordering = ("-at",)

    def __str__(self) -> str:
        return self.at.isoformat(timespec="minutes")

    @property
    def came(self) -> int:
        return self.welcome + self.gifts + self.bought + self.corrected

    @property
    def there(self) -> int:
        return self.members + self.pots + self.rake + self.tournaments

    @property
    def agrees(self) -> bool:
        return not self.differences and self.came == self.there
