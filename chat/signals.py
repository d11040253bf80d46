"""Signals of chat: ids only, sent inside the transaction."""

from django.dispatch import Signal

message_hidden = Signal()  # message_id: int
