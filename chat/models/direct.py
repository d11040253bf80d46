"""Conversations of two members."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from chat.models.messages import Message


class Conversation(models.Model):
    """One member's side of their messages with another; each of the two has their own row.

    A message from a member whom the owner mutes neither creates nor changes the owner's row. The
    messages are those of the room (`chat.direct.room`). `unread` counts the other member's messages
    after `read_id`, the id of the last message that the owner has seen, or 0.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="conversations"
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    has_begun_it = models.BooleanField()
    created_at = models.DateTimeField()
    last_message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="+")
    last_at = models.DateTimeField()
    unread = models.PositiveIntegerField(default=0)
    read_id = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ["-last_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "other"], name="chat_conversation_once"),
        ]
        indexes = [
            models.Index(fields=["owner", "-last_at", "-id"], name="chat_conversation_latest"),
            models.Index(
                fields=["owner"], name="chat_conversation_unread", condition=Q(unread__gt=0)
            ),
            models.Index(
                fields=["owner", "created_at"],
                name="chat_conversation_begun",
                condition=Q(has_begun_it=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} with {self.other_id}"


class Reach(models.Model):
    """The people from whom a member accepts messages: everybody, if the member has no row."""

    class From(models.TextChoices):
        EVERYBODY = "EVERYBODY", _("Every member")
        KNOWN = "KNOWN", _("Friends, and people I have played with or written to")
        NOBODY = "NOBODY", _("Nobody")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reach", primary_key=True
    )
    accepts = models.CharField(max_length=9, choices=From, default=From.EVERYBODY)

    class Meta:
        verbose_name = _("message permission")
        verbose_name_plural = _("message permissions")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.accepts}"
