"""Causes of the transfers for tournaments: names, and why staff may not reverse a transfer."""

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.stakes.escrow import FEE
from tournaments.services.purse import PRIZE, REFUND
from wallet.causes import Flow, Group, no_link, register

TOURNAMENTS = Group("tournaments", pgettext_lazy("credits", "Tournaments"))


def veto(reference: str) -> str | None:
    """Return why staff may not reverse a transfer of a tournament."""
    return gettext("Only the tournament itself can move its credits: void it on its own page.")


register(FEE, _("Entry fee of a tournament"), TOURNAMENTS, no_link, veto, flow=Flow.SPENT)
register(PRIZE, _("Prize of a tournament"), TOURNAMENTS, flow=Flow.SPENT)
register(REFUND, _("Entry fee returned"), TOURNAMENTS, no_link, veto, flow=Flow.SPENT)
