"""Keyed hashes of mailboxes and of other sites' accounts, which outlive the account here."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Fingerprint(models.Model):
    """A mailbox, or an account of another site, that the user has proved to own.

    `digest` is a keyed hash of it (accounts/members/identities.py). The row stays with the first
    user who proved it, even after that user's account is closed. So one mailbox brings welcome
    credits only once.
    """

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="fingerprints")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("fingerprint")
        verbose_name_plural = _("fingerprints")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.digest[:8]}"
