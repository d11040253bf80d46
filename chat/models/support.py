"""Requests to support, the messages in them, and ready answers of staff."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import PUBLIC_ID_LENGTH, languages, new_public_id

USER = settings.AUTH_USER_MODEL


class Ticket(models.Model):
    """A request of a member, or of somebody without an account, who is reached at `email`.

    `room` names the match that the request is about (`match:` and its public id), or is empty.
    `page`, `version`, `device` and `zone` are the details that the sender saw and did not leave
    out. `once` makes sending the form idempotent.
    """

    class Topic(models.TextChoices):
        CREDITS = "CREDITS", pgettext_lazy("support", "Credits")
        MATCH = "MATCH", pgettext_lazy("support", "A match or tournament")
        PLAYER = "PLAYER", pgettext_lazy("support", "Another player")
        ACCOUNT = "ACCOUNT", pgettext_lazy("support", "Signing in, my account")
        BUG = "BUG", pgettext_lazy("support", "Something does not work")
        IDEA = "IDEA", pgettext_lazy("support", "An idea")
        OTHER = "OTHER", pgettext_lazy("support", "Something else")

    class State(models.TextChoices):
        WAITING = "WAITING", pgettext_lazy("support", "Waiting for our answer")
        ANSWERED = "ANSWERED", pgettext_lazy("support", "Answered")
        CLOSED = "CLOSED", pgettext_lazy("support", "Closed")

    public_id = models.CharField(
        pgettext_lazy("request", "Number"),
        max_length=PUBLIC_ID_LENGTH,
        unique=True,
        default=new_public_id,
        editable=False,
    )
    once = models.UUIDField(unique=True)
    user = models.ForeignKey(
        USER, on_delete=models.PROTECT, related_name="tickets", null=True, blank=True
    )
    email = models.EmailField(_("email"), max_length=254, blank=True)
    language = models.CharField(_("language"), max_length=10, choices=languages)
    topic = models.CharField(_("topic"), max_length=8, choices=Topic)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    subject = models.CharField(_("subject"), max_length=80)
    room = models.CharField(max_length=64, blank=True)
    page = models.CharField(_("page"), max_length=200, blank=True)
    version = models.CharField(_("version"), max_length=40, blank=True)
    device = models.CharField(_("browser"), max_length=300, blank=True)
    zone = models.CharField(_("time zone"), max_length=64, blank=True)
    created_at = models.DateTimeField(_("sent at"))
    last_at = models.DateTimeField(_("last message"))
    has_unread_answer = models.BooleanField(default=False)
    assignee = models.ForeignKey(
        USER,
        verbose_name=_("who answers"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    merged_into = models.ForeignKey(
        "self", on_delete=models.SET_NULL, related_name="merged", null=True, blank=True
    )

    class Meta:
        verbose_name = _("support request")
        verbose_name_plural = _("support requests")
        ordering = ["-last_at", "-id"]
        constraints = [
            models.CheckConstraint(
                name="chat_ticket_sender",
                condition=Q(user__isnull=False, email="") | Q(user__isnull=True) & ~Q(email=""),
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-last_at"], name="chat_ticket_user"),
            models.Index(
                fields=["user"],
                name="chat_ticket_unread",
                condition=Q(has_unread_answer=True),
            ),
            models.Index(
                fields=["last_at"], name="chat_ticket_waiting", condition=Q(state="WAITING")
            ),
            models.Index(fields=["email"], name="chat_ticket_email", condition=~Q(email="")),
        ]

    def __str__(self) -> str:
        return self.public_id  # stays in the admin's log after the request is deleted

    @property
    def match_id(self) -> str:
        """Return the public id of the match that the request is about, or ""."""
        return self.room.partition(":")[2]


class TicketMessage(models.Model):
    """A message of the sender or, if `staff` is set, of that member of the staff."""

    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="messages")
    staff = models.ForeignKey(
        USER, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    text = models.TextField(_("message"))
    once = models.UUIDField(unique=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("message to support")
        verbose_name_plural = _("messages to support")
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return f"{self.ticket_id}, {self.created_at}"


class AnswerPreset(models.Model):
    """A ready answer in one language; staff choose it, change it and send it."""

    name = models.CharField(_("name"), max_length=60)
    language = models.CharField(_("language"), max_length=10, choices=languages)
    text = models.TextField(_("text"), max_length=4000)

    class Meta:
        verbose_name = _("ready answer")
        verbose_name_plural = _("ready answers")
        ordering = ["language", "name"]
        constraints = [
            models.UniqueConstraint(fields=["name", "language"], name="chat_answerpreset_once"),
        ]

    def __str__(self) -> str:
        return self.name
