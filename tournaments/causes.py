"""Names and vetoes of the ledger's entries that tournaments cause."""

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.stakes.escrow import FEE
from tournaments.services.purse import PRIZE, REFUND
from wallet.causes import Flow, Group, no_link, register

TOURNAMENTS = Group("tournaments", pgettext_lazy("credits", "Tournaments"))


def veto(reference: str) -> str | None:
    """Return why staff cannot take back what a tournament moved."""
    return gettext("Only the tournament itself can move its credits: void it on its own page.")


register(FEE, _("Entry fee of a tournament"), TOURNAMENTS, no_link, veto, flow=Flow.SPENT)
register(PRIZE, _("Prize of a tournament"), TOURNAMENTS, flow=Flow.SPENT)
register(REFUND, _("Entry fee returned"), TOURNAMENTS, no_link, veto, flow=Flow.SPENT)
