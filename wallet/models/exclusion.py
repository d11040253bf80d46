"""Breaks that members take from stakes, tournaments, gifts, top-ups and purchases."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Exclusion(models.Model):
    """A time without stakes, tournaments, gifts, top-ups and purchases, chosen by the member.

    Written once: neither the member nor staff can end it early. Its `digests` name the person
    (`accounts/members/identities.py`), whose other accounts are excluded until the same time.
    """

    class Kind(models.TextChoices):
        TIME_OUT = "TIME_OUT", _("Time-out")
        SELF_EXCLUSION = "SELF_EXCLUSION", _("Self-exclusion")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="exclusions"
    )
    kind = models.CharField(pgettext_lazy("limit", "kind"), max_length=16, choices=Kind)
    began_at = models.DateTimeField(_("began at"))
    ends_at = models.DateTimeField(_("ends at"))

    class Meta:
        verbose_name = _("exclusion of a member")
        verbose_name_plural = _("exclusions of members")
        ordering = ("-id",)
        indexes = [models.Index(fields=["user", "ends_at"], name="wallet_exclusion_user")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind} until {self.ends_at.isoformat(timespec='minutes')}"


class ExclusionDigest(models.Model):
    """A keyed hash of a mailbox or another site's account of the excluded person."""

    exclusion = models.ForeignKey(Exclusion, on_delete=models.CASCADE, related_name="digests")
    digest = models.CharField(max_length=64, db_index=True)

    class Meta:
        verbose_name = _("digest of an exclusion")
        verbose_name_plural = _("digests of exclusions")
        constraints = [
            models.UniqueConstraint(
                fields=["exclusion", "digest"], name="wallet_exclusiondigest_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.exclusion_id}: {self.digest[:8]}"
