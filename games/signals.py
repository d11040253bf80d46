"""What games tells the apps above it. Ids only, sent inside the transaction (architecture)."""

from django.dispatch import Signal

match_started = Signal()  # match_id: int
match_finished = Signal()  # match_id: int
