"""What games tells the apps above it. Ids only, sent inside the transaction (architecture)."""

from django.dispatch import Signal

match_started = Signal()  # match_id: int
match_finished = Signal()  # match_id: int
# user_id: int, now: a member asks for a match for credits without the lobby's doing. A receiver
# that cannot let it happen raises accounts.shared.refusals.Refused.
match_wanted = Signal()
# user_ids: list[int], now: two members agreed on a match for credits without the lobby's doing.
# Sent before their wallets are locked: a receiver may lock what comes before wallets. It
# may refuse like the one before.
match_agreed = Signal()
