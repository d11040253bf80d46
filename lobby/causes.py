"""What the ledger's movements of matches for credits are called, and where they lead."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.services.stakes import PAYOUT, REFUND, STAKE
from wallet.causes import Group, register

MATCHES = Group("matches", pgettext_lazy("credits", "Matches"))
_PAGES = {"match": "games:match", "seek": "lobby:seek"}


def address(reference: str) -> str | None:
    """The page of the match or the announced game that a reference names."""
    kind, _, public_id = reference.partition(":")
    return reverse(_PAGES[kind], args=[public_id]) if kind in _PAGES and public_id else None


def name_causes() -> None:
    register(STAKE, pgettext_lazy("cause", "Stake"), MATCHES, address)
    register(PAYOUT, _("Match won"), MATCHES, address)
    register(REFUND, _("Stake back"), MATCHES, address)
