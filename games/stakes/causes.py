"""Names and links of the ledger's entries that matches for credits cause."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.stakes.escrow import PAYOUT, REFUND, STAKE
from wallet.causes import Group, register

MATCHES = Group("matches", pgettext_lazy("credits", "Matches"))
# First part of a reference -> URL name of the page, which takes the public id after the colon.
_PAGES = {"match": "games:match"}


def register_page(kind: str, url_name: str) -> None:
    """Link references `kind:<public id>` to a page of an app above games."""
    _PAGES[kind] = url_name


def address(reference: str) -> str | None:
    """Return the page of what a reference names."""
    kind, _, public_id = reference.partition(":")
    return reverse(_PAGES[kind], args=[public_id]) if kind in _PAGES and public_id else None


def name_causes() -> None:
    register(STAKE, pgettext_lazy("cause", "Stake"), MATCHES, address)
    register(PAYOUT, _("Match won"), MATCHES, address)
    register(REFUND, _("Stake back"), MATCHES, address)
