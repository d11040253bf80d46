"""Template tags and filters for ratings."""

from decimal import Decimal
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.shared.kept_parts import render_kept
from accounts.times.zones import zone_key
from games.engine.rules import Variant
from games.engine.sides import Side
from games.models import Match, Seat
from games.templatetags.games import player_name
from stats import head_to_head, selectors
from stats.achievements import selectors as awards
from stats.achievements.selectors import ShownAward
from stats.models import OpponentRecord, PlayedMatch, RatingChange
from stats.rating import Standing
from stats.rating_graph import LAST, RatingGraph
from stats.titles import LOWEST, TITLES, title_of

register = template.Library()

# Fields of a rating change that its row prints.
_PRINTED = (
    "result", "length", "before", "opponent_before", "chance", "weight", "played_weight", "change"
)  # fmt: skip


@register.filter
def whole(rating: Decimal) -> int:
    return selectors.rounded(rating)


@register.filter
def title(standing: Standing) -> Promise | None:
    return title_of(standing)


@register.simple_tag
def titles() -> list[tuple[Promise, int | None]]:
    """Return the titles with the least rating of each, the lowest title first."""
    return [(LOWEST, None), *[(name, least) for least, name in reversed(TITLES)]]


@register.filter
def signed(number: int) -> str:
    """Format as +7, 0 or −7 with a true minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "\u2212")


@register.filter
def signed_places(number: float, places: int) -> str:
    """Format with this number of decimal places, and a true minus."""
    return floatformat(number, places).replace("-", "\u2212")


@register.filter
def other_seat(played: PlayedMatch) -> Seat:
    """Return the opponent's seat; needs the match with its seats."""
    return next(seat for seat in played.match.seats.all() if seat.pk != played.seat_id)


@register.filter
def moved(change: RatingChange) -> int:
    """Return the change between the rounded ratings before and after."""
    return selectors.rounded(change.after) - selectors.rounded(change.before)


@register.filter
def opponent_name(change: RatingChange) -> str:
    seat = opponent_seat(change)
    return player_name(seat) if seat else ""


@register.simple_tag
def change_row(change: RatingChange, is_linked: bool) -> SafeString:
    """Show a change of a rating; link its match, and name the opponent, only if `is_linked`.

    The opponent of a match that others could not watch is shown to its players only.
    """
    name = opponent_name(change) if is_linked else ""
    context = {"change": change, "name": name, "is_linked": is_linked}
    # The numbers are part of the key, since a rebuild may correct them.
    numbers = [getattr(change, field) for field in _PRINTED]
    about = (change.pk, numbers, name, is_linked, zone_key())
    return render_kept("stats/_change.html", about, lambda: context)


@register.filter
def shows_record_to(person: User, viewer: Any) -> bool:
    """Return whether the viewer may open the person's pages of ratings and matches."""
    return person == viewer or person.profile.shows_record


@register.filter
def opponent_seat(change: RatingChange) -> Seat | None:
    seats = change.rated.match.seats.all()
    return next((seat for seat in seats if seat.user_id != change.user_id), None)


@register.simple_tag
def standing_of(user: User, variant: str) -> Standing:
    return selectors.standing_of(user.pk, variant)


@register.simple_tag
def standings_of(user: User) -> list[tuple[str, Standing]]:
    """Return the user's standing in each variant, also before the first rated match."""
    found = selectors.standings_of([user.pk])
    return [(each.value, found.get((user.pk, each.value), Standing())) for each in Variant]


@register.simple_tag
def rating_graphs(user: User) -> list[tuple[str, RatingGraph]]:
    """Return the graph of each variant in which the user has rated matches."""
    found = ((each.value, selectors.last_ratings(user.pk, each, LAST)) for each in Variant)
    return [(variant, RatingGraph(ratings)) for variant, ratings in found if ratings]


@register.simple_tag
def achievements_of(user: User) -> list[ShownAward]:
    """Return the user's achievements, the newest first."""
    return awards.awards_of(user.pk)


@register.simple_tag
def last_changes(user: User) -> list[RatingChange]:
    return list(selectors.last_changes(user.pk))


@register.simple_tag
def last_change(user: User) -> RatingChange | None:
    return selectors.last_change(user.pk)


@register.simple_tag
def record_against(viewer: Any, person: User | None) -> OpponentRecord | None:
    """Return the viewer's record against the person; None if the two have not met."""
    if person is None or not isinstance(viewer, User) or viewer == person:
        return None
    return head_to_head.record_between(viewer.pk, person.pk)


@register.simple_tag
def records_with(viewer: User, rows: list[Any]) -> dict[int, OpponentRecord]:
    """Return the viewer's records against the `person` of each row, for `record_with`."""
    return head_to_head.records_with(viewer.pk, [row.person.pk for row in rows])


@register.filter
def record_with(records: dict[int, OpponentRecord], person: User) -> OpponentRecord | None:
    return records.get(person.pk)


@register.filter
def other_player(match: Match, viewer: Any) -> User | None:
    """Return the viewer's opponent; None for a non-member, or if the viewer has no seat."""
    seats = list(match.seats.all())
    if viewer.pk is None or all(seat.user_id != viewer.pk for seat in seats):
        return None
    return next((seat.user for seat in seats if seat.user_id != viewer.pk), None)


@register.simple_tag
def result_for(match: Match, viewer: User) -> dict[str, Any]:
    """Return the score and the net credits of a finished match for the viewer, who played it."""
    own = next(seat.engine_side for seat in match.seats.all() if seat.user_id == viewer.pk)
    score = dict(zip(Side, match.snapshot["score"], strict=True))
    return {
        "own": score[own],
        "other": score[own.other],
        "won": match.winner == own,
        "net": match.net_credits_of(own),
    }


@register.filter
def percent(part: Decimal) -> int:
    return round(part * 100)
