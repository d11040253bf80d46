"""Messages in rooms, and the members whom a member has muted."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Message(models.Model):
    """A message in a room; `room` is an opaque text of the app that owns the room.

    Phrases and emoji are codes (chat/phrases.py). Typed text is stored without control characters
    and shown as text only. `client_id` makes sending idempotent. `hidden_at` is set when staff hide
    the message. A message without an author is a guest's phrase or emoji, under the name that the
    guest had then.
    """

    class Kind(models.TextChoices):
        PHRASE = "PHRASE", _("Phrase")
        EMOJI = "EMOJI", _("Emoji")
        TEXT = "TEXT", _("Text")

    room = models.CharField(max_length=64)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="messages",
        null=True,
        blank=True,
    )
    guest = models.UUIDField(null=True, blank=True)
    guest_name = models.CharField(max_length=15, blank=True, default="", db_default="")
    kind = models.CharField(max_length=6, choices=Kind)
    body = models.CharField(max_length=1000)
    client_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["author", "client_id"], name="chat_message_once"),
            models.UniqueConstraint(fields=["guest", "client_id"], name="chat_message_guest_once"),
            models.CheckConstraint(
                name="chat_message_author",
                condition=Q(author__isnull=False, guest__isnull=True)
                | Q(author__isnull=True, guest__isnull=False, kind__in=("PHRASE", "EMOJI")),
            ),
        ]
        indexes = [
            models.Index(fields=["room", "id"], name="chat_message_room"),
            models.Index(fields=["author", "-created_at"], name="chat_message_author"),
            models.Index(
                fields=["guest", "-created_at"],
                name="chat_message_guest",
                condition=Q(guest__isnull=False),
            ),
            models.Index(
                fields=["hidden_at"],
                name="chat_message_hidden",
                condition=Q(hidden_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author_id or self.guest} in {self.room}"

    @property
    def author_name(self) -> str:
        return self.author.get_username() if self.author else self.guest_name


class Mute(models.Model):
    """`owner` is shown no messages of `muted` anywhere. The muted player is not notified.

    `only_text`: phrases and emoji are still shown.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes"
    )
    muted = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_by"
    )
    only_text = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints = [
            models.UniqueConstraint(fields=["owner", "muted"], name="chat_mute_pair"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} does not hear {self.muted_id}"
