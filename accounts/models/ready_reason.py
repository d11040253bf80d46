"""Ready reasons for decisions of staff, in the languages of the site."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.language import languages

# Characters: two languages fit into the shortest column that stores a reason.
LONGEST = 90


class ReadyReason(models.Model):
    """A ready reason in one language; rows of one occasion and name are its translations.

    Staff choose a reason by its text in their own language. The reason is stored with the decision
    in the languages of the members concerned (accounts/shared/staff/reasons.py).
    """

    class Occasion(models.TextChoices):
        VOID = "VOID", pgettext_lazy("reason for", "Voiding a match or tournament")
        REFUND = "REFUND", pgettext_lazy("reason for", "A refund of a purchase or payment")
        RESULT = "RESULT", pgettext_lazy("reason for", "Deciding a result")
        SANCTION = "SANCTION", pgettext_lazy("reason for", "A chat ban or a removed picture")
        APPEAL = "APPEAL", pgettext_lazy("reason for", "Answering an appeal")
        CASE = (
            "CASE",
            pgettext_lazy("reason for", "Closing a fair play case, or a refund in it"),
        )

    occasion = models.CharField(pgettext_lazy("reason", "occasion"), max_length=8, choices=Occasion)
    name = models.CharField(_("name"), max_length=60)
    language = models.CharField(_("language"), max_length=10, choices=languages)
    text = models.CharField(_("text"), max_length=LONGEST)

    class Meta:
        verbose_name = _("ready reason")
        verbose_name_plural = _("ready reasons")
        ordering = ["occasion", "name", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["occasion", "name", "language"], name="accounts_readyreason_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name
