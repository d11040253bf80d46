"""The timeline of a tournament in sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.people.names import shown_name
from accounts.times.texts import text_of
from tournaments.models import Fixture, TimelineEntry, Tournament

Event, Cause = TimelineEntry.Event, Fixture.Cause


@dataclass(frozen=True, slots=True)
class Happening:
    """An entry of the timeline in words; `match` is its match's public id, "" if it has none."""

    at: datetime
    text: str
    reason: str
    match: str


def timeline_of(tournament: Tournament) -> list[Happening]:
    """Return the entries in words, the latest first. Two queries."""
    entries = list(tournament.timeline.order_by("-pk"))
    ids = {user_id for entry in entries for user_id in _members_in(entry.detail)}
    names = {user.pk: shown_name(user) for user in User.objects.filter(pk__in=ids)}
    return [
        Happening(
            entry.at,
            sentence(entry.event, entry.detail, names),
            entry.reason,
            entry.detail.get("match") or "",
        )
        for entry in entries
    ]


def sentence(event: str, detail: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """Return an entry in words; `names` holds the shown names of its members by user id."""
    values = {
        "name": names.get(detail.get("user") or 0, ""),
        "round": detail.get("round", 0),
        "starts_at": _moment(detail.get("starts_at")),
    }
    if event == Event.RESULT:
        return _result(detail, names)
    if event in (Event.TABLE_OPENED, Event.DECIDER, Event.REPLAY):
        return _of_table(event) % {"players": _players(detail.get("users", ()), names), **values}
    if event == Event.FINISHED:
        return _finished(detail, names)
    if event == Event.PAID:
        return " ".join(_paid(names.get(user, ""), share) for user, share in detail["shares"])
    if event == Event.CANCELED:
        return _canceled(detail.get("cause"))
    if event == Event.LEFT_OUT or detail.get("cause") == "removed":
        return _left_out(detail.get("cause")) % values
    if event == Event.POSTPONED and detail.get("cause") == "nobody":
        return _(
            "No person had entered: until somebody does, the start moves by 10 minutes each time."
        )
    if event == Event.DRAWN:
        return _drawn(detail.get("entrants", 0))
    return _plain(event) % values


def _drawn(count: int) -> str:
    text = ngettext(
        "The opponents were drawn: %(count)d player.",
        "The opponents were drawn: %(count)d players.",
        count,
    )
    return text % {"count": count}


def _plain(event: str) -> str:
    return {
        Event.PROPOSED: _("%(name)s proposed the tournament."),
        Event.REJECTED: _("The proposal was declined."),
        Event.ANNOUNCED: _("The tournament was announced: it starts on %(starts_at)s."),
        Event.ENTERED: _("%(name)s entered."),
        Event.WITHDREW: _("%(name)s withdrew."),
        Event.POSTPONED: _("The start was moved to %(starts_at)s."),
        Event.EXTENDED: _("Too few players had entered: entry stays open until %(starts_at)s."),
        Event.ROUND_STARTED: _("Round %(round)d began."),
        Event.VOID: _("The tournament does not count; every entry fee was returned."),
    }[Event(event)]


def _of_table(event: str) -> str:
    return {
        Event.TABLE_OPENED: _("Round %(round)d: the table of %(players)s is open."),
        Event.DECIDER: _("Round %(round)d: %(players)s drew; one more game decides."),
        Event.REPLAY: _(
            "Round %(round)d: the match of %(players)s does not count; it will be played again."
        ),
    }[Event(event)]


def _result(detail: Mapping[str, Any], names: Mapping[int, str]) -> str:
    winner = detail.get("winner")
    losers = [user for user in detail.get("users", ()) if user and user != winner]
    values = {
        "round": detail.get("round", 0),
        "winner": names.get(winner or 0, ""),
        "loser": names.get(losers[0], "") if losers else "",
        "players": _players(losers, names),
    }
    if winner is None:
        if detail.get("cause") == Cause.STAFF:
            return _("Round %(round)d: our team decided that %(players)s both lost.") % values
        if detail.get("cause") == Cause.WITHDRAWN:
            return _("Round %(round)d: %(players)s no longer take part; both lost.") % values
        return _("Round %(round)d: %(players)s both stayed away; both lost.") % values
    return {
        Cause.PLAYED: _("Round %(round)d: %(winner)s beat %(loser)s."),
        Cause.FREE: _("Round %(round)d: no opponent for %(winner)s."),
        Cause.ABSENT: _("Round %(round)d: %(winner)s won by forfeit; %(loser)s did not come."),
        Cause.GAVE_UP: _(
            "Round %(round)d: %(winner)s won by forfeit; %(loser)s left before the first roll."
        ),
        Cause.WITHDRAWN: _(
            "Round %(round)d: %(winner)s won by forfeit; %(loser)s no longer takes part."
        ),
        Cause.STAFF: _("Round %(round)d: our team decided that %(winner)s won."),
        Cause.BOTH_ABSENT: _("Round %(round)d: %(players)s both stayed away; both lost."),
    }[Cause(detail["cause"])] % values


def _finished(detail: Mapping[str, Any], names: Mapping[int, str]) -> str:
    winners = detail.get("winners", ())
    values = {"players": ", ".join(names.get(user, "") for user in winners)}
    if len(winners) == 1:
        return _("%(players)s won the tournament.") % values
    return _("%(players)s share first place.") % values


def _paid(name: str, share: int) -> str:
    text = ngettext(
        "%(name)s received %(credits)d credit.", "%(name)s received %(credits)d credits.", share
    )
    return text % {"name": name, "credits": share}


def _canceled(cause: str | None) -> str:
    return {
        "too_few": _(
            "Too few players entered: the tournament was canceled and every fee returned."
        ),
        "no_draw": _(
            "The draw failed on our side: the tournament was canceled and every fee returned."
        ),
    }.get(cause or "", _("Our team canceled the tournament; every fee was returned."))


def _left_out(cause: str | None) -> str:
    if cause == "absent":
        return _("%(name)s was absent twice in a row and no longer takes part.")
    if cause in ("banned", "removed"):
        return _("%(name)s was excluded by our team and no longer takes part.")
    return _("%(name)s no longer takes part.")


def _moment(text: str | None) -> str:
    at = parse_datetime(text) if text else None
    return text_of(at, "moment") if at else ""


def _players(users: Iterable[int | None], names: Mapping[int, str]) -> str:
    return " – ".join(names.get(user, "") for user in users if user)


def _members_in(detail: Mapping[str, Any]) -> set[int]:
    found = {detail.get("user"), detail.get("winner")}
    found |= {*detail.get("users", ()), *detail.get("winners", ())}
    found |= {user for user, _share in detail.get("shares", ())}
    return {user for user in found if user}
