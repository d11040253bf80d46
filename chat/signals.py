"""What chat tells the apps above it. Ids only, sent inside the transaction."""

from django.dispatch import Signal

message_hidden = Signal()  # message_id: int
