"""Notices to members who are away: by Web Push to their devices, and by email."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import PUBLIC_ID_LENGTH, new_public_id


class NoticeKind(models.TextChoices):
    """The kinds of notices. Each has a switch for every device and one for emails."""

    JOINED = "JOINED", _("Somebody joins your game")
    CHALLENGE = "CHALLENGE", _("Somebody challenges you")
    YOUR_TURN = "YOUR_TURN", _("It is your turn while you are away from the table")
    WISHED_GAME = "WISHED_GAME", _("A game you asked for appears")
    TOURNAMENT_SOON = "TOURNAMENT_SOON", _("A tournament you entered starts in 15 minutes")
    TABLE_OPEN = "TABLE_OPEN", _("Your table in a tournament opens")
    TOURNAMENT_NEWS = "TOURNAMENT_NEWS", _("A tournament you entered is canceled or moved")
    MESSAGE = "MESSAGE", _("Somebody writes to you")
    GIFT = "GIFT", _("Your next gift is ready")


class PushSubscription(models.Model):
    """A browser to which notices may be pushed, and the kinds that its owner wants there.

    `endpoint` is a secret address at the browser's push service, `p256dh` and `auth` are the
    browser's keys (RFC 8291). The subscription ends with the session in which it was made;
    `session` is the name of that session's group (`broadcast.session_group`).
    """

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1000)
    endpoint_digest = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    kinds = models.JSONField(default=list)
    session = models.CharField(max_length=64, db_index=True)
    user_agent = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.public_id}"


class EmailWish(models.Model):
    """A kind of notice that a member also wants by email."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="email_wishes"
    )
    kind = models.CharField(max_length=20, choices=NoticeKind)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="accounts_emailwish_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"


class Notice(models.Model):
    """One event of which a member is notified if no page of theirs is open.

    A planned notice is WAITING until `due_at`, then ASKED with a new `due_at`. If an open page of
    the member answers before that time, the notice is SEEN; otherwise it is SENT, as rows of
    `PushDelivery` and as an email. It is DROPPED if the member had no device or email for it or had
    too many notices, if its condition (`accounts/notices/conditions.py`) was no longer true, or if
    it came too late. `due_at` is empty in the last three states.

    `path` is the page to which the notice leads, `happens_at` the moment that its text names. After
    `expires_at` it is not sent.
    """

    class State(models.TextChoices):
        WAITING = "WAITING", "waiting"
        ASKED = "ASKED", "asked"
        SEEN = "SEEN", "seen"
        SENT = "SENT", "sent"
        DROPPED = "DROPPED", "dropped"

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(max_length=20, choices=NoticeKind)
    key = models.CharField(max_length=100)
    path = models.CharField(max_length=200)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    created_at = models.DateTimeField()
    happens_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "key"], name="accounts_notice_once"),
            models.CheckConstraint(
                name="accounts_notice_due",
                condition=Q(state__in=["WAITING", "ASKED"], due_at__isnull=False)
                | Q(state__in=["SEEN", "SENT", "DROPPED"], due_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="accounts_notice_due_at", condition=Q(due_at__isnull=False)
            ),
            models.Index(fields=["created_at"], name="accounts_notice_created_at"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind} {self.key}"


class PushDelivery(models.Model):
    """A notice on its way to one device; `due_at` is the next attempt or the end of a lease.

    `due_at` is empty once the notice is delivered, given up, or no longer needed: the member opened
    the page it leads to, or the event was canceled. The row is deleted with its subscription.
    """

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    subscription = models.ForeignKey(
        PushSubscription, on_delete=models.CASCADE, related_name="deliveries"
    )
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["notice", "subscription"], name="accounts_pushdelivery_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                name="accounts_pushdelivery_due_at",
                condition=Q(due_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} to {self.subscription_id}"
