"""Cases of fair play: who is concerned, and the evidence as it was when it was taken."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import PUBLIC_ID_LENGTH, new_public_id
from wallet.models import Transfer

USER = settings.AUTH_USER_MODEL


class Case(models.Model):
    """A matter that staff investigate; `opened_by` is None if the nightly command opened it.

    `subject` has the ids of the suspects in order, so the same people have at most one open case.
    """

    class Outcome(models.TextChoices):
        CLEARED = "CLEARED", pgettext_lazy("outcome of a case", "Nothing against the rules")
        UNPROVEN = "UNPROVEN", pgettext_lazy("outcome of a case", "Not proven")
        BROKEN = "BROKEN", pgettext_lazy("outcome of a case", "The rules were broken")

    public_id = models.CharField(
        pgettext_lazy("case", "Number"),
        max_length=PUBLIC_ID_LENGTH,
        unique=True,
        default=new_public_id,
        editable=False,
    )
    subject = models.CharField(max_length=255, editable=False)
    why = models.CharField(_("why it was opened"), max_length=200)
    opened_at = models.DateTimeField(_("opened at"))
    opened_by = models.ForeignKey(
        USER, verbose_name=_("opened by"), on_delete=models.PROTECT, related_name="+", null=True,
        blank=True,
    )  # fmt: skip
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    closed_by = models.ForeignKey(
        USER, verbose_name=_("closed by"), on_delete=models.PROTECT, related_name="+", null=True,
        blank=True,
    )  # fmt: skip
    outcome = models.CharField(
        pgettext_lazy("case", "outcome"), max_length=8, choices=Outcome, blank=True
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("fair play", "case")
        verbose_name_plural = pgettext_lazy("fair play", "cases")
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["subject"], name="stats_case_open", condition=Q(closed_at__isnull=True)
            ),
            models.CheckConstraint(
                name="stats_case_outcome",
                condition=Q(closed_at__isnull=True, outcome="")
                | Q(closed_at__isnull=False) & ~Q(outcome=""),
            ),
        ]
        indexes = [models.Index(fields=["subject", "-opened_at"], name="stats_case_subject")]

    def __str__(self) -> str:
        return self.public_id  # stays in the admin's log after the case is deleted


class CasePerson(models.Model):
    """A member in a case; a victim may be refunded, a suspect banned.

    `refund` is the last one. A further one may be given only after that was reversed.
    """

    class Role(models.TextChoices):
        SUSPECT = "SUSPECT", pgettext_lazy("case", "Under suspicion")
        VICTIM = "VICTIM", pgettext_lazy("case", "Harmed")

    case = models.ForeignKey(
        Case, verbose_name=pgettext_lazy("fair play", "case"), on_delete=models.CASCADE,
        related_name="people",
    )  # fmt: skip
    user = models.ForeignKey(
        USER, verbose_name=_("member"), on_delete=models.PROTECT, related_name="cases"
    )
    role = models.CharField(pgettext_lazy("case", "role"), max_length=8, choices=Role)
    refund = models.OneToOneField(
        Transfer, verbose_name=_("refund"), on_delete=models.PROTECT, related_name="+", null=True,
        blank=True,
    )  # fmt: skip
    banned_at = models.DateTimeField(_("banned at"), null=True, blank=True)

    class Meta:
        verbose_name = _("member of a case")
        verbose_name_plural = _("members of cases")
        ordering = ["case", "role", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "user"], name="stats_caseperson_once"),
        ]

    def __str__(self) -> str:
        return f"{self.case}: {self.user}"

    @property
    def has_refund(self) -> bool:
        """Return whether the member got a refund that is not reversed."""
        return self.refund is not None and self.refund.reversed_at is None


class EvidenceIsKept(Exception):
    """Raised by an attempt to change stored evidence."""


class EvidenceQuerySet(models.QuerySet["Evidence"]):
    def update(self, **kwargs: Any) -> int:
        raise EvidenceIsKept


class Evidence(models.Model):
    """Figures as they were at `taken_at`. They never change, and are deleted with the case.

    `people` are user ids. In a flow of credits the gainer comes first; in evidence about matches
    given up, the player who gave up. `is_striking`: the figures are beyond the thresholds at which
    the nightly command opens a case.
    """

    class Kind(models.TextChoices):
        TOGETHER = "TOGETHER", pgettext_lazy("evidence", "Devices and networks")
        FLOW = "FLOW", pgettext_lazy("evidence", "Flow of credits")
        RESIGNING = "RESIGNING", pgettext_lazy("evidence", "Matches given up")
        STRENGTH = (
            "STRENGTH",
            pgettext_lazy("evidence", "Strength for credits and in other matches"),
        )
        TIMING = "TIMING", pgettext_lazy("evidence", "Time for a play")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="evidence")
    kind = models.CharField(max_length=9, choices=Kind)
    taken_at = models.DateTimeField()
    people = models.JSONField()
    figures = models.JSONField()
    is_striking = models.BooleanField()

    objects = EvidenceQuerySet.as_manager()

    class Meta:
        verbose_name = pgettext_lazy("fair play", "evidence")
        verbose_name_plural = pgettext_lazy("fair play", "evidence")
        ordering = ["taken_at", "pk"]

    def __str__(self) -> str:
        return f"{self.case_id}: {self.kind}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise EvidenceIsKept
        super().save(*args, **kwargs)
