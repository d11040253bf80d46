"""The signal of chat: ids only, sent inside the transaction."""

from django.dispatch import Signal

# message_id: int. Sent when staff hide a message from the room's readers.
message_hidden = Signal()
