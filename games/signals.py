"""Signals of games for the apps above: ids only, sent inside the transaction (architecture)."""

from django.dispatch import Signal

match_started = Signal()  # match_id: int
match_finished = Signal()  # match_id: int
# user_ids: list[int], now: two members have agreed on a match for credits at a table; it is created
# next, in the same transaction. Sent before their wallets are locked, so that a receiver may lock
# the rows that come before wallets. It is news: a receiver does not refuse.
match_agreed = Signal()
