"""What games tells the apps above it. Ids only, sent inside the transaction (architecture)."""

from django.dispatch import Signal

match_started = Signal()  # match_id: int
match_finished = Signal()  # match_id: int
# user_ids: list[int], now: two members agreed on a match for credits without the lobby's doing.
# Sent before their wallets are locked: a receiver may lock what comes before wallets. One that
# cannot let it happen raises games.services.refusals.Refused.
match_agreed = Signal()
