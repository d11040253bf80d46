"""The standing of a player after a match, in a sentence beside the match's result."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from tournaments import states
from tournaments.formats import FORMATS
from tournaments.models import Entrant, Fixture, Prize, Tournament
from tournaments.selectors import (
    declared_winners,
    final_standings,
    played_rounds,
    staying_in,
)
from tournaments.services.rounds import ELIMINATING


@dataclass(frozen=True, slots=True)
class Outcome:
    """The viewer's standing; `text` is empty for spectators and while the match runs.

    `is_waiting`: the last round is decided, and the worker is about to end the tournament.
    """

    tournament: Tournament
    text: str = ""
    is_waiting: bool = False


def outcome_of(fixture: Fixture, viewer: User | None) -> Outcome:
    """Return the standing of the viewer after a match of this fixture, as far as it is certain."""
    tournament, own = fixture.round.tournament, _own_of(fixture, viewer)
    if own is None:
        return Outcome(tournament)
    if tournament.state == states.VOID:
        text = _("The tournament does not count; every entry fee was returned.")
        return Outcome(tournament, text)
    if tournament.state == states.FINISHED:
        return Outcome(tournament, _of_finished(tournament, own))
    if fixture.finished_at is None:
        return Outcome(tournament, _of_open(fixture))
    if _is_last(fixture) and not _is_anyone_playing(fixture):
        return Outcome(tournament, _("The result of the tournament is about to appear…"), True)
    return Outcome(tournament, _of_running(fixture, own))


def _own_of(fixture: Fixture, viewer: User | None) -> Entrant | None:
    if viewer is None:
        return None
    entrants = (fixture.first, fixture.second)
    return next((each for each in entrants if each and each.user_id == viewer.pk), None)


def _is_last(fixture: Fixture) -> bool:
    tournament = fixture.round.tournament
    most = FORMATS[tournament.format].rounds_at_most(len(tournament.entrant_ids))
    return fixture.round.number >= most


def _is_anyone_playing(fixture: Fixture) -> bool:
    return fixture.round.fixtures.filter(finished_at__isnull=True).exists()


def _of_open(fixture: Fixture) -> str:
    if fixture.drawn_match_id is not None and fixture.match is None:
        return _("One more game decides; its table opens in a moment.")
    if fixture.match is None:
        return _("This match does not count; you play it again. The table opens in a moment.")
    return ""


def _of_running(fixture: Fixture, own: Entrant) -> str:
    eliminates = fixture.round.tournament.format in ELIMINATING
    if own.state == Entrant.State.OUT or (eliminates and fixture.winner_id != own.pk):
        return _("You are out of the tournament.")
    if fixture.round.advanced_at is not None:
        return _("The next round has begun: see the tournament’s page.")
    if _is_last(fixture):
        return _(
            "This was your last match. When all matches of this round are over, the final table "
            "is on the tournament’s page."
        )
    if eliminates:
        return _(
            "You go on to the next round; it begins when the other matches of this round are over."
        )
    return _("The next round begins when all matches of this round are over.")


def _of_finished(tournament: Tournament, own: Entrant) -> str:
    winners = declared_winners(tournament)
    if own.user_id not in winners:
        return _of_place(tournament, own)
    prize = Prize.objects.filter(entrant=own).first()
    if len(winners) > 1:
        return _of_shared_win(prize)
    if prize is None:
        return _("You won the tournament.")
    text = ngettext(
        "You won the tournament: +%(credits)d credit.",
        "You won the tournament: +%(credits)d credits.",
        prize.credits,
    )
    return text % {"credits": prize.credits}


def _of_shared_win(prize: Prize | None) -> str:
    if prize is None:
        return _("You share first place.")
    text = ngettext(
        "You share first place: +%(credits)d credit.",
        "You share first place: +%(credits)d credits.",
        prize.credits,
    )
    return text % {"credits": prize.credits}


def _of_place(tournament: Tournament, own: Entrant) -> str:
    if own.state == Entrant.State.OUT:
        return _("You are out of the tournament.")
    places = final_standings(tournament, played_rounds(tournament), staying_in([tournament.pk]))
    place = next(each.place for each in places if each.entrant == own.pk)
    text = _("The tournament is over: your place is %(place)d of %(count)d.")
    return text % {"place": place, "count": len(tournament.entrant_ids)}
