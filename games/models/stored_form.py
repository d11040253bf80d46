"""Computed texts of finished matches."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class StoredForm(models.Model):
    """A text made from a finished match's log, stored because making it means folding the log.

    `content` is compressed text. It names no player: a name may change, an account may be closed.
    If `version` is not that of the code, the text is computed again (games/archive/store.py).
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="stored_forms")
    name = models.CharField(max_length=16)
    version = models.PositiveSmallIntegerField()
    content = models.BinaryField()

    class Meta:
        verbose_name = _("stored match text")
        verbose_name_plural = _("stored match texts")
        constraints = [
            models.UniqueConstraint(fields=["match", "name"], name="games_storedform_match_name"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.name}"
