"""Matches on pages: `{% match_summary match as summary %}`."""

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.people.names import shown_name
from games import selectors
from games.access import account_boot
from games.bots.opponents import face_of, title_of
from games.engine.match.state import MatchCause
from games.engine.rules import Variant
from games.models import Match, Seat
from games.models.actor import find_seat
from games.models.void_cause import reason_text

register = template.Library()


@register.simple_tag(takes_context=True)
def match_summary(context: template.Context, match: Match) -> dict[str, Any]:
    """Return variant, opponent, length, score and result of the visitor's match, for a list row.

    Needs prefetched seats; the score is from the visitor's side.
    """
    seats = list(match.seats.all())
    request = context["request"]
    own = find_seat(seats, selectors.actor_of(request.user, request.session))
    assert own is not None  # the lists hold the visitor's own matches
    score = dict(zip(("white", "black"), match.snapshot["score"], strict=True))
    other = next(seat for seat in seats if seat is not own)
    return {
        "variant": variant_name(match.variant),
        "opponent": player_name(other),
        "length": match.rules["length"],
        "own": score[own.side],
        "other": score[other.side],
        "result": _result(match, own.side) if match.is_finished else "",
    }


@register.simple_tag(takes_context=True)
def own_choices(context: template.Context) -> dict[str, Any]:
    """Return the member's settings for a page whose script draws a board to play on."""
    return account_boot(context["request"])


def _result(match: Match, side: str) -> str:
    if match.outcome == MatchCause.VOID:
        return pgettext("match", "called off")
    if not match.winner:
        return pgettext("match", "drawn")
    if match.winner == side:
        return pgettext("match", "won")
    is_given_up = match.outcome == MatchCause.RESIGN_MATCH
    return pgettext("match", "given up") if is_given_up else pgettext("match", "lost")


@register.filter
def variant_name(variant: str) -> str:
    return _("Short backgammon") if variant == Variant.SHORT else _("Long nardy")


@register.filter
def player_name(seat: Seat) -> str:
    """Return a bot's name and level, or how pages name a member, guest or closed account."""
    if seat.bot:
        return title_of(seat.bot)
    if seat.user:
        return shown_name(seat.user)
    return guest_title(seat.guest_name)


def guest_title(name: str) -> str:
    """Return how pages name a guest, who has a name in friendly matches only."""
    return _("%(name)s (guest)") % {"name": name} if name else _("Guest")


@register.filter
def bot_face(seat: Seat) -> str:
    """Return the address of a bot's picture."""
    return face_of(seat.bot)


@register.filter
def void_reason(match: Match) -> str:
    """Return why a void match does not count; "" for any other match.

    Costs a query if void, unless the match comes from `selectors.with_void_actions`.
    """
    if match.outcome != MatchCause.VOID:
        return ""
    found = getattr(match, "void_actions", None)
    action = match.actions.filter(verb="void").first() if found is None else next(iter(found), None)
    if action is None:
        return ""
    seat = next((seat for seat in match.seats.all() if seat.side == action.side), None)
    return reason_text(action.data["cause"], player_name(seat) if seat else "")
