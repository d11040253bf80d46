"""Emails that wait for the worker or were sent."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class OutgoingEmail(models.Model):
    """One email; `due_at` is the next attempt or the end of a lease, empty once sent or given up.

    `user`: the account for which the email was written. `to` need not be the account's address: it
    may be an unconfirmed one that another site suggested. Closing the account deletes the email.

    The text contains links that give access to an account, so it is emptied once sent or given up.
    A demonstration without EMAIL_URL sends no emails; its staff read the texts on the outbox page.
    """

    to = models.EmailField(max_length=254)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="outgoing_emails",
        null=True,
        blank=True,
        editable=False,
    )
    subject = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    language = models.CharField(max_length=10, blank=True)
    # The link of the header List-Unsubscribe (RFC 2369); empty if the recipient cannot unsubscribe
    # from such emails, and once the email is sent or given up.
    unsubscribe_url = models.CharField(max_length=300, blank=True, default="", db_default="")
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        db_table = "accounts_letter"  # the model's name in earlier releases
        verbose_name = _("email")
        verbose_name_plural = _("emails")
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["due_at"], name="accounts_letter_due_at", condition=Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"
