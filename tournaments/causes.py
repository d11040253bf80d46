"""Causes of transfers for tournaments: titles, and why staff may not reverse some of them."""

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.stakes.causes import address, register_page
from games.stakes.escrow import FEE
from tournaments import states
from tournaments.models import Tournament
from tournaments.services.purse import PRIZE, REFUND
from wallet.causes import Flow, Group, register

TOURNAMENTS = Group("tournaments", pgettext_lazy("credits", "Tournaments"))


def veto(reference: str) -> str | None:
    """Return why staff may not reverse a transfer: the tournament is in progress or over."""
    public_id = reference.partition(":")[2]
    if Tournament.objects.filter(public_id=public_id, state=states.RUNNING).exists():
        return gettext("Only the tournament itself can move its credits: void it on its own page.")
    return gettext("The tournament is over: correct the accounts of its players instead.")


register_page("tournament", "tournaments:tournament")
register(FEE, _("Entry fee of a tournament"), TOURNAMENTS, address, veto, flow=Flow.SPENT)
register(PRIZE, _("Prize of a tournament"), TOURNAMENTS, address, flow=Flow.SPENT)
register(REFUND, _("Entry fee returned"), TOURNAMENTS, address, veto, flow=Flow.SPENT)
