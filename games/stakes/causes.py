"""Causes of the transfers for matches: names, links, and why staff may not reverse a transfer."""

from collections.abc import Collection

from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.people.names import shown_name
from games.models import Action, Match
from games.models.void_cause import reason_text
from games.stakes.escrow import PAYOUT, REFUND, STAKE
from games.stakes.escrow import reference as reference_of
from wallet.causes import GIFTS, Flow, Group, register
from wallet.services.welcome import STEP_CODE

MATCHES = Group("matches", pgettext_lazy("credits", "Matches"))
# First part of a reference -> URL name of the page, which takes the public id after the colon.
_PAGES = {"match": "games:match"}


def register_page(kind: str, url_name: str) -> None:
    """Link references `kind:<public id>` to a page of an app above games."""
    _PAGES[kind] = url_name


def address(reference: str) -> str | None:
    """Return the address of the page for a ledger reference; None if it has no page."""
    kind, _, public_id = reference.partition(":")
    return reverse(_PAGES[kind], args=[public_id]) if kind in _PAGES and public_id else None


def veto(reference: str) -> str | None:
    """Return why staff may not reverse a transfer of a match: it is in progress or settled."""
    kind, _, public_id = reference.partition(":")
    is_running = Match.objects.filter(public_id=public_id, finished_at__isnull=True).exists()
    if kind == "match" and is_running:
        return gettext("The match is still in progress: void it on its own page instead.")
    return gettext("The match is settled: correct the accounts of its players instead.")


def explain_refunds(references: Collection[str]) -> dict[str, str]:
    """Return by reference why each match is void; a drawn match is left out."""
    public_ids = [reference.partition(":")[2] for reference in references]
    voids = Action.objects.filter(verb="void", match__public_id__in=public_ids)
    explained = {}
    for action in voids.select_related("match").prefetch_related("match__seats__user"):
        seats = action.match.seats.all()
        player = next((seat.user for seat in seats if seat.side == action.side), None)
        reason = reason_text(action.data["cause"], shown_name(player) if player else "")
        explained[reference_of(action.match)] = reason
    return explained


def name_causes() -> None:
    register(STEP_CODE, _("Part of the welcome credits"), GIFTS, address)
    register(STAKE, pgettext_lazy("cause", "Stake"), MATCHES, address, veto, flow=Flow.SPENT)
    register(PAYOUT, _("Match won"), MATCHES, address, veto, flow=Flow.SPENT)
    register(REFUND, _("Stake returned"), MATCHES, address, veto, explain_refunds, Flow.SPENT)
